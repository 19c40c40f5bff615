import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { articleTab } from '#shared/article/rules.ts'
import { createDirectContract } from '#shared/contract/direct.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { saveMessageConfig } from '#shared/message/contract.ts'
import * as quoteContract from '#shared/quote/contract.ts'
import { nameOf } from '#test/endpoints.ts'
import { changeSteps, contractSteps } from '#test/given-contract.ts'
import { givenFile } from '#test/given-file.ts'
import { monday, openWorld } from '#test/world.ts'
import { openDueDemands } from './opening/due.ts'

const world = await openWorld()
const { cast, api, db, services, depts } = world
const { send, confirm } = contractSteps(world)
const { propose } = changeSteps(world)
afterAll(() => world.close())

type Who = keyof typeof cast
const people = Object.keys(cast) as Who[]
/** Who sees the demand as their own. They learn how many have quoted, and nothing else (domain 1.19). */
const owners: readonly Who[] = ['lessee', 'project', 'operator', 'clerk', 'auditor']

const ids = {
  demand: 0,
  judged: 0,
  machine: 0,
  draft: 0,
  file: '',
  article: 0,
  notice: 0,
  feedback: 0,
  certification: 0,
  blacklist: 0,
  import: 0,
  contract: 0,
  message: 0,
}

/** An id that exists for every call with one in its path, and the query of every call that needs one. */
const inputs: Record<string, () => { params?: object; queries?: Record<string, unknown>[] }> = {
  'GET /business/leasingDemand/:id': () => ({ params: { id: ids.demand } }),
  'GET /business/leasingDemand/:id/chain': () => ({ params: { id: ids.demand } }),
  'GET /business/leasingDemand/:id/contact': () => ({ params: { id: ids.demand } }),
  'GET /business/leasingDemand/:id/evidence': () => ({ params: { id: ids.demand } }),
  'GET /business/leasingDemand/firstPageList/:id': () => ({ params: { id: ids.demand } }),
  'GET /business/leasingDemand/draft/:id': () => ({ params: { id: ids.draft } }),
  'GET /business/leasingDemand/exportApply': () => ({ queries: [{ id: ids.demand }, { id: ids.judged }] }),
  'GET /business/leasingDemand/firstPageList': () => ({ queries: [{ pageSize: 100 }, { status: '3' }, { keyword: '装载机' }] }),
  'GET /business/leasingApply/demand/:id': () => ({ params: { id: ids.demand } }),
  'GET /business/leasingApply/compare/:demandId': () => ({ params: { demandId: ids.demand } }),
  'GET /business/leasingApply/list': () => ({ queries: [{ demandId: ids.demand }, { demandId: ids.judged }] }),
  'GET /business/leasingApply/demandList': () => ({
    queries: ['recommended', 'near', 'open', 'quoted', 'won', 'lost'].map((scope) => ({ scope, pageSize: 100 })),
  }),
  'GET /business/question/list/:demandId': () => ({ params: { demandId: ids.demand } }),
  'GET /business/blacklist/:id': () => ({ params: { id: ids.blacklist } }),
  'GET /business/contract/machines/:companyId': () => ({
    params: { companyId: cast.lessor.companyId },
    queries: [{ deptId: depts.projectDept }],
  }),
  ...Object.fromEntries(
    ['', '/text', '/chain', '/changes', '/machines', '/evidence', '/evidence/parts'].map((part) => [
      `GET /business/contract/:id${part}`,
      () => ({ params: { id: ids.contract } }),
    ]),
  ),
  'GET /business/contract/tasks/:id': () => ({ params: { id: cast.project.id } }),
  'GET /business/blacklist/machines/:companyId': () => ({ params: { companyId: cast.lessor.companyId } }),
  'GET /business/supplier/firstPageList/:id': () => ({ params: { id: cast.lessor.companyId } }),
  'GET /business/supplier/:id/contact': () => ({ params: { id: cast.lessor.companyId } }),
  'GET /system/company/:id': () => ({ params: { id: cast.lessor.companyId } }),
  'GET /system/company/:id/related': () => ({ params: { id: cast.lessor.companyId } }),
  'GET /system/account/:id': () => ({ params: { id: cast.lessor.id } }),
  'GET /system/user/getUserInfo/:id': () => ({ params: { id: cast.lessor.id } }),
  'GET /business/equipment/firstPageList/:id': () => ({ params: { id: ids.machine } }),
  'GET /business/equipment/firstPageList/:id/market': () => ({ params: { id: ids.machine } }),
  'GET /business/equipment/own/:id': () => ({ params: { id: ids.machine } }),
  'GET /business/equipment/review/:id': () => ({ params: { id: ids.machine } }),
  'GET /business/equipment/compare': () => ({ queries: [{ ids: String(ids.machine) }] }),
  'GET /business/equipment/import/:id': () => ({ params: { id: ids.import } }),
  'GET /business/equipment/import/:id/workbook': () => ({ params: { id: ids.import } }),
  'GET /business/equipment/importTemplate': () => ({ queries: [{ fatherCategoryId: 100 }] }),
  'GET /business/approve/:id': () => ({ params: { id: ids.certification } }),
  'GET /business/approve/documentTemplate': () => ({ queries: [{ kind: 'rentout', document: 'authorization' }] }),
  'GET /business/approve/parentUnits': () => ({ queries: [{ keyword: '华拓建设' }] }),
  'GET /business/feedback/:id': () => ({ params: { id: ids.feedback } }),
  'GET /business/search/understand': () => ({ queries: [{ keyword: '5吨装载机' }] }),
  'GET /business/search/suggest': () => ({ queries: [{ keyword: '装载机' }, { keyword: '恒岳' }] }),
  'GET /business/statistics/report': () => ({ queries: [period] }),
  'GET /business/statistics/groups': () => ({
    queries: ['month', 'unit', 'category', 'region', 'lessor'].map((by) => ({ ...period, by })),
  }),
  'GET /business/statistics/rows': () => ({
    queries: [
      { ...period, pageSize: 100 },
      { ...period, by: 'lessor', key: String(cast.lessor.companyId) },
    ],
  }),
  'GET /business/statistics/export': () => ({ queries: [period] }),
  'GET /system/savedView/list': () => ({ queries: [{ list: 'ownDemand' }] }),
  'GET /auth/refreshPrject/:id': () => ({ params: { id: depts.projectDept } }),
  'GET /file/:id': () => ({ params: { id: ids.file } }),
  'GET /system/dict/data/type/:dictType': () => ({ params: { dictType: 'demand_status' } }),
  'GET /system/auditLog/:seq': () => ({ params: { seq: 1 } }),
  'GET /system/sysInformation/:id': () => ({ params: { id: ids.article } }),
  'GET /system/sysInformation/firstPageList/:id': () => ({ params: { id: ids.article } }),
  'GET /system/notice/firstPageList/:id': () => ({ params: { id: ids.notice } }),
  'GET /system/sysUserMessage/ownMessageInfo/:id': () => ({ params: { id: ids.message } }),
}
const period = { from: '2026-11-01', to: '2026-11-30' }

