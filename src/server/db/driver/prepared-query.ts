import { CamelCasePlugin, type PluginTransformResultArgs, type QueryResult, type UnknownRow } from 'kysely'
import pg from 'pg'

/** Renames columns once for a statement, where its rows are read, and not once for each of its rows. */
class ColumnNames extends CamelCasePlugin {
  override transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return Promise.resolve(result)
  }
  renamed(column: string): string {
    return this.camelCase(column)
  }
}
export const columnNames = new ColumnNames()

type Field = { name: string; dataTypeID: Parameters<typeof pg.types.getTypeParser>[0] }
type Values = (string | null)[]
type Reader = (values: Values) => object

/** One for all statements with these columns, whatever connection they are asked on. */
const readers = new Map<string, Reader>()

function readerOf(fields: readonly Field[]): Reader {
  const key = fields.map(({ name, dataTypeID }) => `${name} ${dataTypeID}`).join()
  const known = readers.get(key)
  if (known) return known
  const columns = fields.map(({ name, dataTypeID }) => ({
    name: columnNames.renamed(name),
    parse: pg.types.getTypeParser(dataTypeID, 'text'),
  }))
  const reader: Reader = (values) => {
    const row: Record<string, unknown> = {}
    for (let index = 0; index < columns.length; index++) {
      const { name, parse } = columns[index] as (typeof columns)[number]
      const value = values[index] ?? null
      row[name] = value === null ? null : parse(value)
    }
    return row
  }
  readers.set(key, reader)
  return reader
}

type Result = { rows: object[]; command: string | null }
type Done = (error: Error | null, result: pg.QueryResult) => void

/** What `pg` calls a query of its own with. */
interface Steps {
  name: string | undefined
  values: unknown[]
  _result: Result
  _canceledDueToError: unknown
  prepare(connection: pg.Connection): void
  handleRowDescription(message: { fields: Field[] }): void
  handleDataRow(message: { fields: Values }): void
  handleCommandComplete(message: object, connection: pg.Connection): void
  handleReadyForQuery(connection: pg.Connection): void
  handleError(error: unknown, connection: pg.Connection): void
}
const Query = pg.Query as unknown as new (text: string, values: unknown[], done: Done) => Steps
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils

/** What the statements return that were prepared on a connection; null: no rows. */
const described = new WeakMap<pg.Connection, Map<string, Reader | null>>()

/** `begins`: the statement brings its "begin" along. Both are sent at once, and where one fails PostgreSQL skips the other. */
type Sent = { name: string | undefined; begins: boolean }

/**
 * A query that PostgreSQL describes only when it prepares it (decision 25): `pg` has the columns described, and works out how to read them,
 * at every execution. A prepared statement never returns other columns: PostgreSQL refuses it once they change (`Statements.forget`).
 */
export class PreparedQuery extends Query {
  private reader: Reader | null = null
  private beginning: boolean
  private readonly ownName: string | undefined

  constructor({ name, begins }: Sent, text: string, values: unknown[], done: Done) {
    super(text, values, done)
    this.name = name
    this.ownName = name
    this.beginning = begins
  }

  override prepare(connection: pg.Connection): void {
    if (!this.beginning) return this.send(connection)
    connection.parse({ name: '', text: 'begin', types: [] }, false)
    connection.bind({ portal: '', statement: '', values: [] }, false)
    connection.execute({}, false)
    this.send(connection)
    // What is answered first is about "begin" and not about the statement of this name.
    this.name = undefined
  }

  private send(connection: pg.Connection): void {
    const reader = this.name === undefined ? undefined : described.get(connection)?.get(this.name)
    if (reader === undefined) return super.prepare(connection)
    this.reader = reader
    const { name, values } = this
    try {
      connection.bind({ portal: '', statement: name, values, valueMapper: prepareValue } as pg.BindConfig, false)
      connection.execute({}, false)
    } catch (error) {
      // A value that cannot be written.
      this._canceledDueToError = error
    }
    connection.sync()
  }

  override handleRowDescription(message: { fields: Field[] }): void {
    super.handleRowDescription(message)
    this.reader = readerOf(message.fields)
  }

  override handleDataRow({ fields }: { fields: Values }): void {
    if (this._canceledDueToError) return
    try {
      if (this.reader) this._result.rows.push(this.reader(fields))
    } catch (error) {
      this._canceledDueToError = error
    }
  }

  override handleCommandComplete(message: object, connection: pg.Connection): void {
    if (!this.beginning) return super.handleCommandComplete(message, connection)
    this.beginning = false
    this.name = this.ownName
  }

  override handleReadyForQuery(connection: pg.Connection): void {
    if (this.name !== undefined && this._result.command && !this._canceledDueToError) {
      let known = described.get(connection)
      if (!known) described.set(connection, (known = new Map()))
      known.set(this.name, this.reader)
    }
    super.handleReadyForQuery(connection)
  }
}
