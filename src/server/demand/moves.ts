import { demandMoves } from '#shared/demand/rules.ts'
import type { Actor } from '../account/actor.ts'
import { inScope } from '../account/scope.ts'
import type { Db, Read, Tx } from '../db/connect.ts'
import { Refusal } from '../http/refusal.ts'
import type { Hub } from '../message/hub.ts'
import { accountsOfCompanies, accountsOfDept, sendMessages } from '../message/queries.ts'
import { openQuotes } from '../quote/opening.ts'

type Event = {
  demandId: number
  quoteId?: number
  accountId: number | null
  move: string
  fromStatus?: string
  toStatus?: string
  note?: string
}

export async function insertEvent(db: Read, event: Event, now: Date): Promise<void> {
  await db
    .insertInto('demandEvent')
    .values({ note: '', ...event, at: now })
    .execute()
}

/** Cancels or fails: the demand, its live quotes, the event and the notices in one transaction. */
export async function endDemand(
  db: Db,
  hub: Hub,
  actor: Actor,
  id: number,
  move: 'cancel' | 'fail',
  reason: string,
  now: Date,
): Promise<void> {
  const { from, to } = demandMoves[move]
  await db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('demand')
      .where('id', '=', id)
      .where('status', '<>', '0')
      .where('delFlag', '=', '0')
      .where(inScope('demand.dept_id', actor))
      .select(['status', 'title', 'demandCode'])
      .forUpdate()
      .executeTakeFirst()
    if (!before) throw new Refusal('not_found')
    const { numUpdatedRows } = await tx
      .updateTable('demand')
      .set((eb) => ({ status: to, statusReason: reason, updateTime: now, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .where('status', 'in', from)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new Refusal('demand_changed')
    const quotes = await tx
      .updateTable('quote')
      .set({ status: '9', updateTime: now })
      .where('demandId', '=', id)
      .where('status', 'in', ['1', '3', '4'])
      .returning('companyId')
      .execute()
    await insertEvent(tx, { demandId: id, accountId: actor.accountId, move, fromStatus: before.status, toStatus: to, note: reason }, now)
    await sendMessages(
      tx,
      hub,
      {
        accountIds: await accountsOfCompanies(
          tx,
          quotes.map(({ companyId }) => companyId),
        ),
        kind: move === 'cancel' ? 'demandCancelled' : 'demandFailed',
        params: { title: before.title, code: before.demandCode ?? '', reason },
        bizType: 'demand',
        bizId: id,
        link: `/workbench/crequirement/detail?id=${id}`,
      },
      now,
    )
  })
}

/**
 * Opens the quotes: by the clock once the deadline has passed, or by the owner where they are not sealed. One
 * conditional update decides, so that two instances, or the clock and a click, cannot both do it.
 */
export async function openDemand(
  db: Db,
  { hub, secret }: { hub: Hub; secret: string },
  id: number,
  by: { actor: Actor } | 'clock',
  now: Date,
): Promise<'opened' | 'not_found' | 'sealed' | 'changed'> {
  return db.transaction().execute(async (tx) => {
    if (by !== 'clock') {
      const known = await tx
        .selectFrom('demand')
        .where('id', '=', id)
        .where('status', '<>', '0')
        .where(inScope('demand.dept_id', by.actor))
        .select(['sealed'])
        .executeTakeFirst()
      if (!known) return 'not_found'
      if (known.sealed) return 'sealed'
    }
    let change = tx
      .updateTable('demand')
      .set((eb) => ({ status: demandMoves.open.to, openTime: now, updateTime: now, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .where('status', 'in', demandMoves.open.from)
    change = by === 'clock' ? change.where('quoteDeadline', '<=', now.toISOString()) : change.where('sealed', '=', false)
    const demand = await change.returning(['title', 'demandCode', 'deptId', 'quoteCount']).executeTakeFirst()
    if (!demand) return 'changed'
    const companies = await openQuotes(tx, secret, id, now)
    await insertEvent(
      tx,
      { demandId: id, accountId: by === 'clock' ? null : by.actor.accountId, move: 'open', fromStatus: '3', toStatus: '4' },
      now,
    )
    const about = { title: demand.title, code: demand.demandCode ?? '', count: String(companies.length) }
    await tellOwner(tx, hub, demand.deptId, 'demandOpened', about, id, now)
    await sendMessages(
      tx,
      hub,
      {
        accountIds: await accountsOfCompanies(tx, companies),
        kind: 'quoteOpened',
        params: about,
        bizType: 'demand',
        bizId: id,
        link: `/workbench/crequirement/detail?id=${id}`,
      },
      now,
    )
    return 'opened'
  })
}

export async function tellOwner(
  tx: Tx,
  hub: Hub,
  deptId: number,
  kind: 'demandOpened' | 'quoteReceived' | 'quoteWithdrawn',
  params: Record<string, string>,
  demandId: number,
  now: Date,
): Promise<void> {
  await sendMessages(
    tx,
    hub,
    {
      accountIds: await accountsOfDept(tx, deptId),
      kind,
      params,
      bizType: 'demand',
      bizId: demandId,
      link: `/workbench/requirement/detail?id=${demandId}`,
    },
    now,
  )
}

/** Demands whose deadline has passed, oldest first. */
export async function findDueDemands(db: Read, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('demand')
    .where('status', '=', '3')
    .where('quoteDeadline', '<=', now.toISOString())
    .orderBy('quoteDeadline')
    .limit(100)
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}
