import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { toMoment } from '#shared/calendar.ts'
import * as contract from '#shared/demand/contract.ts'
import { DemandInput, DemandItemInput } from '#shared/demand/input.ts'
import { demandsADay, demandStatus, maxDrafts } from '#shared/demand/rules.ts'
import { amendDemand, cancelDemand, failDemand } from '#shared/demand/moves.ts'
import { openDemand } from '#shared/opening/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { openDueDemands } from '../opening/due.ts'
import { listPublicDemands } from './queries.ts'

const world = await openWorld()
const { db, cast, clock } = world
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const publish = (changes: Record<string, unknown>) => cast.project.call(contract.publishDemand, { body: world.demandBody(changes) })

test('a demand is published with a number, its lines and its first event', async () => {
  const { id } = await world.givenDemand()
  const { data } = await cast.project.call(contract.getOwnDemand, { params: { id } })
  expect(data).toMatchObject({
    demandCode: expect.stringMatching(/^XQ20261123\d{4}$/),
    status: '3',
    quoteCount: 0,
    projectName: '渝昌高铁5标',
    regionName: '四川省 成都市',
    regionNameEn: 'Chengdu, Sichuan',
  })
  expect(data.items).toHaveLength(1)
  expect(data.events.map(({ move }) => move)).toEqual(['publish'])
})

test.each([
  ['title', { title: '短' }],
  ['contactPhone', { contactPhone: '12345' }],
  ['quoteDeadline', { quoteDeadline: toMoment(new Date(monday.getTime() + 3_600_000)) }],
  ['quoteDeadline', { quoteDeadline: '2026-02-30 10:00:00' }],
  ['cityId', { cityId: 440_100 }],
  ['cityId', { provinceId: 999_999 }],
  ['items', { items: [] }],
  ['payment.days', { payment: { days: 61 } }],
  ['invitedCompanyIds', { demandType: '2' }],
  ['invitedCompanyIds', { invitedCompanyIds: [999_999] }],
  ['attachmentIds', { attachmentIds: ['00000000-0000-4000-8000-000000000000'] }],
  ['budgetLimit', { budgetLimit: -5 }],
])('%s is refused beside its field and nothing is stored: %j', async (field, changes) => {
  const before = await db.selectFrom('demand').select('id').execute()
  const { code, data, http } = await publish(changes)
  expect([http, code]).toEqual([200, 422])
  expect(refusedFields(data)).toContain(field)
  expect(await db.selectFrom('demand').select('id').execute()).toEqual(before)
})

test.each([
  ['items.0.planEnd', { planEnd: '2026-12-01', planStart: '2026-12-02' }],
  ['items.0.planStart', { planStart: '2026-11-01' }],
  ['items.0.planStart', { planStart: '2027-02-30' }],
  ['items.0.qty', { qty: 0 }],
  ['items.0.qty', { qty: 1e9 }],
  ['items.0.estQuantity', { rentUnit: 'S' }],
  ['items.0.estQuantity', { rentUnit: 'S', estQuantity: 33.3333 }],
  ['items.0.estQuantity', { rentUnit: 'S', estQuantity: 0.0001 }],
  ['items.0.categoryId', { categoryId: 201 }],
  ['items.0.categoryId', { categoryId: 4242, fatherCategoryId: 4242 }],
  ['items.0.specRequirements', { specRequirements: [] }],
  ['items.0.specRequirements.0.key', { specRequirements: [{ key: 'nonsense', rule: 'ge', value: '1' }] }],
  ['items.0.priceCeiling', { priceCeiling: '1.234' }],
])('line field %s is refused: %j', async (field, changes) => {
  const { code, data } = await publish({ items: [world.demandItem(changes)] })
  expect(code).toBe(422)
  expect(refusedFields(data)).toContain(field)
})

