import { unzipSync, strFromU8 } from 'fflate'
import { sql } from 'kysely'
import readSheets from 'read-excel-file/node'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { addDays, dayOf } from '#shared/calendar.ts'
import { getOwnDemand } from '#shared/demand/contract.ts'
import { amendDemand, cancelDemand } from '#shared/demand/moves.ts'
import { exportApply, exportEvidence } from '#shared/opening/contract.ts'
import * as contract from '#shared/quote/contract.ts'
import { mostCompared } from '#shared/quote/rules.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { openDueDemands } from '../opening/due.ts'

const world = await openWorld()
const { db, cast, clock } = world
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const today = dayOf(monday)
const submit = (who: 'lessor' | 'lessor2' | 'lapsed', body: object) => cast[who].call(contract.submitQuote, { body })

test('a certified lessor quotes with real machines and gets a receipt; the project is told, without a price', async () => {
  const demand = await world.givenDemand()
  const machines = [await world.givenMachine(cast.lessor.companyId), await world.givenMachine(cast.lessor.companyId)]
  const { code, data } = await submit('lessor', world.quoteBody(demand, machines))
  expect(code).toBe(200)
  expect(data).toMatchObject({
    quoteCode: expect.stringMatching(/^BJ20261123[2-9A-HJ-NP-Z]{8}$/),
    sealHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const told = await db
    .selectFrom('message')
    .where('accountId', '=', cast.project.id)
    .where('kind', '=', 'quoteReceived')
    .where('bizId', '=', String(demand.id))
    .select(['title', 'content'])
    .execute()
  expect(told).toHaveLength(1)
  expect(JSON.stringify(told)).not.toContain('16000')
  expect((await cast.project.call(getOwnDemand, { params: { id: demand.id } })).data.quoteCount).toBe(1)
})

test('sealed means sealed: nobody reads a price before the deadline, in the calls or in the database', async () => {
  const demand = await world.givenDemand()
  const machine = await world.givenMachine(cast.lessor.companyId)
  await world.givenQuote(cast.lessor, demand, [machine], { unitPrice: 17_171.17 })
  for (const who of ['project', 'lessee', 'operator', 'auditor'] as const) {
    expect((await cast[who].call(contract.compareQuotes, { params: { demandId: demand.id } })).msg).toBe('报价尚未开启')
    expect((await cast[who].call(contract.listReceived, { query: { demandId: demand.id } })).data).toEqual({ total: 1, rows: [] })
    expect((await cast[who].call(exportApply, { query: { id: demand.id } })).msg).toBe('报价尚未开启')
  }
  expect((await cast.lessor2.call(contract.getDemandForLessor, { params: { id: demand.id } })).data.quote).toBeNull()
  expect((await cast.lessor.call(contract.getDemandForLessor, { params: { id: demand.id } })).data.quote?.lines[0]?.unitPrice).toBe(
    '17171.17',
  )
  const dump = JSON.stringify([
    await db.selectFrom('quote').selectAll().execute(),
    await db.selectFrom('demandEvent').selectAll().execute(),
    await db.selectFrom('message').selectAll().execute(),
  ])
  expect(dump).not.toMatch(/1717117|17171\.17/)
  expect(dump).not.toMatch(/陈调度|14400000002/)
  expect(
    Buffer.concat((await db.selectFrom('quote').select('sealedOffer').execute()).map(({ sealedOffer }) => sealedOffer)).toString('latin1'),
  ).not.toContain('1717117')
  expect(await db.selectFrom('quoteLine').select('id').execute()).toEqual([])
})

test('at the deadline everything opens, the receipt unchanged, and shows with landed cost', async () => {
  const demand = await world.givenDemand()
  const machine = await world.givenMachine(cast.lessor.companyId)
  await db.updateTable('equipment').set({ provinceId: 320_000, cityId: 320_300 }).where('id', '=', machine).execute()
  const { sealHash } = await world.givenQuote(cast.lessor, demand, [machine], { entryFee: '2000', exitFee: 1000 })
  world.passDeadline()
  await openDueDemands(world.services)
  const { data } = await cast.project.call(contract.compareQuotes, { params: { demandId: demand.id } })
  expect(data.quotes).toHaveLength(1)
  expect(data.quotes[0]).toMatchObject({
    sealHash,
    companyName: '成都恒岳机械租赁有限公司',
    lines: [{ qty: 1, unitPrice: '16000.00', entryFee: '2000.00', earliestEntry: addDays(today, 19) }],
  })
  // The province stands before its city.
  expect(data.quotes[0]?.lines[0]?.machines).toMatchObject([{ regionName: '江苏省 徐州市', regionNameEn: 'Xuzhou, Jiangsu' }])
  // 90 days: 48,000 rent + 3,000 transport; 110 l × 78 shifts × 7.60 fuel by the lessee; VAT 9 % of 51,000 deducted.
  expect(data.quotes[0]?.lines[0]).toMatchObject({ grossCost: '116208.00', netCost: '111996.99' })
  expect((await cast.stranger.call(contract.compareQuotes, { params: { demandId: demand.id } })).code).toBe(404)
  expect((await cast.lessor.call(contract.compareQuotes, { params: { demandId: demand.id } })).code).toBe(403)
})

test('the contacts of bidders are for the owner and their auditor; the platform’s people compare without them, and the pack has none', async () => {
  const demand = await world.givenDemand()
  await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
  world.passDeadline()
  await openDueDemands(world.services)
  const contactFor = async (who: 'project' | 'auditor' | 'operator') =>
    (await cast[who].call(contract.compareQuotes, { params: { demandId: demand.id } })).data.quotes.map(
      ({ companyName, contactName, contactPhone }) => [companyName, contactName, contactPhone],
    )
  for (const who of ['project', 'auditor'] as const)
    expect(await contactFor(who)).toEqual([['成都恒岳机械租赁有限公司', '陈调度', '14400000002']])
  expect(await contactFor('operator')).toEqual([['成都恒岳机械租赁有限公司', '', '']])
  const { bytes } = await cast.operator.call(exportEvidence, { params: { id: demand.id } })
  const workbook = (await cast.operator.call(exportApply, { query: { id: demand.id } })).bytes
  for (const packed of [unzipSync(bytes), unzipSync(new Uint8Array(workbook))])
    for (const content of Object.values(packed)) expect(strFromU8(content)).not.toMatch(/陈调度|14400000002/)
  const taken = db.selectFrom('auditLog').where('bizType', '=', 'demand').where('bizId', '=', String(demand.id))
  expect(await taken.orderBy('seq').select(['action', 'companyId']).execute()).toEqual(
    ['demand.evidence', 'demand.quotes'].map((action) => ({ action, companyId: cast.project.companyId })),
  )
})

test('diesel is charged for machines that burn it, not for electric ones', async () => {
  const demand = await world.givenDemand()
  const [electric, driven] = await Promise.all([1, 2].map(() => world.givenMachine(cast.lessor.companyId)))
  const change = (id: number | undefined, values: object) =>
    db
      .updateTable('equipment')
      .set(values)
      .where('id', '=', id ?? 0)
      .execute()
  await change(electric, { emissionStage: 'electric' })
  await change(driven, { specs: JSON.stringify({ ratedLoad: 5, drive: '电动' }) })
  await world.givenQuote(cast.lessor, demand, [electric ?? 0, driven ?? 0])
  await world.givenQuote(cast.lessor2, demand, [await world.givenMachine(cast.lessor2.companyId)])
  world.passDeadline()
  await openDueDemands(world.services)
  const read = async () => (await cast.project.call(contract.compareQuotes, { params: { demandId: demand.id } })).data.quotes
  const [silent, loud] = await read()
  // 90 days at 16,000 a month, for two machines and for one; 110 l × 78 shifts × 7.60 of diesel come on top of the second alone.
  expect(silent?.lines[0]).toMatchObject({ fuelledQty: 0, grossCost: '96000.00' })
  expect(loud?.lines[0]).toMatchObject({ fuelledQty: 1, grossCost: '113208.00' })
  expect(silent?.lines[0]?.machines[0]?.distanceKm).toBe(0)
  await change(driven, { specs: JSON.stringify({ ratedLoad: 5, drive: '油电混动' }) })
  expect((await read())[0]?.lines[0]?.fuelledQty).toBe(1)
})

test('a quote acknowledged at the last moment is opened; one after it is refused', async () => {
  const demand = await world.givenDemand()
  const machine = await world.givenMachine(cast.lessor.companyId)
  clock.set(new Date(monday.getTime() + 3 * 86_400_000 - 1000))
  expect((await submit('lessor', world.quoteBody(demand, [machine]))).code).toBe(200)
  clock.set(new Date(monday.getTime() + 3 * 86_400_000))
  const other = await world.givenMachine(cast.lessor2.companyId)
  expect((await submit('lessor2', world.quoteBody(demand, [other]))).msg).toBe('报价已截止')
})

test('a race of quotes and the opening loses nothing that was acknowledged', async () => {
  const demand = await world.givenDemand()
  const machine = await world.givenMachine(cast.lessor.companyId)
  const second = await world.givenMachine(cast.lessor2.companyId)
  clock.set(new Date(monday.getTime() + 3 * 86_400_000 - 1))
  await world.givenQuote(cast.lessor, demand, [machine])
  const quoting = [submit('lessor2', world.quoteBody(demand, [second]))]
  clock.set(new Date(monday.getTime() + 3 * 86_400_000))
  await openDueDemands(world.services)
  const acknowledged = (await Promise.all(quoting)).filter(({ code }) => code === 200).length
  const { data } = await cast.project.call(contract.compareQuotes, { params: { demandId: demand.id } })
  expect(data.quotes).toHaveLength(1 + acknowledged)
})

test('one live quote for each lessor, whatever two tabs do; withdrawn, one may quote again', async () => {
  const demand = await world.givenDemand()
  const machine = await world.givenMachine(cast.lessor.companyId)
  const clicks = await Promise.all([1, 2, 3, 4].map(() => submit('lessor', world.quoteBody(demand, [machine]))))
  expect(clicks.map(({ code }) => code).toSorted()).toEqual([200, 409, 409, 409])
  const { id } = clicks.find(({ code }) => code === 200)?.data ?? { id: 0 }
  expect((await cast.lessor2.call(contract.withdrawQuote, { params: { id } })).code).toBe(404)
  expect((await cast.lessor.call(contract.withdrawQuote, { params: { id } })).code).toBe(200)
  expect((await cast.lessor.call(contract.withdrawQuote, { params: { id } })).code).toBe(409)
  expect((await submit('lessor', world.quoteBody(demand, [machine]))).code).toBe(200)
})

test('a quote is changed until the deadline by who saw its last version', async () => {
  const demand = await world.givenDemand()
  const machine = await world.givenMachine(cast.lessor.companyId)
  const { id } = await world.givenQuote(cast.lessor, demand, [machine])
  const change = (version: number, changes: Record<string, unknown> = {}) =>
    cast.lessor.call(contract.changeQuote, {
      body: { ...world.quoteBody(demand, [machine], { unitPrice: 15_000, ...changes }), id, version },
    })
  expect((await change(1)).code).toBe(200)
  expect((await change(1)).code).toBe(409)
  expect((await cast.lessor2.call(contract.changeQuote, { body: { ...world.quoteBody(demand, [machine]), id, version: 2 } })).code).toBe(
    404,
  )
  world.passDeadline()
  expect((await change(2)).msg).toBe('报价已截止')
})

test('an offer is for the lines that its lessor read: once they are amended, a new or changed one is refused', async () => {
  const demand = await world.givenDemand()
  const [machine, another] = [await world.givenMachine(cast.lessor.companyId), await world.givenMachine(cast.lessor2.companyId)]
  const quote = await world.givenQuote(cast.lessor2, demand, [another])
  const seen = async (who: 'lessor' | 'lessor2') => (await cast[who].call(contract.getDemandForLessor, { params: { id: demand.id } })).data
  const demandRevision = (await seen('lessor')).revision
  const { version, quoteDeadline } = (await cast.project.call(getOwnDemand, { params: { id: demand.id } })).data
  const items = [world.demandItem(), { ...world.demandItem(), id: demand.items[0]?.id }]
  const amended = { ...world.demandBody({ quoteDeadline, items }), changeReason: '增加一行', id: demand.id, version }
  expect((await cast.project.call(amendDemand, { body: amended })).code).toBe(200)
  const msg = '填写期间需求有变更，请按变更后的需求核对报价再提交；已填内容保留'
  const body = { ...world.quoteBody(demand, [machine]), demandRevision }
  expect(await submit('lessor', body)).toMatchObject({ code: 409, msg })
  const change = { ...world.quoteBody(demand, [another]), id: quote.id, version: (await seen('lessor2')).quote?.version, demandRevision }
  expect(await cast.lessor2.call(contract.changeQuote, { body: change })).toMatchObject({ code: 409, msg })
  expect((await submit('lessor', { ...body, demandRevision: demandRevision + 1 })).code).toBe(200)
  expect((await cast.lessor2.call(contract.changeQuote, { body: { ...change, demandRevision: demandRevision + 1 } })).code).toBe(200)
})

test('why one may not quote: certification, invitation, restricted list, own demand, and it is said beforehand', async () => {
  const invited = await world.givenDemand({ demandType: '2', invitedCompanyIds: [cast.lessor.companyId] })
  const open = await world.givenDemand()
  const mine = await world.givenMachine(cast.lapsed.companyId)
  expect((await submit('lapsed', world.quoteBody(open, [mine]))).msg).toBe('企业认证未通过或已过期，请在“我的认证”办理')
  const theirs = await world.givenMachine(cast.lessor2.companyId)
  expect((await submit('lessor2', world.quoteBody(invited, [theirs]))).code).toBe(404)
  await db.updateTable('company').set({ blacklistedAt: monday }).where('id', '=', cast.lessor2.companyId).execute()
  expect((await submit('lessor2', world.quoteBody(open, [theirs]))).msg).toBe('企业在黑名单内，暂不能操作；可在“与我有关的限制”查看并申诉')
  expect((await cast.lessor2.call(contract.getDemandForLessor, { params: { id: open.id } })).data.bar).toBe('blacklisted')
  await db.updateTable('company').set({ blacklistedAt: null }).where('id', '=', cast.lessor2.companyId).execute()
  await db.updateTable('demand').set({ companyId: cast.lessor2.companyId }).where('id', '=', open.id).execute()
  expect((await submit('lessor2', world.quoteBody(open, [theirs]))).msg).toBe('不能给本单位的需求报价')
})

test('each machine is the lessor’s own, of the kind, on the shelf, free and papered', async () => {
  const demand = await world.givenDemand()
  const good = await world.givenMachine(cast.lessor.companyId)
  const line = (machines: number[], changes: Record<string, unknown> = {}) =>
    submit('lessor', world.quoteBody(demand, machines, changes)).then(({ data }) => refusedFields(data))
  expect(await line([await world.givenMachine(cast.lessor2.companyId)])).toEqual(['lines.0.machines'])
  expect(await line([await world.givenMachine(cast.lessor.companyId, { shelfStatus: '0' })])).toEqual(['lines.0.machines'])
  expect(await line([await world.givenMachine(cast.lessor.companyId, { categoryId: 101 })])).toEqual(['lines.0.machines'])
  expect(await line([999_999])).toEqual(['lines.0.machines'])
  expect(await line([good, good])).toEqual(['lines.0.machines'])
  const short = await world.givenMachine(cast.lessor.companyId, { paperTo: addDays(today, 60) })
  expect(await line([short])).toEqual(['lines.0.promisesRenewal'])
  expect(await line([good], { unitPrice: 0 })).toEqual(['lines.0.unitPrice'])
  expect(await line([good], { taxRate: 7 })).toEqual(['lines.0.taxRate'])
  expect(await line([good], { earliestEntry: '2026-02-30' })).toEqual(['lines.0.earliestEntry'])
  expect(refusedFields((await submit('lessor', { ...world.quoteBody(demand, [good]), validUntil: addDays(today, 10) })).data)).toEqual([
    'validUntil',
  ])
  const elsewhere = await world.givenDemand()
  expect(
    refusedFields(
      (await submit('lessor', { ...world.quoteBody(demand, [good]), lines: [world.quoteLine(elsewhere.items[0]?.id ?? 0, [good])] })).data,
    ),
  ).toEqual(['lines.0.demandItemId'])
  expect(await line([short], { promisesRenewal: true })).toEqual([])
})

test('above the ceiling a reason is needed, and the buyer sees the mark, the platform only that of a ceiling it may read', async () => {
  const demand = await world.givenDemand({ items: [world.demandItem({ priceCeiling: 15_000 })] })
  const machine = await world.givenMachine(cast.lessor.companyId)
  expect(refusedFields((await submit('lessor', world.quoteBody(demand, [machine]))).data)).toEqual(['lines.0.ceilingReason'])
  await world.givenQuote(cast.lessor, demand, [machine], { ceilingReason: '含夜间照明' })
  world.passDeadline()
  await openDueDemands(world.services)
  const lineFor = async (who: Person) =>
    (await who.call(contract.compareQuotes, { params: { demandId: demand.id } })).data.quotes[0]?.lines[0]
  const marked = { overCeiling: true, ceilingReason: '含夜间照明' }
  expect(await lineFor(cast.operator)).toMatchObject(marked)
  await db.updateTable('demand').set({ showCeiling: false }).where('id', '=', demand.id).execute()
  for (const who of [cast.project, cast.auditor]) expect(await lineFor(who)).toMatchObject(marked)
  expect(await lineFor(cast.operator)).toMatchObject({ overCeiling: false, ceilingReason: '' })
})

test('a cancelled demand lapses its quotes, tells the bidders, and stays readable for them', async () => {
  const demand = await world.givenDemand()
  await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
  await cast.project.call(cancelDemand, { params: { id: demand.id }, body: { reason: '方案调整' } })
  const { data } = await cast.lessor.call(contract.getDemandForLessor, { params: { id: demand.id } })
  expect(data.quote?.status).toBe('9')
  const told = await db
    .selectFrom('message')
    .where('accountId', '=', cast.lessor.id)
    .where('kind', '=', 'demandCancelled')
    .select('content')
    .execute()
  expect(told.at(-1)?.content).toContain('方案调整')
})

test('the lessor’s lists: recommended fits, quoted is quoted', async () => {
  await db.updateTable('equipment').set({ shelfStatus: '0' }).execute()
  await db.updateTable('demand').set({ delFlag: '2' }).execute()
  const machine = await world.givenMachine(cast.lessor.companyId)
  const fitting = await world.givenDemand()
  const unfitting = await world.givenDemand({
    items: [world.demandItem({ specRequirements: [{ key: 'ratedLoad', rule: 'ge', value: '50' }] })],
  })
  const ids = async (scope: string) =>
    (await cast.lessor.call(contract.listDemandsForLessor, { query: { scope } })).data.rows.map(({ id }) => id)
  expect(await ids('recommended')).toEqual([fitting.id])
  expect((await ids('open')).toSorted()).toEqual([fitting.id, unfitting.id].toSorted())
  await world.givenQuote(cast.lessor, fitting, [machine])
  expect(await ids('recommended')).toEqual([])
  expect(await ids('quoted')).toEqual([fitting.id])
})

test('[S7.5] exportApply is a real workbook, for those who may see the applications, after the opening', async () => {
  const demand = await world.givenDemand()
  const terms = { deviation: '=1+1', minRentDays: 60, promisesRenewal: true, entryFee: 1000 }
  await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)], terms)
  world.passDeadline()
  await openDueDemands(world.services)
  const answer = await cast.project.call(exportApply, { query: { id: demand.id } })
  const files = unzipSync(new Uint8Array(answer.bytes))
  const sheet = strFromU8(files['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
  const strings = strFromU8(files['xl/sharedStrings.xml'] ?? new Uint8Array())
  expect(strings).toContain('成都恒岳机械租赁有限公司')
  expect(sheet).toMatch(/<v>16000<\/v>/)
  // A cell that begins like a formula is a text.
  expect(strings).toContain('=1+1')
  expect(sheet).not.toContain('<f>')
  const [header = [], row = []] = (await readSheets(answer.bytes))[0]?.data ?? []
  const cell = (label: string) => row[header.indexOf(label)]
  expect([cell('最短计费（天）'), cell('承诺证照续期'), cell('合同租金（元）')]).toEqual([60, '是', 48_000])
  // Rent, the one fee, and the fuel that the lessee buys are the sum of the row.
  expect(Number(cell('自配机手和自理油料（元）'))).toBeGreaterThan(0)
  expect(cell('本行到场含税（元）')).toBeCloseTo(48_000 + 1000 + Number(cell('自配机手和自理油料（元）')), 2)
  expect((await cast.stranger.call(exportApply, { query: { id: demand.id } })).code).toBe(404)
  expect((await cast.lessor.call(exportApply, { query: { id: demand.id } })).code).toBe(403)
  expect((await cast.visitor.call(exportApply, { query: { id: demand.id } })).code).toBe(401)
})

test('[S2.22][S7.6] recommended with a score, near misses with what is missing, each with its reason', async () => {
  await db.updateTable('demand').set({ delFlag: '2' }).execute()
  await db.updateTable('equipment').set({ delFlag: '2' }).where('companyId', '=', cast.lessor.companyId).execute()
  const demand = await world.givenDemand()
  await world.givenMachine(cast.lessor.companyId, { value: 4 })
  const list = async (scope: string) => (await cast.lessor.call(contract.listDemandsForLessor, { query: { scope } })).data.rows
  expect(await list('recommended')).toEqual([])
  const [near] = await list('near')
  expect(near?.best).toMatchObject({ lineNo: 1, misses: [{ kind: 'spec', detail: '额定载重量 4 < 5 t', detailEn: 'Rated load 4 < 5 t' }] })
  await world.givenMachine(cast.lessor.companyId, { value: 5 })
  expect(await list('near')).toEqual([])
  const [recommended] = await list('recommended')
  expect(recommended).toMatchObject({ id: demand.id, matching: 1 })
  // In the same city, exactly the size, the median price, papers without an end.
  expect(recommended?.best).toMatchObject({ misses: [], parts: { distance: 25, fit: 20, papers: 5 } })
  const { data } = await cast.lessor.call(contract.getDemandForLessor, { params: { id: demand.id } })
  const [first, second] = data.candidates[String(demand.items[0]?.id)] ?? []
  expect([first?.match.score, first?.misses]).toEqual([recommended?.best?.score, []])
  // Its name can be shown in both languages.
  expect(first).toMatchObject({ brandEn: recommended?.best?.brandEn, categoryNameEn: recommended?.best?.categoryNameEn })
  expect(second?.misses).toHaveLength(1)
})

test('a machine that is older or less clean than a line asks for is marked for both', async () => {
  const demand = await world.givenDemand({ items: [world.demandItem({ maxAgeYears: 3, minEmission: '4' })] })
  const machine = await world.givenMachine(cast.lessor.companyId)
  const marksOf = async () => {
    const { data } = await cast.lessor.call(contract.getDemandForLessor, { params: { id: demand.id } })
    return data.candidates[String(demand.items[0]?.id)]?.find(({ id }) => id === machine)?.misses.map(({ kind }) => kind)
  }
  expect(await marksOf()).toEqual(['age', 'emission'])
  await db.updateTable('equipment').set({ outFactoryDate: '2023-12-01', emissionStage: '4' }).where('id', '=', machine).execute()
  expect(await marksOf()).toEqual([])
})

test('so many demands are compared with the machines, those that close first', async () => {
  await db.updateTable('demand').set({ delFlag: '2' }).execute()
  await world.givenMachine(cast.lessor.companyId, { value: 5 })
  const first = await world.givenDemand()
  await sql`with later as (
      insert into demand (demand_code, title, company_id, dept_id, account_id, province_id, status, quote_deadline, publish_time, plan_start, plan_end)
      select 'XQ' || n, 'later ' || n, company_id, dept_id, ${cast.lessee.id}, province_id, status, quote_deadline + n * interval '1 minute', publish_time, plan_start, plan_end
      from demand, generate_series(1, ${mostCompared}) n where demand.id = ${first.id} returning id)
    insert into demand_item (demand_id, line_no, father_category_id, category_id, qty, plan_start, plan_end, rent_unit)
    select later.id, line_no, father_category_id, category_id, qty, plan_start, plan_end, rent_unit from later, demand_item i where i.demand_id = ${first.id}`.execute(
    db,
  )
  const page = async (pageNum: number) =>
    (await cast.lessor.call(contract.listDemandsForLessor, { query: { scope: 'recommended', pageNum, pageSize: 100 } })).data
  const { rows, total } = await page(1)
  expect([rows[0]?.id, total]).toEqual([first.id, mostCompared])
  expect((await page(mostCompared / 100)).rows.at(-1)?.title).toBe(`later ${mostCompared - 1}`)
  expect((await page(mostCompared / 100 + 1)).rows).toEqual([])
})

test('[S7.6] an offer far from the market is marked, from five machines on the shelf', async () => {
  await db.updateTable('demand').set({ delFlag: '2' }).execute()
  await db.updateTable('equipment').set({ shelfStatus: '0' }).execute()
  const machines = []
  for (const priceFen of [1_500_000, 1_550_000, 1_600_000, 1_650_000, 1_700_000])
    machines.push(await world.givenMachine(cast.lessor.companyId, { priceFen }))
  const other = await world.givenMachine(cast.lessor2.companyId, { priceFen: 1_600_000 })
  const demand = await world.givenDemand({ minQuotes: 1 })
  await world.givenQuote(cast.lessor, demand, machines.slice(0, 1), { unitPrice: 9000 })
  await world.givenQuote(cast.lessor2, demand, [other], { unitPrice: 25_000 })
  world.passDeadline()
  await openDueDemands(world.services)
  const { data } = await cast.project.call(contract.compareQuotes, { params: { demandId: demand.id } })
  expect(data.quotes.map(({ lines }) => lines[0]?.outlier)).toEqual(['low', 'high'])
})
