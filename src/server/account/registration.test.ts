import { unzipSync, strFromU8 } from 'fflate'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '#shared/account/contract.ts'
import { loginRules, maskPhone, smsRules, type AskedSmsType } from '#shared/account/rules.ts'
import { sendContact } from '#shared/contact/contract.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { listOutbox } from '#shared/outbox/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { registering as phone, smsCodes } from '#test/sms-codes.ts'
import { monday, openWorld, password, passwordHash } from '#test/world.ts'
import { insertImageCode } from './codes.ts'

const world = await openWorld()
const { db, cast, clock, letters, sms } = world
const { secret } = world.services
afterAll(() => world.close())

beforeEach(async () => {
  clock.set(monday)
  letters.length = 0
  sms.fails = false
  await db.deleteFrom('smsCode').execute()
  await db.deleteFrom('attempt').execute()
  await db.updateTable('account').set({ passwordHash }).where('delFlag', '=', '0').execute()
})
const { after, somebody, askFor, codeFor, register } = smsCodes(world)

describe('[S7.1] picture code and SMS code', () => {
  test('validImageCode checks the picture and sends six digits by SMS, never in the answer', async () => {
    const { code, data, raw } = await askFor('register', phone)
    expect(code).toBe(200)
    expect(data).toEqual({ resendAfter: 60, expiresIn: 300 })
    expect(letters).toHaveLength(1)
    const sent = letters[0]?.params[0]?.[1] ?? ''
    expect(sent).toMatch(/^\d{6}$/)
    expect(JSON.stringify(raw)).not.toContain(sent)
    const { data: outbox } = await cast.operator.call(listOutbox, {})
    expect(outbox.rows[0]).toMatchObject({
      phonenumber: maskPhone(phone),
      template: 'code',
      status: 'local',
      content: expect.stringContaining(sent),
    })
  })

  test('a wrong, used, foreign or old picture code sends nothing and says so beside the field', async () => {
    const wrong = async (type: AskedSmsType, made: AskedSmsType, seconds = 0, code?: string) => {
      const { uuid, answer } = await insertImageCode({ db, secret, now: clock.now() }, made)
      after(seconds)
      return cast.visitor.call(contract.validImageCode, { body: { phonenumber: phone, code: code ?? answer, uuid, type } })
    }
    for (const answer of [
      await wrong('register', 'login'),
      await wrong('register', 'register', 121),
      await wrong('register', 'register', 0, 'ZZZZ'),
    ]) {
      expect(answer.code).toBe(422)
      expect(answer.raw.data).toEqual({ errors: [{ field: 'code', message: '图形验证码错误或已失效' }] })
    }
    const { uuid, answer } = await insertImageCode({ db, secret, now: clock.now() }, 'register')
    const body = { phonenumber: phone, code: answer, uuid, type: 'register' }
    expect((await cast.visitor.call(contract.validImageCode, { body })).code).toBe(200)
    after(61)
    expect((await cast.visitor.call(contract.validImageCode, { body })).code).toBe(422)
    expect(letters).toHaveLength(1)
  })

  test('once in 60 seconds, ten a day, thirty an hour from one address', async () => {
    expect((await askFor('register', phone)).code).toBe(200)
    after(59)
    expect((await askFor('register', phone)).msg).toContain('60 秒')
    for (let n = 2; n <= smsRules.perDay; n++) {
      after(61)
      expect((await askFor('register', phone)).code, String(n)).toBe(200)
    }
    after(61)
    expect((await askFor('register', phone)).msg).toBe(zhCn.refusal.sms_day_limit)
    after(86_400)
    expect((await askFor('register', phone)).code).toBe(200)
    const here = somebody()
    for (let n = 0; n < smsRules.perAddressHour; n++)
      expect((await askFor('register', `144222${String(n).padStart(5, '0')}`, here)).code).toBe(200)
    const { http, code } = await askFor('register', '14422299999', here)
    expect([http, code]).toEqual([429, 429])
  })

  test('two requests at once send one', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => askFor('register', phone)))
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(letters).toHaveLength(1)
  })

  test('a provider that refuses is told, and the person may try again at once', async () => {
    sms.fails = true
    expect((await askFor('register', phone)).msg).toBe('短信发送失败，请稍后再试')
    sms.fails = false
    expect((await askFor('register', phone)).code).toBe(200)
    const { data } = await cast.operator.call(listOutbox, { query: { phonenumber: phone } })
    expect(data.rows.slice(0, 2).map(({ status }) => status)).toEqual(['local', '2'])
  })

  test('the code of one purpose does not serve another', async () => {
    const { uuid, answer } = await insertImageCode({ db, secret, now: clock.now() }, 'register')
    const { code } = await cast.visitor.call(sendContact, {
      body: {
        name: '张三',
        company: '某单位',
        phone: '14400009999',
        email: '',
        type: 'other',
        content: '想了解一下贵平台的合作方式',
        code: answer,
        uuid,
      },
    })
    expect(code).toBe(422)
  })
})

