import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  certificationMoves,
  certificationStatuses,
  documentMark,
  documentsOf,
  mayMove,
  missingDocuments,
  reachedThreshold,
} from './rules.ts'

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

  test('the marks follow what is handed in: of two alternatives the one that was begun is required, the other is not', () => {
    const mark = (given: string[], ...documents: Parameters<typeof documentMark>[1][]) =>
      documents.map((document) => documentMark('rentout', document, {}, new Set(given)))
    const either = ['legalIdFront', 'legalIdBack', 'authorization', 'agentId'] as const
    expect(mark([], ...either)).toEqual(['either', 'either', 'either', 'either'])
    expect(mark(['authorization'], ...either)).toEqual(['optional', 'optional', 'required', 'required'])
    expect(mark(['legalIdFront'], ...either)).toEqual(['required', 'required', 'optional', 'optional'])
    expect(mark(['legalIdFront', 'legalIdBack', 'authorization'], ...either)).toEqual(['required', 'required', 'optional', 'optional'])
    expect(mark([], 'license', 'fleetList')).toEqual(['required', 'optional'])
    for (const kind of ['rentout', 'lease', 'dept'] as const)
      for (const document of documentsOf[kind])
        for (const other of documentsOf[kind]) {
          const given = new Set([other])
          if (missingDocuments(kind, {}, given).includes(document)) expect(documentMark(kind, document, {}, given)).not.toBe('optional')
        }
  })
})
