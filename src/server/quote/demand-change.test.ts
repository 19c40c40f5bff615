import { afterAll, beforeEach, expect, test } from 'vitest'
import { approveAward, awardDemand } from '#shared/award/contract.ts'
import { addDays, dayOf, fromMoment, toMoment } from '#shared/calendar.ts'
import { getOwnDemand, publishDemand } from '#shared/demand/contract.ts'
import * as moves from '#shared/demand/moves.ts'
import { saveMessageConfig } from '#shared/message/contract.ts'
import { openDemand } from '#shared/opening/contract.ts'
import { compareQuotes, changeQuote, confirmQuote, getDemandForLessor, submitQuote } from '#shared/quote/contract.ts'
import { mayBeAwarded } from '#shared/quote/lowest.ts'
import { bindsTooShort, maxOffers } from '#shared/quote/rules.ts'
import { getWorkPanel } from '#shared/statistics/panel.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { waitingForLocks, whileHeld } from '#test/held-rows.ts'
import { runMigration } from '#test/run-migration.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { openDueDemands } from '../opening/due.ts'

const world = await openWorld()
const { db, cast, clock, services } = world
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const today = dayOf(monday)
const days = (n: number) => new Date(monday.getTime() + n * 86_400_000)
const own = async (id: number) => (await cast.project.call(getOwnDemand, { params: { id } })).data
const mine = async (who: Person, id: number) => (await who.call(getDemandForLessor, { params: { id } })).data
const extend = (id: number, quoteDeadline: Date) =>
  cast.project.call(moves.extendDemand, { params: { id }, body: { quoteDeadline: toMoment(quoteDeadline), reason: '图纸未到' } })
const amend = async (id: number, changes: object) => {
  const { version, items, quoteDeadline } = await own(id)
  const lines = items.map((line) => ({ ...world.demandItem(), id: line.id }))
  const body = world.demandBody({ quoteDeadline, items: lines, changeReason: '工期调整', ...changes })
  return cast.project.call(moves.amendDemand, { body: { ...body, id, version } })
}
/** A demand with a quote that binds only as long as the deadline asks, and one that binds for long. */
async function givenQuoted() {
  const demand = await world.givenDemand()
  const machine = await world.givenMachine(cast.lessor.companyId)
  const body = { ...world.quoteBody(demand, [machine]), validUntil: addDays(today, 18) }
  expect((await cast.lessor.call(submitQuote, { body })).code).toBe(200)
  await world.givenQuote(cast.lessor2, demand, [await world.givenMachine(cast.lessor2.companyId)])
  return { demand, body }
}

test.each<[string, (id: number) => Promise<{ code: number }>]>([
  ['an extension', (id) => extend(id, days(10))],
  ['a change that only moves the deadline', (id) => amend(id, { quoteDeadline: toMoment(days(10)) })],
])(
  'after %s a quote that would no longer bind at the opening waits for its lessor, who is told the day; no other does',
  async (_, move) => {
    const { demand, body } = await givenQuoted()
    const before = await own(demand.id)
    expect((await move(demand.id)).code).toBe(200)
    const seen = await mine(cast.lessor, demand.id)
    expect([seen.quote?.status, seen.minValidUntil]).toEqual(['3', addDays(today, 25)])
    expect((await mine(cast.lessor2, demand.id)).quote?.status).toBe('1')
    const after = await own(demand.id)
    expect([after.revision, after.quoteCount]).toEqual([before.revision, 2])
    const told = db.selectFrom('message').where('accountId', '=', cast.lessor.id).where('bizId', '=', String(demand.id)).select('content')
    expect((await told.execute()).map(({ content }) => content)).toContainEqual(expect.stringContaining(addDays(today, 25)))

    // It cannot be confirmed as it is, so only a change is offered.
    expect(bindsTooShort(seen.quote ?? body, seen.minValidUntil)).toBe(true)
    const asItIs = { params: { id: seen.quote?.id ?? 0 }, body: { version: seen.quote?.version ?? 0, demandRevision: seen.revision } }
    expect(refusedFields((await cast.lessor.call(confirmQuote, asItIs)).data)).toEqual(['validUntil'])
    const changed = { ...body, validUntil: addDays(today, 25), id: seen.quote?.id, version: seen.quote?.version }
    expect((await cast.lessor.call(changeQuote, { body: changed })).code).toBe(200)
    clock.set(days(10))
    await openDueDemands(services)
    const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
    expect(data.quotes.map(({ status, bars }) => [status, bars])).toEqual([
      ['4', []],
      ['4', []],
    ])
  },
)

