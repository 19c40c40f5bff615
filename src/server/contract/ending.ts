import { sql } from 'kysely'
import { dayOf, daysBetween } from '#shared/calendar.ts'
import { amendedContracts, contractSides, endingReminders, filledPositions } from '#shared/contract/rules.ts'
import { literals } from '../db/literals.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { notifySide } from './events.ts'

/** How many a round takes; the others that are due follow in the next one. */
const batchSize = 500

/** The hires of one contract that end on the same day, and the reminder whose day has come. */
type Ending = { key: string; contractId: number; planEnd: string; days: number }

/**
 * Hires that end soon. A reminder that could not be sent on its day is sent later, unless the next one is due by then; none is sent whose day was over
 * before the contract was in force. An extension has a last day of its own, so it is reminded of anew.
 */
const hiresThatEnd: Queue<Ending> = {
  job: 'contracts',
  async find(db, now, ready) {
    const today = dayOf(now)
    const key = sql`concat_ws(':', 'ending', c.id, l.plan_end, due.days)`
    const { rows } = await sql<Ending>`
      select ${key} as key, c.id as "contractId", l.plan_end as "planEnd", due.days
      from contract_line l join contract c on c.id = l.contract_id
        cross join lateral (select min(days) as days from unnest(${sql.lit(`{${endingReminders.join(',')}}`)}::int[]) days
          where l.plan_end - days <= ${today}::date and l.plan_end - days >= (c.confirmed_at at time zone 'Asia/Shanghai')::date) due
      where l.status in (${literals(filledPositions)}) and l.plan_end > ${today}::date and l.plan_end <= ${today}::date + ${sql.lit(endingReminders[0])}
        and c.status in (${literals(amendedContracts)}) and due.days is not null
        and not exists (select from reminder r where r.subject = 'contract' and r.subject_id = c.id and r.paper = '' and r.valid_to = l.plan_end
          and r.threshold = due.days)
        and ${ready(key)}
      group by c.id, l.plan_end, due.days order by l.plan_end, c.id limit ${sql.lit(batchSize)}`.execute(db)
    return rows
  },
  async run(work, { contractId, planEnd, days }) {
    const { db, now } = work
    // Locked, so that an extension of this moment is waited for, and its hires end later then.
    const contract = await db
      .selectFrom('contract')
      .where('id', '=', contractId)
      .where('status', 'in', amendedContracts)
      .select(['id', 'deptId', 'lessorCompanyId', 'title', 'contractCode'])
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!contract) return false
    const lines = await db
      .selectFrom('contractLine')
      .where('contractId', '=', contractId)
      .where('planEnd', '=', planEnd)
      .where('status', 'in', filledPositions)
      .orderBy('lineNo')
      .select(['lineNo', 'name'])
      .execute()
    if (lines.length === 0) return false
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('reminder')
      .values({ subject: 'contract', subjectId: contractId, paper: '', validTo: planEnd, threshold: days, at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (!numInsertedOrUpdatedRows) return false
    const params = {
      day: planEnd,
      days: String(daysBetween(dayOf(now), planEnd)),
      positions: lines
        .map(({ lineNo }) => lineNo)
        .slice(0, namedPositions)
        .join('、'),
      more: lines.length > namedPositions ? String(lines.length) : '',
    }
    for (const side of contractSides) await notifySide(work, contract, { to: side, kind: 'contractEnding', params })
    return true
  },
}

/** Positions that a reminder names by their number. */
const namedPositions = 10

/** Reminds both sides of hires that end in 15, 7 and 3 days. Gives how many reminders were sent. */
export const remindOfEndings = (services: Services, signal?: AbortSignal) => workThrough(services, hiresThatEnd, signal)
