import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import * as cancellations from '#shared/account/cancellation.ts'
import { getUserInfo, webLogin } from '#shared/account/contract.ts'
import * as contract from '#shared/account/manage.ts'
import { operatorDuties } from '#shared/account/rules.ts'
import { pickAuditedCompanies, pickCompanies } from '#shared/broadcast/contract.ts'
import * as companies from '#shared/company/manage.ts'
import { getLessor, listLessors } from '#shared/company/contract.ts'
import { listPublicEquipment } from '#shared/equipment/contract.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { suggest } from '#shared/search/contract.ts'
import { getOverview } from '#shared/system/contract.ts'
import { listOwnDemands } from '#shared/demand/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { whileChanging, whileHeld } from '#test/held-rows.ts'
import { runMigration } from '#test/run-migration.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld, password, passwordHash, type Person } from '#test/world.ts'
import { finishCancellations } from './cancellation.ts'
import { insertSession, replaceSession } from './sessions.ts'

const world = await openWorld({ sockets: true })
const { cast, db, clock, letters, services } = world
let origin = ''
beforeAll(async () => {
  await world.server.listen({ port: 0, host: '127.0.0.1' })
  origin = `ws://127.0.0.1:${(world.server.server.address() as AddressInfo).port}`
})
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const reason = '例行核查'
const again = async (person: Person) => {
  person.token = await insertSession(
    { db, now: new Date(monday.getTime() + 30 * 86_400_000), address: '', agent: '' },
    { accountId: person.id },
  )
  return world.caller(person.token)
}

describe('accounts', () => {
  test('are found by name, sign-in name, company and whole number; numbers are masked', async () => {
    const find = async (query: object) => (await cast.operator.call(contract.listAccounts, { query })).data
    const { phonenumber } = await db.selectFrom('account').where('id', '=', cast.lessor.id).select('phonenumber').executeTakeFirstOrThrow()
    expect((await find({ keyword: 'LESSOR2' })).rows).toMatchObject([{ userName: 'lessor2', userType: '4' }])
    expect((await find({ keyword: phonenumber })).rows).toMatchObject([
      { userName: 'lessor', phonenumber: expect.stringMatching(/^144\*{4}\d{4}$/) as string },
    ])
    expect((await find({ keyword: String(phonenumber).slice(0, 8) })).total).toBe(0)
    expect((await find({ userType: '8' })).rows).toMatchObject([{ userName: 'otherauditor' }, { userName: 'auditor' }])
    expect((await find({ companyId: cast.lessor.companyId })).total).toBe(2)
    expect((await find({ keyword: '%' })).total).toBe(0)
    const one = await cast.operator.call(contract.getAccount, { params: { id: cast.lessor.id } })
    expect(one.data.phonenumber).toContain('****')
    expect(one.data.sessions.length).toBe(1)
  })

  test('locking signs every open page out at once, and keeps the person out; unlocking lets them in', async () => {
    const socket = new WebSocket(`${origin}/schedule/websocket`, [cast.stranger.token ?? ''])
    await once(socket, 'open')
    const closed = once(socket, 'close') as Promise<[number]>
    const withOldToken = cast.stranger.call
    expect((await cast.operator.call(contract.lockAccount, { params: { id: cast.stranger.id }, body: { reason } })).code).toBe(200)
    expect((await closed)[0]).toBe(4001)
    expect((await cast.stranger.call(getUserInfo, {})).code).toBe(401)
    expect((await (await again(cast.stranger))(getUserInfo, {})).code).toBe(401)
    await cast.operator.call(contract.unlockAccount, { params: { id: cast.stranger.id }, body: { reason } })
    expect((await withOldToken(getUserInfo, {})).code).toBe(401)
    expect((await (await again(cast.stranger))(getUserInfo, {})).code).toBe(200)
  })

  test('a reset password goes out by SMS, must be changed, and says so when the SMS does not leave', async () => {
    const before = letters.length
    expect((await cast.operator.call(contract.resetAccountPassword, { params: { id: cast.lapsed.id }, body: { reason } })).code).toBe(200)
    expect(letters[before]).toMatchObject({ template: 'firstPassword' })
    world.services.sms.fails = true
    expect((await cast.operator.call(contract.resetAccountPassword, { params: { id: cast.lapsed.id }, body: { reason } })).code).toBe(500)
    world.services.sms.fails = false
    expect((await cast.lapsed.call(getUserInfo, {})).code).toBe(401)
  })

  test('a new password ends the session that a switch between departments begins at the same moment', async () => {
    await again(cast.project)
    let other = ''
    const work = { ...services, now: monday, address: '', agent: '' }
    const session = { accountId: cast.project.id, token: cast.project.token ?? '', deptId: world.depts.projectDept }
    const [answer] = await whileChanging(
      db,
      { begin: async (tx) => ({ token: other } = await replaceSession({ ...work, db: tx }, session)) },
      [() => cast.operator.call(contract.resetAccountPassword, { params: { id: cast.project.id }, body: { reason } })],
    )
    expect(answer?.code).toBe(200)
    expect((await world.caller(other)(getUserInfo, {})).code).toBe(401)
    expect(await db.selectFrom('session').where('accountId', '=', cast.project.id).select('id').execute()).toEqual([])
    await db.updateTable('account').set({ mustChangePassword: false }).where('id', '=', cast.project.id).execute()
    cast.project.call = await again(cast.project)
  })

  test('sessions end, how many is said', async () => {
    const calls = [cast.otherProject.call, await again(cast.otherProject)]
    const { data } = await cast.operator.call(contract.endAccountSessions, { params: { id: cast.otherProject.id }, body: { reason } })
    expect(data).toBe(2)
    for (const call of calls) expect((await call(getUserInfo, {})).code).toBe(401)
    await again(cast.otherProject)
  })

  test('an operator does not do it to themselves, nor to a colleague without being their administrator', async () => {
    await db
      .updateTable('account')
      .set({ duties: ['people'] })
      .where('id', '=', cast.clerk.id)
      .execute()
    const lock = (by: Person, id: number) => by.call(contract.lockAccount, { params: { id }, body: { reason } })
    expect((await lock(cast.clerk, cast.clerk.id)).code).toBe(409)
    expect((await lock(cast.clerk, cast.operator.id)).code).toBe(403)
    expect((await lock(cast.clerk, cast.auditor.id)).code).toBe(403)
    expect((await lock(cast.clerk, cast.newcomer.id)).code).toBe(200)
    await cast.clerk.call(contract.unlockAccount, { params: { id: cast.newcomer.id }, body: { reason } })
  })
})

