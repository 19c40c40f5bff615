import { addDays, addMonths, dayMs, fromMoment, hourMs } from '../calendar.ts'
import { contractStatus, contractStatuses, type ContractStatus } from '../contract-status/rules.ts'
import { canMove, isAmong, type Moves } from '../lifecycle.ts'
import { giveUpHours } from '../quote/rules.ts'

export { contractStatus, contractStatuses, type ContractStatus }

const { draft, sent, inForce, running, settling, closed, terminated, voided } = contractStatus
/** Not yet confirmed by both sides. */
export const unconfirmedContracts = [draft, sent] as const
/** Both sides are bound, and something of it is still to come. */
export const boundContracts = [inForce, running, settling] as const
/** Somebody still has to act: neither its machines, its people nor its companies may leave. */
export const liveContracts = [draft, sent, inForce, running, settling] as const
/** Nothing is to come. A demand is completed when all its contracts are here and one of them was in force. */
export const endedContracts = [closed, terminated, voided] as const
/** It was in force once, so its text and its chain stay readable for ever. */
export const confirmedContracts = [inForce, running, settling, closed, terminated] as const

/** From an award on the platform, or written down by a unit for a hire that was agreed elsewhere. */
export const contractSource = { award: 'award', direct: 'direct' } as const
export const contractSources = Object.values(contractSource)
export type ContractSource = (typeof contractSource)[keyof typeof contractSource]

export const contractSides = ['lessee', 'lessor'] as const
/** 承租方: the project or a unit above it. 出租方: the lessor's company. */
export type ContractSide = (typeof contractSides)[number]
export const otherSide = (side: ContractSide): ContractSide => (side === 'lessee' ? 'lessor' : 'lessee')
type ContractActor = ContractSide | 'clock'

/**
 * Every way a contract changes state. The two sides' amendments are in `changeMoves`. The moves of the site and of the settlement lead to `running` and
 * `settling`; until then nothing sets them.
 */
export const contractMoves = {
  edit: { from: [draft], to: draft, by: ['lessee'] },
  send: { from: [draft], to: sent, by: ['lessee'] },
  recall: { from: [sent], to: draft, by: ['lessee'] },
  return: { from: [sent], to: draft, by: ['lessor'] },
  confirm: { from: [sent], to: inForce, by: ['lessor'] },
  terminate: { from: [inForce], to: terminated, by: ['lessee', 'lessor'] },
  close: { from: [settling], to: closed, by: ['lessee', 'lessor'] },
  void: { from: unconfirmedContracts, to: voided, by: ['lessee', 'clock'] },
  /** With the award behind it. */
  giveUp: { from: unconfirmedContracts, to: voided, by: ['lessor'] },
} as const satisfies Moves<ContractStatus, ContractActor>
export type ContractMove = keyof typeof contractMoves

/** A step in the history of a contract, and so in its chain. */
export type ContractStep =
  | 'draft'
  | 'edit'
  | 'positions'
  | 'forms'
  | 'ask'
  | 'approve'
  | 'reject'
  | 'send'
  | 'recall'
  | 'return'
  | 'confirm'
  | 'void'
  | 'scan'
  | 'matchScan'
  | 'refuseScan'
  | 'persons'
  | 'change'
  | 'changeAsk'
  | 'changeApprove'
  | 'changeReject'
  | 'changeApprovalOff'
  | 'changeApprovalLate'
  | 'changeConfirm'
  | 'changeRefuse'
  | 'changeRecall'
  | 'changeStop'
  | 'terminate'
  | 'notice'
  | 'account'
  | 'version'
  | 'changeRecord'
  | 'look'
  | 'lock'
  | 'unlock'
  | 'certificationEnd'
  | 'certificationBack'

/** Of the draft at the unit above, where that approves contracts (`dept.approves_contracts`). */
export const contractApproval = { none: '0', waiting: '1', passed: '2', returned: '3' } as const
export const contractApprovals = Object.values(contractApproval)
export type ContractApproval = (typeof contractApproval)[keyof typeof contractApproval]