test('in a low-emission zone a diesel machine needs stage III or better', async () => {
  expect(refusedFields((await publish({ lowEmissionZone: true })).data)).toEqual(['items.0.minEmission'])
  expect((await publish({ lowEmissionZone: true, items: [world.demandItem({ minEmission: '3' })] })).code).toBe(200)
})

test('a project publishes for itself only, an organisation for all below it', async () => {
  expect((await publish({ deptId: world.depts.otherDept })).code).toBe(403)
  expect((await publish({ deptId: world.depts.strangerDept })).code).toBe(403)
  expect((await cast.lessee.call(contract.publishDemand, { body: world.demandBody({ deptId: world.depts.otherDept }) })).code).toBe(200)
})

test('a stranger, and a sister project, find no such demand; the organisation above does', async () => {
  const { id } = await world.givenDemand()
  for (const who of ['stranger', 'otherProject'] as const)
    expect((await cast[who].call(contract.getOwnDemand, { params: { id } })).code).toBe(404)
  for (const who of ['lessee', 'operator', 'auditor'] as const)
    expect((await cast[who].call(contract.getOwnDemand, { params: { id } })).code).toBe(200)
})

test('the owner reads every field that was published, so a copy or a change starts with all of them', async () => {
  const shownAs: Record<string, string> = {
    invitedCompanyIds: 'invited',
    attachmentIds: 'attachments',
    sourceId: 'source',
    internalAnswers: 'internalCheck',
  }
  const answered = contract.OwnDemand.shape
  expect(Object.keys(DemandInput.shape).filter((name) => !((shownAs[name] ?? name) in answered))).toEqual([])
  // The ceilings of all lines stand beside them, because lessors do not read them.
  expect(Object.keys(DemandItemInput.shape).filter((name) => !(name in answered.items.element.shape))).toEqual(['priceCeiling'])
  const { id } = await world.givenDemand({ districtId: 510_107, internalReason: '集团内无合适设备' })
  const { data } = await cast.project.call(contract.getOwnDemand, { params: { id } })
  expect(data).toMatchObject({ districtId: 510_107, internalReason: '集团内无合适设备' })
})

test('the public library shows published demands, never drafts or invited ones, and no contact or budget', async () => {
  const open = await world.givenDemand({ title: '公开装载机需求甲', budgetLimit: 123_456 })
  const invited = await world.givenDemand({ title: '邀请装载机需求乙', demandType: '2', invitedCompanyIds: [cast.lessor.companyId] })
  const form = { title: '草稿装载机需求丙' }
  const draft = (await cast.project.call(contract.saveDraft, { body: { deptId: world.depts.projectDept, form } })).data
  const { data } = await cast.visitor.call(contract.listPublicDemands, { query: { pageSize: 100 } })
  expect(data.rows.map(({ id }) => id)).toContain(open.id)
  for (const hidden of [invited, draft]) expect(data.rows.map(({ id }) => id)).not.toContain(hidden.id)
  expect((await cast.project.call(contract.getPublicDemand, { params: { id: draft.id } })).code).toBe(404)
  const detail = await cast.visitor.call(contract.getPublicDemand, { params: { id: open.id } })
  expect(JSON.stringify(detail.raw)).not.toMatch(/123456|14400000001|工地驻地/)
  expect((await cast.newcomer.call(contract.getPublicDemand, { params: { id: open.id } })).data.address).toBe('工地驻地')
  // Whoever has it in their scope knows it for their own; to the platform's people, who have all in theirs, and to others it is not.
  const { visitor, newcomer, lessor, operator, stranger, project, lessee } = cast
  const own: boolean[] = []
  for (const who of [visitor, newcomer, lessor, operator, stranger, project, lessee])
    own.push((await who.call(contract.getPublicDemand, { params: { id: open.id } })).data.isOwn)
  expect(own).toEqual([false, false, false, false, false, true, true])
  expect((await cast.visitor.call(contract.getPublicDemand, { params: { id: invited.id } })).code).toBe(404)
  expect((await cast.lessor2.call(contract.getPublicDemand, { params: { id: invited.id } })).code).toBe(404)
  expect((await cast.lessor.call(contract.getPublicDemand, { params: { id: invited.id } })).code).toBe(200)
})

