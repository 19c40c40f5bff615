import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchScore, matchWeights, type MatchFacts } from './match.ts'

const best: MatchFacts = {
  distanceKm: 10,
  sizeRatio: 1,
  priceRatio: 0.8,
  ageYears: 0,
  grade: 'A',
  papersLast: true,
  responseRate: 1,
  workedTogether: true,
}
const facts = fc.record<MatchFacts>({
  distanceKm: fc.option(fc.integer({ min: 0, max: 5000 })),
  sizeRatio: fc.option(fc.float({ min: 0, max: 5, noNaN: true })),
  priceRatio: fc.option(fc.float({ min: Math.fround(0.1), max: 5, noNaN: true })),
  ageYears: fc.integer({ min: 0, max: 40 }),
  grade: fc.constantFrom('A', 'B', 'C', 'D', null),
  papersLast: fc.boolean(),
  responseRate: fc.option(fc.float({ min: 0, max: 1, noNaN: true })),
  workedTogether: fc.boolean(),
})

test('[S7.6] the weights add up to 100, and the best machine gets all of them', () => {
  expect(Object.values(matchWeights).reduce((sum, weight) => sum + weight, 0)).toBe(100)
  expect(matchScore(best).score).toBe(100)
})

test('[S7.6] a hand-worked case: 265 km, a quarter too large, at the median, 6 years, B, unknown answers', () => {
  const { parts, score } = matchScore({
    ...best,
    distanceKm: 265,
    sizeRatio: 1.25,
    priceRatio: 1,
    ageYears: 6,
    grade: 'B',
    responseRate: null,
  })
  expect(parts).toEqual({ distance: 13, fit: 15, price: 15, age: 6, grade: 8, papers: 5, response: 3, known: 5 })
  expect(score).toBe(70)
})

test('[S7.6] every part stays within its weight, and the score is their sum', () => {
  fc.assert(
    fc.property(facts, (given) => {
      const { score, parts } = matchScore(given)
      for (const [part, weight] of Object.entries(matchWeights)) {
        expect(parts[part as 'fit']).toBeGreaterThanOrEqual(0)
        expect(parts[part as 'fit']).toBeLessThanOrEqual(weight)
      }
      expect(score).toBe(Object.values(parts).reduce((sum, part) => sum + part, 0))
    }),
  )
})

test('[S7.6] a nearer, cheaper or younger machine never scores worse; a larger one than required never better', () => {
  fc.assert(
    fc.property(facts, fc.integer({ min: 0, max: 1000 }), fc.float({ min: 0, max: 2, noNaN: true }), (given, more, part) => {
      const score = (change: Partial<MatchFacts>) => matchScore({ ...given, ...change }).score
      expect(score({ distanceKm: 100 })).toBeGreaterThanOrEqual(score({ distanceKm: 100 + more }))
      expect(score({ priceRatio: 1 })).toBeGreaterThanOrEqual(score({ priceRatio: 1 + part }))
      expect(score({ ageYears: 3 })).toBeGreaterThanOrEqual(score({ ageYears: 3 + more }))
      expect(score({ sizeRatio: 1 })).toBeGreaterThanOrEqual(score({ sizeRatio: 1 + part }))
    }),
  )
})
