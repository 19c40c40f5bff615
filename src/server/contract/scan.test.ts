import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { addMonths } from '#shared/calendar.ts'
import { getContract, listContracts } from '#shared/contract/contract.ts'
import { editDept, listDepts } from '#shared/dept/contract.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { contractSteps } from '#test/given-contract.ts'
import { monday, openWorld } from '#test/world.ts'

const world = await openWorld()
const { db, cast, clock, depts } = world
const { givenContract } = contractSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

describe('the scan of the sealed paper', () => {
  const read = async (id: number) => (await cast.lessor.call(getContract, { params: { id } })).data
  const told = async () =>
    (await cast.lessor.call(listOwnMessages, { query: { keyword: '合同已生效' } })).data.rows.toSorted(
      (a, b) => Number(b.messageId) - Number(a.messageId),
    )[0]?.content
  const findRoot = async () => (await cast.lessee.call(listDepts, {})).data.find(({ deptId }) => deptId === depts.root)
  const setNeedsScan = async (needsScan: boolean) => {
    const { parentId, deptName, deptType, version } = (await findRoot()) ?? expect.fail()
    const body = { deptId: depts.root, parentId, deptName, deptType, version, needsScan }
    expect((await cast.lessee.call(editDept, { body })).code).toBe(200)
  }

  test('is needed unless the administrator of a unit above does without it, and always for six months or more', async () => {
    const { id } = await givenContract()
    expect(await told()).toMatch(/请打印盖章并上传扫描件/)
    expect(await read(id)).toMatchObject({ needsScan: true, scanState: '0' })
    await setNeedsScan(false)
    expect(await findRoot()).toMatchObject({ needsScan: false })
    const { needsScan, planStart } = await read(id)
    expect(needsScan).toBe(false)
    const { data } = await cast.lessor.call(listContracts, { query: {} })
    expect(data.rows.find((row) => row.id === id)).toMatchObject({ needsScan: false })
    await givenContract()
    expect(await told()).not.toMatch(/扫描件/)
    await db
      .updateTable('contract')
      .set({ planEnd: addMonths(planStart, 6) })
      .where('id', '=', id)
      .execute()
    expect((await read(id)).needsScan).toBe(true)
    await setNeedsScan(true)
    expect(await findRoot()).toMatchObject({ needsScan: true })
  })
})