test.each([
  ['塔', 1],
  ['塔吊', 1],
  ['旋挖钻机', 1],
  ['塔吊 旋挖', 1],
  ['没有这个', 0],
  ['%', 0],
  ['_', 0],
])('the search finds words of one, two and more characters: %s', async (keyword, found) => {
  await db.updateTable('demand').set({ delFlag: '2' }).execute()
  await world.givenDemand({ title: '塔吊与旋挖钻机各一' })
  await world.givenDemand({ title: '装载机两台另议' })
  expect((await cast.visitor.call(contract.listPublicDemands, { query: { keyword } })).data.total).toBe(found)
})

test('in a large library the search goes by its index', async () => {
  const { id } = await world.givenDemand()
  const tx = await db.startTransaction().execute()
  await sql`insert into demand (title, company_id, dept_id, account_id, status, demand_code, province_id, quote_deadline, publish_time,
      plan_start, plan_end, search_text)
    select title, company_id, dept_id, account_id, status, 'L' || n, province_id, quote_deadline, publish_time, plan_start, plan_end,
      'machine ' || n
    from demand, generate_series(1, 5000) n where id = ${id}`.execute(tx)
  await sql`analyze demand`.execute(tx)
  await listPublicDemands(tx, { keyword: '装载机', demandCode: undefined, pageNum: 1, pageSize: 10 }, null)
  const { rows } = await sql<{ scans: string }>`select pg_stat_get_xact_numscans('demand_search'::regclass) as scans`.execute(tx)
  await tx.rollback().execute()
  expect(Number(rows[0]?.scans)).toBeGreaterThan(0)
})

test('[S3.3] filters by number, status, region, type and category; a page beyond the end is empty with the right total', async () => {
  await db.updateTable('demand').set({ delFlag: '2' }).execute()
  const { id } = await world.givenDemand()
  const code = (await cast.project.call(contract.getOwnDemand, { params: { id } })).data.demandCode ?? ''
  const total = async (query: object) => (await cast.visitor.call(contract.listPublicDemands, { query })).data.total
  expect(await total({ demandCode: code })).toBe(1)
  expect(await total({ status: '3', provinceId: 510_000, cityId: 510_100, demandType: '1', categoryId: 106, fatherCategoryId: 100 })).toBe(
    1,
  )
  for (const query of [{ status: '4' }, { provinceId: 440_000 }, { cityId: 510_300 }, { demandType: '2' }, { categoryId: 201 }])
    expect(await total(query)).toBe(0)
  const far = await cast.visitor.call(contract.listPublicDemands, { query: { pageNum: 99 } })
  expect(far.data).toEqual({ total: 1, rows: [] })
})

