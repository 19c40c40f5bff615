import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { blockReasons } from '#shared/equipment/rules.ts'
import { addPerson } from '#shared/person/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { changeSteps, contractSteps } from '#test/given-contract.ts'
import { smsCodes } from '#test/sms-codes.ts'
import { monday, openWorld, password, passwordHash, type Person } from '#test/world.ts'

const world = await openWorld()
const { cast, clock, db, send } = world
const { givenContract } = contractSteps(world)
const { propose } = changeSteps(world)
const { codeFor } = smsCodes(world)
afterAll(() => world.close())

const publish = (key: string, body: unknown = world.demandBody(), token = cast.project.token) =>
  send({ method: 'POST', url: '/prod-api/business/leasingDemand', token, body, headers: { 'idempotency-key': key } })
const demands = async () => (await db.selectFrom('demand').select('id').execute()).length
let before = 0
beforeEach(async () => {
  clock.set(monday)
  before = await demands()
})

test('the same key twice is one demand and one answer', async () => {
  const first = await publish('key-of-the-first')
  const second = await publish('key-of-the-first')
  expect(first.code).toBe(200)
  expect(second.raw).toEqual(first.raw)
  expect(await demands()).toBe(before + 1)
})

test('eight at once are one demand', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => publish('key-of-eight')))
  for (const { raw } of answers) expect(raw).toEqual(answers[0]?.raw)
  expect(answers[0]?.code).toBe(200)
  expect(await demands()).toBe(before + 1)
})

/** Runs the call while no key can be written down. */
async function withoutRoom<T>(run: () => Promise<T>): Promise<T> {
  await sql`create or replace function no_claims() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$`.execute(
    db,
  )
  await sql`create trigger no_claims before insert on idempotency for each row execute function no_claims()`.execute(db)
  try {
    return await run()
  } finally {
    await sql`drop trigger no_claims on idempotency`.execute(db)
  }
}

test('where the key cannot be written down nothing is done, not even by a deed of one statement', async () => {
  expect((await withoutRoom(() => publish('key-without-room'))).code).toBe(500)
  expect(await demands()).toBe(before)
  expect((await publish('key-without-room')).code).toBe(200)
})

describe('where the key cannot be written down a call with a transaction of its own does nothing, either', () => {
  const contents = async () =>
    (
      await sql<{ rows: string }>`select concat(
        (select json_agg(a order by id) from account a), (select json_agg(c order by id) from cancellation c),
        (select json_agg(c order by id) from contract_change c)) as rows`.execute(db)
    ).rows
  const expectNothing = async (by: Person, url: string, body: object) => {
    const stored = await contents()
    const call = () =>
      send({ method: 'POST', url: `/prod-api${url}`, token: by.token, body, headers: { 'idempotency-key': 'key-that-stays-free' } })
    expect((await withoutRoom(call)).code).toBe(500)
    expect(await contents()).toEqual(stored)
  }
  const phoneOf = async ({ id }: Person) =>
    (await db.selectFrom('account').where('id', '=', id).select('phonenumber').executeTakeFirstOrThrow()).phonenumber ?? ''
  const givePassword = ({ id }: Person) => db.updateTable('account').set({ passwordHash }).where('id', '=', id).execute()

  test('adding and changing a person', async () => {
    const person = { name: '新同事', phonenumber: '13922240001', deptIds: [], isAdmin: false }
    await expectNothing(cast.lessor, '/system/user/addUser', person)
    const { userId } = (await cast.lessor.call(addPerson, { body: person })).data
    await expectNothing(cast.lessor, '/system/user/editUser', { ...person, userId, name: '另一人', resetPassword: true })
  })

  test('proposing an amendment', async () => {
    const { id } = await givenContract()
    const terms = { kind: 'terminate', lastDay: '2026-12-20' }
    await expectNothing(cast.project, `/business/contract/${id}/change`, { fromDay: '2026-12-10', reason: '工期调整', terms })
    expect((await propose(cast.project, id, terms)).code).toBe(200)
  })

  test('changing the own password or number', async () => {
    await givePassword(cast.clerk)
    await expectNothing(cast.clerk, '/auth/resetPassword', { oldPassword: password, password: 'Neu@Neu99' })
    const phonenumber = '13922240002'
    const smsCode = await codeFor('phone', phonenumber, cast.clerk.call)
    await expectNothing(cast.clerk, '/auth/resetPhoneNumber', { password, phonenumber, smsCode })
  })

  test('cancelling the account', async () => {
    const leaver = await world.givenPerson({ userType: '1' }, 'leaver')
    const smsCode = await codeFor('cancel', await phoneOf(leaver), leaver.call)
    await expectNothing(leaver, '/system/logoutUser/add', { reason: '不再使用', smsCode })
  })
})

