import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { approveAward, awardDemand, rejectAward } from '#shared/award/contract.ts'
import { exportApply } from '#shared/opening/contract.ts'
import { getOwnDemand, getPublicDemand, listOwnDemands } from '#shared/demand/contract.ts'
import { stepLimits } from '#shared/demand/rules.ts'
import { compareQuotes, getDemandForLessor, giveUpQuote, listDemandsForLessor, submitQuote } from '#shared/quote/contract.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { byCategory } from '#test/by-category.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { openDueDemands } from '../opening/due.ts'

const world = await openWorld()
const { db, cast, clock } = world
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

/** A demand for two machines with one machine from each lessor, opened. */
async function givenJudging(machines: { first?: number[]; second?: number[] } = {}, changes: { items?: object[] } = {}) {
  clock.set(monday)
  const demand = await world.givenDemand(changes)
  await world.givenQuote(cast.lessor, demand, machines.first ?? [await world.givenMachine(cast.lessor.companyId)])
  await world.givenQuote(cast.lessor2, demand, machines.second ?? [await world.givenMachine(cast.lessor2.companyId)], { unitPrice: 20_000 })
  world.passDeadline()
  await openDueDemands(world.services)
  const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
  const lines = data.quotes.map((quote) => ({ quoteId: quote.id, quoteLineId: quote.lines[0]?.id ?? 0 }))
  const item = demand.items[0]?.id ?? 0
  const pick = (index: number, changes: object = {}) => ({
    demandItemId: item,
    quoteLineId: lines[index]?.quoteLineId ?? 0,
    qty: 1,
    ...changes,
  })
  return { demand, lines, pick }
}
const award = (who: Person, id: number, lines: object[], more: object = {}) =>
  who.call(awardDemand, { params: { id }, body: { lines, ...more } })

test('lines go to several lessors, machines are booked, winners are told, the result is public', async () => {
  const { demand, pick } = await givenJudging()
  const { code, data } = await award(cast.project, demand.id, [pick(0), pick(1)])
  expect([code, data.status]).toEqual([200, '5'])
  const bookings = await db.selectFrom('equipmentBooking').select(['reason', 'period']).execute()
  expect(bookings.slice(-2)).toEqual([
    { reason: 'award', period: '[2026-12-13,2027-03-13)' },
    { reason: 'award', period: '[2026-12-13,2027-03-13)' },
  ])
  const told = await db.selectFrom('message').where('kind', '=', 'quoteWon').select(['accountId', 'params']).execute()
  expect(told.map(({ accountId }) => accountId).toSorted()).toEqual([cast.lessor.id, cast.lessor2.id].toSorted())
  for (const { params } of told) expect(en.messages.quoteWon.content(params)).toContain('won: Wheel loader ×1.')
  expect((await cast.visitor.call(getPublicDemand, { params: { id: demand.id } })).data.winners).toHaveLength(2)
})

test('the list of the own demands has the sum of the award, what it saves, and since when a decision is awaited', async () => {
  const { demand, pick } = await givenJudging()
  const row = async () => (await cast.project.call(listOwnDemands, { query: {} })).data.rows.find(({ id }) => id === demand.id)
  const { openTime } = (await cast.project.call(getOwnDemand, { params: { id: demand.id } })).data
  expect(await row()).toMatchObject({ net: null, saved: null, waitingSince: openTime })
  await award(cast.project, demand.id, [pick(0), pick(1)])
  const stored = await db.selectFrom('award').where('demandId', '=', demand.id).select(['netFen', 'meanNetFen']).executeTakeFirstOrThrow()
  const yuan = (fen: number) => (fen / 100).toFixed(2)
  expect(await row()).toMatchObject({
    net: yuan(stored.netFen),
    saved: yuan((stored.meanNetFen ?? 0) - stored.netFen),
    waitingSince: null,
  })
  const { rows } = (await cast.project.call(listOwnDemands, { query: { sort: '-net' } })).data
  expect(rows[0]?.net).not.toBeNull()
})

test('the only quote of a line is its own mean, so its award says nothing of a saving', async () => {
  const demand = await world.givenDemand()
  await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
  world.passDeadline()
  await openDueDemands(world.services)
  const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
  const line = { demandItemId: demand.items[0]?.id ?? 0, quoteLineId: data.quotes[0]?.lines[0]?.id ?? 0, qty: 1 }
  expect((await award(cast.project, demand.id, [line])).code).toBe(200)
  const { rows } = (await cast.project.call(listOwnDemands, { query: {} })).data
  expect(rows.find(({ id }) => id === demand.id)).toMatchObject({ net: expect.any(String) as string, saved: null })
})

