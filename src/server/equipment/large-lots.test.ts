import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, dayOf } from '#shared/calendar.ts'
import { listPublicDemands } from '#shared/demand/contract.ts'
import { addBlock, editEquipment, getOwnEquipment, removeBlock } from '#shared/equipment/own.ts'
import { maxUnits } from '#shared/equipment/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { inTransaction, waitingForLocks } from '#test/held-rows.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld } from '#test/world.ts'
import { buildApp } from '../app.ts'
import { connect } from '../db/connect.ts'

const world = await openWorld()
const { cast, db, services } = world
afterAll(() => world.close())
beforeEach(() => db.deleteFrom('callLimit').execute())

const today = dayOf(monday)
const block = (id: number, qty: number, from = 1) =>
  cast.lessor.call(addBlock, {
    params: { id },
    body: { from: addDays(today, from), to: addDays(today, from + 1), reason: 'own', note: '', qty },
  })
const givenLot = () => world.givenMachine(cast.lessor.companyId, { qty: maxUnits })
const bookings = async (id: number) => (await db.selectFrom('equipmentBooking').where('equipmentId', '=', id).select('id').execute()).length
const takenOf = async (id: number) =>
  (
    await db
      .selectFrom('equipment')
      .where('id', '=', id)
      .select(sql<string | null>`taken::text`.as('taken'))
      .executeTakeFirstOrThrow()
  ).taken

describe('a lot of thousands', () => {
  // With a trigger for each row this took minutes, because each read all bookings of the machine anew.
  test('is blocked whole and freed again in one go', async () => {
    const lot = await givenLot()
    const { code, data } = await block(lot, maxUnits)
    expect([code, await bookings(lot), await takenOf(lot)]).toEqual([200, maxUnits, `{[${addDays(today, 1)},${addDays(today, 2)})}`])
    expect((await cast.lessor.call(removeBlock, { params: { id: lot, blockId: data.blockId } })).code).toBe(200)
    expect([await bookings(lot), await takenOf(lot)]).toEqual([0, null])
  })

  test('is booked by ten at once without making anybody else wait: two are done, the others are refused whole', async () => {
    const lots = await Promise.all(Array.from({ length: 10 }, givenLot))
    const answered: number[] = []
    const booked = async (id: number) => {
      const { code } = await block(id, maxUnits)
      answered.push(code)
      return code
    }
    const running = await inTransaction(db, async (tx) => {
      // Whoever is not refused waits for their lot until this transaction ends.
      await tx.selectFrom('equipment').where('id', 'in', lots).select('id').forUpdate().execute()
      const calls = lots.map(booked)
      await expect.poll(() => answered).toEqual(Array<number>(8).fill(503))
      await expect.poll(() => waitingForLocks(db)).toBe(2)
      expect((await cast.project.call(listPublicDemands, { query: {} })).code).toBe(200)
      expect(answered).toHaveLength(8)
      return calls
    })
    const codes = await Promise.all(running)
    expect(codes.filter((code) => code === 200)).toHaveLength(2)
    expect(await Promise.all(lots.map(bookings))).toEqual(codes.map((code) => (code === 200 ? maxUnits : 0)))
    const refused = lots.find((_, index) => codes[index] === 503) ?? 0
    expect((await block(refused, maxUnits)).code).toBe(200)
  })

  test('has no more units blocked than it has, nor without end in days to come; a draft has none', async () => {
    const lot = await world.givenMachine(cast.lessor.companyId, { qty: 20 })
    expect([(await block(lot, 21)).code, await bookings(lot)]).toEqual([422, 0])
    const large = await givenLot()
    expect([(await block(large, maxUnits, 1)).code, (await block(large, maxUnits, 2)).code]).toEqual([200, 200])
    expect((await block(large, 1, 3)).msg).toBe(zhCn.rule.codes.blocks_many)
    await db.updateTable('equipment').set({ auditStatus: '0', shelfStatus: '0' }).where('id', '=', lot).execute()
    expect((await block(lot, 1)).msg).toBe(zhCn.rule.codes.block_draft)
  })

  test('is blocked thirty times a minute by one account', async () => {
    const lot = await givenLot()
    const codes: number[] = []
    for (let n = 1; n <= 31; n++) codes.push((await block(lot, 1, n)).code)
    expect(codes).toEqual([...Array<number>(30).fill(200), 429])
  })
})

