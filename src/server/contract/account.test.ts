import { afterAll, beforeEach, expect, test } from 'vitest'
import * as changeCalls from '#shared/contract/changes.ts'
import { getContract, getContractChain, getContractText } from '#shared/contract/contract.ts'
import { recordChecks, recordFault } from '#shared/contract/record.ts'
import { amendmentWordsOf } from '#shared/text/amendment-words.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { changeSteps, contractSteps, nameThem } from '#test/given-contract.ts'
import { whileHeld } from '#test/held-rows.ts'
import { readPdf } from '#test/read-pdf.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { applyDueAccounts } from './account.ts'
import { sha256 } from './digest.ts'

const world = await openWorld()
const { db, cast, clock, services } = world
const { givenContract, signCode, pass } = contractSteps(world)
const { read, propose, confirm } = changeSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const clerk = await world.givenPerson({ userType: '4', companyId: cast.lessor.companyId, certSign: 1 }, 'accountclerk')
const settler = await world.givenPerson({ userType: '4', companyId: cast.lessor.companyId, certSign: 1 }, 'accountsettler')
const terms = { kind: 'account', bankName: '中国建设银行成都分行', bankAccount: '6217000000000000001' }

/** A contract whose lessor has named who signs and settles, and whose new account waits its day. */
async function givenWaiting() {
  const { id } = await givenContract()
  const { bankAccount: present } = await read(id)
  const persons = [
    { task: 'signer', accountId: cast.lessor.id },
    { task: 'settler', accountId: settler.id },
  ]
  await nameThem(cast.lessor, id, persons)
  const { data, msg } = await propose(cast.lessor, id, terms, { smsCode: await signCode(cast.lessor, id, terms) })
  if (!data?.id) throw new Error(msg)
  expect((await confirm(cast.project, data.id)).code).toBe(200)
  return { id, changeId: data.id, present }
}
const stop = (who: Person, id: number, answer = '不是我方提出的') =>
  who.call(changeCalls.stopContractChange, { params: { id }, body: { answer } })
const mayOf = async (who: Person, id: number) => (await who.call(changeCalls.listContractChanges, { params: { id } })).data[0]?.may
const sentTo = async () =>
  (await db.selectFrom('outbox').where('template', '=', 'notice').orderBy('accountId').select(['accountId', 'content']).execute()).filter(
    ({ content }) => content.includes('收款账户'),
  )

test('a new bank account that waits its day is stopped with a reason: the present one stays, both sides get an SMS, and the chain holds it', async () => {
  const { id, changeId, present } = await givenWaiting()
  await db.deleteFrom('outbox').execute()
  pass(23 * 3600)
  expect(await mayOf(cast.project, id)).toEqual(['stop'])
  expect((await stop(cast.project, changeId, '')).code).toBe(422)
  expect((await stop(cast.project, changeId)).code).toBe(200)
  expect((await sentTo()).map(({ accountId, content }) => [accountId, content.includes('已叫停')])).toEqual(
    [cast.project.id, cast.lessor.id, settler.id].toSorted((a, b) => a - b).map((accountId) => [accountId, true]),
  )
  pass(25 * 3600)
  expect(await applyDueAccounts(services)).toBe(0)
  expect((await read(id)).bankAccount).toBe(present)
  const [change] = (await cast.lessor.call(changeCalls.listContractChanges, { params: { id } })).data
  expect([change?.status, change?.answer, change?.effectiveAt, change?.may]).toEqual(['5', '不是我方提出的', null, []])
  const { events } = (await cast.lessor.call(getContract, { params: { id } })).data
  expect(events[0]).toMatchObject({ move: 'changeStop', side: 'lessee', note: '不是我方提出的' })
  const pages = await readPdf((await cast.lessor.call(changeCalls.printContractChange, { params: { id: changeId } })).bytes)
  const print = pages.map(({ body }) => body).join('')
  expect([print.includes('叫停原因不是我方提出的'), print.includes('对方答复')]).toEqual([true, false])
  const { data: record } = await cast.lessor.call(getContractChain, { params: { id } })
  expect(await recordFault(record, recordChecks, sha256)).toBeNull()
  // Another one can be proposed.
  const again = await propose(cast.lessor, id, terms, { smsCode: await signCode(cast.lessor, id, terms) })
  expect(again.code).toBe(200)
})

