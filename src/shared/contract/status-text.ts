import type { Text } from '../text/zh-cn.ts'
import {
  changeStatus,
  contractStatus,
  endOfHire,
  otherSide,
  scanSaid,
  scanState,
  type ChangeKind,
  type ChangeStatus,
  type ContractSide,
  type ContractStatus,
  type ScanState,
} from './rules.ts'

/**
 * The state of a contract in words of the side that reads it, null for the platform's people and auditors. Prints and packs are alike for both sides
 * and do not ask this: the lessor is not told to wait for the other
 * side where it is asked itself.
 */
export const contractStatusOf = (
  { contract: words }: Text,
  { status, side }: { status: ContractStatus; side: ContractSide | null },
): string => (status === contractStatus.sent && side === 'lessor' ? words.toConfirm : words.status[status])

/** The state of a position in words: one that worked until an early end was not cancelled, although it is stored so. */
export const positionStatusOf = (
  { contract: words }: Text,
  line: Parameters<typeof endOfHire>[0],
  ending: { lastDay: string } | null,
): string => {
  const end = endOfHire(line, ending)
  return end === null ? words.position[line.status] : end === 'early' ? words.status[contractStatus.terminated] : words.hireOver
}

/** The state of a contract on prints and packs, which are alike for both sides, so it names the side that is to confirm. */
export const printedStatusOf = ({ contract: words }: Text, status: ContractStatus): string =>
  status === contractStatus.sent ? words.toConfirmBy.lessor : words.status[status]

/** The state of an amendment on prints and packs. */
export const printedChangeStatusOf = (
  { contract: words }: Text,
  { status, side }: { status: ChangeStatus; /** That proposed it. */ side: ContractSide },
): string => (status === changeStatus.sent ? words.toConfirmBy[otherSide(side)] : words.changeStatus[status])

type Scanned = { needsScan: boolean; scanState: ScanState; scanRevision: number | null; revision: number }

/** How the scan stands, with the version that it is of where there are several. */
export function scanStatusOf({ contract: words }: Text, contract: Scanned): string {
  const said = words.scan[scanSaid(contract)]
  const { scanState: state, scanRevision, revision } = contract
  return state === scanState.none || scanRevision === null || revision === 1 ? said : words.scanOfVersion(said, scanRevision)
}

type Step = { move: string; change: { changeCode: string; kind: ChangeKind } | null; scanRevision: number | null }

/** What a step of the history was, and which amendment or version it was about. */
export const stepTitleOf = ({ contract: words }: Text, { move, change, scanRevision }: Step): string =>
  [
    words.event[move] ?? move,
    ...(change ? [`${words.changeKind[change.kind]} ${change.changeCode}`] : []),
    ...(scanRevision === null ? [] : [words.versionNo(scanRevision)]),
  ].join(' · ')
