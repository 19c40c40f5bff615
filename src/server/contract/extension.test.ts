import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { awardDemand } from '#shared/award/contract.ts'
import { companyStatus, type CompanyStatus } from '#shared/company/rules.ts'
import * as changeCalls from '#shared/contract/changes.ts'
import { getContractChain, getContractText } from '#shared/contract/contract.ts'
import { recordChecks, recordFault } from '#shared/contract/record.ts'
import { compareQuotes } from '#shared/quote/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { changeSteps, contractSteps } from '#test/given-contract.ts'
import { readPdf } from '#test/read-pdf.ts'
import { monday, openWorld } from '#test/world.ts'
import { openDueDemands } from '../opening/due.ts'
import { sha256 } from './digest.ts'

const world = await openWorld()
const { db, cast, clock, services } = world
const { givenContract, givenDraft, send, confirm: putInForce } = contractSteps(world)
const { read, propose, confirm } = changeSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

describe('against another hire', () => {
  /** A demand from 2027-03-20 on, judged and ready to be awarded to the same machine. */
  async function givenRival(machine: number) {
    const later = { planStart: '2027-03-20', planEnd: '2027-05-20', qty: 1 }
    clock.set(monday)
    const next = await world.givenDemand({ items: [world.demandItem(later)] })
    await world.givenQuote(cast.lessor, next, [machine])
    world.passDeadline()
    await openDueDemands(services)
    const { data: compared } = await cast.project.call(compareQuotes, { params: { demandId: next.id } })
    const lines = [{ demandItemId: next.items[0]?.id, quoteLineId: compared.quotes[0]?.lines[0]?.id, qty: 1 }]
    return { next, lines }
  }

  test('of an extension and an award of the same days the first holds, and the extension names the days that are taken', async () => {
    const { id } = await givenContract()
    const [line] = (await read(id)).lines
    const machine = line?.equipmentId ?? 0
    const { next, lines } = await givenRival(machine)
    const { data } = await propose(cast.project, id, { kind: 'extend', lines: [{ lineId: line?.id, value: '2027-04-13' }] })
    const [awarded, extended] = await Promise.all([
      cast.project.call(awardDemand, { params: { id: next.id }, body: { lines } }),
      confirm(cast.lessor, data.id),
    ])
    expect([awarded.code, extended.code].filter((code) => code === 200)).toHaveLength(1)
    if (extended.code !== 200) expect(extended.data).toMatchObject({ lineNo: 1, takenFrom: '2027-03-20', freeAgain: '2027-05-20' })
    const periods = await db.selectFrom('equipmentBooking').where('equipmentId', '=', machine).select('period').execute()
    expect(periods).toHaveLength(awarded.code === 200 ? 2 : 1)
  })

  test('an extension into days that another hire has is refused before it is sent, up to these days it is not', async () => {
    const { id } = await givenContract()
    const [line] = (await read(id)).lines
    const { next, lines } = await givenRival(line?.equipmentId ?? 0)
    expect((await cast.project.call(awardDemand, { params: { id: next.id }, body: { lines } })).code).toBe(200)
    const extend = (value: string) => propose(cast.project, id, { kind: 'extend', lines: [{ lineId: line?.id, value }] })
    const refused = await extend('2027-03-21')
    expect([refused.code, refused.data]).toMatchObject([409, { lineNo: 1, takenFrom: '2027-03-20', freeAgain: '2027-05-20' }])
    expect((await extend('2027-03-20')).code).toBe(200)
  })

  test('the refusal names machines of the same lessor and kind that are free on those days, none that is taken, restricted or another kind', async () => {
    const { id } = await givenContract()
    const [line] = (await read(id)).lines
    await db
      .updateTable('equipment')
      .set({ shelfStatus: '2' })
      .where('companyId', '=', cast.lessor.companyId)
      .where('id', '<>', line?.equipmentId ?? 0)
      .execute()
    const [free, taken, barred, crane] = [
      await world.givenMachine(cast.lessor.companyId),
      await world.givenMachine(cast.lessor.companyId),
      await world.givenMachine(cast.lessor.companyId),
      await world.givenMachine(cast.lessor.companyId, { categoryId: 108 }),
    ]
    const block = { slot: 1, period: '[2027-03-13,2027-04-10)', reason: 'own' as const }
    await db
      .insertInto('equipmentBooking')
      .values([
        { equipmentId: line?.equipmentId ?? 0, ...block },
        { equipmentId: taken, ...block },
      ])
      .execute()
    await restrict({ blacklistCode: 'HM7', subjectKind: 'machine', companyId: cast.lessor.companyId, equipmentId: barred })
    const refused = await propose(cast.project, id, { kind: 'extend', lines: [{ lineId: line?.id, value: '2027-04-13' }] })
    const { similar } = refused.data as unknown as { similar: { id: number }[] }
    expect([similar.map((one) => one.id), crane]).toEqual([[free], expect.any(Number)])
  })
})