test('another body under the same key is refused; another person has keys of their own', async () => {
  await publish('key-used-before')
  expect((await publish('key-used-before', world.demandBody({ title: '另一条需求 装载机' }))).code).toBe(422)
  expect((await publish('key-used-before', world.demandBody({ deptId: world.depts.strangerDept }), cast.stranger.token)).code).toBe(200)
  expect(await demands()).toBe(before + 2)
})

test('another call under the same key is refused, and not answered with what the first one was', async () => {
  await publish('key-of-one-call')
  const saveSearch = (key: string) =>
    send({
      method: 'POST',
      url: '/prod-api/business/savedSearch',
      token: cast.project.token,
      body: { list: 'demand', name: '装载机', query: '' },
      headers: { 'idempotency-key': key },
    })
  const refused = await saveSearch('key-of-one-call')
  expect([refused.code, refused.msg, refused.raw.data]).toEqual([422, zhCn.refusal.key_reused, null])
  expect((await saveSearch('key-of-a-search')).code).toBe(200)
  expect(await demands()).toBe(before + 1)
})

test('another call with the same input, or the same call for another object, is refused under the same key', async () => {
  // Each of the two takes what it knows of it.
  const body = world.demandBody({ form: {} })
  const draft = await send({
    method: 'POST',
    url: '/prod-api/business/leasingDemand/draft',
    token: cast.project.token,
    body,
    headers: { 'idempotency-key': 'key-of-a-draft' },
  })
  expect(draft.code).toBe(200)
  const published = await publish('key-of-a-draft', body)
  expect([published.code, published.msg, published.raw.data]).toEqual([422, zhCn.refusal.key_reused, null])

  const machines = [await world.givenMachine(cast.lessor.companyId), await world.givenMachine(cast.lessor.companyId)]
  const answers = []
  for (const id of machines)
    answers.push(
      await send({
        method: 'POST',
        url: `/prod-api/business/equipment/${id}/block`,
        token: cast.lessor.token,
        body: { from: '2026-12-01', to: '2026-12-05', reason: blockReasons[0] },
        headers: { 'idempotency-key': 'key-of-a-block' },
      }),
    )
  expect(answers.map(({ code }) => code)).toEqual([200, 422])
})

test('a person who may no longer make the call is not answered with what they were answered before', async () => {
  const first = await publish('key-of-a-role')
  expect(first.code).toBe(200)
  await db.updateTable('account').set({ auditStatus: '6' }).where('id', '=', cast.project.id).execute()
  const after = await publish('key-of-a-role')
  await db.updateTable('account').set({ auditStatus: '2' }).where('id', '=', cast.project.id).execute()
  expect([after.code, after.raw.data]).toEqual([403, null])
})

test('a call with transactions of its own is held to its key as well: body, person and call', async () => {
  const add = (body: object, token = cast.lessee.token, url = '/prod-api/system/user/addUser') =>
    send({ method: 'POST', url, token, body, headers: { 'idempotency-key': 'key-of-a-person' } })
  const person = { name: '新同事', phonenumber: '13922220001', deptIds: [world.depts.unit], isAdmin: false }
  const first = await add(person)
  expect(first.code).toBe(200)
  expect((await add(person)).raw).toEqual(first.raw)
  expect((await add({ ...person, name: '另一人', phonenumber: '13922220002' })).code).toBe(422)
  expect((await publish('key-of-a-person', world.demandBody(), cast.lessee.token)).code).toBe(422)
  const others = { ...person, phonenumber: '13922220003', deptIds: [cast.strangerAdmin.deptId] }
  expect((await add(others, cast.strangerAdmin.token)).code).toBe(200)
  expect(await db.selectFrom('account').where('phonenumber', 'like', '1392222%').select('name').execute()).toHaveLength(2)
})

describe.each([
  ['addUser', '/prod-api/system/user/addUser', () => cast.lessee, { name: '新同事', deptIds: [world.depts.unit], isAdmin: false }],
  ['staff', '/prod-api/system/staff', () => cast.operator, { name: '新审核', userName: 'fresh', userType: '9', duties: ['equipment'] }],
] as const)('a call that waits for an SMS after its write: %s', (name, url, by, person) => {
  const add = (n: number) =>
    send({
      method: 'POST',
      url,
      token: by().token,
      body: { ...person, ...('userName' in person && { userName: `fresh${n}` }), phonenumber: `1392223000${n}` },
      headers: { 'idempotency-key': `key-of-${name}-${n}` },
    })
  const countWith = async (n: number) =>
    (await db.selectFrom('account').where('phonenumber', '=', `1392223000${n}`).select('id').execute()).length
  const { sms } = world.services
  const provider = sms.send

  beforeEach(() => db.deleteFrom('account').where('phonenumber', 'like', '1392223%').execute())
  afterEach(() => void Object.assign(sms, { send: provider }))

  test('repeated while the SMS is on its way, and at once, it is one person and one answer', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let sent = 0
    Object.assign(sms, {
      send: async () => {
        sent++
        await promise
        return 'sent'
      },
    })
    const both = [add(1), add(1)]
    await expect.poll(() => sent).toBe(1)
    const during = await add(1)
    expect(during.code).toBe(200)
    resolve()
    for (const one of both) expect((await one).raw).toEqual(during.raw)
    expect([await countWith(1), sent]).toEqual([1, 1])
  })

  test('where the SMS is refused, the repeated call is told so, too', async () => {
    Object.assign(sms, { send: () => Promise.reject(new Error('the provider is away')) })
    const first = await add(2)
    expect([first.code, first.msg]).toEqual([500, zhCn.refusal.first_password_unsent])
    // The page goes on with the account that was added.
    const { id } = await db.selectFrom('account').where('phonenumber', '=', '13922230002').select('id').executeTakeFirstOrThrow()
    expect(Object.values(first.data as object)).toEqual([id])
    expect((await add(2)).raw).toEqual(first.raw)
    expect(await countWith(2)).toBe(1)
  })
})

