import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '#shared/account/contract.ts'
import { addStaff, resetAccountPassword } from '#shared/account/manage.ts'
import { loginRules, smsRules, type AskedSmsType } from '#shared/account/rules.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { addPerson, editPerson } from '#shared/person/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { deviceId } from '#test/device-id.ts'
import { registering, smsCodes } from '#test/sms-codes.ts'
import { monday, openWorld, password, passwordHash } from '#test/world.ts'
import { deviceHash } from './devices.ts'

const world = await openWorld()
const { db, cast, clock, caller, letters, services } = world
afterAll(() => world.close())
const { codeFor, register, somebody } = smsCodes(world)

beforeEach(async () => {
  clock.set(monday)
  await db.updateTable('account').set({ passwordHash, mustChangePassword: false }).execute()
  for (const table of ['attempt', 'device', 'smsCode', 'message', 'callLimit', 'passwordHistory'] as const)
    await db.deleteFrom(table).execute()
})

const signIn = async (username: string, { typed = password, device = '' } = {}) =>
  (await caller(null, 'zh-CN', '10.1.1.1', device)(contract.webLogin, { body: { username, password: typed } })).data?.access_token
const change = (next: string, { oldPassword = password, call = cast.lessor2.call } = {}) =>
  call(contract.resetPassword, { body: { oldPassword, password: next } })
const hashOf = async (id: number) =>
  (await db.selectFrom('account').where('id', '=', id).select('passwordHash').executeTakeFirstOrThrow()).passwordHash

describe('what an SMS code is needed for is refused without it', () => {
  const number = { project: '14400000002', newcomer: '14400000011' }
  const fresh = '14433330009'
  const calls: [AskedSmsType, string, (smsCode: string) => Promise<{ code: number; msg: string }>][] = [
    ['register', registering, (smsCode) => register(smsCode)],
    [
      'forget',
      number.project,
      (smsCode) => somebody()(contract.forgetPassword, { body: { phonenumber: number.project, smsCode, password: 'Xin@Mima9' } }),
    ],
    ['phone', fresh, (smsCode) => cast.stranger.call(contract.resetPhoneNumber, { body: { password, phonenumber: fresh, smsCode } })],
    ['cancel', number.newcomer, (smsCode) => cast.newcomer.call(contract.requestCancellation, { body: { reason: '不再使用', smsCode } })],
  ]

  test.each(calls)('%s', async (type, phonenumber, call) => {
    const signedIn = { phone: cast.stranger.call, cancel: cast.newcomer.call }
    const asking = type === 'phone' || type === 'cancel' ? signedIn[type] : undefined
    const smsCode = await codeFor(type, phonenumber, asking)
    const accounts = () => db.selectFrom('account').select(['id', 'phonenumber', 'passwordHash']).orderBy('id').execute()
    const before = await accounts()
    const other = smsCode === '000000' ? '000001' : '000000'
    const message = zhCn.refusal.sms_code_wrong
    expect(await call(other)).toMatchObject({ code: 500, msg: message, data: { errors: [{ field: 'smsCode', message }] } })
    expect(await accounts()).toEqual(before)
    expect(await db.selectFrom('cancellation').select('id').execute()).toEqual([])
    expect((await call(smsCode)).code).toBe(200)
  })
})

test('a code that was sent for one purpose serves no other', async () => {
  const phonenumber = '14400000002'
  const setNew = (smsCode: string) => somebody()(contract.forgetPassword, { body: { phonenumber, smsCode, password: 'Xin@Mima9' } })
  expect((await setNew(await codeFor('login', phonenumber))).msg).toBe(zhCn.refusal.sms_code_wrong)
  const smsCode = await codeFor('forget', phonenumber)
  expect((await cast.visitor.call(contract.messageLogin, { body: { phonenumber, smsCode } })).msg).toBe(zhCn.refusal.sms_code_wrong)
  expect((await setNew(smsCode)).code).toBe(200)
})