test('a signer or an administrator of either side stops it; nobody else, nothing else, and not after it holds', async () => {
  const { id, changeId } = await givenWaiting()
  expect(await mayOf(clerk, id)).toEqual([])
  const refused = await stop(clerk, changeId)
  expect([refused.code, refused.msg]).toEqual([403, zhCn.refusal.contract_not_signer])
  for (const who of [cast.stranger, cast.lessor2, cast.operator]) expect((await stop(who, changeId)).code).toBeGreaterThanOrEqual(403)
  // An administrator, though they are not named to sign.
  const persons = [{ task: 'signer', accountId: clerk.id }]
  expect((await nameThem(cast.lessor, id, persons)).code).toBe(200)
  expect(await mayOf(cast.lessor, id)).toEqual(['stop'])
  expect((await stop(cast.lessor, changeId)).code).toBe(200)
  expect((await stop(cast.lessor, changeId)).code).toBe(409)

  const held = await givenWaiting()
  pass(24 * 3600 + 1)
  expect((await stop(cast.project, held.changeId)).code).toBe(409)
  await applyDueAccounts(services)
  expect((await stop(cast.project, held.changeId)).code).toBe(409)
  expect((await read(held.id)).bankAccount).toBe(terms.bankAccount)

  const [line] = (await read(held.id)).lines
  const price = await propose(cast.project, held.id, { kind: 'price', lines: [{ lineId: line?.id, value: '1' }] })
  expect((await confirm(cast.lessor, price.data.id)).code).toBe(200)
  expect((await stop(cast.project, price.data.id)).code).toBe(409)
})

test('of a stop and the clock at the same moment the first wins, whichever it is, and the account is that of the winner', async () => {
  for (const isStopFirst of [true, false]) {
    const { id, changeId, present } = await givenWaiting()
    await db
      .updateTable('contractChange')
      .set({ effectiveAt: new Date(clock.now().getTime() + 1000) })
      .where('id', '=', changeId)
      .execute()
    const later = { ...services, clock: { now: () => new Date(clock.now().getTime() + 2000) } }
    const [stopping, applying] = [async () => (await stop(cast.project, changeId)).code, () => applyDueAccounts(later)]
    const answers = await whileHeld(db, 'contract', isStopFirst ? [stopping, applying] : [applying, stopping])
    expect(answers).toEqual(isStopFirst ? [200, 0] : [1, 409])
    expect((await read(id)).bankAccount).toBe(isStopFirst ? present : terms.bankAccount)
  }
})

test('the lessee is asked to verify a proposed account by a telephone number that they knew before: the contract has none', async () => {
  const { id } = await givenContract()
  const { data } = await propose(cast.lessor, id, terms, { smsCode: await signCode(cast.lessor, id, terms) })
  const [change] = (await cast.project.call(changeCalls.listContractChanges, { params: { id } })).data
  expect(change?.id).toBe(data.id)
  const told = await db
    .selectFrom('message')
    .where('kind', '=', 'contractAccountAsked')
    .where('accountId', '=', cast.project.id)
    .select('content')
    .execute()
  const warnings = [told.find(({ content }) => content.includes(change?.changeCode ?? ''))?.content, amendmentWordsOf(zhCn).accountWarn]
  for (const warning of warnings) expect(warning).toContain('请先用此前已知的电话')
  const { text } = (await cast.project.call(getContractText, { params: { id } })).data
  expect(text).not.toContain('电话')
})

test('the administrators, signers and settlers of the lessor get an SMS when another account is proposed, confirmed and in force, whatever they have chosen', async () => {
  const { id } = await givenContract()
  const persons = [{ task: 'settler', accountId: settler.id }]
  await nameThem(cast.lessor, id, persons)
  await db.deleteFrom('outbox').execute()
  const { data } = await propose(cast.lessor, id, terms, { smsCode: await signCode(cast.lessor, id, terms) })
  expect((await confirm(cast.project, data.id)).code).toBe(200)
  pass(24 * 3600 + 1)
  await applyDueAccounts(services)
  const own = (await sentTo()).filter(({ accountId }) => accountId !== cast.project.id)
  const words = ['本方要求变更收款账户', '本方收款账户将变更', '本方收款账户已变更']
  for (const word of words)
    expect(own.filter(({ content }) => content.includes(word)).map(({ accountId }) => accountId)).toEqual(
      [cast.lessor.id, settler.id].toSorted((a, b) => a - b),
    )
  expect(own).toHaveLength(6)
})
