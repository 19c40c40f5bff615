import { sql } from 'kysely'
import type { JobName } from '#shared/system/contract.ts'
import { storedMessage } from '../queue/queue.ts'
import type { Services } from '../services.ts'

/** A job that runs every other second would write all day; a run that did nothing is written down once a minute. */
const quietMs = 60_000
const written = new Map<JobName, number>()

/** Runs it, and writes down when, how long, and what went wrong. What it throws goes on to the caller. */
export async function recordRun({ db, clock }: Pick<Services, 'db' | 'clock'>, name: JobName, work: () => Promise<unknown>): Promise<void> {
  const startedAt = clock.now()
  const began = performance.now()
  let result: unknown
  try {
    result = await work()
  } catch (error) {
    await sql`insert into job_run (name, started_at, runs, failures, last_error, last_error_at) values (${name}, ${startedAt}, 1, 1, ${storedMessage(error)}, ${clock.now()})
      on conflict (name) do update set started_at = excluded.started_at, runs = job_run.runs + 1, failures = job_run.failures + 1,
        last_error = excluded.last_error, last_error_at = excluded.last_error_at`
      .execute(db)
      // The database itself may be what is away; the log has it.
      .catch(() => undefined)
    throw error
  }
  const idle = result === undefined || result === 0
  // Without the sign: a clock that was set back must not look like a job that stands.
  if (idle && Math.abs(startedAt.getTime() - (written.get(name) ?? 0)) < quietMs) return
  written.set(name, startedAt.getTime())
  const detail = result ? String(result as string | number) : ''
  await sql`insert into job_run (name, started_at, finished_at, duration_ms, runs, detail)
    values (${name}, ${startedAt}, ${clock.now()}, ${Math.round(performance.now() - began)}, 1, ${detail})
    on conflict (name) do update set started_at = excluded.started_at, finished_at = excluded.finished_at, duration_ms = excluded.duration_ms,
      runs = job_run.runs + 1, detail = case when excluded.detail = '' then job_run.detail else excluded.detail end`.execute(db)
}