test('a lessor confirms the terms that they read: a second change meanwhile refuses them, and the quote waits on', async () => {
  const { demand } = await givenQuoted()
  expect((await amend(demand.id, { terms: '须配备随车工具' })).code).toBe(200)
  const read = await mine(cast.lessor, demand.id)
  const confirm = (body: { version: number; demandRevision: number }) =>
    cast.lessor.call(confirmQuote, { params: { id: read.quote?.id ?? 0 }, body })
  expect((await amend(demand.id, { terms: '须配备随车工具，油料由出租方承担' })).code).toBe(200)
  const now = await mine(cast.lessor, demand.id)
  const [before, after] = [read, now].map(({ quote, revision }) => ({ version: quote?.version ?? 0, demandRevision: revision }))
  if (!before || !after) throw new Error('not read')
  expect([after.version - before.version, after.demandRevision - before.demandRevision]).toEqual([1, 1])
  expect(await confirm(before)).toMatchObject({ code: 409, msg: zhCn.refusal.demand_amended })
  expect((await confirm({ ...after, demandRevision: before.demandRevision })).msg).toBe(zhCn.refusal.demand_amended)
  expect((await confirm({ ...after, version: before.version })).msg).toBe(zhCn.refusal.quote_changed)
  expect((await mine(cast.lessor, demand.id)).quote?.status).toBe('3')
  expect((await confirm(after)).code).toBe(200)
  expect((await mine(cast.lessor, demand.id)).quote).toMatchObject({ status: '1', demandRevision: after.demandRevision })
})

test('an unsealed demand is opened by hand no sooner than a day after a change or an extension, so that quotes can be confirmed', async () => {
  const changes = {
    changed: (id: number) => amend(id, { terms: '须配备随车工具', sealed: false }),
    extended: (id: number) => extend(id, days(10)),
  }
  for (const [way, change] of Object.entries(changes)) {
    clock.set(monday)
    const demand = await world.givenDemand({ sealed: false })
    const { id } = await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
    await world.givenQuote(cast.lessor2, demand, [await world.givenMachine(cast.lessor2.companyId)])
    expect((await change(demand.id)).code, way).toBe(200)
    const open = () => cast.project.call(openDemand, { params: { id: demand.id }, body: {} })
    const early = await open()
    expect([early.code, early.msg], way).toEqual([409, expect.stringContaining('2026-11-24 10:00')])
    const { quote, revision } = await mine(cast.lessor, demand.id)
    clock.set(new Date(days(1).getTime() - 1000))
    expect((await open()).code, way).toBe(409)
    const body = { version: quote?.version ?? 0, demandRevision: revision }
    if (quote?.status === '3') expect((await cast.lessor.call(confirmQuote, { params: { id }, body })).code).toBe(200)
    clock.set(days(1))
    expect((await open()).code, way).toBe(200)
  }
})

test('an unsealed demand whose deadline comes within a day of its change is not promised an opening by hand after it', async () => {
  const demand = await world.givenDemand({ sealed: false })
  await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
  const deadline = fromMoment((await own(demand.id)).quoteDeadline ?? '').getTime()
  clock.set(new Date(deadline - 3_600_000))
  expect((await extend(demand.id, new Date(deadline + 3 * 3_600_000))).code).toBe(200)
  const { code, msg } = await cast.project.call(openDemand, { params: { id: demand.id }, body: { reason: '工期紧' } })
  expect([code, msg]).toEqual([409, zhCn.refusal.demand_opens_itself])
})

