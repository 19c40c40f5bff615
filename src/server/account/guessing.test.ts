import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { loginRules, smsRules } from '#shared/account/rules.ts'
import * as contract from '#shared/account/contract.ts'
import { getAccount, unlockAccount } from '#shared/account/manage.ts'
import { lookAtLessor } from '#shared/company/contract.ts'
import { lookAtContact } from '#shared/demand/contract.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { confirmContract } from '#shared/contract/moves.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { deviceId } from '#test/device-id.ts'
import { contractSteps } from '#test/given-contract.ts'
import { smsCodes } from '#test/sms-codes.ts'
import { monday, openWorld, password, passwordHash, type Person } from '#test/world.ts'
import { hashPassword } from '../actor/hash.ts'
import { insertImageCode } from './codes.ts'
import { insertSession } from './sessions.ts'
import { isPassword, signIn } from './sign-in.ts'
import type { Refusal } from '../http/refusal.ts'

// As many as in production: guesses at the same moment are the subject.
const world = await openWorld({ connections: 10 })
const { db, cast, clock, letters, services, caller } = world
afterAll(() => world.close())
const { codeFor } = smsCodes(world)
const { givenDraft, send, signCode, textHash, account, confirm } = contractSteps(world)

beforeEach(async () => {
  clock.set(monday)
  letters.length = 0
  await db.updateTable('account').set({ passwordHash }).execute()
  for (const table of ['attempt', 'device', 'smsCode', 'signIn', 'message', 'callLimit', 'outbox'] as const)
    await db.deleteFrom(table).execute()
})

const addressOf = (n: number) => `10.1.${Math.floor(n / 250)}.${n % 250}`
const wrong = 'Wrong@2026'

const tryPassword = (username: string, secret: string, { address = '10.9.9.9', device = '', more = {} } = {}) =>
  caller(null, 'zh-CN', address, device)(contract.webLogin, { body: { username, password: secret, ...more } })
const withPicture = async () => {
  const { uuid, answer } = await insertImageCode({ ...services, now: clock.now() }, 'login')
  return { uuid, code: answer }
}
/** Uses up every try of an address for a name, with a picture code where one is asked for. */
const useUp = async (username: string, address?: string) => {
  for (let n = 0; n < loginRules.failures; n++)
    await tryPassword(username, wrong, { ...(address && { address }), more: await withPicture() })
}
const failuresOf = async ({ id }: Person) =>
  (await db.selectFrom('signIn').where('accountId', '=', id).where('succeeded', '=', false).select('id').execute()).length
const messagesOf = async (person: Person) => (await person.call(listOwnMessages, {})).data.rows.map(({ title }) => title)

const guesses = 1000
const atOnce = <T>(count: number, run: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => run(n)))
/** A slow machine turns some calls away before it counts them: the pool with these words, the call with this code. */
const noConnection = 'timeout exceeded when trying to connect'
const unchecked: readonly unknown[] = ['account_locked', 'image_code_required', noConnection]
const isTaken = ({ code }: { code: number }) => code !== 503

