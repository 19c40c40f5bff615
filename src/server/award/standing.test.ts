import readSheets from 'read-excel-file/node'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { awardDemand } from '#shared/award/contract.ts'
import { listDirectMachines } from '#shared/contract/direct.ts'
import { draftContracts } from '#shared/contract/moves.ts'
import { exportApply } from '#shared/opening/contract.ts'
import { compareQuotes, getDemandForLessor, submitQuote } from '#shared/quote/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld } from '#test/world.ts'
import { openDueDemands } from '../opening/due.ts'

const world = await openWorld()
const { db, cast, clock } = world
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

/** A demand with an opened offer of these machines, and what its owner sees and chooses. */
async function givenOpened(machines: number[], changes: object = {}) {
  const demand = await world.givenDemand()
  const body = { ...world.quoteBody(demand, machines), ...changes }
  expect((await cast.lessor.call(submitQuote, { body })).code).toBe(200)
  world.passDeadline()
  await openDueDemands(world.services)
  const compare = async () => {
    const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
    const [quote] = data.quotes
    const [line] = quote?.lines ?? []
    return { bars: quote?.bars, line, machines: line?.machines }
  }
  const { line } = await compare()
  const award = (qty = 1) =>
    cast.project.call(awardDemand, {
      params: { id: demand.id },
      body: { lines: [{ demandItemId: demand.items[0]?.id, quoteLineId: line?.id, qty }] },
    })
  return { id: demand.id, compare, award }
}

const setMachine = (id: number, values: object) => db.updateTable('equipment').set(values).where('id', '=', id).execute()
const givenRestricted = (equipmentId: number) =>
  db
    .insertInto('blacklist')
    .values({
      blacklistCode: `HMJ${equipmentId}`,
      subjectKind: 'machine',
      companyId: cast.lessor.companyId,
      equipmentId,
      level: 2,
      scopeDeptId: world.depts.root,
      proposerId: cast.lessee.id,
      status: '2',
      reasonCode: 'accident',
      facts: '事实'.repeat(30),
      fromDay: '2026-11-01',
      toDay: '2027-11-01',
      createTime: monday,
      updateTime: monday,
    })
    .execute()