test('a part is awarded, the loser is told why', async () => {
  const { demand, lines, pick } = await givenJudging()
  const { data } = await award(cast.project, demand.id, [pick(0)], { loseReasons: { [lines[1]?.quoteId ?? 0]: 'time' } })
  expect(data.status).toBe('6')
  const lost = await db
    .selectFrom('message')
    .where('kind', '=', 'quoteLost')
    .where('accountId', '=', cast.lessor2.id)
    .select('content')
    .execute()
  expect(lost.at(-1)?.content).toContain('时间')
  const statuses = await db.selectFrom('quote').where('demandId', '=', demand.id).orderBy('id').select('status').execute()
  expect(statuses.map(({ status }) => status)).toEqual(['6', '8'])
})

test('passing over a cheaper offer needs a reason; more than wanted or offered, or another line, is refused; nothing is stored', async () => {
  const { demand, pick } = await givenJudging()
  const other = await givenJudging()
  expect((await award(cast.project, demand.id, [pick(1)])).msg).toBe('未选更低报价或超限价的行须写明理由')
  expect((await award(cast.project, demand.id, [pick(0, { qty: 2 })])).code).toBe(422)
  expect((await award(cast.project, demand.id, [pick(0), pick(0)])).code).toBe(422)
  const single = await givenJudging({}, { items: [world.demandItem({ qty: 1 })] })
  const both = [single.pick(0), single.pick(1, { reason: '距离近，可提前进场' })]
  expect((await award(cast.project, single.demand.id, both)).msg).toBe(zhCn.refusal.award_exceeds)
  expect((await award(cast.project, demand.id, [other.pick(0)])).code).toBe(422)
  expect((await award(cast.project, demand.id, [])).code).toBe(422)
  expect(await db.selectFrom('award').where('demandId', '=', demand.id).select('id').execute()).toEqual([])
  expect((await cast.project.call(getOwnDemand, { params: { id: demand.id } })).data.status).toBe('4')
  expect((await award(cast.project, demand.id, [pick(1, { reason: '距离近，可提前进场' })])).code).toBe(200)
  const told = await db.selectFrom('quote').where('demandId', '=', demand.id).where('status', '=', '8').select('loseReason').execute()
  expect(told).toEqual([{ loseReason: 'other' }])
})

test('an offer that was disqualified stays so, though its lessor may let again', async () => {
  const { demand, lines, pick } = await givenJudging()
  await db
    .updateTable('quote')
    .set({ status: '10' })
    .where('id', '=', lines[0]?.quoteId ?? 0)
    .execute()
  const refused = await award(cast.project, demand.id, [pick(0)])
  expect([refused.code, refusedFields(refused.data)]).toEqual([422, ['lines.0.quoteLineId']])
  // It stays among those that are compared, because it was opened with them.
  const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
  expect(data.quotes.map(({ status }) => status).toSorted()).toEqual(['10', '4'])
})

test('only the owner’s people award, only what is being judged', async () => {
  const { demand, pick } = await givenJudging()
  for (const who of ['stranger', 'otherProject'] as const) expect((await award(cast[who], demand.id, [pick(0)])).code).toBe(404)
  for (const who of ['lessor', 'operator', 'auditor', 'newcomer'] as const)
    expect((await award(cast[who], demand.id, [pick(0)])).code).toBe(403)
  expect((await award(cast.lessee, demand.id, [pick(0)])).code).toBe(200)
  clock.set(monday)
  const open = await world.givenDemand()
  expect((await award(cast.project, open.id, [pick(0)])).msg).toBe('该需求不在评审阶段')
})

test('200 attempts at once give exactly one award', async () => {
  const { demand, pick } = await givenJudging()
  const answers = await Promise.all(Array.from({ length: 200 }, () => award(cast.project, demand.id, [pick(0), pick(1)])))
  expect(answers.filter(({ code }) => code === 200)).toHaveLength(1)
  expect(new Set(answers.filter(({ code }) => code !== 200).map(({ code }) => code))).toEqual(new Set([409]))
  expect(await db.selectFrom('award').where('demandId', '=', demand.id).select('id').execute()).toHaveLength(1)
  expect(
    await db.selectFrom('demandEvent').where('demandId', '=', demand.id).where('move', '=', 'award').select('id').execute(),
  ).toHaveLength(1)
})