describe('[S7.1] registration', () => {
  test('phone, code and password make an account of kind "1" that is signed in', async () => {
    const { data, code } = await register(await codeFor('register', phone))
    expect(code).toBe(200)
    expect(data).toMatchObject({ expires_in: 720, certSign: 0, auditStatus: 0 })
    const me = await world.caller(data.access_token)(contract.getUserInfo, {})
    expect(me.data).toMatchObject({ roles: [], permissions: [], user: { userType: '1', phonenumber: phone, nickName: '筑机通' } })
    expect((await cast.visitor.call(contract.webLogin, { body: { phonenumber: phone, password: 'Juzi#2026' } })).code).toBe(200)
  })

  test('a number that is registered is told so on its phone, and only there', async () => {
    const { code } = await askFor('register', phone)
    expect(code).toBe(200)
    expect(letters.map(({ template }) => template)).toEqual(['registered'])
  })

  test('a code serves once, for five minutes, and five tries', async () => {
    const other = '14411110002'
    const first = await codeFor('register', other)
    for (let n = 0; n < 4; n++) expect((await register('000000', { phonenumber: other })).msg).toBe('短信验证码错误或已失效')
    after(300)
    expect((await register(first, { phonenumber: other })).msg).toBe('短信验证码错误或已失效')
    const second = await codeFor('register', other)
    for (let n = 0; n < 5; n++) await register('000000', { phonenumber: other })
    expect((await register(second, { phonenumber: other })).msg).toBe('短信验证码错误或已失效')
    const third = await codeFor('register', other)
    expect((await register(third, { phonenumber: other })).code).toBe(200)
    expect((await register(third, { phonenumber: other })).msg).toBe('短信验证码错误或已失效')
  })

  test.each([
    [{ agreeTerms: false }, 'agreeTerms', '请阅读并同意用户协议'],
    [{ agreePrivacy: undefined }, 'agreePrivacy', '请阅读并同意隐私政策'],
    [{ password: 'abcdefgh' }, 'password', '8–20 位，含大写、小写、数字、符号中的三种'],
    [{ password: `Aa1${'x'.repeat(20)}` }, 'password', '8–20 位，含大写、小写、数字、符号中的三种'],
    [{ phonenumber: '12345' }, 'phonenumber', '请填写 11 位手机号'],
    [{ smsCode: '12a' }, 'smsCode', '请填写 6 位数字验证码'],
  ])('refuses %j beside %s', async (more, field, message) => {
    const { code, raw } = await register('123456', more)
    expect(code).toBe(422)
    expect(raw.data).toEqual({ errors: [{ field, message }] })
  })
})

describe('[S7.1] SMS sign-in and forgotten passwords', () => {
  test('messageLogin signs in; an unknown number gets the same answer and no letter', async () => {
    const smsCode = await codeFor('login', '14400000002')
    const { data, code } = await cast.visitor.call(contract.messageLogin, { body: { phonenumber: '14400000002', smsCode } })
    expect([code, data.certSign]).toEqual([200, 3])
    letters.length = 0
    const unknown = await askFor('login', '14499999999')
    expect([unknown.code, unknown.data]).toEqual([200, { resendAfter: 60, expiresIn: 300 }])
    expect(letters).toEqual([])
    const refused = await cast.visitor.call(contract.messageLogin, { body: { phonenumber: '14499999999', smsCode: '123456' } })
    expect(refused.msg).toBe('短信验证码错误或已失效')
  })

  test('forgetPassword sets a new password, ends every session and tells the person', async () => {
    const { data: signedIn } = await cast.visitor.call(contract.webLogin, { body: { username: 'otherproject', password } })
    const old = world.caller(signedIn.access_token)
    const number = '14400000003'
    const { code } = await somebody()(contract.forgetPassword, {
      body: { phonenumber: number, smsCode: await codeFor('forget', number), password: 'Xin@Mima9' },
    })
    expect(code).toBe(200)
    expect((await old(contract.getUserInfo, {})).code).toBe(401)
    const again = await cast.visitor.call(contract.webLogin, { body: { phonenumber: number, password: 'Xin@Mima9' } })
    expect(again.code).toBe(200)
    const { data } = await world.caller(again.data.access_token)(listOwnMessages, {})
    expect(data.rows[0]).toMatchObject({ systemSubject: '账号安全通知', title: '密码已修改' })
  })

  test('the last three passwords are not taken again', async () => {
    const number = '14400000004'
    const change = async (next: string) =>
      somebody()(contract.forgetPassword, {
        body: { phonenumber: number, smsCode: await codeFor('forget', number), password: next },
      })
    for (const next of ['Aaaa@1111', 'Bbbb@2222']) expect((await change(next)).code).toBe(200)
    for (const used of [password, 'Aaaa@1111', 'Bbbb@2222'])
      expect((await change(used)).raw.data).toEqual({ errors: [{ field: 'password', message: '不能与最近 3 次的密码相同' }] })
    expect((await change('Cccc@3333')).code).toBe(200)
    expect((await change(password)).code).toBe(200)
  })
})

