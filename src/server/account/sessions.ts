import { randomBytes } from 'node:crypto'
import { loginRules, type SignInWay } from '#shared/account/rules.ts'
import type { Db, Read } from '../db/connect.ts'
import type { Hub } from '../message/hub.ts'
import { hashToken } from '../actor/hash.ts'

export type From = { address: string; agent: string }

/** A new session; `deptId` where its person stands in another project department than his first. */
export async function insertSession(db: Read, accountId: number, from: From, now: Date, deptId: number | null = null): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('session')
    .values({
      tokenHash: hashToken(token),
      accountId,
      createdAt: now,
      expiresAt: new Date(now.getTime() + loginRules.sessionMinutes * 60_000),
      address: from.address,
      agent: from.agent.slice(0, 200),
      deptId,
    })
    .execute()
  return token
}

export async function insertSignIn(db: Read, accountId: number, way: SignInWay, succeeded: boolean, from: From, now: Date): Promise<void> {
  await db
    .insertInto('signIn')
    .values({ accountId, at: now, way, succeeded, address: from.address, agent: from.agent.slice(0, 200) })
    .execute()
}

export async function endSessionOfToken(db: Db, hub: Hub, token: string): Promise<void> {
  await endSessions(
    db,
    hub,
    (await db.selectFrom('session').where('tokenHash', '=', hashToken(token)).select('id').execute()).map(({ id }) => id),
  )
}

/** Ends sessions and their websockets everywhere. */
async function endSessions(db: Read, hub: Hub, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0
  const ended = await db.deleteFrom('session').where('id', 'in', ids).returning('tokenHash').execute()
  for (const { tokenHash } of ended) await hub.endSession(db, tokenHash)
  return ended.length
}

/** All of an account's but the one of `keep`; how many ended. */
export async function endSessionsOf(db: Read, hub: Hub, accountId: number, keep: string | null): Promise<number> {
  let query = db.selectFrom('session').where('accountId', '=', accountId)
  if (keep) query = query.where('tokenHash', '<>', hashToken(keep))
  return endSessions(
    db,
    hub,
    (await query.select('id').execute()).map(({ id }) => id),
  )
}

export async function endOneSession(db: Read, hub: Hub, accountId: number, id: number): Promise<boolean> {
  const own = await db.selectFrom('session').where('accountId', '=', accountId).where('id', '=', id).select('id').executeTakeFirst()
  return own !== undefined && (await endSessions(db, hub, [id])) > 0
}

export async function findSessions(db: Read, accountId: number, token: string, now: Date) {
  const rows = await db
    .selectFrom('session')
    .where('accountId', '=', accountId)
    .where('expiresAt', '>', now.toISOString())
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(50)
    .select(['id', 'tokenHash', 'createdAt', 'expiresAt', 'address', 'agent'])
    .execute()
  const own = hashToken(token)
  return rows.map(({ tokenHash, ...row }) => ({ ...row, current: tokenHash.equals(own) }))
}

export async function findSignIns(db: Read, accountId: number, { pageNum, pageSize }: { pageNum: number; pageSize: number }) {
  const query = db.selectFrom('signIn').where('accountId', '=', accountId)
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await query
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((pageNum - 1) * pageSize)
    .select(['id', 'at', 'way', 'succeeded', 'address', 'agent'])
    .execute()
  return { total, rows: rows.map((row) => ({ ...row, way: row.way as SignInWay })) }
}
