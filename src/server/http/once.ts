import type { Read } from '../db/connect.ts'
import { Refusal } from './refusal.ts'

/** What a client may send as `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). */
export const validKey = /^[\w-]{8,64}$/

type Answer = Record<string, unknown>
/** `hash`: a keyed hash of the request, which may hold a password. */
export type Claim = { accountId: number; key: string; hash: Buffer; now: Date }

/** Whether the key was free and holds this answer now. A call under the same key at the same time waits here until the other's transaction ends. */
export async function claimKey(db: Read, { accountId, key, hash, now }: Claim, answer: Answer): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('idempotency')
    .values({ accountId, key, requestHash: hash, answer: JSON.stringify(answer), at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return Boolean(numInsertedOrUpdatedRows)
}

/** Stores another answer under the key that this call has claimed; false where it holds none, because its transaction was rolled back. */
export async function replaceAnswer(db: Read, { accountId, key, now }: Claim, answer: Answer): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('idempotency')
    .set({ answer: JSON.stringify(answer) })
    .where('accountId', '=', accountId)
    .where('key', '=', key)
    .where('at', '=', now.toISOString())
    .executeTakeFirstOrThrow()
  return Boolean(numUpdatedRows)
}

/** What the call under this key was answered; undefined when the key is free. Refuses a key that another call has used. */
export async function findAnswer(db: Read, { accountId, key, hash }: Claim): Promise<Answer | undefined> {
  const first = await db
    .selectFrom('idempotency')
    .where('accountId', '=', accountId)
    .where('key', '=', key)
    .select(['requestHash', 'answer'])
    .executeTakeFirst()
  if (!first) return undefined
  if (!first.requestHash.equals(hash)) throw new Refusal('key_reused')
  // A row of a version that stored the answer after the transaction: the call was done, its answer was lost.
  if (!first.answer) throw new Refusal('done_already')
  return first.answer
}