describe('[S7.1][S2.15] account security', () => {
  const signIn = async (username: string) => {
    const { data } = await cast.visitor.call(contract.webLogin, { body: { username, password } })
    return world.caller(data.access_token)
  }

  test('resetPassword needs the present one, ends the other devices and keeps this one', async () => {
    const [here, there] = [await signIn('lessor2'), await signIn('lessor2')]
    const wrong = await here(contract.resetPassword, { body: { oldPassword: 'falsch', password: 'Neu@Neu99' } })
    expect(wrong.raw.data).toEqual({ errors: [{ field: 'oldPassword', message: '当前密码不正确' }] })
    expect((await here(contract.resetPassword, { body: { oldPassword: password, password: 'Neu@Neu99' } })).code).toBe(200)
    expect((await here(contract.getUserInfo, {})).code).toBe(200)
    expect((await there(contract.getUserInfo, {})).code).toBe(401)
  })

  test('resetPhoneNumber: the code goes to the new number, a taken one is refused', async () => {
    const here = await signIn('stranger')
    const next = '14433330001'
    const smsCode = await codeFor('phone', next, here)
    expect((await here(contract.resetPhoneNumber, { body: { password: 'falsch', phonenumber: next, smsCode } })).code).toBe(422)
    expect((await here(contract.resetPhoneNumber, { body: { password, phonenumber: next, smsCode } })).code).toBe(200)
    expect((await here(contract.getUserInfo, {})).data.user.phonenumber).toBe(next)
    const taken = '14400000002'
    const { msg } = await here(contract.resetPhoneNumber, {
      body: { password, phonenumber: taken, smsCode: await codeFor('phone', taken, here) },
    })
    expect(msg).toBe('该手机号已注册，请直接登录')
    expect((await askFor('phone', next)).code).toBe(401)
  })

  test('sign-in records hold failures too; other devices can be ended one by one or all', async () => {
    await cast.visitor.call(contract.webLogin, { body: { username: 'auditor', password: 'falsch' } })
    const [here, there, third] = [await signIn('auditor'), await signIn('auditor'), await signIn('auditor')]
    // The records of somebody else are not among them.
    await cast.visitor.call(contract.webLogin, { body: { username: 'lessor2', password: 'falsch' } })
    const { data: records } = await here(contract.listSignIns, {})
    expect(records.rows.slice(0, 4).map(({ succeeded, way }) => [way, succeeded])).toEqual([
      ['password', true],
      ['password', true],
      ['password', true],
      ['password', false],
    ])
    const { data: list } = await here(contract.listSessions, {})
    expect(list.filter(({ current }) => current)).toHaveLength(1)
    const other = list.find(({ current }) => !current)
    expect((await here(contract.endSession, { params: { id: other?.id ?? 0 } })).code).toBe(200)
    expect((await here(contract.endSession, { params: { id: other?.id ?? 0 } })).code).toBe(404)
    expect((await here(contract.endOtherSessions, {})).data).toBeGreaterThanOrEqual(1)
    expect((await here(contract.listSessions, {})).data).toHaveLength(1)
    for (const one of [there, third]) expect((await one(contract.getUserInfo, {})).code).toBe(401)
  })

  test('refreshPrject switches between own project departments: a new token, the old one ends', async () => {
    const { unit, otherDept, projectDept } = world.depts
    await db
      .insertInto('accountDept')
      .values([projectDept, otherDept].map((deptId) => ({ accountId: cast.project.id, deptId })))
      .execute()
    // A department of others signs nobody in, least of all as one of its people.
    await db.insertInto('accountDept').values({ accountId: cast.stranger.id, deptId: world.depts.strangerDept }).execute()
    const here = await signIn('project')
    for (const id of [unit, world.depts.strangerDept]) expect((await here(contract.refreshProject, { params: { id } })).code).toBe(404)
    const { data, code } = await here(contract.refreshProject, { params: { id: otherDept } })
    expect(code).toBe(200)
    expect((await here(contract.getUserInfo, {})).code).toBe(401)
    const there = world.caller(data.access_token)
    const me = (await there(contract.getUserInfo, {})).data.user
    expect([me.deptId, me.dept.deptName, me.deptList.length]).toEqual([otherDept, '南湖安置房', 2])
    // Somebody who no longer belongs there is back in their first department.
    await db.deleteFrom('accountDept').where('accountId', '=', cast.project.id).where('deptId', '=', otherDept).execute()
    expect((await there(contract.getUserInfo, {})).data.user.deptId).toBe(projectDept)
  })

  test('a switch neither prolongs a session nor makes its device known', async () => {
    const [deptId, lastMinute] = [world.depts.projectDept, loginRules.sessionMinutes - 1]
    await db
      .insertInto('accountDept')
      .values({ accountId: cast.project.id, deptId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const here = await signIn('project')
    const device = { 'x-device': 'd'.repeat(43) }
    const devices = () => db.selectFrom('device').where('accountId', '=', cast.project.id).selectAll().execute()
    const known = await devices()
    clock.set(new Date(monday.getTime() + lastMinute * 60_000))
    const { data } = await here(contract.refreshProject, { params: { id: deptId } })
    expect(data.expires_in).toBe(1)
    const [{ createdAt } = { createdAt: '' }] = (await world.caller(data.access_token)(contract.listSessions, {})).data.filter(
      ({ current }) => current,
    )
    expect(createdAt).toBe('2026-11-23 10:00:00')
    const url = `/prod-api/auth/refreshPrject/${deptId}`
    const answer = await world.send({ method: 'GET', url, token: data.access_token, headers: device })
    const { access_token: token } = answer.data as typeof data
    expect(await devices()).toEqual(known)
    expect((await world.caller(token)(contract.getUserInfo, {})).code).toBe(200)
    clock.set(new Date(monday.getTime() + loginRules.sessionMinutes * 60_000))
    expect((await world.caller(token)(contract.getUserInfo, {})).code).toBe(401)
  })

  test('passwords expire only where the operator says so', async () => {
    const here = await signIn('lessee')
    expect((await here(contract.getUserInfo, {})).data.isPasswordExpired).toBe(false)
    await db
      .insertInto('setting')
      .values({ key: 'security', value: JSON.stringify({ passwordDays: 90 }) })
      .execute()
    await db
      .updateTable('account')
      .set({ passwordUpdatedAt: new Date(monday.getTime() - 91 * 86_400_000) })
      .where('userName', '=', 'lessee')
      .execute()
    expect((await here(contract.getUserInfo, {})).data).toMatchObject({ isPasswordExpired: true, isDefaultModifyPwd: false })
    const refused = await here(listOwnMessages, {})
    expect([refused.code, refused.msg, refused.raw.data]).toEqual([403, zhCn.refusal.password_first, { setup: 'password' }])
    const body = { oldPassword: password, password: 'Juzi#2027' }
    expect((await here(contract.resetPassword, { body })).code).toBe(200)
    expect((await here(listOwnMessages, {})).code).toBe(200)
    expect((await here(contract.getUserInfo, {})).data).toMatchObject({ isPasswordExpired: false, setup: null })
  })

  test('export of my data: JSON and CSV of everything about me, nothing of anybody else', async () => {
    const { bytes, http } = await cast.project.call(contract.exportOwnData, {})
    expect(http).toBe(200)
    const files = unzipSync(new Uint8Array(bytes))
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining([
        'account.json',
        'account.csv',
        'messages.json',
        'sign_ins.csv',
        'sessions.csv',
        'devices.json',
        'contracts.json',
      ]),
    )
    const account = JSON.parse(strFromU8(files['account.json'] as Uint8Array)) as { userName: string }[]
    expect(account).toHaveLength(1)
    expect(account[0]?.userName).toBe('project')
    const all = Object.values(files)
      .map((file) => strFromU8(file))
      .join('')
    expect(all).not.toMatch(/argon2|passwordHash|tokenHash/)
    expect(all).not.toContain('stranger')
  })
})
