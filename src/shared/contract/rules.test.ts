import { describe, expect, test } from 'vitest'
import { recordChecks, type ContractRecord } from './record.ts'
import {
  canChange,
  canMoveContract,
  canRecall,
  contractSides,
  contractStatuses,
  draftDue,
  endOfHire,
  lapseOf,
  needsScan,
  outlivesContract,
  positionStatus,
  waitsItsDay,
  wayOut,
  type ChangeKind,
  type ContractSide,
  type LapseFacts,
  type PositionStatus,
} from './rules.ts'

const facts: LapseFacts = {
  contractDue: '2026-11-30 10:00:00',
  awardedAt: '2026-11-23 10:00:00',
  status: '0',
  sentAt: null,
  returnedAt: null,
  recalledAt: null,
}
const lapse = (changes: Partial<LapseFacts>) => {
  const found = lapseOf({ ...facts, ...changes })
  return found && [new Date(found.at.getTime() + 8 * 3_600_000).toISOString().slice(0, 16).replace('T', ' '), found.blame]
}

describe('an award lapses', () => {
  test('seven days after it, by the lessee, when nothing was sent', () => {
    expect(lapse({})).toEqual(['2026-11-30 10:00', 'lessee'])
    expect(lapse({ status: null })).toEqual(['2026-11-30 10:00', 'lessee'])
  })
  test('seven days after the sending, by the lessor, when nobody answered', () => {
    expect(lapse({ status: '1', sentAt: '2026-11-28 09:00:00' })).toEqual(['2026-12-05 09:00', 'lessor'])
  })
  test('by the lessor who leaves one unanswered without a return, however late it was sent', () => {
    expect(lapse({ contractDue: '2026-12-15 10:00:00', status: '1', sentAt: '2026-12-14 09:00:00' })).toEqual([
      '2026-12-21 09:00',
      'lessor',
    ])
  })
  test('seven days after a return, by the lessee; at most 21 days after the award, by nobody', () => {
    expect(lapse({ sentAt: '2026-11-25 09:00:00', returnedAt: '2026-11-26 09:00:00' })).toEqual(['2026-12-03 09:00', 'lessee'])
    const long = { sentAt: '2026-12-08 09:00:00', returnedAt: '2026-12-09 09:00:00' }
    expect(lapse(long)).toEqual(['2026-12-14 10:00', 'none'])
    expect(lapse({ ...long, status: '1', sentAt: '2026-12-10 09:00:00' })).toEqual(['2026-12-14 10:00', 'none'])
  })
  test('at the later of the return and an extended due moment, when it was returned', () => {
    const extended = { contractDue: '2026-12-15 10:00:00', sentAt: '2026-11-25 09:00:00', returnedAt: '2026-11-26 09:00:00' }
    expect(lapse(extended)).toEqual(['2026-12-15 10:00', 'lessee'])
    expect(lapse({ ...extended, returnedAt: '2026-12-09 09:00:00' })).toEqual(['2026-12-15 10:00', 'none'])
  })
  test('a day after it was taken back at the earliest, by the lessee', () => {
    const recalled = { sentAt: '2026-11-29 09:00:00', recalledAt: '2026-12-02 09:00:00' }
    expect(lapse(recalled)).toEqual(['2026-12-03 09:00', 'lessee'])
    expect(lapse({ ...recalled, recalledAt: '2026-11-29 09:30:00' })).toEqual(['2026-11-30 10:00', 'lessee'])
    expect(lapse({ ...recalled, status: '1', sentAt: '2026-12-03 08:00:00' })).toEqual(['2026-12-10 08:00', 'lessor'])
  })
  test('a day after an answer at the earliest, however late it came', () => {
    const late = { sentAt: '2026-12-10 09:00:00', returnedAt: '2026-12-14 09:00:00' }
    expect(lapse(late)).toEqual(['2026-12-15 09:00', 'none'])
    expect(lapse({ ...late, status: '1', sentAt: '2026-12-15 08:00:00' })).toEqual(['2026-12-16 08:00', 'none'])
  })
  test('never from before there were contracts, nor once it is in force', () => {
    expect(lapse({ contractDue: null })).toBeNull()
    expect(lapse({ status: '2', sentAt: '2026-11-28 09:00:00' })).toBeNull()
  })
})

