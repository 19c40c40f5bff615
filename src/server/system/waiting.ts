import { sql, type RawBuilder } from 'kysely'
import { cancellationStatus } from '#shared/account/rules.ts'
import { waitingCertifications } from '#shared/certification/rules.ts'
import { contactStatus } from '#shared/contact/rules.ts'
import { changeStatus, equipmentAudit } from '#shared/equipment/rules.ts'
import { waitingFeedback } from '#shared/feedback/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { itemsPerTask } from '#shared/statistics/panel.ts'
import { jobNames, type WaitingKind } from '#shared/system/contract.ts'
import type { Actor } from '../actor/actor.ts'
import { nameOf } from '../actor/name.ts'
import { decides, isToDecide } from '../blacklist/queries.ts'
import { decidesFor } from '../certification/queries.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { mostCounted } from '../db/paging.ts'
import { isToResend } from '../outbox/queries.ts'
import { isShownItem } from '../queue/queue.ts'

type Item = { id: string; title: string; detail: string; since: string | null }
type Waiting = { kind: WaitingKind; count: number; oldest: string | null; items: Item[] }

/** Finds the waiting tasks that belong to the operator's duties, by kind, the longest waiting first. */
export async function findWaiting(db: Read, actor: Actor): Promise<Waiting[]> {
  if (actor.role !== 'operator') return []
  const found: Waiting[] = []
  for (const [permission, kind, source] of waitingTasks(actor)) {
    if (!actor.permissions.includes(permission)) continue
    const { rows } = await sql<Item & { count: number; oldest: string | null }>`
      select id::text as id, title, detail, since, count(*) over ()::int as count, min(since) over () as oldest
      from (${source}) w order by since nulls last, id limit ${sql.lit(itemsPerTask)}`.execute(db)
    const [first] = rows
    if (!first) continue
    const items = rows.map(({ id, title, detail, since }) => ({ id, title, detail, since }))
    found.push({ kind, count: first.count, oldest: first.oldest, items })
  }
  return found
}

/** The permission for each kind of task, and the query of its objects: id, title, detail, since. */
function waitingTasks(actor: Actor): [Actor['permissions'][number], WaitingKind, RawBuilder<unknown>][] {
  const { submitted } = equipmentAudit
  const machine = sql`select e.id, e.name as title, e.equipment_code as detail`
  const since = sql`coalesce(e.submit_time, e.create_time) as since`
  const isPresent = sql`e.del_flag = ${sql.lit(delFlag.present)}`
  return [
    [
      'certification:review',
      'certification',
      sql`select id, name as title, kind as detail, submitted_at as since from certification
        where status in (${literals(waitingCertifications)}) and ${decidesFor(actor)}`,
    ],
    [
      'equipment:review',
      'equipment',
      sql`${machine}, ${since} from equipment e where e.audit_status = ${sql.lit(submitted)} and ${isPresent}
        union all ${machine}, x.submit_time from equipment_change x join equipment e on e.id = x.equipment_id
          where x.status = ${sql.lit(changeStatus.waiting)} and ${isPresent} and e.audit_status <> ${sql.lit(submitted)}`,
    ],
    [
      'equipment:review',
      'trusted',
      // Many, where the grades of lessors are trusted: the longest waiting along their index, and counted up to the bound of the list behind them.
      sql`${machine}, ${since} from equipment e where e.trusted and ${isPresent} order by e.submit_time, e.id limit ${sql.lit(mostCounted)}`,
    ],
    [
      'feedback:answer',
      'feedback',
      sql`select id, title, feedback_code as detail, update_time as since from feedback where status in (${literals(waitingFeedback)})`,
    ],
    [
      'contact:handle',
      'contact',
      sql`select id, company as title, name as detail, create_time as since from contact where status = ${sql.lit(contactStatus.waiting)}`,
    ],
    [
      'cancellation:decide',
      'cancellation',
      sql`select c.id, ${nameOf('a')} as title, '' as detail, c.due_at as since
        from cancellation c join account a on a.id = c.account_id where c.status = ${sql.lit(cancellationStatus.stopped)}`,
    ],
    [
      'blacklist:decide',
      'blacklist',
      sql`select blacklist.id, c.enterprise_name as title, blacklist_code as detail, blacklist.update_time as since
        from blacklist join company c on c.id = blacklist.company_id
        where ${isToDecide} and ${decides(actor)}`,
    ],
    [
      'outbox:view',
      'outbox',
      sql`select outbox.id, ${nameOf('a')} as title, error as detail, outbox.create_time as since
        from outbox left join account a on a.id = outbox.account_id
        where ${isToResend}`,
    ],
    [
      'system:view',
      'jobs',
      // A job counts once where both hold: its last round failed, and items of it are set aside. One of an older version runs no more.
      sql`select name as id, '' as title, name as detail, min(since) as since from (
        select name, last_error_at as since from job_run where last_error_at is not null and last_error_at >= coalesce(finished_at, last_error_at)
        union all select job, set_aside_at from failed_item f where set_aside_at is not null and ${isShownItem('f')}) j
        where name in (${literals(jobNames)}) group by name`,
    ],
  ]
}
