import { sql } from 'kysely'
import type { ChainLink, ChainReceipt } from '#shared/opening/chain.ts'
import { isOpened } from '#shared/demand/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { Refusal } from '../http/refusal.ts'
import { clearOffer } from '../quote/seal.ts'

/** The links as they are stored. Details of quotes only where `quotes`; of everything else where `details`. */
export async function findLinks(
  db: Read,
  demandId: number,
  { details, quotes }: { details: boolean; quotes: boolean },
): Promise<ChainLink[]> {
  const rows = await db
    .selectFrom('demandEvent as e')
    .where('demandId', '=', demandId)
    .orderBy('seq')
    .select([
      'seq',
      'at',
      'move',
      'quoteId',
      'hash',
      sql<string>`demand_event_text(e)`.as('text'),
      sql<string>`demand_event_detail(e)`.as('detail'),
    ])
    .execute()
  return rows.map(({ quoteId, detail, ...link }) => ({ ...link, detail: details && (quotes || quoteId === null) ? detail : null }))
}

/** Receipts with what they stand for: after the opening of everybody, and the own one of `companyId` always. */
export async function findReceipts(
  db: Read,
  secret: string,
  demandId: number,
  opened: boolean,
  companyId: number | null,
): Promise<ChainReceipt[]> {
  const quotes = await db
    .selectFrom('quote')
    .where('demandId', '=', demandId)
    .$if(companyId !== null, (query) => query.where('companyId', '=', companyId ?? 0))
    .orderBy('id')
    .select(['quoteCode', 'sealHash', 'sealedOffer', 'openTime'])
    .execute()
  return quotes.map(({ quoteCode, sealHash, sealedOffer, openTime }) => ({
    quoteCode,
    sealHash,
    // A quote that was never opened stays closed to others, whatever became of the demand.
    offer: companyId !== null || (opened && openTime !== null) ? clearOffer(secret, demandId, sealedOffer) : null,
  }))
}

/** The chain for somebody concerned: who sees the demand, at any time; a lessor who quoted, from the opening or the end on. */
export async function findChain(db: Read, secret: string, actor: Actor, id: number) {
  const demand = await db
    .selectFrom('demand')
    .where('id', '=', id)
    .where('status', '<>', '0')
    .where('delFlag', '=', '0')
    .where((eb) =>
      eb.or([
        ...(actor.permissions.includes('demand:view') ? [inScope('demand.dept_id', actor)] : []),
        ...(actor.role === 'leaser'
          ? [
              eb.exists(
                eb
                  .selectFrom('quote')
                  .whereRef('quote.demandId', '=', 'demand.id')
                  .where('quote.companyId', '=', actor.companyId ?? 0)
                  .select('quote.id'),
              ),
            ]
          : []),
        eb.lit(false),
      ]),
    )
    .select(['status', sql<boolean>`${inScope('demand.dept_id', actor)}`.as('own')])
    .executeTakeFirst()
  if (!demand) throw new Refusal('not_found')
  const opened = isOpened(demand.status)
  const own = actor.role !== 'leaser' && demand.own
  if (!own && !opened && demand.status !== '8') throw new Refusal('chain_sealed')
  return {
    links: await findLinks(db, id, { details: own, quotes: opened }),
    receipts: await findReceipts(db, secret, id, opened, own ? null : actor.companyId),
  }
}
