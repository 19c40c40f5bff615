import { CamelCasePlugin, type PluginTransformResultArgs, type QueryResult, type UnknownRow } from 'kysely'
import pg from 'pg'

/** Names of columns are ours as soon as they are known, once for a statement and not once for each of its rows. */
class ColumnNames extends CamelCasePlugin {
  override transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return Promise.resolve(result)
  }
  ours(column: string): string {
    return this.camelCase(column)
  }
}
export const columnNames = new ColumnNames()

/** Columns of a prepared statement changed under it: a migration ran beside this process. Only its place tells it from other errors of this code. */
export const columnsChanged = (error: unknown): boolean => (error as pg.DatabaseError).routine === 'RevalidateCachedQuery'

const mostNames = 500

/** The texts that a pool sent. One that comes again is prepared under a name, once for each connection. */
export class Statements {
  private readonly sent = new Map<string, { name: string; times: number }>()

  nameOf(text: string): string | undefined {
    const known = this.sent.get(text)
    if (known) return ++known.times > 2 ? known.name : undefined
    // Beyond that many (lists of changing length, say) the rest is parsed each time rather than kept in every connection.
    if (this.sent.size < mostNames) this.sent.set(text, { name: `q${this.sent.size}`, times: 1 })
    return undefined
  }

  /** A statement whose columns changed is never prepared again. */
  forgetIfChanged(text: string, error: Error | null): boolean {
    const known = error && columnsChanged(error) && this.sent.get(text)
    if (known) known.times = -Infinity
    return Boolean(known)
  }
}

type Field = { name: string; dataTypeID: Parameters<typeof pg.types.getTypeParser>[0] }
type Values = (string | null)[]
type Reader = (values: Values) => object

/** One for all statements with these columns, whatever connection they are asked on. */
const readers = new Map<string, Reader>()

/** Makes a row of its values by an object literal with all columns: setting them one after the other takes twice as long. */
function readerOf(fields: readonly Field[]): Reader {
  const key = fields.map(({ name, dataTypeID }) => `${name} ${dataTypeID}`).join()
  let reader = readers.get(key)
  if (!reader) {
    const parsers = fields.map(({ dataTypeID }) => pg.types.getTypeParser(dataTypeID, 'text'))
    const columns = fields.map(({ name }, at) => `${JSON.stringify(columnNames.ours(name))}: v[${at}] === null ? null : p${at}(v[${at}])`)
    // Of names of columns only, which stand in our own statements.
    // oxlint-disable-next-line typescript/no-implied-eval
    const make = new Function(...parsers.map((_, at) => `p${at}`), `return (v) => ({ ${columns.join(', ')} })`)
    reader = make(...parsers) as Reader
    readers.set(key, reader)
  }
  return reader
}

type Result = { rows: object[]; command: string | null }
export type Answered = (error: Error | null, result: pg.QueryResult) => void

/** What `pg` calls a query of its own with. */
interface Steps {
  name: string | undefined
  values: unknown[]
  _result: Result
  _canceledDueToError: unknown
  prepare(connection: pg.Connection): void
  handleRowDescription(message: { fields: Field[] }): void
  handleDataRow(message: { fields: Values }): void
  handleReadyForQuery(connection: pg.Connection): void
  handleError(error: unknown, connection: pg.Connection): void
}
const Query = pg.Query as unknown as new (text: string, values: unknown[], answered: Answered) => Steps
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils

/** What the statements return that were prepared on a connection; null: no rows. */
const described = new WeakMap<pg.Connection, Map<string, Reader | null>>()

/**
 * A query that PostgreSQL describes only when it prepares it: `pg` has the columns described, and works out how to read them, at every
 * execution, which for a page of machines costs as much as reading the rows. A statement that is prepared never returns other columns:
 * PostgreSQL refuses it once they change (`forgetIfChanged`).
 */
export class PreparedQuery extends Query {
  private reader: Reader | null = null

  constructor(name: string | undefined, text: string, values: unknown[], answered: Answered) {
    super(text, values, answered)
    this.name = name
  }

  override prepare(connection: pg.Connection): void {
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

  override handleReadyForQuery(connection: pg.Connection): void {
    if (this.name !== undefined && this._result.command && !this._canceledDueToError) {
      let known = described.get(connection)
      if (!known) described.set(connection, (known = new Map()))
      known.set(this.name, this.reader)
    }
    super.handleReadyForQuery(connection)
  }
}
