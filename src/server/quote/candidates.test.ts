import { expect, test } from 'vitest'
import { deviationsOf } from './candidates.ts'

const load = { key: 'ratedLoad', label: '额定载重量', labelEn: 'Rated load', unit: 'kg', main: true, type: 'number' } as const

test('a miss names what is wanted and what the machine has with separators, but not values of a list', () => {
  const built = { outFactoryDate: '2024-01-01', emissionStage: 'none' } as const
  const missed = (rule: 'ge' | 'in', value: string, specs: Record<string, number>) =>
    deviationsOf(
      { specRequirements: [{ key: load.key, rule, value }], maxAgeYears: null, minEmission: null },
      { ...built, specs },
      { params: [load], day: '2026-11-23' },
    ).map(({ detail, detailEn }) => [detail, detailEn])
  expect(missed('ge', '2000', { ratedLoad: 1000 })).toEqual([['额定载重量 1,000 < 2,000 kg', 'Rated load 1,000 < 2,000 kg']])
  expect(missed('ge', '2000', {})).toEqual([['额定载重量 — < 2,000 kg', 'Rated load — < 2,000 kg']])
  expect(missed('in', '2000、3000', { ratedLoad: 1000 })).toEqual([['额定载重量 1000 ∉ 2000、3000 kg', 'Rated load 1000 ∉ 2000、3000 kg']])
})
