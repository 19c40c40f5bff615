import { sql } from 'kysely'
import { addDays, dayOf, startOfDay } from '#shared/calendar.ts'
import { merkleRoot, type ChainHead } from '#shared/contract/merkle.ts'
import { insertAudit } from '../audit/log.ts'
import type { Read } from '../db/connect.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { sha256 } from './digest.ts'

/** An event is stored when its transaction ends, a little later than its moment. What comes later still is of the next night. */
const settledMs = 10 * 60_000

const dueDays: Queue<{ key: string; day: string }> = {
  job: 'contractRoots',
  async find(db, now, ready) {
    const last = addDays(dayOf(new Date(now.getTime() - settledMs)), -1)
    const { rows } = await sql<{ day: string }>`
      select day from (select d::date::text as day from generate_series(
        (select (min(at) at time zone 'Asia/Shanghai')::date from contract_event)::timestamp, ${last}::timestamp, interval '1 day') d) days
      where not exists (select from audit_log l where l.biz_type = 'contractRoot' and l.biz_id = day) and ${ready(sql`day`)}
      order by day limit 500`.execute(db)
    return rows.map(({ day }) => ({ key: day, day }))
  },
  async run({ db, now }, { day }) {
    if (await findRoot(db, day)) return false
    // A chain that grew in the last moment of the day before is found with it, and one that is known as it stands is not taken again.
    await sql`insert into contract_head (day, contract_id, seq, hash)
      select ${day}::date, e.contract_id, e.seq, e.hash from (
        select distinct on (contract_id) contract_id, seq, hash from contract_event
        where at >= ${startOfDay(addDays(day, -1))} and at < ${startOfDay(addDays(day, 1))} order by contract_id, seq desc) e
      where e.seq > coalesce((select max(h.seq) from contract_head h where h.contract_id = e.contract_id), 0)`.execute(db)
    const heads = await findHeads(db, day)
    const after = { root: merkleRoot(heads, sha256), count: heads.length }
    await insertAudit(
      db,
      { command: 'contractRoots' },
      { action: 'contractRoot.add', bizType: 'contractRoot', bizId: day, bizName: day, after },
      now,
    )
    return true
  },
}

/**
 * Writes for each day that is over one entry of the audit log: the Merkle root of the heads of all contracts' chains that grew, and their number. A
 * chain whose end is cut off afterwards differs from the head of its night, and a head that is changed or removed from the root. Gives how many days.
 */
export const recordContractRoots = (services: Services, signal?: AbortSignal) => workThrough(services, dueDays, signal)

/** The heads of a day, in the order in which they stand under its root. */
export function findHeads(db: Read, day: string): Promise<ChainHead[]> {
  return db.selectFrom('contractHead').where('day', '=', day).orderBy('contractId').select(['contractId', 'seq', 'hash']).execute()
}

/** The root of a day as the audit log holds it. */
export async function findRoot(db: Read, day: string): Promise<{ root: string; count: number } | undefined> {
  const entry = await db
    .selectFrom('auditLog')
    .where('bizType', '=', 'contractRoot')
    .where('bizId', '=', day)
    .orderBy('seq')
    .limit(1)
    .select('after')
    .executeTakeFirst()
  return entry?.after ? { root: String(entry.after.root), count: Number(entry.after.count) } : undefined
}

type DayCheck = {
  day: string
  /** Whether the stored heads still give the root of the audit log. */
  rootFits: boolean
  /** Heads that the audit log counted and that are stored now. */
  counted: number
  stored: number
  /** Contracts whose chain no longer has the link that was its last when that day ended: their end was cut off or rewritten. */
  cut: number[]
}

/**
 * Checks the heads of one day against its root in the audit log, and every chain against its head. Undefined for a day without a root. The audit log
 * is itself a chain, which the console verifies. `npm run manage -- verify-audit` does this for every day.
 */
export async function checkContractRoot(db: Read, day: string): Promise<DayCheck | undefined> {
  const logged = await findRoot(db, day)
  if (!logged) return undefined
  const heads = await findHeads(db, day)
  const { rows } = await sql<{ id: number }>`select h.contract_id as id from contract_head h
    left join contract_event e on e.contract_id = h.contract_id and e.seq = h.seq
    where h.day = ${day}::date and e.hash is distinct from h.hash order by 1`.execute(db)
  return {
    day,
    rootFits: merkleRoot(heads, sha256) === logged.root && heads.length === logged.count,
    counted: logged.count,
    stored: heads.length,
    cut: rows.map(({ id }) => id),
  }
}

/** The days whose heads, chains and root do not fit each other any more. */
export async function findWrongRoots(db: Read): Promise<DayCheck[]> {
  const entries = await db.selectFrom('auditLog').where('bizType', '=', 'contractRoot').orderBy('seq').select('bizId').execute()
  const wrong: DayCheck[] = []
  for (const { bizId } of entries) {
    const check = await checkContractRoot(db, bizId)
    if (check && (!check.rootFits || check.cut.length > 0)) wrong.push(check)
  }
  return wrong
}
