import { afterAll, beforeEach, expect, test } from 'vitest'
import { fromMoment } from '#shared/calendar.ts'
import { getContract } from '#shared/contract/contract.ts'
import * as calls from '#shared/contract/moves.ts'
import { getOwnDemand, publishDemand } from '#shared/demand/contract.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { getDemandForLessor, giveUpQuote } from '#shared/quote/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import type { Tx } from '#server/db/connect.ts'
import { changeSteps, contractSteps } from '#test/given-contract.ts'
import { whileChanging } from '#test/held-rows.ts'
import { runMigration } from '#test/run-migration.ts'
import { monday, openWorld, type Person } from '#test/world.ts'

const world = await openWorld()
const { cast, clock, db } = world
const { givenAwarded, givenContract, givenDraft, send, pass } = contractSteps(world)
const { propose, confirm } = changeSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const giveUp = (who: Person, id: number) => who.call(giveUpQuote, { params: { id }, body: { reason: '设备故障' } })

test('a contract has the title of its demand, or where others won a part as well, one of its own positions', async () => {
  const titleOf = async (id: number) => (await cast.project.call(getContract, { params: { id } })).data.title
  expect(await titleOf((await givenDraft({ alone: true })).id)).toBe('渝昌高铁5标 装载机两台')
  expect(await titleOf((await givenDraft()).id)).toBe('渝昌高铁5标 铲车1台')
})

test('a demand is completed when its last winner gives up after the contracts of the others have ended; its rest is published again', async () => {
  const { id, demand, quoteOf } = await givenContract()
  const statusOf = async () => (await cast.project.call(getOwnDemand, { params: { id: demand.id } })).data.status
  const { data } = await propose(cast.project, id, { kind: 'terminate', lastDay: '2026-12-20' })
  expect((await confirm(cast.lessor, data.id)).code).toBe(200)
  expect(await statusOf()).toBe('5')
  expect((await giveUp(cast.lessor2, quoteOf(cast.lessor2))).code).toBe(200)
  expect(await statusOf()).toBe('9')
  const { data: owned } = await cast.project.call(getOwnDemand, { params: { id: demand.id } })
  const rest = world.demandBody({ sourceId: demand.id, items: [world.demandItem({ qty: 1 })] })
  clock.set(monday)
  expect([owned.hasRest, (await cast.project.call(publishDemand, { body: rest })).code]).toEqual([true, 200])
})

test('a demand is completed as well where the contract of its last winner was drafted and is void', async () => {
  const { id, demand, quoteOf } = await givenContract()
  expect((await cast.project.call(calls.draftContracts, { params: { id: demand.id } })).data.ids).toHaveLength(1)
  const { data } = await propose(cast.project, id, { kind: 'terminate', lastDay: '2026-12-20' })
  expect((await confirm(cast.lessor, data.id)).code).toBe(200)
  expect((await giveUp(cast.lessor2, quoteOf(cast.lessor2))).code).toBe(200)
  const contracts = await db.selectFrom('contract').where('demandId', '=', demand.id).orderBy('status').select('status').execute()
  expect(contracts.map(({ status }) => status)).toEqual(['6', '7'])
  expect((await cast.project.call(getOwnDemand, { params: { id: demand.id } })).data.status).toBe('9')
})

test('a demand that was completed with all that it asked for has no rest', async () => {
  const { id, demand } = await givenContract({ alone: true })
  const { data } = await propose(cast.project, id, { kind: 'terminate', lastDay: '2026-12-20' })
  expect((await confirm(cast.lessor, data.id)).code).toBe(200)
  const { data: owned } = await cast.project.call(getOwnDemand, { params: { id: demand.id } })
  expect([owned.status, owned.hasRest]).toEqual(['9', false])
  clock.set(monday)
  expect((await cast.project.call(publishDemand, { body: world.demandBody({ sourceId: demand.id }) })).code).toBe(422)
})

test('nobody gives up what a colleague accepts at the same moment', async () => {
  const { demand, quoteOf } = await givenAwarded()
  const id = quoteOf(cast.lessor)
  const statusOf = async () => (await db.selectFrom('quote').where('id', '=', id).select('status').executeTakeFirstOrThrow()).status
  const before = await statusOf()
  const begin = async (tx: Tx) => {
    await tx.selectFrom('demand').where('id', '=', demand.id).select('id').forNoKeyUpdate().execute()
    await tx.updateTable('quote').set({ acceptedAt: clock.now() }).where('id', '=', id).execute()
  }
  const [answer] = await whileChanging(db, { begin }, [() => giveUp(cast.lessor, id)])
  expect([answer?.msg, await statusOf()]).toEqual([zhCn.refusal.give_up_accepted, before])
})

test('nobody accepts or gives up what another company has won', async () => {
  const { quoteOf } = await givenAwarded()
  const id = quoteOf(cast.lessor)
  expect([(await cast.lessor2.call(calls.acceptAward, { params: { id } })).code, (await giveUp(cast.lessor2, id)).code]).toEqual([404, 404])
})

