import { sql } from 'kysely'
import { accountStatus, setupOf, userType, type Role, type SetupStep, type UserType } from '#shared/account/rules.ts'
import { permissionsFor, permissionsLeft, type Permission } from '#shared/account/permissions.ts'
import { dayMs, toMoment } from '#shared/calendar.ts'
import { contractRoleOf, roleOf } from '#shared/certification/rules.ts'
import { companyStatus } from '#shared/company/rules.ts'
import { delFlag } from '#shared/rules.ts'
import type { Read, Tx } from '../db/connect.ts'
import { compiledOnce } from '../db/driver/compiled.ts'
import { Refusal } from '../http/refusal.ts'
import { hashToken } from './hash.ts'
import { companyOfAccount } from './scope.ts'

/** The person behind a request, with their permissions and their place. */
export type Actor = {
  accountId: number
  userName: string
  userType: UserType
  role: Role | null
  /** The role in which they go on with contracts: their role, or the one they had until their certification ran out. */
  contractRole: Role | null
  permissions: readonly Permission[]
  companyId: number | null
  deptId: number | null
  isAdmin: boolean
  /** What they have to do before anything else is answered. */
  setup: SetupStep | null
  /** Where the request comes from, for the audit log. */
  address: string
}

/** The sessions whose person may act now. */
const livePeople = (db: Read, now: string) =>
  db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.accountId')
    // The department they have switched to, as long as they still belong there; otherwise their first one.
    .leftJoin('accountDept', (join) =>
      join.onRef('accountDept.accountId', '=', 'account.id').onRef('accountDept.deptId', '=', 'session.deptId'),
    )
    .leftJoin('dept', (join) => join.on('dept.id', '=', sql`coalesce(account_dept.dept_id, account.dept_id)`))
    .leftJoin('company', (join) => join.on('company.id', '=', companyOfAccount))
    .where('session.expiresAt', '>', now)
    .where('account.status', '=', accountStatus.active)
    .where('account.delFlag', '=', delFlag.present)
    // Nobody of a locked company signs in; the platform's own people belong to none, or only read it.
    .where((eb) =>
      eb.or([
        eb('company.status', 'is', null),
        eb('company.status', '=', companyStatus.active),
        eb('account.userType', '=', userType.auditor),
      ]),
    )

/** Runs before every call of somebody who has signed in. `tokenHash`: in hex. */
const findPerson = compiledOnce((db, { tokenHash, now }: { tokenHash: string; now: string }) =>
  livePeople(db, now)
    .leftJoin('secondFactor', 'secondFactor.accountId', 'account.id')
    .where('session.tokenHash', '=', sql<Buffer>`decode(${tokenHash}, 'hex')`)
    .select([
      'account.id as accountId',
      'account.userName',
      'account.userType',
      'account.auditStatus',
      'account.driverOnly',
      'account.revoked',
      'dept.id as deptId',
      'account.isAdmin',
      'account.duties',
      'account.companyId as ownCompanyId',
      'account.mustChangePassword',
      'account.passwordUpdatedAt',
      sql<number | null>`(select value -> 'passwordDays' from setting where key = 'security')`.as('passwordDays'),
      'secondFactor.confirmedAt as factorSince',
      'dept.companyId as deptCompanyId',
      'company.lessorAudit',
      'company.lesseeAudit',
    ]),
)

/** Those of the sessions that still hold, as the hex of their token's hash. */
export async function findLiveSessions({ db, now }: { db: Read; now: Date }, tokenHashes: readonly Buffer[]): Promise<Set<string>> {
  const rows = await livePeople(db, now.toISOString())
    .where('session.tokenHash', '=', sql<Buffer>`any(${tokenHashes}::bytea[])`)
    .select('session.tokenHash')
    .execute()
  return new Set(rows.map(({ tokenHash }) => tokenHash.toString('hex')))
}

/** The actor of a session's token; null where the session has ended or its account may not sign in. */
export async function findActor(
  { db, now, isDemo, address = '' }: { db: Read; now: Date; isDemo: boolean; address?: string },
  token: string,
): Promise<Actor | null> {
  const [row] = await findPerson(db, { tokenHash: hashToken(token).toString('hex'), now: now.toISOString() })
  if (!row) return null
  const companyId = row.deptCompanyId ?? row.ownCompanyId
  const role = roleOf(row, row)
  const contractRole = contractRoleOf({ ...row, companyId }, row)
  return {
    accountId: row.accountId,
    userName: row.userName,
    userType: row.userType,
    role,
    contractRole,
    permissions: role === null ? permissionsLeft(contractRole) : permissionsFor(role, row.duties, row.isAdmin),
    companyId,
    deptId: row.deptId,
    isAdmin: row.isAdmin,
    setup: setupOf(
      { ...row, mustChangePassword: row.mustChangePassword || isPasswordExpired(row, now), hasSecondFactor: row.factorSince !== null },
      isDemo,
    ),
    address,
  }
}

/** The person in the role in which they go on with contracts. */
export const withContracts = (actor: Actor): Actor => ({ ...actor, role: actor.contractRole })

/** Whether the password is older than the setting "security" allows. It allows every age where it is 0 or absent. */
const isPasswordExpired = (
  { passwordUpdatedAt, passwordDays: days }: { passwordUpdatedAt: string; passwordDays: number | null },
  now: Date,
): boolean => days !== null && days > 0 && passwordUpdatedAt < toMoment(new Date(now.getTime() - days * dayMs))

/**
 * Lets writes of one account that count before they add be one after the other, so that together they add no more than they may. Sessions begin and end
 * under this lock as well.
 */
export async function lockAccountRow(db: Tx, accountId: number): Promise<void> {
  await db.selectFrom('account').where('id', '=', accountId).forNoKeyUpdate().select('id').execute()
}

/**
 * Holds the caller's account until what is theirs from now on is stored: whoever removes them waits and then finds it, and where they were removed since
 * the call began it is refused. Nothing is added of which nobody is the contact.
 */
export async function holdOwnAccount(db: Tx, accountId: number): Promise<void> {
  const account = await db
    .selectFrom('account')
    .where('id', '=', accountId)
    .where('delFlag', '=', delFlag.present)
    .forShare()
    .select('id')
    .executeTakeFirst()
  if (!account) throw new Refusal('token_invalid')
}
