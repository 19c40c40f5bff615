import type { CurrentUser, UserInfo } from '#shared/account/contract.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { delFlag, enableStatus } from '#shared/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { companyOfAccount } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import type { Deed } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { columnsOfEntry } from './sign-in.ts'

/** The current user on the wire; before certification with the names the specification gives. */
export async function getUserInfo(db: Read, actor: Actor, { siteName, text }: { siteName: string; text: Text }): Promise<UserInfo> {
  const row = await db
    .selectFrom('account')
    .leftJoin('dept', (join) => join.on('dept.id', '=', actor.deptId))
    .leftJoin('company', (join) => join.on('company.id', '=', companyOfAccount))
    .where('account.id', '=', actor.accountId)
    .select([
      'account.id as userId',
      'account.userName',
      'account.nickName',
      'account.name',
      'account.phonenumber',
      'dept.id as deptId',
      'account.createTime',
      'account.userType',
      'account.isAdmin',
      'account.certSign',
      'account.auditStatus',
      'account.mustChangePassword',
      'dept.deptName',
      'dept.projectName',
      'dept.leader',
      'company.id as companyId',
      'company.enterpriseName',
    ])
    .executeTakeFirstOrThrow()
  const depts = await db
    .selectFrom('accountDept')
    .innerJoin('dept', 'dept.id', 'accountDept.deptId')
    .where('accountDept.accountId', '=', actor.accountId)
    .where('dept.delFlag', '=', delFlag.present)
    // Nobody switches to one that is switched off; whoever is there already sees where they are.
    .where((eb) => eb.or([eb('dept.status', '=', enableStatus.enabled), eb('dept.id', '=', actor.deptId)]))
    .orderBy('dept.id')
    .select(['dept.id as deptId', 'dept.deptName'])
    .execute()
  const { defaults } = text.account
  const certified = actor.role !== null
  // The platform's own people belong to no company, and are not waiting for a certification either.
  const nowhere = certified ? siteName : defaults.deptName
  const user: CurrentUser = {
    userId: row.userId,
    userName: row.userName,
    nickName: row.nickName || (certified ? row.name : siteName),
    name: certified ? row.name : defaults.name,
    phonenumber: row.phonenumber ?? '',
    deptId: row.deptId,
    dept: {
      deptId: row.deptId,
      deptName: row.deptName ?? row.enterpriseName ?? nowhere,
      name: certified ? (row.projectName ?? row.deptName ?? row.enterpriseName ?? nowhere) : defaults.deptName,
      leader: row.leader ?? '',
    },
    createTime: row.createTime,
    userType: row.userType,
    isAdmin: row.isAdmin,
    companyId: row.companyId,
    companyName: row.enterpriseName ?? '',
    certSign: row.certSign,
    auditStatus: Number(row.auditStatus),
    deptList: depts,
  }
  return {
    permissions: [...actor.permissions],
    roles: actor.role ? [actor.role] : [],
    contractRole: actor.contractRole,
    user,
    isDefaultModifyPwd: row.mustChangePassword,
    setup: actor.setup,
    isPasswordExpired: actor.setup === 'password' && !row.mustChangePassword,
  }
}

export async function updateNickname({ db, actor }: Deed, { nickName }: { nickName: string }): Promise<void> {
  await db.updateTable('account').set({ nickName }).where('id', '=', actor.accountId).execute()
}

/** The project department that the person may switch to, with what signing in needs of their account. */
export async function getSwitch({ db, actor }: Deed, deptId: number) {
  const account = await db
    .selectFrom('account')
    .innerJoin('accountDept', 'accountDept.accountId', 'account.id')
    .innerJoin('dept', 'dept.id', 'accountDept.deptId')
    .where('account.id', '=', actor.accountId)
    .where('dept.id', '=', deptId)
    .where('dept.status', '=', enableStatus.enabled)
    .where('dept.delFlag', '=', delFlag.present)
    .select(columnsOfEntry)
    .executeTakeFirst()
  if (!account) throw new Refusal('not_found')
  return account
}

export async function getOwnPhone(db: Read, accountId: number): Promise<string> {
  const { phonenumber } = await db.selectFrom('account').where('id', '=', accountId).select('phonenumber').executeTakeFirstOrThrow()
  return phonenumber ?? ''
}

/** Whether the database holds the demo: its sign-ins are offered then. */
export async function isDemo(db: Read): Promise<boolean> {
  return (await db.selectFrom('setting').where('key', '=', 'demo').select('key').executeTakeFirst()) !== undefined
}
