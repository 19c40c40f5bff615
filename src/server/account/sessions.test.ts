import { randomBytes } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '#shared/account/contract.ts'
import { resetAccountPassword } from '#shared/account/manage.ts'
import { accountStatus, loginRules, maskPhone, smsRules } from '#shared/account/rules.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { listOutbox } from '#shared/outbox/contract.ts'
import { addPerson } from '#shared/person/contract.ts'
import { delFlag } from '#shared/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { deviceId } from '#test/device-id.ts'
import { whileChanging, whileHeld } from '#test/held-rows.ts'
import { registering, smsCodes } from '#test/sms-codes.ts'
import { monday, openWorld, password, passwordHash } from '#test/world.ts'
import type { Tx } from '../db/connect.ts'
import { deviceHash } from './devices.ts'
import { countFirstPassword } from './first-password.ts'

// As many as in production: six sign-ins wait for one another.
const world = await openWorld({ connections: 10 })
const { db, cast, clock, caller, letters, services } = world
afterAll(() => world.close())
const { askFor, codeFor, register } = smsCodes(world)

beforeEach(async () => {
  clock.set(monday)
  services.config.demo = true
  await db.updateTable('account').set({ passwordHash }).execute()
  for (const table of ['attempt', 'device', 'smsCode', 'message', 'callLimit', 'outbox'] as const) await db.deleteFrom(table).execute()
})

const signIn = async (username: string, device = '') =>
  (await caller(null, 'zh-CN', '10.1.1.1', device)(contract.webLogin, { body: { username, password } })).data.access_token

test('an account has twenty sessions; with one more the oldest ends', async () => {
  const first = await signIn('project')
  for (let n = 1; n < loginRules.sessions; n++) {
    clock.set(new Date(clock.now().getTime() + 1000))
    await signIn('project')
  }
  // The cast's own session starts in a month, so it is the newest of all.
  expect((await caller(first)(contract.getUserInfo, {})).code).toBe(401)
  expect((await cast.project.call(contract.getUserInfo, {})).code).toBe(200)
  const open = await db.selectFrom('session').where('accountId', '=', cast.project.id).select('id').execute()
  expect(open).toHaveLength(loginRules.sessions)
})

test('of sign-ins at once beyond the twenty as many old sessions end', async () => {
  const at = (n: number, device = '') =>
    caller(null, 'zh-CN', `10.2.0.${n}`, device)(contract.webLogin, { body: { username: 'otherproject', password } })
  for (let n = 1; n <= loginRules.sessions; n++) {
    clock.set(new Date(clock.now().getTime() + 1000))
    await at(n)
  }
  const answers = await whileHeld(
    db,
    'account',
    // Each on a device of its own: those of one device wait for each other anyway.
    Array.from({ length: 6 }, (_, n) => () => at(100 + n, deviceId())),
  )
  expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 200))
  const open = await db.selectFrom('session').where('accountId', '=', cast.otherProject.id).select('id').execute()
  expect(open).toHaveLength(loginRules.sessions)
})

test.each([
  ['a new password', { passwordHash: 'another' }, zhCn.refusal.login_failed],
  ['a lock', { status: accountStatus.locked }, zhCn.refusal.account_disabled],
  ['a removal', { delFlag: delFlag.deleted }, zhCn.refusal.login_failed],
  ['another number', { phonenumber: '14499990001' }, zhCn.refusal.sms_code_wrong],
])('%s holds for a sign-in that was checked before and enters after it', async (_, changes, refusal) => {
  const leaver = await world.givenPerson({ userType: '1', auditStatus: '0' }, `leaver${randomBytes(3).toString('hex')}`)
  const about = await db.selectFrom('account').where('id', '=', leaver.id).select(['userName', 'phonenumber']).executeTakeFirstOrThrow()
  await db.updateTable('account').set({ passwordHash }).where('id', '=', leaver.id).execute()
  await db.deleteFrom('session').where('accountId', '=', leaver.id).execute()
  const phonenumber = about.phonenumber ?? ''
  const smsCode = 'phonenumber' in changes ? await codeFor('login', phonenumber) : ''
  const enter = async () =>
    smsCode
      ? (await cast.visitor.call(contract.messageLogin, { body: { phonenumber, smsCode } })).msg
      : (await cast.visitor.call(contract.webLogin, { body: { username: about.userName, password } })).msg
  const begin = (tx: Tx) => tx.updateTable('account').set(changes).where('id', '=', leaver.id).execute()
  expect(await whileChanging(db, { begin }, [enter])).toEqual([refusal])
  expect(await db.selectFrom('session').where('accountId', '=', leaver.id).select('id').execute()).toEqual([])
})

