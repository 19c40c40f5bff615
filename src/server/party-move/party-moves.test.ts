import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { addDays, dayOf } from '#shared/calendar.ts'
import * as certification from '#shared/certification/contract.ts'
import { getCompany, lockCompany } from '#shared/company/manage.ts'
import { getContract, getContractChain } from '#shared/contract/contract.ts'
import { createDirectContract } from '#shared/contract/direct.ts'
import { recallContract } from '#shared/contract/moves.ts'
import { recordChecks, recordFault } from '#shared/contract/record.ts'
import { applicants, idCard } from '#test/applicants.ts'
import { changeSteps, contractSteps } from '#test/given-contract.ts'
import { whileChanging } from '#test/held-rows.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { sha256 } from '../contract/digest.ts'
import { lapseDueAwards } from '../contract/lapse.ts'
import type { Tx } from '../db/connect.ts'
import { transact } from '../deed.ts'
import { runJob } from '../jobs/clock-jobs.ts'
import { queuePartyMove, tellPartyMoves } from './party-moves.ts'

const world = await openWorld()
const { db, cast, clock, depts, services } = world
const { givenContract, givenDraft, send, pass } = contractSteps(world)
const { propose, confirm } = changeSteps(world)
const { newcomer, rentout, lease, papers, review } = applicants(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

/** Passes the papers of somebody for the company of this person, and gives the certification. */
async function certify(person: Person, applicant: Person): Promise<number> {
  const { creditCode, enterpriseName } = await db
    .selectFrom('company')
    .where('id', '=', person.companyId)
    .select(['creditCode', 'enterpriseName'])
    .executeTakeFirstOrThrow()
  const isLessor = person.companyId === cast.lessor.companyId
  const form = (isLessor ? rentout : lease)(70, { creditCode, enterpriseName })
  const documents = await papers(applicant, isLessor ? idCard : ['license', 'authorization'])
  const { data } = await applicant.call(isLessor ? certification.submitRentout : certification.submitLease, { body: { form, documents } })
  const { version } = await review(cast.operator, data.id)
  const passed = await cast.operator.call(certification.passCertification, { params: { id: data.id }, body: { version } })
  if (passed.code !== 200) throw new Error(passed.msg)
  return data.id
}
/** In seconds. */
const day = 86_400
const revoke = (id: number) => cast.operator.call(certification.revokeCertification, { params: { id }, body: { reason: '证照系伪造' } })

async function givenDirectDraft(): Promise<{ id: number }> {
  const day = (days: number) => addDays(dayOf(monday), days)
  const equipmentId = await world.givenMachine(cast.lessor.companyId)
  const body = {
    deptId: depts.projectDept,
    lessorCompanyId: cast.lessor.companyId,
    title: '二工区装载机租赁',
    provinceId: 510_000,
    cityId: 510_100,
    address: '成都市双流区二工区驻地',
    lines: [{ equipmentId, planStart: day(10), planEnd: day(100), rentUnit: 'M', unitPrice: '15000.50' }],
  }
  return (await cast.project.call(createDirectContract, { body })).data
}

/** What the contract says last, and who was told of the certification. */
async function historyAndMessagesOf(reader: Person, id: number) {
  await runJob(services, 'contracts')
  const { events } = (await reader.call(getContract, { params: { id } })).data
  const messages = await db
    .selectFrom('message')
    .innerJoin('account', 'account.id', 'message.accountId')
    .where('bizType', '=', 'contract')
    .where('bizId', '=', String(id))
    .where('kind', 'in', ['contractPartyUncertified', 'contractPartyCertified', 'contractPartyLocked'])
    .orderBy('message.id')
    .select(['kind', 'account.companyId', 'content'])
    .execute()
  const [event] = events
  return { event: [event?.move, event?.byPlatform, event?.note], messages }
}

test('the end of a certification is told to the contracts of its side and to their other sides, without its reason, and so is the next one', async () => {
  const { id } = await givenContract()
  const applicant = await newcomer()
  const first = await certify(cast.lessor, applicant)
  expect((await historyAndMessagesOf(cast.project, id)).messages).toEqual([])
  expect((await revoke(first)).code).toBe(200)
  const lessor = '成都恒岳机械租赁有限公司'
  const ended = await historyAndMessagesOf(cast.project, id)
  expect(ended.event).toEqual(['certificationEnd', true, lessor])
  expect(new Set(ended.messages.map(({ kind, companyId }) => `${kind} ${companyId}`))).toEqual(
    new Set([`contractPartyUncertified ${cast.project.companyId}`]),
  )
  for (const { content } of ended.messages) expect(content).toContain(lessor)
  expect(JSON.stringify(ended)).not.toContain('证照系伪造')
  await certify(cast.lessor, applicant)
  const again = await historyAndMessagesOf(cast.project, id)
  expect([again.event, again.messages.at(-1)?.kind]).toEqual([['certificationBack', true, lessor], 'contractPartyCertified'])

  // One that runs out is ended by the clock.
  await db.updateTable('certification').set({ validTo: '2026-01-01' }).where('id', '=', first).execute()
  await runJob(services, 'certifications')
  expect((await historyAndMessagesOf(cast.project, id)).event).toEqual(['certificationEnd', false, lessor])
  await certify(cast.lessor, applicant)

  const colleague = await newcomer()
  const ofLessee = await certify(cast.lessee, colleague)
  const before = (await historyAndMessagesOf(cast.lessor, id)).messages.length
  expect((await revoke(ofLessee)).code).toBe(200)
  const byLessee = await historyAndMessagesOf(cast.lessor, id)
  expect(byLessee.event).toEqual(['certificationEnd', true, '华拓建设集团有限公司'])
  for (const { companyId } of byLessee.messages.slice(before)) expect(companyId).toBe(cast.lessor.companyId)
  expect(byLessee.messages.length).toBeGreaterThan(before)
  await certify(cast.lessee, colleague)
  const { data: record } = await cast.lessor.call(getContractChain, { params: { id } })
  expect(await recordFault(record, recordChecks, sha256)).toBeNull()
})

test('a company is locked while a contract of it is signed: the lock waits for the machines, and does not hold the chain meanwhile', async () => {
  const { id } = await givenContract()
  const { equipmentId } = await db.selectFrom('contractLine').where('contractId', '=', id).select('equipmentId').executeTakeFirstOrThrow()
  await db.updateTable('equipment').set({ shelfStatus: '1' }).where('id', '=', equipmentId).execute()
  const params = { id: cast.lapsed.companyId }
  await db.updateTable('contract').set({ lessorCompanyId: params.id }).where('id', '=', id).execute()
  await db.updateTable('equipment').set({ companyId: params.id }).where('id', '=', equipmentId).execute()
  const { contractCount } = (await cast.operator.call(getCompany, { params })).data
  const signing = {
    begin: (tx: Tx) => tx.selectFrom('equipment').where('id', '=', equipmentId).forNoKeyUpdate().select('id').execute(),
    end: (tx: Tx) => sql`select pg_advisory_xact_lock(7263544, ${id})`.execute(tx),
  }
  const [locked] = await whileChanging(db, signing, [
    () => cast.operator.call(lockCompany, { params, body: { reason: '证照造假', contracts: contractCount } }),
  ])
  expect(locked?.code).toBe(200)
  expect((await historyAndMessagesOf(cast.project, id)).event[0]).toBe('lock')
})

test.each(['award', 'direct'] as const)(
  'the lessor of a sent contract (%s) is told to return it once the certification of the lessee was revoked',
  async (source) => {
    const { id } = source === 'award' ? await givenDraft() : await givenDirectDraft()
    expect((await send(cast.project, id)).code).toBe(200)
    const colleague = await newcomer()
    const ofLessee = await certify(cast.lessee, colleague)
    expect((await revoke(ofLessee)).code).toBe(200)
    const { messages } = await historyAndMessagesOf(cast.lessor, id)
    expect(messages.length).toBeGreaterThan(0)
    for (const { content } of messages) {
      expect(content).toMatch(/现在不能确认；请退回并说明/)
      expect(content.includes('定标失效')).toBe(source === 'award')
    }
    await certify(cast.lessee, colleague)
  },
)

test('where the lessee was certified again before the time to confirm is over, its lessor reads that time, and nobody is to blame for the lapse', async () => {
  const { id, demand } = await givenDraft({ alone: true })
  expect((await send(cast.project, id)).code).toBe(200)
  const colleague = await newcomer()
  const ofLessee = await certify(cast.lessee, colleague)
  pass(day)
  expect((await revoke(ofLessee)).code).toBe(200)
  await tellPartyMoves(services)
  pass(5.9 * day)
  await certify(cast.lessee, colleague)
  const { messages } = await historyAndMessagesOf(cast.lessor, id)
  const { lapsesAt } = (await cast.lessor.call(getContract, { params: { id } })).data
  expect(messages.at(-1)?.content).toContain(`合同尚待贵司确认，请在 ${lapsesAt?.slice(0, 16)} 前确认或退回。`)
  pass(0.2 * day)
  await lapseDueAwards(services)
  const lapses = await db.selectFrom('awardLapse').where('demandId', '=', demand.id).select('blame').execute()
  expect(lapses).toEqual([{ blame: 'none' }])
})

test('a lessor is to blame for the lapse of a contract that was sent again after the lessee was certified again', async () => {
  // Those of the other tests are of a later moment, because each test begins on the same Monday.
  await db.deleteFrom('certificationEvent').where('action', '=', 'revoke').execute()
  const { id, demand } = await givenDraft({ alone: true })
  expect((await send(cast.project, id)).code).toBe(200)
  const colleague = await newcomer()
  expect((await revoke(await certify(cast.lessee, colleague))).code).toBe(200)
  await certify(cast.lessee, colleague)
  pass(60)
  expect((await cast.project.call(recallContract, { params: { id } })).code).toBe(200)
  expect((await send(cast.project, id)).code).toBe(200)
  pass(8 * day)
  await lapseDueAwards(services)
  const lapses = await db.selectFrom('awardLapse').where('demandId', '=', demand.id).select('blame').execute()
  expect(lapses).toEqual([{ blame: 'lessor' }])
})

test('what becomes of a company is told to the other side of a contract that ends early until its last day is over', async () => {
  const endedOn = async (lastDay: string) => {
    const { id } = await givenContract()
    const { data } = await propose(cast.project, id, { kind: 'terminate', lastDay }, { fromDay: lastDay })
    expect((await confirm(cast.lessor, data.id)).code).toBe(200)
    return id
  }
  const [over, standing] = [await endedOn('2026-12-10'), await endedOn('2026-12-20')]
  clock.set(new Date('2026-12-15T10:00:00+08:00'))
  const by = cast.operator.id
  await transact(services, { now: clock.now() }, (work) =>
    queuePartyMove(work, { companyId: cast.lessor.companyId, side: 'lessor', move: 'certificationEnd', by }),
  )
  const told = async (id: number) => (await historyAndMessagesOf(cast.project, id)).messages.map(({ kind }) => kind)
  expect([new Set(await told(standing)), await told(over)]).toEqual([new Set(['contractPartyUncertified']), []])
})

test('a lock is told to the other side of a contract that waits to be confirmed as well: it is not in force', async () => {
  const { id } = await givenDraft()
  expect((await send(cast.project, id)).code).toBe(200)
  const params = { id: cast.lessor.companyId }
  const { contractCount } = (await cast.operator.call(getCompany, { params })).data
  expect((await cast.operator.call(lockCompany, { params, body: { reason: '证照造假', contracts: contractCount } })).code).toBe(200)
  const { event, messages } = await historyAndMessagesOf(cast.project, id)
  expect([event[0], messages[0]?.companyId]).toEqual(['lock', cast.project.companyId])
  for (const { content } of messages) expect(content).toMatch(/尚未生效。$/)
})
