import { strFromU8, unzipSync } from 'fflate'
import { afterAll, describe, expect, test } from 'vitest'
import { roles } from '#shared/account/rules.ts'
import { permissionsFor, permissionsOf } from '#shared/account/permissions.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { nameOf as name, roleKey } from '#test/endpoints.ts'
import { getContract } from '#shared/contract/contract.ts'
import { proposeContractChange } from '#shared/contract/changes.ts'
import { contractStrangers, isContractCall, isTheirs } from '#test/contract-rows.ts'
import { contractSteps, editing } from '#test/given-contract.ts'
import { noObjects, objectRows } from '#test/object-rows.ts'
import { monday, openWorld } from '#test/world.ts'
import { openDueDemands } from './opening/due.ts'

const world = await openWorld()
const { cast, api, db } = world
afterAll(() => world.close())

const endpoints = api.routes.map(({ endpoint }) => endpoint)

const owned = noObjects()
/** A call that is not in this table fails the test. */
const strangersOf = objectRows(world, owned)

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
  const ofStrangers = objectCalls.filter((endpoint) => strangersTo(endpoint).length > 0)
  test.each(ofStrangers.map((endpoint) => [name(endpoint), endpoint] as const))('%s of somebody else: 404', async (call, endpoint) => {
    const row = strangersOf[call]
    const { access } = endpoint
    for (const who of strangersTo(endpoint)) {
      const answer = await cast[who].call(endpoint, { params: params(String(await row?.id())), body: row?.body })
      expect.soft([401, 403, 404], who).toContain(answer.code)
      // Who may make the call at all must not learn that the object exists.
      const permitted =
        access === 'public' ||
        (who in roleKey && access !== 'account' && permissionsOf[roleKey[who as keyof typeof roleKey]].includes(access))
      if (permitted) expect.soft(answer.code, who).toBe(404)
    }
  })
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
  test.each(objectCalls.filter(platformOnly).map((endpoint) => [name(endpoint), endpoint] as const))(
    '%s is for the platform’s own people with the duty',
    async (_, endpoint) => {
      for (const who of ['newcomer', 'lessee', 'project', 'lessor', 'auditor', 'clerk'] as const)
        expect.soft((await cast[who].call(endpoint, { params: params('1'), body: {} })).code, who).toBe(403)
    },
  )
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
