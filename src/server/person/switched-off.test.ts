import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { getUserInfo, refreshProject, webLogin } from '#shared/account/contract.ts'
import { lockAccount, unlockAccount } from '#shared/account/manage.ts'
import { switchDept } from '#shared/dept/contract.ts'
import * as contract from '#shared/person/contract.ts'
import { enableStatus } from '#shared/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld, password, passwordHash, type Person } from '#test/world.ts'

const world = await openWorld()
const { db, cast, clock, depts, letters } = world
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const edit = async (by: Person, id: number, change: object) => {
  const { data } = await by.call(contract.getPerson, { params: { id } })
  const { userId, name, phonenumber, deptIds, isAdmin, driverOnly, version } = data
  return by.call(contract.editPerson, { body: { userId, name, phonenumber, deptIds, isAdmin, driverOnly, version, ...change } })
}
const statusOf = async (id: number) =>
  (await db.selectFrom('account').where('id', '=', id).select('status').executeTakeFirstOrThrow()).status

let names = 0
/** A person of the projects, whose first one is switched off. */
async function givenStayed(...others: number[]) {
  const { companyId } = cast.lessee
  const dept = { companyId, parentId: depts.unit, ancestors: [depts.root, depts.unit], provinceId: 510_000, cityId: 510_100 }
  const { id: deptId } = await db
    .insertInto('dept')
    .values({ ...dept, deptName: `已停用项目${++names}`, projectName: '已停用项目', projectType: 'railway', deptType: '3' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const person = await world.givenPerson({ userType: '3', certSign: 3, deptId, companyId }, `stayed${names}`)
  for (const id of [deptId, ...others]) await db.insertInto('accountDept').values({ accountId: person.id, deptId: id }).execute()
  expect((await cast.lessee.call(switchDept, { params: { id: deptId }, body: { status: enableStatus.disabled } })).code).toBe(200)
  return { person, deptId }
}

describe('a person whose project department was switched off', () => {
  test('is locked, unlocked, given a new password and moved, and nobody else is put there', async () => {
    const { person, deptId } = await givenStayed()
    expect((await edit(cast.lessee, person.id, { status: '1' })).code).toBe(200)
    expect((await edit(cast.lessee, person.id, { status: '0' })).code).toBe(200)
    letters.length = 0
    expect((await edit(cast.lessee, person.id, { resetPassword: true })).code).toBe(200)
    expect(letters).toHaveLength(1)
    expect((await edit(cast.lessee, person.id, { deptIds: [depts.projectDept] })).code).toBe(200)
    expect(refusedFields((await edit(cast.lessee, person.id, { deptIds: [deptId] })).data)).toEqual(['deptIds'])
  })

  test('is offered the other ones to switch to, and none that is switched off', async () => {
    const { person, deptId } = await givenStayed(depts.projectDept, depts.otherDept)
    const offered = async (by = person.call) => (await by(getUserInfo, {})).data.user.deptList.map((dept) => dept.deptId).toSorted()
    expect(await offered()).toEqual([depts.projectDept, depts.otherDept, deptId].toSorted())
    const { data } = await person.call(refreshProject, { params: { id: depts.otherDept } })
    const there = world.caller(data.access_token)
    expect(await offered(there)).toEqual([depts.projectDept, depts.otherDept].toSorted())
    expect((await there(refreshProject, { params: { id: deptId } })).code).toBe(404)
  })
})

describe('whom the platform has locked', () => {
  const body = { reason: '冒用他人身份' }
  test('no administrator of the company unlocks, and a lock of their own they lift; both are logged', async () => {
    const colleague = await world.givenPerson({ userType: '4', certSign: 1, companyId: cast.lessor.companyId }, 'lockedbyplatform')
    const params = { id: colleague.id }
    await db.updateTable('account').set({ passwordHash }).where('id', '=', colleague.id).execute()
    expect((await cast.operator.call(lockAccount, { params, body })).code).toBe(200)
    expect((await edit(cast.lessor, colleague.id, { status: '0' })).msg).toBe(zhCn.refusal.platform_locked)
    expect((await edit(cast.lessor, colleague.id, { name: '改了名' })).code).toBe(200)
    expect(await statusOf(colleague.id)).toBe('1')
    const isOffByPlatform = async () => (await cast.lessor.call(contract.getPerson, { params })).data.platformLocked
    expect(await isOffByPlatform()).toBe(true)
    const signIn = () => cast.visitor.call(webLogin, { body: { username: 'lockedbyplatform', password } })
    expect((await signIn()).msg).toBe(zhCn.refusal.account_disabled)
    expect((await cast.operator.call(unlockAccount, { params, body })).code).toBe(200)
    expect((await signIn()).code).toBe(200)
    expect(await isOffByPlatform()).toBe(false)
    for (const status of ['1', '0'])
      expect([(await edit(cast.lessor, colleague.id, { status })).code, await isOffByPlatform()]).toEqual([200, false])
    expect(await statusOf(colleague.id)).toBe('0')
    const log = await db
      .selectFrom('auditLog')
      .where('bizType', '=', 'account')
      .where('bizId', '=', String(colleague.id))
      .orderBy('seq')
      .select(['action', 'who'])
      .execute()
    expect(log.map(({ action, who }) => `${who} ${action}`)).toEqual([
      'operator account.lock',
      'operator account.unlock',
      'lessor account.lock',
      'lessor account.unlock',
    ])
  })
})