test('more time to send is given for an award, and no later than its contracts are due', async () => {
  const { demand } = await givenDraft()
  const more = async (id: number) =>
    (await cast.project.call(calls.moveContractDue, { params: { id }, body: { days: 10, reason: '等待总部用印' } })).msg
  clock.set(monday)
  expect(await more((await world.givenDemand()).id)).toBe(zhCn.refusal.demand_changed)
  const { contractDue } = await db.selectFrom('award').where('demandId', '=', demand.id).select('contractDue').executeTakeFirstOrThrow()
  clock.set(fromMoment(contractDue ?? ''))
  expect(await more(demand.id)).toBe(zhCn.refusal.demand_changed)
  pass(-1)
  expect(await more(demand.id)).not.toBe(zhCn.refusal.demand_changed)
})

test('of a company that is both, nobody of the lessee’s side accepts or gives up what its lessor’s side has won', async () => {
  const { quoteOf } = await givenAwarded()
  const deptId = world.depts.root
  await db.updateTable('dept').set({ companyId: cast.lessor.companyId }).where('id', '=', deptId).execute()
  const id = quoteOf(cast.lessor)
  for (const call of [cast.lessee.call(calls.acceptAward, { params: { id } }), giveUp(cast.lessee, id)]) expect((await call).code).toBe(403)
  await db.updateTable('dept').set({ companyId: cast.lessee.companyId }).where('id', '=', deptId).execute()
  expect((await cast.lessor.call(calls.acceptAward, { params: { id } })).code).toBe(200)
})

test('after more time to send, who was sent a contract before may leave no longer than otherwise, until the lessee takes it back', async () => {
  const { id, demand, quoteOf } = await givenDraft()
  const wonOf = async (who: Person) => (await who.call(getDemandForLessor, { params: { id: demand.id } })).data.quote?.won
  expect((await send(cast.project, id)).code).toBe(200)
  pass(6 * 86_400)
  const body = { days: 10, reason: '等待总部用印' }
  expect((await cast.project.call(calls.moveContractDue, { params: { id: demand.id }, body })).code).toBe(200)
  expect([(await wonOf(cast.lessor))?.isDueMoved, (await wonOf(cast.lessor2))?.isDueMoved]).toEqual([false, true])
  expect((await giveUp(cast.lessor, quoteOf(cast.lessor))).msg).toBe(zhCn.refusal.give_up_accepted)
  expect((await giveUp(cast.lessor2, quoteOf(cast.lessor2))).code).toBe(200)
  expect((await cast.project.call(calls.recallContract, { params: { id } })).code).toBe(200)
  expect((await wonOf(cast.lessor))?.isDueMoved).toBe(true)
  pass(60)
  expect((await send(cast.project, id)).code).toBe(200)
  expect((await wonOf(cast.lessor))?.isDueMoved).toBe(true)
  expect((await giveUp(cast.lessor, quoteOf(cast.lessor))).code).toBe(200)
  const lapses = db.selectFrom('awardLapse').where('demandId', '=', demand.id).select('blame')
  expect(await lapses.execute()).toEqual([{ blame: 'none' }, { blame: 'none' }])
})

test('a lessor who returns the contract that lay sent does not free themselves by that, also once it was sent anew; a recall of the lessee does', async () => {
  const { id, demand, quoteOf } = await givenDraft()
  expect((await send(cast.project, id)).code).toBe(200)
  pass(6 * 86_400)
  const body = { days: 10, reason: '等待总部用印' }
  expect((await cast.project.call(calls.moveContractDue, { params: { id: demand.id }, body })).code).toBe(200)
  const answered = async () => {
    pass(60)
    const { quote } = (await cast.lessor.call(getDemandForLessor, { params: { id: demand.id } })).data
    return [quote?.won?.isDueMoved, (await giveUp(cast.lessor, quoteOf(cast.lessor))).msg]
  }
  const returning = { params: { id }, body: { comment: '请改付款方式', clauses: [] } }
  expect((await cast.lessor.call(calls.returnContract, returning)).code).toBe(200)
  expect(await answered()).toEqual([false, zhCn.refusal.give_up_accepted])
  expect((await send(cast.project, id)).code).toBe(200)
  expect(await answered()).toEqual([false, zhCn.refusal.give_up_accepted])
  expect((await cast.project.call(calls.recallContract, { params: { id } })).code).toBe(200)
  expect((await answered())[0]).toBe(true)
  const lapses = db.selectFrom('awardLapse').where('demandId', '=', demand.id).select('blame')
  expect(await lapses.execute()).toEqual([{ blame: 'none' }])
})

