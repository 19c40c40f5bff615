import pg from 'pg'
import { PreparedQuery, type Done } from './prepared-query.ts'

/** PostgreSQL raises it as 0A000 like other unsupported features; only `routine` identifies it. */
export const columnsChanged = (error: unknown): boolean => (error as pg.DatabaseError).routine === 'RevalidateCachedQuery'

const maxNames = 500

/** The texts that the connections of a pool have sent. One that is sent for the third time gets a name, and each connection prepares it once. */
export class Statements {
  private readonly sent = new Map<string, { name: string; times: number }>()

  nameOf(text: string): string | undefined {
    const known = this.sent.get(text)
    if (known) return ++known.times > 2 ? known.name : undefined
    // The bound keeps lists of changing length from filling the memory of every connection: beyond it a text is parsed each time.
    if (this.sent.size < maxNames) this.sent.set(text, { name: `q${this.sent.size}`, times: 1 })
    return undefined
  }

  /** A migration beside this process changed the columns: the text is never prepared again. */
  forget(text: string): void {
    const known = this.sent.get(text)
    if (known) known.times = -Infinity
  }
}

/** A client of `pg` that names the statements it is asked, by their text, so that PostgreSQL parses and plans each once for a connection. */
export function preparingClient(statements: Statements): typeof pg.Client {
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config)
      const plain = this.query.bind(this) as (...input: unknown[]) => unknown
      const ask = (text: string, values: unknown[], done: Done) =>
        plain(
          new PreparedQuery(statements.nameOf(text), text, values, (error, result) => {
            if (error && columnsChanged(error)) {
              statements.forget(text)
              // A transaction is lost by the error; outside of one the statement runs again without a name.
              if (this.getTransactionStatus() === 'I') return void plain(new PreparedQuery(undefined, text, values, done))
            }
            done(error, result)
          }),
        )
      this.query = ((text: unknown, values: unknown, done?: Done) => {
        if (typeof text !== 'string' || !Array.isArray(values)) return plain(text, values, done)
        if (done) return ask(text, values, done)
        // pg's own promises keep the whole result alive until the next major collection of memory; its callbacks do not.
        return new Promise((resolve, reject) => {
          ask(text, values, (error, result) => (error ? reject(error) : resolve(result)))
        })
      }) as typeof this.query
    }
  }
}