test('quotes that wait to be confirmed at the deadline do not make up the least number: the owner extends, and they can still be confirmed', async () => {
  const demand = await world.givenDemand({ minQuotes: 2 })
  const { id } = await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
  await world.givenQuote(cast.lessor2, demand, [await world.givenMachine(cast.lessor2.companyId)])
  expect((await amend(demand.id, { terms: '须配备随车工具', minQuotes: 2 })).code).toBe(200)
  const confirm = async () => {
    const { quote, revision } = await mine(cast.lessor, demand.id)
    const body = { version: quote?.version ?? 0, demandRevision: revision }
    return (await cast.lessor.call(confirmQuote, { params: { id }, body })).code
  }
  world.passDeadline()
  for (const _ of [1, 2]) await openDueDemands(services)
  expect(await own(demand.id)).toMatchObject({ status: '3', quoteCount: 2, isToldShort: true })
  const told = db.selectFrom('message').where('kind', '=', 'demandShort').where('bizId', '=', String(demand.id)).select('content')
  expect(await told.execute()).toEqual([{ content: expect.stringContaining('收到 2 家，其中确认沿用的少于要求的 2 家') }])
  const waits = (await cast.project.call(getWorkPanel, {})).data.tasks.find(({ kind }) => kind === 'short')
  expect(waits?.items.map((item) => item.id)).toContain(String(demand.id))
  expect((await cast.project.call(openDemand, { params: { id: demand.id }, body: {} })).code).toBe(422)
  expect((await extend(demand.id, days(6))).code).toBe(200)
  expect([await confirm(), (await own(demand.id)).isToldShort]).toEqual([200, false])
  const { quote, revision } = await mine(cast.lessor2, demand.id)
  const other = { params: { id: quote?.id ?? 0 }, body: { version: quote?.version ?? 0, demandRevision: revision } }
  expect((await cast.lessor2.call(confirmQuote, other)).code).toBe(200)
  clock.set(days(6))
  await openDueDemands(services)
  expect(await own(demand.id)).toMatchObject({ status: '4', quoteCount: 2 })
})

test('a demand that falls short while the clock stands still opens three days after its owner is told, and not before', async () => {
  const demand = await world.givenDemand({ minQuotes: 2 })
  await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
  const told = db.selectFrom('message').where('kind', '=', 'demandShort').where('bizId', '=', String(demand.id)).select('id')
  const onDay = async (n: number) => {
    clock.set(days(n))
    await openDueDemands(services)
    return [(await told.execute()).length, (await own(demand.id)).status]
  }
  expect([await onDay(8), await onDay(10.9), await onDay(11)]).toEqual([
    [1, '3'],
    [1, '3'],
    [1, '4'],
  ])
})

test('a change that an amendment asks for is taken also from a lessor who has made as many offers as they may', async () => {
  const { demand, body } = await givenQuoted()
  const { quote } = await mine(cast.lessor, demand.id)
  const offers = Array.from({ length: maxOffers - 1 }, () => ({ demandId: demand.id, quoteId: quote?.id ?? 0, move: 'change', at: monday }))
  await db.insertInto('demandEvent').values(offers).execute()
  const change = async (validUntil: string) => {
    const read = await mine(cast.lessor, demand.id)
    return cast.lessor.call(changeQuote, { body: { ...body, validUntil, id: read.quote?.id, version: read.quote?.version } })
  }
  expect((await change(addDays(today, 19))).msg).toBe(zhCn.refusal.offer_limit)
  expect((await extend(demand.id, days(10))).code).toBe(200)
  expect((await change(addDays(today, 25))).code).toBe(200)
  expect((await change(addDays(today, 26))).msg).toBe(zhCn.refusal.offer_limit)
})

