import { addDays } from '../calendar.ts'
import { demandStatus, type DemandStatus } from '../demand/rules.ts'
import type { Moves } from '../lifecycle.ts'

/** 已报价, 已撤回, 待确认, 评审中, 已中选, 放弃, 未中选, 已失效, 资格不符. */
export const quoteStatus = {
  quoted: '1',
  withdrawn: '2',
  toConfirm: '3',
  reviewing: '4',
  won: '6',
  givenUp: '7',
  lost: '8',
  lapsed: '9',
  disqualified: '10',
} as const
export const quoteStatuses = Object.values(quoteStatus)
export type QuoteStatus = (typeof quoteStatus)[keyof typeof quoteStatus]

const { quoted, withdrawn, toConfirm, reviewing, won, givenUp, lost, lapsed, disqualified } = quoteStatus
/** Still in the running. */
export const liveQuotes = [quoted, toConfirm, reviewing] as const
/** The lessor may change or withdraw them: the demand is not opened yet. */
export const changeableQuotes = [quoted, toConfirm] as const
/** The lessor may quote the same demand anew after one of these. */
export const replaceableQuotes = [withdrawn, lapsed] as const
/** What the owner compares once the demand is opened: all that was opened with it, also what has ended since. */
export const comparedQuotes = [reviewing, won, givenUp, lost, lapsed, disqualified] as const
/** Ended without a hire, by whomever; withdrawn ones are not counted. */
export const lostQuotes = [lost, lapsed, disqualified, givenUp] as const

export const quoteMoves = {
  withdraw: { from: changeableQuotes, to: withdrawn, by: ['lessor'] },
  change: { from: changeableQuotes, to: quoted, by: ['lessor'] },
  // What waits already waits anew: its lessor has read an earlier amendment only.
  amended: { from: changeableQuotes, to: toConfirm, by: ['owner'] },
  confirm: { from: [toConfirm], to: quoted, by: ['lessor'] },
  open: { from: [quoted], to: reviewing, by: ['clock', 'owner'] },
  disqualify: { from: liveQuotes, to: disqualified, by: ['owner', 'clock'] },
  win: { from: [reviewing], to: won, by: ['owner'] },
  lose: { from: [reviewing], to: lost, by: ['owner'] },
  accept: { from: [won], to: won, by: ['lessor'] },
  giveUp: { from: [won], to: givenUp, by: ['lessor'] },
  lapseAward: { from: [won], to: lapsed, by: ['owner', 'clock'] },
  lapse: { from: liveQuotes, to: lapsed, by: ['owner', 'clock'] },
} as const satisfies Moves<QuoteStatus, 'lessor' | 'owner' | 'clock'>

/** How many open demands are compared with a fleet to recommend some: of its categories, those that close first. */
export const mostCompared = 200

/** Hours after the award in which a lessor may give it up; doing so counts in their record (domain 1.8). */
export const giveUpHours = 48

/** Offers that one lessor may submit for one demand, new ones after a withdrawal and changed ones alike. */
export const maxOffers = 20

/** Days past the deadline for which a quote must bind. */
const validDays = 15

/** The day until which a quote must bind that is opened at this deadline. */
export const bindsUntil = (quoteDeadline: string): string => addDays(quoteDeadline.slice(0, 10), validDays)

/** Whether a quote ends before that day, so that it can neither be submitted nor confirmed as it is. */
export const bindsTooShort = ({ validUntil }: { validUntil: string }, bindingDay: string): boolean => validUntil < bindingDay

/** The largest sum of an offer in fen, 100 billion yuan: as many offers as an award has lines still add up to the fen. */
export const maxOfferFen = 10_000_000_000_000

/** Fees of a line, each for one machine and charged once. */
export const feeParts = ['entry', 'exit', 'erection', 'inspection', 'other'] as const
export const feeNames = feeParts.map((part) => `${part}Fee` as const)

/** A hire with a driver is a building service (9 % or 3 %), a bare hire is 13 % (财税〔2016〕140号 第十六条): a mark, not a refusal. */
export function oddTaxRate(includesOperator: boolean, taxRate: number): boolean {
  return includesOperator ? taxRate === 13 : taxRate === 9
}

type Duties = { operatorBy: 'lessor' | 'lessee'; fuelBy: 'lessor' | 'lessee' }

/** The duties that an offer leaves to another side than its demand does. What nobody drives or burns no fuel has none. */
export function otherDuties(
  offer: { includesOperator: boolean; includesFuel: boolean; fuelledQty: number },
  line: { operatorWanted: boolean; litresPerShift: number },
  demand: Duties,
): (keyof Duties)[] {
  const others: (keyof Duties)[] = []
  if (line.operatorWanted && offer.includesOperator !== (demand.operatorBy === 'lessor')) others.push('operatorBy')
  if (line.litresPerShift > 0 && offer.fuelledQty > 0 && offer.includesFuel !== (demand.fuelBy === 'lessor')) others.push('fuelBy')
  return others
}

/** How a lessor stands: certified, on the restriction list at a level that counts here, the owner's own company. */
export type LessorFacts = { certified: boolean; blacklisted: boolean; ownCompany: boolean }

/** Why a lessor may let nothing to the owner of a demand; asked for the quote and again for the award. */
export function lessorBars({ certified, blacklisted, ownCompany }: LessorFacts): LessorBar[] {
  const bars: LessorBar[] = []
  if (!certified) bars.push('not_certified')
  if (blacklisted) bars.push('blacklisted')
  if (ownCompany) bars.push('own_company')
  return bars
}

const lessorBarNames = ['not_certified', 'blacklisted', 'own_company'] as const
type LessorBar = (typeof lessorBarNames)[number]

/** Why an opened offer may not be awarded any more. */
export const offerBarNames = [...lessorBarNames, 'offer_expired'] as const
export type OfferBar = (typeof offerBarNames)[number]

/** Why a lessor may not quote a demand. */
export const quoteBarNames = [...lessorBarNames, 'not_invited', 'demand_not_open', 'deadline_passed', 'no_machine'] as const
export type QuoteBar = (typeof quoteBarNames)[number]

/** Why a lessor may not quote a demand, or null. The first reason is the one to resolve first. */
export function quoteBar(
  facts: LessorFacts & {
    invitedOnly: boolean
    invited: boolean
    status: DemandStatus
    deadlinePassed: boolean
    machines: number
  },
): QuoteBar | null {
  const [bar] = lessorBars(facts)
  if (bar) return bar
  if (facts.invitedOnly && !facts.invited) return 'not_invited'
  if (facts.status !== demandStatus.quoting) return 'demand_not_open'
  if (facts.deadlinePassed) return 'deadline_passed'
  if (facts.machines === 0) return 'no_machine'
  return null
}

/** What may keep a machine from fitting a line of a demand. */
export const missKinds = ['spec', 'age', 'emission', 'shelf', 'taken', 'papers', 'blocked', 'gone'] as const
export type MissKind = (typeof missKinds)[number]

/** Misses with which a machine cannot be quoted at all; the others are deviations that the quote must name. */
const hardMisses: readonly MissKind[] = ['gone', 'blocked', 'shelf', 'taken', 'papers']

/** Whether a machine with these misses may be quoted. */
export const canBeQuoted = (misses: readonly { kind: MissKind }[]): boolean => !misses.some(({ kind }) => hardMisses.includes(kind))

/** Whether a machine may be quoted although it does not meet the line, so that the quote must name the deviation. */
export const deviates = ({ misses }: { misses: readonly { kind: MissKind }[] }): boolean => misses.length > 0 && canBeQuoted(misses)