describe('operators and auditors', () => {
  const add = (body: object) => cast.operator.call(contract.addStaff, { body })
  test('an auditor reads one organisation and nothing of the console’s calls', async () => {
    await db.updateTable('company').set({ isLessee: true }).where('id', '=', cast.lessee.companyId).execute()
    const { data } = await add({
      userName: 'auditor9',
      name: '审计九',
      phonenumber: '13911118888',
      userType: '8',
      companyId: cast.lessee.companyId,
    })
    const person = { id: data.id } as Person
    await db.updateTable('account').set({ mustChangePassword: false }).where('id', '=', data.id).execute()
    const call = await again(person)
    expect((await call(getUserInfo, {})).data).toMatchObject({ roles: ['auditor'], user: { companyId: cast.lessee.companyId } })
    const { id } = await world.givenDemand()
    expect((await call(listOwnDemands, { query: {} })).data.rows.map((demand) => demand.id)).toContain(id)
    expect((await call(getOverview, {})).data).toMatchObject({ waiting: [], figures: { companies: 1, quoting: 1 } })
    expect((await call(contract.listAccounts, { query: {} })).code).toBe(403)
  })

  test.each([
    ['an auditor of nothing', { userType: '8' }, ['companyId']],
    ['an auditor of a lessor', { userType: '8', companyId: 1_000_000 }, ['companyId']],
    ['an operator without a duty', { userType: '9' }, ['duties']],
    ['a name that is taken', { userType: '9', duties: ['content'], userName: 'operator' }, ['userName']],
    ['a number that is taken', { userType: '9', duties: ['content'], phonenumber: '13911118888' }, ['phonenumber']],
    ['a name that is none', { userType: '9', duties: ['content'], userName: '1x' }, ['userName']],
  ])('%s is refused beside the field', async (_, change, wrong) => {
    const { code, data } = await add({ userName: 'fresh', name: '新人', phonenumber: '13911117777', ...change })
    expect(code).toBe(422)
    expect(refusedFields(data)).toEqual(wrong)
  })

  test('duties change at once, the second editor is told, and the last administrator stays', async () => {
    const { version } = await db.selectFrom('account').where('id', '=', cast.clerk.id).select('version').executeTakeFirstOrThrow()
    const edit = (more: object) =>
      cast.operator.call(contract.editStaff, {
        body: { userId: cast.clerk.id, version, name: '小吏', userType: '9', duties: ['system'], ...more },
      })
    const nickName = '小名'
    await db.updateTable('account').set({ nickName }).where('id', '=', cast.clerk.id).execute()
    expect((await edit({})).code).toBe(200)
    expect((await edit({})).code).toBe(409)
    expect(await db.selectFrom('account').where('id', '=', cast.clerk.id).select('nickName').executeTakeFirst()).toEqual({ nickName })
    // Their open session ended with it.
    expect((await cast.clerk.call(getUserInfo, {})).code).toBe(401)
    const call = await again(cast.clerk)
    expect((await call(getUserInfo, {})).data.permissions).toContain('system:view')
    await db.updateTable('account').set({ isAdmin: true }).where('id', '=', cast.clerk.id).execute()
    const held = await db.selectFrom('account').where('id', '=', cast.operator.id).select('version').executeTakeFirstOrThrow()
    const demote = { userId: cast.operator.id, version: held.version, name: '平台', userType: '9', duties: ['system'] }
    // Two administrators: one may go; then the other may not.
    expect((await call(contract.editStaff, { body: demote })).code).toBe(200)
    await db
      .updateTable('account')
      .set({ isAdmin: true, duties: [...operatorDuties] })
      .where('id', '=', cast.operator.id)
      .execute()
    await db.updateTable('account').set({ isAdmin: false }).where('id', '=', cast.clerk.id).execute()
    cast.operator.call = await again(cast.operator)
  })

  test('of two administrators who lock or demote each other at the same moment one stays', async () => {
    const pair = [cast.operator, cast.clerk]
    const ids = pair.map(({ id }) => id)
    type End = (call: Person['call'], id: number, version: number) => Promise<{ code: number; msg: string }>
    const lock: End = (call, id) => call(contract.lockAccount, { params: { id }, body: { reason } })
    const demote: End = (call, userId, version) =>
      call(contract.editStaff, { body: { userId, version, name: '平台', userType: '9', duties: ['system'] } })
    for (const end of [lock, demote]) {
      const rows = await db
        .updateTable('account')
        .set({ isAdmin: true, status: '0', platformLocked: false, duties: [...operatorDuties] })
        .where('id', 'in', ids)
        .returning(['id', 'version'])
        .execute()
      const versionOf = (id: number) => rows.find((row) => row.id === id)?.version ?? 0
      const calls = await Promise.all(pair.map((person) => again(person)))
      const answers = await whileHeld(
        db,
        'session',
        // Each ends the other.
        pair.toReversed().map(
          ({ id }, at) =>
            () =>
              end(calls[at] as Person['call'], id, versionOf(id)),
        ),
      )
      expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 409])
      expect(answers.map(({ msg }) => msg)).toContain(zhCn.refusal.last_staff)
    }
    for (const { id } of pair)
      await db
        .updateTable('account')
        .set({ isAdmin: id === cast.operator.id, status: '0', duties: [...operatorDuties] })
        .where('id', '=', id)
        .execute()
    cast.operator.call = await again(cast.operator)
  })
})