/** The contents of what the lessor has not read about the demand, the oldest first. */
const unread = async (demandId: number) => {
  const messages = db.selectFrom('message').where('accountId', '=', cast.lessor.id).where('bizId', '=', String(demandId))
  const rows = await messages
    .where('isRead', '=', '0')
    .where('systemSubject', '=', '需求变更通知')
    .orderBy('id')
    .select('content')
    .execute()
  return rows.map(({ content }) => content)
}

test('a correction leaves the unread demand to change a quote that binds too shortly', async () => {
  const { demand } = await givenQuoted()
  expect((await amend(demand.id, { quoteDeadline: toMoment(days(10)) })).code).toBe(200)
  expect((await amend(demand.id, { contactPhone: '14400000009' })).code).toBe(200)
  expect((await mine(cast.lessor, demand.id)).quote?.status).toBe('3')
  expect(await unread(demand.id)).toEqual([expect.stringContaining(addDays(today, 25)), expect.stringContaining('此次更正不影响')])
})

test('a second change that asks for a confirmation goes out by SMS as the first, which is unread', async () => {
  await cast.lessor.call(saveMessageConfig, { body: [{ systemSubject: '需求变更通知', inApp: '1', push: '1', sms: '1' }] })
  const { demand } = await givenQuoted()
  expect((await amend(demand.id, { terms: '须配备随车工具' })).code).toBe(200)
  const { quote, revision } = await mine(cast.lessor, demand.id)
  const body = { version: quote?.version ?? 0, demandRevision: revision }
  expect((await cast.lessor.call(confirmQuote, { params: { id: quote?.id ?? 0 }, body })).code).toBe(200)
  expect((await amend(demand.id, { terms: '须配备随车工具，油料由出租方承担' })).code).toBe(200)
  expect(await unread(demand.id)).toHaveLength(2)
  const notices = db.selectFrom('outbox').where('template', '=', 'notice').where('accountId', '=', cast.lessor.id).select('id')
  expect(await notices.execute()).toHaveLength(2)
})

test('a quantity that an earlier version left in a hire by month is no term: a corrected phone number asks no quote', async () => {
  const { demand } = await givenQuoted()
  await db.updateTable('demandItem').set({ estQuantity: 20 }).where('demandId', '=', demand.id).execute()
  const { revision } = await own(demand.id)
  await runMigration(world, '0120_hire_by_time.sql')
  expect((await amend(demand.id, { contactPhone: '14400000009' })).code).toBe(200)
  expect([(await own(demand.id)).revision, (await mine(cast.lessor, demand.id)).quote?.status]).toEqual([revision, '1'])
})

test('what waits for its lessor when the demand opens lapses, and is not counted among the quotes that were opened', async () => {
  const { demand } = await givenQuoted()
  await extend(demand.id, days(10))
  clock.set(days(10))
  await openDueDemands(services)
  expect((await own(demand.id)).quoteCount).toBe(1)
  expect((await mine(cast.lessor, demand.id)).quote?.status).toBe('9')
  // A demand that an earlier version opened is counted anew.
  await db.updateTable('demand').set({ quoteCount: 2 }).where('id', '=', demand.id).execute()
  await runMigration(world, '0112_opened_quotes.sql')
  expect((await own(demand.id)).quoteCount).toBe(1)
})

test('a quote that was checked against the deadline before an extension is not stored; it is sent again for the new one', async () => {
  const demand = await world.givenDemand()
  const body = { ...world.quoteBody(demand, [await world.givenMachine(cast.lessor.companyId)]), validUntil: addDays(today, 18) }
  const submit = () => cast.lessor.call(submitQuote, { body })
  const [extended, submitted] = await whileHeld<{ code: number; msg: string }>(db, 'demand', [
    () => extend(demand.id, days(10)),
    async () => {
      await expect.poll(() => waitingForLocks(db)).toBe(1)
      return submit()
    },
  ])
  expect([extended?.code, submitted?.msg]).toEqual([200, zhCn.refusal.demand_changed])
  expect([(await own(demand.id)).quoteCount, refusedFields((await submit()).data)]).toEqual([0, ['validUntil']])
})

