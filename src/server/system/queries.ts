import { statfs } from 'node:fs/promises'
import { sql, type RawBuilder } from 'kysely'
import { cancellationStatus } from '#shared/account/rules.ts'
import { entriesToDecide } from '#shared/blacklist/rules.ts'
import { dayMs } from '#shared/calendar.ts'
import { waitingCertifications } from '#shared/certification/rules.ts'
import { contactStatus } from '#shared/contact/rules.ts'
import { demandStatus, unpublishedDemands } from '#shared/demand/rules.ts'
import type { Returned } from '#shared/endpoint.ts'
import { changeStatus, equipmentAudit, shelfStatus } from '#shared/equipment/rules.ts'
import { waitingFeedback } from '#shared/feedback/rules.ts'
import { outboxStatus } from '#shared/outbox/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { jobNames, type JobName, type WaitingKind } from '#shared/system/contract.ts'
import type * as contract from '#shared/system/contract.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import { countWaiting } from '../certification/queries.ts'
import { insertAudit } from '../audit/log.ts'
import { decides } from '../blacklist/queries.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import type { Deed } from '../deed.ts'
import { clockJobs } from '../jobs/clock-jobs.ts'
import { isUnsealed } from '../outbox/queries.ts'
import { findFailedItems, releaseItems } from '../queue/queue.ts'
import { Refusal } from '../http/refusal.ts'
import type { Services } from '../services.ts'

type Waiting = Returned<typeof contract.getOverview>['waiting'][number]
type Figures = Returned<typeof contract.getOverview>['figures']
type Counted = { count: number; oldest: string | null }

/** Counts the waiting tasks that belong to the operator's duties. */
export async function findWaiting(db: Read, actor: Actor): Promise<Waiting[]> {
  if (actor.role !== 'operator') return []
  const found: Waiting[] = []
  for (const [permission, kind, query] of waitingTasks(actor))
    if (actor.permissions.includes(permission)) {
      const { rows } = await query.execute(db)
      const { count, oldest } = rows[0] ?? { count: 0, oldest: null }
      found.push({ kind, count: kind === 'certification' ? await countWaiting(db, actor) : count, oldest })
    }
  return found.filter(({ count }) => count > 0)
}

/** The permission for each kind of task, and the query that counts the tasks and finds the oldest. */
function waitingTasks(actor: Actor): [Actor['permissions'][number], WaitingKind, RawBuilder<Counted>][] {
  const counted = (since: string, source: RawBuilder<unknown>) =>
    sql<Counted>`select count(*)::int as count, min(${sql.ref(since)}) as oldest from ${source}`
  const { submitted } = equipmentAudit
  const submitTime = sql`coalesce(submit_time, create_time) as since`
  return [
    [
      'certification:review',
      'certification',
      counted('submitted_at', sql`certification where status in (${literals(waitingCertifications)}) and parent_dept_id is null`),
    ],
    [
      'equipment:review',
      'equipment',
      counted(
        'since',
        sql`(select ${submitTime} from equipment where audit_status = ${sql.lit(submitted)} and ${isPresent('equipment')}
          union all select x.submit_time from equipment_change x join equipment e on e.id = x.equipment_id
            where x.status = ${sql.lit(changeStatus.waiting)} and ${isPresent('e')} and e.audit_status <> ${sql.lit(submitted)}) w`,
      ),
    ],
    [
      'equipment:review',
      'trusted',
      counted('since', sql`(select ${submitTime} from equipment where trusted and ${isPresent('equipment')}) w`),
    ],
    ['feedback:answer', 'feedback', counted('update_time', sql`feedback where status in (${literals(waitingFeedback)})`)],
    ['contact:handle', 'contact', counted('create_time', sql`contact where status = ${sql.lit(contactStatus.waiting)}`)],
    ['cancellation:decide', 'cancellation', counted('due_at', sql`cancellation where status = ${sql.lit(cancellationStatus.stopped)}`)],
    [
      'blacklist:decide',
      'blacklist',
      counted('update_time', sql`blacklist where status in (${literals(entriesToDecide)}) and ${decides(actor)}`),
    ],
    [
      'outbox:view',
      'outbox',
      counted('create_time', sql`outbox where status = ${sql.lit(outboxStatus.failed)} and template = 'notice' and ${isUnsealed}`),
    ],
    [
      'system:view',
      'jobs',
      // A job counts once where both hold: its last round failed, and items of it are set aside.
      sql<Counted>`select count(distinct name)::int as count, min(since) as oldest from (
        select name, last_error_at as since from job_run where last_error_at is not null and last_error_at >= coalesce(finished_at, last_error_at)
        union all select job, set_aside_at from failed_item where set_aside_at is not null) w`,
    ],
  ]
}

const isPresent = (alias: string) => sql<boolean>`${sql.ref(`${alias}.del_flag`)} = ${sql.lit(delFlag.present)}`