describe('companies', () => {
  test('are found by name, code, kind, grade and state', async () => {
    const find = async (query: object) => (await cast.operator.call(companies.listCompanies, { query })).data
    const { creditCode } = await db
      .selectFrom('company')
      .where('id', '=', cast.lessor.companyId)
      .select('creditCode')
      .executeTakeFirstOrThrow()
    expect((await find({ keyword: creditCode.toLowerCase() })).rows.map(({ id }) => id)).toEqual([cast.lessor.companyId])
    await cast.operator.call(companies.gradeCompany, { params: { id: cast.lessor.companyId }, body: { grade: 'A', before: null, reason } })
    expect((await find({ kind: 'lessor', grade: 'A' })).rows.map(({ id }) => id)).toEqual([cast.lessor.companyId])
    expect((await find({ status: '1' })).total).toBe(0)
    const one = await cast.operator.call(companies.getCompany, { params: { id: cast.lessor.companyId } })
    expect(one.data).toMatchObject({ grade: 'A', people: 2, isPublic: true })
  })

  test('of one that is locked, revoked or barred from the platform the operator reads that it has no public page', async () => {
    const id = cast.lessor.companyId
    const isPublic = async () => (await cast.operator.call(companies.getCompany, { params: { id } })).data.isPublic
    const states = [{ status: '1' }, { lessorAudit: '6' }, { lessorAudit: '4' }, { blacklistedAt: monday }] as const
    const usual = { status: '0', lessorAudit: '2', blacklistedAt: null } as const
    for (const state of states) {
      await db.updateTable('company').set(state).where('id', '=', id).execute()
      expect([await isPublic(), (await cast.visitor.call(getLessor, { params: { id } })).code]).toEqual([false, 404])
      await db.updateTable('company').set(usual).where('id', '=', id).execute()
    }
    expect(await isPublic()).toBe(true)
  })

  test('whoever sends broadcasts or adds auditors picks from them, others do not, and an auditor’s are lessees', async () => {
    const ids = [cast.lessor.companyId, cast.lessee.companyId].join(',')
    await db
      .updateTable('account')
      .set({ duties: ['equipment'] })
      .where('id', '=', cast.clerk.id)
      .execute()
    for (const who of [cast.auditor, cast.clerk, cast.lessee]) {
      const callAs = await again(who)
      for (const call of [pickCompanies, pickAuditedCompanies]) expect((await callAs(call, { query: { ids } })).code).toBe(403)
    }
    await db
      .updateTable('company')
      .set({ isLessee: true })
      .where('id', '=', cast.lessee.companyId ?? 0)
      .execute()
    const picked = async (call: typeof pickCompanies | typeof pickAuditedCompanies) =>
      (await cast.operator.call(call, { query: { ids } })).data.map(({ id }) => id).toSorted((a, b) => a - b)
    expect(await picked(pickCompanies)).toEqual([cast.lessor.companyId, cast.lessee.companyId].toSorted((a, b) => Number(a) - Number(b)))
    expect(await picked(pickAuditedCompanies)).toEqual([cast.lessee.companyId])
  })

  test('its people are counted by one rule, on its page, in their list and for its auditor: who audits it is none of them', async () => {
    const { companyId } = cast.auditor
    const query = { companyId: companyId ?? 0 }
    const list = async (more: object) => (await cast.operator.call(contract.listAccounts, { query: { ...query, ...more } })).data.rows
    const people = (await cast.operator.call(companies.getCompany, { params: { id: companyId ?? 0 } })).data.people
    const listed = await list({})
    expect(listed).toHaveLength(people)
    expect(listed.map(({ userType }) => userType)).not.toContain('8')
    expect((await list({ userType: '8' })).map(({ userType }) => userType)).toContain('8')
    expect((await (await again(cast.auditor))(getOverview, {})).data.figures.people).toBe(people)
  })

  test('locked: its people are out, its machines off the shelf, it is in no library; unlocked: in again', async () => {
    await db.updateTable('account').set({ passwordHash }).where('id', '=', cast.lessor2.id).execute()
    await world.givenMachine(cast.lessor2.companyId)
    const shown = async () => [
      (await world.caller(null)(listLessors, { query: { pageSize: 50 } })).data.rows.some(({ id }) => id === cast.lessor2.companyId),
      (await world.caller(null)(suggest, { query: { keyword: '昌磐' } })).data.some(({ kind }) => kind === 'supplier'),
      (await world.caller(null)(listPublicEquipment, { query: { companyId: cast.lessor2.companyId } })).data.total,
      (await cast.lessor2.call(getUserInfo, {})).code,
    ]
    expect(await shown()).toEqual([true, true, 1, 200])
    expect((await cast.operator.call(companies.lockCompany, { params: { id: cast.lessor2.companyId }, body: { reason } })).code).toBe(200)
    expect(await shown()).toEqual([false, false, 0, 401])
    const { msg } = await cast.visitor.call(webLogin, { body: { username: 'lessor2', password } })
    expect(msg).toBe(zhCn.refusal.company_locked)
    cast.lessor2.call = await again(cast.lessor2)
    // A session that somehow is there opens nothing either.
    expect((await cast.lessor2.call(getUserInfo, {})).code).toBe(401)
    expect((await cast.operator.call(companies.lockCompany, { params: { id: cast.lessor2.companyId }, body: { reason } })).code).toBe(409)
    await cast.operator.call(companies.unlockCompany, { params: { id: cast.lessor2.companyId }, body: { reason } })
    expect(await shown()).toEqual([true, true, 0, 200])
  })
})