describe('a lot', () => {
  const block = (equipmentId: number, slot: number, period: string) =>
    db.insertInto('equipmentBooking').values({ equipmentId, slot, period, reason: 'own' }).execute()
  const slotsOf = (lineId: number) =>
    db
      .selectFrom('equipmentBooking')
      .where('contractLineId', '=', lineId)
      .orderBy('slot')
      .orderBy('period')
      .select(['slot', 'period'])
      .execute()

  test('is extended as long as any of its units are free, and refused with the days when too few are', async () => {
    const { id } = await givenContract({ lots: 4 })
    const [line] = (await read(id)).lines
    const { id: lineId = 0, equipmentId = 0 } = line ?? {}
    expect(line?.qty).toBe(2)
    // The place of the second unit is taken after the hire, another one is free.
    await block(equipmentId, 2, '[2027-03-13,2027-06-01)')
    const extend = (value: string) => propose(cast.project, id, { kind: 'extend', lines: [{ lineId, value }] })
    const { data } = await extend('2027-04-13')
    expect((await confirm(cast.lessor, data.id)).code).toBe(200)
    expect(await slotsOf(lineId)).toEqual([
      { slot: 1, period: '[2026-12-13,2027-04-13)' },
      { slot: 2, period: '[2026-12-13,2027-03-13)' },
      { slot: 3, period: '[2027-03-13,2027-04-13)' },
    ])
    await block(equipmentId, 3, '[2027-05-01,2027-05-20)')
    await block(equipmentId, 4, '[2027-04-20,2027-07-01)')
    const refused = await extend('2027-05-13')
    expect([refused.code, refused.data]).toMatchObject([409, { lineNo: 1, takenFrom: '2027-05-01', freeAgain: '2027-05-20' }])
    const { data: longer } = await extend('2027-05-01')
    expect((await confirm(cast.lessor, longer.id)).code).toBe(200)
    const { data: shorter } = await propose(cast.project, id, { kind: 'shorten', lines: [{ lineId, value: '2027-03-10' }] })
    expect((await confirm(cast.lessor, shorter.id)).code).toBe(200)
    expect(await slotsOf(lineId)).toEqual([1, 2].map((slot) => ({ slot, period: '[2026-12-13,2027-03-10)' })))
  })
})

const restriction = () =>
  ({
    level: 2,
    scopeDeptId: world.depts.root,
    reasonCode: 'quit',
    facts: '合同生效后未按约定进场，'.repeat(6),
    fromDay: '2026-11-23',
    toDay: '2027-11-23',
    status: '2',
    proposerId: cast.lessee.id,
    createTime: monday,
    updateTime: monday,
  }) as const
const restrict = (values: { blacklistCode: string; subjectKind: 'company' | 'machine'; companyId: number; equipmentId?: number }) =>
  db
    .insertInto('blacklist')
    .values({ ...restriction(), ...values })
    .execute()

describe('the restriction list', () => {
  beforeEach(() => db.deleteFrom('blacklist').execute())

  test.each(['company', 'machine'] as const)(
    'refuses an extension with a %s on it, when it is sent and when it is confirmed',
    async (subjectKind) => {
      const { id } = await givenContract()
      const [line] = (await read(id)).lines
      const extend = () => propose(cast.project, id, { kind: 'extend', lines: [{ lineId: line?.id, value: '2027-04-13' }] })
      const { data } = await extend()
      const machine = subjectKind === 'machine' && { equipmentId: line?.equipmentId ?? 0 }
      await restrict({ blacklistCode: 'HM1', subjectKind, companyId: cast.lessor.companyId, ...machine })
      const late = await confirm(cast.lessor, data.id)
      const { change_barred, change_machine_barred } = zhCn.refusal
      const words = subjectKind === 'machine' ? change_machine_barred.replace('{lineNo}', '1') : change_barred
      expect([late.code, late.msg]).toEqual([409, words])
      expect((await cast.project.call(changeCalls.recallContractChange, { params: { id: data.id }, body: {} })).code).toBe(200)
      expect((await extend()).code).toBe(409)
      // What runs goes on: an end that comes earlier is agreed as before.
      expect((await propose(cast.project, id, { kind: 'shorten', lines: [{ lineId: line?.id, value: '2027-03-01' }] })).code).toBe(200)
      await db.deleteFrom('blacklist').execute()
    },
  )

  test('refuses a further position of a lessor on it, when it is sent and when it is confirmed', async () => {
    const { id } = await givenContract()
    const equipmentId = await world.givenMachine(cast.lessor.companyId)
    const position = { equipmentId, planStart: '2026-12-20', planEnd: '2027-03-20', rentUnit: 'M', unitPrice: '21000' }
    const add = () => propose(cast.project, id, { kind: 'quantity', lineIds: [], added: [position] })
    const { data } = await add()
    await restrict({ blacklistCode: 'HM2', subjectKind: 'company', companyId: cast.lessor.companyId })
    expect((await confirm(cast.lessor, data.id)).msg).toBe(zhCn.refusal.contract_barred)
    expect((await cast.project.call(changeCalls.recallContractChange, { params: { id: data.id }, body: {} })).code).toBe(200)
    expect((await add()).msg).toBe(zhCn.refusal.contract_barred)
    await db.deleteFrom('blacklist').execute()
  })
})

