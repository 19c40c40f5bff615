import { pricedLine } from '#shared/quote/prices.ts'
import { quoteMoves } from '#shared/quote/rules.ts'
import type { Work } from '../deed.ts'
import { recordSamePhones } from '../quote/related.ts'
import { contactOf } from '../seal/contacts.ts'
import { unseal } from '../seal/offer.ts'

/** Turns the sealed offers of a demand into lines; called once, by the move that opens it. Returns the lessors. */
export async function openQuotes({ db, secret, now }: Work, demandId: number): Promise<number[]> {
  const quotes = await db
    .updateTable('quote')
    .set({ status: quoteMoves.open.to, openTime: now, updateTime: now })
    .where('demandId', '=', demandId)
    .where('status', 'in', quoteMoves.open.from)
    .returning(['id', 'demandId', 'companyId', 'sealedOffer', 'sealedContact', 'contactName', 'contactPhone', 'validUntil'])
    .execute()
  for (const quote of quotes) {
    const offer = unseal(secret, demandId, quote.sealedOffer)
    await db
      .updateTable('quote')
      .set({ note: offer.note, ...contactOf(secret, quote), sealedContact: null })
      .where('id', '=', quote.id)
      .execute()
    const lines = await db
      .insertInto('quoteLine')
      .values(
        offer.lines.map(({ machines, ...line }) => ({
          ...pricedLine(line),
          quoteId: quote.id,
          qty: machines.reduce((sum, { qty }) => sum + qty, 0),
        })),
      )
      .returning(['id', 'demandItemId'])
      .execute()
    const lineOf = new Map(lines.map(({ id, demandItemId }) => [demandItemId, id]))
    await db
      .insertInto('quoteLineEquipment')
      .values(
        offer.lines.flatMap(({ demandItemId, machines }) =>
          machines.map(({ equipmentId, qty }) => ({ quoteLineId: lineOf.get(demandItemId) ?? 0, equipmentId, qty })),
        ),
      )
      .execute()
  }
  await recordSamePhones(db, demandId)
  return quotes.map(({ companyId }) => companyId)
}
