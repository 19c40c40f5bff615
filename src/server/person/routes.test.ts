import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { getUserInfo, webLogin } from '#shared/account/contract.ts'
import { maskPhone, smsRules } from '#shared/account/rules.ts'
import { editDept, listDepts } from '#shared/dept/contract.ts'
import * as contract from '#shared/person/contract.ts'
import { whileHeld } from '#test/held-rows.ts'
import { monday, openWorld } from '#test/world.ts'
import { insertSession } from '../account/sessions.ts'
import { wordsOf } from '../outbox/queries.ts'

const world = await openWorld()
const { db, cast, depts, letters, clock } = world
afterAll(() => world.close())
beforeEach(() => {
  clock.set(monday)
  letters.length = 0
})
// Where people live with their departments, as the organisation pages keep them.
for (const [person, dept] of [
  [cast.project, depts.projectDept],
  [cast.otherProject, depts.otherDept],
  [cast.lessee, depts.root],
  [cast.stranger, depts.strangerDept],
] as const)
  await db.insertInto('accountDept').values({ accountId: person.id, deptId: dept }).execute()

let phones = 0
const phone = () => `144770000${String(++phones).padStart(2, '0')}`
const add = (more: object = {}, by = cast.lessee) =>
  by.call(contract.addPerson, { body: { name: '新来的', phonenumber: phone(), deptIds: [depts.projectDept], ...more } })
const password = () => letters.at(-1)?.params.find(([name]) => name === 'password')?.[1] ?? ''

/** The administrator of the unit, below the group's. */
const { id: unitAdmin } = await db
  .insertInto('account')
  .values({
    userName: 'unitadmin',
    name: '单位管理员',
    passwordHash: 'none',
    userType: '2',
    auditStatus: '2',
    certSign: 2,
    isAdmin: true,
    deptId: depts.unit,
    companyId: cast.lessee.companyId,
    createTime: monday,
  })
  .returning('id')
  .executeTakeFirstOrThrow()
const unit = {
  ...cast.lessee,
  id: unitAdmin,
  call: world.caller(
    await insertSession({ db, now: new Date(monday.getTime() + 30 * 86_400_000), address: '', agent: '' }, { accountId: unitAdmin }),
  ),
}

test('the SMS with a first password names the site, and where to sign in if the site has an address', async () => {
  const words = (publicUrl: string | undefined) =>
    wordsOf(
      { template: 'firstPassword', phonenumber: '13900000000', userName: 'wanggong', password: 'x' },
      { ...world.services.config, publicUrl },
    ).content
  expect(words('https://market.example')).toContain('https://market.example/login')
  expect(words(undefined)).toContain(world.services.config.site.name)
  expect(words(undefined)).not.toContain('http')
})

test('[S7.2] addUser: a first password by SMS that must be changed; the role follows the department', async () => {
  const { data, code } = await add({ userName: 'wanggong', deptIds: [depts.projectDept, depts.otherDept] })
  expect([code, data.userName]).toEqual([200, 'wanggong'])
  expect(letters.at(-1)).toMatchObject({
    template: 'firstPassword',
    params: [
      ['name', 'wanggong'],
      ['password', expect.stringMatching(/^\S{10}$/)],
    ],
  })
  const { data: signedIn } = await cast.visitor.call(webLogin, { body: { username: 'wanggong', password: password() } })
  const me = (await world.caller(signedIn.access_token)(getUserInfo, {})).data
  expect(me).toMatchObject({ roles: ['projectUser'], isDefaultModifyPwd: true, user: { userType: '3', name: '新来的', isAdmin: false } })
  expect(me.user.deptList.map(({ deptId }) => deptId)).toEqual([depts.projectDept, depts.otherDept])
  const boss = await add({ deptIds: [depts.unit], isAdmin: true })
  expect((await cast.lessee.call(contract.getPerson, { params: { id: boss.data.userId } })).data).toMatchObject({
    userType: '2',
    isAdmin: true,
    deptIds: [depts.unit],
  })
  const machineHand = await add({ deptIds: [] }, cast.lessor)
  expect((await cast.lessor.call(contract.getPerson, { params: { id: machineHand.data.userId } })).data).toMatchObject({
    userType: '4',
    deptId: null,
  })
})

