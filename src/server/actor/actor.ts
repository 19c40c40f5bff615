import { sql } from 'kysely'
import { permissionsFor, type Permission, type Role } from '#shared/account/rules.ts'
import { roleOf } from '#shared/certification/rules.ts'
import type { Read } from '../db/connect.ts'
import { hashToken } from './hash.ts'

/** The person behind a request, with what he may do and where. */
export type Actor = {
  accountId: number
  userName: string
  userType: string
  role: Role | null
  permissions: readonly Permission[]
  companyId: number | null
  deptId: number | null
  isAdmin: boolean
  /** Where the request comes from, for the audit log. */
  address: string
}

/** Asked before everything that somebody who has signed in asks. */
const findPerson = (db: Read, tokenHash: Buffer, now: string) =>
  db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.accountId')
    // Where he has switched to, as long as he still belongs there; otherwise his first department.
    .leftJoin('accountDept', (join) =>
      join.onRef('accountDept.accountId', '=', 'account.id').onRef('accountDept.deptId', '=', 'session.deptId'),
    )
    .leftJoin('dept', (join) => join.on('dept.id', '=', sql`coalesce(account_dept.dept_id, account.dept_id)`))
    .leftJoin('company', (join) => join.on('company.id', '=', sql`coalesce(dept.company_id, account.company_id)`))
    .where('session.tokenHash', '=', tokenHash)
    .where('session.expiresAt', '>', now)
    .where('account.status', '=', '0')
    .where('account.delFlag', '=', '0')
    // Of a locked company nobody comes in; the platform's own people belong to none, or only read it.
    .where((eb) => eb.or([eb('company.status', 'is', null), eb('company.status', '=', '0'), eb('account.userType', '=', '8')]))
    .select([
      'account.id as accountId',
      'account.userName',
      'account.userType',
      'account.auditStatus',
      'dept.id as deptId',
      'account.isAdmin',
      'account.duties',
      'account.companyId as ownCompanyId',
      'dept.companyId as deptCompanyId',
    ])
    .executeTakeFirst()

export async function findActor(db: Read, token: string, now: Date, address = ''): Promise<Actor | null> {
  const row = await findPerson(db, hashToken(token), now.toISOString())
  if (!row) return null
  const role = roleOf(row.userType, row.auditStatus)
  return {
    accountId: row.accountId,
    userName: row.userName,
    userType: row.userType,
    role,
    permissions: permissionsFor(role, row.duties, row.isAdmin),
    companyId: row.deptCompanyId ?? row.ownCompanyId,
    deptId: row.deptId,
    isAdmin: row.isAdmin,
    address,
  }
}