test('a demand is not extended to the end of its hire, and a line whose hire is over is not awarded', async () => {
  const items = [world.demandItem({ planStart: addDays(today, 1), planEnd: addDays(today, 6) })]
  const demand = await world.givenDemand({ items })
  await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)], { earliestEntry: today })
  const late = await extend(demand.id, days(6))
  expect([late.code, refusedFields(late.data)]).toEqual([422, ['quoteDeadline']])
  expect((await extend(demand.id, days(5))).code).toBe(200)
  clock.set(days(5))
  await openDueDemands(services)
  const compare = async () => {
    const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
    return data.quotes.flatMap((quote) => quote.lines.map((line) => ({ id: line.id, isOver: line.isOver, may: mayBeAwarded(quote, line) })))
  }
  const [first] = await compare()
  expect(first).toMatchObject({ isOver: false, may: true })
  const lines = [{ demandItemId: demand.items[0]?.id, quoteLineId: first?.id, qty: 1 }]
  const award = () => cast.project.call(awardDemand, { params: { id: demand.id }, body: { lines } })
  const setApproval = (approvesAwards: boolean) =>
    db.updateTable('dept').set({ approvesAwards }).where('id', '=', world.depts.unit).execute()
  await setApproval(true)
  expect((await award()).data.awardId).toBeNull()
  clock.set(days(6))
  const requestId = (await own(demand.id)).awardRequest?.id ?? 0
  const approve = () => cast.lessee.call(approveAward, { params: { id: demand.id }, body: { requestId } })
  expect([await compare(), (await approve()).msg]).toEqual([[{ ...first, isOver: true, may: false }], zhCn.refusal.award_hire_over])
  await db.deleteFrom('awardRequest').execute()
  await setApproval(false)
  expect((await award()).msg).toBe(zhCn.refusal.award_hire_over)
  clock.set(days(5))
  expect((await award()).code).toBe(200)
  clock.set(days(6))
  expect(await compare()).toEqual([{ ...first, isOver: false, may: false }])
})

test('a demand whose deadline reaches past the hire of a line is corrected all the same; its deadline and its days must do', async () => {
  const demand = await world.givenDemand()
  const ends = { planStart: addDays(today, 1), planEnd: addDays(today, 3) }
  await db.updateTable('demandItem').set(ends).where('demandId', '=', demand.id).execute()
  const items = [{ ...world.demandItem(ends), id: demand.items[0]?.id }]
  expect((await amend(demand.id, { items, contactPhone: '14400000009' })).code).toBe(200)
  const refused = async (changes: object) => refusedFields((await amend(demand.id, { items, ...changes })).data)
  expect(await refused({ quoteDeadline: toMoment(days(4)) })).toEqual(['quoteDeadline'])
  expect(await refused({ items: [...items, world.demandItem(ends)] })).toEqual(['quoteDeadline'])
  expect(await refused({ items: [{ ...items[0], planEnd: addDays(today, 2) }] })).toEqual(['quoteDeadline'])
})

test('a demand is corrected though the hire of a line was to begin by now; a first day that is new begins today or later', async () => {
  const demand = await world.givenDemand()
  const past = { planStart: addDays(today, -1), planEnd: addDays(today, 110) }
  await db.updateTable('demandItem').set(past).where('demandId', '=', demand.id).execute()
  const items = [{ ...world.demandItem(past), id: demand.items[0]?.id }]
  const refused = async (changes: object) => refusedFields((await amend(demand.id, { items, ...changes })).data)
  expect(await refused({ items: [{ ...items[0], planStart: addDays(today, -2) }] })).toEqual(['items.0.planStart'])
  expect(await refused({ items: [...items, world.demandItem(past)] })).toEqual(['items.1.planStart'])
  expect((await amend(demand.id, { items, contactPhone: '14400000009', quoteDeadline: toMoment(days(4)) })).code).toBe(200)
})

