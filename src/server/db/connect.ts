import type { EventEmitter } from 'node:events'
import {
  type AbortableQueryOptions,
  CamelCasePlugin,
  type Compilable,
  type CompiledQuery,
  Kysely,
  PostgresDialect,
  type PluginTransformResultArgs,
  type QueryResult,
  type Transaction,
  type UnknownRow,
} from 'kysely'
import pg from 'pg'
import { toMoment } from '#shared/calendar.ts'
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

/** How often each text was sent; one that comes again is prepared under a name, once for each connection. */
const sent = new Map<string, { name: string; times: number }>()
const mostNames = 500

function nameOf(text: string): string | undefined {
  const known = sent.get(text)
  if (known) return ++known.times > 2 ? known.name : undefined
  // Beyond that many (lists of changing length, say) the rest is parsed each time rather than kept in every connection.
  if (sent.size < mostNames) sent.set(text, { name: `q${sent.size}`, times: 1 })
  return undefined
}

/** Names of columns are ours as soon as they arrive, once for an answer and not once for each of its rows. */
class ColumnNames extends CamelCasePlugin {
  override transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return Promise.resolve(result)
  }
  ours(column: string): string {
    return this.camelCase(column)
  }
}
const names = new ColumnNames()

type Described = { fields: { name: string }[] }

/** Parsing and planning cost PostgreSQL more than most of our questions: they are prepared. */
class PreparingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const { connection } = this as unknown as { connection: EventEmitter }
    connection.on('rowDescription', ({ fields }: Described) => {
      for (const field of fields) field.name = names.ours(field.name)
    })
    const query = this.query.bind(this) as (...given: unknown[]) => unknown
    this.query = ((text: unknown, values: unknown, done?: unknown) => {
      if (typeof text !== 'string' || !Array.isArray(values)) return query(text, values, done)
      // As a query of its own: a configuration would be copied, property by property. And by a callback: of the promises of pg itself, all
      // that an answer was made of outlives the request by a sweep of the old generation.
      const question = Object.assign(new pg.Query(text, values), { name: nameOf(text) })
      if (done) return query(question, done)
      return new Promise((yes, no) => {
        query(question, (error: Error | null, result: pg.QueryResult) => (error ? no(error) : yes(result)))
      })
    }) as typeof this.query
  }
}

/** A compiled statement outside of a transaction is asked of the pool without the steps of a query that is built. */
class Database extends Kysely<DB> {
  private readonly pool: pg.Pool
  constructor(pool: pg.Pool) {
    super({ dialect: new PostgresDialect({ pool }), plugins: [names] })
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

export function connect(url: string, max = 20): { db: Db; pool: pg.Pool } {
  const pool = new pg.Pool({
    Client: PreparingClient,
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
