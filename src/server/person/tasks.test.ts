import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { checkCancellation } from '#shared/account/contract.ts'
import { handOverMyTasks, handOverTasks, listMyTasks, listTasksOf } from '#shared/contract/tasks.ts'
import { retireEquipment } from '#shared/equipment/own.ts'
import { deletePerson, editPerson, getPerson, listPickablePeople } from '#shared/person/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { contractSteps, nameThem } from '#test/given-contract.ts'
import { whileChanging } from '#test/held-rows.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import type { Tx } from '../db/connect.ts'

const world = await openWorld()
const { db, cast, clock } = world
const { givenDraft, givenContract, send, confirm } = contractSteps(world)
afterAll(() => world.close())
beforeEach(async () => {
  clock.set(monday)
  // What an earlier test has left behind neither holds anybody nor anything.
  await db.deleteFrom('contractPerson').execute()
  await db.updateTable('contract').set({ status: '7' }).where('status', 'in', ['0', '1', '2']).execute()
})

type Named = { task: string; accountId: number }
const name = (who: Person, id: number, persons: Named[]) => nameThem(who, id, persons)
const personsOf = async (id: number) =>
  db.selectFrom('contractPerson').where('contractId', '=', id).orderBy('task').select(['side', 'task', 'accountId']).execute()
const edit = async (who: Person, userId: number, changes: object) => {
  const { data } = await who.call(getPerson, { params: { id: userId } })
  const { name: realName, nickName, phonenumber, deptIds, isAdmin, status } = data
  return who.call(editPerson, { body: { userId, name: realName, nickName, phonenumber, deptIds, isAdmin, status, ...changes } })
}
const givenColleague = (userName: string, deptId = world.depts.projectDept) =>
  world.givenPerson({ userType: '3', deptId, companyId: cast.project.companyId, certSign: 3 }, userName)

describe('who is named', () => {
  test('sees the contract: of a sibling project nobody is, not even by the unit above both', async () => {
    const { id } = await givenDraft({ alone: true })
    const ofSibling = await name(cast.lessee, id, [{ task: 'signer', accountId: cast.otherProject.id }])
    expect([ofSibling.code, ofSibling.data]).toMatchObject([422, { errors: [{ field: 'persons.0.accountId' }] }])
    const picked = async (who: Person) =>
      (await who.call(listPickablePeople, { query: { type: 'signer', contractId: id, pageSize: 20 } })).data.rows.map(
        ({ userId }) => userId,
      )
    expect(await picked(cast.lessee)).toEqual(expect.arrayContaining([cast.lessee.id, cast.project.id]))
    expect(await picked(cast.lessee)).not.toContain(cast.otherProject.id)
    expect((await cast.stranger.call(listPickablePeople, { query: { contractId: id } })).code).toBe(404)
    expect((await name(cast.lessee, id, [{ task: 'signer', accountId: cast.project.id }])).code).toBe(200)
    expect((await send(cast.project, id)).code).toBe(200)
  })

  test('by the unit above stays so when the project saves its list', async () => {
    const { id } = await givenDraft({ alone: true })
    const above = { task: 'signer', accountId: cast.lessee.id }
    expect((await name(cast.project, id, [above])).code).toBe(422)
    expect((await name(cast.lessee, id, [above])).code).toBe(200)
    expect((await name(cast.project, id, [above, { task: 'logger', accountId: cast.project.id }])).code).toBe(200)
    expect(await personsOf(id)).toHaveLength(2)
  })
})

