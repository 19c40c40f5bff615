import type { FastifyBaseLogger } from 'fastify'
import type { Actor } from './actor/actor.ts'
import type { Db, Tx } from './db/connect.ts'
import type { Locale } from './http/locale.ts'
import type { Receive } from './http/uploads.ts'
import type { Services } from './services.ts'

/** Who calls, from where and in which language. */
export type Caller<A extends Actor | null = Actor | null> = {
  actor: A
  /** Whether a token came along, valid or not: tells 401 "expired" from 401 "missing". */
  hadToken: boolean
  token: string | null
  address: string
  agent: string
  /** The id that a browser of ours has given itself; nobody else knows it. Other clients need send none. */
  device?: string | undefined
  locale: Locale
  /** Where the caller reaches the site, for links in what they are given; unknown where no request came, as in a job. */
  origin?: string
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>
  /** The client's key of a creating call that must not be done twice. */
  key?: string | undefined
  /** Receives the file of a call that takes one; throws bad_request when the body is no form with a file. */
  upload?: Receive
}

/**
 * What every write has at hand, whether a person, the clock or a command started it: one transaction, one moment and the services.
 * Nothing else reaches the database meanwhile, so either all of it holds or none.
 */
export type Work = Omit<Services, 'db'> & {
  db: Tx
  now: Date
  /**
   * Runs when the transaction holds, and not at all when it does not: for sockets, which no rollback takes back. Where it fails, the write holds all
   * the same, so nothing may need it.
   */
  afterCommit: (run: () => Promise<unknown>) => void
}

/** A write that a person asked for. Handlers have their caller's details as well. */
export type Deed<A extends Actor | null = Actor> = Work & { actor: A }

/** Runs `work` in one transaction of its own. The pipeline does this for each write call; jobs and commands do it for each item. */
export async function transact<Given extends Pick<Services, 'db'> & Partial<Pick<Services, 'writeLine'>>, Extra extends object, T>(
  services: Given,
  extra: Extra & { now: Date },
  work: (deed: Omit<Given, 'db'> & Pick<Work, 'db' | 'now' | 'afterCommit'> & Extra) => Promise<T>,
): Promise<T> {
  const after: (() => Promise<unknown>)[] = []
  const result = await services.db
    .transaction()
    .execute((db) => work({ ...services, ...extra, db, afterCommit: (run) => void after.push(run) }))
  const runs = await Promise.allSettled(after.map(async (run) => run()))
  for (const run of runs)
    if (run.status === 'rejected') services.writeLine?.(`Something failed after its write was stored: ${String(run.reason)}`)
  return result
}

/** Runs the queries of a read in one repeatable-read snapshot, so that what they find fits together whatever is written meanwhile. */
export const inOneSnapshot = <T>(db: Db, run: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(run)

/** What a read has at hand, or a write whose contract says `transaction: 'own'`: the pool. */
export type Context<A extends Actor | null = Actor> = Services &
  Caller<A> & {
    now: Date
    /**
     * Stores the client's key with this answer in the transaction of a write, before the call waits for something slow: whoever repeats the call
     * meanwhile, or after the process has died, gets the answer and no second write.
     */
    claimAnswer?: (db: Tx, answer: unknown) => Promise<void>
  }