test('an account is known on its twenty latest devices', async () => {
  const devices = Array.from({ length: loginRules.devices + 5 }, deviceId)
  for (const device of devices) {
    clock.set(new Date(clock.now().getTime() + 1000))
    await signIn('stranger', device)
  }
  const known = await db.selectFrom('device').where('accountId', '=', cast.stranger.id).select('deviceHash').execute()
  const hashes = devices.slice(5).map((device) => deviceHash(services.secret, { device, agent: '' }).toString('hex'))
  expect(known.map((row) => row.deviceHash.toString('hex')).toSorted()).toEqual(hashes.toSorted())
})

test('a sign-in on a new device sends a message, one on a device that is known does not', async () => {
  const titles = async () => (await cast.stranger.call(listOwnMessages, {})).data.rows.map(({ title }) => title)
  const device = deviceId()
  await signIn('stranger', device)
  await signIn('stranger', device)
  expect(await titles()).toEqual([])
  await signIn('stranger', deviceId())
  expect(await titles()).toEqual(['账号在新设备上登录'])
})

describe('new passwords', () => {
  const refusalOf = async (typed: string) => {
    const { raw } = await register('123456', { password: typed })
    return (raw.data as { errors?: { field: string; message: string }[] } | null)?.errors
  }
  test('control characters are refused before any code is used up', async () => {
    expect(await refusalOf('Juzi#20\u000726')).toEqual([{ field: 'password', message: '不能含控制字符' }])
  })

  test.each([
    ['Password1', '该密码过于常见，容易被猜到，请换一个'],
    ['P@ssw0rd!', '该密码过于常见，容易被猜到，请换一个'],
    ['Qwerty@123', '该密码过于常见，容易被猜到，请换一个'],
    ['Iloveyou#1', '该密码过于常见，容易被猜到，请换一个'],
    ['Zhujitong#26', '不能含平台名称、本人姓名、登录名或手机号'],
    ['Aa筑机通2026', '不能含平台名称、本人姓名、登录名或手机号'],
    ['a#14411110001', '不能含平台名称、本人姓名、登录名或手机号'],
  ])('%s is refused', async (typed, message) => {
    const answer = await register(await codeFor('register', registering), { password: typed })
    expect(answer.raw.data).toEqual({ errors: [{ field: 'password', message }] })
  })

  test('the own sign-in name is refused', async () => {
    const { raw } = await cast.lessor2.call(contract.resetPassword, { body: { oldPassword: password, password: 'My-Lessor2-pw' } })
    expect(raw.data).toEqual({ errors: [{ field: 'password', message: '不能含平台名称、本人姓名、登录名或手机号' }] })
  })
})

describe('the outbox', () => {
  test('shows codes and first passwords in the demo only; elsewhere the log does not have them either', async () => {
    const said: string[] = []
    const writeLine = services.writeLine
    services.writeLine = (line) => void said.push(line)
    for (const demo of [true, false]) {
      services.config.demo = demo
      said.length = 0
      await askFor('register', registering)
      clock.set(new Date(clock.now().getTime() + 61_000))
      const secretOf = letters.at(-1)?.params[0]?.[1] ?? ''
      const rows = await db.selectFrom('outbox').select('content').execute()
      expect(JSON.stringify(rows.at(-1)).includes(secretOf)).toBe(demo)
      expect(said.join().includes(secretOf)).toBe(demo)
      expect(said.join()).not.toContain(registering)
    }
    services.config.demo = true
    services.writeLine = writeLine
  })

  test('finds a whole number; the database has it encrypted', async () => {
    await askFor('register', registering)
    const find = async (phonenumber: string) => (await cast.operator.call(listOutbox, { query: { phonenumber } })).data.rows
    expect(await find(registering)).toMatchObject([{ phonenumber: maskPhone(registering) }])
    expect(await find(registering.slice(0, 7))).toEqual([])
    const stored = await db.selectFrom('outbox').selectAll().execute()
    expect(stored.map(({ phonenumber, phoneSealed }) => phonenumber + phoneSealed?.toString('latin1')).join()).not.toContain(registering)
  })
})

describe('first passwords by SMS', () => {
  test('one number gets five a day, whoever asks', async () => {
    const person = await cast.lessor.call(addPerson, { body: { name: '新同事', phonenumber: '14455550001', deptIds: [] } })
    const { userId } = person.data
    const reset = () => cast.operator.call(resetAccountPassword, { params: { id: userId }, body: { reason: '本人来电' } })
    for (let n = 1; n < smsRules.firstPasswordsPerNumber; n++) expect((await reset()).code).toBe(200)
    const sent = letters.length
    expect((await reset()).msg).toBe(zhCn.refusal.sms_day_limit)
    expect(letters).toHaveLength(sent)
  })

  test('one administrator sends a hundred a day', async () => {
    await db.deleteFrom('attempt').execute()
    const send = (n: number) =>
      countFirstPassword({ ...services, now: monday }, { senderId: cast.lessee.id, phonenumber: `1446666${1000 + n}` })
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, (_, n) => send(n)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(smsRules.firstPasswordsPerSender)
  })
})
