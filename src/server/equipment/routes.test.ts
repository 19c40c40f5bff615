import { afterAll, expect, test } from 'vitest'
import { addDays, dayMs, dayOf } from '#shared/calendar.ts'
import { getLessor, listLessors } from '#shared/company/contract.ts'
import { lockCompany } from '#shared/company/manage.ts'
import { getPublicEquipment, listOwnCategories, listOwnEquipment, listPublicEquipment, setShelf } from '#shared/equipment/contract.ts'
import { exportReviews, getReview, listReviews, takeEquipmentDown } from '#shared/equipment/manage.ts'
import { getOwnEquipment } from '#shared/equipment/own.ts'
import { monthPriceFen, normalisedPriceFen, rentStatus, rentUnits } from '#shared/equipment/rules.ts'
import { getMarketPrices } from '#shared/equipment/market.ts'
import { getWorkCalendar, getWorkPanel } from '#shared/statistics/panel.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { contractSteps } from '#test/given-contract.ts'
import { sql } from 'kysely'
import { waitingForLocks, whileHeld } from '#test/held-rows.ts'
import { runMigration } from '#test/run-migration.ts'
import { monday, openWorld } from '#test/world.ts'
import { enforceBegun } from '../blacklist/beginning.ts'
import { expireBlacklist } from '../blacklist/expiry.ts'
import { remindOfEquipmentDocuments } from './expiry.ts'

const world = await openWorld()
const { cast, db } = world
afterAll(() => world.close())
const today = dayOf(monday)
const cheap = await world.givenMachine(cast.lessor.companyId, { priceFen: 1_000_000 })
const dear = await world.givenMachine(cast.lessor2.companyId, { priceFen: 2_000_000 })
await world.givenMachine(cast.lessor.companyId, { shelfStatus: '0' })
await sql`insert into equipment_booking (equipment_id, period, reason) values (${cheap}, daterange(${addDays(today, 10)}::date, ${addDays(today, 20)}::date), 'award')`.execute(
  db,
)

const ids = async (query: object) => (await cast.visitor.call(listPublicEquipment, { query })).data.rows.map(({ id }) => id)

test.each([
  [{}, [dear, cheap]],
  [{ name: '铲车' }, [dear, cheap]],
  [{ name: '柳' }, [dear, cheap]],
  [{ name: '856h' }, [dear, cheap]],
  [{ name: '塔吊' }, []],
  [{ provinceId: 510_000, cityId: 510_100 }, [dear, cheap]],
  [{ provinceId: 440_000 }, []],
  [{ fatherCategoryId: 100, categoryId: 106 }, [dear, cheap]],
  [{ categoryId: 201 }, []],
  [{ beginPrice: 15_000 }, [dear]],
  [{ endPrice: '15000' }, [cheap]],
  [{ beginPrice: '', endPrice: '', provinceId: '', freeFrom: '' }, [dear, cheap]],
  [{ freeFrom: addDays(today, 15), freeTo: addDays(today, 30) }, [dear]],
  [{ freeFrom: addDays(today, 5), freeTo: addDays(today, 9) }, [dear, cheap]],
  [{ freeFrom: addDays(today, 5), freeTo: addDays(today, 10) }, [dear]],
  [{ freeFrom: addDays(today, 15), freeTo: addDays(today, 15) }, [dear]],
  [{ freeFrom: addDays(today, 15), freeTo: addDays(today, 14) }, [dear, cheap]],
  [{ freeFrom: addDays(today, 20), freeTo: addDays(today, 30) }, [dear, cheap]],
  [{ sort: 'priceUp' }, [cheap, dear]],
])('[S3.3] machines on the shelf for %j', async (query, expected) => expect(await ids(query)).toEqual(expected))

test('a machine shows its calendar, papers and prices, and neither factory number nor phone', async () => {
  const { data, raw } = await cast.visitor.call(getPublicEquipment, { params: { id: cheap } })
  expect(data).toMatchObject({
    taken: [{ from: addDays(today, 10), to: addDays(today, 20) }],
    monthPrice: '10000.00',
    prices: [{ rentUnit: 'M', price: '10000.00', withOperator: true, fuelBy: 'lessee', taxRate: 9 }],
  })
  expect(data.similar.map(({ id }) => id)).toEqual([dear])
  expect(JSON.stringify(raw)).not.toMatch(/factoryNo|plateNo|phone/i)
})