/** Differences that say nothing about a quote, or that their reader may learn. */
const allowed: { call: string; who?: readonly Who[]; path: RegExp; because: string }[] = [
  { call: 'GET /code', path: /^(data\.)?(uuid|img)$/, because: 'each picture is a new one' },
  { call: 'GET /system/status', path: /^data\.(upSeconds|memoryBytes|files\.freeBytes)$/, because: 'a measure of the process' },
  {
    call: 'GET /business/contract/:id/evidence',
    path: /^[^/]+\/(contract\.pdf|manifest\.sha256)$/,
    because: 'it has a print, which has a number and a time of its own, and the hash of it',
  },
  { call: 'GET /system/sysInformation/firstPageList/:id', path: /^data\.viewCount$/, because: 'it counts its readers' },
  { call: 'GET /system/sysInformation/:id', path: /^data\.viewCount$/, because: 'it counts its readers' },
  { call: 'GET /system/sysInformation/list', path: /^rows\.\d+\.viewCount$/, because: 'it counts its readers' },
  { call: 'GET /system/sysInformation/export', path: /^xl\/worksheets/, because: 'the same numbers in a workbook' },
  { call: 'GET /system/status', path: /^data\.database\./, because: 'a measure of the whole database, which every write moves' },
  { call: 'GET /business/leasingDemand/:id', who: owners, path: /^data\.quoteCount$/, because: 'the number' },
  { call: 'GET /business/leasingDemand/list', who: owners, path: /^rows\.\d+\.quoteCount$/, because: 'the number' },
  { call: 'GET /business/leasingDemand/export', who: owners, path: /^xl\/worksheets/, because: 'the same numbers in a workbook' },
  { call: 'GET /business/leasingApply/list', who: owners, path: /^total$/, because: 'the number' },
  { call: 'GET /business/statistics/report', who: owners, path: /^data\.quotes$/, because: 'the numbers, added up' },
  { call: 'GET /business/statistics/groups', who: owners, path: /^data\.\d+\.quotes$/, because: 'the numbers, added up' },
  { call: 'GET /business/statistics/rows', who: owners, path: /^rows\.\d+\.quoteCount$/, because: 'the number' },
  { call: 'GET /business/statistics/export', who: owners, path: /^xl\/worksheets/, because: 'the same numbers in a workbook' },
]

