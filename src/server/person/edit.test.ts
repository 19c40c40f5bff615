import { afterAll, beforeEach, expect, test } from 'vitest'
import { updateNickname } from '#shared/account/contract.ts'
import { addPerson, editPerson, getPerson, listPeople, listPickablePeople } from '#shared/person/contract.ts'
import { monday, openWorld } from '#test/world.ts'

const world = await openWorld()
const { cast, clock, depts } = world
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
  const body = { name: '两处工作', phonenumber: '14477008811', deptIds: [depts.otherDept, depts.projectDept] }
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
