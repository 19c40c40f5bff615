import { afterAll, beforeEach, expect, test } from 'vitest'
import { awardDemand } from '#shared/award/contract.ts'
import { compareQuotes, giveUpQuote } from '#shared/quote/contract.ts'
import { monday, openWorld } from '#test/world.ts'
import { openDueDemands } from '../opening/due.ts'

const world = await openWorld()
const { db, cast, clock } = world
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

/** A demand for two machines with a driver under a ceiling of 20,000 yuan a month, and the award of one machine of each lessor as they offer it. */
async function givenAwarded(...offers: Record<string, unknown>[]) {
  const demand = await world.givenDemand({ items: [world.demandItem({ priceCeiling: 20_000 })] })
  for (const [at, lessor] of [cast.lessor, cast.lessor2].entries())
    if (offers[at]) await world.givenQuote(lessor, demand, [await world.givenMachine(lessor.companyId)], offers[at])
  world.passDeadline()
  await openDueDemands(world.services)
  const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
  const lines = data.quotes.map((quote) => ({ demandItemId: demand.items[0]?.id, quoteLineId: quote.lines[0]?.id, qty: 1 }))
  expect((await cast.project.call(awardDemand, { params: { id: demand.id }, body: { lines } })).code).toBe(200)
  const isOver = data.quotes.map((quote) => quote.lines[0]?.overCeiling)
  const sums = () =>
    db.selectFrom('award').where('demandId', '=', demand.id).select(['ceilingFen', 'underCeilingFen']).executeTakeFirstOrThrow()
  return { isOver, sums, quoteOf: (companyId: number) => data.quotes.find((quote) => quote.companyId === companyId)?.id }
}

test('a price up to the ceiling is not marked, needs no reason, and is compared with it in the same unit alone', async () => {
  const { isOver, sums } = await givenAwarded({}, { unitPrice: 20_000 })
  expect(isOver).toEqual([false, false])
  expect(await sums()).toEqual({ ceilingFen: 4_000_000, underCeilingFen: 3_600_000 })
  clock.set(monday)
  const byDay = await givenAwarded({ rentUnit: 'D', unitPrice: 900 })
  expect(await byDay.sums()).toEqual({ ceilingFen: 0, underCeilingFen: 0 })
})

test('a price without the driver that the ceiling holds saves nothing, and the sums stay so when another winner gives up', async () => {
  const { sums, quoteOf } = await givenAwarded({}, { includesOperator: false, taxRate: 13, unitPrice: 12_000 })
  expect(await sums()).toEqual({ ceilingFen: 2_000_000, underCeilingFen: 1_600_000 })
  const params = { id: quoteOf(cast.lessor.companyId) }
  expect((await cast.lessor.call(giveUpQuote, { params, body: { reason: '设备故障，无法按期进场' } })).code).toBe(200)
  expect(await sums()).toEqual({ ceilingFen: 0, underCeilingFen: 0 })
})
