import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '#shared/account/contract.ts'
import { sendSignCode } from '#shared/contract/moves.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { quoteStatus } from '#shared/quote/rules.ts'
import { deviceId } from '#test/device-id.ts'
import { contractSteps } from '#test/given-contract.ts'
import { inTransaction, whileChanging } from '#test/held-rows.ts'
import { smsCodes } from '#test/sms-codes.ts'
import { monday, openWorld, password, passwordHash } from '#test/world.ts'
import type { Tx } from '../db/connect.ts'
import { flushOutbox } from '../outbox/queries.ts'
import { contactOf, sealContact } from '../seal/contacts.ts'
import { erase } from './cancellation.ts'
import { deviceHash } from './devices.ts'
import { insertSession } from './sessions.ts'

const world = await openWorld()
const { db, cast, clock, caller, letters, services } = world
afterAll(() => world.close())
const { codeFor } = smsCodes(world)
const { givenDraft, send, textHash, account } = contractSteps(world)

beforeEach(async () => {
  clock.set(monday)
  await db.updateTable('account').set({ passwordHash }).execute()
  for (const table of ['attempt', 'device', 'smsCode', 'message', 'callLimit'] as const) await db.deleteFrom(table).execute()
})

const signIn = async (username: string, { device = '' } = {}) =>
  (await caller(null, 'zh-CN', '10.1.1.1', device)(contract.webLogin, { body: { username, password } })).data?.access_token

