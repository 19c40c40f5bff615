import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { dayMs, dayOf } from '#shared/calendar.ts'
import { listPublicEquipment, setShelf } from '#shared/equipment/contract.ts'
import type { MessageKind } from '#shared/message/kinds.ts'
import { monday, openWorld } from '#test/world.ts'
import { takeExpiredOff } from './expiry.ts'
import { remindOfStaleFleets, takeUnconfirmedOff } from './freshness.ts'

const world = await openWorld()
const { cast, clock, db, services } = world
afterAll(() => world.close())

const shown = async (id: number) =>
  (await cast.visitor.call(listPublicEquipment, { query: { companyId: cast.lessor.companyId } })).data.rows.some((row) => row.id === id)
const heard = async (kind: MessageKind) =>
  (
    await db
      .selectFrom('message')
      .where('accountId', '=', cast.lessor.id)
      .where('kind', '=', kind)
      .orderBy('id')
      .select(['title', 'link'])
      .execute()
  ).length

test('a lessor is reminded once a week of machines that they have not confirmed; after thirty days a machine leaves the shelf until it is put back', async () => {
  const id = await world.givenMachine(cast.lessor.companyId)
  const other = await world.givenMachine(cast.lessor.companyId)
  const on = (days: number) => clock.set(new Date(monday.getTime() + days * dayMs + 1000))
  await db.updateTable('equipment').set({ confirmedAt: monday }).where('companyId', '=', cast.lessor.companyId).execute()

  on(6)
  expect(await remindOfStaleFleets(services)).toBe(0)
  on(7)
  expect(await remindOfStaleFleets(services)).toBe(1)
  expect(await remindOfStaleFleets(services)).toBe(0)
  on(10)
  expect(await remindOfStaleFleets(services)).toBe(0)
  on(15)
  expect(await remindOfStaleFleets(services)).toBe(1)
  expect(await heard('machinesToConfirm')).toBe(2)

  await db.updateTable('equipment').set({ confirmedAt: clock.now() }).where('id', '=', other).execute()
  on(29)
  expect(await takeUnconfirmedOff(services)).toBe(0)
  on(30)
  expect(await takeUnconfirmedOff(services)).toBeGreaterThanOrEqual(1)
  expect(await shown(id)).toBe(false)
  expect(await shown(other)).toBe(true)
  expect(await heard('machineUnconfirmed')).toBeGreaterThanOrEqual(1)
  expect(await db.selectFrom('equipmentEvent').where('equipmentId', '=', id).select('move').execute()).toEqual([{ move: 'unconfirmed' }])

  // Putting it back confirms it.
  await cast.lessor.call(setShelf, { params: { id }, body: { shelfStatus: '1' } })
  expect(await shown(id)).toBe(true)
  expect(await takeUnconfirmedOff(services)).toBe(0)
})

test('a fleet of any size leaves the shelf in one round, for an expired document as for a confirmation that is missing', async () => {
  const machine = await world.givenMachine(cast.lessor2.companyId)
  await sql`insert into equipment (equipment_code, company_id, father_category_id, category_id, name, brand, model, specs, main_value, out_factory_date,
      province_id, city_id, audit_status, shelf_status, search_text, confirmed_at)
    select 'FLEET' || n, company_id, father_category_id, category_id, name, brand, model, specs, main_value, out_factory_date,
      province_id, city_id, audit_status, shelf_status, search_text, ${monday} from equipment, generate_series(1, 1000) n where id = ${machine}`.execute(
    db,
  )
  const fleet = db.selectFrom('equipment').where('companyId', '=', cast.lessor2.companyId)
  await db
    .insertInto('equipmentDocument')
    .columns(['equipmentId', 'kind', 'validTo'])
    .expression(fleet.select(['id', sql.lit('insurance').as('kind'), sql<string>`${dayOf(monday)}::date`.as('validTo')]))
    .execute()
  const onShelf = async () => (await fleet.where('shelfStatus', '=', '1').select('id').execute()).length
  clock.set(new Date(monday.getTime() + dayMs))
  expect([await onShelf(), await takeExpiredOff(services), await onShelf()]).toEqual([1001, 1001, 0])
  await db.deleteFrom('equipmentDocument').where('kind', '=', 'insurance').execute()
  await db.updateTable('equipment').set({ shelfStatus: '1', confirmedAt: monday }).where('companyId', '=', cast.lessor2.companyId).execute()
  clock.set(new Date(monday.getTime() + 31 * dayMs))
  expect([await onShelf(), await takeUnconfirmedOff(services), await onShelf()]).toEqual([1001, 1001, 0])
})