test('after more time, a contract that is taken back frees its lessor, of which both sides are told; otherwise nobody is', async () => {
  for (const hasMoreTime of [true, false]) {
    const { id, demand } = await givenDraft()
    expect((await send(cast.project, id)).code).toBe(200)
    const body = { days: 10, reason: '等待总部用印' }
    if (hasMoreTime) expect((await cast.project.call(calls.moveContractDue, { params: { id: demand.id }, body })).code).toBe(200)
    const frees = async (who: Person) => (await who.call(getContract, { params: { id } })).data.mayLeaveAfterRecall
    expect([await frees(cast.project), await frees(cast.lessor)]).toEqual([hasMoreTime, false])
    expect((await cast.project.call(calls.recallContract, { params: { id } })).code).toBe(200)
    expect(await frees(cast.project)).toBe(false)
    for (const [language, words] of [
      ['zh-CN', '此后贵司可无责退出'],
      ['en-US', 'you may leave without being responsible'],
    ] as const) {
      const { rows } = (await world.caller(cast.lessor.token, language)(listOwnMessages, { query: { pageSize: 100 } })).data
      const recalled = rows.find(({ bizId, title }) => bizId === String(id) && /^(合同已撤回|Contract withdrawn)/.test(title))
      expect(recalled?.content.includes(words)).toBe(hasMoreTime)
    }
  }
})

test('a contract that is taken back while a colleague gives more time comes later than was promised as well', async () => {
  const { id, demand } = await givenDraft({ alone: true })
  expect((await send(cast.project, id)).code).toBe(200)
  const begin = async (tx: Tx) => {
    await tx.selectFrom('demand').where('id', '=', demand.id).select('id').forNoKeyUpdate().execute()
    await tx.updateTable('award').set({ dueMovedAt: clock.now() }).where('demandId', '=', demand.id).execute()
  }
  const [recalled] = await whileChanging(db, { begin }, [() => cast.project.call(calls.recallContract, { params: { id } })])
  const { quote } = (await cast.lessor.call(getDemandForLessor, { params: { id: demand.id } })).data
  expect([recalled?.code, quote?.won?.isDueMoved]).toEqual([200, true])
})

test('both sides are told why somebody gave up, and not that the time was over', async () => {
  const messageTo = async (who: Person, demandId: number, language: 'zh-CN' | 'en-US') => {
    const { rows } = (await world.caller(who.token, language)(listOwnMessages, { query: { pageSize: 100 } })).data
    return rows.find(({ bizId, title }) => bizId === String(demandId) && /^(定标失效|Award lapsed)/.test(title))?.content
  }
  const voided = await givenDraft()
  expect((await cast.project.call(calls.voidContract, { params: { id: voided.id }, body: { reason: '工程取消' } })).code).toBe(200)
  const waiting = await givenDraft()
  await cast.project.call(calls.moveContractDue, { params: { id: waiting.demand.id }, body: { days: 15, reason: '等待总部用印' } })
  expect((await giveUp(cast.lessor, waiting.quoteOf(cast.lessor))).code).toBe(200)
  for (const [demandId, reason] of [
    [voided.demand.id, '工程取消'],
    [waiting.demand.id, '设备故障'],
  ] as const)
    for (const who of [cast.project, cast.lessor]) {
      expect(await messageTo(who, demandId, 'zh-CN')).toContain(`的部分不再签订合同：${reason}。定标失效`)
      expect(await messageTo(who, demandId, 'en-US')).toContain(`ends without a contract: ${reason}. The machines are free again.`)
    }
})

test('what was given up after it was taken back shows its clauses, also from before; what was given up as it was sent keeps its text', async () => {
  const given = async (steps: ('recall' | 'return' | 'send')[]) => {
    const { id } = await givenDraft()
    for (const step of steps) {
      const { code } = await {
        send: () => send(cast.project, id),
        recall: () => cast.project.call(calls.recallContract, { params: { id } }),
        return: () => cast.lessor.call(calls.returnContract, { params: { id }, body: { comment: '请改付款方式', clauses: [] } }),
      }[step]()
      expect(code).toBe(200)
    }
    expect((await cast.project.call(calls.voidContract, { params: { id }, body: { reason: '工程取消' } })).code).toBe(200)
    // The text that was sent stayed until drafts lost it.
    await db
      .updateTable('contract')
      .set({ text: '发出时的合同', textHash: 'a'.repeat(64), textEn: 'As it was sent' })
      .where('id', '=', id)
      .execute()
    return id
  }
  const textsOf = async (ids: number[]) =>
    (await db.selectFrom('contract').where('id', 'in', ids).orderBy('id').select(['text', 'textHash', 'textEn']).execute()).map(
      ({ text, textHash, textEn }) => [text, textHash === null, textEn],
    )
  const ids = [await given(['send', 'recall']), await given(['send', 'return']), await given(['send', 'recall', 'send'])]
  await runMigration(world, '0108_given_up_without_text.sql')
  expect(await textsOf(ids)).toEqual([
    ['', true, ''],
    ['', true, ''],
    ['发出时的合同', false, 'As it was sent'],
  ])
})
