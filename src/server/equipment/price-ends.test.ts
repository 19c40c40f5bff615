import { afterAll, expect, test } from 'vitest'
import { addDays, dayOf } from '#shared/calendar.ts'
import { getPublicEquipment, listPublicEquipment } from '#shared/equipment/contract.ts'
import { getOwnEquipment } from '#shared/equipment/own.ts'
import { getDemandForLessor } from '#shared/quote/contract.ts'
import { recordingDatabase } from '#test/load/database-time.ts'
import { monday, openWorld } from '#test/world.ts'
import { endMonthPrices } from './price-ends.ts'

const world = await openWorld()
const { cast, db, services } = world
afterAll(() => world.close())

const today = dayOf(monday)
/** A machine with its price by the month, and one by the shift. */
async function givenPriced({ monthTo, shiftTo }: { monthTo: string | null; shiftTo: string | null }) {
  const id = await world.givenMachine(cast.lessor.companyId)
  await db.updateTable('equipmentPrice').set({ validTo: monthTo }).where('equipmentId', '=', id).execute()
  await db.insertInto('equipmentPrice').values({ equipmentId: id, rentUnit: 'S', priceFen: 70_000, validTo: shiftTo }).execute()
  return id
}
const past = '2020-01-31'
const ahead = '2999-12-31'
const detail = async (id: number) => (await cast.visitor.call(getPublicEquipment, { params: { id } })).data
const amounts = ({ prices }: { prices: { price: string | null }[] }) => prices.map(({ price }) => price)

test('everybody sees until when a price holds; one that has ended is to be agreed, in lists and for a quote as well, and stays with its owner', async () => {
  const id = await givenPriced({ monthTo: past, shiftTo: ahead })
  const seen = await detail(id)
  expect(seen.prices).toMatchObject([
    { rentUnit: 'M', price: null, validTo: past },
    { rentUnit: 'S', price: '700.00', validTo: ahead },
  ])
  const { rows } = (await cast.visitor.call(listPublicEquipment, {})).data
  expect(rows.filter((row) => row.id === id).map(amounts)).toEqual([[null, '700.00']])
  const demand = await world.givenDemand()
  const { data } = await cast.lessor.call(getDemandForLessor, { params: { id: demand.id } })
  expect(data.candidates[String(demand.items[0]?.id)]?.filter((machine) => machine.id === id).map(amounts)).toEqual([[null, '700.00']])
  expect(amounts((await cast.lessor.call(getOwnEquipment, { params: { id } })).data)).toEqual(['16000.00', '700.00'])
})

test('a month price that has ended gives way to one that holds, or to none; a price holds on its last day', async () => {
  const ended = await givenPriced({ monthTo: addDays(today, -1), shiftTo: today })
  const none = await givenPriced({ monthTo: addDays(today, -1), shiftTo: addDays(today, -1) })
  const held = await givenPriced({ monthTo: today, shiftTo: past })
  const cheapest = async () =>
    (await cast.visitor.call(listPublicEquipment, { query: { endPrice: 18_199, companyId: cast.lessor.companyId } })).data.rows.map(
      ({ id }) => id,
    )
  expect(await cheapest()).toEqual(expect.arrayContaining([ended, none, held]))
  expect(await endMonthPrices(services)).toBeGreaterThanOrEqual(2)
  const months = await Promise.all([ended, none, held].map(async (id) => (await detail(id)).monthPrice))
  expect(months).toEqual(['18200.00', null, '16000.00'])
  const found = await cheapest()
  expect([ended, none, held].map((id) => found.includes(id))).toEqual([false, false, true])
  expect(await endMonthPrices(services)).toBe(0)
})

test('a price that has ended is read once, and again only when it is saved anew', async () => {
  const id = await givenPriced({ monthTo: ahead, shiftTo: past })
  expect(await endMonthPrices(services)).toBe(0)
  const recording = recordingDatabase(world.url)
  await endMonthPrices({ ...services, db: recording.db })
  await recording.pool.end()
  expect(recording.sent.filter(({ sql: text }) => text.includes('equipment_price'))).toHaveLength(1)
  expect(await db.selectFrom('equipmentPrice').where('equipmentId', '=', id).orderBy('rentUnit').select('ended').execute()).toEqual([
    { ended: false },
    { ended: true },
  ])
})