test('the same machine in two demands at once goes to one of them', async () => {
  const machine = await world.givenMachine(cast.lessor.companyId)
  const a = await givenJudging({ first: [machine] })
  const b = await givenJudging({ first: [machine] })
  const answers = await Promise.all([award(cast.project, a.demand.id, [a.pick(0)]), award(cast.project, b.demand.id, [b.pick(0)])])
  expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 409])
  expect(answers.find(({ code }) => code === 409)?.msg).toBe('所选设备在该时段已被占用')
  expect(await db.selectFrom('equipmentBooking').where('equipmentId', '=', machine).select('id').execute()).toHaveLength(1)
})

test('of a lot, as many units go as it has', async () => {
  const lot = await world.givenMachine(cast.lessor.companyId, { qty: 3 })
  const judged = []
  for (let round = 0; round < 2; round++) {
    clock.set(monday)
    const demand = await world.givenDemand()
    await world.givenQuote(cast.lessor, demand, [], { machines: [{ equipmentId: lot, qty: 2 }] })
    world.passDeadline()
    await openDueDemands(world.services)
    const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
    judged.push({ demand, line: { demandItemId: demand.items[0]?.id, quoteLineId: data.quotes[0]?.lines[0]?.id, qty: 2 } })
  }
  const answers = await Promise.all(judged.map(({ demand, line }) => award(cast.project, demand.id, [line])))
  expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 409])
  const bookings = await db.selectFrom('equipmentBooking').where('equipmentId', '=', lot).orderBy('slot').select('slot').execute()
  expect(bookings.map(({ slot }) => slot)).toEqual([1, 2])
})

test('a lessor on the restricted list cannot win, though they quoted before', async () => {
  const { demand, pick } = await givenJudging()
  await db.updateTable('company').set({ blacklistedAt: monday }).where('id', '=', cast.lessor.companyId).execute()
  expect((await award(cast.project, demand.id, [pick(0)])).code).toBe(422)
  await db.updateTable('company').set({ blacklistedAt: null }).where('id', '=', cast.lessor.companyId).execute()
})

test('[S7.6] a paper that ends before the hire is shown; one that has ended by the award stops it', async () => {
  clock.set(monday)
  const machine = await world.givenMachine(cast.lessor.companyId, { paperTo: '2026-12-20' })
  const demand = await world.givenDemand()
  await world.givenQuote(cast.lessor, demand, [machine], { promisesRenewal: true })
  world.passDeadline()
  await openDueDemands(world.services)
  const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
  const line = data.quotes[0]?.lines[0]
  expect(line?.machines[0]?.papersTo).toBe('2026-12-20')
  const lines = [{ demandItemId: demand.items[0]?.id, quoteLineId: line?.id, qty: 1 }]
  clock.set(new Date('2026-12-21T02:00:00Z'))
  expect((await award(cast.project, demand.id, lines)).msg).toBe(zhCn.refusal.papers_expired)
  await db.updateTable('equipmentDocument').set({ validTo: '2027-12-20' }).where('equipmentId', '=', machine).execute()
  expect((await award(cast.project, demand.id, lines)).code).toBe(200)
})

test('[S7.6] a winner gives up within 48 hours: machines free, the rest open, the sums right; later they may not', async () => {
  const { demand, pick } = await givenJudging()
  const awarded = await award(cast.project, demand.id, [pick(0), pick(1)])
  expect(awarded.data.status).toBe('5')
  const quotes = await db.selectFrom('quote').where('demandId', '=', demand.id).orderBy('id').select(['id', 'companyId']).execute()
  const [mine, other] = [
    quotes.find(({ companyId }) => companyId === cast.lessor.companyId),
    quotes.find(({ companyId }) => companyId === cast.lessor2.companyId),
  ]
  const leave = (who: Person, id: number | undefined) =>
    who.call(giveUpQuote, { params: { id }, body: { reason: '设备故障，无法按期进场' } })
  expect((await leave(cast.lessor2, mine?.id)).code).toBe(404)
  const both = await Promise.all([leave(cast.lessor, mine?.id), leave(cast.lessor, mine?.id)])
  expect(both.map(({ code }) => code).toSorted()).toEqual([200, 409])
  const { data } = await cast.project.call(getOwnDemand, { params: { id: demand.id } })
  expect([data.status, data.events.at(-1)?.move, data.winners.map(({ companyName }) => companyName)]).toEqual([
    '6',
    'giveUp',
    ['武汉昌磐机械租赁有限公司'],
  ])
  // The quote that was opened stays among those that are compared.
  const compared = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
  expect(compared.data.quotes.map(({ status }) => status).toSorted()).toEqual(['6', '7'])
  const [sum] = await db.selectFrom('award').where('demandId', '=', demand.id).select(['machines', 'netFen']).execute()
  const [line] = await db
    .selectFrom('awardLine')
    .where('companyId', '=', cast.lessor2.companyId)
    .orderBy('id', 'desc')
    .limit(1)
    .select('netFen')
    .execute()
  expect(sum).toEqual({ machines: 1, netFen: line?.netFen })
  const booked = await db
    .selectFrom('equipmentBooking')
    .innerJoin('equipment', 'equipment.id', 'equipmentBooking.equipmentId')
    .where('equipmentBooking.reason', '=', 'award')
    .where('awardLineId', 'in', (query) =>
      query
        .selectFrom('awardLine')
        .innerJoin('award', 'award.id', 'awardLine.awardId')
        .where('award.demandId', '=', demand.id)
        .select('awardLine.id'),
    )
    .select('equipment.companyId')
    .execute()
  expect(booked.map(({ companyId }) => companyId)).toEqual([cast.lessor2.companyId])
  clock.set(new Date(clock.now().getTime() + 48 * 3_600_000 + 1000))
  expect((await leave(cast.lessor2, other?.id)).msg).toBe('定标已超过 48 小时，不能放弃')
})

