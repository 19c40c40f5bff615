import { strFromU8, unzipSync } from 'fflate'
import { afterAll, describe, expect, test } from 'vitest'
import { roles } from '#shared/account/rules.ts'
import { permissionsFor, permissionsOf } from '#shared/account/permissions.ts'
import { saveCeiling } from '#shared/ceiling/contract.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { saveView } from '#shared/saved-view/contract.ts'
import { nameOf as name, roleKey } from '#test/endpoints.ts'
import { getContract } from '#shared/contract/contract.ts'
import { proposeContractChange } from '#shared/contract/changes.ts'
import { contractRows, contractStrangers, isContractCall, isTheirs } from '#test/contract-rows.ts'
import { contractSteps, editing } from '#test/given-contract.ts'
import { monday, openWorld } from '#test/world.ts'
import { openDueDemands } from './opening/due.ts'

const world = await openWorld()
const { cast, api, db } = world
afterAll(() => world.close())

const endpoints = api.routes.map(({ endpoint }) => endpoint)

/**
 * An object for each call with an id in its path, and who must not learn that it exists. A call that is not in this table fails the test.
 * `id` creates the object, or names one that several calls share. Calls of the platform's own people need no row.
 */
const strangersOf: Record<
  string,
  { id: () => number | string | Promise<number>; strangers: readonly (keyof typeof cast)[]; body?: object }
