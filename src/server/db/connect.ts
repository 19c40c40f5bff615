import {
  type AbortableQueryOptions,
  type Compilable,
  type CompiledQuery,
  Kysely,
  PostgresDialect,
  type QueryResult,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import { toMoment } from '#shared/calendar.ts'
import { columnNames, PreparedQuery, Statements, type Answered } from './prepared-query.ts'
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
pg.types.setTypeParser(1016 as never, (text: string) => text.slice(1, -1).split(',').filter(Boolean).map(Number))

/** Parsing and planning cost PostgreSQL more than most of our questions: they are prepared. */
class PreparingClient extends pg.Client {
  constructor(config: string | pg.ClientConfig | undefined, statements: Statements) {
    super(config)
    const query = this.query.bind(this) as (...given: unknown[]) => unknown
    const ask = (text: string, values: unknown[], answered: Answered) =>
      query(
        new PreparedQuery(statements.nameOf(text), text, values, (error, result) => {
          // Asked anew, unless a transaction was lost by it.
          if (statements.forgetIfChanged(text, error) && this.getTransactionStatus() === 'I')
            query(new PreparedQuery(undefined, text, values, answered))
          else answered(error, result)
        }),
      )
    this.query = ((text: unknown, values: unknown, done?: Answered) => {
      if (typeof text !== 'string' || !Array.isArray(values)) return query(text, values, done)
      if (done) return ask(text, values, done)
      // By a callback: of the promises of pg itself, all that an answer was made of outlives the request by a sweep of the old generation.
      return new Promise((yes, no) => {
        ask(text, values, (error, result) => (error ? no(error) : yes(result)))
      })
    }) as typeof this.query
  }
}

/** A compiled statement outside of a transaction is asked of the pool without the steps of a query that is built. */
class Database extends Kysely<DB> {
  private readonly pool: pg.Pool
  constructor(pool: pg.Pool) {
    super({ dialect: new PostgresDialect({ pool }), plugins: [columnNames] })
    this.pool = pool
  }
  override executeQuery<R>(query: CompiledQuery<R> | Compilable<R>, options?: AbortableQueryOptions): Promise<QueryResult<R>> {
    if (!('sql' in query) || options) return super.executeQuery(query, options)
    return new Promise((yes, no) => {
      this.pool.connect((refused, client, release) => {
        if (!client) return no(refused ?? new Error('no connection'))
        client.query(query.sql, query.parameters as unknown[], (error, result) => {
          release()
          if (error) no(error)
          else yes(result as unknown as QueryResult<R>)
        })
      })
    })
  }
}

export function connect(url: string, max = 10): { db: Db; pool: pg.Pool } {
  const statements = new Statements()
  const pool = new pg.Pool({
    Client: class extends PreparingClient {
      constructor(config?: string | pg.ClientConfig) {
        super(config, statements)
      }
    },
    connectionString: url,
    max,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  })
  // A connection that breaks while idle, or between two queries of a transaction, says so by an event; without a
  // listener that would end the process. The next query on it fails and is answered as "unavailable".
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', () => undefined))
  return { db: new Database(pool), pool }
}