test('a draft may be half-typed, is replaced only by who saw the last version, and becomes the demand', async () => {
  const { depts } = world
  const form = { title: '半截', items: [{ qty: '' }], nested: { a: [1] } }
  const first = await cast.project.call(contract.saveDraft, { body: { deptId: depts.projectDept, form } })
  expect(first.code).toBe(200)
  const { id, version } = first.data
  const second = await cast.project.call(contract.saveDraft, { body: { id, version, deptId: depts.projectDept, form: { title: '后来' } } })
  expect(second.data.version).toBe(version + 1)
  const late = await cast.project.call(contract.saveDraft, { body: { id, version, deptId: depts.projectDept, form } })
  expect(late.code).toBe(409)
  const unseen = await cast.project.call(contract.saveDraft, { body: { id, deptId: depts.projectDept, form } })
  expect([unseen.code, refusedFields(unseen.data)]).toEqual([422, ['version']])
  expect((await cast.project.call(contract.getDraft, { params: { id } })).data.form).toEqual({ title: '后来' })
  expect((await cast.stranger.call(contract.getDraft, { params: { id } })).code).toBe(404)
  expect((await cast.stranger.call(contract.deleteDraft, { params: { id } })).code).toBe(404)
  expect((await cast.project.call(contract.listDrafts, {})).data.rows.map((draft) => draft.id)).toContain(id)
  const overtaken = await publish({ draftId: id, version })
  expect([overtaken.code, overtaken.msg]).toEqual([409, zhCn.refusal.changed])
  expect((await cast.project.call(contract.getDraft, { params: { id } })).data).toEqual({ ...second.data, form: { title: '后来' } })
  const published = await publish({ draftId: id, ...second.data })
  expect(published.data.id).toBe(id)
  expect((await cast.project.call(contract.getDraft, { params: { id } })).code).toBe(404)
  expect((await publish({ draftId: id })).code).toBe(409)
})

test('somebody has two hundred drafts at most, in whichever departments, also where several are stored at once', async () => {
  const { otherDept, projectDept } = world.depts
  const store = (deptId: number) => cast.lessee.call(contract.saveDraft, { body: { deptId, form: { title: '半截' } } })
  const { data: draft } = await store(projectDept)
  await sql`insert into demand (dept_id, company_id, account_id, draft, create_time, update_time)
    select ${otherDept}, company_id, account_id, draft, create_time, update_time from demand, generate_series(1, ${maxDrafts - 5}) where id = ${draft.id}`.execute(
    db,
  )
  const answers = await Promise.all(Array.from({ length: 10 }, () => store(projectDept)))
  expect(answers.filter(({ code }) => code === 200)).toHaveLength(4)
  // 409 would say that somebody else has saved the draft.
  expect(answers.find(({ code }) => code !== 200)).toMatchObject({
    code: 429,
    msg: zhCn.refusal.drafts_enough.replace('{n}', String(maxDrafts)),
  })
  const again = { id: draft.id, version: draft.version, deptId: projectDept, form: { title: '后来' } }
  expect((await cast.lessee.call(contract.saveDraft, { body: again })).code).toBe(200)
  expect((await cast.project.call(contract.saveDraft, { body: { deptId: projectDept, form: {} } })).code).toBe(200)
  await db.deleteFrom('demand').where('accountId', '=', cast.lessee.id).execute()
  expect((await store(projectDept)).code).toBe(200)
  await db.deleteFrom('demand').where('accountId', '=', cast.lessee.id).execute()
})

test('somebody publishes two hundred demands a day, drafts and those that they cancelled included, also where several are published at once', async () => {
  const { projectDept } = world.depts
  const publishNext = (by: Person, draftId?: number) => by.call(contract.publishDemand, { body: world.demandBody({ draftId }) })
  const { data: first } = await publishNext(cast.lessee)
  expect((await cast.lessee.call(cancelDemand, { params: { id: first.id }, body: { reason: '方案调整' } })).code).toBe(200)
  await sql`insert into demand (title, company_id, dept_id, account_id, status, demand_code, province_id, quote_deadline, publish_time, plan_start, plan_end)
    select title, company_id, dept_id, account_id, status, 'DAY' || n, province_id, quote_deadline, publish_time, plan_start, plan_end
    from demand, generate_series(1, ${demandsADay - 2}) n where id = ${first.id}`.execute(db)
  const { data: draft } = await cast.lessee.call(contract.saveDraft, { body: { deptId: projectDept, form: {} } })
  const answers = await Promise.all([publishNext(cast.lessee), publishNext(cast.lessee, draft.id), publishNext(cast.lessee)])
  expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 429, 429])
  expect(answers.find(({ code }) => code !== 200)?.msg).toBe(zhCn.refusal.demand_limit)
  expect((await publishNext(cast.project)).code).toBe(200)
  clock.set(new Date(monday.getTime() + 86_400_000))
  expect((await publishNext(cast.lessee)).code).toBe(200)
  await db.updateTable('demand').set({ delFlag: '2' }).where('accountId', '=', cast.lessee.id).execute()
})

