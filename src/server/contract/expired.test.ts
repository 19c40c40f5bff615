import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { getUserInfo } from '#shared/account/contract.ts'
import { certificationMoves } from '#shared/certification/rules.ts'
import * as changeCalls from '#shared/contract/changes.ts'
import * as contract from '#shared/contract/contract.ts'
import { createDirectContract } from '#shared/contract/direct.ts'
import { confirmContract, returnContract, sendSignCode } from '#shared/contract/moves.ts'
import { listDemandsForLessor } from '#shared/quote/contract.ts'
import { listPickablePeople } from '#shared/person/contract.ts'
import { getWorkPanel } from '#shared/statistics/panel.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { changeSteps, contractSteps } from '#test/given-contract.ts'
import { whileChanging } from '#test/held-rows.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { startReview } from '../certification/standing.ts'
import type { Tx } from '../db/connect.ts'
import { lapseDueAwards } from './lapse.ts'

const world = await openWorld()
const { db, cast, clock, depts } = world
const { givenContract, givenDraft, send, confirm: sign, signature, account, pass } = contractSteps(world)
const { read, propose, confirm } = changeSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const { refusal } = zhCn
type Fact = 'lessorAudit' | 'lesseeAudit'
const setCompany = (person: Person, fact: Fact, status: '2' | '4' | '6') =>
  db
    .updateTable('company')
    .set({ [fact]: status })
    .where('id', '=', person.companyId)
    .execute()
const setPerson = (person: Person, auditStatus: '2' | '4' | '6', revoked = false) =>
  db.updateTable('account').set({ auditStatus, revoked }).where('id', '=', person.id).execute()
/** As the clock or a reviewer ends it for the company and its person. */
async function end(person: Person, fact: Fact, move: 'expire' | 'revoke') {
  const { to } = certificationMoves[move]
  await setCompany(person, fact, to)
  await setPerson(person, to, move === 'revoke')
}
afterEach(async () => {
  await setCompany(cast.lessor, 'lessorAudit', '2')
  await setCompany(cast.lessee, 'lesseeAudit', '2')
  for (const person of [cast.lessor, cast.project, cast.lessee]) await setPerson(person, '2')
  await approves(false)
})

const approves = (approvesContracts: boolean) => db.updateTable('dept').set({ approvesContracts }).where('id', '=', depts.root).execute()

const tasksOf = async (person: Person, id: number) =>
  (await person.call(getWorkPanel, {})).data.tasks.flatMap(({ kind, items }) =>
    items.some((item) => item.id === String(id)) ? [kind] : [],
  )

/** After the last day on which the amendments of these tests may be confirmed. */
const afterDays = new Date('2026-12-18T02:00:00Z')

const priceOf = async (id: number) => {
  const { lines } = await read(id)
  return { kind: 'price', lines: [{ lineId: lines[0]?.id, value: '17500' }] }
}
const longer = async (id: number) => {
  const { lines } = await read(id)
  return { kind: 'extend', lines: [{ lineId: lines[0]?.id, value: '2027-04-13' }] }
}