describe('whoever is named', () => {
  test('is neither locked nor moved to where they do not see the contract, and hands their tasks over in one press', async () => {
    const first = await givenDraft({ alone: true })
    const second = await givenContract({ alone: true })
    const leaver = await givenColleague('leaver')
    const heir = await givenColleague('heir')
    const tasks = ['signer', 'settler'].map((task) => ({ task, accountId: leaver.id }))
    for (const { id } of [first, second]) expect((await name(cast.project, id, tasks)).code).toBe(200)
    const refused = zhCn.refusal.person_named
    expect((await edit(cast.lessee, leaver.id, { deptIds: [world.depts.projectDept], status: '1' })).msg).toBe(refused)
    expect((await edit(cast.lessee, leaver.id, { deptIds: [world.depts.otherDept] })).msg).toBe(refused)
    expect((await edit(cast.lessee, leaver.id, { deptIds: [world.depts.projectDept], nickName: '小李' })).code).toBe(200)
    expect((await cast.lessee.call(deletePerson, { params: { id: leaver.id } })).msg).toBe(refused)

    const params = { id: leaver.id }
    expect((await cast.lessee.call(listTasksOf, { params })).data).toMatchObject([
      { id: first.id, tasks: ['settler', 'signer'] },
      { id: second.id, tasks: ['settler', 'signer'] },
    ])
    const handOver = (who: Person, toAccountId: number) => who.call(handOverTasks, { params, body: { toAccountId } })
    expect((await handOver(cast.lessee, cast.otherProject.id)).code).toBe(422)
    expect((await handOver(cast.lessee, leaver.id)).code).toBe(422)
    expect((await handOver(cast.lessee, heir.id)).data).toEqual({ contracts: 2 })
    for (const { id } of [first, second])
      expect(await personsOf(id)).toEqual([
        { side: 'lessee', task: 'settler', accountId: heir.id },
        { side: 'lessee', task: 'signer', accountId: heir.id },
      ])
    const moves = await db.selectFrom('contractEvent').where('contractId', '=', second.id).select('move').execute()
    expect(moves.filter(({ move }) => move === 'persons')).toHaveLength(2)
    expect((await cast.lessee.call(listTasksOf, { params })).data).toEqual([])
    expect((await edit(cast.lessee, leaver.id, { deptIds: [world.depts.otherDept] })).code).toBe(200)
    expect((await cast.lessee.call(deletePerson, { params: { id: leaver.id } })).code).toBe(200)
  })

  test('hands their own tasks over without an administrator, and is refused for a colleague who may not be named', async () => {
    const { id } = await givenContract({ alone: true })
    const leaver = await givenColleague('ownleaver')
    const heir = await givenColleague('ownheir')
    await name(cast.project, id, [{ task: 'signer', accountId: leaver.id }])
    expect((await cast.lessee.call(deletePerson, { params: { id: leaver.id } })).data).toEqual({ contracts: 1 })
    expect((await leaver.call(listMyTasks, {})).data).toMatchObject([{ id, tasks: ['signer'] }])
    expect((await heir.call(listMyTasks, {})).data).toEqual([])
    for (const toAccountId of [cast.otherProject.id, cast.lessor.id, leaver.id])
      expect((await leaver.call(handOverMyTasks, { body: { toAccountId } })).code).toBe(422)
    // What somebody else is named for is not theirs to hand over.
    expect((await heir.call(handOverMyTasks, { body: { toAccountId: cast.project.id } })).data).toEqual({ contracts: 0 })
    expect((await leaver.call(handOverMyTasks, { body: { toAccountId: heir.id } })).data).toEqual({ contracts: 1 })
    expect(await personsOf(id)).toEqual([{ side: 'lessee', task: 'signer', accountId: heir.id }])
    expect((await leaver.call(listMyTasks, {})).data).toEqual([])
  })

  test('and is removed while they hand over passes nothing on', async () => {
    const [first, second] = [await givenContract({ alone: true }), await givenContract({ alone: true })]
    const leaver = await givenColleague('removed')
    const heir = await givenColleague('accomplice')
    for (const { id } of [first, second]) await name(cast.project, id, [{ task: 'signer', accountId: leaver.id }])
    const begin = async (tx: Tx) => {
      await tx.updateTable('contract').set({ title: '装载机租赁' }).where('id', '=', first.id).execute()
      await tx.deleteFrom('contractPerson').where('contractId', '=', first.id).execute()
    }
    const [answer] = await whileChanging(db, { begin }, [() => leaver.call(handOverMyTasks, { body: { toAccountId: heir.id } })])
    expect(answer?.data).toEqual({ contracts: 1 })
    expect(await personsOf(first.id)).toEqual([])
    expect(await personsOf(second.id)).toEqual([{ side: 'lessee', task: 'signer', accountId: heir.id }])
  })

  test('picks a colleague whose first project is another one, and not themself', async () => {
    const { id } = await givenContract({ alone: true })
    const leaver = await givenColleague('firsthere')
    const heir = await givenColleague('firstthere', world.depts.otherDept)
    for (const [who, deptId] of [
      [heir, world.depts.otherDept],
      [heir, world.depts.projectDept],
      [leaver, world.depts.projectDept],
    ] as const)
      await db.insertInto('accountDept').values({ accountId: who.id, deptId }).execute()
    await name(cast.project, id, [{ task: 'signer', accountId: leaver.id }])
    const query = { type: 'signer', besideId: leaver.id, pageSize: 20 }
    const picked = (await leaver.call(listPickablePeople, { query })).data.rows.map(({ userId }) => userId)
    expect(picked).toEqual(expect.arrayContaining([heir.id, cast.project.id]))
    for (const who of [leaver, cast.lessee, cast.otherProject]) expect(picked).not.toContain(who.id)
    expect((await leaver.call(handOverMyTasks, { body: { toAccountId: heir.id } })).data).toEqual({ contracts: 1 })
  })

  test('of a lessor does the same within the company, and never to a driver', async () => {
    const { id } = await givenContract({ alone: true })
    const leaver = await world.givenPerson({ userType: '4', companyId: cast.lessor.companyId, certSign: 1 }, 'lessorleaver')
    await name(cast.lessor, id, [{ task: 'signer', accountId: leaver.id }])
    for (const to of [cast.driver, cast.lessor2])
      expect((await leaver.call(handOverMyTasks, { body: { toAccountId: to.id } })).code).toBe(422)
    expect((await leaver.call(handOverMyTasks, { body: { toAccountId: cast.lessor.id } })).data).toEqual({ contracts: 1 })
    await db.updateTable('account').set({ status: '1' }).where('id', '=', leaver.id).execute()
  })

  test('of another organisation is found by no administrator, and by nobody who administers nothing', async () => {
    const { id } = await givenContract({ alone: true })
    await name(cast.project, id, [{ task: 'signer', accountId: cast.project.id }])
    const params = { id: cast.project.id }
    for (const who of [cast.strangerAdmin, cast.lessor]) {
      expect((await who.call(listTasksOf, { params })).code).toBe(404)
      expect((await who.call(handOverTasks, { params, body: { toAccountId: who.id } })).code).toBe(404)
    }
    for (const who of [cast.project, cast.auditor, cast.newcomer]) expect((await who.call(listTasksOf, { params })).code).toBe(403)
    expect(await personsOf(id)).toHaveLength(1)
  })
})

