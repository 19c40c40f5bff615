import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '#shared/account/contract.ts'
import { endAccountSessions } from '#shared/account/manage.ts'
import { factorRules } from '#shared/account/rules.ts'
import * as factor from '#shared/account/second-factor.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { listOutbox } from '#shared/outbox/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { whileChanging, whileHeld } from '#test/held-rows.ts'
import { smsCodes } from '#test/sms-codes.ts'
import { monday, openWorld, password, passwordHash, type Person } from '#test/world.ts'
import type { Tx } from '../db/connect.ts'
import { insertSession } from './sessions.ts'

// As many as in production: six codes wait for one another.
const world = await openWorld({ connections: 10 })
const { db, cast, clock, caller, services } = world
afterAll(() => world.close())
const { codeFor } = smsCodes(world)
/** Somebody who changes their number, with whom the other tests have nothing to do. */
const mover = await world.givenPerson({ userType: '1', auditStatus: '0' }, 'mover')

beforeEach(async () => {
  clock.set(monday)
  services.config.demo = true
  await db.updateTable('account').set({ passwordHash, mustChangePassword: false }).execute()
  for (const table of ['attempt', 'secondFactor', 'recoveryCode', 'signInTicket', 'message', 'callLimit', 'signIn'] as const)
    await db.deleteFrom(table).execute()
})

/** Providers cut a longer title than 20 letters, and its end says what to do. */
const switchedOn = '二次验证已开启，非本人请联系平台'

const later = (seconds: number) => clock.set(new Date(clock.now().getTime() + seconds * 1000))
const appCode = (secret: string, seconds = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() + seconds * 1000 })

/** Sets the factor up as people do, on a session of its own. Gives its secret and the recovery codes. */
async function enrol(person: Person) {
  const token = await insertSession({ db, now: monday, address: '', agent: '' }, { accountId: person.id })
  const call = caller(token)
  const { data: started } = await call(factor.startSecondFactor, { body: { password } })
  const { data, code } = await call(factor.confirmSecondFactor, { body: { code: appCode(started.secret) } })
  expect(code).toBe(200)
  later(60)
  return { ...started, recoveryCodes: data.recoveryCodes, call }
}
const signIn = (username: string) => cast.visitor.call(contract.webLogin, { body: { username, password } })
const ticketOf = async (username: string) => ((await signIn(username)).raw.data as { ticket: string }).ticket
const finish = (ticket: string, code: string) => cast.visitor.call(factor.signInByFactor, { body: { ticket, code } })

/** The SMS notices to a person that wait or were sent. */
const noticesOf = ({ id }: Person) =>
  db.selectFrom('outbox').where('accountId', '=', id).where('template', '=', 'notice').orderBy('id').select(['params', 'urgent']).execute()

