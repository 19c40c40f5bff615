import { afterAll, beforeEach, expect, test } from 'vitest'
import * as contract from '#shared/account/contract.ts'
import { editStaff, getAccount, lockAccount, unlockAccount } from '#shared/account/manage.ts'
import { loginRules } from '#shared/account/rules.ts'
import { deviceId } from '#test/device-id.ts'
import { whileChanging } from '#test/held-rows.ts'
import { monday, openWorld, password, passwordHash, type Person } from '#test/world.ts'
import { lockAdmins, operators } from '../actor/last-admin.ts'
import type { Tx } from '../db/connect.ts'
import { insertImageCode } from './codes.ts'
import { insertSession } from './sessions.ts'

const world = await openWorld()
const { db, cast, clock, services, caller } = world
afterAll(() => world.close())

const wrong = 'Wrong@2026'
const mistyped = '密码输错次数过多'
beforeEach(async () => {
  clock.set(monday)
  await db.updateTable('account').set({ passwordHash }).execute()
  await db.deleteFrom('attempt').execute()
})

async function tryPassword(secret: string, { address = '10.9.9.9', device = '' }) {
  const { uuid, answer: code } = await insertImageCode({ ...services, now: clock.now() }, 'login')
  return caller(null, 'zh-CN', address, device)(contract.webLogin, { body: { username: 'project', password: secret, uuid, code } })
}
const fromNetworks = async (tries: number) => {
  for (let n = 0; n < tries; n++) await tryPassword(wrong, { address: `10.1.1.${n}` })
}
const lockedUntil = async ({ id }: Person) => (await cast.operator.call(getAccount, { params: { id } })).data.lockedUntil
const unlock = ({ id }: Person) => cast.operator.call(unlockAccount, { params: { id }, body: { reason: '本人来电' } })

test('an operator sees a lock once the limit of a device or of all networks together is reached, and not before', async () => {
  const device = deviceId()
  expect((await tryPassword(password, { device })).code).toBe(200)
  await fromNetworks(loginRules.failures)
  for (let n = 0; n < loginRules.failures; n++) await tryPassword(wrong, { device })
  expect(await lockedUntil(cast.project)).toBeNull()
  for (let n = loginRules.failures; n < loginRules.deviceFailures; n++) await tryPassword(wrong, { device })
  expect(await lockedUntil(cast.project)).toBe('2026-11-23 10:10:00')
  await unlock(cast.project)
  expect(await lockedUntil(cast.project)).toBeNull()
  expect((await tryPassword(password, { device })).code).toBe(200)
  await fromNetworks(loginRules.nameFailures)
  expect(await lockedUntil(cast.project)).toBe('2026-11-23 10:10:00')
})

test('whoever mistyped their present password within a session is seen and unlocked as well', async () => {
  const call = caller(await insertSession({ db, now: monday, address: '', agent: '' }, { accountId: cast.lapsed.id }))
  const change = (oldPassword: string) => call(contract.resetPassword, { body: { oldPassword, password: 'Neu@Neu99' } })
  for (let n = 0; n < loginRules.failures; n++) await change(wrong)
  expect((await change(password)).msg).toContain(mistyped)
  expect(await lockedUntil(cast.lapsed)).toBe('2026-11-23 10:10:00')
  await unlock(cast.lapsed)
  expect(await lockedUntil(cast.lapsed)).toBeNull()
  expect((await change(password)).code).toBe(200)
})

test('whoever edits or locks an operator waits for the end of another one and holds nothing for which it would wait', async () => {
  const { id } = cast.clerk
  const { version } = await db.selectFrom('account').where('id', '=', id).select('version').executeTakeFirstOrThrow()
  const erasing = {
    begin: (tx: Tx) => lockAdmins(tx, operators),
    end: (tx: Tx) => tx.selectFrom('account').where('id', '=', id).forNoKeyUpdate().noWait().select('id').execute(),
  }
  const answers = await whileChanging<{ code: number }>(db, erasing, [
    () => cast.operator.call(editStaff, { body: { userId: id, version, name: '平台', userType: '9', duties: ['system'] } }),
    () => cast.operator.call(lockAccount, { params: { id }, body: { reason: '例行核查' } }),
  ])
  expect(answers.map(({ code }) => code)).toEqual([200, 200])
})