/** The scan of the paper that both sealed: nobody has handed one in, one side has, the other side has found it to be the same. */
export const scanState = { none: '0', uploaded: '1', matched: '2' } as const
export const scanStates = Object.values(scanState)
export type ScanState = (typeof scanState)[keyof typeof scanState]

type Scan = { scanState: ScanState; scanBy: ContractSide | null }
/** Whether a side answers the scan that the other one has handed in. */
export const canMatchScan = (scan: Scan, side: ContractSide): boolean => scan.scanState === scanState.uploaded && scan.scanBy !== side
/** Whether a side may hand in a scan. One that waits for its own answer is answered first, so that none goes unread. */
export const canUploadScan = (scan: Scan, side: ContractSide): boolean => scan.scanState !== scanState.matched && !canMatchScan(scan, side)

/** 待进场, 在场, 已退场, 已取消. */
export const positionStatus = { waiting: '0', onSite: '1', left: '2', cancelled: '3' } as const
export const positionStatuses = Object.values(positionStatus)
export type PositionStatus = (typeof positionStatus)[keyof typeof positionStatus]
/** A machine belongs there, or is expected. */
export const filledPositions = [positionStatus.waiting, positionStatus.onSite] as const

/** Tasks that a side names people for. Where nobody is named, everybody of the side who holds the permission may do it. */
export const contractTasks = ['signer', 'acceptor', 'logger', 'settler'] as const
export type ContractTask = (typeof contractTasks)[number]

/** Whether a person may change who signs for their side: where somebody is named, one of those or an administrator. */
export const mayNameSigners = (person: { accountId: number; isAdmin: boolean }, signers: readonly number[]): boolean =>
  signers.length === 0 || person.isAdmin || signers.includes(person.accountId)

export const changeKinds = ['extend', 'shorten', 'price', 'quantity', 'clause', 'tax', 'account', 'terminate'] as const
export type ChangeKind = (typeof changeKinds)[number]

/** 草拟, 待对方确认, 已生效, 已拒绝, 已撤回, 已叫停. */
export const changeStatus = { draft: '0', sent: '1', inForce: '2', refused: '3', withdrawn: '4', stopped: '5' } as const
export const changeStatuses = Object.values(changeStatus)
export type ChangeStatus = (typeof changeStatus)[keyof typeof changeStatus]
/** At most one of a contract is in one of these. */
export const openChanges = [changeStatus.draft, changeStatus.sent] as const

/** `own` is the side that wrote the amendment, `other` the one that answers. The clock takes back what waits for an approval that no unit wants any more, or that did not come in time. */
export const changeMoves = {
  send: { from: [changeStatus.draft], to: changeStatus.sent, by: ['own'] },
  confirm: { from: [changeStatus.sent], to: changeStatus.inForce, by: ['other'] },
  refuse: { from: [changeStatus.sent], to: changeStatus.refused, by: ['other'] },
  recall: { from: openChanges, to: changeStatus.withdrawn, by: ['own', 'clock'] },
  /** Of another bank account, until it holds. */
  stop: { from: [changeStatus.inForce], to: changeStatus.stopped, by: ['own', 'other'] },
} as const satisfies Moves<ChangeStatus, 'own' | 'other' | 'clock'>
export type ChangeMove = keyof typeof changeMoves

/** Whether the move binds its side, so that only those make it whom the side named to sign. */
export const isSigned = (move: ChangeMove): boolean => move === 'send' || move === 'confirm'

/** Whether an amendment in force can still be stopped: another bank account that waits its day. Moments as the wire writes them. */
export const waitsItsDay = ({ effectiveAt, appliedAt }: { effectiveAt: string | null; appliedAt: string | null }, now: string): boolean =>
  effectiveAt !== null && appliedAt === null && effectiveAt > now