test('two tabs publish a draft once', async () => {
  const draft = await cast.project.call(contract.saveDraft, { body: { deptId: world.depts.projectDept, form: {} } })
  const clicks = await Promise.all([1, 2, 3].map(() => publish({ draftId: draft.data.id })))
  expect(clicks.map(({ code }) => code).toSorted()).toEqual([200, 409, 409])
})

test('the job tells the lessors with a fitting machine, and no others', async () => {
  await world.givenMachine(cast.lessor.companyId)
  await world.givenMachine(cast.lessor2.companyId, { value: 3 })
  await world.givenMachine(cast.lapsed.companyId)
  const { id } = await world.givenDemand()
  const told = await db.selectFrom('message').where('bizId', '=', String(id)).select(['accountId', 'kind', 'title']).execute()
  expect(told).toEqual([{ accountId: cast.lessor.id, kind: 'demandMatched', title: '新需求：渝昌高铁5标 装载机两台' }])
})

test('a demand is cancelled with a reason, once, by its own people', async () => {
  const { id } = await world.givenDemand()
  const cancel = (who: 'project' | 'stranger' | 'otherProject', reason = '方案调整') =>
    cast[who].call(cancelDemand, { params: { id }, body: { reason } })
  expect((await cancel('project', '')).code).toBe(422)
  expect((await cancel('stranger')).code).toBe(404)
  expect((await cancel('otherProject')).code).toBe(404)
  const clicks = await Promise.all([cancel('project'), cancel('project')])
  expect(clicks.map(({ code }) => code).toSorted()).toEqual([200, 409])
})

test('the clock opens what is due without anybody’s click, and only once', async () => {
  const demand = await world.givenDemand()
  const { id } = demand
  await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
  expect((await cast.project.call(openDemand, { params: { id } })).msg).toBe('密封报价的需求不能提前开标')
  await openDueDemands(world.services)
  expect((await cast.project.call(contract.getOwnDemand, { params: { id } })).data.status).toBe('3')
  world.passDeadline()
  await Promise.all([openDueDemands(world.services), openDueDemands(world.services)])
  const { data } = await cast.project.call(contract.getOwnDemand, { params: { id } })
  expect(data.status).toBe('4')
  expect(data.events.filter(({ move }) => move === 'open')).toHaveLength(1)
})

test('an unsealed demand can be opened by hand, by its own people; with fewer quotes than it asks for, they say why', async () => {
  const demand = await world.givenDemand({ sealed: false })
  const { id } = demand
  const reason = '只有一家能按期进场'
  const open = (who: Person, body: object) => who.call(openDemand, { params: { id }, body })
  expect((await open(cast.stranger, { reason })).code).toBe(404)
  const refused = await open(cast.project, {})
  expect([refused.code, refusedFields(refused.data)]).toEqual([422, ['reason']])
  expect((await open(cast.project, { reason })).code).toBe(200)
  expect((await cast.project.call(contract.getOwnDemand, { params: { id } })).data.events.at(-1)).toMatchObject({
    move: 'open',
    note: reason,
  })
  expect((await open(cast.project, { reason })).code).toBe(409)
  const enough = await world.givenDemand({ sealed: false })
  await world.givenQuote(cast.lessor, enough, [await world.givenMachine(cast.lessor.companyId)])
  expect((await cast.project.call(openDemand, { params: { id: enough.id }, body: {} })).code).toBe(200)
})

