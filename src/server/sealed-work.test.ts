import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowReader, statementsOf } from '#test/counted.ts'
import { nameOf } from '#test/endpoints.ts'
import { openWorld } from '#test/world.ts'
import * as quoteContract from '#shared/quote/contract.ts'

const world = await openWorld()
const { cast, api, db } = world
const reader = await rowReader(world.url)
afterAll(async () => {
  await reader.end()
  await world.close()
})

/** Everybody who is neither the lessor that quotes nor on the side of the owner, who learns the number of quotes. */
const others = ['visitor', 'newcomer', 'lessor2', 'stranger', 'strangerAdmin', 'otherProject'] as const
/** The lists and details that touch the demand. */
const calls: [call: string, inputs: (demand: number) => { params?: object; query?: object }][] = [
  ['GET /business/leasingDemand/firstPageList', () => ({ query: { pageSize: 100 } })],
  ['GET /business/leasingDemand/firstPageList', () => ({ query: { keyword: '装载机', pageSize: 100 } })],
  ['GET /business/leasingDemand/firstPageList/:id', (id) => ({ params: { id } })],
  ['GET /business/leasingDemand/:id', (id) => ({ params: { id } })],
  ['GET /business/leasingDemand/:id/chain', (id) => ({ params: { id } })],
  ['GET /business/leasingApply/demand/:id', (id) => ({ params: { id } })],
  ['GET /business/leasingApply/list', (id) => ({ query: { demandId: id } })],
  ['GET /business/leasingApply/compare/:demandId', (id) => ({ params: { demandId: id } })],
  ...['recommended', 'near', 'open', 'quoted', 'won', 'lost'].map((scope): (typeof calls)[number] => [
    'GET /business/leasingApply/demandList',
    () => ({ query: { scope, pageSize: 100 } }),
  ]),
  ['GET /business/question/list/:demandId', (id) => ({ params: { demandId: id } })],
]

type Work = Record<string, { statements: string[]; rows: Record<string, number> }>
async function workOfAll(demand: number): Promise<Work> {
  await db.deleteFrom('callLimit').execute()
  const found: Work = {}
  for (const [call, inputs] of calls)
    for (const who of others) {
      const endpoint = api.routes.find((route) => nameOf(route.endpoint) === call)?.endpoint
      if (!endpoint) throw new Error(`no call ${call}`)
      const input = inputs(demand)
      const { statements } = await statementsOf(() => cast[who].call(endpoint, input))
      const texts = statements.map(({ text }) => text)
      found[`${call} ${JSON.stringify(input.query ?? {})} as ${who}`] = { statements: texts, rows: await reader.read(statements) }
    }
  return found
}

describe('what the database does to answer somebody else is the same before and after a sealed quote', () => {
  let demand: Awaited<ReturnType<typeof world.givenDemand>>
  let machine = 0
  let quote = 0
  let before: Work
  const sameAsBefore = async () => {
    const after = await workOfAll(demand.id)
    const differing = Object.keys(before).filter((call) => JSON.stringify(after[call]) !== JSON.stringify(before[call]))
    expect(differing.map((call) => [call, after[call]?.rows])).toEqual(differing.map((call) => [call, before[call]?.rows]))
    expect(differing).toEqual([])
  }
  beforeAll(async () => {
    demand = await world.givenDemand()
    machine = await world.givenMachine(cast.lessor.companyId)
    await world.givenQuote(cast.lessor2, demand, [await world.givenMachine(cast.lessor2.companyId)])
    // What is remembered from the first answer on is not asked again.
    await workOfAll(demand.id)
    before = await workOfAll(demand.id)
  })

  test('some of it reads the demand and the quote of the competitor', () => {
    const rows = Object.values(before).map((work) => work.rows)
    expect(rows.some(({ demand: read = 0 }) => read > 0)).toBe(true)
    expect(rows.some(({ quote: read = 0 }) => read > 0)).toBe(true)
  })

  test('that is made', async () => {
    quote = (await world.givenQuote(cast.lessor, demand, [machine], { unitPrice: 17_000 })).id
    await sameAsBefore()
  })

  test('that is changed', async () => {
    const body = { ...world.quoteBody(demand, [machine], { unitPrice: 16_500, deviation: '改' }), id: quote, version: 1 }
    expect((await cast.lessor.call(quoteContract.changeQuote, { body })).code).toBe(200)
    await sameAsBefore()
  })

  test('that is withdrawn', async () => {
    expect((await cast.lessor.call(quoteContract.withdrawQuote, { params: { id: quote } })).code).toBe(200)
    await sameAsBefore()
  })
})
