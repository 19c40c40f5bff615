import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { addDays, dayOf } from '#shared/calendar.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import { rentUnits, taxRates } from '#shared/equipment/rules.ts'
import * as contract from '#shared/quote/contract.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld } from '#test/world.ts'
import { findItems } from '../demand/queries.ts'
import { openDueDemands } from '../opening/due.ts'
import { findCandidates } from './candidates.ts'

const world = await openWorld()
const { cast, clock, db } = world
afterAll(() => world.close())

const today = dayOf(monday)
const own = [
  await world.givenMachine(cast.lessor.companyId),
  await world.givenMachine(cast.lessor.companyId, { paperTo: addDays(today, 60) }),
]
const lot = await world.givenMachine(cast.lessor.companyId, { qty: 6 })
const others = await world.givenMachine(cast.lessor2.companyId)

/** Mostly what a contract allows; the rest is what only the database refuses, or nothing should. */
const days = fc.constantFrom(addDays(today, 19), addDays(today, 60), '0000-01-01', '0001-01-01', '9999-12-31', '2026-02-30')
const words = fc.constantFrom('', '含夜间照明', '\u0000', '\ud800', "'; drop table quote; --", '𝕏'.repeat(200), 'a'.repeat(500))
const money = fc.constantFrom(0, 1, 0.01, 16_000, '16000.00', 9_999_999.99, 9_999_999_999)
const machine = fc.record({
  equipmentId: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(lot, lot, ...own) },
    { weight: 1, arbitrary: fc.constantFrom(others, 2 ** 53 - 1) },
  ),
  qty: fc.oneof({ weight: 12, arbitrary: fc.constantFrom(1, 1, 1, 2, 3) }, { weight: 1, arbitrary: fc.constantFrom(0, 7, 9999) }),
})
const line = fc.record({
  item: fc.constantFrom(0, 0, 0, 1, 1, 1, 2),
  machines: fc.oneof(
    { weight: 3, arbitrary: fc.array(machine, { minLength: 1, maxLength: 1 }) },
    { weight: 2, arbitrary: fc.array(machine, { minLength: 2, maxLength: 3 }) },
  ),
  unitPrice: fc.oneof({ weight: 12, arbitrary: fc.constant(16_000) }, { weight: 1, arbitrary: money }),
  rentUnit: fc.oneof({ weight: 12, arbitrary: fc.constant('M') }, { weight: 1, arbitrary: fc.constantFrom(...rentUnits) }),
  entryFee: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: money }),
  taxRate: fc.constantFrom(...taxRates),
  minRentDays: fc.constantFrom(0, 30, 3650),
  earliestEntry: fc.oneof({ weight: 12, arbitrary: fc.constant(addDays(today, 19)) }, { weight: 1, arbitrary: days }),
  deviation: words,
  promisesRenewal: fc.boolean(),
})
const offer = fc.record({
  lines: fc.oneof(
    { weight: 2, arbitrary: fc.array(line, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(line, { minLength: 2, maxLength: 3 }) },
  ),
  note: words,
  validUntil: fc.oneof({ weight: 12, arbitrary: fc.constant(addDays(today, 60)) }, { weight: 1, arbitrary: days }),
})

test('whatever quote is accepted can be opened and compared', async () => {
  let accepted = 0
  // A demand serves until a quote for it is accepted; a refused one leaves it as it was.
  let open: Awaited<ReturnType<typeof world.givenDemand>> | null = null
  await fc.assert(
    fc.asyncProperty(offer, async ({ lines, ...head }) => {
      clock.set(monday)
      const items = [world.demandItem({ qty: 3 }), world.demandItem({ planStart: addDays(today, 200), planEnd: addDays(today, 300) })]
      const demand = (open ??= await world.givenDemand({ items }))
      // The third is a line of nobody's demand.
      const itemIds = [...demand.items.map(({ id }) => id), 2 ** 40]
      const body = {
        ...world.quoteBody(demand, []),
        ...head,
        lines: lines.map(({ item, ...changes }) => world.quoteLine(itemIds[item] ?? 0, [], changes)),
      }
      const { code } = await cast.lessor.call(contract.submitQuote, { body })
      expect([200, 422]).toContain(code)
      if (code !== 200) return
      accepted++
      open = null
      world.passDeadline()
      await openDueDemands(world.services)
      const { status } = await db.selectFrom('demand').where('id', '=', demand.id).select('status').executeTakeFirstOrThrow()
      const compared = await cast.project.call(contract.compareQuotes, { params: { demandId: demand.id } })
      expect([status, compared.code, compared.data.quotes[0]?.lines.length]).toEqual([demandStatus.reviewing, 200, lines.length])
    }),
    {
      numRuns: Number(process.env.FUZZ ?? 50),
      examples: [
        [twice({ equipmentId: lot, qty: 1 }, { equipmentId: lot, qty: 2 })],
        [twice({ equipmentId: lot, qty: 1 }, { equipmentId: own[0] ?? 0, qty: 1 }, { earliestEntry: '0000-01-01' })],
      ],
    },
  )
  expect(accepted).toBeGreaterThan(5)
})

type Machine = { equipmentId: number; qty: 1 | 2 }

function twice(first: Machine, second: Machine, changes: { earliestEntry?: string } = {}) {
  const plain = { item: 0 as const, unitPrice: 16_000, rentUnit: 'M' as const, entryFee: 0, taxRate: 9 as const, minRentDays: 0 as const }
  const rest = { earliestEntry: addDays(today, 19), deviation: '', promisesRenewal: false, ...changes }
  return { lines: [{ ...plain, machines: [first, second], ...rest }], note: '', validUntil: addDays(today, 60) }
}

test('of a fleet of hundreds any machine may be quoted, each category has its own to choose from, and a quote finds the machines that it names', async () => {
  clock.set(monday)
  const body = {
    enterpriseName: '千机机械租赁有限公司',
    creditCode: '91110108FLT000001X',
    provinceId: 510_000,
    cityId: 510_100,
    searchText: '',
  }
  const { id: companyId } = await db
    .insertInto('company')
    .values({ ...body, isLessor: true, lessorAudit: '2' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const owner = await world.givenPerson({ userType: '4', companyId, certSign: 1, isAdmin: true }, 'fleet')
  const oldest = await world.givenMachine(companyId)
  await sql`insert into equipment (equipment_code, company_id, father_category_id, category_id, name, brand, model, specs, main_value, out_factory_date,
      emission_stage, province_id, city_id, total_qty, audit_status, shelf_status, search_text)
    select 'F' || n, company_id, father_category_id, category_id, name, brand, model, specs, main_value, out_factory_date, emission_stage, province_id,
      city_id, total_qty, audit_status, shelf_status, search_text from equipment, generate_series(1, 320) n where id = ${oldest}`.execute(
    db,
  )
  const [newest, other] = [await world.givenMachine(companyId), await world.givenMachine(companyId, { categoryId: 101 })]
  const items = [world.demandItem(), world.demandItem({ categoryId: 101, specRequirements: [{ key: 'opWeight', rule: 'ge', value: '1' }] })]
  const demand = await world.givenDemand({ items })
  const read = async () => {
    const { candidates } = (await owner.call(contract.getDemandForLessor, { params: { id: demand.id } })).data
    return demand.items.map(({ id }) => candidates[String(id)]?.map((machine) => machine.id) ?? [])
  }
  const [loaders = [], others] = await read()
  expect([loaders.length, loaders.includes(newest), others]).toEqual([300, true, [other]])
  // The list of the market compares so many of all categories together.
  const lines = await findItems(db, demand.id)
  const compared = await findCandidates(db, { companyId, deptId: 0, items: lines, demands: [], now: monday })
  expect(Object.values(compared).flat()).toHaveLength(300)
  for (const machine of [newest, oldest]) {
    const { data } = await owner.call(contract.submitQuote, { body: world.quoteBody(demand, [machine]) })
    expect(data).toMatchObject({ quoteCode: expect.any(String) })
    const [offered] = await read()
    expect([offered?.length, offered?.includes(machine)]).toEqual([machine === oldest ? 301 : 300, true])
    await owner.call(contract.withdrawQuote, { params: { id: data.id } })
  }
})

test('a machine that is taken until today is refused for a line that has begun, as its award would be', async () => {
  const demand = await world.givenDemand()
  const begun = addDays(today, -2)
  await db.updateTable('demandItem').set({ planStart: begun }).where('demandId', '=', demand.id).execute()
  const equipmentId = await world.givenMachine(cast.lessor.companyId)
  const takenUntil = (day: string) => `[${addDays(today, -9)},${day})`
  await db
    .insertInto('equipmentBooking')
    .values({ equipmentId, slot: 1, period: takenUntil(today), reason: 'own' })
    .execute()
  const submit = () => cast.lessor.call(contract.submitQuote, { body: world.quoteBody(demand, [equipmentId]) })
  const { code, data } = await submit()
  expect([code, refusedFields(data)]).toEqual([422, ['lines.0.machines']])
  await db
    .updateTable('equipmentBooking')
    .set({ period: takenUntil(begun) })
    .where('equipmentId', '=', equipmentId)
    .execute()
  expect((await submit()).code).toBe(200)
})