test('a change keeps an end of the questions that has passed, and sets none that has', async () => {
  const demand = await world.givenDemand({ clarifyDeadline: toMoment(days(0.5)) })
  clock.set(days(1))
  const passed = { clarifyDeadline: toMoment(days(0.5)) }
  expect((await amend(demand.id, { ...passed, contactPhone: '14400000009' })).code).toBe(200)
  expect(refusedFields((await amend(demand.id, { clarifyDeadline: toMoment(days(0.8)) })).data)).toEqual(['clarifyDeadline'])
  const body = world.demandBody({ clarifyDeadline: toMoment(days(0.9)), quoteDeadline: toMoment(days(4)) })
  expect(refusedFields((await cast.project.call(publishDemand, { body })).data)).toEqual(['clarifyDeadline'])
})

test('an opened demand takes no later deadline, and a change names each line once', async () => {
  const { demand } = await givenQuoted()
  const [line] = demand.items
  const twice = [1, 2].map(() => ({ ...world.demandItem(), id: line?.id }))
  const refused = await amend(demand.id, { items: twice })
  expect([refused.code, refusedFields(refused.data)]).toEqual([422, ['items']])
  world.passDeadline()
  await openDueDemands(services)
  const { status, quoteDeadline } = await own(demand.id)
  expect([status, (await extend(demand.id, days(10))).msg]).toEqual(['4', zhCn.refusal.demand_changed])
  expect((await own(demand.id)).quoteDeadline).toBe(quoteDeadline)
})

test('the list of an invited demand is never emptied, whatever kind the change says', async () => {
  const { id } = await world.givenDemand({ demandType: '2', invitedCompanyIds: [cast.lessor.companyId] })
  const refused = await amend(id, { demandType: '1', invitedCompanyIds: [] })
  expect([refused.code, refusedFields(refused.data)]).toEqual([422, ['invitedCompanyIds']])
  expect((await db.selectFrom('demandInvite').where('demandId', '=', id).select('companyId').execute()).length).toBe(1)
})

test('a quote whose machine does not meet the changed demand names the deviation before it stands, and the buyer reads both', async () => {
  const { demand, body } = await givenQuoted()
  const items = [{ ...world.demandItem({ maxAgeYears: 3 }), id: demand.items[0]?.id }]
  expect((await amend(demand.id, { items })).code).toBe(200)
  const { quote, revision } = await mine(cast.lessor, demand.id)
  const asItIs = { params: { id: quote?.id ?? 0 }, body: { version: quote?.version ?? 0, demandRevision: revision } }
  expect(refusedFields((await cast.lessor.call(confirmQuote, asItIs)).data)).toEqual(['lines.0.deviation'])
  const changed = {
    ...body,
    lines: body.lines.map((line) => ({ ...line, deviation: '2022 年出厂' })),
    id: quote?.id,
    version: quote?.version,
  }
  expect((await cast.lessor.call(changeQuote, { body: changed })).code).toBe(200)
  world.passDeadline()
  await openDueDemands(services)
  const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
  const line = data.quotes.find(({ id }) => id === quote?.id)?.lines[0]
  expect(line).toMatchObject({
    deviation: '2022 年出厂',
    machines: [{ problem: null, misses: [], deviations: [{ kind: 'age', detail: '2022-01' }] }],
  })
})

test('a ceiling that lessors do not see is corrected without asking them; one that they come to see asks them', async () => {
  const { demand } = await givenQuoted()
  const limited = (priceCeiling: number, showCeiling: boolean) =>
    amend(demand.id, { items: [{ ...world.demandItem({ priceCeiling }), id: demand.items[0]?.id }], showCeiling })
  const { revision } = await own(demand.id)
  const now = async () => [(await own(demand.id)).revision - revision, (await mine(cast.lessor, demand.id)).quote?.status]
  expect((await limited(30_000, false)).code).toBe(200)
  expect((await limited(28_000, false)).code).toBe(200)
  expect(await now()).toEqual([0, '1'])
  expect(Object.values((await own(demand.id)).ceilings)).toEqual(['28000.00'])
  expect((await limited(28_000, true)).code).toBe(200)
  expect(await now()).toEqual([1, '3'])
})
