import { afterAll, expect, test } from 'vitest'
import { pagesRead, rowsRead, type PlanNode } from '#test/load/database-time.ts'
import { openPlanWorld } from '#test/plan-world.ts'
import { monday } from '#test/world.ts'
import { findMatchingCompanies } from './market.ts'

const { world, db, sent, stopwatch, close } = await openPlanWorld(5000)
afterAll(close)

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