/** Whether an amendment of this kind, once confirmed, makes a version that holds from its day on. */
export const makesVersion = (kind: ChangeKind): boolean => kind !== 'account' && kind !== 'terminate'
/**
 * Whether an amendment of this kind takes effect as soon as it is confirmed, whatever its day: ends and bookings move. The page proposes it for the first
 * possible day, because a later one would only keep every other amendment from holding before it.
 */
export const holdsAtOnce = (kind: ChangeKind): boolean => isAmong(kind, ['extend', 'shorten', 'quantity'])
/** Whether an amendment of this kind is of positions, and so may change the sum of the contract. */
export const changesSum = (kind: ChangeKind): boolean => makesVersion(kind) && kind !== 'clause'

/** Days after the day of an amendment on which the other side may still confirm it; no settlement has closed these days yet. */
export const confirmDays = 7

/** The last day on which the other side may confirm an amendment. Another account waits its day from the confirmation on, whenever that is. */
export const confirmBy = (kind: ChangeKind, fromDay: string): string | null => (kind === 'account' ? null : addDays(fromDay, confirmDays))

/** Whether the day of an amendment is over for so long that it can only be proposed anew. */
export function isOverdue({ kind, fromDay }: { kind: ChangeKind; fromDay: string }, today: string): boolean {
  const last = confirmBy(kind, fromDay)
  return last !== null && today > last
}

/** Both sides are bound, and the hire is not over. */
export const amendedContracts = [inForce, running] as const

/** A contract with the last day that both agreed on; null where they have not ended it. */
export type Standing = { status: ContractStatus; lastDay: string | null }

/**
 * Whether machines may stand on site under the contract: both are bound, or have ended it early and its last day is not over. Until then its paper is
 * handed in and compared, and notices are given (decision 62).
 */
export const isStanding = ({ status, lastDay }: Standing, today: string): boolean =>
  isAmong(status, boundContracts) || (status === terminated && lastDay !== null && lastDay >= today)

/**
 * Whether this side may write an amendment of this kind now. The account is the lessor's, who may be paid until the last day; a hire under way is ended by
 * its exits.
 */
export function canChange(contract: Standing, kind: ChangeKind, side: ContractSide, today: string): boolean {
  const { status } = contract
  if (kind === 'account') return side === 'lessor' && status !== settling && isStanding(contract, today)
  return isAmong(status, amendedContracts) && (kind !== 'terminate' || status === inForce)
}

/**
 * Whether an open amendment came too late for its contract: it names another account, and nothing stands under the contract any more. It is neither
 * confirmed nor approved, only refused or withdrawn.
 */
export const outlivesContract = (kind: ChangeKind, contract: Standing, today: string): boolean =>
  kind === 'account' && !isStanding(contract, today)

/**
 * Why an open amendment is neither confirmed nor approved now: its day is over for too long, or its contract; or it hires more, and the side that proposed
 * it, or the reader, is no longer certified.
 */
export const changeHindrances = ['overdue', 'contractOver', 'proposerUncertified', 'readerUncertified'] as const
export type ChangeHindrance = (typeof changeHindrances)[number]

/** Facts that decide which moves somebody may make now. */
type ContractFacts = {
  status: ContractStatus
  approval: ContractApproval
  /** The unit above approves contracts and this person cannot do without it. */
  needsApproval: boolean
}

/** Whether this side may make the move now. */
export function canMoveContract({ status, approval, needsApproval }: ContractFacts, move: ContractMove, by: ContractActor): boolean {
  if (!canMove(contractMoves, move, status, by)) return false
  if (move === 'send') return !needsApproval || approval === contractApproval.passed
  // What waits for the unit above is not changed meanwhile.
  if (move === 'edit') return approval !== contractApproval.waiting
  return true
}

/** Days from the award to the first contract that is sent, from the sending to the answer, and at most from the award to both. */
export const lapseDays = { unsent: 7, unanswered: 7, atMost: 21, extension: 15 } as const
/** Days before the end of that time on which the lessee is reminded. */
export const dueReminders = [3, 1] as const