test('a sent contract is taken back no later than a day before the last moment of its award', () => {
  const at = (moment: string) => new Date(`${moment}+08:00`)
  expect(canRecall(facts, at('2026-12-13T10:00:00'))).toBe(true)
  expect(canRecall(facts, at('2026-12-13T10:00:01'))).toBe(false)
  expect(canRecall({ ...facts, contractDue: '2026-12-15 10:00:00' }, at('2026-12-14T09:00:00'))).toBe(true)
  expect(canRecall({ ...facts, contractDue: null }, at('2027-12-14T09:00:00'))).toBe(true)
})

test('a winner steps back within the first hours, or without blame after more time was given, until the contract is in force', () => {
  const won = { giveUpUntil: '2026-11-25 10:00:00', acceptedAt: null, isDueMoved: false, status: null }
  expect(wayOut(won, '2026-11-25 09:59:59')).toBe('recorded')
  expect(wayOut(won, '2026-11-25 10:00:00')).toBeNull()
  expect(wayOut({ ...won, acceptedAt: '2026-11-24 10:00:00' }, '2026-11-24 11:00:00')).toBeNull()
  const moved = { ...won, acceptedAt: '2026-11-24 10:00:00', isDueMoved: true }
  expect(wayOut(moved, '2026-12-01 10:00:00')).toBe('blameless')
  expect(wayOut({ ...moved, status: '1' }, '2026-12-01 10:00:00')).toBe('blameless')
  expect(wayOut({ ...moved, status: '2' }, '2026-12-01 10:00:00')).toBeNull()
  expect(wayOut({ ...moved, giveUpUntil: null }, '2026-12-01 10:00:00')).toBeNull()
})

test('a draft is due once the lessor has accepted, or 48 hours after the award', () => {
  const at = (hours: number) => new Date(new Date('2026-11-23T02:00:00Z').getTime() + hours * 3_600_000)
  const awarded = { awardedAt: '2026-11-23 10:00:00', acceptedAt: null }
  expect([draftDue(awarded, at(47)), draftDue(awarded, at(48))]).toEqual([false, true])
  expect(draftDue({ ...awarded, acceptedAt: '2026-11-23 11:00:00' }, at(1))).toBe(true)
})

test('what waits for the unit above is neither changed nor sent', () => {
  const draft = { status: '0', approval: '1', needsApproval: true } as const
  expect([canMoveContract(draft, 'edit', 'lessee'), canMoveContract(draft, 'send', 'lessee')]).toEqual([false, false])
  expect(canMoveContract({ ...draft, approval: '2' }, 'send', 'lessee')).toBe(true)
  expect(canMoveContract({ ...draft, approval: '0', needsApproval: false }, 'send', 'lessee')).toBe(true)
  expect(canMoveContract({ ...draft, approval: '0', needsApproval: false }, 'send', 'lessor')).toBe(false)
})

test('another account comes too late once nothing stands under the contract any more, other amendments have a day of their own', () => {
  const ended = { status: '6', lastDay: '2026-12-20' } as const
  expect([outlivesContract('account', ended, '2026-12-20'), outlivesContract('account', ended, '2026-12-21')]).toEqual([false, true])
  expect(outlivesContract('price', ended, '2026-12-21')).toBe(false)
  const late = (['2', '3', '4', '5'] as const).map((status) => outlivesContract('account', { status, lastDay: null }, '2026-12-21'))
  expect(late).toEqual([false, false, false, true])
})

test('prices are amended while a contract is in force or its hire runs; a hire that runs is ended by its exits', () => {
  const may = (kind: ChangeKind, side: ContractSide) =>
    contractStatuses.filter((status) => canChange({ status, lastDay: '2026-12-20' }, kind, side, '2026-12-20'))
  for (const side of contractSides) expect([may('price', side), may('terminate', side)]).toEqual([['2', '3'], ['2']])
  // The lessor may be paid until the last day of a contract that ended early.
  expect([may('account', 'lessor'), may('account', 'lessee')]).toEqual([['2', '3', '6'], []])
  expect(canChange({ status: '6', lastDay: '2026-12-20' }, 'account', 'lessor', '2026-12-21')).toBe(false)
})

