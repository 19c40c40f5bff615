import { sql } from 'kysely'
import { dayMs, dayOf, fromMoment, toMinute, toMoment } from '#shared/calendar.ts'
import { canMoveDemand } from '#shared/demand/guards.ts'
import { decisionDays, decisionReminder, demandStatus } from '#shared/demand/rules.ts'
import { delFlag } from '#shared/rules.ts'
import type { Read } from '../db/connect.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { notifyOwner } from './events.ts'
import { endUndecided, sendBackUnasked, takeAwardBack } from './moves.ts'
import { awaitsNobody, decisionEnds, intervalOfDays, isAwardSubmitted, isSubmittedToNobody, isToldShort } from './todo.ts'

/** How many a round takes; the others that are due follow in the next one. */
const batchSize = 100

/** The reminder of this end: whoever is in evaluation beyond it, because nobody was reminded in time, is reminded all the same. */
const reminderOfIt = sql`reminder r where r.subject = 'demand' and r.subject_id = demand.id and r.paper = ''
  and r.valid_to = (${decisionEnds} at time zone 'Asia/Shanghai')::date and r.threshold = ${sql.lit(decisionReminder)}`

/** Demands in evaluation that were opened so long ago. One whose award was submitted is decided by its owner, and waits for the unit above. */
const openedBefore = (db: Read, moment: Date) =>
  db
    .selectFrom('demand')
    .where('status', '=', sql.lit(demandStatus.reviewing))
    .where('delFlag', '=', sql.lit(delFlag.present))
    .where('openTime', '<=', moment.toISOString())
    .where(sql<boolean>`not ${isAwardSubmitted}`)

const daysAgo = (now: Date, count: number) => new Date(now.getTime() - count * dayMs)

const toRemind = (db: Read, now: Date) =>
  openedBefore(db, daysAgo(now, decisionDays - decisionReminder))
    .where(sql<boolean>`${decisionEnds} - ${intervalOfDays(decisionReminder)}::interval <= ${now.toISOString()}::timestamptz`)
    .where(sql<boolean>`not exists (select from ${reminderOfIt})`)

const demandsToRemind: Queue<{ key: string; id: number }> = {
  job: 'undecidedDemands',
  find: (db, now, ready) =>
    toRemind(db, now)
      .where(ready(sql`'remind:' || demand.id`))
      .orderBy('openTime')
      .limit(batchSize)
      .select(['id', sql<string>`'remind:' || id`.as('key')])
      .execute(),
  async run(work, { id }) {
    const { db, now } = work
    const demand = await toRemind(db, now)
      .where('id', '=', id)
      .select(['deptId', 'title', 'demandCode', decisionEnds.as('ends')])
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!demand) return false
    const ends = fromMoment(demand.ends)
    await db
      .insertInto('reminder')
      .values({ subject: 'demand', subjectId: id, paper: '', validTo: dayOf(ends), threshold: decisionReminder, at: now })
      .execute()
    const until = new Date(Math.max(ends.getTime(), now.getTime() + decisionReminder * dayMs))
    const params = { title: demand.title, code: demand.demandCode ?? '', until: toMinute(until) }
    await notifyOwner(work, { deptId: demand.deptId, demandId: id, kind: 'decisionDue', params })
    return true
  },
}

const toTakeBack = (db: Read) =>
  db
    .selectFrom('demand')
    .where('status', '=', sql.lit(demandStatus.reviewing))
    .where('delFlag', '=', sql.lit(delFlag.present))
    .where(awaitsNobody)

const unaskedAwards: Queue<{ key: string; id: number }> = {
  job: 'undecidedDemands',
  find: (db, _now, ready) =>
    toTakeBack(db)
      .where(ready(sql`'takeBack:' || demand.id`))
      .orderBy('id')
      .limit(batchSize)
      .select(['id', sql<string>`'takeBack:' || id`.as('key')])
      .execute(),
  async run(work, { id }) {
    const { db } = work
    // Only a statement that begins after the wait finds an award or a decision of this moment.
    await db.selectFrom('demand').where('id', '=', id).forNoKeyUpdate().select('id').execute()
    const demand = await toTakeBack(db).where('id', '=', id).select(['deptId', 'title', 'demandCode']).executeTakeFirst()
    if (!demand) return false
    await takeAwardBack(work, id)
    const params = { title: demand.title, code: demand.demandCode ?? '' }
    await notifyOwner(work, { deptId: demand.deptId, demandId: id, kind: 'awardApprovalOff', params })
    return true
  },
}

