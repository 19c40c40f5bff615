import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pagesRead, recordingDatabase, rowsRead, Stopwatch, type PlanNode } from '#test/load/database-time.ts'
import { fillMachines } from '#test/load/large.ts'
import { monday, openWorld } from '#test/world.ts'
import { findMatchingCompanies } from './market.ts'

const world = await openWorld()
const { db, pool, sent } = recordingDatabase(world.url)
const stopwatch = await Stopwatch.open(world.url)
afterAll(async () => {
  await stopwatch.close()
  await pool.end()
  await world.close()
})
beforeAll(async () => {
  const client = new pg.Client(world.url)
  await client.connect()
  await client.query('alter table equipment disable trigger equipment_words')
  await fillMachines(client, 5000)
  await client.query('vacuum (analyze)')
  await client.end()
}, 60_000)

const machinesRead = (plan: PlanNode[]) => plan.filter((node) => node['Relation Name'] === 'equipment' && node['Actual Loops'] > 0)

test('the lessors of a demand are found among the machines of its categories, without their bookings', async () => {
  const { id } = await world.givenDemand()
  sent.length = 0
  expect((await findMatchingCompanies(db, id, monday)).length).toBeGreaterThan(0)
  const [query] = sent
  if (!query) throw new Error('nothing was asked')
  const plan = await stopwatch.nodes(query)
  expect(machinesRead(plan).map((node) => `${node['Node Type']} ${node['Index Name']}`)).toEqual(['Index Only Scan equipment_like'])
  const { machines } = await db
    .selectFrom('equipment')
    .where(
      'categoryId',
      'in',
      world.demandBody({}).items.map(({ categoryId }) => categoryId),
    )
    .select((eb) => eb.fn.countAll<number>().as('machines'))
    .executeTakeFirstOrThrow()
  expect(Math.max(...machinesRead(plan).map(rowsRead))).toBeLessThanOrEqual(machines)
  expect(plan.filter((node) => node['Relation Name'] === 'equipment_booking' && node['Actual Loops'] > 0)).toEqual([])
  const pages = (nodes: PlanNode[]) => Math.max(...machinesRead(nodes).map(pagesRead))
  expect(pages(await stopwatch.nodesWithout('equipment_like', query))).toBeGreaterThan(pages(plan) * 3)
})