/** What these record (a look, a read message, their own export) is read by others, so they are not called between two readings of those. */
const recording = [
  '/business/approve/export',
  '/business/blacklist/export',
  '/business/contract/export',
  '/business/equipment/review/export',
  '/business/leasingDemand/export',
  '/business/leasingDemand/exportApply',
  '/business/statistics/export',
  '/system/auditLog/export',
  '/system/company/export',
  '/system/contract/export',
  '/system/sysInformation/export',
  '/system/sysUserMessage/ownMessageInfo/:id',
]
/**
 * These draw a PDF, which takes half a second, from what the calls beside them answer. Each has a number or a time of its own, so no two are alike: what
 * they draw from is read beside them.
 */
const printing = ['GET /business/contract/:id/pdf', 'GET /business/contractChange/:id/pdf']
const gets = api.routes
  .map(({ endpoint }) => endpoint)
  .filter((endpoint) => endpoint.method === 'GET' && !printing.includes(nameOf(endpoint)))
/** The same for everybody, whatever is quoted. */
const forEverybody = ['GET /code', 'GET /business/region/tree']
const records = (endpoint: Endpoint) => 'transaction' in endpoint || recording.includes(endpoint.url)

type Answers = Map<string, unknown>

/** The answers of these calls by call, person and query, of those that are wanted. */
async function readAll(endpoints: readonly Endpoint[], isWanted: (key: string) => boolean): Promise<Answers> {
  await db.deleteFrom('callLimit').execute()
  const answers: Answers = new Map()
  for (const endpoint of endpoints) {
    const { params, queries = [{}] } = inputs[nameOf(endpoint)]?.() ?? {}
    const readAs = async (who: Who) => {
      for (const query of queries) {
        const key = JSON.stringify([nameOf(endpoint), who, query])
        if (!isWanted(key)) continue
        const { http, raw, bytes } = await cast[who].call(endpoint, { params, query })
        const content = Object.keys(raw).length > 0 ? raw : contentOf(bytes)
        answers.set(key, { http, ...content })
      }
    }
    await Promise.all(people.map(readAs))
  }
  return answers
}

/** The parts of an archive or workbook as text, without the time it was packed at; another file whole. */
function contentOf(bytes: Buffer): Record<string, string> {
  if (bytes.subarray(0, 2).toString() !== 'PK') return { bytes: bytes.toString('base64') }
  const parts = Object.entries(unzipSync(new Uint8Array(bytes))).filter(([path]) => path !== 'docProps/core.xml')
  return Object.fromEntries(parts.map(([path, part]) => [path, strFromU8(part)]))
}

