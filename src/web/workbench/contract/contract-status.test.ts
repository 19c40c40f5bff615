import { expect, test } from 'vitest'
import { contractApproval, contractStatus, scanState, type ChangeHindrance } from '#shared/contract/rules.ts'
import { contractStatusOf } from '#shared/contract/status-text.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { answersChange, nextStep, openComment, recallQuestion, replacesScan } from './contract-status.ts'

test('a sent contract waits for the other side, and in the eyes of the lessor for itself', () => {
  const seen = (side: 'lessee' | 'lessor' | null) => contractStatusOf(zhCn, { status: contractStatus.sent, side })
  expect([seen('lessee'), seen('lessor'), seen(null)]).toEqual(['待对方确认', '待本方确认', '待对方确认'])
  expect(contractStatusOf(zhCn, { status: contractStatus.inForce, side: 'lessor' })).toBe('已生效')
})

test('a draft that the unit above approved is to be sent; once the lessor has returned it, it is to be mended first', () => {
  const draft = {
    status: contractStatus.draft,
    approval: contractApproval.passed,
    side: 'lessee' as const,
    may: ['edit' as const, 'send' as const],
    signs: true,
    openChange: null,
    ending: null,
    scanState: scanState.none,
    needsScan: true,
    isSentByRevoked: false,
    lapsesAt: null,
  }
  expect(nextStep({ ...draft, isReturned: false })).toBe('approved')
  expect(nextStep({ ...draft, isReturned: true })).toBe('returned')
  // Whoever is no longer certified reads why they can do neither; the unit's answer is still awaited by everybody.
  const uncertified = { ...draft, may: ['void' as const, 'persons' as const], isReturned: false }
  const steps = [contractApproval.passed, contractApproval.returned, contractApproval.waiting].map((approval) =>
    nextStep({ ...uncertified, approval }),
  )
  expect(steps).toEqual(['uncertifiedDraft', 'uncertifiedDraft', 'asking'])
})

test('what the lessor wrote stands beside the draft that it returned, and no more once another text was sent and taken back', () => {
  const comments = [{ at: '2026-12-01 10:00:00', comment: '退场费由承租方承担', clauses: [] }]
  const open = (status: '0' | '1' | '7', isReturned: boolean) => openComment({ status, isReturned, comments })?.comment
  expect([open('0', true), open('0', false), open('1', true), open('7', true)]).toEqual([
    '退场费由承租方承担',
    undefined,
    undefined,
    undefined,
  ])
})

test('a lessor is asked to confirm only what they can confirm, and reads why they cannot', () => {
  const stepOf = (seen: { may?: 'confirm'[]; signs?: boolean; isSentByRevoked?: boolean; lapsesAt?: string }) =>
    nextStep({
      status: contractStatus.sent,
      approval: contractApproval.none,
      side: 'lessor',
      may: [],
      signs: true,
      openChange: null,
      ending: null,
      scanState: scanState.none,
      needsScan: true,
      isReturned: false,
      isSentByRevoked: false,
      lapsesAt: null,
      ...seen,
    })
  expect([stepOf({ may: ['confirm'] }), stepOf({ signs: false }), stepOf({})]).toEqual(['confirm', 'notSigner', 'uncertified'])
  // Of one without an award nothing lapses.
  const revoked = [stepOf({ isSentByRevoked: true, lapsesAt: '2026-12-20 10:00:00' }), stepOf({ isSentByRevoked: true })]
  expect(revoked).toEqual(['lesseeRevokedAward', 'lesseeRevoked'])
})

const amended = (side: 'lessee' | 'lessor', hindrances: ChangeHindrance[], signs = true, unitStep: 'ask' | 'wait' | null = null) => ({
  status: contractStatus.terminated,
  approval: contractApproval.none,
  side,
  may: [],
  signs,
  openChange: { id: 1, changeCode: 'BC1', kind: 'account' as const, side: 'lessor' as const, isSent: true, hindrances, unitStep },
  ending: { lastDay: '2026-12-20', penalty: null },
  scanState: scanState.none,
  needsScan: true,
  isReturned: false,
  isSentByRevoked: false,
  lapsesAt: null,
})
const stepOfAmendment = (...given: Parameters<typeof amended>) => nextStep(amended(...given))
/** Of the signer and of a colleague on the other side, and of the side that proposed it. */
const stepsOfAmendment = (hindrances: ChangeHindrance[]) => [
  stepOfAmendment('lessee', hindrances),
  stepOfAmendment('lessee', hindrances, false),
  stepOfAmendment('lessor', hindrances),
]

test('another account that waits for its answer is no step any more once the last day of an ended contract is over', () => {
  expect(stepsOfAmendment([])).toEqual(['answerChange', 'notSignerOfChange', 'waitChange'])
  expect(stepsOfAmendment(['contractOver'])).toEqual([null, null, null])
})

test('what waits for the reader goes before a scan, which is only replaced where the own one waits already', () => {
  const waits = [amended('lessee', []), amended('lessee', [], true, 'ask'), amended('lessee', [], false), amended('lessor', [])]
  expect(waits.map((contract) => answersChange(contract))).toEqual([true, true, false, false])
  const scan = { scanState: scanState.uploaded, scanBy: 'lessor' as const }
  const scans = [
    { ...scan, side: 'lessor' as const },
    { ...scan, side: 'lessee' as const },
  ]
  expect(scans.map((one) => replacesScan(one))).toEqual([true, false])
  expect(replacesScan({ side: 'lessor', scanBy: 'lessor', scanState: scanState.none })).toBe(false)
})

test('of an amendment that cannot be confirmed, neither side reads that it is to be confirmed', () => {
  for (const one of ['overdue', 'proposerUncertified', 'readerUncertified'] as const)
    expect(new Set(stepsOfAmendment([one])), one).toEqual(new Set(['stuckChange']))
})

test('where the unit above approves an amendment of the lessor first, the reader is told to ask it, or that it was asked', () => {
  const steps = ([true, false] as const).map((signs) =>
    (['ask', 'wait'] as const).map((step) => stepOfAmendment('lessee', [], signs, step)),
  )
  expect(steps).toEqual([
    ['askChange', 'waitUnitOfOther'],
    ['askChange', 'waitUnitOfOther'],
  ])
  expect(stepOfAmendment('lessee', ['overdue'], true, 'ask')).toBe('stuckChange')
})

test('whoever takes a contract back after more time was given is told that its lessor may leave', () => {
  const asked = (mayLeaveAfterRecall: boolean, makes = true) =>
    recallQuestion(zhCn, { lapsesAfterRecall: '2026-12-20 10:00:00', mayLeaveAfterRecall }, makes)
  expect(asked(true)).toContain('此后出租方可无责退出')
  expect(asked(true)).not.toContain('。 ')
  expect(asked(false)).not.toContain('退出')
  // Without a certification they cannot send it again.
  expect([asked(false), asked(false, false)].map((words) => words.includes(zhCn.contract.pages.recallUncertified))).toEqual([false, true])
})