test('[S7.2] what is wrong is said beside its field and nobody is stored', async () => {
  const errors = async (more: object, by = cast.lessee) =>
    ((await add(more, by)).raw.data as { errors: { field: string; message: string }[] }).errors.map(
      ({ field, message }) => `${field} ${message}`,
    )
  const before = await db
    .selectFrom('account')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  expect(await errors({ deptIds: [] })).toEqual(['deptIds 请填写'])
  expect(await errors({ deptIds: [depts.strangerDept] })).toEqual(['deptIds 部门不存在、已停用或不在您的管辖范围内'])
  expect(await errors({ deptIds: [depts.root] }, unit)).toEqual(['deptIds 部门不存在、已停用或不在您的管辖范围内'])
  expect(await errors({ deptIds: [depts.unit, depts.projectDept] })).toEqual(['deptIds 多个部门须都是项目部'])
  expect(await errors({ phonenumber: '14400000002' })).toEqual(['phonenumber 已被使用'])
  expect(await errors({ userName: 'project' })).toEqual(['userName 已被使用'])
  expect(await errors({ userName: '1x' })).toEqual(['userName 以字母开头，2–30 位字母、数字、点、横线或下划线'])
  expect(
    await db
      .selectFrom('account')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow(),
  ).toEqual(before)
  expect(letters).toEqual([])
})

test('[S7.2] editUser: moved, switched off with their pages ended, a new first password', async () => {
  const { data } = await add()
  const first = password()
  const { data: signedIn } = await cast.visitor.call(webLogin, { body: { username: data.userName, password: first } })
  const theirs = world.caller(signedIn.access_token)
  const edit = async (change: object) => {
    const { userId, name, phonenumber, deptIds, isAdmin } = (await cast.lessee.call(contract.getPerson, { params: { id: data.userId } }))
      .data
    return cast.lessee.call(contract.editPerson, { body: { userId, name, phonenumber, deptIds, isAdmin, ...change } })
  }
  expect((await edit({ deptIds: [depts.otherDept], name: '改了名' })).code).toBe(200)
  expect((await theirs(getUserInfo, {})).data.user).toMatchObject({ deptId: depts.otherDept, name: '改了名' })
  expect((await edit({ status: '1' })).code).toBe(200)
  expect((await theirs(getUserInfo, {})).code).toBe(401)
  expect((await cast.visitor.call(webLogin, { body: { username: data.userName, password: first } })).msg).toContain('停用')
  expect((await edit({ status: '0', resetPassword: true })).code).toBe(200)
  expect(password()).not.toBe(first)
  expect((await cast.visitor.call(webLogin, { body: { username: data.userName, password: password() } })).code).toBe(200)
})

describe('an administrator who changes the number or password of a colleague', () => {
  /** A second administrator of the group, who hears of it. */
  const second = async () =>
    world.givenPerson(
      { userType: '2', certSign: 2, isAdmin: true, deptId: depts.root, companyId: cast.lessee.companyId },
      `second${++phones}`,
    )
  const edit = (userId: number, phonenumber: string, more: object = {}) =>
    cast.lessee.call(contract.editPerson, {
      body: { userId, name: '新来的', phonenumber, deptIds: [depts.projectDept], isAdmin: false, ...more },
    })
  const titles = async (id: number) =>
    (await db.selectFrom('message').where('accountId', '=', id).orderBy('id').select('title').execute()).map(({ title }) => title)
  const audits = (id: number) =>
    db
      .selectFrom('auditLog')
      .where('bizType', '=', 'account')
      .where('bizId', '=', String(id))
      .orderBy('seq')
      .select(['action', 'accountId', 'before', 'after'])
      .execute()

  test('of the number: logged, told to the person, the old number and the other administrators; the person is signed out', async () => {
    const other = await second()
    const [before, next] = [phone(), phone()]
    const { data } = await add({ phonenumber: before })
    const { data: signedIn } = await cast.visitor.call(webLogin, { body: { username: data.userName, password: password() } })
    letters.length = 0
    expect((await edit(data.userId, next)).code).toBe(200)
    expect((await world.caller(signedIn.access_token)(getUserInfo, {})).code).toBe(401)
    expect(await db.selectFrom('device').where('accountId', '=', data.userId).select('accountId').execute()).toEqual([])
    expect(letters).toEqual([{ phonenumber: before, template: 'notice', params: [['title', `手机号已更换为${maskPhone(next)}`]] }])
    expect(await titles(data.userId)).toEqual(['手机号已更换'])
    expect(await titles(other.id)).toEqual(['lessee 添加了人员 新来的', 'lessee 更换了 新来的 的手机号'])
    expect(await audits(data.userId)).toMatchObject([
      { action: 'account.add' },
      {
        action: 'account.phone',
        accountId: cast.lessee.id,
        before: { phonenumber: maskPhone(before) },
        after: { phonenumber: maskPhone(next) },
      },
    ])
    const { phoneChangedAt } = await db
      .selectFrom('account')
      .where('id', '=', data.userId)
      .select('phoneChangedAt')
      .executeTakeFirstOrThrow()
    expect(phoneChangedAt).toBe('2026-11-23 10:00:00')
    // Any other change is none of these.
    letters.length = 0
    expect((await edit(data.userId, next, { nickName: '小新' })).code).toBe(200)
    expect([letters, (await audits(data.userId)).length, (await titles(other.id)).length]).toEqual([[], 2, 2])
  })

  test('of the password: logged and told to the same people', async () => {
    const other = await second()
    const number = phone()
    const { data } = await add({ phonenumber: number })
    expect((await edit(data.userId, number, { resetPassword: true })).code).toBe(200)
    expect(letters.at(-1)).toMatchObject({ phonenumber: number, template: 'firstPassword' })
    expect(await titles(data.userId)).toEqual(['密码已修改'])
    expect(await titles(other.id)).toEqual(['lessee 添加了人员 新来的', 'lessee 重置了 新来的 的密码'])
    expect(await audits(data.userId)).toMatchObject([{}, { action: 'account.resetPassword', accountId: cast.lessee.id }])
  })

  test('changes their own number with their password only', async () => {
    const { data } = await cast.lessee.call(contract.getPerson, { params: { id: cast.lessee.id } })
    const { raw } = await cast.lessee.call(contract.editPerson, { body: { ...data, phonenumber: phone(), deptIds: [depts.root] } })
    expect(raw.data).toEqual({ errors: [{ field: 'phonenumber', message: '本人手机号请在“账号安全”中更换' }] })
  })
})

