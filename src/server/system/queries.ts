import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import { dayMs } from '#shared/calendar.ts'
import { demandStatus, unpublishedDemands } from '#shared/demand/rules.ts'
import type { Returned } from '#shared/endpoint.ts'
import { delFlag } from '#shared/rules.ts'
import { jobNames, type JobName } from '#shared/system/contract.ts'
import type * as contract from '#shared/system/contract.ts'
import { isPersonOf } from '../account/people.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import { insertAudit } from '../audit/log.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import type { Deed } from '../deed.ts'
import { isOnShelf } from '../equipment/shelf.ts'
import { clockJobs } from '../jobs/clock-jobs.ts'
import { findFailedItems, releaseItems } from '../queue/queue.ts'
import { Refusal } from '../http/refusal.ts'
import type { Services } from '../services.ts'

type Figures = Returned<typeof contract.getOverview>['figures']
const isPresent = (alias: string) => sql<boolean>`${sql.ref(`${alias}.del_flag`)} = ${sql.lit(delFlag.present)}`

/** The quotes of a demand are opened with it, so those of a week are found by their demands. */
export async function countPlatform(db: Read, actor: Actor, now: Date): Promise<Figures> {
  const week = new Date(now.getTime() - 7 * dayMs).toISOString()
  const inDepts = inScope('d.dept_id', actor)
  const company = actor.role === 'operator' ? sql`true` : sql`c.id = ${actor.companyId}`
  // The platform counts every account, an organisation its people.
  const counted = actor.role === 'operator' ? isPresent('a') : isPersonOf('a')
  const { rows } = await sql<Figures>`
    select
      (select count(*)::int from company c where ${isPresent('c')} and ${company}) as companies,
      (select count(*)::int from account a left join dept x on x.id = a.dept_id left join company c on c.id = coalesce(x.company_id, a.company_id)
        where ${counted} and ${company}) as people,
      (select count(*)::int from equipment e join company c on c.id = e.company_id
        where ${isOnShelf('e')} and ${company}) as machines,
      (select count(*)::int from demand d where d.status = ${sql.lit(demandStatus.quoting)} and ${isPresent('d')} and ${inDepts}) as quoting,
      (select count(*)::int from demand d where d.status = ${sql.lit(demandStatus.reviewing)} and ${isPresent('d')} and ${inDepts}) as judging,
      (select count(*)::int from demand d where d.publish_time >= ${week} and d.status not in (${literals(unpublishedDemands)})
        and ${isPresent('d')} and ${inDepts}) as published7,
      (select coalesce(sum(o.quotes), 0)::int from demand d
          cross join lateral (select count(*) as quotes from quote q where q.demand_id = d.id and q.open_time is not null) o
        where d.open_time >= ${week} and d.status not in (${literals(unpublishedDemands)}) and ${isPresent('d')} and ${inDepts}) as quotes7,
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

/** Counted as a figure over everything: there are several files to each machine. */
async function countFiles(db: Read): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    select count(*)::int as count, coalesce(sum(size), 0)::bigint as bytes from file`.execute(db)
  const [row] = rows
  if (!row) throw new Error('an aggregate always has a row')
  return row
}

export async function getSystemStatus({ db, config, hub, answerCache }: Services, version: string) {
  const files = await answerCache.figure('files', () => countFiles(db))
  const { rows } = await sql<{
    version: string
    bytes: number
    connections: number
    maxConnections: number
    migrations: number
    lastMigration: string
  }>`select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      current_setting('max_connections')::int as "maxConnections",
      (select count(*)::int from migration) as migrations, (select max(name) from migration) as "lastMigration"`.execute(db)
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
  return {
    version,
    node: process.version,
    upSeconds: Math.round((Date.now() - startedAt) / 1000),
    memoryBytes: process.memoryUsage().rss,
    sockets: hub.size,
    database: { ...one, largest },
    files: { ...files, freeBytes: disk ? disk.bavail * disk.bsize : null },
    smsProvider: config.sms?.provider ?? '',
    lastBackup: backup?.finishedAt ? { at: backup.finishedAt, detail: backup.detail } : null,
  }
}