describe('setting up', () => {
  test('wants the password, gives a key, an address for the app and its picture, and holds once a code has confirmed it', async () => {
    const token = await insertSession({ db, now: monday, address: '', agent: '' }, { accountId: cast.project.id })
    const call = caller(token)
    expect((await call(factor.startSecondFactor, { body: { password: 'falsch' } })).code).toBe(422)
    const { data } = await call(factor.startSecondFactor, { body: { password } })
    expect(data.uri).toMatch(new RegExp(`^otpauth://totp/.*secret=${data.secret}`))
    expect(data.qr).toMatch(/^<svg/)
    expect((await signIn('project')).code).toBe(200)
    expect((await call(factor.confirmSecondFactor, { body: { code: appCode(data.secret, 3600) } })).code).toBe(422)
    const confirmed = await call(factor.confirmSecondFactor, { body: { code: appCode(data.secret) } })
    expect(confirmed.data.recoveryCodes).toHaveLength(factorRules.recoveryCodes)
    expect(new Set(confirmed.data.recoveryCodes).size).toBe(factorRules.recoveryCodes)
    expect((await call(factor.getSecondFactor, {})).data).toEqual({
      isOn: true,
      isRequired: false,
      recoveryCodes: factorRules.recoveryCodes,
    })
    expect((await call(factor.startSecondFactor, { body: { password } })).code).toBe(409)
  })

  test('ends the other sessions, and sends a message and at once an SMS, which say what to do, whatever its person has chosen', async () => {
    await db.deleteFrom('outbox').execute()
    const { data } = await signIn('project')
    const { call } = await enrol(cast.project)
    expect((await caller(data.access_token)(contract.getUserInfo, {})).code).toBe(401)
    expect((await call(listOwnMessages, {})).data.rows.map(({ title }) => title)).toContain(switchedOn)
    expect(await noticesOf(cast.project)).toEqual([{ params: { title: switchedOn }, urgent: true }])
    expect([...switchedOn].length).toBeLessThanOrEqual(20)
  })

  test('stores neither the key nor the recovery codes as they are, nor in the answers that are kept for a repeated call', async () => {
    const token = await insertSession({ db, now: monday, address: '', agent: '' }, { accountId: cast.project.id })
    // Sent with a key, as pages send what must not be done twice.
    const put = ({ method, url }: { method: string; url: string }, body: object) =>
      world.send({ method, url: `/prod-api${url}`, token, body, headers: { 'idempotency-key': `key-of${url.replaceAll('/', '-')}` } })
    const { secret } = (await put(factor.startSecondFactor, { password })).data as { secret: string }
    const confirmed = await put(factor.confirmSecondFactor, { code: appCode(secret) })
    const { recoveryCodes } = confirmed.data as { recoveryCodes: string[] }
    expect(recoveryCodes).toHaveLength(factorRules.recoveryCodes)
    const stored = [
      ...(await db.selectFrom('secondFactor').selectAll().execute()).map(({ secretSealed }) => secretSealed.toString('latin1')),
      ...(await db.selectFrom('recoveryCode').selectAll().execute()).map(({ codeHash }) => codeHash.toString('latin1')),
      JSON.stringify(await db.selectFrom('idempotency').selectAll().execute()),
    ].join()
    for (const clear of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
      expect(stored).not.toContain(clear)
  })
})

test('a person begins twenty times a day to set the factor up, because each switch goes by SMS at once', async () => {
  const begin = async ({ id }: Person) => {
    // The bound of a minute is another one.
    await db.deleteFrom('callLimit').execute()
    const token = await insertSession({ db, now: clock.now(), address: '', agent: '' }, { accountId: id })
    return (await caller(token)(factor.startSecondFactor, { body: { password } })).msg
  }
  for (let n = 0; n < factorRules.startsADay; n++) expect(await begin(cast.stranger)).toBe(zhCn.site.common.done)
  expect(await begin(cast.stranger)).toBe(zhCn.refusal.day_limit)
  expect(await begin(cast.project)).toBe(zhCn.site.common.done)
  later(24 * 3600)
  expect(await begin(cast.stranger)).toBe(zhCn.site.common.done)
})

test('a code of the secret that another page has replaced meanwhile switches nothing on', async () => {
  const token = await insertSession({ db, now: monday, address: '', agent: '' }, { accountId: cast.project.id })
  const { data } = await caller(token)(factor.startSecondFactor, { body: { password } })
  const stored = () => db.selectFrom('secondFactor').where('accountId', '=', cast.project.id)
  const begin = (tx: Tx) =>
    tx
      .updateTable('secondFactor')
      .set({ secretSealed: Buffer.from('another') })
      .where('accountId', '=', cast.project.id)
      .execute()
  const [answer] = await whileChanging(db, { begin }, [
    () => caller(token)(factor.confirmSecondFactor, { body: { code: appCode(data.secret) } }),
  ])
  expect(answer?.code).toBe(422)
  expect(await stored().select('confirmedAt').executeTakeFirst()).toEqual({ confirmedAt: null })
})

describe('another number', () => {
  const ask = async (call: Person['call'], phonenumber: string, more: object) => {
    await db.deleteFrom('smsCode').execute()
    const smsCode = await codeFor('phone', phonenumber, call)
    return call(contract.resetPhoneNumber, { body: { password, phonenumber, smsCode, ...more } })
  }
  const changedAt = async (person: Person) =>
    (await db.selectFrom('account').where('id', '=', person.id).select('phoneChangedAt').executeTakeFirstOrThrow()).phoneChangedAt

  test('wants a code of the factor beside the password, and no wait before contracts are signed', async () => {
    const { secret, call } = await enrol(mover)
    later(25 * 3600)
    const { data } = await cast.visitor.call(factor.signInByFactor, {
      body: { ticket: await ticketOf('mover'), code: appCode(secret) },
    })
    const fresh = caller(data.access_token)
    expect((await call(contract.getUserInfo, {})).code).toBe(401)
    for (const more of [{}, { code: '000000' === appCode(secret) ? '000001' : '000000' }])
      expect((await ask(fresh, '14433330048', more)).raw.data).toEqual({
        errors: [{ field: 'code', message: '验证码错误、已使用或已过期' }],
      })
    const smsCode = await codeFor('phone', '14433330049', fresh)
    later(60)
    const body = { password, phonenumber: '14433330049', smsCode, code: appCode(secret) }
    expect((await fresh(contract.resetPhoneNumber, { body })).code).toBe(200)
    expect(await changedAt(mover)).toBeNull()
  })

  test('keeps the recovery code where the SMS code is wrong or the number is taken', async () => {
    const { recoveryCodes, call } = await enrol(mover)
    const [code = ''] = recoveryCodes
    const left = async () => (await call(factor.getSecondFactor, {})).data.recoveryCodes
    const phonenumber = '14433330068'
    const smsCode = await codeFor('phone', phonenumber, call)
    const wrong = smsCode === '000000' ? '000001' : '000000'
    const mistyped = await call(contract.resetPhoneNumber, { body: { password, phonenumber, smsCode: wrong, code } })
    expect([mistyped.msg, await left()]).toEqual([zhCn.refusal.sms_code_wrong, factorRules.recoveryCodes])
    expect([(await ask(call, '14400000003', { code })).msg, await left()]).toEqual([zhCn.refusal.phone_taken, factorRules.recoveryCodes])
    expect([(await ask(call, phonenumber, { code })).code, await left()]).toEqual([200, factorRules.recoveryCodes - 1])
  })

  test('waits where the factor has been on for less than a day: whoever knows the password could have set it up', async () => {
    const { secret, call } = await enrol(mover)
    const smsCode = await codeFor('phone', '14433330058', call)
    const body = { password, phonenumber: '14433330058', smsCode, code: appCode(secret) }
    expect((await call(contract.resetPhoneNumber, { body })).code).toBe(200)
    expect(await changedAt(mover)).not.toBeNull()
  })
})

describe('signing in', () => {
  test('after the password a code of the app is needed; it serves once', async () => {
    const { secret } = await enrol(cast.project)
    const first = await signIn('project')
    expect([first.code, first.msg]).toEqual([500, '请输入验证器中的验证码'])
    const code = appCode(secret)
    const done = await finish(await ticketOf('project'), code)
    expect(done.data).toMatchObject({ access_token: expect.stringMatching(/^[\w-]{43}$/), certSign: 3 })
    expect((await caller(done.data.access_token)(contract.getUserInfo, {})).code).toBe(200)
    expect((await finish(await ticketOf('project'), code)).code).toBe(422)
    later(30)
    const ticket = await ticketOf('project')
    expect((await finish(ticket, appCode(secret))).code).toBe(200)
    later(30)
    expect((await finish(ticket, appCode(secret))).msg).toBe('验证已超时或次数过多，请重新登录')
  })

  test('after an SMS code as well', async () => {
    const { secret } = await enrol(cast.project)
    const smsCode = await codeFor('login', '14400000002')
    const first = await cast.visitor.call(contract.messageLogin, { body: { phonenumber: '14400000002', smsCode } })
    expect(first.code).toBe(500)
    expect((await finish((first.raw.data as { ticket: string }).ticket, appCode(secret))).code).toBe(200)
  })

  test('a code of the step before or after is taken, an older or later one is not', async () => {
    const { secret } = await enrol(cast.project)
    // Later than the step that confirmed it, which would be refused for being used.
    later(300)
    for (const seconds of [-60, 60]) expect((await finish(await ticketOf('project'), appCode(secret, seconds))).code).toBe(422)
    expect((await finish(await ticketOf('project'), appCode(secret, -30))).code).toBe(200)
    expect((await finish(await ticketOf('project'), appCode(secret, 30))).code).toBe(200)
  })

  test('a recovery code serves once, however it is typed', async () => {
    const { recoveryCodes } = await enrol(cast.project)
    const [one = '', two = ''] = recoveryCodes
    expect((await finish(await ticketOf('project'), one.toUpperCase())).code).toBe(200)
    expect((await finish(await ticketOf('project'), one)).code).toBe(422)
    expect((await finish(await ticketOf('project'), two.replaceAll('-', ' '))).code).toBe(200)
  })

  test('a code of the app, and a recovery code, that is sent many times at once serves once', async () => {
    const { secret, recoveryCodes } = await enrol(cast.project)
    for (const [table, code] of [
      ['second_factor', appCode(secret)],
      ['recovery_code', recoveryCodes[0] ?? ''],
    ] as const) {
      const tickets: string[] = []
      for (let n = 0; n < 6; n++) tickets.push(await ticketOf('project'))
      const answers = await whileHeld(
        db,
        table,
        tickets.map((ticket) => () => finish(ticket, code)),
      )
      expect(answers.filter((answer) => answer.code === 200)).toHaveLength(1)
      later(601)
    }
  })

  test('of a thousand codes at once no more than five of a ticket and ten of an account are compared, and the ticket ends', async () => {
    const { secret } = await enrol(cast.project)
    const tickets = await Promise.all([ticketOf('project'), ticketOf('project'), ticketOf('project')])
    const right = appCode(secret)
    for (let from = 0; from < 1000; from += 250)
      await Promise.all(
        Array.from({ length: 250 }, (_, n) =>
          caller(
            null,
            'zh-CN',
            `10.3.${from / 250}.${n}`,
          )(factor.signInByFactor, {
            body: { ticket: tickets[n % 3] ?? '', code: String((Number(right) + from + n + 1) % 1_000_000).padStart(6, '0') },
          }),
        ),
      )
    const failed = await db.selectFrom('signIn').where('succeeded', '=', false).select('id').execute()
    expect(failed).toHaveLength(factorRules.triesPerAccount)
    expect((await finish(tickets[0] ?? '', right)).msg).toBe('验证已超时或次数过多，请重新登录')
    later(601)
    expect((await finish(await ticketOf('project'), appCode(secret))).code).toBe(200)
  })

  test('a right code takes back the wrong ones before it', async () => {
    const { secret } = await enrol(cast.project)
    for (let round = 0; round < 2; round++) {
      const wrong = String((Number(appCode(secret)) + 1) % 1_000_000).padStart(6, '0')
      for (let n = 1; n < factorRules.triesPerAccount; n++) expect((await finish(await ticketOf('project'), wrong)).code).toBe(422)
      expect((await finish(await ticketOf('project'), appCode(secret))).code).toBe(200)
      later(30)
    }
  })

  test('a ticket ends after ten minutes, and one that was made up is refused', async () => {
    const { secret } = await enrol(cast.project)
    const ticket = await ticketOf('project')
    later(601)
    expect((await finish(ticket, appCode(secret))).code).toBe(500)
    expect((await finish('made-up', appCode(secret))).code).toBe(500)
  })
})

test.each([
  ['a new password', (call: Person['call']) => call(contract.resetPassword, { body: { oldPassword: password, password: 'Neu@Neu99' } })],
  ['its owner', (call: Person['call']) => call(contract.endOtherSessions, {})],
  ['an operator', () => cast.operator.call(endAccountSessions, { params: { id: cast.project.id }, body: { reason: '本人来电' } })],
])('a sign-in that waits for its code ends with the sessions that %s ends', async (_, end) => {
  const { secret, call } = await enrol(cast.project)
  const ticket = await ticketOf('project')
  expect((await end(call)).code).toBe(200)
  expect((await finish(ticket, appCode(secret))).msg).toBe('验证已超时或次数过多，请重新登录')
})

describe('a new password that is set during a sign-in', () => {
  const tickets = () => db.selectFrom('signInTicket').where('accountId', '=', cast.project.id).select('way').execute()
  const sessions = () => db.selectFrom('session').where('accountId', '=', cast.project.id).select('id').orderBy('id').execute()
  const begin = (tx: Tx) => tx.updateTable('account').set({ passwordHash: 'another' }).where('id', '=', cast.project.id).execute()

  test('leaves no ticket to the first step', async () => {
    await enrol(cast.project)
    const [answer] = await whileChanging(db, { begin }, [() => signIn('project')])
    expect(answer?.msg).toBe(zhCn.refusal.login_failed)
    expect(await tickets()).toEqual([])
  })

  test('ends the second step', async () => {
    const { secret } = await enrol(cast.project)
    const ticket = await ticketOf('project')
    const before = await sessions()
    const end = (tx: Tx) => tx.deleteFrom('signInTicket').where('accountId', '=', cast.project.id).execute()
    const [answer] = await whileChanging(db, { begin, end }, [() => finish(ticket, appCode(secret))])
    expect(answer?.msg).toBe(zhCn.refusal.ticket_over)
    expect(await sessions()).toEqual(before)
  })
})

test('a factor that holds is not confirmed again, so nobody gets new recovery codes for a code they saw', async () => {
  const { secret, recoveryCodes, call } = await enrol(cast.project)
  expect((await call(factor.confirmSecondFactor, { body: { code: appCode(secret) } })).code).toBe(422)
  expect((await finish(await ticketOf('project'), recoveryCodes[0] ?? '')).code).toBe(200)
})

test('codes that confirm a factor or switch it off are counted before they are compared', async () => {
  const wrong = (secret: string) => String((Number(appCode(secret)) + 1) % 1_000_000).padStart(6, '0')
  const { data } = await cast.stranger.call(factor.startSecondFactor, { body: { password } })
  const confirm = (code: string) => cast.stranger.call(factor.confirmSecondFactor, { body: { code } })
  for (let n = 0; n < factorRules.triesPerAccount; n++) expect((await confirm(wrong(data.secret))).code).toBe(422)
  expect((await confirm(appCode(data.secret))).code).toBe(429)
  const { secret, call } = await enrol(cast.project)
  const off = (code: string) => call(factor.endSecondFactor, { body: { password, code } })
  for (let n = 0; n < factorRules.triesPerAccount; n++) expect((await off(wrong(secret))).code).toBe(422)
  expect((await off(appCode(secret))).code).toBe(429)
})

test('switching off ends the recovery codes and the sign-ins that wait for a code', async () => {
  const { secret, recoveryCodes, call } = await enrol(cast.project)
  const ticket = await ticketOf('project')
  expect((await call(factor.endSecondFactor, { body: { password, code: appCode(secret) } })).code).toBe(200)
  expect((await finish(ticket, recoveryCodes[0] ?? '')).msg).toBe('验证已超时或次数过多，请重新登录')
  for (const table of ['secondFactor', 'recoveryCode', 'signInTicket'] as const)
    expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([])
})

test('switching off wants the password and a code; the owner is told, by SMS as well', async () => {
  await db.deleteFrom('outbox').execute()
  const { secret, call } = await enrol(cast.project)
  const off = (body: { password: string; code: string }) => call(factor.endSecondFactor, { body })
  expect((await off({ password, code: '000000' })).code).toBe(422)
  expect((await off({ password: 'falsch', code: appCode(secret) })).code).toBe(422)
  expect((await off({ password, code: appCode(secret) })).code).toBe(200)
  expect((await signIn('project')).code).toBe(200)
  expect((await call(listOwnMessages, {})).data.rows.map(({ title }) => title)).toContain('二次验证已关闭')
  expect(await noticesOf(cast.project)).toMatchObject([{ params: { title: switchedOn } }, { params: { title: '二次验证已关闭' } }])
})

describe('outside the demo', () => {
  beforeEach(() => void (services.config.demo = false))

  test('operators and administrators are answered nothing before they have a second factor', async () => {
    for (const person of [cast.operator, cast.clerk, cast.lessee, cast.lessor]) {
      const refused = await person.call(listOwnMessages, {})
      expect([refused.code, refused.raw.data]).toEqual([403, { setup: 'factor' }])
      const { data } = await person.call(contract.getUserInfo, {})
      expect(data.setup).toBe('factor')
      expect((await person.call(factor.getSecondFactor, {})).data.isRequired).toBe(true)
    }
    for (const person of [cast.stranger, cast.auditor, cast.newcomer]) expect((await person.call(listOwnMessages, {})).code).toBe(200)
    const { call } = await enrol(cast.operator)
    expect((await call(listOutbox, {})).code).toBe(200)
  })

  test('a first password is changed before the second factor is set up', async () => {
    await db.updateTable('account').set({ mustChangePassword: true }).where('id', '=', cast.lessor2.id).execute()
    expect((await cast.lessor2.call(factor.startSecondFactor, { body: { password } })).raw.data).toEqual({ setup: 'password' })
  })
})
