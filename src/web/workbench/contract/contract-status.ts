import { dayOf } from '#shared/calendar.ts'
import type { Contract } from '#shared/contract/contract.ts'
import { contractApproval, contractStatus, isStanding, scanState, type ContractSide } from '#shared/contract/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { minute } from '../../app/format.ts'
import { standingOf } from './contract-standing.ts'

type Step = keyof Text['contract']['pages']['next']
type Stage = Pick<
  Contract,
  | 'may'
  | 'status'
  | 'approval'
  | 'side'
  | 'scanState'
  | 'needsScan'
  | 'openChange'
  | 'signs'
  | 'isReturned'
  | 'isSentByRevoked'
  | 'lapsesAt'
  | 'ending'
>

/** What the reader has to do next with the contract, or what it waits for. Null for the platform's people and once nothing is to come. */
export function nextStep(contract: Stage): Step | null {
  const { may, status, approval, side, scanState: scan, needsScan, openChange, signs } = contract
  if (side === null) return null
  if (may.includes('approve')) return 'decide'
  if (status === contractStatus.draft) {
    if (approval === contractApproval.waiting) return 'asking'
    // What waits for nobody is changed, submitted and sent by everybody of the lessee who is certified.
    if (side === 'lessee' && !may.includes('edit')) return 'uncertifiedDraft'
    if (approval === contractApproval.returned) return 'rejected'
    if (side === 'lessor') return contract.isReturned ? 'waitCorrection' : null
    if (may.includes('send')) return contract.isReturned ? 'returned' : approval === contractApproval.passed ? 'approved' : 'send'
    return may.includes('ask') ? 'edit' : 'notSigner'
  }
  if (status === contractStatus.sent) {
    if (side === 'lessee') return 'waitLessor'
    if (contract.isSentByRevoked) return contract.lapsesAt === null ? 'lesseeRevoked' : 'lesseeRevokedAward'
    return may.includes('confirm') ? 'confirm' : signs ? 'uncertified' : 'notSigner'
  }
  if (openChange && !openChange.hindrances.includes('contractOver')) return stepOfChange(openChange, { side, signs })
  const standing = standingOf(contract)
  const today = dayOf(new Date())
  if (!isStanding(standing, today) || scan === scanState.matched) return null
  if (may.includes('matchScan')) return 'matchScan'
  if (scan === scanState.uploaded) return 'waitScan'
  return needsScan && status !== contractStatus.terminated ? 'scan' : null
}

/** Whether an open amendment waits for the reader's side, and so goes before everything else. */
export const answersChange = (contract: Stage): boolean => isAmong(nextStep(contract), ['answerChange', 'askChange'])

/** Whether a scan of the reader's side waits already, which another one would replace. */
export const replacesScan = ({ scanState: scan, scanBy, side }: Pick<Contract, 'scanState' | 'scanBy' | 'side'>): boolean =>
  scan === scanState.uploaded && scanBy === side

/** What the reader does about an open amendment, or who answers it. */
function stepOfChange(
  { isSent, side: proposer, hindrances, unitStep }: NonNullable<Contract['openChange']>,
  { side, signs }: { side: ContractSide; signs: boolean },
): Step {
  if (hindrances.length > 0) return 'stuckChange'
  if (!isSent) return side === 'lessee' ? 'waitUnit' : 'waitLessee'
  if (unitStep !== null) return unitStep === 'ask' ? 'askChange' : 'waitUnitOfOther'
  return proposer === side ? 'waitChange' : signs ? 'answerChange' : 'notSignerOfChange'
}

/** What the lessor wrote about the text that it returned; undefined once another one was sent, also where that was taken back. */
export const openComment = ({ status, isReturned, comments }: Pick<Contract, 'status' | 'isReturned' | 'comments'>) =>
  status === contractStatus.draft && isReturned ? comments[0] : undefined

type Recalled = Pick<Contract, 'lapsesAfterRecall' | 'mayLeaveAfterRecall'>

/** What whoever takes a sent contract back is asked, with all that follows from it. `makes`: the person is certified, so they may send it again. */
export function recallQuestion({ locale, contract }: Text, { lapsesAfterRecall, mayLeaveAfterRecall }: Recalled, makes: boolean): string {
  const { recallAsk, recallFrees, recallLapses, recallUncertified } = contract.pages
  return [
    recallAsk,
    mayLeaveAfterRecall && recallFrees,
    lapsesAfterRecall && recallLapses(minute(lapsesAfterRecall)),
    !makes && recallUncertified,
  ]
    .filter(Boolean)
    .join(locale === 'zh-CN' ? '' : ' ')
}