describe('an award asks again for everything that the quote was asked, and the comparison says what has changed', () => {
  test.each<[string, (machine: number) => Promise<unknown>, string]>([
    ['a machine that was retired', (id) => setMachine(id, { rentStatus: '4' }), 'gone'],
    ['a machine that was deleted', (id) => setMachine(id, { delFlag: '2' }), 'gone'],
    ['a machine whose approval was taken back', (id) => setMachine(id, { auditStatus: '3', shelfStatus: '0' }), 'gone'],
    ['a machine that its lessor took off the shelf', (id) => setMachine(id, { shelfStatus: '0' }), 'shelf'],
    ['a machine that the platform took down', (id) => setMachine(id, { shelfStatus: '2' }), 'shelf'],
    ['a machine on the restriction list', givenRestricted, 'blocked'],
    ['a machine without a needed paper', (id) => db.deleteFrom('equipmentDocument').where('equipmentId', '=', id).execute(), 'papers'],
  ])('%s', async (_, change, kind) => {
    const machine = await world.givenMachine(cast.lessor.companyId)
    const { compare, award } = await givenOpened([machine])
    expect((await compare()).line).toMatchObject({ availableQty: 1, machines: [{ problem: null, misses: [] }] })
    await change(machine)
    const { line } = await compare()
    expect(line).toMatchObject({ availableQty: 0, machines: [{ problem: 'machine_unfit' }] })
    expect(line?.machines[0]?.misses.map((miss) => miss.kind)).toContain(kind)
    const { code, msg } = await award()
    expect(code).toBe(409)
    expect(msg).toBe(kind === 'papers' ? zhCn.refusal.papers_expired : '该报价的出租方、设备或有效期已有变化，不能再按它定标')
  })

  test('a lessor whose certification was revoked', async () => {
    const { compare, award } = await givenOpened([await world.givenMachine(cast.lessor.companyId)])
    await db.updateTable('company').set({ lessorAudit: '6' }).where('id', '=', cast.lessor.companyId).execute()
    expect((await compare()).bars).toEqual(['not_certified'])
    expect((await award()).code).toBe(409)
    await db.updateTable('company').set({ lessorAudit: '2' }).where('id', '=', cast.lessor.companyId).execute()
    expect((await compare()).bars).toEqual([])
    expect((await award()).code).toBe(200)
  })

  test('an offer whose last day has passed', async () => {
    const machine = await world.givenMachine(cast.lessor.companyId)
    const { compare, award } = await givenOpened([machine], { validUntil: '2026-12-13' })
    clock.set(new Date('2026-12-13T02:00:00Z'))
    expect((await compare()).bars).toEqual([])
    clock.set(new Date('2026-12-14T02:00:00Z'))
    expect((await compare()).bars).toEqual(['offer_expired'])
    expect((await award()).code).toBe(409)
  })

  test('of two machines the one that may still be let is awarded, and only that one is booked', async () => {
    const machines = [await world.givenMachine(cast.lessor.companyId), await world.givenMachine(cast.lessor.companyId)]
    const { compare, award } = await givenOpened(machines)
    await setMachine(machines[0] ?? 0, { rentStatus: '4' })
    expect((await compare()).line).toMatchObject({ qty: 2, availableQty: 1 })
    expect((await award(2)).code).toBe(409)
    expect((await award(1)).code).toBe(200)
    const booked = await db.selectFrom('equipmentBooking').where('equipmentId', 'in', machines).select('equipmentId').execute()
    expect(booked.map(({ equipmentId }) => equipmentId)).toEqual([machines[1]])
  })

  test('a cheaper offer that may no longer be awarded is not the lowest, and needs no reason to be passed over', async () => {
    const demand = await world.givenDemand()
    const cheap = await world.givenMachine(cast.lessor.companyId)
    await world.givenQuote(cast.lessor, demand, [cheap])
    await world.givenQuote(cast.lessor2, demand, [await world.givenMachine(cast.lessor2.companyId)], { unitPrice: 20_000 })
    world.passDeadline()
    await openDueDemands(world.services)
    const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
    const dear = data.quotes.find(({ companyId }) => companyId === cast.lessor2.companyId)?.lines[0]
    const body = { lines: [{ demandItemId: demand.items[0]?.id, quoteLineId: dear?.id, qty: 1 }] }
    expect((await cast.project.call(awardDemand, { params: { id: demand.id }, body })).code).toBe(422)
    /** What the workbook says of each offer against the lowest. */
    const marks = async () => {
      const { bytes } = await cast.project.call(exportApply, { query: { id: demand.id } })
      const [sheet] = await readSheets(bytes)
      const [header = [], ...rows] = sheet?.data ?? []
      return rows.map((row) => row[header.indexOf('单台与最低差（元）')])
    }
    expect(await marks()).toEqual(['最低', expect.any(Number)])
    await setMachine(cheap, { shelfStatus: '0' })
    expect(await marks()).toEqual(['–', '最低'])
    expect((await cast.project.call(awardDemand, { params: { id: demand.id }, body })).code).toBe(200)
  })
})

test('a lot that two lines share is awarded as far as it is free; a choice of more is refused at its line', async () => {
  const demand = await world.givenDemand({ items: [world.demandItem(), world.demandItem({ planStart: '2027-01-10' })] })
  const lot = await world.givenMachine(cast.lessor.companyId, { qty: 4 })
  const [first, second] = demand.items.map(({ id }) => ({ ...world.quoteLine(id, []), machines: [{ equipmentId: lot, qty: 2 }] }))
  const body = { ...world.quoteBody(demand, []), lines: [first, second] }
  expect((await cast.lessor.call(submitQuote, { body })).code).toBe(200)
  world.passDeadline()
  await openDueDemands(world.services)
  const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
  const lines = data.quotes[0]?.lines ?? []
  // Since the quote a unit has gone to somebody else.
  await setMachine(lot, { totalQty: 3 })
  const award = (...qty: number[]) =>
    cast.project.call(awardDemand, {
      params: { id: demand.id },
      body: { lines: lines.map(({ id, demandItemId }, index) => ({ demandItemId, quoteLineId: id, qty: qty[index] })) },
    })
  const refused = await award(2, 2)
  expect([refused.code, refusedFields(refused.data)]).toEqual([422, ['lines.1.qty']])
  expect((await award(2, 1)).code).toBe(200)
  const booked = await db.selectFrom('equipmentBooking').where('equipmentId', '=', lot).select('slot').execute()
  expect(new Set(booked.map(({ slot }) => slot)).size).toBe(3)
})

