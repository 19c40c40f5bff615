import { setTimeout as pause } from 'node:timers/promises'
import { sql, type Expression, type RawBuilder } from 'kysely'
import { maskPhones } from '#shared/account/rules.ts'
import { dayMs, toMoment } from '#shared/calendar.ts'
import type { JobName } from '#shared/system/contract.ts'
import type { Read, Tx } from '../db/connect.ts'
import { transact, type Work } from '../deed.ts'
import { isUnsealed } from './unsealed.ts'
import type { Services } from '../services.ts'

/** Minutes until an item that failed is tried again; after the last of them it is set aside for the operator, unless it is sealed. */
export const retryMinutes = [1, 5, 30, 120] as const
/** A sealed item, which nobody sees, is tried again every two hours for a week before it is set aside. */
const sealedTries = 7 * 12

/** True for items that have not failed, or are to be tried again by now. */
type Ready = (key: Expression<unknown>) => RawBuilder<boolean>

/** `isSealed`: that it failed is told to nobody before the opening, so the run of its job does not count as failed (decision 35). */
type QueueItem = { key: string; isSealed?: boolean }

/** What a job does item by item. The job's own tables say what is due; a failed item waits in `failed_item` and holds up no other. */
export type Queue<Item extends QueueItem> = {
  job: JobName
  /** A batch of what is due and ready, the most urgent first; `key` is unique within the job. */
  find(db: Read, now: Date, ready: Ready): Promise<readonly Item[]>
  /**
   * Does one item, in a transaction of its own; answers whether there was something to do. It checks again that the item is due:
   * since `find`, another instance or a person may have dealt with it.
   */
  run(work: Work, item: Item): Promise<boolean>
  /** What else to record of a failure, once the failure itself is recorded. */
  failed?(tx: Tx, item: Item, error: string): Promise<unknown>
  /** How many items `find` gives at most; after a full batch the next follows at once, so a backlog does not wait for the interval of the job. */
  batch?: number
  /** One instance at a time, which rests so many times as long as an item took (decision 19). */
  restShare?: number
}

/** However long an item took. */
export const longestRestMs = 2000

/**
 * Does a batch of what is due, and the next where it was full (`batch`). Several instances may do this at once: each item is claimed by a lock of its
 * transaction. An item that throws is recorded, and after all others are done the first error is thrown, so that the job's run counts as failed, unless
 * all that failed are sealed. When `signal` is aborted, only the item under way is finished. Answers how many items were done, without the sealed ones.
 */
export async function workThrough<Item extends QueueItem>(services: Services, queue: Queue<Item>, signal?: AbortSignal): Promise<number> {
  const { db, clock } = services
  const errors: unknown[] = []
  let done = 0
  // What another instance has claimed is found again; the round does not wait for it.
  const tried = new Set<string>()
  let hasNext: boolean
  do {
    const found = clock.now()
    const items = await queue.find(db, found, (key) => ready(queue.job, key, found))
    hasNext = items.length === queue.batch && items.some(({ key }) => !tried.has(key))
    for (const item of items) {
      if (signal?.aborted) break
      tried.add(item.key)
      const began = performance.now()
      const now = clock.now()
      let isUnderWay = false
      try {
        const result = await transact(services, { now }, (work) => {
          isUnderWay = true
          return claimAndRun(work, queue, item)
        })
        if (result === 'done' && !item.isSealed) done++
        // Whoever holds the lock of the whole job does the rest of the batch too.
        if (result === 'claimed elsewhere' && queue.restShare) break
      } catch (error) {
        if (!isUnderWay || !item.isSealed) errors.push(error)
        // Without a connection the item has not been tried.
        if (isUnderWay) await setBack(services, queue, item, { error, now }).catch((failure: unknown) => errors.push(failure))
      }
      if (queue.restShare) await rest(Math.min((performance.now() - began) * queue.restShare, longestRestMs), signal)
    }
    if (signal?.aborted) hasNext = false
  } while (hasNext)
  if (errors.length > 0) throw errors[0]
  return done
}

/** The message of an error as it is stored and shown: without phone numbers, and without zero bytes, which no text of the database holds. */
export const storedMessage = (error: unknown): string =>
  maskPhones((error instanceof Error ? error.message : String(error)).replaceAll('\u0000', '')).slice(0, 500)

type Failure = { error: unknown; now: Date }

/** The failure is recorded by itself: whatever else goes wrong with the item, it waits in `failed_item` and is not found in every round. */
async function setBack<Item extends QueueItem>(services: Services, queue: Queue<Item>, item: Item, { error, now }: Failure) {
  const message = storedMessage(error)
  const { job } = queue
  const { key, isSealed = false } = item
  await transact(services, { now }, ({ db: tx }) => recordFailure(tx, { job, key, message, now, isSealed }))
  // Of others the run of the job says it.
  if (isSealed) services.writeLine(`${job} ${key} failed: ${message}`)
  await transact(services, { now }, async ({ db: tx }) => queue.failed?.(tx, item, message))
}