test('a person who is switched off or removed is signed out for good, and not only while it lasts', async () => {
  const phonenumber = phone()
  const { data } = await add({ phonenumber })
  const { userId, userName } = data
  const { data: signedIn } = await cast.visitor.call(webLogin, { body: { username: userName, password: password() } })
  const theirs = world.caller(signedIn.access_token)
  const edit = (status: '0' | '1') => {
    const body = { userId, name: '新来的', phonenumber, deptIds: [depts.projectDept], isAdmin: false, status }
    return cast.lessee.call(contract.editPerson, { body })
  }
  const sessions = () => db.selectFrom('session').where('accountId', '=', userId).select('id').execute()
  expect((await edit('1')).code).toBe(200)
  expect((await edit('0')).code).toBe(200)
  expect((await theirs(getUserInfo, {})).code).toBe(401)
  await cast.visitor.call(webLogin, { body: { username: userName, password: password() } })
  expect(await sessions()).toHaveLength(1)
  expect((await cast.lessee.call(contract.deletePerson, { params: { id: userId } })).code).toBe(200)
  expect(await sessions()).toEqual([])
})

test('[S7.2] nobody removes themselves, the last administrator, or a person with something open', async () => {
  const self = await cast.lessee.call(contract.deletePerson, { params: { id: cast.lessee.id } })
  expect(self.msg).toBe('不能停用、删除自己或取消自己的管理员身份')
  const { data: helper } = await add({ deptIds: [] }, cast.lessor)
  const promoted = await cast.lessor.call(contract.getPerson, { params: { id: helper.userId } })
  expect(promoted.data.isAdmin).toBe(false)
  await db.updateTable('account').set({ isAdmin: false }).where('id', '=', helper.userId).execute()
  const demote = await cast.lessor.call(contract.editPerson, {
    body: { userId: cast.lessor.id, name: '赵测试', phonenumber: '14400000005', deptIds: [], isAdmin: false },
  })
  expect(demote.code).toBe(409)
  await world.givenDemand()
  expect((await cast.lessee.call(contract.deletePerson, { params: { id: cast.project.id } })).msg).toBe(
    '该人员还有进行中的需求或尚未定标的报价，待其结束或撤回后才能删除；可以先停用该人员',
  )
  const { data: free } = await add()
  expect((await cast.lessee.call(contract.deletePerson, { params: { id: free.userId } })).code).toBe(200)
  expect((await cast.lessee.call(contract.getPerson, { params: { id: free.userId } })).code).toBe(404)
})