test('the winner reads what they won, whom to call and until when they may step back; the loser reads nothing of it', async () => {
  const { demand, pick } = await givenJudging()
  expect((await award(cast.project, demand.id, [pick(0)])).code).toBe(200)
  const read = (who: Person) => who.call(getDemandForLessor, { params: { id: demand.id } })
  const { quote } = (await read(cast.lessor)).data
  expect(quote?.won).toMatchObject({
    contactName: '王样本',
    contactPhone: '14400000001',
    // 90 days at 16,000 a month; the offer names no fees.
    rent: '48000.00',
    invoiced: '48000.00',
    lines: [{ lineNo: 1, categoryName: '轮式装载机', qty: 1, entry: '2026-12-13', planEnd: '2027-03-13', unitPrice: '16000.00' }],
  })
  expect(quote?.won?.lines[0]?.machines).toEqual([expect.objectContaining({ name: expect.stringContaining('856H'), qty: 1 })])
  expect((await read(cast.lessor2)).data.quote?.won).toBeNull()
  expect(JSON.stringify((await read(cast.lessor2)).data)).not.toContain('王样本')
  const list = async (who: Person, scope: string) =>
    (await who.call(listDemandsForLessor, { query: { scope, pageSize: 100 } })).data.rows.find(({ id }) => id === demand.id)
  expect((await list(cast.lessor, 'won'))?.won).toMatchObject({ invoiced: '48000.00', lines: [{ lineNo: 1, qty: 1 }] })
  expect((await list(cast.lessor2, 'lost'))?.won).toBeNull()
  const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
  expect(data.award?.lines).toEqual([expect.objectContaining({ qty: 1, machines: quote?.won?.lines[0]?.machines })])
})

test('the unit above approves the award that it has read, and the project is told', async () => {
  const { demand, pick } = await givenJudging()
  const setApproval = (approvesAwards: boolean) =>
    db.updateTable('dept').set({ approvesAwards }).where('id', '=', world.depts.unit).execute()
  await setApproval(true)
  expect((await award(cast.project, demand.id, [pick(0)])).data.awardId).toBeNull()
  const params = { id: demand.id }
  const read = async () => ({ requestId: (await cast.lessee.call(getOwnDemand, { params })).data.awardRequest?.id ?? 0 })
  const first = await read()
  expect((await cast.lessee.call(rejectAward, { params, body: { ...first, reason: '再谈一次价格' } })).code).toBe(200)
  expect((await award(cast.project, demand.id, [pick(0)])).data.awardId).toBeNull()
  // What was sent back is not decided on by another administrator who still reads it.
  for (const call of [approveAward, rejectAward])
    expect((await cast.lessee.call(call, { params, body: { ...first, reason: '再谈一次价格' } })).msg).toBe(zhCn.refusal.changed)
  expect((await cast.lessee.call(getOwnDemand, { params })).data.awardRequest?.status).toBe('1')
  expect((await cast.lessee.call(approveAward, { params, body: await read() })).code).toBe(200)
  await setApproval(false)
  const told = await db
    .selectFrom('message')
    .where('kind', '=', 'awardApproved')
    .where('bizId', '=', String(demand.id))
    .select(['accountId', 'link'])
    .execute()
  expect(told).toEqual([{ accountId: cast.project.id, link: `/workbench/requirement/detail?id=${demand.id}&dept=${cast.project.deptId}` }])
  const events = await db.selectFrom('demandEvent').where('demandId', '=', demand.id).orderBy('id').select(['move', 'accountId']).execute()
  expect(events.slice(-3).map(({ move, accountId }) => [move, accountId])).toEqual([
    ['awardSubmit', cast.project.id],
    ['awardApprove', cast.lessee.id],
    ['awardPart', cast.project.id],
  ])
})