test('the machines like another one are shown as they are at this moment, and not once they have left the shelf', async () => {
  const similar = async () =>
    (await cast.lessor.call(getPublicEquipment, { params: { id: cheap } })).data.similar.map(({ id, workHours }) => [id, workHours])
  const change = (values: { workHours: number } | { shelfStatus: '0' | '1' }) =>
    db.updateTable('equipment').set(values).where('id', '=', dear).returning('workHours').executeTakeFirstOrThrow()
  const { workHours } = await change({ shelfStatus: '1' })
  expect(await similar()).toEqual([[dear, workHours]])
  await change({ workHours: 4321 })
  expect(await similar()).toEqual([[dear, 4321]])
  await change({ shelfStatus: '0' })
  expect(await similar()).toEqual([])
  await change({ shelfStatus: '1' })
  expect(await similar()).toEqual([[dear, 4321]])
})

test('prices are shown in one order, in which the month price is computed from the first that can be', async () => {
  const id = await world.givenMachine(cast.lessor.companyId, { shelfStatus: '1' })
  await db.deleteFrom('equipmentPrice').where('equipmentId', '=', id).execute()
  const prices = rentUnits.toReversed().map((rentUnit) => ({ equipmentId: id, rentUnit, priceFen: 100_000 }))
  await db.insertInto('equipmentPrice').values(prices).execute()
  const { data } = await cast.visitor.call(getPublicEquipment, { params: { id } })
  const [card] = (await cast.visitor.call(listPublicEquipment, { query: {} })).data.rows
  const own = await cast.lessor.call(getOwnEquipment, { params: { id } })
  const shown = [data.prices, card?.prices, own.data.prices].map((all) => all?.map(({ rentUnit }) => rentUnit))
  expect(shown).toEqual([rentUnits, rentUnits, rentUnits])
  for (const at of [1, 2, 3]) {
    const offered = prices.filter(({ rentUnit }) => rentUnits.indexOf(rentUnit) >= at)
    expect(normalisedPriceFen(offered)).toBe(monthPriceFen(rentUnits[at] ?? 'M', 100_000))
  }
  await db.updateTable('equipment').set({ delFlag: '2' }).where('id', '=', id).execute()
})

test('what a machine is booked for today decides its state, and a lot is free while one of its units is', async () => {
  const { rows: days } = await sql<{ today: string }>`select ((now() at time zone 'Asia/Shanghai')::date)::text as today`.execute(db)
  const now = days[0]?.today ?? ''
  const { available, reserved, onHire, inRepair } = rentStatus
  const one = { qty: 1 }
  const cases: [{ qty: number }, [slot: number, reason: string, from: number][], string][] = [
    [one, [], available],
    [one, [[1, 'contract', 5]], reserved],
    [one, [[1, 'repair', 5]], reserved],
    [one, [[1, 'contract', 0]], onHire],
    [
      one,
      [
        [1, 'repair', 0],
        [1, 'award', 5],
      ],
      inRepair,
    ],
    [
      { qty: 3 },
      [
        [1, 'award', 0],
        [3, 'repair', 0],
        [2, 'award', 5],
      ],
      available,
    ],
    [
      { qty: 2 },
      [
        [1, 'award', 0],
        [2, 'repair', 0],
      ],
      onHire,
    ],
    [
      { qty: 2 },
      [
        [1, 'repair', 0],
        [2, 'repair', 0],
      ],
      inRepair,
    ],
    [
      { qty: 2 },
      [
        [1, 'award', 5],
        [2, 'award', 5],
      ],
      available,
    ],
  ]
  for (const [machine, bookings, status] of cases) {
    const id = await world.givenMachine(cast.lessor.companyId, machine)
    for (const [slot, reason, from] of bookings)
      await sql`insert into equipment_booking (equipment_id, slot, period, reason)
        values (${id}, ${slot}, daterange(${addDays(now, from)}::date, ${addDays(now, from + 2)}::date), ${reason})`.execute(db)
    const { data } = await cast.visitor.call(getPublicEquipment, { params: { id } })
    expect([bookings, data.rentStatus]).toEqual([bookings, status])
    await db.updateTable('equipment').set({ delFlag: '2' }).where('id', '=', id).execute()
  }
})