test('a weak password uses up no code', async () => {
  const registration = await codeFor('register', '14411110005')
  const common = await register(registration, { phonenumber: '14411110005', password: 'Password1' })
  expect(common.raw.data).toEqual({ errors: [{ field: 'password', message: zhCn.rule.codes.password_common }] })
  expect((await register(registration, { phonenumber: '14411110005' })).code).toBe(200)

  const smsCode = await codeFor('forget', '14400000003')
  const forget = (next: string) => somebody()(contract.forgetPassword, { body: { phonenumber: '14400000003', smsCode, password: next } })
  expect((await forget('Password1')).code).toBe(422)
  expect((await forget('Xin@Mima9')).code).toBe(200)
})

test('a password that was used before uses up no code either, and five tries remain all that a code has', async () => {
  const phonenumber = '14400000003'
  const forget = (smsCode: string, next: string) => somebody()(contract.forgetPassword, { body: { phonenumber, smsCode, password: next } })
  const used = { errors: [{ field: 'password', message: zhCn.rule.codes.password_used }] }
  const first = await codeFor('forget', phonenumber)
  expect((await forget(first, password)).raw.data).toEqual(used)
  expect((await forget(first, 'Xin@Mima9')).code).toBe(200)
  // Once it has set a password it is used up.
  expect((await forget(first, 'Xin@Mima8')).msg).toBe(zhCn.refusal.sms_code_wrong)
  const second = await codeFor('forget', phonenumber)
  for (let n = 0; n < smsRules.tries; n++) expect((await forget(second, password)).raw.data).toEqual(used)
  expect((await forget(second, 'Xin@Mima8')).msg).toBe(zhCn.refusal.sms_code_wrong)
})

describe('a guesser’s first tries are refused as passwords', () => {
  test.each([
    ['as it stands in the lists', '1qaz2wsX'],
    ['with signs for letters', 'Mistres$'],
    ['between digits and signs', '12Charlie#9'],
    ['with signs for letters, before digits', 'Ch@rlie#99'],
  ])('a common password %s', async (_, typed) => {
    const { raw } = await change(typed)
    expect(raw.data).toEqual({ errors: [{ field: 'password', message: zhCn.rule.codes.password_common }] })
  })

  test('the own name, number and sign-in name, and the platform’s name, whatever its site is called', async () => {
    const { site } = services.config
    services.config.site = { ...site, name: '某某设备网', nameEn: 'Cranehub' }
    await db.updateTable('account').set({ name: '欧阳建' }).where('id', '=', cast.lessor2.id).execute()
    for (const typed of ['Aa1欧阳建#x', 'a#14400000006', 'My-Lessor2-pw', 'Q#Zhujitong7', 'Q#Cranehub77', 'Aa1某某设备网'])
      expect((await change(typed)).raw.data, typed).toEqual({ errors: [{ field: 'password', message: zhCn.rule.codes.password_name }] })
    services.config.site = site
    // Names of others are no reason.
    expect((await change('a#14400000005')).code).toBe(200)
  })
})

describe('a new password', () => {
  test('of several that replace the same one at once, one holds', async () => {
    const wanted = ['Eins@1111', 'Zwei@2222', 'Drei@3333', 'Vier@4444']
    const answers = await Promise.all(wanted.map((next) => change(next)))
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1)
    const holding = wanted[answers.findIndex(({ code }) => code === 200)]
    expect(await signIn('lessor2', { typed: holding })).toBeDefined()
  })

  test('keeps the device that it was chosen on known, and no other', async () => {
    const [here, there] = [deviceId(), deviceId()]
    const token = await signIn('otherproject', { device: here })
    await signIn('otherproject', { device: there })
    expect((await change('Neu@Neu99', { call: caller(token ?? '') })).code).toBe(200)
    const known = await db.selectFrom('device').where('accountId', '=', cast.otherProject.id).select('deviceHash').execute()
    expect(known.map((row) => row.deviceHash.toString('hex'))).toEqual([
      deviceHash(services.secret, { device: here, agent: '' }).toString('hex'),
    ])
  })

  test('in place of a first password ends what that kept closed', async () => {
    await db.updateTable('account').set({ mustChangePassword: true }).where('id', '=', cast.lessor2.id).execute()
    expect((await cast.lessor2.call(listOwnMessages, {})).code).toBe(403)
    expect((await change('Neu@Neu99')).code).toBe(200)
    expect((await cast.lessor2.call(listOwnMessages, {})).code).toBe(200)
  })
})