describe('a changed number', () => {
  const numberOf = async (id: number) =>
    (await db.selectFrom('account').where('id', '=', id).select('phonenumber').executeTakeFirstOrThrow()).phonenumber ?? ''
  const changeNumber = async (phonenumber: string, call = cast.lessor2.call) => {
    const smsCode = await codeFor('phone', phonenumber, call)
    return call(contract.resetPhoneNumber, { body: { password, phonenumber, smsCode } })
  }

  test('is told to its owner, and to the old number by SMS at once', async () => {
    const [before, next] = [await numberOf(cast.lessor2.id), '14433330008']
    expect((await changeNumber(next)).code).toBe(200)
    expect((await cast.lessor2.call(listOwnMessages, {})).data.rows).toMatchObject([
      { title: '手机号已更换', systemSubject: '账号安全通知' },
    ])
    expect(letters.at(-1)).toEqual({ phonenumber: before, template: 'notice', params: [['title', '手机号已更换为144****0008']] })
  })

  test('is told to the old number later where the provider was away', async () => {
    const [before, next] = [await numberOf(cast.lessor2.id), '14433330018']
    const smsCode = await codeFor('phone', next, cast.lessor2.call)
    services.sms.fails = true
    expect((await cast.lessor2.call(contract.resetPhoneNumber, { body: { password, phonenumber: next, smsCode } })).code).toBe(200)
    services.sms.fails = false
    expect(letters.at(-1)?.phonenumber).toBe(next)
    await flushOutbox(services)
    expect(letters.at(-1)).toMatchObject({ phonenumber: before, params: [['title', '手机号已更换为144****0018']] })
  })

  test('ends the other sessions and forgets the other devices', async () => {
    const [here, there] = [deviceId(), deviceId()]
    const token = await signIn('otherproject', { device: here })
    const elsewhere = caller((await signIn('otherproject', { device: there })) ?? '')
    expect((await changeNumber('14433330028', caller(token ?? ''))).code).toBe(200)
    expect((await elsewhere(contract.getUserInfo, {})).code).toBe(401)
    expect((await caller(token ?? '')(contract.getUserInfo, {})).code).toBe(200)
    const known = await db.selectFrom('device').where('accountId', '=', cast.otherProject.id).select('deviceHash').execute()
    expect(known.map((row) => row.deviceHash.toString('hex'))).toEqual([
      deviceHash(services.secret, { device: here, agent: '' }).toString('hex'),
    ])
  })

  test('is the contact wherever the old one was, in a sealed quote as well, and whoever is erased then is found by it', async () => {
    const { companyId } = cast.lessor2
    const person = await world.givenPerson({ userType: '4', certSign: 1, companyId }, 'carried')
    await db.updateTable('account').set({ passwordHash }).where('id', '=', person.id).execute()
    const contact = { contactName: '丙联系', contactPhone: await numberOf(person.id) }
    await db.updateTable('company').set(contact).where('id', '=', companyId).execute()
    const quoteIds: number[] = []
    for (const isOpen of [false, true]) {
      const demand = await world.givenDemand()
      const { id } = await world.givenQuote(person, demand, [await world.givenMachine(companyId)])
      const sealedContact = sealContact(services.secret, demand.id, { ...contact, validUntil: '2027-06-30' })
      const columns = isOpen ? { ...contact, sealedContact: null } : { sealedContact }
      await db
        .updateTable('quote')
        .set({ ...columns, status: quoteStatus.withdrawn })
        .where('id', '=', id)
        .execute()
      quoteIds.push(id)
    }
    const contacts = async () => {
      const quotes = await db
        .selectFrom('quote')
        .where('id', 'in', quoteIds)
        .orderBy('id')
        .select(['demandId', 'sealedContact', 'contactName', 'contactPhone', 'validUntil'])
        .execute()
      const company = await db.selectFrom('company').where('id', '=', companyId).select('contactPhone').executeTakeFirstOrThrow()
      return [...quotes.map((quote) => contactOf(services.secret, quote)), company].map(({ contactPhone }) => contactPhone)
    }
    const next = '14433330048'
    expect((await changeNumber(next, person.call)).code).toBe(200)
    expect(await contacts()).toEqual([next, next, next])
    await inTransaction(db, (tx) => erase({ db: tx, secret: services.secret, now: clock.now() }, person.id))
    expect(await contacts()).not.toContain(next)
    expect((await contacts()).slice(0, 2)).toEqual(['', ''])
  })

  test.each([
    [demandStatus.quoting, '14433330058'],
    [demandStatus.reviewing, '14433330068'],
  ])(
    'waits for a bar of the lessor that ends a quote of theirs, and holds nothing for which the bar would wait: demand %s',
    async (status, next) => {
      const { companyId } = cast.lessor2
      const person = await world.givenPerson({ userType: '4', certSign: 1, companyId }, `barred${status}`)
      await db.updateTable('account').set({ passwordHash }).where('id', '=', person.id).execute()
      const demand = await world.givenDemand()
      const { id } = await world.givenQuote(person, demand, [await world.givenMachine(companyId)])
      await db.updateTable('demand').set({ status }).where('id', '=', demand.id).execute()
      const smsCode = await codeFor('phone', next, person.call)
      const barring = {
        begin: async (tx: Tx) => {
          await tx.selectFrom('demand').where('id', '=', demand.id).forUpdate().select('id').execute()
          await tx.updateTable('quote').set({ status: quoteStatus.disqualified }).where('id', '=', id).execute()
        },
        end: (tx: Tx) => tx.selectFrom('company').where('id', '=', companyId).forNoKeyUpdate().noWait().select('id').execute(),
      }
      const change = () => person.call(contract.resetPhoneNumber, { body: { password, phonenumber: next, smsCode } })
      expect((await whileChanging<{ code: number }>(db, barring, [change])).map(({ code }) => code)).toEqual([200])
    },
  )

  test('signs nothing for 24 hours: no code goes to it, and the refusal says until when', async () => {
    const { id } = await givenDraft()
    await send(cast.project, id)
    const hash = await textHash(cast.lessor, id)
    await db.deleteFrom('smsCode').execute()
    await db.deleteFrom('callLimit').execute()
    const ask = (by = cast.lessor.call) => by(sendSignCode, { params: { id }, body: { purpose: 'confirm', textHash: hash, ...account } })
    clock.set(new Date('2026-11-27T02:00:20Z'))
    // The sessions of the cast end with the change; this one makes it and stays.
    const here = caller(await insertSession({ db, now: clock.now(), address: '', agent: '' }, { accountId: cast.lessor.id }))
    expect((await changeNumber('14433330038', here)).code).toBe(200)
    const refused = await ask(here)
    expect(refused.msg).toBe('手机号登记或更换后 24 小时内不能获取签约验证码，请在 2026-11-28 10:02 之后再试')
    const english = await caller(null, 'en-US')(contract.webLogin, { body: { username: 'lessor', password } })
    const inEnglish = await ask(caller(english.data.access_token, 'en-US'))
    expect(inEnglish.msg).toBe(
      'No code to sign is sent for 24 hours after a number is added or changed. Please try again after 2026-11-28 10:02.',
    )
    expect(letters.some(({ template, phonenumber }) => template === 'signCode' && phonenumber === '14433330038')).toBe(false)
    clock.set(new Date('2026-11-28T02:02:00Z'))
    const { data } = await caller(null)(contract.webLogin, { body: { username: 'lessor', password } })
    expect((await ask(caller(data.access_token))).code).toBe(200)
    expect(letters.at(-1)).toMatchObject({ template: 'signCode', phonenumber: '14433330038' })
  })
})