describe('where a certification has run out', () => {
  test('its people go on with the contracts in hand and learn in their panel what these ask of them', async () => {
    const { id } = await givenContract()
    await end(cast.lessor, 'lessorAudit', 'expire')
    expect((await cast.lessor.call(getUserInfo, {})).data).toMatchObject({ roles: [], contractRole: 'leaser' })
    expect((await cast.lessor.call(contract.listContracts, {})).data.rows.map((row: { id: number }) => row.id)).toContain(id)
    for (const endpoint of [contract.getContract, contract.getContractText, contract.getContractChain, changeCalls.listContractChanges])
      expect((await cast.lessor.call(endpoint, { params: { id } })).code, endpoint.url).toBe(200)
    const own = (await cast.lessor.call(contract.getContract, { params: { id } })).data as contract.Contract
    expect(own.side).toBe('lessor')
    expect(own.may).toEqual(expect.arrayContaining(['change', 'scan', 'notice', 'persons']))
    expect((await cast.lessor.call(listPickablePeople, { query: { type: 'signer', contractId: id } })).code).toBe(200)

    const { data } = await propose(cast.project, id, await priceOf(id))
    const { tasks } = (await cast.lessor.call(getWorkPanel, {})).data
    expect(tasks.map(({ kind }: { kind: string }) => kind)).toEqual(expect.arrayContaining(['certify', 'contractChange']))
    expect((await confirm(cast.lessor, data.id)).code).toBe(200)
  })

  test('they agree on no hire: a lessor confirms no contract that waits, a lessee makes no new one, and neither a longer one', async () => {
    const { id } = await givenContract()
    const { id: waiting } = await givenDraft()
    expect((await send(cast.project, waiting)).code).toBe(200)
    const { data } = await propose(cast.project, id, await longer(id))
    await end(cast.lessor, 'lessorAudit', 'expire')
    expect((await cast.lessor.call(listDemandsForLessor, {})).msg).toBe(refusal.not_certified)
    const own = (await cast.lessor.call(contract.getContract, { params: { id: waiting } })).data as contract.Contract
    expect(own.may).toContain('return')
    expect(own.may).not.toContain('confirm')
    const [change] = (await cast.lessor.call(changeCalls.listContractChanges, { params: { id } })).data
    expect(change).toMatchObject({ may: ['refuse'], hindrances: ['readerUncertified'] })
    const hindrancesFor = async (person: Person) =>
      (await person.call(contract.getContract, { params: { id } })).data.openChange?.hindrances
    expect([await hindrancesFor(cast.lessor), await hindrancesFor(cast.project)]).toEqual([['readerUncertified'], []])
    expect((await confirm(cast.lessor, data.id)).msg).toBe(refusal.not_certified)
    expect(await tasksOf(cast.lessor, id)).not.toContain('contractChange')
    // Once its day is over as well, it is still to be refused.
    clock.set(afterDays)
    expect(await tasksOf(cast.lessor, id)).toContain('contractChange')
    clock.set(monday)
    await setCompany(cast.lessor, 'lessorAudit', '2')
    await setPerson(cast.lessor, '2')
    expect((await confirm(cast.lessor, data.id)).code).toBe(200)

    await end(cast.lessee, 'lesseeAudit', 'expire')
    expect((await cast.project.call(getUserInfo, {})).data).toMatchObject({ roles: [], contractRole: 'projectUser' })
    expect(
      (await propose(cast.project, id, { ...(await longer(id)), lines: [{ lineId: (await read(id)).lines[0]?.id, value: '2027-05-13' }] }))
        .msg,
    ).toBe(refusal.not_certified)
    expect((await cast.project.call(createDirectContract, { body: {} })).msg).toBe(refusal.not_certified)
    expect((await propose(cast.project, id, await priceOf(id))).code).toBe(200)
  })

  test.each(['expire', 'revoke'] as const)(
    'a longer hire that was offered before (%s) is confirmed only once that side is certified again',
    async (move) => {
      const { id } = await givenContract()
      const offered = async (by: Person, to: Person, fact: Fact) => {
        const { data } = await propose(by, id, await longer(id))
        await end(by, fact, move)
        const shown = async (person: Person) => (await person.call(changeCalls.listContractChanges, { params: { id } })).data[0]
        expect(await shown(to)).toMatchObject({ hindrances: ['proposerUncertified'], may: ['refuse'] })
        expect(await tasksOf(to, id)).not.toContain('contractChange')
        expect((await confirm(to, data.id)).msg).toBe(refusal.change_uncertified)
        await setCompany(by, fact, '2')
        await setPerson(by, '2')
        expect(await shown(to)).toMatchObject({ hindrances: [], may: ['confirm', 'refuse'] })
        expect(await tasksOf(to, id)).toContain('contractChange')
        return data.id
      }
      const first = await offered(cast.project, cast.lessor, 'lesseeAudit')
      expect((await cast.lessor.call(changeCalls.refuseContractChange, { params: { id: first }, body: { answer: '下周再议' } })).code).toBe(
        200,
      )
      const second = await offered(cast.lessor, cast.project, 'lessorAudit')
      expect((await confirm(cast.project, second)).code).toBe(200)
      // What does not hire more goes on.
      const { data } = await propose(cast.project, id, await priceOf(id))
      await end(cast.lessee, 'lesseeAudit', move)
      expect((await confirm(cast.lessor, data.id)).code).toBe(200)
    },
  )

  test('a contract that the lessee had sent before is confirmed all the same', async () => {
    const { id } = await givenDraft()
    expect((await send(cast.project, id)).code).toBe(200)
    await end(cast.lessee, 'lesseeAudit', 'expire')
    expect((await sign(cast.lessor, id)).code).toBe(200)
  })

  test('a longer hire waits for an end of the certification that is under way, and is not confirmed after it', async () => {
    const { id } = await givenContract()
    const { data } = await propose(cast.project, id, await longer(id))
    const ending = {
      begin: (tx: Tx) => tx.updateTable('company').set({ lesseeAudit: '4' }).where('id', '=', cast.lessee.companyId).execute(),
    }
    const [answer] = await whileChanging(db, ending, [() => confirm(cast.lessor, data.id)])
    expect(answer?.msg).toBe(refusal.change_uncertified)
  })

  test.each([
    ['lessee', { lesseeAudit: '6' }, refusal.contract_lessee_revoked],
    ['lessor', { lessorAudit: '4' }, refusal.contract_lessor_barred],
  ] as const)(
    'a contract waits for an end of the certification of its %s that is under way, and is not confirmed after it',
    async (side, audit, msg) => {
      const { id } = await givenDraft()
      expect((await send(cast.project, id)).code).toBe(200)
      const body = { ...(await signature(cast.lessor, id)), ...account }
      const ending = { begin: (tx: Tx) => tx.updateTable('company').set(audit).where('id', '=', cast[side].companyId).execute() }
      const [answer] = await whileChanging(db, ending, [() => cast.lessor.call(confirmContract, { params: { id }, body })])
      expect(answer?.msg).toBe(msg)
    },
  )

  test('the unit is not asked about a longer hire that the other side offered before, nor approves it, and may send it back', async () => {
    const { id } = await givenContract()
    await approves(true)
    const { data } = await propose(cast.lessor, id, await longer(id))
    const params = { id: data.id }
    const mayOf = async (person: Person) => (await person.call(changeCalls.listContractChanges, { params: { id } })).data[0]?.may
    await end(cast.lessor, 'lessorAudit', 'expire')
    expect(await mayOf(cast.project)).toEqual(['refuse'])
    expect((await cast.project.call(changeCalls.askChangeApproval, { params })).msg).toBe(refusal.change_uncertified)
    await setCompany(cast.lessor, 'lessorAudit', '2')
    expect(await mayOf(cast.project)).toEqual(['refuse', 'ask'])
    // Nor about what the own side cannot confirm.
    await end(cast.lessee, 'lesseeAudit', 'expire')
    expect(await mayOf(cast.project)).toEqual(['refuse'])
    expect((await cast.project.call(changeCalls.askChangeApproval, { params })).msg).toBe(refusal.not_certified)
    await setCompany(cast.lessee, 'lesseeAudit', '2')
    await setPerson(cast.lessee, '2')
    expect((await cast.project.call(changeCalls.askChangeApproval, { params })).code).toBe(200)
    expect(await mayOf(cast.lessee)).toEqual(expect.arrayContaining(['approve', 'reject']))
    expect(await tasksOf(cast.lessee, id)).toContain('contractChangeApprove')
    clock.set(afterDays)
    expect(await tasksOf(cast.lessee, id)).not.toContain('contractChangeApprove')
    clock.set(monday)
    await setCompany(cast.lessor, 'lessorAudit', '4')
    expect(await tasksOf(cast.lessee, id)).not.toContain('contractChangeApprove')
    expect(await mayOf(cast.lessee)).not.toContain('approve')
    expect((await cast.lessee.call(changeCalls.approveContractChange, { params })).msg).toBe(refusal.change_uncertified)
    expect((await cast.lessee.call(changeCalls.rejectContractChange, { params, body: { reason: '认证已过期' } })).code).toBe(200)
  })

  test('the unit approves no longer hire, and may send it back', async () => {
    const { id } = await givenContract()
    await approves(true)
    const { data } = await propose(cast.project, id, await longer(id))
    await end(cast.lessee, 'lesseeAudit', 'expire')
    const [change] = (await cast.lessee.call(changeCalls.listContractChanges, { params: { id } })).data
    expect(change?.may).toContain('reject')
    expect(change?.may).not.toContain('approve')
    const approved = await cast.lessee.call(changeCalls.approveContractChange, { params: { id: data.id } })
    expect(approved.msg).toBe(refusal.change_uncertified)
    const sent = await cast.lessee.call(changeCalls.rejectContractChange, { params: { id: data.id }, body: { reason: '先续期认证' } })
    expect(sent.code).toBe(200)
  })

  test('they go on while they renew it', async () => {
    const { id } = await givenContract()
    await end(cast.lessor, 'lessorAudit', 'expire')
    await startReview(db, { accountId: cast.lessor.id, kind: 'rentout' })
    expect((await cast.lessor.call(contract.getContract, { params: { id } })).code).toBe(200)
  })

  test('one that was revoked ends what the lessee had sent: the lessor does not confirm it, and sends it back', async () => {
    const { id } = await givenDraft()
    expect((await send(cast.project, id)).code).toBe(200)
    const { smsCode, textHash } = await signature(cast.lessor, id)
    const tasks = () => tasksOf(cast.lessor, id)
    const seen = async () => (await cast.lessor.call(contract.getContract, { params: { id } })).data as contract.Contract
    expect([await tasks(), (await seen()).may]).toEqual([expect.arrayContaining(['contractConfirm']), ['return', 'confirm', 'persons']])
    await end(cast.lessee, 'lesseeAudit', 'revoke')
    const inPanel = await tasks()
    expect(inPanel).toContain('contractReturn')
    expect(inPanel).not.toContain('contractConfirm')
    expect(await seen()).toMatchObject({ isSentByRevoked: true, may: ['return', 'persons'] })
    const asked = await cast.lessor.call(sendSignCode, { params: { id }, body: { purpose: 'confirm', textHash, ...account } })
    expect(asked.msg).toBe(refusal.contract_lessee_revoked)
    // The code that they had before is not used up.
    const body = { smsCode, textHash, ...account }
    const confirming = async () => (await cast.lessor.call(confirmContract, { params: { id }, body })).msg
    expect([await confirming(), await confirming()]).toEqual([refusal.contract_lessee_revoked, refusal.contract_lessee_revoked])
    expect((await cast.lessor.call(returnContract, { params: { id }, body: { comment: '贵司认证已被撤销' } })).code).toBe(200)
    expect(await tasks()).not.toContain('contractReturn')
  })

  test.each([
    ['lessee', 'revoke'],
    ['lessor', 'expire'],
  ] as const)(
    'a contract that the lessor leaves unanswered lapses to the blame of the %s where the certification of the lessee ended (%s)',
    async (blame, move) => {
      const { id, demand } = await givenDraft({ alone: true })
      expect((await send(cast.project, id)).code).toBe(200)
      await end(cast.lessee, 'lesseeAudit', move)
      pass(8 * 86_400)
      await lapseDueAwards(world.services)
      const lapses = await db.selectFrom('awardLapse').where('demandId', '=', demand.id).select('blame').execute()
      expect(lapses).toEqual([{ blame }])
    },
  )

  test('one that was revoked ends the contracts for its people, also once they have handed in again', async () => {
    const { id } = await givenContract()
    await end(cast.lessor, 'lessorAudit', 'revoke')
    expect((await cast.lessor.call(contract.getContract, { params: { id } })).msg).toBe(refusal.not_certified)
    await setCompany(cast.lessor, 'lessorAudit', '2')
    await startReview(db, { accountId: cast.lessor.id, kind: 'rentout' })
    expect((await cast.lessor.call(contract.getContract, { params: { id } })).msg).toBe(refusal.not_certified)
  })
})