test('a machine opens for its lessor and the reviewer whatever it is booked for', async () => {
  const { rows } = await sql<{ reason: string }>`select unnest(regexp_matches(pg_get_constraintdef(oid), '''(\\w+)''', 'g')) as reason
    from pg_constraint where conname = 'equipment_booking_reason_check'`.execute(db)
  const reasons = rows.map(({ reason }) => reason)
  expect(reasons).toContain('contract')
  const id = await world.givenMachine(cast.lessor.companyId, { shelfStatus: '0' })
  for (const [at, reason] of reasons.entries())
    await sql`insert into equipment_booking (equipment_id, period, reason)
      values (${id}, daterange(${addDays(today, at)}::date, ${addDays(today, at + 1)}::date), ${reason})`.execute(db)
  const answers = [await cast.lessor.call(getOwnEquipment, { params: { id } }), await cast.operator.call(getReview, { params: { id } })]
  expect(answers.map(({ code, data }) => [code, data?.blocks.map(({ reason }) => reason)])).toEqual([
    [200, reasons],
    [200, reasons],
  ])
  await db.updateTable('equipment').set({ delFlag: '2' }).where('id', '=', id).execute()
})

test('[S3.3] a lessor’s own list has all of their machines, filtered by category', async () => {
  expect((await cast.lessor.call(listOwnEquipment, {})).data.total).toBe(2)
  expect((await cast.lessor.call(listOwnEquipment, { query: { categoryId: 201 } })).data.total).toBe(0)
})

test('a lessor finds a machine by its code, its factory number or its plate, and none of another company', async () => {
  const numbers = { factoryNo: 'SN-8856', plateNo: '川A12345' }
  await db.updateTable('equipment').set(numbers).where('id', '=', cheap).execute()
  const code = async (id: number) =>
    (await db.selectFrom('equipment').where('id', '=', id).select('equipmentCode').executeTakeFirstOrThrow()).equipmentCode
  const foundBy = async (name: string) => (await cast.lessor.call(listOwnEquipment, { query: { name } })).data.rows.map(({ id }) => id)
  for (const typed of [await code(cheap), (await code(cheap)).toLowerCase(), 'sn-8856', '8856', 'a12345'])
    expect([typed, await foundBy(typed)]).toEqual([typed, [cheap]])
  expect(await foundBy(await code(dear))).toEqual([])
  expect(await foundBy('SN-88%6')).toEqual([])
  await db.updateTable('equipment').set({ factoryNo: null, plateNo: null }).where('id', '=', cheap).execute()
})

test('the reviewer finds any machine on the shelf by its number or its words, and those that wait as well', async () => {
  const codeOf = async (id: number) =>
    (await db.selectFrom('equipment').where('id', '=', id).select('equipmentCode').executeTakeFirstOrThrow()).equipmentCode
  const listed = async (query: object) =>
    (await cast.operator.call(listReviews, { query: { pageSize: 100, ...query } })).data.rows.map(({ id }) => id)
  const [code, submitted] = [await codeOf(cheap), await world.givenMachine(cast.lessor.companyId, { shelfStatus: '0' })]
  await db.updateTable('equipment').set({ auditStatus: '1' }).where('id', '=', submitted).execute()
  expect(await listed({ scope: 'on' })).toEqual([dear, cheap])
  expect(await listed({ scope: 'on', pageSize: 1, pageNum: 2 })).toEqual([cheap])
  for (const keyword of [code, code.toLowerCase()]) expect(await listed({ scope: 'on', keyword })).toEqual([cheap])
  for (const keyword of ['856H', '柳工 装载机']) expect(await listed({ scope: 'on', keyword })).toEqual([dear, cheap])
  expect(await listed({ scope: 'on', keyword: 'SB99887766' })).toEqual([])
  // A model can look like the beginning of a number.
  const { searchText } = await db.selectFrom('equipment').where('id', '=', dear).select('searchText').executeTakeFirstOrThrow()
  await db.updateTable('equipment').set({ searchText: 'SB9988' }).where('id', '=', dear).execute()
  expect(await listed({ scope: 'on', keyword: 'SB9988' })).toEqual([dear])
  expect([await listed({}), await listed({ keyword: await codeOf(submitted) }), await listed({ keyword: await codeOf(dear) })]).toEqual([
    [submitted],
    [submitted],
    [],
  ])
  const book = await cast.operator.call(exportReviews, { query: { scope: 'on', keyword: code } })
  expect(book.bytes.subarray(0, 2).toString()).toBe('PK')
  await cast.operator.call(takeEquipmentDown, { params: { id: cheap }, body: { reason: '照片不符' } })
  expect([await listed({ scope: 'on' }), await listed({ scope: 'off', keyword: code })]).toEqual([[dear], [cheap]])
  expect((await cast.lessor.call(listReviews, { query: { scope: 'on' } })).code).toBe(403)
  await db.updateTable('equipment').set({ delFlag: '2' }).where('id', '=', submitted).execute()
  await db.updateTable('equipment').set({ searchText }).where('id', '=', dear).execute()
  await db.updateTable('equipment').set({ shelfStatus: '1', offReason: '' }).where('id', '=', cheap).execute()
})

