import { expect, test } from 'vitest'
import { blacklistStatuses, mayDrop, periodProblem } from './rules.ts'

test('an entry lasts a day at least and three years at the most, and is not over already', () => {
  const problem = (from: string, to: string) => periodProblem(from, to, '2026-11-23')
  expect([problem('2026-12-01', '2026-12-01'), problem('2026-12-01', '2026-12-02')]).toEqual(['ends_before_start', null])
  expect([problem('2026-11-01', '2026-11-23'), problem('2026-11-01', '2026-11-24')]).toEqual(['over_already', null])
  expect([problem('2026-12-01', '2029-12-01'), problem('2026-12-01', '2029-12-02')]).toEqual([null, 'blacklist_long'])
  // Also where no leap day lies between.
  expect([problem('2029-01-01', '2032-01-01'), problem('2029-01-01', '2032-01-02')]).toEqual([null, 'blacklist_long'])
})

test('a decider drops what the subject was told of, and a proposal whose proposer is gone; nothing that was decided', () => {
  const dropped = (hasProposer: boolean) => blacklistStatuses.filter((status) => mayDrop({ status, hasProposer }))
  expect([dropped(true), dropped(false)]).toEqual([['1'], ['0', '1']])
})
