import { afterAll, beforeEach, expect, test } from 'vitest'
import { getImageCode, getUserInfo, logout, updateNickname, webLogin } from '#shared/account/contract.ts'
import { monday, openWorld, password, passwordHash } from '#test/world.ts'
import { insertImageCode } from './codes.ts'

const world = await openWorld()
const { db, cast, clock } = world
const { secret } = world.services
afterAll(() => world.close())

beforeEach(async () => {
  clock.set(monday)
  await db.updateTable('account').set({ passwordHash }).execute()
  await db.deleteFrom('attempt').execute()
})
const signIn = (username: string, typed = password, more: object = {}) =>
  cast.visitor.call(webLogin, { body: { username, password: typed, ...more } })

test('[S4.2][S7.1] a password signs in: a token, minutes, certSign and auditStatus', async () => {
  const { code, data } = await signIn('project')
  expect(code).toBe(200)
  expect(data).toMatchObject({ access_token: expect.stringMatching(/^[\w-]{43}$/), expires_in: 720, certSign: 3, auditStatus: 2 })
  const byPhone = await cast.visitor.call(webLogin, { body: { phonenumber: '14400000002', password } })
  expect(byPhone.code).toBe(200)
})

test('[S7.2] the token is taken bare, with Bearer, and the path with or without /prod-api', async () => {
  const { data } = await signIn('project')
  for (const url of ['/prod-api/system/user/foregroundGetInfo', '/system/user/foregroundGetInfo'])
    for (const prefix of ['', 'Bearer '])
      expect((await world.send({ method: 'GET', url, headers: { authorization: prefix + data.access_token } })).code).toBe(200)
})

test('only a hash of the token is stored', async () => {
  const { data } = await signIn('project')
  const rows = await db.selectFrom('session').select('tokenHash').execute()
  expect(rows.some(({ tokenHash }) => tokenHash.toString('latin1').includes(data.access_token))).toBe(false)
})

test('[S3.1] the current user carries every field of the specification, at the top level and under data', async () => {
  const { raw, data } = await cast.project.call(getUserInfo, {})
  expect(raw).toMatchObject({ code: 200, roles: ['projectUser'], permissions: expect.arrayContaining(['demand:edit']), user: data.user })
  expect(data.user).toMatchObject({
    userName: 'project',
    nickName: 'project',
    phonenumber: '14400000002',
    deptId: world.depts.projectDept,
    dept: { deptId: world.depts.projectDept, deptName: '渝昌高铁5标', name: '渝昌高铁5标', leader: '' },
    name: 'project甲',
    createTime: '2026-11-23 10:00:00',
    userType: '3',
    isAdmin: false,
  })
})

test('[S3.1] before certification: the product’s name, 待认证, 待补充, userType "1"; in English too', async () => {
  const { data } = await cast.newcomer.call(getUserInfo, {})
  expect(data).toMatchObject({
    roles: [],
    permissions: [],
    user: { nickName: '筑机通', name: '待补充', userType: '1', dept: { deptName: '待认证', name: '待认证' } },
  })
  const english = await world.caller(cast.newcomer.token, 'en-US')(getUserInfo, {})
  expect(english.data.user).toMatchObject({ nickName: 'Zhujitong', name: 'To be completed' })
})

test('the platform’s own people are not shown as waiting for a certification', async () => {
  const { data } = await cast.operator.call(getUserInfo, {})
  expect(data.user.dept).toMatchObject({ deptName: '筑机通', name: '筑机通' })
})

test('after two failures a picture code is asked for, and serves once, in time and for its type only', async () => {
  await signIn('project', 'Wrong@2026')
  expect((await signIn('project', 'Wrong@2026')).data).toEqual({ captcha: true })
  expect((await signIn('project')).msg).toBe('请输入图形验证码')
  const { uuid, answer } = await insertImageCode({ db, secret, now: monday }, 'login')
  expect((await signIn('project', password, { uuid, code: 'zzzz' })).msg).toBe('验证码错误或已失效')
  expect((await signIn('project', password, { uuid, code: answer })).msg).toBe('验证码错误或已失效')
  const late = await insertImageCode({ db, secret, now: new Date(monday.getTime() - 121_000) }, 'login')
  expect((await signIn('project', password, { uuid: late.uuid, code: late.answer })).code).toBe(500)
  const other = await insertImageCode({ db, secret, now: monday }, 'contact')
  expect((await signIn('project', password, { uuid: other.uuid, code: other.answer })).code).toBe(500)
  const good = await insertImageCode({ db, secret, now: monday }, 'login')
  expect((await signIn('project', password, { uuid: good.uuid, code: good.answer.toLowerCase() })).code).toBe(200)
})

test('[S4.3] signing out ends the session on the server; without a valid token it answers 200 too', async () => {
  const { data } = await signIn('project')
  const call = world.caller(data.access_token)
  expect((await call(logout, {})).code).toBe(200)
  expect((await call(getUserInfo, {})).code).toBe(401)
  expect((await call(logout, {})).code).toBe(200)
})

test('[S9.4] a session ends after its minutes; a switched-off or erased account at once', async () => {
  const { data } = await signIn('project')
  clock.set(new Date(monday.getTime() + 719 * 60_000))
  expect((await world.caller(data.access_token)(getUserInfo, {})).code).toBe(200)
  await db.updateTable('account').set({ status: '1' }).where('userName', '=', 'project').execute()
  expect((await world.caller(data.access_token)(getUserInfo, {})).code).toBe(401)
  await db.updateTable('account').set({ status: '0', delFlag: '2' }).where('userName', '=', 'project').execute()
  expect((await world.caller(data.access_token)(getUserInfo, {})).code).toBe(401)
  await db.updateTable('account').set({ delFlag: '0' }).where('userName', '=', 'project').execute()
  clock.set(new Date(monday.getTime() + 721 * 60_000))
  expect((await world.caller(data.access_token)(getUserInfo, {})).code).toBe(401)
})

test('[S7.1] GET /code: uuid, img without prefix and mime at the top level', async () => {
  const { raw } = await cast.visitor.call(getImageCode, { query: { type: 'login' } })
  expect(raw).toMatchObject({ code: 200, captchaEnabled: true, uuid: expect.any(String), mime: 'image/png' })
  expect(Buffer.from(String(raw.img), 'base64').subarray(1, 4).toString()).toBe('PNG')
})

test('[S7.2] the display name can be changed', async () => {
  expect((await cast.project.call(updateNickname, { body: { nickName: ' 机料部甲 ' } })).code).toBe(200)
  expect((await cast.project.call(getUserInfo, {})).data.user.nickName).toBe('机料部甲')
})

test('[S3.1][S7.2] who changes their display name before certification is shown by it instead of the product’s name', async () => {
  const nickName = async () => (await cast.newcomer.call(getUserInfo, {})).data.user.nickName
  expect(await nickName()).toBe('筑机通')
  expect((await cast.newcomer.call(updateNickname, { body: { nickName: '老赵' } })).code).toBe(200)
  expect(await nickName()).toBe('老赵')
})
