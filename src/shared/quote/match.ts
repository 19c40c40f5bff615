/** The parts of a match and what each is worth; together 100 (domain N3). */
export const matchWeights = { distance: 25, fit: 20, price: 20, age: 10, grade: 10, papers: 5, response: 5, known: 5 } as const
export type MatchPart = keyof typeof matchWeights

export type MatchFacts = {
  /** Between city middles; null when unknown. */
  distanceKm: number | null
  /** Main parameter offered over the one asked for; null when nothing comparable was asked. */
  sizeRatio: number | null
  /** Month price over the median of the market for the class; null when either is unknown. */
  priceRatio: number | null
  ageYears: number
  grade: string | null
  papersLast: boolean
  /** Share of demands answered with a quote; null without a record. */
  responseRate: number | null
  workedTogether: boolean
}

const clamp = (value: number) => Math.min(1, Math.max(0, value))

/**
 * How well a machine that passes the gates suits a line, part by part. Near is full up to 30 km and nothing from
 * 500 km; a machine loses for every bit it is larger than asked, and below nothing counts; the market's median price
 * is worth three quarters; what is unknown is worth half.
 */
export function matchScore(facts: MatchFacts): { score: number; parts: Record<MatchPart, number> } {
  const shares: Record<MatchPart, number> = {
    distance: facts.distanceKm === null ? 0.5 : clamp(1 - (facts.distanceKm - 30) / 470),
    fit: facts.sizeRatio === null ? 0.5 : facts.sizeRatio < 1 ? 0 : clamp(1 - (facts.sizeRatio - 1)),
    price: facts.priceRatio === null ? 0.5 : clamp(0.75 + (1 - facts.priceRatio) * 1.25),
    age: clamp(1 - facts.ageYears / 15),
    grade: facts.grade === null ? 0.5 : ({ A: 1, B: 0.75, C: 0.4, D: 0 }[facts.grade] ?? 0.5),
    papers: facts.papersLast ? 1 : 0,
    response: facts.responseRate === null ? 0.5 : clamp(facts.responseRate),
    known: facts.workedTogether ? 1 : 0,
  }
  const parts = Object.fromEntries(
    Object.entries(matchWeights).map(([part, weight]) => [part, Math.round(shares[part as MatchPart] * weight)]),
  ) as Record<MatchPart, number>
  return { score: Object.values(parts).reduce((sum, part) => sum + part, 0), parts }
}
