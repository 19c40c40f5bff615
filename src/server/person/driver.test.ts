import { afterAll, beforeEach, expect, test } from 'vitest'
import { getUserInfo } from '#shared/account/contract.ts'
import { listContracts } from '#shared/contract/contract.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import * as contract from '#shared/person/contract.ts'
import { getWorkCalendar, getWorkFigures, getWorkPanel } from '#shared/statistics/panel.ts'
import { contractSteps, nameThem } from '#test/given-contract.ts'
import { monday, openWorld } from '#test/world.ts'
import { insertSession } from '../account/sessions.ts'

// A lessor's driver: an account of their own, and nothing of the company.
const world = await openWorld()
const { db, cast, depts, clock } = world
const { givenContract, givenDraft, send } = contractSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

let people = 0
const givenColleague = async (more: { driverOnly?: boolean; isAdmin?: boolean } = {}) => {
  people++
  return world.givenPerson({ userType: '4', companyId: cast.lessor.companyId, certSign: 1, ...more }, `colleague${people}`)
}
const edit = async (id: number, change: object, by = cast.lessor) => {
  const { userId, name, phonenumber, isAdmin, driverOnly, status } = (await cast.lessor.call(contract.getPerson, { params: { id } })).data
  return by.call(contract.editPerson, { body: { userId, name, phonenumber, deptIds: [], isAdmin, driverOnly, status, ...change } })
}
const fieldsOf = (answer: { raw: Record<string, unknown> }) =>
  (answer.raw.data as { errors: { field: string; message: string }[] }).errors.map(({ field, message }) => `${field} ${message}`)

test('an administrator of the lessor makes a colleague a driver: signed out everywhere, audited, and back again', async () => {
  const colleague = await givenColleague()
  expect((await colleague.call(listContracts, { query: {} })).code).toBe(200)
  expect((await edit(colleague.id, { driverOnly: true })).code).toBe(200)
  // The session from before has ended.
  expect((await colleague.call(getUserInfo, {})).code).toBe(401)
  const now = new Date(monday.getTime() + 86_400_000)
  const again = world.caller(await insertSession({ db, now, address: '', agent: '' }, { accountId: colleague.id }))
  const { data } = await again(getUserInfo, {})
  expect([data.roles, data.permissions]).toEqual([['driver'], []])
  expect((await again(listContracts, { query: {} })).code).toBe(403)
  const last = () =>
    db
      .selectFrom('auditLog')
      .where('action', '=', 'account.driver')
      .orderBy('seq', 'desc')
      .select(['bizId', 'accountId', 'before', 'after'])
      .executeTakeFirst()
  expect(await last()).toMatchObject({
    bizId: String(colleague.id),
    accountId: cast.lessor.id,
    before: { driver_only: false },
    after: { driver_only: true },
  })
  // Another change of the person is no change of this.
  expect((await edit(colleague.id, { nickName: '老王' })).code).toBe(200)
  expect((await again(getUserInfo, {})).code).toBe(200)
  expect((await edit(colleague.id, { driverOnly: false })).code).toBe(200)
  expect((await again(getUserInfo, {})).code).toBe(401)
  expect(await last()).toMatchObject({ before: { driver_only: true }, after: { driver_only: false } })
})

test('nobody makes themselves a driver, an administrator is none, and only a lessor has drivers', async () => {
  expect((await edit(cast.lessor.id, { driverOnly: true })).code).toBe(422)
  expect((await edit(cast.lessor.id, { driverOnly: true, isAdmin: false })).code).toBe(409)
  const colleague = await givenColleague({ isAdmin: true })
  expect(fieldsOf(await edit(colleague.id, { driverOnly: true }))).toEqual(['driverOnly 仅限出租方的非管理员'])
  const body = { name: '新来的', phonenumber: '14477001122', deptIds: [depts.projectDept], driverOnly: true }
  expect(fieldsOf(await cast.lessee.call(contract.addPerson, { body }))).toEqual(['driverOnly 仅限出租方的非管理员'])
  // Who is no administrator sets it for nobody.
  const plain = await givenColleague()
  expect((await edit(colleague.id, { driverOnly: true }, plain)).code).toBe(403)
  await expect(db.updateTable('account').set({ driverOnly: true }).where('id', '=', cast.project.id).execute()).rejects.toThrow(
    'account_driver_only',
  )
})

test('a driver who is added stays one when they are switched off and on', async () => {
  const { data } = await cast.lessor.call(contract.addPerson, { body: { name: '马师傅', phonenumber: '14477001133', driverOnly: true } })
  for (const status of ['1', '0']) expect((await edit(data.userId, { status })).code).toBe(200)
  expect((await cast.lessor.call(contract.getPerson, { params: { id: data.userId } })).data).toMatchObject({
    driverOnly: true,
    isAdmin: false,
  })
})

test('a driver is named for no task, is not offered in the picker, and whoever is named is handed over before', async () => {
  const { id } = await givenContract()
  const nameSigner = (accountId: number) => nameThem(cast.lessor, id, [{ task: 'signer', accountId }])
  expect(fieldsOf(await nameSigner(cast.driver.id))).toHaveLength(1)
  const colleague = await givenColleague()
  const picked = async (query: object) =>
    (await cast.lessor.call(contract.listPickablePeople, { query: { pageSize: 50, ...query } })).data.rows
  for (const query of [{ type: 'all' }, { type: 'logger', contractId: id }] as const) {
    const ids = (await picked(query)).map(({ userId }) => userId)
    expect(ids).toContain(colleague.id)
    expect(ids).not.toContain(cast.driver.id)
  }
  expect((await nameSigner(colleague.id)).code).toBe(200)
  expect((await edit(colleague.id, { driverOnly: true })).code).toBe(409)
  expect((await nameSigner(cast.lessor.id)).code).toBe(200)
  expect((await edit(colleague.id, { driverOnly: true })).code).toBe(200)
})

test('a driver hears of no contract, has no tasks of the company, and sees none of its figures or dates', async () => {
  const { id } = await givenDraft()
  await send(cast.project, id)
  const kinds = async (by: typeof cast.driver) =>
    (await by.call(listOwnMessages, { query: { pageSize: 50 } })).data.rows.map(({ bizType }) => bizType)
  expect(await kinds(cast.lessor)).toContain('contract')
  expect(await kinds(cast.driver)).toEqual([])
  expect((await cast.driver.call(getWorkPanel, {})).data.tasks).toEqual([])
  expect((await cast.driver.call(getWorkFigures, {})).data).toEqual([])
  expect((await cast.driver.call(getWorkCalendar, {})).data.dates).toEqual([])
})