test('what the winner reads as their sum is that of the award and of the contract, each machine rounded by itself', async () => {
  const items = [world.demandItem({ qty: 3, planStart: '2026-12-13', planEnd: '2027-01-13' })]
  const demand = await world.givenDemand({ items })
  const machines = []
  for (let n = 0; n < 3; n++) machines.push(await world.givenMachine(cast.lessor.companyId))
  await world.givenQuote(cast.lessor, demand, machines, { unitPrice: 10_000 })
  world.passDeadline()
  await openDueDemands(world.services)
  const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
  const line = data.quotes[0]?.lines[0]
  const lines = [{ demandItemId: line?.demandItemId, quoteLineId: line?.id, qty: 3 }]
  expect((await cast.project.call(awardDemand, { params: { id: demand.id }, body: { lines } })).code).toBe(200)
  const { quote } = (await cast.lessor.call(getDemandForLessor, { params: { id: demand.id } })).data
  // 31 days at 10,000 a month are 10,333.33 for each of them.
  expect(quote?.won).toMatchObject({ rent: '30999.99', invoiced: '30999.99' })
  expect((await cast.project.call(draftContracts, { params: { id: demand.id } })).code).toBe(200)
  const draft = await db.selectFrom('contract').where('demandId', '=', demand.id).select('amountFen').executeTakeFirst()
  expect(draft?.amountFen).toBe(3_099_999)
  const award = await db.selectFrom('award').where('demandId', '=', demand.id).select('rentFen').executeTakeFirst()
  expect(award?.rentFen).toBe(3_099_999)
})

test('a crane that comes of age needs its assessment wherever it is let', async () => {
  const machine = await world.givenMachine(cast.lessor.companyId, { categoryId: 201, value: 80 })
  await setMachine(machine, { fatherCategoryId: 200, specs: JSON.stringify({ moment: 80 }), outFactoryDate: '2012-01-01' })
  await db
    .insertInto('equipmentDocument')
    .values(['registration', 'inspection', 'filing', 'erection'].map((kind) => ({ equipmentId: machine, kind })))
    .execute()
  const specRequirements = [{ key: 'moment', rule: 'ge', value: '80' }]
  const demand = await world.givenDemand({
    items: [world.demandItem({ fatherCategoryId: 200, categoryId: 201, specRequirements, qty: 1 })],
  })
  const item = demand.items[0]?.id ?? 0
  const candidate = async () => {
    const { data } = await cast.lessor.call(getDemandForLessor, { params: { id: demand.id } })
    return data.candidates[String(item)]?.find(({ id }) => id === machine)?.misses
  }
  const direct = async () => {
    const asked = { params: { companyId: cast.lessor.companyId }, query: { deptId: world.depts.projectDept } }
    return (await cast.project.call(listDirectMachines, asked)).data.find(({ id }) => id === machine)?.bar
  }
  expect([await candidate(), await direct()]).toEqual([[], null])
  await world.givenQuote(cast.lessor, demand, [machine])
  await setMachine(machine, { outFactoryDate: '2011-01-01' })
  const missing = [{ kind: 'papers', detail: 'assessment' }]
  expect([await candidate(), await direct()]).toEqual([missing, 'papers'])
  world.passDeadline()
  await openDueDemands(world.services)
  const line = (await cast.project.call(compareQuotes, { params: { demandId: demand.id } })).data.quotes[0]?.lines[0]
  expect(line?.machines).toMatchObject([{ problem: 'machine_unfit', misses: missing }])
  const award = await cast.project.call(awardDemand, {
    params: { id: demand.id },
    body: { lines: [{ demandItemId: item, quoteLineId: line?.id, qty: 1 }] },
  })
  expect([award.code, award.msg]).toEqual([409, zhCn.refusal.papers_expired])
})

test('landed costs are those of the day of the opening, whatever the price of diesel becomes', async () => {
  const { compare } = await givenOpened([await world.givenMachine(cast.lessor.companyId)])
  const before = await compare()
  const value = JSON.stringify({ dieselFenPerLitre: 1000, operatorMonthFen: 900_000 })
  await db
    .insertInto('setting')
    .values({ key: 'cost', value, updatedAt: monday })
    .onConflict((row) => row.column('key').doUpdateSet({ value }))
    .execute()
  expect((await compare()).line?.netCost).toBe(before.line?.netCost)
  clock.set(monday)
  const later = await givenOpened([await world.givenMachine(cast.lessor.companyId)])
  const sheets = await readSheets((await cast.project.call(exportApply, { query: { id: later.id } })).bytes)
  expect(sheets[1]?.data[1]).toEqual([expect.stringContaining('柴油 10.00 元/升')])
  expect(Number((await later.compare()).line?.netCost)).toBeGreaterThan(Number(before.line?.netCost))
})