const toSendBack = (db: Read) => db.selectFrom('demand').where('delFlag', '=', sql.lit(delFlag.present)).where(isSubmittedToNobody)

const unaskedDemands: Queue<{ key: string; id: number }> = {
  job: 'undecidedDemands',
  find: (db, _now, ready) =>
    toSendBack(db)
      .where(ready(sql`'sendBack:' || demand.id`))
      .orderBy('id')
      .limit(batchSize)
      .select(['id', sql<string>`'sendBack:' || id`.as('key')])
      .execute(),
  async run(work, { id }) {
    const { db } = work
    // Only a statement that begins after the wait finds a decision of this moment.
    await db.selectFrom('demand').where('id', '=', id).forNoKeyUpdate().select('id').execute()
    const demand = await toSendBack(db).where('id', '=', id).select(['deptId', 'title', 'demandCode']).executeTakeFirst()
    if (!demand) return false
    await sendBackUnasked(work, id)
    const params = { title: demand.title, code: demand.demandCode ?? '' }
    await notifyOwner(work, { deptId: demand.deptId, demandId: id, kind: 'demandApprovalOff', params })
    return true
  },
}

const toFail = (db: Read, now: Date) =>
  openedBefore(db, daysAgo(now, decisionDays))
    .where(sql<boolean>`${decisionEnds} <= ${now.toISOString()}::timestamptz`)
    .where(sql<boolean>`exists (select from ${reminderOfIt} and r.at <= ${daysAgo(now, decisionReminder).toISOString()}::timestamptz)`)

const demandsToFail: Queue<{ key: string; id: number }> = {
  job: 'undecidedDemands',
  find: (db, now, ready) =>
    toFail(db, now)
      .where(ready(sql`'fail:' || demand.id`))
      .orderBy('openTime')
      .limit(batchSize)
      .select(['id', sql<string>`'fail:' || id`.as('key')])
      .execute(),
  async run(work, { id }) {
    const { db, now } = work
    // An award that is submitted at this moment is waited for. Only a statement that begins after the wait finds it.
    await db.selectFrom('demand').where('id', '=', id).forNoKeyUpdate().select('id').execute()
    const demand = await toFail(db, now)
      .where('id', '=', id)
      .select([
        'id',
        'deptId',
        'title',
        'demandCode',
        'status',
        'sealed',
        'quoteDeadline',
        'quoteCount',
        'minQuotes',
        isToldShort.as('isToldShort'),
      ])
      .executeTakeFirst()
    if (!demand || !canMoveDemand(demand, 'fail', 'clock', toMoment(now))) return false
    await endUndecided(work, demand)
    return true
  },
}

/**
 * Takes submitted awards back where approval was switched off, or the department was moved away from the unit that wanted it, and tells their projects,
 * which decide again: they have the days of the reminder from now on. Gives how many.
 */
export const takeBackUnaskedAwards = (services: Services, signal?: AbortSignal) => workThrough(services, unaskedAwards, signal)

/** Sends submitted demands back that no unit wants to approve any more, and tells their projects, which publish them themselves. Gives how many. */
export const sendBackUnaskedDemands = (services: Services, signal?: AbortSignal) => workThrough(services, unaskedDemands, signal)

/** Reminds the owners of demands in evaluation whose time to decide ends in three days. Gives how many reminders were sent. */
export const remindOfDecisions = (services: Services, signal?: AbortSignal) => workThrough(services, demandsToRemind, signal)

/** Lets the demands fail that nobody decided in time. Gives how many. */
export const failUndecided = (services: Services, signal?: AbortSignal) => workThrough(services, demandsToFail, signal)