/** Days before the end of a hire on which both sides are reminded of it. */
export const endingReminders = [15, 7, 3] as const

/**
 * The first days, each not included, to which hires of a contract that can still be amended ran (`over`), and are to run so soon that both sides are
 * reminded (`soon`).
 */
export function endsOf(
  { status, lines }: { status: ContractStatus; lines: readonly { status: PositionStatus; planEnd: string }[] },
  today: string,
): { over?: string; soon?: string } {
  if (!isAmong(status, amendedContracts)) return {}
  const ends = lines.filter((line) => isAmong(line.status, filledPositions)).map(({ planEnd }) => planEnd)
  const days = ends.toSorted()
  const over = days.find((day) => day <= today)
  const soon = days.find((day) => day > today && day <= addDays(today, endingReminders[0]))
  return { ...(over !== undefined && { over }), ...(soon !== undefined && { soon }) }
}

type Hired = { status: PositionStatus; planStart: string; planEnd: string; amount: number | string }

/**
 * How the hire of a position ended that an early end of the contract cancelled: with it, or as planned before. Null of one that an amendment cancelled,
 * which counts nothing in the sum, and of one whose hire began no more.
 */
export function endOfHire({ status, planStart, planEnd, amount }: Hired, ending: { lastDay: string } | null): 'early' | 'planned' | null {
  if (status !== positionStatus.cancelled || ending === null || planStart > ending.lastDay || Number(amount) === 0) return null
  return planEnd > addDays(ending.lastDay, 1) ? 'early' : 'planned'
}

/**
 * Who let an award lapse. `none`: both went on talking until its time was over, or the lessee's certification was revoked for a part of the time in which
 * the lessor had to answer, or nobody could confirm because the lessee's unit had barred the lessor or a machine.
 */
export const lapseBlames = ['lessee', 'lessor', 'none'] as const
export type LapseBlame = (typeof lapseBlames)[number]

/** After the other side's answer, or after taking the contract back, a side has so many hours at least, however little of its time is left. */
export const answerHours = 24

/** When the contracts of an award are due. Moments as the wire writes them. */
type DueFacts = {
  /** Null for an award from before there were contracts; it never lapses. */
  contractDue: string | null
  awardedAt: string
}
/** An award and what has become of its contract with one lessor. */
export type LapseFacts = DueFacts & {
  status: ContractStatus | null
  sentAt: string | null
  returnedAt: string | null
  recalledAt: string | null
}

/**
 * When the time of the lessor's part of an award is over, and who is to blame then; null where it never lapses. The server filters by the same
 * moment in SQL (`lapsesAt`).
 */
export function lapseOf(facts: LapseFacts): { at: Date; blame: LapseBlame } | null {
  const { contractDue, status, sentAt, returnedAt, recalledAt } = facts
  if (contractDue === null || (status !== null && status !== draft && status !== sent)) return null
  // Sent, or returned with comments: the other side has its time anew. Once comments went to and fro, the award is not held for ever.
  const answerBy = (since: string) => {
    const whole = later(fromMoment(since), lapseDays.unanswered * dayMs)
    return returnedAt === null ? whole : latest(earliest(whole, lastOf(contractDue, facts)), later(fromMoment(since), answerHours * hourMs))
  }
  const isCapped = (since: string) =>
    returnedAt !== null && later(fromMoment(since), lapseDays.unanswered * dayMs) > lastOf(contractDue, facts)
  if (status === sent && sentAt !== null) return { at: answerBy(sentAt), blame: isCapped(sentAt) ? 'none' : 'lessor' }
  const at = latest(
    fromMoment(contractDue),
    ...(returnedAt === null ? [] : [answerBy(returnedAt)]),
    ...(recalledAt === null ? [] : [later(fromMoment(recalledAt), answerHours * hourMs)]),
  )
  return { at, blame: returnedAt !== null && isCapped(returnedAt) ? 'none' : 'lessee' }
}

