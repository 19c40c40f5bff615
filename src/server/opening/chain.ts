import { sql } from 'kysely'
import type { ChainLink, ChainReceipt } from '#shared/opening/chain.ts'
import { demandStatus, isOpened } from '#shared/demand/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { inScope } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import type { Context } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { clearOffer } from '../seal/offer.ts'

/**
 * The links as they are stored, with the details of quotes only where `quotes`, and any details only where `details`. `sealed`: only the links
 * before the first quote, because each later one would show when somebody quoted, changed or withdrew.
 */
export async function findLinks(
  db: Read,
  demandId: number,
  { details, quotes, sealed }: { details: boolean; quotes: boolean; sealed: boolean },
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
  const firstQuote = rows.findIndex(({ quoteId }) => quoteId !== null)
  const shown = sealed && firstQuote !== -1 ? rows.slice(0, firstQuote) : rows
  return shown.map(({ quoteId, detail, ...link }) => ({ ...link, detail: details && (quotes || quoteId === null) ? detail : null }))
}

/**
 * The receipts of a demand's quotes with the offers they stand for, as far as these may be read: all opened ones once the demand is `opened`.
 * With a `companyId` only the receipts of that lessor, who may always read their own offers.
 */
export async function findReceipts(
  { db, secret }: { db: Read; secret: string },
  demandId: number,
  { opened, companyId }: { opened: boolean; companyId: number | null },
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

/**
 * The chain for everybody who sees the demand, at any time, and for the lessors who quoted it from its opening or end on. While the demand
 * takes quotes it ends before the first of them.
 */
export async function getChain({ db, secret, actor }: Pick<Context, 'db' | 'secret' | 'actor'>, id: number) {
  const demand = await db
    .selectFrom('demand')
    .where('id', '=', id)
    .where('status', '<>', demandStatus.draft)
    .where('delFlag', '=', delFlag.present)
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
    .select(['status', 'openTime', sql<boolean>`${inScope('demand.dept_id', actor)}`.as('own')])
    .executeTakeFirst()
  if (!demand) throw new Refusal('not_found')
  const opened = isOpened(demand)
  const sealed = demand.status === demandStatus.quoting
  const own = actor.role !== 'leaser' && demand.own
  if (!own && sealed) throw new Refusal('chain_sealed')
  return {
    links: await findLinks(db, id, { details: own, quotes: opened, sealed }),
    receipts: sealed ? [] : await findReceipts({ db, secret }, id, { opened, companyId: own ? null : actor.companyId }),
  }
}