test('what is taken follows from the bookings of each machine, however many a statement changes', async () => {
  const [a, b] = [await world.givenMachine(cast.lessor.companyId, { qty: 3 }), await world.givenMachine(cast.lessor.companyId)]
  await sql`insert into equipment_booking (equipment_id, slot, period, reason) values
    (${a}, 1, '[2027-01-01,2027-02-01)', 'own'), (${a}, 2, '[2027-01-15,2027-03-01)', 'own'), (${b}, 1, '[2027-05-01,2027-06-01)', 'own')`.execute(
    db,
  )
  expect([await takenOf(a), await takenOf(b)]).toEqual(['{[2027-01-01,2027-03-01)}', '{[2027-05-01,2027-06-01)}'])
  await sql`update equipment_booking set equipment_id = ${a}, slot = 3 where equipment_id = ${b}`.execute(db)
  expect([await takenOf(a), await takenOf(b)]).toEqual(['{[2027-01-01,2027-03-01),[2027-05-01,2027-06-01)}', null])
  await sql`delete from equipment_booking where equipment_id = ${a} and slot < 3`.execute(db)
  expect(await takenOf(a)).toBe('{[2027-05-01,2027-06-01)}')
})

test('a lot does not become smaller than the number of its last unit that is taken, nor a single machine', async () => {
  const lot = await world.givenMachine(cast.lessor.companyId, { qty: 10 })
  await sql`insert into equipment_booking (equipment_id, slot, period, reason) values
    (${lot}, 9, ${`[${addDays(today, -20)},${today})`}, 'own'), (${lot}, 4, ${`[${today},${addDays(today, 1)})`}, 'own')`.execute(db)
  // As a draft its form needs no papers.
  await db.updateTable('equipment').set({ auditStatus: '0', shelfStatus: '0' }).where('id', '=', lot).execute()
  const resize = async (isLot: boolean, totalQty: number) => {
    const { data } = await cast.lessor.call(getOwnEquipment, { params: { id: lot } })
    const answer = await cast.lessor.call(editEquipment, { body: { ...data, papers: [], imageIds: [], submit: false, isLot, totalQty } })
    return [answer.msg, ...refusedFields(answer.data)]
  }
  const refused = (field: string) => [zhCn.rule.codes.lot_taken, field]
  // A single machine has no field for its number.
  expect([await resize(true, 3), await resize(false, 1)]).toEqual([refused('totalQty'), refused('isLot')])
  expect([await resize(true, 4), await resize(true, 12)]).toEqual([[zhCn.site.common.done], [zhCn.site.common.done]])
})

test('a call whose statement takes too long is refused, and nothing of it is written', async () => {
  const lot = await world.givenMachine(cast.lessor.companyId, { qty: 5 })
  const bounded = connect(world.url, 2, { statementSeconds: 1 })
  const { server } = await buildApp({ ...services, ...bounded })
  const answer = await inTransaction(db, async (tx) => {
    await tx.selectFrom('equipment').where('id', '=', lot).select('id').forUpdate().execute()
    return server.inject({
      method: 'POST',
      url: `/prod-api${addBlock.url.replace(':id', String(lot))}`,
      headers: { authorization: cast.lessor.token ?? '' },
      payload: { from: addDays(today, 1), to: addDays(today, 2), reason: 'own', qty: 2 },
    })
  })
  expect([answer.statusCode, answer.json<object>()]).toMatchObject([503, { code: 503, msg: zhCn.refusal.slow }])
  expect(await bookings(lot)).toBe(0)
  await server.close()
  await bounded.db.destroy()
})
