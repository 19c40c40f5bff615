import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { listPublicDemands } from '#shared/demand/contract.ts'
import { openWorld } from '#test/world.ts'

const world = await openWorld()
const { db, cast } = world
afterAll(() => world.close())

const isListed = async (id: number, query: { categoryId: string } | { fatherCategoryId: string }) =>
  (await cast.newcomer.call(listPublicDemands, { query: { ...query, pageSize: '50' } })).data.rows.some((row) => row.id === id)

test('a demand is found under the categories of its lines, and no longer under those of a line that is gone', async () => {
  const { id } = await world.givenDemand()
  const lines = db.selectFrom('demandItem').where('demandId', '=', id)
  const line = await lines.orderBy('lineNo').selectAll().executeTakeFirstOrThrow()
  const other = await db
    .selectFrom('category')
    .where('level', '=', 2)
    .where('parentId', '<>', line.fatherCategoryId)
    .orderBy('id')
    .select(['id', 'parentId'])
    .executeTakeFirstOrThrow()
  const places = { own: { categoryId: String(line.categoryId) }, above: { fatherCategoryId: String(line.fatherCategoryId) } }
  const moved = { own: { categoryId: String(other.id) }, above: { fatherCategoryId: String(other.parentId) } }
  expect(await Promise.all([isListed(id, places.own), isListed(id, places.above), isListed(id, moved.own)])).toEqual([true, true, false])

  await db
    .updateTable('demandItem')
    .set({ categoryId: other.id, fatherCategoryId: other.parentId ?? 0 })
    .where('demandId', '=', id)
    .execute()
  expect(await Promise.all([isListed(id, moved.own), isListed(id, moved.above), isListed(id, places.own)])).toEqual([true, true, false])

  await db.deleteFrom('demandItem').where('demandId', '=', id).execute()
  expect(await isListed(id, moved.own)).toBe(false)
})

test('a demand states the categories of its lines when it is published, so storing them writes it once', async () => {
  await sql`alter table demand_item disable trigger user`.execute(db)
  const { id } = await world.givenDemand()
  await sql`alter table demand_item enable trigger user`.execute(db)
  const { kinds } = await db.selectFrom('demand').where('id', '=', id).select('kinds').executeTakeFirstOrThrow()
  const lines = await db.selectFrom('demandItem').where('demandId', '=', id).select(['categoryId', 'fatherCategoryId']).execute()
  const expected = [...new Set(lines.flatMap(({ categoryId, fatherCategoryId }) => [categoryId, fatherCategoryId]))]
  expect(kinds).toEqual(expected.toSorted((a, b) => a - b))
})