describe('a thousand guesses at once', () => {
  test('of a password from one address: five are checked at most', async () => {
    // Without the call, because its own limit would refuse most of them. Each comes from another host of one IPv6 network.
    const outcomes = await atOnce<unknown>(guesses, (n) => {
      const address = `2001:db8:1:2::${(n + 1).toString(16)}`
      const visitor = { actor: null, hadToken: false, token: null, address, agent: '', locale: 'zh-CN' as const, log: world.server.log }
      const credentials = { username: 'project', password: n === guesses - 1 ? password : wrong }
      return signIn({ ...services, ...visitor, now: monday }, credentials).catch((error: Refusal) => error.code ?? error.message)
    })
    expect(await failuresOf(cast.project)).toBeLessThanOrEqual(loginRules.failures)
    // The last one checked is told that it was. Where the first have failed before others are counted, these are asked for a picture.
    const checked = outcomes.filter((code) => !unchecked.includes(code))
    expect(checked.length).toBeLessThan(loginRules.failures)
    expect(new Set(checked)).toEqual(new Set(['login_failed']))
  })

  test('of a password from a thousand addresses: thirty are checked, and the right one is refused among the rest', async () => {
    // The pictures come first: one that waits for a connection is no guess.
    const pictures: Awaited<ReturnType<typeof withPicture>>[] = []
    for (let n = 0; n < guesses; n++) pictures.push(await withPicture())
    await atOnce(guesses, (n) => tryPassword('project', wrong, { address: addressOf(n), more: pictures[n] ?? {} }))
    expect(await failuresOf(cast.project)).toBeLessThanOrEqual(loginRules.nameFailures)
    expect((await tryPassword('project', password, { address: '10.7.7.7', more: await withPicture() })).msg).toContain('密码输错次数过多')
  })

  test('of an SMS code: five are compared, then the right one is refused too', async () => {
    const { phonenumber } = await db.selectFrom('account').where('id', '=', cast.project.id).select('phonenumber').executeTakeFirstOrThrow()
    const device = deviceId()
    const smsCode = await codeFor('login', phonenumber ?? '', caller(null, 'zh-CN', '10.2.0.1', device))
    const guess = (code: string, n: number) =>
      caller(null, 'zh-CN', addressOf(n), device)(contract.messageLogin, { body: { phonenumber: phonenumber ?? '', smsCode: code } })
    const others = Array.from({ length: guesses }, (_, n) => String((Number(smsCode) + n + 1) % 1_000_000).padStart(6, '0'))
    const answers = await atOnce(guesses, (n) => guess(others[n] ?? '', n))
    expect(new Set(answers.filter(isTaken).map(({ msg }) => msg))).toEqual(new Set(['短信验证码错误或已失效']))
    expect(await failuresOf(cast.project)).toBe(smsRules.tries)
    expect((await guess(smsCode, 2000)).code).toBe(500)
  })

  test('of the present password in a session: five are checked', async () => {
    const until = new Date(monday.getTime() + 86_400_000)
    const tokens = await Promise.all(
      Array.from({ length: 50 }, () => insertSession({ db, now: until, address: '', agent: '' }, { accountId: cast.lessor.id })),
    )
    const answers = await atOnce(guesses, (n) =>
      caller(tokens[n % 50] ?? '')(contract.resetPassword, { body: { oldPassword: wrong, password: 'Neu@Neu99' } }),
    )
    expect(answers.filter(({ code }) => code === 422)).toHaveLength(loginRules.failures)
  })

  test('of a password by whoever found its session open, on as many devices as they name: five are checked, elsewhere included', async () => {
    const token = await insertSession({ db, now: monday, address: '', agent: '' }, { accountId: cast.lapsed.id })
    const guess = (device: string, secret: string) =>
      caller(token, 'zh-CN', '10.9.9.9', device)(contract.webLogin, { body: { username: 'lapsed', password: secret } })
    const answers = await atOnce(50, () => guess(deviceId(), wrong))
    expect(await db.selectFrom('signIn').where('accountId', '=', cast.lapsed.id).select('id').execute()).toHaveLength(loginRules.failures)
    expect(answers.filter(({ msg }) => msg.includes('密码输错次数过多'))).toHaveLength(50 - loginRules.failures + 1)
    expect((await guess(deviceId(), password)).msg).toContain('密码输错次数过多')
    const change = { oldPassword: password, password: 'Neu@Neu99' }
    expect((await caller(token)(contract.resetPassword, { body: change })).msg).toContain('密码输错次数过多')
  })

  test('of a code for signing: five are compared, then the right one is refused too', async () => {
    const { id } = await givenDraft()
    await send(cast.project, id)
    const right = await signCode(cast.lessor, id)
    const hash = await textHash(cast.lessor, id)
    const guess = (smsCode: string) => cast.lessor.call(confirmContract, { params: { id }, body: { smsCode, textHash: hash, ...account } })
    // Fewer than the writes that an account may send in a minute.
    const answers = await atOnce(200, (n) => guess(String((Number(right) + n + 1) % 1_000_000).padStart(6, '0')))
    expect(new Set(answers.filter(isTaken).map(({ code }) => code))).toEqual(new Set([500]))
    expect((await guess(right)).code).toBe(500)
    expect((await confirm(cast.lessor, id)).code).toBe(200)
  })

  test('of looks at contacts: fifty are given', async () => {
    const demands = [await world.givenDemand(), await world.givenDemand()]
    await db.updateTable('company').set({ contactPhone: '14400000009' }).where('id', '=', cast.lessor.companyId).execute()
    const until = new Date(monday.getTime() + 86_400_000)
    const tokens = await Promise.all(
      Array.from({ length: 50 }, () => insertSession({ db, now: until, address: '', agent: '' }, { accountId: cast.lessor2.id })),
    )
    // Of demands and of lessors together.
    const look = async (call: Person['call'], n: number): Promise<number> => {
      if (n % 3 === 2) return (await call(lookAtLessor, { params: { id: cast.lessor.companyId } })).code
      return (await call(lookAtContact, { params: { id: demands[n % 3]?.id ?? 0 } })).code
    }
    const codes = await atOnce(guesses, (n) => look(caller(tokens[n % 50] ?? ''), n))
    expect(codes.filter((code) => code === 200)).toHaveLength(50)
    // A slow machine turns some of them away as busy before it counts them.
    expect(codes.filter((code) => ![200, 429, 503].includes(code))).toEqual([])
    expect(codes).toContain(429)
  })
})