> = {
  'GET /business/leasingDemand/:id': { id: () => owned.demand, strangers: ['stranger', 'otherProject'] },
  'PUT /business/leasingDemand/:id/cancel': {
    id: () => owned.demand,
    strangers: ['stranger', 'otherProject'],
    body: { reason: '不是我的' },
  },
  'PUT /business/leasingDemand/:id/fail': { id: () => owned.demand, strangers: ['stranger', 'otherProject'], body: { reason: '不是我的' } },
  'PUT /business/leasingDemand/:id/open': { id: () => owned.demand, strangers: ['stranger', 'otherProject'] },
  'PUT /business/leasingDemand/:id/award': {
    id: () => owned.judged,
    strangers: ['stranger', 'otherProject'],
    body: { lines: [{ demandItemId: 1, quoteLineId: 1, qty: 1 }] },
  },
  'PUT /business/leasingDemand/:id/approve': { id: () => owned.demand, strangers: ['strangerAdmin'] },
  'PUT /business/leasingDemand/:id/reject': { id: () => owned.demand, strangers: ['strangerAdmin'], body: { reason: '不是我的' } },
  'PUT /business/leasingDemand/:id/extend': {
    id: () => owned.demand,
    strangers: ['stranger', 'otherProject'],
    body: { quoteDeadline: '2026-12-20 10:00:00', reason: '不是我的' },
  },
  'PUT /business/leasingDemand/:id/award/approve': { id: () => owned.judged, strangers: ['strangerAdmin'] },
  'PUT /business/leasingDemand/:id/award/reject': { id: () => owned.judged, strangers: ['strangerAdmin'], body: { reason: '不是我的' } },
  'PUT /business/leasingApply/:id/giveUp': { id: () => owned.quote, strangers: ['lessor2'], body: { reason: '不是我的' } },
  'PUT /business/leasingApply/:id/confirm': { id: () => owned.quote, strangers: ['lessor2'], body: { version: 1 } },
  ...contractRows(() => owned),
  'GET /business/question/list/:demandId': { id: () => owned.invited, strangers: ['visitor', 'newcomer', 'stranger', 'lessor2'] },
  'PUT /business/question/:id/answer': { id: () => owned.question, strangers: ['stranger', 'otherProject'], body: { answer: '不是我的' } },
  'GET /business/leasingDemand/:id/contact': { id: () => owned.invited, strangers: ['stranger', 'lessor2'] },
  'GET /business/leasingDemand/firstPageList/:id': { id: () => owned.invited, strangers: ['visitor', 'newcomer', 'stranger', 'lessor2'] },
  'GET /business/leasingDemand/draft/:id': { id: () => owned.draft, strangers: ['stranger', 'otherProject'] },
  'DELETE /business/leasingDemand/draft/:id': { id: () => owned.draft, strangers: ['stranger', 'otherProject'] },
  'GET /business/leasingApply/demand/:id': { id: () => owned.invited, strangers: ['lessor2'] },
  'PUT /business/leasingApply/:id/withdraw': { id: () => owned.quote, strangers: ['lessor2'] },
  'GET /business/leasingApply/compare/:demandId': { id: () => owned.judged, strangers: ['stranger', 'otherProject'] },
  'PUT /business/equipment/:id/shelf': { id: () => owned.machine, strangers: ['lessor2'], body: { shelfStatus: '0' } },
  'DELETE /business/internal/:id': { id: () => owned.internal, strangers: ['strangerAdmin'] },
  'PUT /business/internal/transfer/:id/agree': { id: () => owned.transfer, strangers: ['strangerAdmin'] },
  'PUT /business/internal/transfer/:id/refuse': { id: () => owned.transfer, strangers: ['strangerAdmin'], body: { reason: '不是我的' } },
  'PUT /business/internal/transfer/:id/receive': { id: () => owned.transfer, strangers: ['stranger', 'strangerAdmin'] },
  'PUT /business/internal/transfer/:id/withdraw': { id: () => owned.transfer, strangers: ['stranger', 'strangerAdmin'] },
  'DELETE /business/ceiling/:id': {
    id: async () => {
      const ceiling = { deptId: world.depts.root, categoryId: 701, rentUnit: 'M', price: 1, fromDay: '2026-01-01' }
      return (await cast.lessee.call(saveCeiling, { body: ceiling })).data.id
    },
    strangers: ['strangerAdmin'],
  },
  'GET /business/blacklist/:id': { id: () => owned.blacklist, strangers: ['stranger', 'strangerAdmin', 'lessor', 'lessor2'] },
  ...Object.fromEntries(
    ['notify', 'withdraw', 'decide', 'emergency', 'decideAppeal', 'lift', 'answer', 'appeal'].map((move) => [
      `PUT /business/blacklist/:id/${move}`,
      {
        id: () => owned.blacklist,
        strangers: ['stranger', 'strangerAdmin', 'lessor2'] as const,
        body: { note: '不是我的', effective: true, upheld: true, answer: '不是我的', content: '这不是我公司的条目，请核对' },
      },
    ]),
  ),
  'GET /business/contract/machines/:companyId': {
    id: () => cast.lapsed.companyId,
    strangers: ['project', 'lessor', 'lessor2', 'operator', 'newcomer', 'visitor'],
  },
  'GET /business/blacklist/machines/:companyId': { id: () => cast.lessor.companyId, strangers: ['lessor', 'lessor2', 'visitor'] },
  'GET /business/equipment/own/:id': { id: () => owned.machine, strangers: ['lessor2'] },
  'PUT /business/equipment/:id/withdraw': { id: () => owned.machine, strangers: ['lessor2'] },
  'DELETE /business/equipment/:id': { id: () => owned.machine, strangers: ['lessor2'] },
  'PUT /business/equipment/:id/retire': { id: () => owned.machine, strangers: ['lessor2'] },
  'POST /business/equipment/:id/block': {
    id: () => owned.machine,
    strangers: ['lessor2'],
    body: { from: '2026-12-01', to: '2026-12-02', reason: 'own' },
  },
  'DELETE /business/equipment/:id/block/:blockId': { id: () => owned.machine, strangers: ['lessor2'] },
  'GET /business/equipment/review/:id': { id: () => owned.draftMachine, strangers: ['lessor2', 'operator'] },
  'PUT /business/equipment/:id/pass': { id: () => owned.machine, strangers: ['lessor', 'lessor2'], body: { version: 1 } },
  'PUT /business/equipment/:id/reject': {
    id: () => owned.machine,
    strangers: ['lessor', 'lessor2'],
    body: { version: 1, reason: '不是我的' },
  },
  'GET /business/equipment/import/:id': { id: () => owned.import, strangers: ['lessor2'] },
  'PUT /business/equipment/import/:id/rows': { id: () => owned.import, strangers: ['lessor2'], body: { rows: [] } },
  'PUT /business/equipment/import/:id/accept': { id: () => owned.import, strangers: ['lessor2'] },
  'PUT /business/equipment/import/:id/undo': { id: () => owned.import, strangers: ['lessor2'] },
  'GET /business/equipment/import/:id/workbook': { id: () => owned.import, strangers: ['lessor2'] },
  'POST /file/:id/turn': { id: () => owned.file, strangers: ['stranger', 'lessor', 'operator'] },
  'GET /business/equipment/firstPageList/:id': { id: () => owned.hidden, strangers: ['visitor', 'lessor', 'lessor2'] },
  'GET /business/equipment/firstPageList/:id/market': { id: () => owned.hidden, strangers: ['visitor', 'lessor', 'lessor2'] },
  'GET /business/supplier/firstPageList/:id': { id: () => cast.lapsed.companyId, strangers: ['visitor', 'lessor'] },
  'GET /system/sysUserMessage/ownMessageInfo/:id': { id: () => owned.message, strangers: ['stranger', 'lessor2', 'operator'] },
  'DELETE /system/sysUserMessage/delete/:id': { id: () => owned.message, strangers: ['stranger', 'lessor2', 'operator'] },
  'GET /file/:id': { id: () => owned.file, strangers: ['visitor', 'stranger', 'lessor', 'operator'] },
  'GET /system/notice/firstPageList/:id': { id: () => owned.article, strangers: ['visitor', 'operator'] },
  'GET /auth/refreshPrject/:id': { id: () => world.depts.strangerDept, strangers: ['project', 'lessee', 'lessor', 'newcomer', 'operator'] },
  'DELETE /auth/sessions/:id': { id: () => owned.session, strangers: ['stranger', 'lessor', 'newcomer', 'operator'] },
  'PUT /business/approve/:id/withdraw': { id: () => owned.certification, strangers: ['lessor', 'stranger', 'operator', 'lessee'] },
  'GET /business/approve/:id': { id: () => owned.certification, strangers: ['lessee'] },
  'PUT /business/approve/:id/pass': { id: () => owned.certification, strangers: ['lessee'], body: { version: 1 } },
  'PUT /business/approve/:id/reject': {
    id: () => owned.certification,
    strangers: ['lessee'],
    body: { version: 1, reason: '不是我的', fields: [], documents: [] },
  },
  'PUT /business/approve/:id/revoke': { id: () => owned.certification, strangers: ['lessee'], body: { reason: '不是我的' } },
  'PUT /system/dept/:id/status': { id: () => world.depts.strangerDept, strangers: ['lessee'], body: { status: '1' } },
  'DELETE /system/dept/:id': { id: () => world.depts.strangerDept, strangers: ['lessee'] },
  'GET /system/user/getUserInfo/:id': { id: () => cast.project.id, strangers: ['lessor', 'lessor2'] },
  'DELETE /system/user/delete/:id': { id: () => cast.project.id, strangers: ['lessor', 'lessor2'] },
  'GET /business/contract/tasks/:id': { id: () => cast.project.id, strangers: ['lessor', 'lessor2', 'strangerAdmin'] },
  'PUT /business/contract/tasks/:id': {
    id: () => cast.project.id,
    strangers: ['lessor', 'lessor2', 'strangerAdmin'],
    body: { toAccountId: 1 },
  },
  'GET /business/feedback/:id': { id: () => owned.feedback, strangers: ['stranger', 'lessor', 'newcomer', 'lessee'] },
  'POST /business/feedback/:id/reply': {
    id: () => owned.feedback,
    strangers: ['stranger', 'lessor', 'operator'],
    body: { content: '不是我的' },
  },
  'POST /business/feedback/:id/answer': { id: () => owned.feedback, strangers: ['project', 'lessor'], body: { content: '不是我的' } },
  'PUT /business/feedback/:id/close': { id: () => owned.feedback, strangers: ['stranger', 'operator'], body: { satisfaction: null } },
  'PUT /business/savedSearch/:id': { id: () => owned.savedSearch, strangers: ['stranger', 'lessor', 'operator'], body: { alert: false } },
  'DELETE /system/savedView/:id': {
    id: async () => (await cast.project.call(saveView, { body: { list: 'ownDemand', name: '待定标', query: 'status=4' } })).data.id,
    strangers: ['stranger', 'lessor', 'operator'],
  },
  'DELETE /business/savedSearch/:id': { id: () => owned.savedSearch, strangers: ['stranger', 'lessor', 'operator'] },
  'GET /business/supplier/:id/contact': { id: () => cast.lapsed.companyId, strangers: ['project', 'lessor'] },
  'GET /system/sysInformation/firstPageList/:id': { id: () => owned.article, strangers: ['visitor', 'operator'] },
  'GET /business/leasingDemand/:id/chain': { id: () => owned.judged, strangers: ['newcomer', 'stranger', 'otherProject', 'lessor2'] },
  'GET /business/leasingDemand/:id/evidence': { id: () => owned.judged, strangers: ['stranger', 'otherProject', 'lessor'] },
  'GET /system/auditLog/:seq': { id: () => owned.audit, strangers: ['auditor', 'lessor', 'lessee'] },
}

