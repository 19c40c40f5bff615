import { afterAll, expect, test } from 'vitest'
import { dayMs } from '#shared/calendar.ts'
import { listPublicEquipment, setShelf } from '#shared/equipment/contract.ts'
import type { MessageKind } from '#shared/message/kinds.ts'
import { monday, openWorld } from '#test/world.ts'
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