test('of two administrators who demote each other at the same moment one stays, and nobody demotes themselves by a move', async () => {
  const companyId = cast.lessor2.companyId
  const second = await world.givenPerson({ userType: '4', companyId, certSign: 1, isAdmin: true }, 'secondlessor')
  const demote = async (by: typeof second, id: number) => {
    const { data } = await by.call(contract.getPerson, { params: { id } })
    return () => by.call(contract.editPerson, { body: { ...data, isAdmin: false } })
  }
  const calls = await Promise.all([demote(second, cast.lessor2.id), demote(cast.lessor2, second.id)])
  expect((await whileHeld(db, 'account', calls)).map(({ code }) => code).toSorted()).toEqual([200, 409])
  const { data: own } = await cast.lessee.call(contract.getPerson, { params: { id: cast.lessee.id } })
  const moved = await cast.lessee.call(contract.editPerson, { body: { ...own, deptIds: [depts.projectDept], isAdmin: true } })
  expect(moved.msg).toBe('不能停用、删除自己或取消自己的管理员身份')
  // Nor does the last one of the whole go down to a unit, which has an administrator of its own.
  await db.updateTable('account').set({ status: '1' }).where('deptId', '=', depts.root).where('id', '<>', cast.lessee.id).execute()
  const lowered = await cast.lessee.call(contract.editPerson, { body: { ...own, deptIds: [depts.unit], isAdmin: true } })
  expect(lowered.msg).toBe('单位至少保留一名管理员')
})

describe('[S7.2][S6.2] lists hold the own organisation only', () => {
  test('foregroundList: ten a page, filters, the own node and below', async () => {
    for (let n = 0; n < 12; n++) await add({ name: `员工${n}` })
    const list = async (query: object, by = cast.lessee) => (await by.call(contract.listPeople, { query })).data
    const first = await list({})
    expect(first.rows).toHaveLength(10)
    expect((await list({ userName: '员工3' })).rows.map(({ name }) => name)).toEqual(['员工3'])
    expect((await list({ phonenumber: '14400000002' })).rows.map(({ userName }) => userName)).toEqual(['project'])
    const all = (await list({ pageSize: 100 })).rows.map(({ userId }) => userId)
    expect(all).toContain(cast.otherProject.id)
    for (const outsider of [cast.stranger, cast.lessor, cast.newcomer, cast.operator]) expect(all).not.toContain(outsider.id)
    const below = (await list({ pageSize: 100 }, unit)).rows.map(({ userId }) => userId)
    expect(below).toContain(cast.project.id)
    for (const above of [cast.lessee, cast.otherProject]) expect(below).not.toContain(above.id)
    expect((await list({ deptId: depts.otherDept, pageSize: 100 })).rows.map(({ userId }) => userId)).toContain(cast.otherProject.id)
    expect((await list({}, cast.lessor)).rows.every(({ userType }) => userType === '4')).toBe(true)
  })

  test('personnelList: five a page, leaders by type; foregroundDeptTree: children left out where there are none', async () => {
    const pick = async (query: object, by = cast.lessee) => (await by.call(contract.listPickablePeople, { query: query })).data
    expect((await pick({ type: 'all' })).rows).toHaveLength(5)
    expect((await pick({ type: 'leader', pageSize: 100 })).rows.map(({ userId }) => userId)).toEqual(
      expect.arrayContaining([cast.lessee.id, unitAdmin]),
    )
    expect((await pick({ type: 'leader', pageSize: 100 })).rows.map(({ userId }) => userId)).not.toContain(cast.project.id)
    expect((await pick({ pageSize: 100 }, cast.project)).rows.map(({ userId }) => userId)).toContain(cast.project.id)
    expect((await pick({ pageSize: 100 }, cast.project)).rows.map(({ userId }) => userId)).not.toContain(cast.otherProject.id)
    const tree = (await cast.lessee.call(contract.getDeptTree, {})).data
    expect(tree).toHaveLength(1)
    expect(tree[0]?.children?.map(({ label }) => label)).toEqual(expect.arrayContaining(['第三工程公司', '南湖安置房']))
    expect(tree[0]?.children?.find(({ label }) => label === '南湖安置房')).not.toHaveProperty('children')
    expect((await cast.project.call(contract.getDeptTree, {})).data.map(({ label }) => label)).toEqual(['渝昌高铁5标'])
    expect((await cast.lessor.call(contract.getDeptTree, {})).data).toEqual([])
  })

  test('only an administrator adds, changes and removes', async () => {
    const { data } = await add({ deptIds: [depts.unit] })
    await db.updateTable('account').set({ mustChangePassword: false }).where('id', '=', data.userId).execute()
    const call = world.caller(
      await insertSession({ db, now: new Date(monday.getTime() + 30 * 86_400_000), address: '', agent: '' }, { accountId: data.userId }),
    )
    expect((await call(contract.listPeople, {})).code).toBe(200)
    expect((await call(contract.addPerson, { body: { name: '不行', phonenumber: phone(), deptIds: [depts.projectDept] } })).code).toBe(403)
    expect((await call(contract.deletePerson, { params: { id: cast.project.id } })).code).toBe(403)
    expect((await cast.project.call(contract.listPeople, {})).code).toBe(403)
  })
})

