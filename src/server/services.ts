import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Config } from './config.ts'
import type { CodeCounter } from './db/codes.ts'
import type { DB } from './db/tables.generated.ts'
import type { AnswerCache } from './http/answer-cache.ts'
import type { Hub } from './message/hub.ts'
import type { Clock } from './outside/clock.ts'
import type { Scan } from './outside/scanner.ts'
import type { SmsSender } from './outside/sms.ts'
import type { Storage } from './outside/storage.ts'

/** What handlers work with; made once in main.ts, or by a test. */
export type Services = {
  db: Kysely<DB>
  /** The connections of `db`, to be counted. */
  pool: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>
  codes: CodeCounter
  config: Config
  /** The keys of sealed quotes, second factors, and stored codes and numbers are derived from it. */
  secret: string
  clock: Clock
  storage: Storage
  /** Scans files that people hand in; null where no scanner is configured. */
  scan: Scan | null
  hub: Hub
  /** A copy of the database, for what visitors read; null when there is none. */
  replica: Kysely<DB> | null
  /** Answers and pages that are the same for every visitor. */
  answerCache: AnswerCache
  sms: SmsSender
  /** Writes a line where the process runs: to its terminal or its log. */
  writeLine: (line: string) => void
}
