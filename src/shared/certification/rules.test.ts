import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { certificationMoves, certificationStatuses, documentsOf, mayMove, missingDocuments, reachedThreshold } from './rules.ts'

describe('rules', () => {
  test('the smallest threshold that was reached counts', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10, max: 200 }), (days) => {
        const reached = reachedThreshold(days)
        if (days > 90) expect(reached).toBeNull()
        else {
          expect(reached).not.toBeNull()
          expect(days).toBeLessThanOrEqual(reached ?? 0)
        }
      }),
    )
    expect([91, 90, 61, 60, 31, 30, 8, 7, 1, 0].map(reachedThreshold)).toEqual([null, 90, 90, 60, 60, 30, 30, 7, 7, 0])
  })

  test('every move leads from state to state and is refused to anybody else', () => {
    for (const [name, { from, to, by }] of Object.entries(certificationMoves)) {
      expect(certificationStatuses).toContain(to)
      for (const status of certificationStatuses)
        for (const actor of ['applicant', 'reviewer', 'clock'] as const)
          expect(mayMove(name as keyof typeof certificationMoves, status, actor)).toBe(
            (from as readonly string[]).includes(status) && (by as readonly string[]).includes(actor),
          )
    }
  })

  test('no document is missing when all are submitted, and some are when none is', () => {
    for (const kind of ['rentout', 'lease', 'dept'] as const)
      for (const ownErection of [true, false]) {
        expect(missingDocuments(kind, { ownErection }, new Set(documentsOf[kind]))).toEqual([])
        expect(missingDocuments(kind, { ownErection }, new Set()).length).toBeGreaterThan(0)
      }
    expect(missingDocuments('rentout', {}, new Set(['license', 'authorization', 'agentId']))).toEqual([])
    expect(missingDocuments('rentout', {}, new Set(['license', 'authorization']))).toEqual(['agentId'])
  })
})