test('the lessor filters by the categories of their own machines', async () => {
  expect((await cast.lessor.call(listOwnCategories, {})).data).toEqual([
    { categoryId: 106, name: '轮式装载机', nameEn: 'Wheel loader', count: 2 },
  ])
})

test('the shelf is for passed machines with papers in date, of certified lessors', async () => {
  const expired = await world.givenMachine(cast.lessor.companyId, { shelfStatus: '0', paperTo: addDays(today, -1) })
  const lapsed = await world.givenMachine(cast.lapsed.companyId, { shelfStatus: '0' })
  const up = (who: 'lessor' | 'lapsed', id: number, shelfStatus = '1') =>
    cast[who].call(setShelf, { params: { id }, body: { shelfStatus } })
  expect((await up('lessor', expired)).code).toBe(409)
  expect((await up('lapsed', lapsed)).code).toBe(403)
  expect((await up('lessor', cheap, '0')).code).toBe(200)
  expect((await up('lessor', cheap, '1')).code).toBe(200)
  expect((await up('lessor', cheap, '2')).code).toBe(422)
})

test('[S3.3] the library of lessors holds certified ones only', async () => {
  const { data } = await cast.visitor.call(listLessors, { query: { enterpriseName: '机械租赁' } })
  expect(data.rows.map(({ enterpriseName }) => enterpriseName).toSorted()).toEqual(['成都恒岳机械租赁有限公司', '武汉昌磐机械租赁有限公司'])
  expect((await cast.visitor.call(getLessor, { params: { id: cast.lessor.companyId } })).data.fleet).toEqual([
    { categoryId: 106, fatherCategoryId: 100, name: '轮式装载机', nameEn: 'Wheel loader', count: 1 },
  ])
})

test('the rent of a machine stands among the similar machines on the shelf, where there are five of them', async () => {
  const given = (priceFen: number, value = 5) => world.givenMachine(cast.lessor.companyId, { categoryId: 107, value, priceFen })
  const own = await given(1_000_000)
  for (const priceFen of [2_000_000, 3_000_000, 4_000_000]) await given(priceFen)
  const market = async (id: number) => (await cast.visitor.call(getMarketPrices, { params: { id } })).data
  expect(await market(own)).toBeNull()
  await given(5_000_000, 6)
  // Half as large again, so it is another kind of machine.
  await given(9_000_000, 7.5)
  const found = await market(own)
  expect(found).toMatchObject({ own: '10000.00', median: '30000.00', count: 5 })
  expect(found?.steps.map(({ count }) => count)).toEqual([1, 1, 0, 0, 1, 0, 1, 1])
  expect((await cast.visitor.call(getMarketPrices, { params: { id: 999_999 } })).code).toBe(404)
})

test('a machine does not come onto the shelf while its company is locked at the same moment', async () => {
  const { companyId } = cast.lessor2
  const off = await world.givenMachine(companyId, { shelfStatus: '0' })
  const codes = await whileHeld<number>(db, 'equipment', [
    async () => (await cast.operator.call(lockCompany, { params: { id: companyId }, body: { reason: '例行核查' } })).code,
    async () => {
      // The company's row is changed by now.
      await expect.poll(() => waitingForLocks(db)).toBe(1)
      return (await cast.lessor2.call(setShelf, { params: { id: off }, body: { shelfStatus: '1' } })).code
    },
  ])
  expect(codes).toEqual([200, 409])
  const onShelf = await db.selectFrom('equipment').where('companyId', '=', companyId).where('shelfStatus', '=', '1').select('id').execute()
  expect(onShelf).toEqual([])
})