test('two files under one key are two files, because the key compares no files', async () => {
  const boundary = 'x'.repeat(20)
  const upload = async (content: string) => {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n`
    const answer = await world.server.inject({
      method: 'POST',
      url: '/prod-api/file/upload',
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        authorization: cast.project.token ?? '',
        'idempotency-key': 'key-of-two-files',
      },
      payload: `${head}${content}\r\n--${boundary}--\r\n`,
    })
    return answer.json<{ code: number; data: { fileId: string } }>()
  }
  const pdf = (text: string) => `%PDF-1.4\n1 0 obj<<>>endobj\n%${text}\ntrailer<<>>\n%%EOF`
  const [first, second] = [await upload(pdf('one')), await upload(pdf('two'))]
  expect([first.code, second.code]).toEqual([200, 200])
  expect(second.data.fileId).not.toBe(first.data.fileId)
})

test('a refused call leaves the key free', async () => {
  expect((await publish('key-of-a-mistake', world.demandBody({ items: [] }))).code).toBe(422)
  const wrongPlace = world.demandBody({ deptId: world.depts.strangerDept })
  expect((await publish('key-of-a-place', wrongPlace)).code).not.toBe(200)
  expect((await publish('key-of-a-mistake')).code).toBe(200)
  expect(await demands()).toBe(before + 1)
})

test('done, but the process ended before the answer was written: told so, and not done again', async () => {
  await publish('key-of-a-power-cut')
  await db.updateTable('idempotency').set({ answer: null }).where('key', '=', 'key-of-a-power-cut').execute()
  expect((await publish('key-of-a-power-cut')).code).toBe(409)
  expect(await demands()).toBe(before + 1)
})

test('a call of one statement is known by its key as well; a key that is none is refused', async () => {
  const body = { type: '1', content: '页面打不开，麻烦看一下', contact: '' }
  const say = () =>
    send({
      method: 'POST',
      url: '/prod-api/business/feedback',
      token: cast.lessor.token,
      body,
      headers: { 'idempotency-key': 'key-of-feedback' },
    })
  const first = await say()
  expect((await say()).raw).toEqual(first.raw)
  expect((await publish('short')).http).toBe(400)
})

test('what anybody may call has no key: the token that it answers is stored nowhere', async () => {
  await db.updateTable('account').set({ passwordHash }).where('id', '=', cast.lessor.id).execute()
  const signIn = () =>
    send({
      method: 'POST',
      url: '/prod-api/auth/webLogin',
      token: cast.lessor.token,
      body: { username: 'lessor', password },
      headers: { 'idempotency-key': 'key-of-a-sign-in' },
    })
  const tokenOf = async () => ((await signIn()).data as { access_token: string }).access_token
  const tokens = [await tokenOf(), await tokenOf()]
  expect(new Set(tokens).size).toBe(2)
  const stored = JSON.stringify(await db.selectFrom('idempotency').select('answer').execute())
  for (const token of tokens) expect(stored).not.toContain(token)
})

test('the hash of a request is keyed, so that nobody tries passwords at it', async () => {
  await db.updateTable('account').set({ passwordHash }).where('id', '=', cast.lessor.id).execute()
  const body = { oldPassword: password, password: 'Neu@Neu99' }
  const url = '/auth/resetPassword'
  await send({
    method: 'POST',
    url: `/prod-api${url}`,
    token: cast.lessor.token,
    body,
    headers: { 'idempotency-key': 'key-of-a-password' },
  })
  const row = await db.selectFrom('idempotency').where('key', '=', 'key-of-a-password').select('requestHash').executeTakeFirstOrThrow()
  for (const text of [JSON.stringify([url, {}, {}, body]), `${url}\n${JSON.stringify([{}, {}, body])}`])
    expect(row.requestHash.equals(createHash('sha256').update(text).digest())).toBe(false)
  expect(row.requestHash.toString('latin1')).not.toContain(password)
})
