import { createHash } from 'node:crypto'
import { permissionsOf, roleOf, type Permission, type Role } from '#shared/account/rules.ts'
import type { Read } from '../db/connect.ts'

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
}

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

export async function findActor(db: Read, token: string, now: Date): Promise<Actor | null> {
  const row = await db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.accountId')
    .leftJoin('dept', 'dept.id', 'account.deptId')
    .where('session.tokenHash', '=', hashToken(token))
    .where('session.expiresAt', '>', now.toISOString())
    .where('account.status', '=', '0')
    .where('account.delFlag', '=', '0')
    .select([
      'account.id as accountId',
      'account.userName',
      'account.userType',
      'account.auditStatus',
      'account.deptId',
      'account.isAdmin',
      'account.companyId as ownCompanyId',
      'dept.companyId as deptCompanyId',
    ])
    .executeTakeFirst()
  if (!row) return null
  const role = roleOf(row.userType, row.auditStatus)
  return {
    accountId: row.accountId,
    userName: row.userName,
    userType: row.userType,
    role,
    permissions: role ? permissionsOf[role] : [],
    companyId: row.deptCompanyId ?? row.ownCompanyId,
    deptId: row.deptId,
    isAdmin: row.isAdmin,
  }
}
