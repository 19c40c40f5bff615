import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { updateNickname } from '#shared/account/contract.ts'
import { maskPhone } from '#shared/account/rules.ts'
import { addPerson, editPerson, getPerson, listPeople, listPickablePeople } from '#shared/person/contract.ts'
import { monday, openWorld, type Person } from '#test/world.ts'

const world = await openWorld()
const { db, cast, clock, depts } = world
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const read = async (id: number) => (await cast.lessee.call(getPerson, { params: { id } })).data
/** As the form does it, which knows no display name. */
const edit = async (id: number, changes: object = {}) => {
  const { nickName: _, ...person } = await read(id)
  return cast.lessee.call(editPerson, { body: { ...person, ...changes } })
}

test('the first project of a person stays the first one when they are saved, until they leave it', async () => {
  const body = { name: '王建国', phonenumber: '14477008801', deptIds: [depts.otherDept, depts.projectDept] }
  const { userId } = (await cast.lessee.call(addPerson, { body })).data
  expect((await read(userId)).deptId).toBe(depts.otherDept)
  for (const deptIds of [undefined, [depts.projectDept, depts.otherDept]]) {
    expect((await edit(userId, { phonenumber: '14477008802', ...(deptIds && { deptIds }) })).code).toBe(200)
    expect((await read(userId)).deptId).toBe(depts.otherDept)
  }
  expect((await edit(userId, { deptIds: [depts.projectDept] })).code).toBe(200)
  expect((await read(userId)).deptId).toBe(depts.projectDept)
})

test('somebody of two projects is found under each of them and under the unit above, and picked there', async () => {
  const body = { name: '两处工作', phonenumber: '14477008851', deptIds: [depts.otherDept, depts.projectDept] }
  const { userId } = (await cast.lessee.call(addPerson, { body })).data
  const { rows } = (await cast.lessee.call(listPeople, { query: { deptId: String(depts.projectDept), pageSize: 100 } })).data
  expect(rows.find((person) => person.userId === userId)?.deptNames).toEqual(['南湖安置房', '渝昌高铁5标'])
  const found = async (deptId: number) => {
    const query = { deptId: String(deptId), pageSize: 100 }
    const [listed, picked] = [await cast.lessee.call(listPeople, { query }), await cast.lessee.call(listPickablePeople, { query })]
    return [listed, picked].map(({ data }) => data.rows.some((person) => person.userId === userId))
  }
  for (const deptId of [depts.otherDept, depts.projectDept, depts.root]) expect(await found(deptId)).toEqual([true, true])
  await edit(userId, { deptIds: [depts.projectDept] })
  expect(await found(depts.otherDept)).toEqual([false, false])
})

test('the display name that a person chose stays when an administrator edits them; one that is their name follows it', async () => {
  const { companyId } = cast.lessee
  const person = await world.givenPerson({ userType: '3', companyId, certSign: 3, deptId: depts.projectDept }, 'displayed')
  const saved = async (changes: object) => {
    expect((await edit(person.id, { deptIds: [depts.projectDept], ...changes })).code).toBe(200)
    return (await read(person.id)).nickName
  }
  expect((await person.call(updateNickname, { body: { nickName: '小王' } })).code).toBe(200)
  expect(await saved({ name: '王建国' })).toBe('小王')
  expect(await saved({ nickName: '' })).toBe('王建国')
  expect(await saved({ name: '王建业' })).toBe('王建业')
})

describe('an administrator who adds a person or an administrator', () => {
  const second = () =>
    world.givenPerson({ userType: '4', certSign: 1, isAdmin: true, companyId: cast.lessor.companyId }, `secondadmin${++people}`)
  let people = 0
  const audits = (id: number) =>
    db.selectFrom('auditLog').where('bizType', '=', 'account').where('bizId', '=', String(id)).orderBy('seq').selectAll().execute()
  const titles = async ({ id }: Person) =>
    (await db.selectFrom('message').where('accountId', '=', id).orderBy('id').select('title').execute()).map(({ title }) => title)

  test('is logged, without the name that goes with the person, and the other administrators are told', async () => {
    const other = await second()
    const body = { name: '新同事', phonenumber: '14477008871', deptIds: [] }
    const { userId, userName } = (await cast.lessor.call(addPerson, { body })).data
    expect(await titles(other)).toEqual(['lessor 添加了人员 新同事'])
    const { data: person } = await cast.lessor.call(getPerson, { params: { id: userId } })
    for (const isAdmin of [true, true, false])
      expect((await cast.lessor.call(editPerson, { body: { ...person, version: undefined, isAdmin } })).code).toBe(200)
    expect((await titles(other)).slice(1)).toEqual(['lessor 设置了 新同事 的管理员身份', 'lessor 取消了 新同事 的管理员身份'])
    const entries = await audits(userId)
    expect(entries).toMatchObject([
      { action: 'account.add', accountId: cast.lessor.id, companyId: cast.lessor.companyId, bizName: userName, before: null },
      { action: 'account.admin', before: { is_admin: false }, after: { is_admin: true } },
      { action: 'account.admin', before: { is_admin: true }, after: { is_admin: false } },
    ])
    expect(entries[0]?.after).toEqual({ phonenumber: maskPhone(body.phonenumber), dept_id: null, is_admin: false, driver_only: false })
    const boss = { ...body, phonenumber: '14477008872', isAdmin: true }
    expect((await cast.lessor.call(addPerson, { body: boss })).code).toBe(200)
    expect((await titles(other)).at(-1)).toBe('lessor 添加了管理员 新同事')
  })
})

test('whoever administers nothing sees masked numbers, and finds a colleague by no digits but the whole number', async () => {
  const { companyId } = cast.lessor
  const colleague = await world.givenPerson({ userType: '4', certSign: 1, companyId }, 'colleague')
  const { phonenumber } = (await cast.lessor.call(getPerson, { params: { id: colleague.id } })).data
  const listed = async (by: Person, digits: string) =>
    (await by.call(listPeople, { query: { phonenumber: digits, pageSize: 100 } })).data.rows.flatMap((row) =>
      row.userId === colleague.id ? row.phonenumber : [],
    )
  const masked = maskPhone(phonenumber)
  expect(masked).not.toBe(phonenumber)
  expect([await listed(colleague, ''), await listed(colleague, phonenumber)]).toEqual([[masked], [masked]])
  expect([await listed(colleague, phonenumber.slice(0, 10)), await listed(cast.lessor, phonenumber.slice(0, 10))]).toEqual([[], [masked]])
  expect((await colleague.call(getPerson, { params: { id: colleague.id } })).code).toBe(403)
})
