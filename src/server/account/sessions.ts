import { randomBytes } from 'node:crypto'
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { listSignIns as listSignInsCall } from '#shared/account/contract.ts'
import { loginRules, type SignInWay } from '#shared/account/rules.ts'
import { fromMoment, minuteMs } from '#shared/calendar.ts'
import type { Received } from '#shared/endpoint.ts'
import { lockAccountRow } from '../actor/actor.ts'
import { hashToken } from '../actor/hash.ts'
import type { Read, Tx } from '../db/connect.ts'
import { paged } from '../db/paging.ts'
import type { DB } from '../db/tables.generated.ts'
import type { Caller, Deed, Work } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'

/** Where and when somebody signs in, or tries to. */
export type Entry = { db: Read; now: Date } & Pick<Caller, 'address' | 'agent'>
/** Ending a session closes its websockets, too. */
type Ending = Pick<Work, 'hub'> & { db: Tx }

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
 * sign-in, and it is of the same device: nobody has proved themselves again. Under the lock of the account, so that whatever ends all its sessions
 * ends the new one, too.
 */
export async function replaceSession(
  entry: Entry & Ending,
  { accountId, token, deptId }: { accountId: number; token: string; deptId: number },
): Promise<{ token: string; minutesLeft: number }> {
  await lockAccountRow(entry.db, accountId)
  const session = await entry.db
    .selectFrom('session')
    .where('tokenHash', '=', hashToken(token))
    .where('accountId', '=', accountId)
    .select(['id', 'accountId', 'createdAt', 'deviceHash'])
    .executeTakeFirst()
  // Another call of the same moment has ended it.
  if (!session || (await endSessions(entry, (eb) => eb('id', '=', session.id))) === 0) throw new Refusal('token_invalid')
  const since = fromMoment(session.createdAt)
  const minutesLeft = Math.floor(loginRules.sessionMinutes - (entry.now.getTime() - since.getTime()) / minuteMs)
  return { token: await insertSession({ ...entry, now: since }, { ...session, deptId }), minutesLeft }
}

/** Keeps as many sessions as an account may have; the oldest ones end. */
export async function endOldestSessions(ending: Ending, accountId: number): Promise<void> {
  await endSessions(ending, (eb) =>
    eb(
      'id',
      'in',
      eb
        .selectFrom('session')
        .where('accountId', '=', accountId)
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .offset(loginRules.sessions)
        .select('id'),
    ),
  )
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
  await endSessions(ending, (eb) => eb('tokenHash', '=', hashToken(token)))
}

/**
 * Ends an account's sessions, all but the one of `except`, and its sign-ins that wait for a second factor. Gives the number of sessions. Under the lock
 * of the account, as each session begins: one that a sign-in or a switch of this moment begins is there already and ends as well, or begins later.
 */
export async function endSessionsOf(ending: Ending, accountId: number, except: string | null = null): Promise<number> {
  await lockAccountRow(ending.db, accountId)
  await ending.db.deleteFrom('signInTicket').where('accountId', '=', accountId).execute()
  return endSessions(ending, (eb) =>
    eb.and([eb('accountId', '=', accountId), ...(except ? [eb('tokenHash', '<>', hashToken(except))] : [])]),
  )
}

/** Ends all sessions of many accounts in a few statements, as `endSessionsOf` does of one. They are locked in the order of their ids. */
export async function endSessionsOfAll(ending: Ending, accountIds: readonly number[]): Promise<void> {
  const { db } = ending
  const ids = sql<number[]>`${[...accountIds]}::bigint[]`
  await sql`select from account where id = any(${ids}) order by id for no key update`.execute(db)
  await sql`delete from sign_in_ticket where account_id = any(${ids})`.execute(db)
  await endSessions(ending, (eb) => sql<SqlBool>`${eb.ref('accountId')} = any(${ids})`)
}

/** Ends one of the account's own sessions. */
export async function endOneSession(deed: Pick<Deed, 'db' | 'hub' | 'actor'>, id: number): Promise<void> {
  const { accountId } = deed.actor
  if ((await endSessions(deed, (eb) => eb.and([eb('accountId', '=', accountId), eb('id', '=', id)]))) === 0) throw new Refusal('not_found')
}

/** Ends the sessions that fit and their websockets in every process. */
async function endSessions({ db, hub }: Ending, fits: (eb: ExpressionBuilder<DB, 'session'>) => Expression<SqlBool>): Promise<number> {
  const ended = await db.deleteFrom('session').where(fits).returning('tokenHash').execute()
  await hub.endSessions(
    db,
    ended.map(({ tokenHash }) => tokenHash),
  )
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