test('no hire is made longer with a lessor whom the platform has locked, also where they offered it before', async () => {
  const { id } = await givenContract()
  const [line] = (await read(id)).lines
  const extension = { kind: 'extend', lines: [{ lineId: line?.id, value: '2027-04-13' }] }
  const { data } = await propose(cast.lessor, id, extension)
  const set = (status: CompanyStatus) => db.updateTable('company').set({ status }).where('id', '=', cast.lessor.companyId).execute()
  await set(companyStatus.locked)
  const refused = await confirm(cast.project, data.id)
  expect([refused.code, refused.msg, refused.data]).toEqual([409, zhCn.refusal.change_barred, null])
  await set(companyStatus.active)
  expect((await confirm(cast.project, data.id)).code).toBe(200)
  await set(companyStatus.locked)
  const later = { ...extension, lines: [{ lineId: line?.id, value: '2027-05-13' }] }
  expect((await propose(cast.project, id, later)).msg).toBe(zhCn.refusal.change_barred)
  await set(companyStatus.active)
})

test('a hire is not extended beyond twenty years', async () => {
  const { id } = await givenContract()
  const [line] = (await read(id)).lines
  const extend = (value: string) => propose(cast.project, id, { kind: 'extend', lines: [{ lineId: line?.id, value }] })
  const { code, raw } = await extend('2046-12-13')
  expect([code, (raw.data as { errors: object[] }).errors]).toEqual([
    422,
    [{ field: 'terms.lines.0.value', message: zhCn.rule.codes.lease_too_long }],
  ])
  expect((await extend('2046-11-13')).code).toBe(200)
})

test('an end that moves changes the estimated quantity of a hire by shift in proportion, in the amendment, its print, the text and the sum', async () => {
  const { id } = await givenDraft()
  await db.updateTable('contractLine').set({ rentUnit: 'S', unitPriceFen: 100_000, estQuantity: 90 }).where('contractId', '=', id).execute()
  await send(cast.project, id)
  await putInForce(cast.lessor, id)
  const [line] = (await read(id)).lines
  // 90 days.
  expect([line?.planStart, line?.planEnd, line?.estQuantity]).toEqual(['2026-12-13', '2027-03-13', 90])
  const before = Number(line?.amount)
  const { data } = await propose(cast.project, id, { kind: 'extend', lines: [{ lineId: line?.id, value: '2027-04-12' }] })
  const [change] = (await cast.lessor.call(changeCalls.listContractChanges, { params: { id } })).data
  expect(change?.lines).toMatchObject([{ after: '2027-04-12', quantity: { before: 90, after: 120 } }])
  const pages = await readPdf((await cast.lessor.call(changeCalls.printContractChange, { params: { id: data.id } })).bytes)
  expect(pages.map(({ body }) => body).join('')).toMatch(/预计90台班.*预计120台班/)
  expect((await confirm(cast.lessor, data.id)).code).toBe(200)
  const after = await read(id)
  expect([after.lines[0]?.estQuantity, Number(after.lines[0]?.amount) - before, after.amount]).toEqual([120, 30_000, change?.amountAfter])
  const { data: written } = await cast.project.call(getContractText, { params: { id } })
  expect(written.text).toContain('预计工作量每台 120 台班')
  const { data: chain } = await cast.project.call(getContractChain, { params: { id } })
  expect(await recordFault(chain, recordChecks, sha256)).toBeNull()
})
