import { addDays } from '#shared/calendar.ts'
import { isOpened } from '#shared/demand/rules.ts'
import * as contract from '#shared/quote/contract.ts'
import { companyOf, inScope } from '../actor/scope.ts'
import type { Actor } from '../actor/actor.ts'
import type { Read } from '../db/connect.ts'
import { findPublicDemand } from '../demand/queries.ts'
import type { Api } from '../api.ts'
import { Refusal } from '../http/refusal.ts'
import { compareQuotes } from './compare.ts'
import { findCandidates } from './candidates.ts'
import { barFor, findDemandHead, findDemandsForLessor } from './market.ts'
import * as quotes from './queries.ts'

export function quoteRoutes(api: Api): void {
  api.handle(contract.listDemandsForLessor, ({ db, actor, now }, { query }) => findDemandsForLessor(db, companyOf(actor), query, now))

  api.handle(contract.getDemandForLessor, async ({ db, secret, actor, now }, { params }) => {
    const companyId = companyOf(actor)
    const head = await findDemandHead(db, params.id, companyId, now)
    const demand = head && ((await findPublicDemand(db, params.id, actor)) ?? (await findQuotedDemand(db, params.id, actor)))
    if (!demand) throw new Refusal('not_found')
    const candidates = await findCandidates(db, companyId, head.deptId, demand.items, now, [head])
    const machines = Object.values(candidates).reduce((sum, machine) => sum + machine.length, 0)
    return {
      demand,
      bar: barFor(head, companyId, machines, now),
      quote: await quotes.findOwnQuote(db, secret, companyId, params.id),
      candidates,
      ceilings: await quotes.findCeilings(db, params.id, true),
      contact: { contactName: head.contactName, contactPhone: head.contactPhone },
      minValidUntil: addDays((head.quoteDeadline ?? '').slice(0, 10), quotes.validDays),
      revision: head.revision,
      changes: await findChanges(db, params.id),
    }
  })

  api.handle(contract.submitQuote, ({ db, hub, secret, actor, now }, { body }) => quotes.submitQuote(db, { hub, secret }, actor, body, now))

  api.handle(contract.changeQuote, ({ db, hub, secret, actor, now }, { body }) => quotes.changeQuote(db, { hub, secret }, actor, body, now))

  api.handle(contract.withdrawQuote, async ({ db, hub, secret, actor, now }, { params }) => {
    await quotes.withdrawQuote(db, { hub, secret }, actor, params.id, now)
    return null
  })

  api.handle(contract.confirmQuote, async ({ db, secret, actor, now }, { params, body }) => {
    await quotes.confirmQuote(db, secret, actor, params.id, body.version, now)
    return null
  })

  api.handle(contract.compareQuotes, async ({ db, actor, now }, { params }) => {
    await openedDemand(db, params.demandId, actor)
    return compareQuotes(db, params.demandId, now)
  })

  api.handle(contract.listReceived, async ({ db, actor }, { query }) => {
    const demand = await ownDemand(db, query.demandId, actor)
    const list = db
      .selectFrom('quote')
      .innerJoin('company', 'company.id', 'quote.companyId')
      .where('demandId', '=', query.demandId)
      .where('quote.status', '<>', '2')
    const { total } = await list.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    if (!isOpened(demand.status)) return { total, rows: [] }
    const rows = await list
      .orderBy('quote.id')
      .limit(query.pageSize)
      .offset((query.pageNum - 1) * query.pageSize)
      .select(['quote.id', 'quoteCode', 'company.enterpriseName as companyName', 'quote.status', 'submitTime'])
      .execute()
    return { total, rows }
  })
}

/** What was changed since it was published, as the owner said it. */
function findChanges(db: Read, demandId: number) {
  return db
    .selectFrom('demandEvent')
    .where('demandId', '=', demandId)
    .where('move', 'in', ['amend', 'extend'])
    .orderBy('id')
    .select(['at', 'note'])
    .execute()
}

async function ownDemand(db: Read, id: number, actor: Actor) {
  const demand = await db
    .selectFrom('demand')
    .where('id', '=', id)
    .where('status', '<>', '0')
    .where(inScope('demand.dept_id', actor))
    .select('status')
    .executeTakeFirst()
  if (!demand) throw new Refusal('not_found')
  return demand
}

/** Sealed means sealed: whoever asks, the operator included. */
async function openedDemand(db: Read, id: number, actor: Actor): Promise<void> {
  const demand = await ownDemand(db, id, actor)
  if (!isOpened(demand.status)) throw new Refusal('quotes_sealed')
}

/** A demand that was cancelled stays readable for those who quoted it. */
async function findQuotedDemand(db: Read, id: number, actor: Actor) {
  return findPublicDemand(db, id, actor, { quotedBy: companyOf(actor) })
}