describe('a lock stops whoever guesses, not the owner', () => {
  test('who used up the tries is refused with the right password too, for ten minutes', async () => {
    await useUp('project')
    expect((await tryPassword('project', password)).msg).toBe('密码输错次数过多，10 分钟内不能用密码登录；可改用短信验证码登录')
    clock.set(new Date(monday.getTime() + 601_000))
    expect((await tryPassword('project', password)).code).toBe(200)
  })

  test('the ten minutes begin with the last of the tries, however slowly they came', async () => {
    for (let n = 1; n < loginRules.failures; n++) await tryPassword('project', wrong, { more: await withPicture() })
    clock.set(new Date(monday.getTime() + 540_000))
    await tryPassword('project', wrong, { more: await withPicture() })
    clock.set(new Date(monday.getTime() + 660_000))
    expect((await tryPassword('project', password)).msg).toContain('密码输错次数过多')
    clock.set(new Date(monday.getTime() + 1_141_000))
    expect((await tryPassword('project', password)).code).toBe(200)
  })

  test('the owner signs in from elsewhere, on a device of theirs or with an open session at the same address, and by SMS', async () => {
    const device = deviceId()
    expect((await tryPassword('project', password, { device })).code).toBe(200)
    await useUp('project')
    expect((await tryPassword('project', password)).code).toBe(500)
    expect((await tryPassword('project', password, { device })).code).toBe(200)
    const signedIn = caller(cast.project.token, 'zh-CN', '10.9.9.9')
    expect((await signedIn(contract.webLogin, { body: { username: 'project', password } })).code).toBe(200)
    expect((await tryPassword('project', password, { address: '10.3.3.3', more: await withPicture() })).code).toBe(200)
    const smsCode = await codeFor('login', '14400000002', caller(null, 'zh-CN', '10.9.9.9'))
    const { code } = await caller(null, 'zh-CN', '10.9.9.9')(contract.messageLogin, { body: { phonenumber: '14400000002', smsCode } })
    expect(code).toBe(200)
  })

  test('wrong names and passwords from many addresses do not stop a device of the owner, which has tries of its own', async () => {
    const device = deviceId()
    await tryPassword('project', password, { device })
    for (let n = 0; n < 6; n++) await useUp('project', addressOf(n))
    expect((await tryPassword('project', password, { address: '10.4.4.4', more: await withPicture() })).code).toBe(500)
    expect((await tryPassword('project', password, { device })).code).toBe(200)
    for (let n = 0; n < loginRules.deviceFailures; n++) await tryPassword('project', wrong, { device })
    expect((await tryPassword('project', password, { device })).code).toBe(500)
  })

  test('the device of somebody else, and one that an account signed in from before its password was reset, count as any other', async () => {
    const device = deviceId()
    await tryPassword('lessor', password, { device })
    await useUp('project')
    expect((await tryPassword('project', password, { device })).code).toBe(500)
    const smsCode = await codeFor('forget', '14400000005')
    await caller(
      null,
      'zh-CN',
      '10.9.9.9',
    )(contract.forgetPassword, {
      body: { phonenumber: '14400000005', smsCode, password: 'Xin@Mima9' },
    })
    expect(await db.selectFrom('device').where('accountId', '=', cast.lessor.id).select('accountId').execute()).toEqual([])
  })

  test('twenty wrong names ask everybody behind an address for a picture code, a hundred for a device of theirs or an SMS code', async () => {
    const device = deviceId()
    await tryPassword('lessor', password, { device })
    for (let n = 0; n < loginRules.captchaAfterAtAddress; n++) await tryPassword(`nobody${n}`, wrong)
    expect((await tryPassword('project', password)).data).toEqual({ captcha: true })
    expect((await tryPassword('project', password, { more: await withPicture() })).code).toBe(200)
    await db.deleteFrom('callLimit').execute()
    expect((await tryPassword('lessor', password, { device })).code).toBe(200)
    // Each try takes as long as a password takes to compare: all but the last of the hundred are written down as made.
    const ofAddress = db.updateTable('attempt').where('subject', 'is', null).where('tries', '>=', loginRules.captchaAfterAtAddress)
    const { numUpdatedRows } = await ofAddress.set({ tries: loginRules.addressFailures - 1 }).executeTakeFirst()
    expect(numUpdatedRows).toBe(1n)
    await tryPassword('nobody', wrong, { more: await withPicture() })
    expect((await tryPassword('project', password, { more: await withPicture() })).code).toBe(429)
    expect((await tryPassword('lessor', password, { device })).code).toBe(200)
  })

  test('calls that a neighbour makes do not count for a device that somebody signed in from', async () => {
    const device = deviceId()
    await tryPassword('project', password, { device })
    for (let n = 0; n < 70; n++) await tryPassword('nobody', wrong, { device: deviceId() })
    expect((await tryPassword('project', password)).code).toBe(429)
    expect((await tryPassword('project', password, { device })).code).toBe(200)
  })

  test('who mistypes on a device of theirs is asked for no picture', async () => {
    const device = deviceId()
    await tryPassword('project', password, { device })
    for (let n = 0; n <= loginRules.captchaAfter; n++) await tryPassword('project', wrong, { device })
    expect((await tryPassword('project', password, { device })).code).toBe(200)
  })

  test('the owner gets one message an hour about it, and an operator who unlocks the account forgets the tries', async () => {
    await useUp('project')
    await useUp('project', '10.5.5.5')
    expect((await messagesOf(cast.project)).filter((title) => title === '有人多次输错您的登录密码')).toHaveLength(1)
    const { data } = await cast.operator.call(getAccount, { params: { id: cast.project.id } })
    expect(data.lockedUntil).toBe('2026-11-23 10:10:00')
    await cast.operator.call(unlockAccount, { params: { id: cast.project.id }, body: { reason: '本人来电' } })
    expect((await tryPassword('project', password)).code).toBe(200)
  })
})

