import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { addDays, dayMs, dayOf } from '#shared/calendar.ts'
import { listPublicEquipment, setShelf } from '#shared/equipment/contract.ts'
import type { MessageKind } from '#shared/message/kinds.ts'
import { paths, wholeList } from '#shared/paths.ts'
import { inTransaction, whileChanging } from '#test/held-rows.ts'
import { monday, openWorld } from '#test/world.ts'
import type { Tx } from '../db/connect.ts'
import { remindOfEquipmentDocuments, takeExpiredOff } from './expiry.ts'
import { remindOfStaleFleets, takeUnconfirmedOff } from './freshness.ts'
import { notifyOfPapers, notifyOfUnconfirmed } from './notices.ts'

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
  expect(await notifyOfUnconfirmed(services)).toBe(1)
  expect(await shown(id)).toBe(false)
  expect(await shown(other)).toBe(true)
  expect(await heard('machineUnconfirmed')).toBe(1)
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

test('what the clock does to many machines is one message that counts them; about a single machine it names it', async () => {
  await db.deleteFrom('machineNotice').execute()
  await db.updateTable('equipment').set({ shelfStatus: '0' }).execute()
  clock.set(monday)
  const messages = async () => {
    await notifyOfPapers(services)
    await notifyOfUnconfirmed(services)
    const ofCompany = db.selectFrom('account').where('companyId', '=', cast.lessor2.companyId).select('id')
    const { rows } = await sql<{ kind: MessageKind; title: string; link: string }>`
      delete from message where account_id in (${ofCompany}) returning kind, title, link`.execute(db)
    return rows
  }
  await messages()
  const endsSoon = { paperTo: dayOf(monday) }
  const machines = [await world.givenMachine(cast.lessor2.companyId, endsSoon), await world.givenMachine(cast.lessor2.companyId, endsSoon)]
  await remindOfEquipmentDocuments(services)
  expect(await messages()).toMatchObject([{ kind: 'paperExpiring', title: '2 份设备证照将到期', link: wholeList(paths.ownMachines) }])
  clock.set(new Date(monday.getTime() + dayMs))
  await takeExpiredOff(services)
  const offShelf = paths.ownMachinesIn({ shelfStatus: '0' })
  expect(await messages()).toMatchObject([{ kind: 'equipmentOff', title: '2 台设备已下架', link: offShelf }])
  await db.deleteFrom('equipmentDocument').where('equipmentId', 'in', machines).execute()
  const unconfirmed = async (ids: number[]) => {
    await db.updateTable('equipment').set({ shelfStatus: '1', confirmedAt: monday }).where('id', 'in', ids).execute()
    clock.set(new Date(monday.getTime() + 31 * dayMs))
    await takeUnconfirmedOff(services)
    return messages()
  }
  expect(await unconfirmed(machines)).toMatchObject([{ kind: 'machineUnconfirmed', title: '2 台设备已下架', link: offShelf }])
  const [one] = await unconfirmed(machines.slice(1))
  const { name } = await db
    .selectFrom('equipment')
    .where('id', '=', machines[1] ?? 0)
    .select('name')
    .executeTakeFirstOrThrow()
  expect(one).toEqual({ kind: 'machineUnconfirmed', title: `设备已下架：${name}`, link: offShelf })
})

test('a lessor who confirms their machines while another one is reminded is not reminded', async () => {
  const companies = [cast.lessor.companyId ?? 0, cast.lessor2.companyId ?? 0]
  for (const companyId of companies) await world.givenMachine(companyId)
  await db.updateTable('equipment').set({ shelfStatus: '1', confirmedAt: monday }).where('companyId', 'in', companies).execute()
  await db.deleteFrom('reminder').execute()
  clock.set(new Date(monday.getTime() + 8 * dayMs))
  // Whoever of the two is reminded first waits for this with their message.
  const confirming = {
    begin: (tx: Tx) => tx.selectFrom('account').where('companyId', 'in', companies).forUpdate().select('id').execute(),
    end: (tx: Tx) => tx.updateTable('equipment').set({ confirmedAt: clock.now() }).where('companyId', 'in', companies).execute(),
  }
  expect(await whileChanging(db, confirming, [() => remindOfStaleFleets(services)])).toEqual([1])
  const reminded = await db.selectFrom('reminder').where('subject', '=', 'fleet').select('subjectId').execute()
  expect(reminded).toHaveLength(1)
})

test('a document that its lessor replaces at this moment keeps the machine on the shelf, and nobody is reminded of the one before', async () => {
  await db.updateTable('equipment').set({ shelfStatus: '0' }).execute()
  const id = await world.givenMachine(cast.lessor.companyId, { paperTo: dayOf(monday) })
  const documents = (tx: Tx) => tx.updateTable('equipmentDocument').where('equipmentId', '=', id).where('validTo', 'is not', null)
  const replacing = {
    begin: async (tx: Tx) => {
      await tx.selectFrom('equipment').where('id', '=', id).forUpdate().select('id').execute()
      await documents(tx)
        .set({ validTo: addDays(dayOf(monday), 400) })
        .execute()
    },
  }
  clock.set(monday)
  expect(await whileChanging(db, replacing, [() => remindOfEquipmentDocuments(services)])).toEqual([0])
  await inTransaction(db, (tx) =>
    documents(tx)
      .set({ validTo: dayOf(monday) })
      .execute(),
  )
  clock.set(new Date(monday.getTime() + dayMs))
  expect(await whileChanging(db, replacing, [() => takeExpiredOff(services)])).toEqual([0])
  expect(await shown(id)).toBe(true)
})
