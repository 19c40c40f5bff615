import { afterAll, expect, test } from 'vitest'
import { pagesRead, rowsRead, type PlanNode } from '#test/load/database-time.ts'
import { draw, loadOffers } from '#test/load/questions.ts'
import { openPlanWorld } from '#test/plan-world.ts'
import { monday } from '#test/world.ts'
import { EquipmentFilter } from '#shared/equipment/contract.ts'
import { findMatchingCompanies } from '../quote/market.ts'
import { listShelvedEquipment } from './queries.ts'

const machines = 5000
const { world, db, sent, stopwatch, close } = await openPlanWorld(machines)
afterAll(close)

const pageStatements = () => sent.filter(({ sql: text }) => text.includes('counted'))
const scansOf = (plan: PlanNode[]) =>
  plan.filter((node) => node['Relation Name'] === 'equipment' && node['Index Name'] !== 'equipment_pkey' && node['Actual Loops'] > 0)

const effortOf = (scans: PlanNode[]) => ({
  pages: scans.reduce((sum, node) => sum + pagesRead(node), 0),
  rows: scans.reduce((sum, node) => sum + rowsRead(node), 0),
})

/** The machines that the widest scan of a question goes through, and how it goes. The cards of the page are read by their ids. */
async function readBy(query: object) {
  sent.length = 0
  const { total } = await listShelvedEquipment(db, EquipmentFilter.parse(query))
  const [statement] = pageStatements()
  if (!statement) throw new Error('no page was asked')
  const scans = scansOf(await stopwatch.nodes(statement))
  return {
    statement,
    total,
    read: Math.max(0, ...scans.map(rowsRead)),
    scans: [...new Set(scans.map((node) => `${node['Node Type']} ${node['Index Name'] ?? ''}`))],
    ...effortOf(scans),
  }
}

/** A filter finds its machines by an index: what is read is what fits, or a small part of the shelf that the other filters are applied to. */
const bound = (total: number) => Math.max(machines / 5, total * 1.3)

test('every filter that the page of machines offers is found by an index that answers it without reading the table', async () => {
  const offers = await loadOffers(db, world.clock.now())
  // A word of a machine's own and a further parameter are looked up in the table.
  const drawn = draw('equipment', { offers, weights: 'even', count: 120 }).filter(
    ({ query }) => !query.name && !Object.keys(query).some((key) => key.startsWith('spec_')),
  )
  expect(drawn.length).toBeGreaterThan(40)
  for (const { query } of drawn) {
    const { read, total, scans } = await readBy(query)
    expect.soft(read, `${JSON.stringify(query)} ${scans.join(', ')}`).toBeLessThanOrEqual(bound(total))
    expect
      .soft(
        scans.filter((scan) => !scan.startsWith('Index Only Scan')),
        JSON.stringify(query),
      )
      .toEqual([])
  }
}, 60_000)

test.each([
  ['equipment_region', { provinceId: 330_000 }],
  ['equipment_city', { cityId: 330_100 }],
  ['equipment_brand', { brand: '三一' }],
  ['equipment_kind', { name: '机' }],
])('without %s a question is seen to read too much', async (index, query) => {
  const { statement, scans, pages, rows } = await readBy(query)
  expect(scans).toContain(`Index Only Scan ${index}`)
  const without = effortOf(scansOf(await stopwatch.nodesWithout(index, statement)))
  expect(Math.max(without.pages / pages, without.rows / rows)).toBeGreaterThan(1.5)
})

test('of many machines that a word means only the newest of each category are read', async () => {
  const { scans, total, read } = await readBy({ name: '机' })
  expect(total).toBe(1000)
  expect(scans.filter((scan) => scan.startsWith('Seq'))).toEqual([])
  expect(read).toBeLessThanOrEqual(1001)
})

test.each([
  ['newest', 'equipment_newest'],
  ['priceUp', 'equipment_cheapest'],
  ['priceDown', 'equipment_dearest'],
])('the order %s is read along its index', async (sort, index) => {
  const { statement } = await readBy({ sort })
  expect((await stopwatch.nodes(statement)).map((node) => node['Index Name'])).toContain(index)
})

// Last, because it adds a demand.
test('the lessors of a demand are found among the machines of its categories, without their bookings', async () => {
  const { id } = await world.givenDemand()
  sent.length = 0
  expect((await findMatchingCompanies(db, id, monday)).length).toBeGreaterThan(0)
  const [query] = sent
  if (!query) throw new Error('nothing was asked')
  const plan = await stopwatch.nodes(query)
  const machinesRead = (nodes: PlanNode[]) => nodes.filter((node) => node['Relation Name'] === 'equipment' && node['Actual Loops'] > 0)
  expect(machinesRead(plan).map((node) => `${node['Node Type']} ${node['Index Name']}`)).toEqual(['Index Only Scan equipment_like'])
  const { wanted } = await db
    .selectFrom('equipment')
    .where(
      'categoryId',
      'in',
      world.demandBody({}).items.map(({ categoryId }) => categoryId),
    )
    .select((eb) => eb.fn.countAll<number>().as('wanted'))
    .executeTakeFirstOrThrow()
  expect(Math.max(...machinesRead(plan).map(rowsRead))).toBeLessThanOrEqual(wanted)
  expect(plan.filter((node) => node['Relation Name'] === 'equipment_booking' && node['Actual Loops'] > 0)).toEqual([])
  const pages = (nodes: PlanNode[]) => Math.max(...machinesRead(nodes).map(pagesRead))
  expect(pages(await stopwatch.nodesWithout('equipment_like', query))).toBeGreaterThan(pages(plan) * 3)
})