describe('a right password', () => {
  test('forgets the wrong ones of its person from there', async () => {
    for (let round = 0; round < 2; round++) {
      for (let n = 1; n < loginRules.failures; n++) await tryPassword('project', wrong, { more: await withPicture() })
      expect((await tryPassword('project', password, { more: await withPicture() })).code).toBe(200)
    }
  })

  test('is no try itself, however often it is given', async () => {
    for (let n = 0; n <= loginRules.nameFailures; n++)
      expect((await tryPassword('project', password, { address: addressOf(n) })).code).toBe(200)
  })

  test('leaves what others tried for the same name counted', async () => {
    const guess = async (n: number) => tryPassword('project', wrong, { address: addressOf(n), more: await withPicture() })
    for (let n = 1; n < loginRules.nameFailures; n++) await guess(n)
    expect((await tryPassword('project', password, { address: '10.7.1.1', more: await withPicture() })).code).toBe(200)
    await guess(loginRules.nameFailures)
    expect((await tryPassword('project', password, { address: '10.7.1.2', more: await withPicture() })).msg).toContain('密码输错次数过多')
  })
})

test('a name that exists gets the same answers as one that does not, try by try', async () => {
  const answers = async (name: string, address: string) => {
    const found = []
    for (let n = 0; n < 8; n++) {
      const { http, code, msg, raw } = await tryPassword(name, wrong, { address, more: n > 2 ? await withPicture() : {} })
      found.push({ http, code, msg, raw })
    }
    return found
  }
  expect(await answers('project', '10.6.0.1')).toEqual(await answers('nobody', '10.6.0.2'))
  // An erased account has no password to compare with either.
  await db.updateTable('account').set({ passwordHash: 'none' }).where('id', '=', cast.stranger.id).execute()
  expect(await answers('stranger', '10.6.0.3')).toEqual(await answers('nobody2', '10.6.0.4'))
})

