import type { QuoteInput } from '#shared/quote/contract.ts'
import { offerProblems } from '#shared/quote/offer.ts'
import { companyOf } from '../actor/scope.ts'
import type { Deed } from '../deed.ts'
import { FieldRefusal } from '../http/refusal.ts'
import { findMachines, machinesOf, namedMachines, type OfferItem } from './candidates.ts'

type Offered = Pick<QuoteInput, 'validUntil' | 'lines'>
type Head = { deptId: number; quoteDeadline: string | null; items: readonly OfferItem[] }

/** Refuses, beside its field, each part of an offer that the demand or the lessor's machines do not allow. */
export async function checkOffer({ db, actor, now }: Deed, head: Head, offer: Offered): Promise<void> {
  const { deptId, items } = head
  const categories = new Map(items.map(({ categoryId, params, flags }) => [categoryId, { params, flags }]))
  const which = namedMachines(machinesOf(offer))
  const machines = await findMachines(db, { companyId: companyOf(actor), deptId, items, categories, which, now })
  const problems = offerProblems(offer, { ...head, machines })
  if (problems.length > 0) throw new FieldRefusal(problems)
}