/** An entry that bars a machine of the first lessor on the whole platform for 30 days, decided on Monday. */
const givenBarred = (equipmentId: number, values: { fromDay: string; blacklistCode: string; scopeDeptId?: number }) => {
  const entry = { subjectKind: 'machine', level: 3, reasonCode: 'accident', facts: '塔吊倾覆'.repeat(15), status: '2' } as const
  const dates = { toDay: addDays(today, 30), decideTime: monday, createTime: monday, updateTime: monday }
  const { companyId } = cast.lessor
  return db
    .insertInto('blacklist')
    .values({ ...entry, ...dates, companyId, equipmentId, proposerId: cast.project.id, ...values })
    .execute()
}
const shelfOf = async (...ids: number[]) =>
  (await db.selectFrom('equipment').where('id', 'in', ids).orderBy('id').select('shelfStatus').execute()).map((one) => one.shelfStatus)

test('a machine that an earlier version barred on the whole platform leaves the shelf; one whose entry begins later or is a unit’s stays', async () => {
  const { companyId } = cast.lessor
  const [barred, later, ofUnit] = [
    await world.givenMachine(companyId),
    await world.givenMachine(companyId),
    await world.givenMachine(companyId),
  ]
  await givenBarred(barred, { fromDay: today, blacklistCode: 'HM2' })
  await givenBarred(later, { fromDay: addDays(today, 1), blacklistCode: 'HM3' })
  await givenBarred(ofUnit, { fromDay: today, blacklistCode: 'HM4', scopeDeptId: world.depts.root })
  await runMigration(world, '0117_barred_on_shelf.sql')
  expect(await shelfOf(barred, later, ofUnit)).toEqual(['0', '1', '1'])
  await db.updateTable('blacklist').set({ status: '4' }).execute()
})

test('a machine that the whole platform bars leaves the shelf on the first day of its entry and comes back after the last', async () => {
  const { companyId } = cast.lessor
  const [barred, beside] = [await world.givenMachine(companyId), await world.givenMachine(companyId)]
  await givenBarred(barred, { fromDay: addDays(today, 1), blacklistCode: 'HM1' })
  const shelf = () => shelfOf(barred, beside)
  const up = () => cast.lessor.call(setShelf, { params: { id: barred }, body: { shelfStatus: '1' } })
  await enforceBegun(world.services)
  expect(await shelf()).toEqual(['1', '1'])
  world.clock.set(new Date(monday.getTime() + dayMs))
  await enforceBegun(world.services)
  expect(await shelf()).toEqual(['0', '1'])
  expect((await up()).msg).toBe(zhCn.refusal.shelf_barred)
  world.clock.set(new Date(monday.getTime() + 30 * dayMs))
  await expireBlacklist(world.services)
  expect((await up()).code).toBe(200)
  world.clock.set(monday)
})

test('the papers of a machine on hire are reminded of although it stands on no shelf, and are not once it is given back', async () => {
  await contractSteps(world).givenContract({ alone: true })
  const { equipmentId } = await db.selectFrom('contractLine').select('equipmentId').orderBy('id').executeTakeFirstOrThrow()
  const validTo = addDays(dayOf(world.clock.now()), 5)
  await db.updateTable('equipmentDocument').set({ validTo }).where('equipmentId', '=', equipmentId).execute()
  await db.updateTable('equipment').set({ shelfStatus: '0' }).where('id', '=', equipmentId).execute()
  const shown = async () => {
    const tasks = (await cast.lessor.call(getWorkPanel, {})).data.tasks.find(({ kind }) => kind === 'papers')
    const dates = (await cast.lessor.call(getWorkCalendar, {})).data.dates.filter(({ kind }) => kind === 'papers')
    return [tasks?.items.map(({ id }) => Number(id)), [...new Set(dates.map(({ day }) => day))]]
  }
  const reminders = () =>
    db.selectFrom('reminder').where('subject', '=', 'equipment').where('subjectId', '=', equipmentId).select('threshold').execute()
  expect(await shown()).toEqual([[equipmentId], [validTo]])
  await remindOfEquipmentDocuments(world.services)
  expect((await reminders())[0]).toEqual({ threshold: 7 })
  await db.deleteFrom('reminder').execute()
  await db.updateTable('contractLine').set({ status: '2' }).where('equipmentId', '=', equipmentId).execute()
  await remindOfEquipmentDocuments(world.services)
  expect(await reminders()).toEqual([])
  expect(await shown()).toEqual([undefined, []])
})