test('the right present password takes back the wrong ones before it', async () => {
  const allButOne = async () => {
    for (let n = 1; n < loginRules.failures; n++) expect((await change('Neu@Neu98', { oldPassword: 'falsch' })).code).toBe(422)
  }
  await allButOne()
  expect((await change('Neu@Neu99')).code).toBe(200)
  await allButOne()
})

describe('a first password that somebody else gives', () => {
  const person = async (phonenumber: string) => {
    const { data } = await cast.lessor.call(addPerson, { body: { name: '新同事', phonenumber, deptIds: [] } })
    return data
  }
  const given = () => letters.at(-1)?.params.find(([name]) => name === 'password')?.[1] ?? ''
  const byAdministrator = (userId: number, phonenumber: string) =>
    cast.lessor.call(editPerson, { body: { userId, name: '新同事', phonenumber, deptIds: [], isAdmin: false, resetPassword: true } })
  const byOperator = (userId: number) => cast.operator.call(resetAccountPassword, { params: { id: userId }, body: { reason: '本人来电' } })

  test.each([
    ['an administrator', '14455550011', byAdministrator],
    ['an operator', '14455550012', (userId: number) => byOperator(userId)],
  ])('%s: it must be changed, the devices are forgotten and the sessions end', async (_, phonenumber, reset) => {
    const { userId, userName } = await person(phonenumber)
    const token = await signIn(userName, { typed: given(), device: deviceId() })
    await db.updateTable('account').set({ mustChangePassword: false }).where('id', '=', userId).execute()
    const before = await hashOf(userId)
    expect((await reset(userId, phonenumber)).code).toBe(200)
    expect(await hashOf(userId)).not.toBe(before)
    expect((await caller(token ?? '')(contract.getUserInfo, {})).code).toBe(401)
    expect(await db.selectFrom('device').where('accountId', '=', userId).select('accountId').execute()).toEqual([])
    const again = caller((await signIn(userName, { typed: given() })) ?? '')
    expect((await again(contract.getUserInfo, {})).data.isDefaultModifyPwd).toBe(true)
    expect((await again(listOwnMessages, {})).raw.data).toEqual({ setup: 'password' })
  })

  test('an administrator who edits a person sends one number five a day', async () => {
    const phonenumber = '14455550013'
    const { userId } = await person(phonenumber)
    for (let n = 1; n < smsRules.firstPasswordsPerNumber; n++) expect((await byAdministrator(userId, phonenumber)).code).toBe(200)
    const [sent, before] = [letters.length, await hashOf(userId)]
    expect((await byAdministrator(userId, phonenumber)).msg).toBe(zhCn.refusal.sms_day_limit)
    expect([letters.length, await hashOf(userId)]).toEqual([sent, before])
  })

  test('an operator who adds staff sends one number five a day, that of the addition included', async () => {
    const phonenumber = '14455550014'
    const { data } = await cast.operator.call(addStaff, {
      body: { userName: 'helper9', name: '帮手九', phonenumber, userType: '9', duties: ['content'] },
    })
    for (let n = 1; n < smsRules.firstPasswordsPerNumber; n++) expect((await byOperator(data.id)).code).toBe(200)
    expect((await byOperator(data.id)).msg).toBe(zhCn.refusal.sms_day_limit)
  })
})
