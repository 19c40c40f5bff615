import { Socket } from 'node:net'
import type { Kysely, Transaction } from 'kysely'
import pg from 'pg'
import { toMoment } from '#shared/calendar.ts'
import { openDatabase } from './driver/driver.ts'
import type { DB } from './tables.generated.ts'

export type Db = Kysely<DB>
export type Tx = Transaction<DB>
/** What a query function takes: the database, or the transaction that its caller holds. */
export type Read = Db | Tx

// Rows leave the database in the shape of the wire: days as text, instants as Shanghai time text, int8 as number.
const { builtins } = pg.types
pg.types.setTypeParser(builtins.DATE, (text) => text)
pg.types.setTypeParser(builtins.TIMESTAMPTZ, (text) => toMoment(new Date(text)))
pg.types.setTypeParser(builtins.INT8, Number)
pg.types.setTypeParser(builtins.NUMERIC, Number)
/** int8[], which the library has no name for: its types list only the names that it has. */
const int8Array: number = 1016
const setTypeParser: (id: number, parse: (text: string) => unknown) => void = pg.types.setTypeParser
setTypeParser(int8Array, (text) => text.slice(1, -1).split(',').filter(Boolean).map(Number))

type Connecting = {
  prepared?: boolean
  /** After which the database ends a statement, with `57014`; undefined never. */
  statementSeconds?: number | undefined
  /** After which a connection without a byte is given up; 0 never. */
  silentMs?: number
  /** How long a statement waits for a connection before it fails; 0 for as long as it takes. */
  patienceMs?: number
}

/** More than a statement with that bound may take, or one of a report, which has two minutes. */
const silenceOf = (statementSeconds: number | undefined): number => (statementSeconds ? (Math.max(statementSeconds, 120) + 10) * 1000 : 0)

/** How long a connection is idle before the system asks whether the other side still lives. By itself it would wait for two hours. */
export const keepAliveMs = 10_000

export function connect(
  url: string,
  max = 10,
  { prepared = true, statementSeconds, silentMs = silenceOf(statementSeconds), patienceMs = 5000 }: Connecting = {},
): { db: Db; pool: pg.Pool } {
  // The lists are built so that one plan serves all values, and planning them takes longer than answering them. Left to itself, PostgreSQL plans
  // some of them anew for each answer, because it takes the branch of a list that is not run for a costly one.
  // Starting processes for a part of a statement takes longer than most answers do; a report asks for them (`inSnapshot`).
  const settings = {
    max_parallel_workers_per_gather: 0,
    ...(prepared && { plan_cache_mode: 'force_generic_plan' }),
    ...(statementSeconds && { statement_timeout: `${statementSeconds}s` }),
    // The other end of a connection that was given up, or whose machine is gone, may be in a transaction, whose locks it would hold for hours.
    ...(silentMs > 0 && { idle_in_transaction_session_timeout: `${silentMs}ms` }),
  }
  const options = Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
  const { db, pool } = openDatabase(
    {
      connectionString: url,
      max,
      connectionTimeoutMillis: patienceMs,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      stream: () => endingWhenSilent(silentMs),
      ...(options && { options }),
    },
    prepared,
  )
  // A connection that breaks while idle, or between two queries of a transaction, says so by an event; without a
  // listener that would end the process. The next query on it fails and is answered as "unavailable".
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', () => undefined))
  return { db, pool }
}

/** A database that hangs or whose machine is gone sends no error, not even that of its own bound. */
function endingWhenSilent(silentMs: number): Socket {
  const socket = new Socket()
  return socket.setTimeout(silentMs).once('timeout', () => socket.destroy(new Error('Connection terminated: the database does not answer')))
}