/** All that stands in a workbook. */
const wordsOf = (workbook: Uint8Array): string =>
  Object.values(unzipSync(workbook))
    .map((file) => strFromU8(file))
    .join('')

/** Whether the platform's own people alone may make a call, by one of their duties; an auditor may not. */
function platformOnly({ access }: Endpoint): boolean {
  if (access === 'public' || access === 'account' || permissionsFor('operator', [], false).includes(access)) return false
  return roles.every((role) => permissionsOf[role].includes(access) === (role === 'operator'))
}

/** The bodies of the calls of contracts that name the contract of somebody else outside of their path. */
const collectionBodies: Record<string, () => Promise<object>> = {
  'PUT /business/contract': async () => {
    const { data } = await cast.project.call(getContract, { params: { id: owned.contract } })
    return editing(data)
  },
}

const owned = {
  certification: 0,
  audit: 0,
  feedback: 0,
  savedSearch: 0,
  session: 0,
  demand: 0,
  invited: 0,
  judged: 0,
  contract: 0,
  contractChange: 0,
  contractDemand: 0,
  draft: 0,
  quote: 0,
  question: 0,
  machine: 0,
  draftMachine: 0,
  blacklist: 0,
  internal: 0,
  transfer: 0,
  import: 0,
  hidden: 0,
  message: 0,
  file: '',
  article: 0,
}