test('an award is approved by an administrator of the unit that wants it or of one above, and by nobody else of the organisation', async () => {
  const { demand, pick } = await givenJudging()
  const { root, unit } = world.depts
  const setApproval = (approvesAwards: boolean) => db.updateTable('dept').set({ approvesAwards }).where('id', '=', root).execute()
  await setApproval(true)
  expect((await award(cast.project, demand.id, [pick(0)])).data.awardId).toBeNull()
  const people = { userType: '2', companyId: cast.lessee.companyId, certSign: 2 } as const
  const colleague = await world.givenPerson({ ...people, deptId: root }, 'colleague')
  const below = await world.givenPerson({ ...people, deptId: unit, isAdmin: true }, 'below')
  const params = { id: demand.id }
  const requestId = (await cast.lessee.call(getOwnDemand, { params })).data.awardRequest?.id ?? 0
  for (const who of [colleague, below]) {
    expect((await who.call(approveAward, { params, body: { requestId } })).code).toBe(403)
    expect((await who.call(rejectAward, { params, body: { requestId, reason: '再谈一次价格' } })).code).toBe(403)
  }
  expect((await cast.lessee.call(approveAward, { params, body: { requestId } })).code).toBe(200)
  await setApproval(false)
})

test('a choice is handed in for approval twenty times a day, and whoever approves awards without it', async () => {
  const { demand, pick } = await givenJudging()
  const setApproval = (approvesAwards: boolean) =>
    db.updateTable('dept').set({ approvesAwards }).where('id', '=', world.depts.unit).execute()
  await setApproval(true)
  const params = { id: demand.id }
  for (let n = 0; n < stepLimits.aDay; n++) {
    expect((await award(cast.project, demand.id, [pick(0)])).code).toBe(200)
    const requestId = (await cast.lessee.call(getOwnDemand, { params })).data.awardRequest?.id ?? 0
    expect((await cast.lessee.call(rejectAward, { params, body: { requestId, reason: '再谈一次价格' } })).code).toBe(200)
  }
  expect((await award(cast.project, demand.id, [pick(0)])).msg).toBe(zhCn.refusal.demand_day)
  expect((await award(cast.lessee, demand.id, [pick(0)])).code).toBe(200)
  await setApproval(false)
})

test('what is kept of each demand by category is what its lines and awards say, after all that happened above', async () => {
  const { kept, said } = await byCategory(db)
  expect(said.some(({ wonQty }) => wonQty !== null)).toBe(true)
  expect(kept).toEqual(said)
})

test('more machines of one lessor than a contract has positions are not awarded at once; as many are', async () => {
  clock.set(monday)
  const planned = [99, 99, 3].map((qty) => world.demandItem({ qty }))
  const demand = await world.givenDemand({ items: planned, minQuotes: 1 })
  const lines = []
  for (const { id, qty } of demand.items) {
    const machines: number[] = []
    for (let n = 0; n < qty; n++) machines.push(await world.givenMachine(cast.lessor.companyId))
    lines.push(world.quoteLine(id, machines))
  }
  const quoted = await cast.lessor.call(submitQuote, { body: { ...world.quoteBody(demand, []), lines } })
  expect([quoted.code, quoted.msg]).toEqual([200, expect.any(String)])
  world.passDeadline()
  await openDueDemands(world.services)
  const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
  const pick = (last: number) =>
    (data.quotes[0]?.lines ?? []).map((line, index) => ({
      demandItemId: demand.items[index]?.id,
      quoteLineId: line.id,
      qty: index === 2 ? last : line.qty,
    }))
  expect((await award(cast.project, demand.id, pick(3))).msg).toBe(zhCn.refusal.award_positions)
  expect((await award(cast.project, demand.id, pick(2))).code).toBe(200)
})

test('[S7.5] the workbook of the quotes says of each line how many machines won', async () => {
  const { demand, pick } = await givenJudging()
  expect((await award(cast.project, demand.id, [pick(0)])).code).toBe(200)
  const { bytes } = await cast.project.call(exportApply, { query: { id: demand.id } })
  const strings = strFromU8(unzipSync(new Uint8Array(bytes))['xl/sharedStrings.xml'] ?? new Uint8Array())
  const { compare, status } = zhCn.quote
  expect([compare.lineWon(1), compare.lineLost, status['6']].map((words) => strings.includes(`>${words}<`))).toEqual([true, true, false])
})