export async function countPlatform(db: Read, actor: Actor, now: Date): Promise<Figures> {
  const week = new Date(now.getTime() - 7 * dayMs).toISOString()
  const inDepts = inScope('d.dept_id', actor)
  const company = actor.role === 'operator' ? sql`true` : sql`c.id = ${actor.companyId}`
  const { rows } = await sql<Figures>`
    select
      (select count(*)::int from company c where ${isPresent('c')} and ${company}) as companies,
      (select count(*)::int from account a left join dept x on x.id = a.dept_id left join company c on c.id = coalesce(x.company_id, a.company_id)
        where ${isPresent('a')} and ${company}) as people,
      (select count(*)::int from equipment e join company c on c.id = e.company_id
        where e.shelf_status = ${sql.lit(shelfStatus.on)} and ${isPresent('e')} and ${company}) as machines,
      (select count(*)::int from demand d where d.status = ${sql.lit(demandStatus.quoting)} and ${isPresent('d')} and ${inDepts}) as quoting,
      (select count(*)::int from demand d where d.status = ${sql.lit(demandStatus.reviewing)} and ${isPresent('d')} and ${inDepts}) as judging,
      (select count(*)::int from demand d where d.publish_time >= ${week} and d.status not in (${literals(unpublishedDemands)})
        and ${isPresent('d')} and ${inDepts}) as published7,
      (select count(*)::int from quote q join demand d on d.id = q.demand_id where q.open_time >= ${week} and ${inDepts}) as quotes7,
      (select count(*)::int from award w join demand d on d.id = w.demand_id where w.at >= ${week} and ${inDepts}) as awards7`.execute(db)
  const [row] = rows
  if (!row) throw new Error('an aggregate always has a row')
  return row
}

/** How many failed items of a job are listed, the newest first. */
const listedItems = 5

export async function listJobs(db: Read) {
  const rows = await db.selectFrom('jobRun').selectAll().execute()
  const known = new Map(rows.map((row) => [row.name, row]))
  const never = { startedAt: null, finishedAt: null, durationMs: 0, runs: 0, failures: 0, lastError: '', lastErrorAt: null, detail: '' }
  const failed = new Map((await findFailedItems(db, listedItems)).map((row) => [row.job, row]))
  return jobNames.map((name) => {
    const { retrying = 0, setAside = 0, items = [] } = failed.get(name) ?? {}
    const every = name === 'backup' ? null : clockJobs[name].every
    return { ...never, ...known.get(name), name, every, retrying, setAside, failedItems: items }
  })
}

/** Makes due again, with the job's next round, the items of it that were set aside. Answers how many there were. */
export async function retryJob({ db, actor, now }: Deed, name: JobName): Promise<{ items: number }> {
  const keys = await releaseItems(db, name)
  if (keys.length === 0) throw new Refusal('changed')
  const change = { before: { setAside: keys }, after: { setAside: [] } }
  // The entry is of many rows and not of one, so it is not the pipeline that writes it.
  await insertAudit(db, actor, { action: 'job.retry', bizType: 'job', bizId: name, ...change }, now)
  return { items: keys.length }
}

const startedAt = Date.now()

/** Tables that grow with every sealed quote, so their size is not shown. */
const sealedTables = ['quote', 'demand_event']

export async function getSystemStatus({ db, config, hub }: Services, version: string) {
  const { rows } = await sql<{
    version: string
    bytes: number
    connections: number
    maxConnections: number
    migrations: number
    lastMigration: string
    files: number
    fileBytes: number
  }>`select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      current_setting('max_connections')::int as "maxConnections",
      (select count(*)::int from migration) as migrations, (select max(name) from migration) as "lastMigration",
      (select count(*)::int from file) as files, (select coalesce(sum(size), 0)::bigint from file) as "fileBytes"`.execute(db)
  const [one] = rows
  if (!one) throw new Error('an aggregate always has a row')
  const { rows: largest } = await sql<{ table: string; bytes: number; rows: number }>`
    select relname as table, pg_total_relation_size(relid) as bytes, n_live_tup::int as rows
    from pg_stat_user_tables where relname not in (${literals(sealedTables)}) order by 2 desc limit 8`.execute(db)
  const backup = await db
    .selectFrom('jobRun')
    .where('name', '=', 'backup')
    .where('finishedAt', 'is not', null)
    .select(['finishedAt', 'detail'])
    .executeTakeFirst()
  const disk = await statfs(config.dataDir).catch(() => null)
  const { files, fileBytes, ...database } = one
  return {
    version,
    node: process.version,
    upSeconds: Math.round((Date.now() - startedAt) / 1000),
    memoryBytes: process.memoryUsage().rss,
    sockets: hub.size,
    database: { ...database, largest },
    files: { count: files, bytes: fileBytes, freeBytes: disk ? disk.bavail * disk.bsize : null },
    smsProvider: config.sms?.provider ?? '',
    lastBackup: backup?.finishedAt ? { at: backup.finishedAt, detail: backup.detail } : null,
  }
}
