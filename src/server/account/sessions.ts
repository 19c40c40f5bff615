import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { listSignIns as listSignInsCall } from '#shared/account/contract.ts'
import { loginRules, type SignInWay } from '#shared/account/rules.ts'
import { fromMoment, minuteMs } from '#shared/calendar.ts'
import type { Received } from '#shared/endpoint.ts'
import { hashToken } from '../actor/hash.ts'
import type { Read } from '../db/connect.ts'
import { paged } from '../db/paging.ts'
import type { Caller, Work } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'

/** Where and when somebody signs in, or tries to. */
export type Entry = { db: Read; now: Date } & Pick<Caller, 'address' | 'agent'>
/** Ending a session closes its websockets, too. */
type Ending = Pick<Work, 'hub'> & { db: Read }

const maxAgent = 200

/** Stores a new session, which starts now, and gives its token; `deptId` where its person stands in another project department than their first. */
export async function insertSession(
  { db, now, address, agent }: Entry,
  { accountId, deptId = null, deviceHash = null }: { accountId: number; deptId?: number | null; deviceHash?: Buffer | null },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('session')
    .values({
      tokenHash: hashToken(token),
      accountId,
      createdAt: now,
      expiresAt: new Date(now.getTime() + loginRules.sessionMinutes * minuteMs),
      address,
      agent: agent.slice(0, maxAgent),
      deptId,
      deviceHash,
    })
    .execute()
  return token
}

/**
 * Gives the person of a session another token for another project department. It ends when the session would have ended, twelve hours after the
 * sign-in, and it is of the same device: nobody has proved themselves again.
 */
export async function replaceSession(
  entry: Entry & Ending,
  { token, deptId }: { token: string; deptId: number },
): Promise<{ token: string; minutesLeft: number }> {
  const session = await entry.db
    .selectFrom('session')
    .where('tokenHash', '=', hashToken(token))
    .forUpdate()
    .select(['id', 'accountId', 'createdAt', 'deviceHash'])
    .executeTakeFirst()
  // Another call of the same moment has ended it.
  if (!session) throw new Refusal('token_invalid')
  await endSessions(entry, [session])
  const since = fromMoment(session.createdAt)
  const minutesLeft = Math.floor(loginRules.sessionMinutes - (entry.now.getTime() - since.getTime()) / minuteMs)
  return { token: await insertSession({ ...entry, now: since }, { ...session, deptId }), minutesLeft }
}

/** Keeps as many sessions as an account may have; the oldest ones end. */
export async function endOldestSessions(ending: Ending, accountId: number): Promise<void> {
  const oldest = await ending.db
    .selectFrom('session')
    .where('accountId', '=', accountId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .offset(loginRules.sessions)
    .select('id')
    .execute()
  await endSessions(ending, oldest)
}

/** Records a try to sign in. One at a name that no account has records nothing, in the same statement. */
export async function insertSignIn(
  { db, now, address, agent }: Entry,
  { accountId, way, succeeded }: { accountId: number; way: SignInWay; succeeded: boolean },
): Promise<void> {
  await sql`insert into sign_in (account_id, way, succeeded, at, address, agent)
    select id, ${way}, ${succeeded}, ${now}, ${address}, ${agent.slice(0, maxAgent)} from account where id = ${accountId}`.execute(db)
}

export async function endSessionOfToken(ending: Ending, token: string): Promise<void> {
  const sessions = await ending.db.selectFrom('session').where('tokenHash', '=', hashToken(token)).select('id').execute()
  await endSessions(ending, sessions)
}

/** Ends an account's sessions, all but the one of `except`, and its sign-ins that wait for a second factor. Gives the number of sessions. */
export async function endSessionsOf(ending: Ending, accountId: number, except: string | null = null): Promise<number> {
  await ending.db.deleteFrom('signInTicket').where('accountId', '=', accountId).execute()
  let query = ending.db.selectFrom('session').where('accountId', '=', accountId)
  if (except) query = query.where('tokenHash', '<>', hashToken(except))
  return endSessions(ending, await query.select('id').execute())
}

/** Ends one of the account's own sessions. */
export async function endOneSession(ending: Ending, accountId: number, id: number): Promise<void> {
  const own = await ending.db.selectFrom('session').where('accountId', '=', accountId).where('id', '=', id).select('id').execute()
  if ((await endSessions(ending, own)) === 0) throw new Refusal('not_found')
}

/** Ends sessions and their websockets in every process. */
async function endSessions({ db, hub }: Ending, sessions: readonly { id: number }[]): Promise<number> {
  if (sessions.length === 0) return 0
  const ids = sessions.map(({ id }) => id)
  const ended = await db.deleteFrom('session').where('id', 'in', ids).returning('tokenHash').execute()
  for (const { tokenHash } of ended) await hub.endSession(db, tokenHash)
  return ended.length
}

/** The account's open sessions; `current` is the one of the token. */
export async function listSessions({ db, now }: Pick<Entry, 'db' | 'now'>, accountId: number, token: string) {
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

export function listSignIns(db: Read, accountId: number, paging: Received<typeof listSignInsCall>['query']) {
  return paged(db.selectFrom('signIn').where('accountId', '=', accountId), paging, (query) =>
    query.orderBy('id', 'desc').select(['id', 'at', 'way', 'succeeded', 'address', 'agent']),
  )
}