async function claimAndRun<Item extends QueueItem>(
  work: Work,
  { job, run, restShare }: Queue<Item>,
  item: Item,
): Promise<'done' | 'nothing to do' | 'claimed elsewhere'> {
  const lock = restShare ? job : `${job}:${item.key}`
  const { rows } = await sql<{ mine: boolean; ready: boolean; tried: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${lock}, 0)) as mine, ${ready(job, sql`${item.key}`, work.now)} as ready,
      exists (select 1 from failed_item where job = ${job} and key = ${item.key}) as tried`.execute(work.db)
  if (!rows[0]?.mine || !rows[0].ready) return 'claimed elsewhere'
  const did = await run(work, item)
  if (rows[0].tried) await releaseItem(work.db, job, item.key)
  return did ? 'done' : 'nothing to do'
}

const ready = (job: JobName, key: Expression<unknown>, now: Date) =>
  sql<boolean>`not exists (select 1 from failed_item f
    where f.job = ${job} and f.key = ${key}::text and (f.set_aside_at is not null or f.due > ${now.toISOString()}::timestamptz))`

type RecordedFailure = { job: JobName; key: string; message: string; now: Date; isSealed: boolean }

const recordFailure = (tx: Tx, { job, key, message, now, isSealed }: RecordedFailure) =>
  sql`insert into failed_item as f (job, key, tries, last_error, failed_at, due)
    values (${job}, ${key}, 1, ${message}, ${now}, ${new Date(now.getTime() + retryMinutes[0] * 60_000)})
    on conflict (job, key) do update set tries = f.tries + 1, last_error = excluded.last_error, failed_at = excluded.failed_at,
      due = excluded.failed_at + coalesce((${[...retryMinutes]}::int[])[f.tries + 1], ${isSealed ? retryMinutes[3] : 0}::int) * interval '1 minute',
      set_aside_at = case when f.tries >= ${retryMinutes.length + (isSealed ? sealedTries : 0)}::int then excluded.failed_at end`.execute(
    tx,
  )

async function rest(ms: number, signal?: AbortSignal): Promise<void> {
  await pause(ms, undefined, signal && { signal }).catch((error: unknown) => {
    if (!signal?.aborted) throw error
  })
}

/** Items that were found no more since their time to be tried again are over: what they were about was settled in another way. */
export async function forgetSettledItems(db: Read, now: Date): Promise<void> {
  await db
    .deleteFrom('failedItem')
    .where('setAsideAt', 'is', null)
    .where('due', '<', new Date(now.getTime() - dayMs).toISOString())
    .execute()
}

/**
 * Whether a failed item is shown. An SMS is where the outbox shows it: one to the bidders of a demand from the opening on, because whoever knows by other
 * SMS whose number fails would learn who has quoted (decision 35).
 */
export const isShownItem = (alias: string) =>
  sql<boolean>`(case when ${sql.ref(`${alias}.job`)} <> 'sendSms' then true
    else exists (select from outbox o where o.id = ${sql.ref(`${alias}.key`)}::bigint and ${isUnsealed('o')}) end)`

/** Of each job with failed items: how many are tried again, how many are set aside, and the newest few of both. */
export async function findFailedItems(db: Read, newest: number) {
  const { rows } = await sql<{ job: JobName; retrying: number; setAside: number; items: FailedItem[] }>`
    select job, count(*) filter (where set_aside_at is null)::int as retrying, count(*) filter (where set_aside_at is not null)::int as set_aside,
      (select json_agg(json_build_object('key', key, 'tries', tries, 'lastError', last_error, 'failedAt', failed_at) order by failed_at desc)
        from (select * from failed_item n where n.job = f.job and ${isShownItem('n')} order by n.failed_at desc limit ${newest}) newest) as items
    from failed_item f where ${isShownItem('f')} group by job`.execute(db)
  return rows.map(({ items, ...counts }) => ({
    ...counts,
    items: items.map((item) => ({ ...item, failedAt: toMoment(new Date(item.failedAt)) })),
  }))
}

/** How many items of a job were set aside since then, and the error of the last one. */
export async function findSetAsideSince(db: Read, job: JobName, since: Date): Promise<{ count: number; error: string }> {
  const { rows } = await sql<{ count: number; error: string | null }>`
    select count(*)::int as count, (array_agg(last_error order by set_aside_at desc))[1] as error from failed_item f
    where job = ${job} and ${isShownItem('f')} and set_aside_at >= ${since.toISOString()}::timestamptz`.execute(db)
  return { count: rows[0]?.count ?? 0, error: rows[0]?.error ?? '' }
}

type FailedItem = { key: string; tries: number; lastError: string; failedAt: string }

/** One item is due again, as if it had never failed. */
export async function releaseItem(tx: Tx, job: JobName, key: string): Promise<void> {
  await tx.deleteFrom('failedItem').where('job', '=', job).where('key', '=', key).execute()
}

/** What was set aside is due again, with all its tries before it. Answers with the keys of those that are shown. */
export async function releaseItems(tx: Tx, job: JobName): Promise<string[]> {
  const { rows } = await sql<{ key: string; isShown: boolean }>`delete from failed_item f where job = ${job} and set_aside_at is not null
    returning key, ${isShownItem('f')} as "isShown"`.execute(tx)
  return rows.filter(({ isShown }) => isShown).map(({ key }) => key)
}