test('the last person of a side does not leave while its contract waits for a signature or runs; with a colleague they may', async () => {
  const contractsOf = async (who: Person) =>
    (await who.call(checkCancellation, {})).data.points.find(({ kind }) => kind === 'contracts')?.count
  const { id } = await givenDraft({ alone: true })
  await send(cast.project, id)
  expect(await contractsOf(cast.lessor)).toBe(1)
  expect(await contractsOf(cast.lessor2)).toBe(0)
  // The unit above may sign for the project.
  expect(await contractsOf(cast.project)).toBe(0)
  const colleague = await world.givenPerson({ userType: '4', companyId: cast.lessor.companyId, certSign: 1 }, 'colleague')
  expect([await contractsOf(cast.lessor), await contractsOf(colleague)]).toEqual([0, 0])
  await db.updateTable('account').set({ status: '1' }).where('id', '=', colleague.id).execute()
  expect((await confirm(cast.lessor, id)).code).toBe(200)
  expect(await contractsOf(cast.lessor)).toBe(1)
})

test('a machine is not retired while a hire of a terminated direct contract still runs', async () => {
  const { id } = await givenContract({ alone: true })
  const line = await db.selectFrom('contractLine').where('contractId', '=', id).select(['id', 'equipmentId']).executeTakeFirstOrThrow()
  const bookings = db.updateTable('equipmentBooking').where('contractLineId', '=', line.id)
  await bookings.set({ reason: 'contract', awardLineId: null }).execute()
  await db.updateTable('contract').set({ status: '6' }).where('id', '=', id).execute()
  const retire = () => cast.lessor.call(retireEquipment, { params: { id: line.equipmentId } })
  expect((await retire()).msg).toBe(zhCn.refusal.equipment_booked)
  await db.deleteFrom('equipmentBooking').where('contractLineId', '=', line.id).execute()
  expect((await retire()).code).toBe(200)
})
