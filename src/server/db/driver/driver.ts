/**
 * This folder serves two bars of `npm run bench`: a list of machines at 0.75 and a machine's detail at 0.70 times the rate of a bare server
 * (decision 28). Connections name the statements they send, so that PostgreSQL parses and plans each once (`preparing-client.ts`), and the
 * machine list, the detail and the lookup of searched words are built once for each set of filters (`compiled.ts`).
 * `connect(url, max, { prepared: false })` switches both off: plain `pg` and plain Kysely then do everything, with the same answers.
 */
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DB } from '../tables.generated.ts'
import { columnNames } from './prepared-query.ts'
import { preparingClient, Statements } from './preparing-client.ts'

/** A database that `compiledOnce` may keep statements for. Within a transaction, as with any other database, it builds them each time. */
export class CompilingDb extends Kysely<DB> {}

export function openDatabase(config: pg.PoolConfig, prepared: boolean): { db: Kysely<DB>; pool: pg.Pool } {
  if (prepared) {
    const pool = new pg.Pool({ ...config, Client: preparingClient(new Statements()) })
    return { db: new CompilingDb({ dialect: new PostgresDialect({ pool }), plugins: [columnNames] }), pool }
  }
  const pool = new pg.Pool(config)
  // The keys within a JSON value are data: a machine's specs, say.
  const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })]
  return { db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }), plugins }), pool }
}
