import { loginRules } from '#shared/account/rules.ts'
import { keyedHash } from '../actor/keyed-hash.ts'
import type { Read } from '../db/connect.ts'
import type { Caller } from '../deed.ts'

/** A client as far as it can be recognised: by the id that our own pages send, otherwise by its name only. */
export type Client = Pick<Caller, 'device' | 'agent'>

export const deviceHash = (secret: string, { device, agent }: Client): Buffer =>
  keyedHash(secret, 'device', device ? `device ${device}` : `agent ${agent}`)

/**
 * Whether the account has signed in from this device. A client without an id is none: anybody can send the name of a client. The query runs for
 * an account that does not exist as well, so that the answer takes as long.
 */
export async function isOwnDevice(db: Read, secret: string, accountId: number | undefined, { device, agent }: Client): Promise<boolean> {
  if (!device) return false
  const row = await db
    .selectFrom('device')
    .where('accountId', '=', accountId ?? 0)
    .where('deviceHash', '=', deviceHash(secret, { device, agent }))
    .select('accountId')
    .executeTakeFirst()
  return row !== undefined
}

/** The account that has signed in from this device, of several the oldest. */
export async function findAccountOfDevice(db: Read, secret: string, device: string): Promise<number | null> {
  const row = await db
    .selectFrom('device')
    .where('deviceHash', '=', deviceHash(secret, { device, agent: '' }))
    .orderBy('accountId')
    .limit(1)
    .select('accountId')
    .executeTakeFirst()
  return row?.accountId ?? null
}

/** Remembers the device, with as many others as an account may have. Gives whether the account has others but had not this one. */
export async function rememberDevice(
  { db, now, secret }: { db: Read; now: Date; secret: string },
  accountId: number,
  client: Client,
): Promise<{ hash: Buffer; isNew: boolean }> {
  const hash = deviceHash(secret, client)
  const known = await db.selectFrom('device').where('accountId', '=', accountId).orderBy('seenAt', 'desc').select('deviceHash').execute()
  const oldest = known.slice(loginRules.devices - 1).filter(({ deviceHash: other }) => !other.equals(hash))
  if (oldest.length > 0)
    await db
      .deleteFrom('device')
      .where('accountId', '=', accountId)
      .where(
        'deviceHash',
        'in',
        oldest.map(({ deviceHash: other }) => other),
      )
      .execute()
  await db
    .insertInto('device')
    .values({ accountId, deviceHash: hash, seenAt: now })
    .onConflict((conflict) => conflict.columns(['accountId', 'deviceHash']).doUpdateSet({ seenAt: now }))
    .execute()
  return { hash, isNew: known.length > 0 && !known.some(({ deviceHash: other }) => other.equals(hash)) }
}

/** Forgets the account's devices but that of the session with this token: after a new password the others prove themselves anew. */
export async function forgetDevices(db: Read, accountId: number, tokenHash: Buffer | null): Promise<void> {
  let query = db.deleteFrom('device').where('accountId', '=', accountId)
  if (tokenHash)
    query = query.where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('session')
            .where('session.tokenHash', '=', tokenHash)
            .whereRef('session.deviceHash', '=', 'device.deviceHash')
            .select('session.id'),
        ),
      ),
    )
  await query.execute()
}
