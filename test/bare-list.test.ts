import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { EquipmentFilter } from '#shared/equipment/contract.ts'
import { understandSearch } from '#server/category/vocabulary.ts'
import { listShelvedEquipment } from '#server/equipment/queries.ts'
import { copyDatabase } from '#test/template-db.ts'
import { monday } from '#test/world.ts'
import { bareList, loadCatalogue, type Catalogue } from './load/bare-list.ts'
import { recordingDatabase } from './load/database-time.ts'
import { fillMachines } from './load/large.ts'
import { draw, loadOffers } from './load/questions.ts'

const { url, drop } = await copyDatabase(inject('template'))
const { db, pool } = recordingDatabase(url)
let catalogue: Catalogue
afterAll(async () => {
  await pool.end()
  await drop()
})
beforeAll(async () => {
  const client = new pg.Client(url)
  await client.connect()
  await fillMachines(client, 3000)
  await client.end()
  catalogue = await loadCatalogue(pool)
}, 60_000)

test('the bare server answers what people ask with the same machines and the same number of them as the product', async () => {
  const offers = await loadOffers(db, monday)
  const drawn = draw('equipment', { offers, weights: 'even', count: 150 })
  const some = drawn.map(({ query: { pageNum: _page, sort: _sort, nearCityId: _city, exact: _exact, ...filters } }) => filters)
  let found = 0
  for (const query of some) {
    const { rows, total, capped } = await listShelvedEquipment(db, EquipmentFilter.parse(query))
    const { text, values } = bareList(
      new URLSearchParams(query),
      catalogue,
      query.name ? await understandSearch(db, query.name) : undefined,
    )
    const bare = await pool.query<{ id: number; total: number; rent_status: string }>(text, values)
    expect(
      bare.rows.map(({ id, rent_status: status }) => [id, status]),
      JSON.stringify(query),
    ).toEqual(rows.map(({ id, rentStatus }) => [id, rentStatus]))
    expect(bare.rows[0]?.total ?? 0, JSON.stringify(query)).toBe(capped ? total + 1 : total)
    found += rows.length
  }
  expect(found).toBeGreaterThan(500)
}, 60_000)