/** Whether the lessee may still take a sent contract back: not so late that the award would be held beyond its last moment. */
export const canRecall = ({ contractDue, awardedAt }: DueFacts, now: Date): boolean =>
  contractDue === null || later(now, answerHours * hourMs) <= lastOf(contractDue, { awardedAt })

type Leaving = {
  /** Null where the quote is not won. */
  giveUpUntil: string | null
  acceptedAt: string | null
  /** Whether the lessee put the contract off: it was not sent when they gave more time, or they took it back afterwards. */
  isDueMoved: boolean
  /** Of the contract as the lessor sees it. */
  status: ContractStatus | null
}

/**
 * How a winner may step back now: within the first hours, which is recorded, or without blame once the contract is to come later than was
 * promised. Null where it may not. Moments as the wire writes them.
 */
export function wayOut({ giveUpUntil, acceptedAt, isDueMoved, status }: Leaving, now: string): 'recorded' | 'blameless' | null {
  if (giveUpUntil === null || (status !== null && !isAmong(status, unconfirmedContracts))) return null
  if (isDueMoved) return 'blameless'
  return acceptedAt === null && giveUpUntil > now ? 'recorded' : null
}

/** The last moment of an award whose contract goes to and fro. */
const lastOf = (contractDue: string, { awardedAt }: { awardedAt: string }): Date =>
  latest(later(fromMoment(awardedAt), lapseDays.atMost * dayMs), fromMoment(contractDue))

const later = (from: Date, ms: number) => new Date(from.getTime() + ms)
const latest = (...moments: Date[]) => new Date(Math.max(...moments.map((moment) => moment.getTime())))
const earliest = (...moments: Date[]) => new Date(Math.min(...moments.map((moment) => moment.getTime())))

/** The clock makes the draft once the lessor has accepted, or may no longer step back. */
export const draftDue = ({ awardedAt, acceptedAt }: { awardedAt: string; acceptedAt: string | null }, now: Date): boolean =>
  acceptedAt !== null || now.getTime() >= fromMoment(awardedAt).getTime() + giveUpHours * hourMs

/** How long an operator reads a contract after stating why. */
export const lookMinutes = 60
/** Positions of one contract. */
export const maxPositions = 200

/**
 * What the people of one side add to the record of a contract at most, in a day and in all, so that it can always be read and checked whole. Neither side
 * can use up what the other has; the clock is not counted. `looksADay`: of each operator.
 */
export const recordLimits = { stepsADay: 100, steps: 2000, changesADay: 10, changes: 200, looksADay: 24 } as const
/**
 * Steps that are neither counted nor refused. Each ends an amendment, whose number is bounded, and nobody who fills the record keeps a side from
 * stopping another bank account.
 */
export const uncountedSteps: readonly ContractStep[] = ['changeStop', 'changeRecall', 'changeRefuse']
/** Steps of a chain in one answer. */
export const linksAPage = 500
/** Steps of the history that the page of a contract shows. */
export const shownSteps = 300
/** Hours until another bank account of the lessor holds: the lessee is told at once and again then. */
export const accountWaitHours = 24
/** From this length on a hire needs the written form (民法典 第七百零七条), so the scan cannot be done without. */
export const writtenFormMonths = 6

/** Whether the paper that both sealed must be handed in: where no unit of the lessee does without it, and always for a hire of six months or more. */
export const needsScan = ({ planStart, planEnd }: { planStart: string; planEnd: string }, unitNeedsScan: boolean): boolean =>
  unitNeedsScan || planEnd >= addMonths(planStart, writtenFormMonths)

/** What is said of the scan: a contract that needs none is not told that it lacks one. */
export const scanSaid = (contract: { needsScan: boolean; scanState: ScanState }): ScanState | 'notNeeded' =>
  contract.needsScan || contract.scanState !== scanState.none ? contract.scanState : 'notNeeded'
