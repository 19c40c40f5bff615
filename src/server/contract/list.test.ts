import readSheets from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, dayOf, fromMoment } from '#shared/calendar.ts'
import * as contract from '#shared/contract/contract.ts'
import { countAllContracts, exportAllContracts, listAllContracts } from '#shared/contract/manage.ts'
import { contractSteps } from '#test/given-contract.ts'
import { monday, openWorld, type Person } from '#test/world.ts'

const world = await openWorld()
const { cast, clock, db } = world
const { givenContract, givenDraft } = contractSteps(world)
afterAll(() => world.close())

const today = dayOf(monday)
let [first, second, draft] = [0, 0, 0]
beforeAll(async () => {
  first = (await givenContract()).id
  second = (await givenContract({ alone: true })).id
  draft = (await givenDraft()).id
  clock.set(monday)
  const set = (id: number, planEnd: string, amountFen: number, at: string) =>
    db
      .updateTable('contract')
      .set({ planStart: addDays(today, -30), planEnd, amountFen, netFen: amountFen, taxFen: 0, updateTime: new Date(at) })
      .where('id', '=', id)
      .execute()
  await set(first, addDays(today, 10), 500_00, '2026-11-20T00:00:00Z')
  await set(second, addDays(today, 20), 300_00, '2026-11-22T00:00:00Z')
  await set(draft, addDays(today, 80), 400_00, '2026-11-21T00:00:00Z')
})

const idsOf = async (who: Person, query: object) =>
  (await who.call(contract.listContracts, { query: { pageSize: 100, ...query } })).data.rows
    .map(({ id }) => id)
    .filter((id) => [first, second, draft].includes(id))
const sheetOf = async (bytes: Buffer) => {
  const [sheet] = await readSheets(bytes)
  return (sheet?.data ?? []).map((row) => row.map(String))
}

describe('the list of contracts', () => {
  test('is sorted on the server by end, sum, last change and state, both ways', async () => {
    const orders = {
      planEnd: [first, second, draft],
      amount: [second, draft, first],
      updateTime: [first, draft, second],
      status: [draft, first, second],
    }
    for (const [sort, ids] of Object.entries(orders)) {
      expect(await idsOf(cast.project, { sort }), sort).toEqual(ids)
      expect(await idsOf(cast.project, { sort: `-${sort}` }), `-${sort}`).toEqual(ids.toReversed())
    }
    expect((await cast.project.call(contract.listContracts, { query: { sort: 'title' } })).code).toBe(422)
  })

  test('is narrowed by the company on the other side and by how soon a contract ends; the numbers by state follow', async () => {
    expect(await idsOf(cast.project, { endsWithin: '15' })).toEqual([first])
    expect(await idsOf(cast.project, { endsWithin: '30', sort: 'planEnd' })).toEqual([first, second])
    // Over is what ended today at the latest and is in force still.
    expect(await idsOf(cast.project, { endsWithin: 'over' })).toEqual([])
    clock.set(fromMoment(`${addDays(today, 10)} 09:00:00`))
    for (const who of [cast.project, cast.lessor, cast.lessee]) expect(await idsOf(who, { endsWithin: 'over' })).toEqual([first])
    expect(await idsOf(cast.project, { endsWithin: '7' })).toEqual([])
    clock.set(monday)
    expect(await idsOf(cast.project, { companyId: cast.lessor.companyId, sort: 'planEnd' })).toEqual([first, second, draft])
    expect(await idsOf(cast.project, { companyId: cast.lessor2.companyId })).toEqual([])
    expect(await idsOf(cast.lessor, { companyId: cast.project.companyId, sort: 'planEnd' })).toEqual([first, second])
    // The own company is not the other side.
    expect(await idsOf(cast.lessor, { companyId: cast.lessor.companyId })).toEqual([])
    const counts = async (query: object) => (await cast.project.call(contract.countContracts, { query })).data
    expect(await counts({ endsWithin: '15' })).toEqual({ '2': 1 })
    expect(await counts({ companyId: cast.lessor.companyId })).toEqual({ '0': 1, '2': 2 })
    // The state that is chosen narrows the rows, not the numbers beside the states.
    expect(await counts({ companyId: cast.lessor.companyId, status: '2' })).toEqual({ '0': 1, '2': 2 })
  })

  test('names the companies on the other side of what a person sees, and no others', async () => {
    const parties = async (who: Person, query: object = {}) =>
      (await who.call(contract.listContractParties, { query })).data.map(({ companyId }) => companyId)
    expect(await parties(cast.lessor)).toEqual([cast.project.companyId])
    expect(await parties(cast.project)).toContain(cast.lessor.companyId)
    expect(await parties(cast.project, { keyword: '没有这个' })).toEqual([])
    expect(await parties(cast.project, { keyword: '没有这个', companyId: cast.lessor.companyId })).toEqual([cast.lessor.companyId])
    for (const who of ['stranger', 'otherProject', 'newcomer'] as const) {
      const { data } = await cast[who].call(contract.listContractParties, { query: {} })
      expect(JSON.stringify(data), who).not.toContain('恒岳')
    }
    // A draft is told to nobody, so a lessor does not learn of its lessee.
    expect(await parties(cast.lessor2)).toEqual([])
  })

  test('is exported as it is filtered and sorted', async () => {
    const query = { companyId: cast.lessor.companyId, status: '2', sort: '-planEnd' }
    const { data } = await cast.project.call(contract.listContracts, { query })
    const [, ...rows] = await sheetOf((await cast.project.call(contract.exportContracts, { query })).bytes)
    expect(rows.map(([code]) => code)).toEqual(data.rows.map(({ contractCode }) => contractCode))
    expect(rows).toHaveLength(2)
  })
})

describe('the list of the platform', () => {
  test('is counted by state, sorted, and exported without prices and accounts; the export stands in the audit log', async () => {
    const query = { companyId: cast.lessor.companyId, sort: '-planEnd' }
    const ids = (await cast.operator.call(listAllContracts, { query })).data.rows.map(({ id }) => id)
    expect(ids).toEqual([draft, second, first])
    expect((await cast.operator.call(countAllContracts, { query: { ...query, status: '0' } })).data).toEqual({ '0': 1, '2': 2 })
    const answer = await cast.operator.call(exportAllContracts, { query })
    const [head = [], ...rows] = await sheetOf(answer.bytes)
    expect(head.join()).not.toMatch(/金额|价|账户|税/)
    expect(rows).toHaveLength(3)
    expect(JSON.stringify(rows)).not.toMatch(/6222|500\.00|30000/)
    const entry = await db
      .selectFrom('auditLog')
      .where('action', '=', 'contract.export')
      .orderBy('seq', 'desc')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({ who: 'operator', bizType: 'contract', after: { companyId: cast.lessor.companyId, sort: '-planEnd' } })
    for (const who of ['clerk', 'auditor', 'lessor', 'project', 'newcomer'] as const)
      for (const call of [countAllContracts, exportAllContracts]) expect((await cast[who].call(call, { query: {} })).code, who).toBe(403)
  })
})
