import { userType } from '#shared/account/rules.ts'
import { permissionsFor } from '#shared/account/permissions.ts'
import type { Actor } from '#server/actor/actor.ts'
import type { Db } from '#server/db/connect.ts'

const roleOf = {
  [userType.lessee]: 'leaseholder',
  [userType.project]: 'projectUser',
  [userType.lessor]: 'leaser',
  [userType.operator]: 'operator',
} as const

/** Somebody of the market as the product sees them when they are signed in. */
export async function actorOf(db: Db, who: { id: number } | { userName: string }): Promise<Actor> {
  const { id, duties, ...account } = await db
    .selectFrom('account')
    .where((eb) => eb.and(who))
    .select(['id', 'userName', 'userType', 'companyId', 'deptId', 'isAdmin', 'duties'])
    .executeTakeFirstOrThrow()
  const role = roleOf[account.userType as keyof typeof roleOf]
  return {
    ...account,
    accountId: id,
    role,
    contractRole: role,
    permissions: permissionsFor(role, duties, account.isAdmin),
    setup: null,
    address: '127.0.0.1',
  }
}