function* differences(before: unknown, after: unknown, path = ''): Generator<string> {
  if (JSON.stringify(before) === JSON.stringify(after)) return
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
  if (!isObject(before) || !isObject(after)) {
    yield path
    return
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
    yield* differences(before[key], after[key], path === '' ? key : `${path}.${key}`)
}

const callOf = (key: string) => JSON.parse(key) as [call: string, who: Who]
const isAsked = (key: string) => {
  const [call, who] = callOf(key)
  return who === 'visitor' || !forEverybody.includes(call)
}
const isOther = (key: string) => callOf(key)[1] !== 'lessor' && isAsked(key)
/** A pack has a print as well, and that of its owner says more than those of the colleagues. */
const isPackRead = (key: string) => {
  const [call, who] = callOf(key)
  return call !== 'GET /business/contract/:id/evidence' || !['lessee', 'lessor', 'auditor'].includes(who)
}
/** Another one of their kind reads no less: these read once what a new quote changes. */
const isFirstOfKind = (key: string) => !['lapsed', 'clerk', 'newcomer', 'strangerAdmin', 'otherAuditor'].includes(callOf(key)[1])

/** What somebody other than the lessor reads differently, and may not. */
function leaks(before: Answers, after: Answers): string[] {
  return [...after].flatMap(([key, answer]) => {
    const [call, who] = callOf(key)
    return [...differences(before.get(key), answer)]
      .filter((path) => !allowed.some((one) => one.call === call && (one.who?.includes(who) ?? true) && one.path.test(path)))
      .map((path) => `${call} as ${who}: ${path}`)
  })
}

beforeAll(async () => {
  ids.machine = await world.givenMachine(cast.lessor.companyId)
  const other = await world.givenMachine(cast.lessor2.companyId)
  const at = { createTime: monday, updateTime: monday }
  const judged = await world.givenDemand()
  ids.judged = judged.id
  await world.givenQuote(cast.lessor, judged, [ids.machine])
  await world.givenQuote(cast.lessor2, judged, [other])
  world.passDeadline()
  await openDueDemands(services)
  world.clock.set(monday)
  const { project } = cast
  ids.file = await givenFile(world, project)
  const save = api.routes.find(({ endpoint }) => nameOf(endpoint) === 'POST /business/leasingDemand/draft')?.endpoint as Endpoint
  ids.draft = ((await project.call(save, { body: { deptId: depts.projectDept, form: {} } })).data as { id: number }).id
  const inserted = async (query: { executeTakeFirstOrThrow: () => Promise<{ id: number }> }) => (await query.executeTakeFirstOrThrow()).id
  ids.article = await inserted(
    db.insertInto('article').values({ tab: '1', title: '资讯', content: '…', status: '1', publishTime: monday }).returning('id'),
  )
  ids.notice = await inserted(
    db
      .insertInto('article')
      .values({ tab: articleTab.notices, title: '公告', content: '…', status: '1', publishTime: monday })
      .returning('id'),
  )
  ids.feedback = await inserted(
    db
      .insertInto('feedback')
      .values({ feedbackCode: 'FK1', accountId: project.id, type: 'other', title: '看不到', content: '反馈', ...at })
      .returning('id'),
  )
  ids.certification = await inserted(
    db
      .insertInto('certification')
      .values({ accountId: cast.newcomer.id, kind: 'rentout', status: '1', name: '别家租赁有限公司', submittedAt: monday, ...at })
      .returning('id'),
  )
  ids.import = await inserted(
    db
      .insertInto('equipmentImport')
      .values({
        companyId: cast.lessor2.companyId,
        accountId: cast.lessor2.id,
        fatherCategoryId: 100,
        fileName: 'a.xlsx',
        createTime: monday,
      })
      .returning('id'),
  )
  ids.blacklist = await inserted(
    db
      .insertInto('blacklist')
      .values({
        blacklistCode: 'HM1',
        subjectKind: 'company',
        companyId: cast.lessor.companyId,
        level: 1,
        scopeDeptId: depts.projectDept,
        reasonCode: 'quit',
        facts: '事实'.repeat(30),
        fromDay: '2026-11-23',
        toDay: '2027-11-23',
        proposerId: project.id,
        ...at,
      })
      .returning('id'),
  )
  await db
    .insertInto('cancellation')
    .values({ accountId: cast.lessor.id, reason: '不再使用', status: '2', requestedAt: monday, dueAt: monday })
    .execute()
  await givenDirectContract()
  await db.insertInto('auditLog').values({ at: monday, who: 'x', action: 'category.edit', bizType: 'category', bizId: '1' }).execute()
})

/** A contract between the owner and the lessor who will quote, which was agreed elsewhere, with an amendment that waits. */
async function givenDirectContract() {
  const machine = await world.givenMachine(cast.lessor.companyId)
  const { data, msg } = await cast.project.call(createDirectContract, {
    body: {
      deptId: depts.projectDept,
      lessorCompanyId: cast.lessor.companyId,
      title: '直接登记的装载机合同',
      provinceId: 510_000,
      cityId: 510_100,
      address: '成都市青羊区',
      lines: [{ equipmentId: machine, planStart: '2026-12-01', planEnd: '2027-03-01', rentUnit: 'M', unitPrice: '16000' }],
    },
  })
  if (!data?.id) throw new Error(msg)
  ids.contract = data.id
  for (const step of [await send(cast.project, data.id), await confirm(cast.lessor, data.id)])
    if (step.code !== 200) throw new Error(step.msg)
  const proposed = await propose(cast.lessor, data.id, { kind: 'terminate', lastDay: '2027-01-31' })
  if (proposed.code !== 200) throw new Error(proposed.msg)
}

describe('nobody but its lessor reads anything that changes with a sealed quote', () => {
  let before: Answers
  let recordedBefore: Answers
  const [recorders, readers] = [gets.filter(records), gets.filter((endpoint) => !records(endpoint))]
  let demand: Awaited<ReturnType<typeof world.givenDemand>>
  let quote = 0

  beforeAll(async () => {
    demand = await world.givenDemand()
    ids.demand = demand.id
    await world.givenQuote(cast.lessor2, demand, [await world.givenMachine(cast.lessor2.companyId)])
    // The owner reads it below, so the muted message of the next quote does not take its place.
    const received = db.selectFrom('message').where('accountId', '=', cast.project.id).where('kind', '=', 'quoteReceived')
    ids.message = (await received.where('bizId', '=', String(demand.id)).select('id').executeTakeFirstOrThrow()).id
    // What the messages to the owner say is tested below.
    await cast.project.call(saveMessageConfig, {
      body: [{ systemSubject: '报价提交通知', inApp: '0', push: '0', sms: '0', quietFrom: '', quietTo: '' }],
    })
    const contact = { contactName: '郑样本', contactPhone: '14400000003' }
    await db.updateTable('company').set(contact).where('id', '=', cast.lessor.companyId).execute()
    recordedBefore = await readAll(recorders, isPackRead)
    before = await readAll(readers, isAsked)
  })

  test('every call without a body is read by somebody', () => {
    const read = new Set([...recordedBefore, ...before].filter(([, answer]) => isAnswered(answer)).map(([key]) => callOf(key)[0]))
    // Those that nobody may read before the opening, and one that signs in anew and ends the session.
    const closed = [
      'GET /auth/refreshPrject/:id',
      'GET /business/leasingDemand/:id/evidence',
      'GET /business/leasingApply/compare/:demandId',
    ]
    expect(gets.map(nameOf).filter((call) => !read.has(call) && !closed.includes(call))).toEqual([])
  })
  const isAnswered = (answer: unknown) => {
    const { http, code = 200 } = answer as { http: number; code?: number }
    return http === 200 && code === 200
  }

  test('when it is made', async () => {
    quote = (await world.givenQuote(cast.lessor, demand, [ids.machine], { unitPrice: 17_000 })).id
    expect(leaks(before, await readAll(readers, isOther))).toEqual([])
  })

  /** Whoever is refused for what they are is refused before anything is read: with the quote and, seen once, without it. */
  const isRead = (key: string) => isOther(key) && isFirstOfKind(key) && !isForbidden(before.get(key))
  const isForbidden = (answer: unknown) => (answer as { code?: number }).code === 403

  test('when it is changed', async () => {
    const body = { ...world.quoteBody(demand, [ids.machine], { unitPrice: 16_500, deviation: '改' }), id: quote, version: 1 }
    expect((await cast.lessor.call(quoteContract.changeQuote, { body })).code).toBe(200)
    expect(leaks(before, await readAll(readers, isRead))).toEqual([])
  })

  test('when it is withdrawn', async () => {
    expect((await cast.lessor.call(quoteContract.withdrawQuote, { params: { id: quote } })).code).toBe(200)
    expect(leaks(before, await readAll(readers, isRead))).toEqual([])
  })

  test('and in what leaves a record', async () => {
    const recorded = await readAll(recorders, (key) => isOther(key) && isPackRead(key))
    // The export of the audit log names each export, this one included.
    expect(leaks(recordedBefore, recorded).filter((leak) => !leak.startsWith('GET /system/auditLog/export'))).toEqual([])
  })
})
