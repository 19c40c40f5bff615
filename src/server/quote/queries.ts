import { sql } from 'kysely'
import type { z } from 'zod'
import { demandStatus, demandType, isOpened } from '#shared/demand/rules.ts'
import type { Received } from '#shared/endpoint.ts'
import type * as contract from '#shared/quote/contract.ts'
import type { OwnQuote } from '#shared/quote/contract.ts'
import { bindsUntil, giveUpHours, quoteStatus, replaceableQuotes } from '#shared/quote/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { companyOf, inScope } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { paged } from '../db/paging.ts'
import type { Context } from '../deed.ts'
import { findContractOfWon } from '../demand/award-contracts.ts'
import { getPublicDemand } from '../demand/queries.ts'
import { Refusal } from '../http/refusal.ts'
import { contactOf } from '../seal/contacts.ts'
import { unseal } from '../seal/offer.ts'
import { findCandidateCards, machinesOf } from './candidates.ts'
import { barFor, getDemandHead } from './market.ts'
import { findWon } from './won.ts'

type Reading = Pick<Context, 'db' | 'secret' | 'actor' | 'now'>

/** A demand as a lessor quotes it. */
export async function getDemandForLessor({ db, secret, actor, now }: Reading, id: number) {
  const companyId = companyOf(actor)
  const head = await getDemandHead(db, { id, companyId, now })
  const demand = await getPublicDemand(db, id, actor)
  const quote = await findOwnQuote({ db, secret }, { companyId, demandId: id })
  const named = quote ? machinesOf(quote) : []
  const candidates = await findCandidateCards(db, { companyId, deptId: head.deptId, items: demand.items, demands: [head], named, now })
  const machines = Object.values(candidates).reduce((sum, fitting) => sum + fitting.length, 0)
  return {
    demand,
    bar: barFor(head, { companyId, machines, now }),
    isUninvited: head.demandType === demandType.invited && !head.isListed,
    quote,
    candidates,
    ceilings: await findCeilings(db, id, true),
    minValidUntil: bindsUntil(head.quoteDeadline ?? ''),
    revision: head.revision,
    changes: await findChanges(db, id),
  }
}

/** The changes since the demand was published, each with its owner's reason. An index of the database has these moves, so no event of a quote is read. */
function findChanges(db: Read, demandId: number) {
  return db
    .selectFrom('demandEvent')
    .where('demandId', '=', demandId)
    .where('move', 'in', [sql.lit('amend'), sql.lit('extend')])
    .orderBy('id')
    .select(['at', 'note'])
    .execute()
}

/** The lessors who quoted an own demand; before the opening only their number. */
export async function listReceived(db: Read, actor: Actor, filter: Received<typeof contract.listReceived>['query']) {
  const demand = await getOwnDemandStatus(db, actor, filter.demandId)
  const received = db
    .selectFrom('quote')
    .innerJoin('company', 'company.id', 'quote.companyId')
    .where('demandId', '=', filter.demandId)
    .where('quote.status', '<>', quoteStatus.withdrawn)
  return paged(received, filter, (query) =>
    query
      .$if(!isOpened(demand), (sealed) => sealed.where((eb) => eb.lit(false)))
      .orderBy('quote.id')
      .select(['quote.id', 'quoteCode', 'company.enterpriseName as companyName', 'quote.status', 'submitTime']),
  )
}

/** An own demand that is opened; refuses `quotes_sealed` until then, whoever calls, the operator included. */
export async function getOpenedDemand(db: Read, actor: Actor, demandId: number): Promise<{ showCeiling: boolean }> {
  const demand = await getOwnDemandStatus(db, actor, demandId)
  if (!isOpened(demand)) throw new Refusal('quotes_sealed')
  return demand
}

async function getOwnDemandStatus(db: Read, actor: Actor, id: number) {
  const demand = await db
    .selectFrom('demand')
    .where('id', '=', id)
    .where('status', '<>', demandStatus.draft)
    .where(inScope('demand.dept_id', actor))
    .select(['status', 'openTime', 'showCeiling'])
    .executeTakeFirst()
  if (!demand) throw new Refusal('not_found')
  return demand
}

/** Ceilings in fen by the id of their line. `isShown`: only where the demand shows its ceilings to lessors. */
export async function findCeilings(db: Read, demandId: number, isShown = false): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('demandItem')
    .where('demandId', '=', demandId)
    .where('priceCeilingFen', 'is not', null)
    .innerJoin('demand', 'demand.id', 'demandItem.demandId')
    .$if(isShown, (query) => query.where('demand.showCeiling', '=', true))
    .select(['demandItem.id', 'priceCeilingFen'])
    .execute()
  return Object.fromEntries(rows.map(({ id, priceCeilingFen }) => [String(id), Number(priceCeilingFen)]))
}

/** The own quote with its prices, sealed or not: the live one, else the latest. */
async function findOwnQuote(
  { db, secret }: { db: Read; secret: string },
  { companyId, demandId }: { companyId: number; demandId: number },
): Promise<z.input<typeof OwnQuote> | null> {
  const row = await db
    .selectFrom('quote')
    .where('demandId', '=', demandId)
    .where('companyId', '=', companyId)
    .orderBy(sql`status in (${literals(replaceableQuotes)})`)
    .orderBy('id', 'desc')
    .select([
      'id',
      'quoteCode',
      'demandId',
      'demandRevision',
      sql<
        string | null
      >`case when quote.status = ${sql.lit(quoteStatus.won)} then (select to_char((w.at + make_interval(hours => ${giveUpHours})) at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS')
        from award w where w.demand_id = quote.demand_id) end`.as('giveUpUntil'),
      'status',
      'loseReason',
      'submitTime',
      'version',
      'sealHash',
      'contactName',
      'contactPhone',
      'validUntil',
      'sealedOffer',
      'sealedContact',
    ])
    .executeTakeFirst()
  if (!row) return null
  const { sealedOffer, sealedContact, ...quote } = row
  const { note, lines } = unseal(secret, demandId, sealedOffer)
  const won = quote.status === quoteStatus.won ? await findAwardOf(db, { companyId, demandId }) : null
  return { ...quote, ...contactOf(secret, { ...quote, sealedContact }), note, lines, won }
}

/** What the company has won, with the contact of the project: a winner calls it without a counted look. */
async function findAwardOf(db: Read, { companyId, demandId }: { companyId: number; demandId: number }) {
  const won = (await findWon(db, { companyId, demandIds: [demandId] })).get(demandId)
  if (!won) return null
  const contact = await db.selectFrom('demand').where('id', '=', demandId).select(['contactName', 'contactPhone']).executeTakeFirstOrThrow()
  return { ...won, ...contact, ...(await findContractOfWon(db, { companyId, demandId })) }
}
