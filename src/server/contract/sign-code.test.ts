import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { smsRules } from '#shared/account/rules.ts'
import { dayMs, minuteMs } from '#shared/calendar.ts'
import { proposeContractChange } from '#shared/contract/changes.ts'
import { confirmContract, sendContract, sendSignCode } from '#shared/contract/moves.ts'
import { addPerson } from '#shared/person/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { contractSteps } from '#test/given-contract.ts'
import { smsCodes } from '#test/sms-codes.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { insertSession } from '../account/sessions.ts'

const world = await openWorld()
const { db, cast, clock, letters } = world
const { codeFor } = smsCodes(world)
const { givenContract, givenDraft, send, confirm, signCode, textHash, account } = contractSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

describe('a code for signing', () => {
  const ask = (id: number, hash: string) =>
    cast.lessor.call(sendSignCode, { params: { id }, body: { purpose: 'confirm', textHash: hash, ...account } })
  const over = async (call: () => Promise<{ code: number; msg: string; data: unknown }>) => {
    const { code, msg, data } = await call()
    return [code, msg, data]
  }
  const aMinuteOn = () => clock.set(new Date(clock.now().getTime() + 61_000))

  test('is asked for ten times a day for a contract, and the next contract has its own; other codes are not used up', async () => {
    const [first, second] = [await givenDraft(), await givenDraft()]
    for (const { id } of [first, second]) await send(cast.project, id)
    await db.deleteFrom('smsCode').execute()
    await db.deleteFrom('callLimit').execute()
    const hash = await textHash(cast.lessor, first.id)
    const codes: number[] = []
    for (let n = 0; n < smsRules.signPerContract + 2; n++) {
      aMinuteOn()
      codes.push((await ask(first.id, hash)).code)
    }
    expect(codes).toEqual([...Array<number>(smsRules.signPerContract).fill(200), 500, 500])
    aMinuteOn()
    expect((await ask(second.id, hash)).code).toBe(200)
    aMinuteOn()
    const { phonenumber } = await db.selectFrom('account').where('id', '=', cast.lessor.id).select('phonenumber').executeTakeFirstOrThrow()
    // Asked for by the owner, as those for signing are.
    await codeFor('forget', phonenumber ?? '', cast.lessor.call)
    expect(letters.at(-1)?.template).toBe('code')
  })

  test('goes to the number of somebody whom an administrator added only a day later', async () => {
    const { id } = await givenDraft()
    await send(cast.project, id)
    const added = clock.now()
    const body = { name: '新同事', phonenumber: '14477009801', deptIds: [] }
    const { userId } = (await cast.lessor.call(addPerson, { body })).data
    await db.updateTable('account').set({ mustChangePassword: false }).where('id', '=', userId).execute()
    const until = new Date(added.getTime() + dayMs + minuteMs)
    const newcomer = world.caller(await insertSession({ db, now: until, address: '', agent: '' }, { accountId: userId }))
    const asked = { params: { id }, body: { purpose: 'confirm', textHash: await textHash(cast.lessor, id), ...account } } as const
    clock.set(new Date(added.getTime() + dayMs - minuteMs))
    expect((await newcomer(sendSignCode, asked)).msg).toContain('手机号登记或更换后 24 小时内不能获取签约验证码')
    clock.set(until)
    expect((await newcomer(sendSignCode, asked)).code).toBe(200)
    expect(letters.at(-1)).toMatchObject({ template: 'signCode', phonenumber: body.phonenumber })
  })

  test('signs the text it was asked for and no other, in the contract and for the step it was asked for', async () => {
    const [first, second] = [await givenDraft(), await givenDraft()]
    for (const { id } of [first, second]) await send(cast.project, id)
    const code = await signCode(cast.lessor, first.id)
    const letter = letters.findLast(({ template }) => template === 'signCode')
    const { contractCode } = await db.selectFrom('contract').where('id', '=', first.id).select('contractCode').executeTakeFirstOrThrow()
    expect(letter?.params).toEqual([
      ['code', code],
      ['title', `${contractCode}确认0123`],
    ])
    const sign = async (id: number, hash: string) =>
      (await cast.lessor.call(confirmContract, { params: { id }, body: { smsCode: code, textHash: hash, ...account } })).code
    const hashes = [await textHash(cast.lessor, first.id), await textHash(cast.lessor, second.id)] as const
    expect(await sign(second.id, hashes[1])).toBe(500)
    expect(await sign(first.id, hashes[1])).toBe(500)
    const named = { bankName: account.bankName, bankAccount: '6217000000000000001' }
    const change = { fromDay: '2026-12-10', reason: '换账户', terms: { kind: 'account', ...named }, smsCode: code }
    expect((await cast.lessor.call(proposeContractChange, { params: { id: first.id }, body: change })).code).toBe(500)
    expect(await sign(first.id, hashes[0])).toBe(200)
  })

  test('that has put a contract in force is not called wrong when its call is repeated: the contract has changed', async () => {
    const { id } = await givenDraft()
    const sending = { smsCode: await signCode(cast.project, id), textHash: await textHash(cast.project, id) }
    const sent = () => cast.project.call(sendContract, { params: { id }, body: sending })
    expect([(await sent()).code, await over(sent)]).toEqual([200, [409, zhCn.refusal.contract_changed, null]])
    const confirming = { smsCode: await signCode(cast.lessor, id), textHash: await textHash(cast.lessor, id), ...account }
    const confirmed = () => cast.lessor.call(confirmContract, { params: { id }, body: confirming })
    expect([(await confirmed()).code, await over(confirmed)]).toEqual([200, [409, zhCn.refusal.contract_changed, null]])
    const named = { bankName: account.bankName, bankAccount: '6217000000000000001' }
    const change = { fromDay: '2026-12-10', reason: '换账户', terms: { kind: 'account', ...named } }
    const body = { ...change, smsCode: await signCode(cast.lessor, id, named) }
    const proposed = () => cast.lessor.call(proposeContractChange, { params: { id }, body })
    expect([(await proposed()).code, await over(proposed)]).toEqual([200, [409, zhCn.refusal.change_open, null]])
  })

  test('is sent only for a step that the contract has before it', async () => {
    const { id } = await givenDraft()
    const hash = await textHash(cast.project, id)
    const named = { bankName: account.bankName, bankAccount: '6217000000000000001' }
    const codeOf = async (who: Person, signing: object) => {
      aMinuteOn()
      return (await who.call(sendSignCode, { params: { id }, body: signing })).code
    }
    const codes = async () => [
      await codeOf(cast.project, { purpose: 'send', textHash: hash }),
      await codeOf(cast.lessor, { purpose: 'confirm', textHash: hash, ...account }),
      await codeOf(cast.lessor, { purpose: 'account', ...named }),
    ]
    // The lessor does not see a draft.
    expect(await codes()).toEqual([200, 404, 404])
    await send(cast.project, id)
    expect(await codes()).toEqual([409, 200, 409])
    await confirm(cast.lessor, id)
    expect(await codes()).toEqual([409, 409, 200])
  })

  test('names in its SMS what it signs, a bank account by its last four digits, in the 20 characters that a provider takes', async () => {
    const { id } = await givenContract()
    await signCode(cast.lessor, id, { bankName: account.bankName, bankAccount: '6217000000000004321' })
    expect(letters.at(-1)?.params.at(-1)?.[1]).toMatch(/^HT20\d{10}.*4321$/)
    for (const title of Object.values(zhCn.contract.pages.signs))
      expect([...title('HT202612080001', '4321')].length).toBeLessThanOrEqual(20)
  })
})