describe('cancellations that were held up', () => {
  const ask = async (of: number) =>
    (
      await db
        .insertInto('cancellation')
        .values({ accountId: of, reason: '不再使用', requestedAt: monday, dueAt: monday })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id

  test('wait for the operator while something is in the way; erased when it is gone', async () => {
    const { id: demand } = await world.givenDemand({}, cast.project)
    const id = await ask(cast.project.id)
    await finishCancellations(services)
    const list = await cast.operator.call(cancellations.listCancellations, { query: { status: '2' } })
    expect(list.data.rows).toMatchObject([{ id, points: [{ kind: 'demands' }] }])
    expect((await cast.operator.call(getOverview, {})).data.waiting).toContainEqual(
      expect.objectContaining({ kind: 'cancellation', count: 1 }),
    )
    expect((await cast.operator.call(cancellations.finishCancellation, { params: { id }, body: {} })).code).toBe(409)
    await db.updateTable('demand').set({ status: '8' }).where('accountId', '=', cast.project.id).execute()
    expect(demand).toBeGreaterThan(0)
    // Their files go with them, or they stay as well.
    await db
      .insertInto('file')
      .values({ name: 'id.png', size: 3, mime: 'image/png', sha256: Buffer.alloc(32), access: 'owner', accountId: cast.project.id })
      .execute()
    const { storage } = services
    const remove = storage.delete
    Object.assign(storage, { delete: () => Promise.reject(new Error('the file store is away')) })
    expect((await cast.operator.call(cancellations.finishCancellation, { params: { id }, body: {} })).code).toBe(500)
    Object.assign(storage, { delete: remove })
    expect((await cast.operator.call(cancellations.finishCancellation, { params: { id }, body: {} })).code).toBe(200)
    expect(await db.selectFrom('account').where('id', '=', cast.project.id).select(['delFlag', 'phonenumber']).executeTakeFirst()).toEqual({
      delFlag: '2',
      phonenumber: null,
    })
    expect((await cast.operator.call(cancellations.refuseCancellation, { params: { id }, body: { note: '晚了' } })).code).toBe(409)
  })

  test('what the erased person wrote of themselves is gone, and the audit log never has it', async () => {
    const { id: accountId } = await world.givenPerson({ userType: '1' }, 'leaver')
    const own = '我是张样本 13912345678，已离职'
    const request = { accountId, reason: own, requestedAt: monday, dueAt: monday }
    await db
      .insertInto('cancellation')
      .values({ ...request, status: '1' })
      .execute()
    const { id } = await db
      .insertInto('cancellation')
      .values({ ...request, status: '2' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const finish = cast.operator.call(cancellations.finishCancellation, { params: { id }, body: { note: '本人 13987654321 来电确认' } })
    expect((await finish).code).toBe(200)
    const reasons = await db.selectFrom('cancellation').where('accountId', '=', accountId).select('reason').execute()
    expect(reasons).toEqual([{ reason: '' }, { reason: '' }])
    const entries = await db
      .selectFrom('auditLog')
      .where('bizType', '=', 'cancellation')
      .where('bizId', '=', String(id))
      .selectAll()
      .execute()
    expect(entries).toMatchObject([{ action: 'cancellation.finish', bizName: '', before: { status: '2' }, after: { status: '3' } }])
    expect(JSON.stringify(entries)).not.toContain('张样本')
    expect(entries[0]?.reason).not.toContain('13987654321')
    await db.updateTable('cancellation').set({ reason: own }).where('id', '=', id).execute()
    await runMigration(world, '0181_erased_reasons.sql')
    expect(await db.selectFrom('cancellation').where('accountId', '=', accountId).select('reason').execute()).toEqual(reasons)
  })

  test('or refused, and the person is told why', async () => {
    const id = await ask(cast.strangerAdmin.id)
    await db.updateTable('cancellation').set({ status: '2' }).where('id', '=', id).execute()
    expect((await cast.operator.call(cancellations.refuseCancellation, { params: { id }, body: { note: '' } })).code).toBe(422)
    expect((await cast.operator.call(cancellations.refuseCancellation, { params: { id }, body: { note: '尚有未结账款' } })).code).toBe(200)
    const { data } = await cast.strangerAdmin.call(listOwnMessages, { query: {} })
    expect(data.rows[0]?.content).toContain('尚有未结账款')
  })
})