describe('[S6.2] every object of somebody else is not there', async () => {
  owned.machine = await world.givenMachine(cast.lessor.companyId)
  owned.hidden = await world.givenMachine(cast.lessor.companyId, { shelfStatus: '0' })
  owned.draftMachine = await world.givenMachine(cast.lessor.companyId, { shelfStatus: '0' })
  await db.updateTable('equipment').set({ auditStatus: '0' }).where('id', '=', owned.draftMachine).execute()
  owned.import = (
    await db
      .insertInto('equipmentImport')
      .values({
        companyId: cast.lessor.companyId,
        accountId: cast.lessor.id,
        fatherCategoryId: 100,
        fileName: 'a.xlsx',
        createTime: monday,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
  const idle = {
    fatherCategoryId: 700,
    categoryId: 701,
    provinceId: 510_000,
    cityId: 510_100,
    freeFrom: '2026-11-23',
    freeTo: '2027-11-23',
  }
  owned.internal = (
    await db
      .insertInto('internalMachine')
      .values({ ...idle, deptId: world.depts.otherDept, accountId: cast.lessee.id, name: '盾构机', createTime: monday, updateTime: monday })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
  owned.transfer = (
    await db
      .insertInto('internalTransfer')
      .values({
        transferCode: 'DB1',
        internalMachineId: owned.internal,
        fromDeptId: world.depts.otherDept,
        toDeptId: world.depts.projectDept,
        period: '[2026-12-01,2027-01-01)',
        accountId: cast.project.id,
        createTime: monday,
        updateTime: monday,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
  owned.blacklist = (
    await db
      .insertInto('blacklist')
      .values({
        blacklistCode: 'HM1',
        subjectKind: 'company',
        companyId: cast.lessor.companyId,
        level: 2,
        scopeDeptId: world.depts.projectDept,
        reasonCode: 'quit',
        facts: '事实'.repeat(30),
        fromDay: '2026-11-23',
        toDay: '2027-11-23',
        proposerId: cast.project.id,
        createTime: monday,
        updateTime: monday,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
  const judged = await world.givenDemand()
  await world.givenQuote(cast.lessor, judged, [owned.machine])
  owned.judged = judged.id
  world.passDeadline()
  await openDueDemands(world.services)
  world.clock.set(monday)
  owned.demand = (await world.givenDemand()).id
  const invited = await world.givenDemand({ demandType: '2', invitedCompanyIds: [cast.lessor.companyId] })
  owned.invited = invited.id
  owned.quote = (await world.givenQuote(cast.lessor, invited, [owned.machine])).id
  owned.question = (
    await db
      .insertInto('demandQuestion')
      .values({
        demandId: owned.invited,
        companyId: cast.lessor.companyId,
        accountId: cast.lessor.id,
        content: '几时进场',
        askTime: monday,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
  const save = endpoints.find(({ url, method }) => url === '/business/leasingDemand/draft' && method === 'POST') as Endpoint
  owned.draft = ((await cast.project.call(save, { body: { deptId: world.depts.projectDept, form: {} } })).data as { id: number }).id
  owned.message = (await db.selectFrom('message').where('accountId', '=', cast.project.id).select('id').executeTakeFirstOrThrow()).id
  const at = { createTime: monday, updateTime: monday }
  owned.certification = (
    await db
      .insertInto('certification')
      .values({ accountId: cast.newcomer.id, kind: 'rentout', status: '1', name: '别家租赁有限公司', submittedAt: monday, ...at })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
  owned.feedback = (
    await db
      .insertInto('feedback')
      .values({ feedbackCode: 'FK1', accountId: cast.project.id, type: 'other', title: '看不到', content: '别人的反馈', ...at })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
  owned.savedSearch = (
    await db
      .insertInto('savedSearch')
      .values({ accountId: cast.project.id, list: 'demand', name: '塔吊', query: '', checkedAt: monday, createTime: monday })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
  owned.session = (await db.selectFrom('session').where('accountId', '=', cast.project.id).select('id').executeTakeFirstOrThrow()).id
  owned.article = (
    await db
      .insertInto('article')
      .values({ tab: '1', title: '未发布', content: '…', status: '0', publishTime: monday })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
  owned.file = (
    await db
      .insertInto('file')
      .values({
        name: 'a.pdf',
        size: 1,
        mime: 'application/pdf',
        sha256: Buffer.alloc(32),
        access: 'owner',
        accountId: cast.project.id,
        companyId: cast.project.companyId,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

  const given = await contractSteps(world).givenContract()
  owned.contract = given.id
  const contract = await db.selectFrom('contract').where('id', '=', given.id).select('contractCode').executeTakeFirstOrThrow()
  owned.contractDemand = given.demand.id
  const change = { fromDay: '2026-12-01', reason: '工程提前', terms: { kind: 'terminate', lastDay: '2026-12-01' } }
  owned.contractChange = (await cast.project.call(proposeContractChange, { params: { id: owned.contract }, body: change })).data.id
  world.clock.set(monday)

  // Something that was done about nobody's organisation in particular.
  await db
    .insertInto('auditLog')
    .values({ at: monday, who: 'operator', action: 'category.edit', bizType: 'category', bizId: '1' })
    .execute()
  owned.audit = 1

  const objectCalls = endpoints.filter(({ url }) => url.includes(':') && !url.includes(':dictType'))
  const params = (id: string) => ({ id, demandId: id, companyId: id, seq: id, blockId: '00000000-0000-4000-8000-000000000000' })
  test('the table knows every object call', () => {
    expect(objectCalls.filter((call) => !(name(call) in strangersOf) && !platformOnly(call)).map(name)).toEqual([])
  })
  const strangersTo = (endpoint: Endpoint): (keyof typeof cast)[] => {
    const ofRow = strangersOf[name(endpoint)]?.strangers ?? []
    const ofContracts = isContractCall(endpoint) ? contractStrangers.filter((who) => !isTheirs(endpoint, who)) : []
    return [...new Set([...ofRow, ...ofContracts])]
  }
  test.each(objectCalls.flatMap((endpoint) => strangersTo(endpoint).map((who) => [name(endpoint), who, endpoint] as const)))(
    '%s of somebody else as %s: 404',
    async (call, who, endpoint) => {
      const row = strangersOf[call]
      const answer = await cast[who].call(endpoint, { params: params(String(await row?.id())), body: row?.body })
      expect([401, 403, 404]).toContain(answer.code)
      // Who may make the call at all must not learn that the object exists.
      const { access } = endpoint
      const permitted =
        access === 'public' ||
        (who in roleKey && access !== 'account' && permissionsOf[roleKey[who as keyof typeof roleKey]].includes(access))
      if (permitted) expect(answer.code).toBe(404)
    },
  )
  test('every call of contracts with an id in its path is asked for by all kinds of strangers', () => {
    const calls = objectCalls.filter(isContractCall)
    expect(calls.length).toBeGreaterThan(30)
    expect(calls.filter((call) => !(name(call) in strangersOf)).map(name)).toEqual([])
    for (const call of calls)
      for (const who of contractStrangers) expect(strangersTo(call).includes(who) || isTheirs(call, who), `${name(call)} ${who}`).toBe(true)
  })
  test.each(
    objectCalls.filter((call) => isContractCall(call) && isTheirs(call, 'auditor')).map((endpoint) => [name(endpoint), endpoint] as const),
  )('an auditor of the lessee reads %s', async (call, endpoint) => {
    const answer = await cast.auditor.call(endpoint, { params: params(String(await strangersOf[call]?.id())) })
    expect(answer.http).toBe(200)
    if (endpoint.form !== 'file') expect(answer.code).toBe(200)
  })
  test.each(
    endpoints
      .filter((endpoint) => isContractCall(endpoint) && !endpoint.url.includes(':'))
      .flatMap((endpoint) => contractStrangers.map((who) => [name(endpoint), who, endpoint] as const)),
  )('%s shows and changes nothing of others for %s', async (call, who, endpoint) => {
    const body = await collectionBodies[call]?.()
    const answer = await cast[who].call(endpoint, { body, query: { pageSize: 100 } })
    const role = who in roleKey ? permissionsOf[roleKey[who as keyof typeof roleKey]] : []
    if (!role.some((permission) => permission === endpoint.access)) expect(answer.code).toBe(403)
    else if (body) expect(answer.code).toBe(404)
    // What it writes is their own, so without a body nothing happens.
    else if (endpoint.method !== 'GET') expect([400, 403, 422]).toContain(answer.code)
    else if (!isTheirs(endpoint, who)) {
      if (endpoint.form === 'list') expect(answer.data).toEqual({ total: 0, rows: [] })
      else if (endpoint.form === 'data') expect(Object.values(answer.data as object)).toEqual([])
      else expect(wordsOf(answer.bytes)).not.toContain(contract.contractCode)
    }
  })
  test.each(
    objectCalls
      .filter(platformOnly)
      .flatMap((endpoint) =>
        (['newcomer', 'lessee', 'project', 'lessor', 'auditor', 'clerk'] as const).map((who) => [name(endpoint), who, endpoint] as const),
      ),
  )('%s is for the platform’s own people with the duty; %s is refused', async (_, who, endpoint) => {
    expect((await cast[who].call(endpoint, { params: params('1'), body: {} })).code).toBe(403)
  })
  test('[S6.2] lists hold only what is in scope', async () => {
    const list = endpoints.find(({ url }) => url === '/business/leasingDemand/list') as Endpoint
    const ids = async (who: 'project' | 'otherProject' | 'stranger' | 'lessee' | 'operator') =>
      ((await cast[who].call(list, { query: { pageSize: 100 } })).data as { rows: { id: number }[] }).rows.map(({ id }) => id)
    expect(await ids('stranger')).toEqual([])
    expect(await ids('otherProject')).toEqual([])
    for (const who of ['project', 'lessee', 'operator'] as const)
      expect((await ids(who)).toSorted()).toEqual([owned.demand, owned.invited, owned.judged, owned.contractDemand].toSorted())
  })
})

test('[S6.2] forged, expired and foreign tokens are refused', async () => {
  for (const token of ['x', '../..', 'a'.repeat(5000), 'eyJhbGciOiJub25lIn0.e30.', `${cast.project.token}x`])
    expect((await world.caller(token)(endpoints.find(({ url }) => url === '/system/user/foregroundGetInfo') as Endpoint, {})).code).toBe(
      401,
    )
})