test('[S6.2] the administrator of one unit cannot take over somebody who also works for another', async () => {
  const { data } = await add({ deptIds: [depts.projectDept, depts.otherDept] })
  const before = await db
    .selectFrom('account')
    .where('id', '=', data.userId)
    .select(['phonenumber', 'passwordHash'])
    .executeTakeFirstOrThrow()
  // They see the person, who works in their branch too, and that is all.
  expect((await unit.call(contract.getPerson, { params: { id: data.userId } })).code).toBe(200)
  const body = { userId: data.userId, name: '换人', phonenumber: phone(), deptIds: [depts.projectDept], resetPassword: true }
  letters.length = 0
  expect((await unit.call(contract.editPerson, { body })).code).toBe(403)
  expect((await unit.call(contract.deletePerson, { params: { id: data.userId } })).code).toBe(403)
  expect(letters).toEqual([])
  expect(
    await db.selectFrom('account').where('id', '=', data.userId).select(['phonenumber', 'passwordHash']).executeTakeFirstOrThrow(),
  ).toEqual(before)
  expect((await cast.lessee.call(contract.editPerson, { body })).code).toBe(200)
  expect((await unit.call(contract.deletePerson, { params: { id: data.userId } })).code).toBe(200)
})

test('[S7.2] two administrators with the same person, or unit, open: the second is told', async () => {
  const { data } = await cast.lessee.call(contract.getPerson, { params: { id: cast.project.id } })
  const body = { userId: data.userId, phonenumber: data.phonenumber, deptIds: data.deptIds, isAdmin: false, version: data.version }
  const people = await Promise.all(['甲改名', '乙改名'].map((name) => cast.lessee.call(contract.editPerson, { body: { ...body, name } })))
  expect(people.map(({ code }) => code).toSorted()).toEqual([200, 409])
  const [, unit] = (await cast.lessee.call(listDepts, {})).data
  const units = await Promise.all(
    ['甲单位名', '乙单位名'].map((deptName) =>
      cast.lessee.call(editDept, {
        body: { deptId: unit?.deptId, deptType: '2', parentId: unit?.parentId, version: unit?.version, deptName },
      }),
    ),
  )
  expect(units.map(({ code }) => code).toSorted()).toEqual([200, 409])
})

describe('which numbers exist', () => {
  const taken = '14400000002'
  const tried = async (count: number, run: () => Promise<{ code: number }>) => {
    const codes: number[] = []
    for (let n = 0; n < count; n++) codes.push((await run()).code)
    return codes
  }
  beforeEach(async () => {
    for (const table of ['attempt', 'callLimit'] as const) await db.deleteFrom(table).execute()
  })
  const limit = smsRules.numbersPerAdmin

  test('is found out twenty times a day by adding people, also with a name that is taken, and people who are added are not counted', async () => {
    const inUse = () => add({ phonenumber: taken, userName: 'project' })
    expect(await tried(limit / 2, () => add())).toEqual(Array(limit / 2).fill(200))
    expect(await tried(limit / 2, () => add({ deptIds: [] }))).toEqual(Array(limit / 2).fill(422))
    expect(await tried(limit / 2, () => add({ phonenumber: taken }))).toEqual(Array(limit / 2).fill(422))
    await db.deleteFrom('callLimit').execute()
    expect(await tried(limit / 2 + 1, inUse)).toEqual([...Array<number>(limit / 2).fill(422), 429])
    expect((await add()).code).toBe(429)
    clock.set(new Date(monday.getTime() + 86_400_000 + 1000))
    expect((await add()).code).toBe(200)
  })

  test('is found out twenty times a day by changing people, those that nobody has included', async () => {
    const { data } = await add()
    const edit = (phonenumber: string, userId = data.userId) =>
      cast.lessee.call(contract.editPerson, {
        body: { userId, name: '新来的', phonenumber, deptIds: [depts.projectDept], isAdmin: false },
      })
    expect(await tried(limit - 1, () => edit(taken))).toEqual(Array(limit - 1).fill(422))
    const last = phone()
    expect((await edit(last)).code).toBe(200)
    await db.deleteFrom('callLimit').execute()
    expect((await edit(taken)).code).toBe(429)
    // Without another number a person is changed as ever.
    expect((await edit(last)).code).toBe(200)
    // Nor is the number of anybody else compared with the one that is entered.
    const ofStranger = '14400000004'
    for (const number of [ofStranger, phone()]) expect((await edit(number, cast.stranger.id)).code).toBe(404)
  })
})