test('a password is compared with as much work where there is none', async () => {
  const workOf = async (passwordHash: string | undefined) => {
    const before = process.cpuUsage()
    for (let n = 0; n < 5; n++) await isPassword(passwordHash, wrong)
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  const usual = await workOf(await hashPassword(password))
  for (const none of [undefined, 'none']) expect(await workOf(none)).toBeGreaterThan(usual / 3)
})

test('a number that an account has gets the same answer to a request for a code, while the provider is away too', async () => {
  const ask = async (phonenumber: string, type: 'login' | 'forget') => {
    const { uuid, answer } = await insertImageCode({ ...services, now: clock.now() }, type)
    const { http, raw } = await caller(null)(contract.validImageCode, { body: { phonenumber, code: answer, uuid, type } })
    return { http, raw }
  }
  world.sms.fails = true
  for (const type of ['login', 'forget'] as const) {
    expect(await ask('14400000003', type)).toEqual(await ask('14499999999', type))
    clock.set(new Date(clock.now().getTime() + 61_000))
  }
  world.sms.fails = false
  await expect.poll(async () => (await db.selectFrom('outbox').where('status', '=', '2').select('id').execute()).length).toBe(2)
})

describe('codes for a number that somebody signed in wants to have', () => {
  const ask = async (phonenumber: string, n = 1) => {
    const { uuid, answer } = await insertImageCode({ ...services, now: clock.now() }, 'phone')
    const call = caller(cast.stranger.token, 'zh-CN', addressOf(n))
    return call(contract.validImageCode, { body: { phonenumber, code: answer, uuid, type: 'phone' } })
  }

  test('are ten a day, whatever numbers and from wherever: at once as well', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(`1442233${1000 + n}`, n)))
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(smsRules.perDay)
    expect(answers.filter(({ code }) => code === 429)).toHaveLength(20 - smsRules.perDay)
    expect(letters).toHaveLength(smsRules.perDay)
  })

  test('are not counted where the provider refused them', async () => {
    world.sms.fails = true
    for (let n = 0; n < smsRules.perAddressHour; n++) expect((await ask('14422331000')).msg).toBe('短信发送失败，请稍后再试')
    world.sms.fails = false
    expect((await ask('14422331000')).code).toBe(200)
  })
})

