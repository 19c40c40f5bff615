import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import { jobNames, type JobName, type WaitingKind } from '#shared/system/contract.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import { countWaiting } from '../certification/queries.ts'
import { insertAudit } from '../audit/log.ts'
import { decides } from '../blacklist/queries.ts'
import type { Read, Tx } from '../db/connect.ts'
import { clockJobs } from '../jobs/clock-jobs.ts'
import { findFailedItems, releaseItems } from '../queue/queue.ts'
import { Refusal } from '../http/refusal.ts'
import type { Services } from '../services.ts'

type Waiting = { kind: WaitingKind; count: number; oldest: string | null }

const ask = async (db: Read, query: ReturnType<typeof sql<{ count: number; oldest: string | null }>>) =>
  (await query.execute(db)).rows[0] ?? { count: 0, oldest: null }

/** Counts the waiting tasks that belong to the operator's duties. */
export async function findWaiting(db: Read, actor: Actor): Promise<Waiting[]> {
  const may = (permission: Actor['permissions'][number]) => actor.role === 'operator' && actor.permissions.includes(permission)
  const counts: [boolean, WaitingKind, () => Promise<{ count: number; oldest: string | null }>][] = [
    [
      may('certification:review'),
      'certification',
      async () => ({
        count: await countWaiting(db, actor),
        ...(await ask(
          db,
          sql`select 0 as count, min(submitted_at) as oldest from certification where status in ('1', '5') and parent_dept_id is null`,
        ).then(({ oldest }) => ({ oldest }))),
      }),
    ],
    [
      may('equipment:review'),
      'equipment',
      () =>
        ask(
          db,
          sql`select count(*)::int as count, min(since) as oldest from (
            select coalesce(submit_time, create_time) as since from equipment where audit_status = '1' and del_flag = '0'
            union all select x.submit_time from equipment_change x join equipment e on e.id = x.equipment_id
              where x.status = '1' and e.del_flag = '0' and e.audit_status <> '1') w`,
        ),
    ],
    [
      may('equipment:review'),
      'trusted',
      () =>
        ask(
          db,
          sql`select count(*)::int as count, min(coalesce(submit_time, create_time)) as oldest from equipment where trusted and del_flag = '0'`,
        ),
    ],
    [
      may('feedback:answer'),
      'feedback',
      () => ask(db, sql`select count(*)::int as count, min(update_time) as oldest from feedback where status in ('0', '1')`),
    ],
    [
      may('contact:handle'),
      'contact',
      () => ask(db, sql`select count(*)::int as count, min(create_time) as oldest from contact where status = '0'`),
    ],
    [
      may('cancellation:decide'),
      'cancellation',
      () => ask(db, sql`select count(*)::int as count, min(due_at) as oldest from cancellation where status = '2'`),
    ],
    [
      may('blacklist:decide'),
      'blacklist',
      () =>
        ask(
          db,
          sql`select count(*)::int as count, min(update_time) as oldest from blacklist where status in ('1', '3') and ${decides(actor)}`,
        ),
    ],
    [
      may('outbox:view'),
      'outbox',
      () => ask(db, sql`select count(*)::int as count, min(create_time) as oldest from outbox where status = '2' and template = 'notice'`),
    ],
    [
      may('system:view'),
      'jobs',
      () =>
        ask(
          db,
          // Of a job both may be: its last round failed, and items of it are set aside.
          sql`select count(distinct name)::int as count, min(since) as oldest from (
            select name, last_error_at as since from job_run where last_error_at is not null and last_error_at >= coalesce(finished_at, last_error_at)
            union all select job, set_aside_at from failed_item where set_aside_at is not null) w`,
        ),
    ],
  ]
  const found: Waiting[] = []
  for (const [mine, kind, count] of counts) if (mine) found.push({ kind, ...(await count()) })
  return found.filter(({ count }) => count > 0)
}

export async function findPlatformFigures(db: Read, actor: Actor, now: Date) {
  const week = new Date(now.getTime() - 7 * 86_400_000).toISOString()
  const mine = inScope('d.dept_id', actor)
  const company = actor.role === 'operator' ? sql`true` : sql`c.id = ${actor.companyId}`
  const { rows } = await sql<
    Record<'companies' | 'people' | 'machines' | 'quoting' | 'judging' | 'published7' | 'quotes7' | 'awards7', number>
  >`
    select
      (select count(*)::int from company c where c.del_flag = '0' and ${company}) as companies,
      (select count(*)::int from account a left join dept x on x.id = a.dept_id left join company c on c.id = coalesce(x.company_id, a.company_id)
        where a.del_flag = '0' and ${company}) as people,
      (select count(*)::int from equipment e join company c on c.id = e.company_id where e.shelf_status = '1' and e.del_flag = '0' and ${company}) as machines,
      (select count(*)::int from demand d where d.status = '3' and d.del_flag = '0' and ${mine}) as quoting,
      (select count(*)::int from demand d where d.status = '4' and d.del_flag = '0' and ${mine}) as judging,
      (select count(*)::int from demand d where d.publish_time >= ${week} and d.status not in ('0', '1', '2') and d.del_flag = '0' and ${mine}) as published7,
      (select count(*)::int from quote q join demand d on d.id = q.demand_id where q.create_time >= ${week} and ${mine}) as quotes7,
      (select count(*)::int from award w join demand d on d.id = w.demand_id where w.at >= ${week} and ${mine}) as awards7`.execute(db)
  const [row] = rows
  if (!row) throw new Error('an aggregate always has a row')
  return row
}

/** Of each job; the newest tell what is wrong. */
const shownItems = 5

export async function findJobs(db: Read) {
  const rows = await db.selectFrom('jobRun').selectAll().execute()
  const known = new Map(rows.map((row) => [row.name, row]))
  const never = { startedAt: null, finishedAt: null, durationMs: 0, runs: 0, failures: 0, lastError: '', lastErrorAt: null, detail: '' }
  const failed = new Map((await findFailedItems(db, shownItems)).map((row) => [row.job, row]))
  return jobNames.map((name) => {
    const { retrying = 0, setAside = 0, items = [] } = failed.get(name) ?? {}
    const every = name === 'backup' ? null : clockJobs[name].every
    return { ...never, ...known.get(name), name, every, retrying, setAside, failedItems: items }
  })
}

/** What was set aside of the job is tried again with its next round. How many items. */
export async function retryJob(tx: Tx, actor: Actor, name: JobName, now: Date): Promise<number> {
  const keys = await releaseItems(tx, name)
  if (keys.length === 0) throw new Refusal('changed')
  await insertAudit(
    tx,
    actor,
    { action: 'job.retry', bizType: 'job', bizId: name, before: { setAside: keys }, after: { setAside: [] } },
    now,
  )
  return keys.length
}

const began = Date.now()

export async function findSystemStatus({ db, config, hub }: Services, version: string) {
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
    from pg_stat_user_tables order by 2 desc limit 8`.execute(db)
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
    upSeconds: Math.round((Date.now() - began) / 1000),
    memoryBytes: process.memoryUsage().rss,
    sockets: hub.size,
    database: { ...database, largest },
    files: { count: files, bytes: fileBytes, freeBytes: disk ? disk.bavail * disk.bsize : null },
    smsProvider: config.sms?.provider ?? '',
    lastBackup: backup?.finishedAt ? { at: backup.finishedAt, detail: backup.detail } : null,
  }
}
