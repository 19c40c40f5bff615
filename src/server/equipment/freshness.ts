import { sql } from 'kysely'
import { dayMs, dayOf } from '#shared/calendar.ts'
import { freshness, shelfStatus } from '#shared/equipment/rules.ts'
import { paths } from '#shared/paths.ts'
import { nextVersion } from '../db/version.ts'
import { sendMessages } from '../message/queries.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { insertMachineNotice } from './notices.ts'
import { isOnShelf } from './shelf.ts'
import { insertEquipmentEvent } from './upload.ts'

const isUnconfirmedSince = (since: string) => sql`${isOnShelf('e')} and e.confirmed_at < ${since}::timestamptz`

const daysAgo = (now: Date, days: number) => new Date(now.getTime() - days * dayMs).toISOString()

/** A company with machines that nobody has confirmed lately, reminded once in `remindDays`. The index on `confirmed_at` finds them. */
const staleFleets: Queue<{ key: string; companyId: number }> = {
  job: 'freshness',
  async find(db, now, ready) {
    const since = daysAgo(now, freshness.remindDays)
    const { rows } = await sql<{ key: string; companyId: number }>`
      select 'remind:' || e.company_id as key, e.company_id as "companyId" from equipment e
      where ${isUnconfirmedSince(since)}
        and not exists (select 1 from reminder r where r.subject = 'fleet' and r.subject_id = e.company_id and r.at > ${since}::timestamptz)
        and ${ready(sql`'remind:' || e.company_id`)}
      group by e.company_id limit 1000`.execute(db)
    return rows
  },
  async run(work, { companyId }) {
    const { rows } = await sql<{ machines: number }>`
      select count(*)::int as machines from equipment e
      where e.company_id = ${companyId} and ${isUnconfirmedSince(daysAgo(work.now, freshness.remindDays))}`.execute(work.db)
    const machines = rows[0]?.machines ?? 0
    // Its people have confirmed them meanwhile.
    if (machines === 0) return false
    const { numInsertedOrUpdatedRows } = await work.db
      .insertInto('reminder')
      .values({
        subject: 'fleet',
        subjectId: companyId,
        paper: 'availability',
        validTo: dayOf(work.now),
        threshold: freshness.remindDays,
        at: work.now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (!numInsertedOrUpdatedRows) return false
    const params = { count: String(machines), days: String(freshness.remindDays), limit: String(freshness.shelfDays) }
    await sendMessages(work, {
      to: { companies: [companyId] },
      kind: 'machinesToConfirm',
      params,
      bizType: 'company',
      bizId: companyId,
      link: paths.ownMachinesIn({ shelfStatus: shelfStatus.on }),
    })
    return true
  },
}

const isUnconfirmed = (now: Date) =>
  sql<boolean>`${isOnShelf('equipment')} and equipment.confirmed_at < ${daysAgo(now, freshness.shelfDays)}::timestamptz`

const unconfirmedMachines: Queue<{ key: string; id: number }> = {
  job: 'freshness',
  batch: 1000,
  find: (db, now, ready) =>
    db
      .selectFrom('equipment')
      .where(isUnconfirmed(now))
      .where(ready(sql`'unconfirmed:' || equipment.id`))
      .limit(1000)
      .select(['id', sql<string>`'unconfirmed:' || id`.as('key')])
      .execute(),
  async run(work, { id }) {
    const { db, now } = work
    const off = await db
      .updateTable('equipment')
      .set({ shelfStatus: shelfStatus.off, updateTime: now, version: nextVersion })
      .where('id', '=', id)
      .where(isUnconfirmed(now))
      .returning(['companyId', 'name'])
      .executeTakeFirst()
    if (!off) return false
    await insertEquipmentEvent(work, { equipmentId: id, accountId: null, move: 'unconfirmed' })
    await insertMachineNotice(db, {
      companyId: off.companyId,
      equipmentId: id,
      kind: 'machineUnconfirmed',
      params: { machine: off.name, limit: String(freshness.shelfDays) },
    })
    return true
  },
}

/** Reminds lessors to confirm that their machines are still available. Answers how many were reminded. */
export const remindOfStaleFleets = (services: Services, signal?: AbortSignal) => workThrough(services, staleFleets, signal)

/** Takes machines off the shelf that nobody has confirmed for `shelfDays`; `notifyOfUnconfirmed` tells their lessors. Answers how many. */
export const takeUnconfirmedOff = (services: Services, signal?: AbortSignal) => workThrough(services, unconfirmedMachines, signal)