test('a right SMS code that is sent many times at once signs in once', async () => {
  const phonenumber = '14400000002'
  const device = deviceId()
  const smsCode = await codeFor('login', phonenumber, caller(null, 'zh-CN', '10.2.1.1', device))
  const send = () => caller(null, 'zh-CN', '10.2.1.1', device)(contract.messageLogin, { body: { phonenumber, smsCode } })
  const answers = await Promise.all(Array.from({ length: smsRules.tries }, send))
  expect(answers.filter(({ code }) => code === 200)).toHaveLength(1)
})

describe('strangers cannot use up the SMS codes of a number', () => {
  const phonenumber = '14400000002'
  const ask = async (call: Person['call']) => {
    const { uuid, answer } = await insertImageCode({ ...services, now: clock.now() }, 'login')
    const { msg, code } = await call(contract.validImageCode, { body: { phonenumber, code: answer, uuid, type: 'login' } })
    clock.set(new Date(clock.now().getTime() + 61_000))
    return { msg, code }
  }

  test('nor its tries: a code belongs to the device that asked for it', async () => {
    const owner = caller(null, 'zh-CN', '10.8.0.1', deviceId())
    const smsCode = await codeFor('login', phonenumber, owner)
    const stranger = caller(null, 'zh-CN', '10.8.0.2', deviceId())
    for (let n = 0; n < 8; n++) await stranger(contract.messageLogin, { body: { phonenumber, smsCode: '000000' } })
    expect((await stranger(contract.messageLogin, { body: { phonenumber, smsCode } })).code).toBe(500)
    expect((await owner(contract.messageLogin, { body: { phonenumber, smsCode } })).code).toBe(200)
  })

  test('one address gets five a day, all strangers ten, and the owner has ten more', async () => {
    const device = deviceId()
    await tryPassword('project', password, { device })
    const here = caller(null, 'zh-CN', '10.8.1.1', deviceId())
    for (let n = 0; n < smsRules.perAddressDay; n++) expect((await ask(here)).code).toBe(200)
    expect((await ask(here)).msg).toBe(zhCn.refusal.sms_day_limit)
    const there = caller(null, 'zh-CN', '10.8.1.2', deviceId())
    for (let n = smsRules.perAddressDay; n < smsRules.perDay; n++) expect((await ask(there)).code).toBe(200)
    expect((await ask(caller(null, 'zh-CN', '10.8.1.3', deviceId()))).msg).toBe(zhCn.refusal.sms_day_limit)
    expect((await ask(caller(null, 'zh-CN', '10.8.1.3', device))).code).toBe(200)
    expect((await ask(cast.project.call)).code).toBe(200)
  })

  test('a dump shows neither the numbers and names that were tried nor the codes', async () => {
    const smsCode = await codeFor('login', phonenumber, caller(null, 'zh-CN', '10.8.2.1', deviceId()))
    for (const name of [phonenumber, 'project']) await tryPassword(name, wrong, { address: '10.8.2.9' })
    const { code: picture } = await withPicture()
    const rows = [
      ...(await db.selectFrom('smsCode').selectAll().execute()),
      ...(await db.selectFrom('attempt').selectAll().execute()),
      // Among the digits of hundreds of ids a code may stand by chance.
      ...(await db.selectFrom('imageCode').select(['type', 'answerHash', 'expiresAt']).execute()),
    ]
    const dump = JSON.stringify(rows, (_, value: unknown) =>
      value instanceof Object && 'data' in value ? Buffer.from(value.data as number[]).toString('latin1') : value,
    )
    for (const clear of [phonenumber, 'project', '10.8.2.9', smsCode, picture]) expect(dump).not.toContain(clear)
  })
})