test('the opened ones of a list have been opened: one that failed before its opening is not among them', async () => {
  const [opened, failedUnopened, failedOpened, open] = [
    await world.givenDemand({ sealed: false }),
    await world.givenDemand(),
    await world.givenDemand({ sealed: false }),
    await world.givenDemand(),
  ]
  const reason = '只有一家能按期进场'
  for (const { id } of [opened, failedOpened]) await cast.project.call(openDemand, { params: { id }, body: { reason } })
  expect((await cast.project.call(failDemand, { params: { id: failedOpened.id }, body: { reason } })).code).toBe(200)
  await db.updateTable('demand').set({ status: demandStatus.failed }).where('id', '=', failedUnopened.id).execute()
  const all = [opened, failedUnopened, failedOpened, open].map(({ id }) => id)
  const listed = async (who: Person, query: object) =>
    (await who.call(contract.listOwnDemands, { query: { pageSize: 100, ...query } })).data.rows
      .map(({ id }) => id)
      .filter((id) => all.includes(id))
  for (const who of [cast.project, cast.lessee, cast.auditor]) {
    expect(await listed(who, {})).toEqual(all.toReversed())
    expect(await listed(who, { opened: '1' })).toEqual([failedOpened.id, opened.id])
    expect(await listed(who, { opened: '1', status: demandStatus.failed })).toEqual([failedOpened.id])
  }
})

test('contacts are for certified people, each look is recorded, fifty a day', async () => {
  const { id } = await world.givenDemand()
  const look = (who: 'lessor' | 'newcomer' | 'visitor') => cast[who].call(contract.lookAtContact, { params: { id } })
  expect((await look('visitor')).code).toBe(401)
  expect((await look('newcomer')).code).toBe(403)
  expect((await look('lessor')).data).toEqual({ contactName: '王样本', contactPhone: '14400000001' })
  await db
    .insertInto('contactLook')
    .values(Array.from({ length: 49 }, () => ({ accountId: cast.lessor.id, demandId: id, at: monday })))
    .execute()
  expect((await look('lessor')).code).toBe(429)
  clock.set(new Date(monday.getTime() + 86_400_000))
  expect((await look('lessor')).code).toBe(200)
})

test('the direct method needs a reason, which the owner reads and no lessor, and which the unit above has approved', async () => {
  const direct = (methodReason: string) => ({ method: '4', methodReason })
  const short = await publish(direct('只有一家'))
  expect(refusedFields(short.data)).toEqual(['methodReason'])
  const reason = '隧道进口段只有该厂家的设备能进洞'
  const { id } = await world.givenDemand({ ...direct(reason), minQuotes: undefined })
  const own = async () => (await cast.project.call(contract.getOwnDemand, { params: { id } })).data
  // A single lessor is asked, so one quote is enough unless the demand says otherwise.
  expect(await own()).toMatchObject({ methodReason: reason, minQuotes: 1 })
  for (const who of [cast.lessor, cast.visitor])
    expect(JSON.stringify((await who.call(contract.getPublicDemand, { params: { id } })).raw)).not.toContain(reason)
  await db.updateTable('dept').set({ approvesDemands: true }).where('id', '=', world.depts.root).execute()
  const { version, quoteDeadline, items } = await own()
  const amend = async (more: object) => {
    const body = world.demandBody({ ...more, quoteDeadline, changeReason: '说明理由', items: [world.demandItem({ id: items[0]?.id })] })
    return cast.project.call(amendDemand, { body: { ...body, id, version } })
  }
  expect(refusedFields((await amend({ method: '4' })).data)).toEqual(['methodReason'])
  expect((await amend(direct('隧道出口段也只有该厂家的设备能进洞'))).msg).toBe(zhCn.refusal.amend_approval)
  // One from before there were reasons is corrected with a first one, which nobody has approved another of.
  await db.updateTable('demand').set({ methodReason: '' }).where('id', '=', id).execute()
  expect((await amend(direct(reason))).code).toBe(200)
  await db.updateTable('dept').set({ approvesDemands: false }).where('id', '=', world.depts.root).execute()
})
