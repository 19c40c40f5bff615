import { afterAll, expect, test } from 'vitest'
import { countOwnDemands as countCall } from '#shared/demand/contract.ts'
import { demandStatus, mostInStatus } from '#shared/demand/rules.ts'
import { openFilledMarket } from '#test/filled-market.ts'
import { rowsRead } from '#test/load/database-time.ts'
import { loadPeople } from '#test/load/questions.ts'
import { countOwnDemands } from './own-list.ts'

const [many, few] = [2400, 600]
// All 3,000 demands are those of one group and hold the same words.
const { db, sent, stopwatch, close } = await openFilledMarket(
  `update demand set status = case when id % 5 = 0 then '${demandStatus.completed}' else '${demandStatus.reviewing}' end`,
)
afterAll(close)
const { group, operator } = await loadPeople(db)

/** The counts, and how many texts were compared with the words. */
async function countsOf(query: object, actor = group) {
  sent.length = 0
  const counts = await countOwnDemands({ db, actor, now: new Date() }, countCall.query.parse(query))
  let texts = 0
  for (const statement of sent.splice(0).filter(({ sql: text }) => text.includes('"demand"')))
    for (const node of await stopwatch.nodes(statement))
      if (node['Relation Name'] === 'demand' && node['Index Name'] === 'demand_pkey') texts += rowsRead(node)
  return { counts, texts }
}

test('demands that hold frequent words are counted in each status up to a bound, without the texts of the others', async () => {
  const bounded = { [demandStatus.reviewing]: mostInStatus + 1, [demandStatus.completed]: few }
  const texts = mostInStatus + 1 + few
  expect(await countsOf({ projectName: '起重机' })).toEqual({ counts: bounded, texts })
  expect(await countsOf({ projectName: '起重机' }, operator)).toEqual({ counts: bounded, texts })
})

test('demands of the other filters are all counted, and no text of them is read', async () => {
  const counts = { [demandStatus.reviewing]: many, [demandStatus.completed]: few }
  expect(await countsOf({})).toEqual({ counts, texts: 0 })
  expect((await countsOf({ projectName: '需求 1234' })).counts).toEqual({ [demandStatus.reviewing]: 1 })
})