test('another account is stopped until the moment from which it holds', () => {
  const waiting = { effectiveAt: '2026-12-11 10:00:00', appliedAt: null }
  expect([waitsItsDay(waiting, '2026-12-11 09:59:59'), waitsItsDay(waiting, '2026-12-11 10:00:00')]).toEqual([true, false])
  expect(waitsItsDay({ ...waiting, effectiveAt: null }, '2026-12-10 10:00:00')).toBe(false)
})

test('a hire of six months or more needs the sealed scan, whatever the unit says', () => {
  const planStart = '2026-12-01'
  expect(needsScan({ planStart, planEnd: '2027-05-31' }, false)).toBe(false)
  expect(needsScan({ planStart, planEnd: '2027-06-01' }, false)).toBe(true)
  expect(needsScan({ planStart, planEnd: '2026-12-20' }, true)).toBe(true)
  // A month without that day ends with its last.
  expect(needsScan({ planStart: '2026-08-31', planEnd: '2027-02-27' }, false)).toBe(false)
  expect(needsScan({ planStart: '2026-08-31', planEnd: '2027-02-28' }, false)).toBe(true)
})

test('the check of the record finds the sums of a text with thousands apart, and of one from before without', async () => {
  const fits = (text: string) => {
    const sums = { amountFen: 123456789, netFen: 109253795, taxFen: 14202994 }
    const standing = { ...sums, text, textHash: text, isConfirmed: false, isTerminated: false, revision: 1 }
    const record: ContractRecord = {
      links: [{ seq: 1, at: '', move: 'send', text: JSON.stringify([1, 1, 1, 'send', 1, 1, text]), hash: '', detail: null }],
      demandHash: null,
      demandLinks: [],
      versions: [],
      changes: [],
      standing: { ...standing, clauses: '{}', lines: '[]', textEn: '', account: null },
      head: null,
    }
    return recordChecks.standingFits(record, (hashed) => Promise.resolve(hashed))
  }
  const texts = ['¥1,234,567.89 ¥1,092,537.95 ¥142,029.94', '¥1234567.89 ¥1092537.95 ¥142029.94', '¥1,234,567.89 ¥1,092,537.95 ¥42,029.94']
  expect(await Promise.all(texts.map(fits))).toEqual([true, true, false])
})

test('the check of the record knows a cancelled position by the digit that the rules give it', async () => {
  const text = '¥0.00'
  const lines = (status: PositionStatus) => JSON.stringify([{ id: 1, status }])
  const fits = (then: PositionStatus, now: PositionStatus) => {
    const standing = { text, textHash: text, amountFen: 0, netFen: 0, taxFen: 0, isConfirmed: true, isTerminated: false, revision: 1 }
    const record: ContractRecord = {
      links: [],
      demandHash: null,
      demandLinks: [],
      versions: [{ revision: 1, fact: JSON.stringify([1, 1, 1, '{}', lines(then), text]), text, textEn: null }],
      changes: [],
      standing: { ...standing, clauses: '{}', lines: lines(now), textEn: '', account: null },
      head: null,
    }
    return recordChecks.standingFits(record, (hashed) => Promise.resolve(hashed))
  }
  const { waiting, onSite, cancelled } = positionStatus
  expect(await Promise.all([fits(cancelled, cancelled), fits(waiting, onSite)])).toEqual([true, true])
  expect(await Promise.all([fits(cancelled, waiting), fits(waiting, cancelled)])).toEqual([false, false])
})

test('a machine that worked until an early end was not cancelled; one whose hire was to begin later, or that an amendment cancelled, was', () => {
  const line = { status: positionStatus.cancelled, planStart: '2026-03-11', planEnd: '2026-10-07', amount: 161_885_00 }
  expect(endOfHire(line, { lastDay: '2026-10-05' })).toBe('early')
  expect(endOfHire(line, { lastDay: '2026-10-06' })).toBe('planned')
  expect(endOfHire(line, { lastDay: '2026-03-10' })).toBeNull()
  expect(endOfHire({ ...line, amount: '0.00' }, { lastDay: '2026-09-26' })).toBeNull()
  expect(endOfHire(line, null)).toBeNull()
})
