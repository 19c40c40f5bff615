import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Read, Tx } from '../db/connect.ts'
import type { Hub } from '../message/hub.ts'
import { sendMessages } from '../message/queries.ts'
import { findMatchingCompanies } from './market.ts'
import { regionNameOf } from '../region/queries.ts'
import type { Services } from '../services.ts'
import { findItems } from '../demand/queries.ts'

const retrySeconds = 60
/** Any constant, the same in every instance: one of them tells at a time. */
const lockKey = 7_263_544
/** Those who wait for an answer come first: telling takes a ninth of the time, however slow the database is just now. */
const pauseShare = 8
/** After it what still waits waits for the next round, so that a process that ends need not tell of all; no pause is longer either. */
const roundMs = 2000

/**
 * Tells the lessors of the demands that wait, the oldest first. Several instances may do this: each demand is taken by one, and its
 * messages are stored with its leaving the queue. One that fails comes again later and keeps no other back.
 */
export async function tellWaiting({ db, hub, clock }: Pick<Services, 'db' | 'hub' | 'clock'>): Promise<number> {
  let told = 0
  let failure: unknown
  const end = performance.now() + roundMs
  while (performance.now() < end) {
    const now = clock.now()
    const began = performance.now()
    let demandId: number | undefined
    try {
      await db.transaction().execute(async (tx) => {
        demandId = await takeNext(tx, now)
        if (demandId !== undefined) await tellLessors(tx, hub, demandId, now)
      })
      if (demandId === undefined) break
      told++
    } catch (error) {
      if (demandId === undefined) throw error
      failure = error
      await db
        .updateTable('demandNotice')
        .set({ due: new Date(now.getTime() + retrySeconds * 1000) })
        .where('demandId', '=', demandId)
        .execute()
    }
    await pause(Math.min((performance.now() - began) * pauseShare, roundMs))
  }
  if (failure) throw failure
  return told
}

/** Nothing when none waits, or when another instance is telling. */
async function takeNext(tx: Read, now: Date): Promise<number | undefined> {
  const taken = await tx
    .deleteFrom('demandNotice')
    .where(sql<boolean>`(select pg_try_advisory_xact_lock(${lockKey}))`)
    .where('demandId', '=', (eb) =>
      eb
        .selectFrom('demandNotice as waiting')
        .where('waiting.due', '<=', now.toISOString())
        .orderBy('waiting.due')
        .limit(1)
        .forUpdate()
        .skipLocked()
        .select('waiting.demandId'),
    )
    .returning('demandId')
    .executeTakeFirst()
  return taken?.demandId
}

/** Tells the invited, or the nearest lessors with fitting machines; nobody of a demand that takes no quotes any more. */
async function tellLessors(tx: Tx, hub: Hub, id: number, now: Date): Promise<void> {
  const link = `/workbench/crequirement/detail?id=${id}`
  const demand = await tx
    .selectFrom('demand')
    .innerJoin('company', 'company.id', 'demand.companyId')
    .where('demand.id', '=', id)
    .where('demand.status', '=', '3')
    .where('demand.delFlag', '=', '0')
    .select(['title', 'demandType', 'quoteDeadline', 'enterpriseName', regionNameOf('demand').as('place')])
    .executeTakeFirst()
  if (!demand) return
  const items = await findItems(tx, id)
  const about = {
    title: demand.title,
    lines: items.map((item) => `${item.categoryName} ×${item.qty}`).join('、'),
    deadline: (demand.quoteDeadline ?? '').slice(0, 16),
  }
  if (demand.demandType !== '1') {
    const invited = await tx.selectFrom('demandInvite').where('demandId', '=', id).select('companyId').execute()
    await sendMessages(
      { db: tx, hub, now },
      {
        to: { companies: invited.map(({ companyId }) => companyId) },
        kind: 'demandInvited',
        params: { ...about, company: demand.enterpriseName },
        bizType: 'demand',
        bizId: id,
        link,
      },
    )
    return
  }
  // One insert for each number of fitting machines, not for each lessor.
  const byCount = Map.groupBy(await findMatchingCompanies(tx, id, now), ({ machines }) => machines)
  for (const [machines, companies] of byCount)
    await sendMessages(
      { db: tx, hub, now },
      {
        to: { companies: companies.map(({ companyId }) => companyId) },
        kind: 'demandMatched',
        params: { ...about, place: demand.place, machines: String(machines) },
        bizType: 'demand',
        bizId: id,
        link,
      },
    )
}
