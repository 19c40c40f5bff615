import { createHash } from 'node:crypto'
import type { Db, Tx } from '../db/connect.ts'
import { Refusal } from './refusal.ts'

/** What a client may send as `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). */
export const validKey = /^[\w-]{8,64}$/

type Answer = Record<string, unknown>
type Claim = { accountId: number; key: string; hash: Buffer; now: Date }

export const requestHash = (url: string, body: unknown): Buffer =>
  createHash('sha256')
    .update(`${url}\n${JSON.stringify(body ?? null)}`)
    .digest()

/**
 * Runs a creating call once for a key of this account; the second time gives the first answer. The claim is written in the first
 * transaction of the deed: both are there or neither, whatever is killed when. Two at once: the second waits for the first.
 */
export async function once(db: Db, claim: Claim, run: (db: Db) => Promise<{ body: Answer; http: number }>) {
  const before = await answerOf(db, claim)
  if (before) return { body: before, http: 200 }
  let claimed = false
  const insertClaim = async (tx: Db | Tx, answer: Answer | null) => {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('idempotency')
      .values({
        accountId: claim.accountId,
        key: claim.key,
        requestHash: claim.hash,
        answer: answer && JSON.stringify(answer),
        at: claim.now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (!numInsertedOrUpdatedRows) throw new Refusal('done_already')
  }
  const outcome = await run(
    claiming(db, async (tx) => {
      if (claimed) return
      await insertClaim(tx, null)
      claimed = true
    }),
  )
  if (outcome.body.code === 409) {
    const theirs = await answerOf(db, claim)
    if (theirs) return { body: theirs, http: 200 }
  }
  if (outcome.body.code !== 200) return outcome
  if (claimed)
    await db
      .updateTable('idempotency')
      .set({ answer: JSON.stringify(outcome.body) })
      .where('accountId', '=', claim.accountId)
      .where('key', '=', claim.key)
      .execute()
  // A deed of one statement, without a transaction: known from here on.
  else await insertClaim(db, outcome.body)
  return outcome
}

/** What was answered the first time; null when the key is new. */
async function answerOf(db: Db, { accountId, key, hash }: Claim): Promise<Answer | null> {
  const row = await db
    .selectFrom('idempotency')
    .where('accountId', '=', accountId)
    .where('key', '=', key)
    .select(['requestHash', 'answer'])
    .executeTakeFirst()
  if (!row) return null
  if (!row.requestHash.equals(hash)) throw new Refusal('key_reused')
  // Done, but the process ended before it could say so.
  if (!row.answer) throw new Refusal('done_already')
  return row.answer as Answer
}

const waiting = new WeakSet<Db>()

/** Whether the first transaction has a claim to write: then a deed of one statement needs one as well, or it could be done twice. */
export const hasClaim = (db: Db): boolean => waiting.has(db)

/** The database as handlers know it; its first transaction begins with the claim. */
function claiming(db: Db, claim: (tx: Tx) => Promise<void>): Db {
  const claimed = new Proxy(db, {
    get(target, name) {
      if (name === 'transaction')
        return () => ({
          execute: <T>(work: (tx: Tx) => Promise<T>) =>
            target.transaction().execute(async (tx) => {
              await claim(tx)
              return work(tx)
            }),
        })
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  waiting.add(claimed)
  return claimed
}
