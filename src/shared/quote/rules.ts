import type { Moves } from '../lifecycle.ts'

/** 已报价, 已撤回, 待确认, 评审中, 已中选, 放弃, 未中选, 已失效, 资格不符. */
export const quoteStatuses = ['1', '2', '3', '4', '6', '7', '8', '9', '10'] as const
export type QuoteStatus = (typeof quoteStatuses)[number]

export const quoteMoves = {
  withdraw: { from: ['1', '3'], to: '2', by: ['lessor'] },
  change: { from: ['1', '3'], to: '1', by: ['lessor'] },
  amended: { from: ['1'], to: '3', by: ['owner'] },
  confirm: { from: ['3'], to: '1', by: ['lessor'] },
  open: { from: ['1'], to: '4', by: ['clock', 'owner'] },
  disqualify: { from: ['1', '3', '4'], to: '10', by: ['owner', 'clock'] },
  win: { from: ['4'], to: '6', by: ['owner'] },
  lose: { from: ['4'], to: '8', by: ['owner'] },
  giveUp: { from: ['6'], to: '7', by: ['lessor'] },
  lapse: { from: ['1', '3', '4'], to: '9', by: ['owner', 'clock'] },
} as const satisfies Moves<QuoteStatus, 'lessor' | 'owner' | 'clock'>

/** Hours after the award in which a lessor may still give it up; it counts in his record (domain 1.8). */
export const giveUpHours = 48

export const taxRates = [13, 9, 6, 3, 1, 0] as const
export const loseReasons = ['price', 'spec', 'time', 'papers', 'rating', 'other'] as const

/** A hire with operator is a building service (9 % or 3 %), a bare hire is 13 % (财税〔2016〕140号 第十六条): a mark, not a refusal. */
export function oddTaxRate(includesOperator: boolean, taxRate: number): boolean {
  return includesOperator ? taxRate === 13 : taxRate === 9
}

/** Why a lessor may not quote a demand; null when he may. The order is the order in which he should mend things. */
export type QuoteBar =
  | 'not_certified'
  | 'blacklisted'
  | 'own_company'
  | 'not_invited'
  | 'demand_not_open'
  | 'deadline_passed'
  | 'no_machine'

export function quoteBar(facts: {
  certified: boolean
  blacklisted: boolean
  ownCompany: boolean
  invitedOnly: boolean
  invited: boolean
  status: string
  deadlinePassed: boolean
  machines: number
}): QuoteBar | null {
  if (!facts.certified) return 'not_certified'
  if (facts.blacklisted) return 'blacklisted'
  if (facts.ownCompany) return 'own_company'
  if (facts.invitedOnly && !facts.invited) return 'not_invited'
  if (facts.status !== '3') return 'demand_not_open'
  if (facts.deadlinePassed) return 'deadline_passed'
  if (facts.machines === 0) return 'no_machine'
  return null
}
