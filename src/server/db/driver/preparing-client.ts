import { LRUCache } from 'lru-cache'
import pg from 'pg'
import { PreparedQuery } from './prepared-query.ts'

/** PostgreSQL raises it as 0A000 like other unsupported features; only `routine` identifies it. */
export const columnsChanged = (error: unknown): boolean => (error as pg.DatabaseError).routine === 'RevalidateCachedQuery'

const maxNames = 500
/** Texts that are counted at once. Of those that came once or twice the ones that came longest ago are forgotten. */
const maxCounted = 1000

/**
 * The texts that the connections of a pool have sent. One that is sent for the third time gets a name, and each connection prepares it once. Visitors make
 * ever new texts by the filters and pages of lists, so one that comes once takes no name from those that come again.
 */
export class Statements {
  private readonly counted = new LRUCache<string, number>({ max: maxCounted })
  /** Null: never to be prepared again. */
  private readonly names = new Map<string, string | null>()

  nameOf(text: string): string | undefined {
    const name = this.names.get(text)
    if (name !== undefined) return name ?? undefined
    // The bound keeps lists of changing length from filling the memory of every connection: beyond it a text is parsed each time.
    if (this.names.size >= maxNames) return undefined
    const times = (this.counted.get(text) ?? 0) + 1
    this.counted.set(text, times)
    if (times <= 2) return undefined
    this.counted.delete(text)
    const given = `q${this.names.size}`
    this.names.set(text, given)
    return given
  }

  /** A migration beside this process changed the columns: the text is never prepared again. */
  forget(text: string): void {
    this.names.set(text, null)
  }
}

type Plain = (...input: unknown[]) => unknown
const noRows = (command: string) => Promise.resolve({ command, rowCount: null, rows: [] })

/**
 * A client of `pg` that names the statements it is asked, by their text, so that PostgreSQL parses and plans each once for a connection. A "begin"
 * waits for the first statement of its transaction and goes with it, which saves every write a round trip.
 */
export function preparingClient(statements: Statements): typeof pg.Client {
  return class extends pg.Client {
    private begins = false

    constructor(config?: string | pg.ClientConfig) {
      super(config)
      const plain = this.query.bind(this) as Plain
      this.query = ((text: unknown, values: unknown, done: unknown) =>
        typeof text === 'string' && Array.isArray(values) && !done
          ? this.named(plain, text, values)
          : plain(text, values, done)) as typeof this.query
    }

    private named(plain: Plain, text: string, values: unknown[]): Promise<unknown> {
      if (text === 'begin') {
        this.begins = true
        return noRows('BEGIN')
      }
      const { begins } = this
      this.begins = false
      if (begins && (text === 'commit' || text === 'rollback')) return noRows(text.toUpperCase())
      const name = statements.nameOf(text)
      // Without a name and values `pg` prepares nothing: it sends the text as it is, so "begin" has to go before it.
      const beginsApart = begins && name === undefined && values.length === 0
      const sent = async () => {
        if (beginsApart) await plain('begin')
        return ask(plain, { name, begins: begins && !beginsApart }, text, values)
      }
      return sent().catch((error: unknown) => {
        if (!columnsChanged(error)) throw error
        statements.forget(text)
        // A transaction is lost by the error; outside of one the statement runs again without a name. Of one that begins with the statement the
        // server's word may arrive after that of the error.
        if (begins || this.getTransactionStatus() !== 'I') throw error
        return ask(plain, { name: undefined, begins: false }, text, values)
      })
    }
  }
}

type Sent = ConstructorParameters<typeof PreparedQuery>[0]

/** pg's own promises keep the whole result alive until the next major collection of memory; its callbacks do not. */
const ask = (plain: Plain, sent: Sent, text: string, values: unknown[]) =>
  new Promise((resolve, reject) => {
    plain(new PreparedQuery(sent, text, values, (error, result) => (error ? reject(error) : resolve(result))))
  })
