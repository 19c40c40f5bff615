import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { editCategory, listManagedCategories } from '#shared/category/manage.ts'
import { listPublicEquipment } from '#shared/equipment/contract.ts'
import { openWorld } from '#test/world.ts'
import { refreshMachinesOfCategories } from './machines.ts'

const world = await openWorld()
const { cast, db, services } = world
afterAll(() => world.close())

const categoryId = 106
const edit = async (more: object) => {
  const { data } = await cast.operator.call(listManagedCategories, {})
  return cast.operator.call(editCategory, { body: { ...data.find(({ id }) => id === categoryId), ...more } })
}
const category = () =>
  db.selectFrom('category').where('id', '=', categoryId).select(['formerWords', 'refreshedTo']).executeTakeFirstOrThrow()
const upToDate = { formerWords: null, refreshedTo: 0 }
const found = async (name: string) => (await cast.visitor.call(listPublicEquipment, { query: { name } })).data.rows.map(({ id }) => id)

test('a machine is found by a word of its own name that its category is no longer called by', async () => {
  const id = await world.givenMachine(cast.lessor.companyId, { categoryId })
  await db.updateTable('equipment').set({ name: '自有铲车', searchText: '自有铲车' }).where('id', '=', id).execute()
  expect(await found('铲车')).toEqual([id])
  // Changed by a statement, so that its machines follow by the clock.
  const { alias } = await db.selectFrom('category').where('id', '=', categoryId).select('alias').executeTakeFirstOrThrow()
  expect(alias).toContain('铲车')
  await db.updateTable('category').set({ alias: [] }).where('id', '=', categoryId).execute()
  expect(await found('铲车')).toEqual([id])
  await refreshMachinesOfCategories(services)
  expect(await category()).toEqual(upToDate)
  expect(await found('铲车')).toEqual([id])
  await db.updateTable('equipment').set({ name: '自有', searchText: '自有' }).where('id', '=', id).execute()
  expect(await found('铲车')).toEqual([])
  await edit({ alias })
  expect(await category()).toEqual(upToDate)
  expect(await found('铲车')).toEqual([id])
})

test('a dense category is moved at once, and its machines follow in portions', async () => {
  const id = await world.givenMachine(cast.lessor.companyId, { categoryId })
  await sql`insert into equipment (equipment_code, company_id, father_category_id, category_id, name, brand, model, specs, main_value, out_factory_date,
      emission_stage, province_id, city_id, total_qty, audit_status, shelf_status, search_text)
    select 'D' || n, company_id, father_category_id, category_id, name, brand, model, specs, main_value, out_factory_date, emission_stage, province_id,
      city_id, total_qty, audit_status, shelf_status, search_text from equipment, generate_series(1, 2100) n where id = ${id}`.execute(db)
  const moved = async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from equipment
      where category_id = ${categoryId} and father_category_id = 300`.execute(db)
    return rows[0]?.n
  }
  const { code } = await edit({ parentId: 300 })
  expect([code, await moved()]).toEqual([200, 1000])
  expect(await refreshMachinesOfCategories(services)).toBe(2)
  expect([await moved(), await category()]).toEqual([2102, upToDate])
})
