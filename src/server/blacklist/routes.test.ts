import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '#shared/blacklist/contract.ts'
import { awardDemand } from '#shared/award/contract.ts'
import { getOwnDemand } from '#shared/demand/contract.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { machineNameEn } from '#shared/equipment/name.ts'
import { downloadFile } from '#shared/file/contract.ts'
import { compareQuotes, getDemandForLessor, listDemandsForLessor, submitQuote, withdrawQuote } from '#shared/quote/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { givenFile } from '#test/given-file.ts'
import { whileHeld } from '#test/held-rows.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { openDueDemands } from '../opening/due.ts'
import { enforceBegun } from './beginning.ts'
import { expireBlacklist } from './expiry.ts'

const world = await openWorld()
const { db, cast, clock, depts } = world
afterAll(() => world.close())
beforeEach(async () => {
  clock.set(monday)
  await db.updateTable('blacklist').set({ status: '6' }).execute()
  // The hearings of a week are counted.
  await db
    .updateTable('blacklistEvent')
    .set({ at: new Date(0) })
    .execute()
})

const days = (n: number) => new Date(monday.getTime() + n * 86_400_000)
const facts = '2026 年 10 月 8 日，该企业的两台装载机未经同意撤离工地，经三次书面催告后仍未返场，造成路基施工停工四天，有监理签认记录为证。'

const proposal = async (by: Person, changes: Record<string, unknown> = {}) => ({
  companyId: cast.lessor.companyId,
  level: 2,
  scopeDeptId: depts.projectDept,
  reasonCode: 'quit',
  facts,
  fromDay: '2026-11-23',
  toDay: '2027-11-23',
  evidenceIds: [await givenFile(world, by)],
  ...changes,
})
const propose = async (by: Person, changes: Record<string, unknown> = {}) =>
  by.call(contract.proposeBlacklist, { body: await proposal(by, changes) })
const entryOf = async (id: number, by: Person = cast.lessee) => (await by.call(contract.getBlacklist, { params: { id } })).data
/** As the page does it: whoever decides says which version it shows. */
const put = async (by: Person, endpoint: Endpoint, id: number, body?: object) => {
  const { version } = await db.selectFrom('blacklist').where('id', '=', id).select('version').executeTakeFirstOrThrow()
  return by.call(endpoint as typeof contract.decideBlacklist, { params: { id }, ...(body && { body: { version, ...body } }) })
}
/** An entry in force. */
async function givenInForce(changes: Record<string, unknown> = {}): Promise<number> {
  const { data, msg } = await propose(cast.project, changes)
  if (!data?.id) throw new Error(`${msg} ${JSON.stringify(data)}`)
  await put(cast.project, contract.notifyBlacklist, data.id)
  await put(cast.lessor, contract.answerBlacklist, data.id, { answer: '情况属实，已整改' })
  const decided = await put(cast.lessee, contract.decideBlacklist, data.id, { effective: true, note: '证据充分' })
  if (decided.code !== 200) throw new Error(decided.msg)
  return data.id
}

describe('[S2.20][S7.6] the restriction list', () => {
  test('proposed, notified, heard, decided by another person, appealed, upheld: every step in order and told', async () => {
    const { id } = (await propose(cast.project)).data
    expect(await entryOf(id, cast.project)).toMatchObject({ status: '0', may: { edit: true, notify: true, decide: false } })
    // Nobody outside learns of a proposal, the subject not before it is told.
    for (const who of [cast.lessor, cast.lessor2, cast.stranger])
      expect((await who.call(contract.getBlacklist, { params: { id } })).code).toBe(404)
    expect((await put(cast.lessee, contract.notifyBlacklist, id)).code).toBe(403)
    await put(cast.project, contract.notifyBlacklist, id)
    const told = await entryOf(id, cast.lessor)
    expect(told).toMatchObject({ status: '1', proposer: '', answerUntil: '2026-11-30 10:00:00', may: { answer: true, appeal: false } })
    expect(JSON.stringify(told.events)).not.toContain('project')
    // Evidence is read by whoever sees the entry, and by nobody else.
    const file = told.files[0]?.fileId ?? ''
    for (const [who, code] of [
      [cast.lessor, 200],
      [cast.lessee, 200],
      [cast.lessor2, 404],
      [cast.stranger, 404],
    ] as const)
      expect((await who.call(downloadFile, { params: { id: file }, query: {} })).code || 200).toBe(code)

    expect((await put(cast.lessee, contract.decideBlacklist, id, { effective: true, note: '尽快处理' })).msg).toContain('告知期未满')
    const answer = { answer: '设备因故障返厂检修，已提前电话告知', fileIds: [await givenFile(world, cast.lessor)] }
    expect((await put(cast.lessor, contract.answerBlacklist, id, answer)).code).toBe(200)
    expect((await put(cast.lessor, contract.answerBlacklist, id, answer)).code).toBe(409)
    // Not by the proposer, who is no decider either; once only.
    expect((await put(cast.project, contract.decideBlacklist, id, { effective: true, note: '同意' })).code).toBe(403)
    const decide = () => put(cast.lessee, contract.decideBlacklist, id, { effective: true, note: '证据充分' })
    const decisions = await Promise.all([decide(), decide()])
    expect(decisions.map(({ code }) => code).toSorted()).toEqual([200, 409])

    const appeal = (content: string) => cast.lessor.call(contract.appealBlacklist, { params: { id }, body: { content } })
    expect((await appeal('有维修厂出具的证明，请求复核解除限制')).code).toBe(200)
    expect((await entryOf(id)).may.decideAppeal).toBe(true)
    expect((await put(cast.lessee, contract.decideAppeal, id, { upheld: false, note: '证明日期晚于撤场日期' })).code).toBe(200)
    expect(await entryOf(id, cast.lessor)).toMatchObject({ status: '2', appealFrom: '2027-02-21', may: { appeal: false } })
    // The others do not appeal.
    expect((await entryOf(id)).appealFrom).toBeNull()
    expect((await appeal('再次请求复核，附补充材料')).msg).toBe('90 天内只能申诉一次')
    await db
      .updateTable('blacklistAppeal')
      .set({ appealTime: days(-91) })
      .where('blacklistId', '=', id)
      .execute()
    expect((await appeal('再次请求复核，附补充材料')).code).toBe(200)
    await put(cast.lessee, contract.decideAppeal, id, { upheld: true, note: '材料属实' })
    const lifted = await entryOf(id)
    expect(lifted).toMatchObject({ status: '4', appeals: [{ upheld: false }, { upheld: true }] })
    expect(lifted.events.map(({ move }) => move)).toEqual(['propose', 'notify', 'answer', 'decide', 'appeal', 'keep', 'appeal', 'uphold'])
    const kinds = await db
      .selectFrom('message')
      .where('accountId', '=', cast.lessor.id)
      .where('bizType', '=', 'blacklist')
      .orderBy('id')
      .select('kind')
      .execute()
    expect(kinds.map(({ kind }) => kind)).toEqual(['blacklistNotified', 'blacklistInForce', 'blacklistKept', 'blacklistLifted'])
  })

  test.each([
    ['facts', { facts: '太短' }],
    ['evidenceIds', { evidenceIds: [] }],
    ['evidenceIds', { evidenceIds: ['00000000-0000-4000-8000-000000000000'] }],
    ['toDay', { toDay: '2030-01-01' }],
    ['toDay', { toDay: '2026-11-23' }],
    ['scopeDeptId', { scopeDeptId: 1 }],
    ['companyId', { companyId: 1 }],
    ['equipmentId', { subjectKind: 'machine' }],
    ['personName', { subjectKind: 'person' }],
  ])('%s is refused beside its field: %j', async (field, changes) => {
    const { code, data } = await propose(cast.project, changes)
    expect([code, refusedFields(data)]).toEqual([422, [field]])
  })

  test('a project proposes for itself, its unit and the group; a stranger not for them', async () => {
    const scopes = (await cast.project.call(contract.listScopes, {})).data.map(({ deptId }) => deptId)
    expect(scopes).toEqual([depts.projectDept, depts.unit, depts.root])
    expect(refusedFields((await propose(cast.stranger)).data)).toEqual(['scopeDeptId'])
  })

  test('two editors of a proposal: the second is told', async () => {
    const { id } = (await propose(cast.project)).data
    const { version } = await entryOf(id, cast.project)
    const body = { ...(await proposal(cast.project)), id, version }
    const both = await Promise.all([1, 3].map((level) => cast.project.call(contract.editBlacklist, { body: { ...body, level } })))
    expect(both.map(({ code }) => code).toSorted()).toEqual([200, 409])
  })

  test('level 2 blocks quoting in the scope only, disqualifies what is open, and says why', async () => {
    const machine = await world.givenMachine(cast.lessor.companyId)
    const inside = await world.givenDemand()
    const outside = await world.givenDemand({ deptId: depts.otherDept }, cast.lessee)
    const quote = await world.givenQuote(cast.lessor, inside, [machine])
    await world.givenQuote(cast.lessor, outside, [machine])
    await givenInForce()
    expect((await db.selectFrom('quote').where('id', '=', quote.id).select('status').executeTakeFirst())?.status).toBe('10')
    // Until the opening, neither the number nor the timeline shows that the lessor had quoted.
    const seen = (await cast.project.call(getOwnDemand, { params: { id: inside.id } })).data
    expect(seen.quoteCount).toBe(1)
    expect(seen.events.map(({ move }) => move)).toEqual(['publish'])
    const chained = await db
      .selectFrom('demandEvent')
      .where('demandId', '=', inside.id)
      .orderBy('id', 'desc')
      .select('move')
      .executeTakeFirst()
    expect(chained?.move).toBe('blacklist')
    const fresh = await world.givenDemand()
    const refused = await cast.lessor.call(submitQuote, { body: world.quoteBody(fresh, [machine]) })
    expect([refused.code, refused.msg]).toEqual([403, '企业在黑名单内，暂不能操作；可在“与我有关的限制”查看并申诉'])
    expect((await cast.lessor.call(getDemandForLessor, { params: { id: fresh.id } })).data.bar).toBe('blacklisted')
    const open = await cast.lessor.call(listDemandsForLessor, { query: { scope: 'open', pageSize: 50 } })
    expect(open.data.rows.find(({ id }) => id === fresh.id)?.bar).toBe('blacklisted')
    const other = await world.givenDemand({ deptId: depts.otherDept }, cast.lessee)
    expect((await cast.lessor.call(submitQuote, { body: world.quoteBody(other, [machine]) })).code).toBe(200)
    // Nobody gets a message about a demand that they may not quote.
    const told = await db
      .selectFrom('message')
      .where('accountId', '=', cast.lessor.id)
      .where('kind', '=', 'demandMatched')
      .where('bizId', '=', String(fresh.id))
      .select('id')
      .execute()
    expect(told).toEqual([])
  })

  test('level 3 blocks the award of what was opened before it, level 1 only marks it', async () => {
    const given = async (level: number) => {
      clock.set(monday)
      await db.updateTable('blacklist').set({ status: '6' }).execute()
      const demand = await world.givenDemand()
      await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
      world.passDeadline()
      await openDueDemands(world.services)
      const id = await givenInForce({ level, scopeDeptId: depts.root })
      // As if the quote had come from before its effect was carried out: the award itself asks.
      await db.updateTable('quote').set({ status: '4' }).where('demandId', '=', demand.id).execute()
      const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
      const line = data.quotes[0]?.lines[0]
      const lines = [{ demandItemId: demand.items[0]?.id, quoteLineId: line?.id, qty: 1 }]
      const awarded = await cast.project.call(awardDemand, { params: { id: demand.id }, body: { lines } })
      return { id, listed: data.quotes[0]?.listed, blocked: data.quotes[0]?.blocked, code: awarded.code }
    }
    expect(await given(1)).toMatchObject({ listed: 1, blocked: false, code: 200 })
    expect(await given(3)).toMatchObject({ listed: 3, blocked: true, code: 422 })
  })

  test('one machine on the list cannot be quoted; the others can', async () => {
    const [bad, fine] = [await world.givenMachine(cast.lessor.companyId), await world.givenMachine(cast.lessor.companyId)]
    await givenInForce({ subjectKind: 'machine', equipmentId: bad })
    const demand = await world.givenDemand()
    expect(refusedFields((await cast.lessor.call(submitQuote, { body: world.quoteBody(demand, [bad]) })).data)).toEqual([
      'lines.0.machines',
    ])
    expect((await cast.lessor.call(submitQuote, { body: world.quoteBody(demand, [fine]) })).code).toBe(200)
  })

  test('a machine is named only where the proposer may know it, and as the list for picking shows it: on the shelf, or hired before', async () => {
    const demand = await world.givenDemand()
    const [hidden, hired, shown] = [
      await world.givenMachine(cast.lessor.companyId),
      await world.givenMachine(cast.lessor.companyId),
      await world.givenMachine(cast.lessor.companyId),
    ]
    await world.givenQuote(cast.lessor, demand, [hired])
    world.passDeadline()
    await openDueDemands(world.services)
    const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
    const lines = [{ demandItemId: demand.items[0]?.id, quoteLineId: data.quotes[0]?.lines[0]?.id, qty: 1 }]
    expect((await cast.project.call(awardDemand, { params: { id: demand.id }, body: { lines } })).code).toBe(200)
    clock.set(monday)
    const machine = (equipmentId: number) => ({ subjectKind: 'machine', equipmentId })
    const { id } = (await propose(cast.project, machine(shown))).data
    await db.updateTable('equipment').set({ shelfStatus: '0' }).where('id', 'in', [hidden, hired, shown]).execute()

    const picked = (await cast.project.call(contract.listMachinesOf, { params: { companyId: cast.lessor.companyId } })).data
    expect(picked.filter(({ id }) => [hidden, hired, shown].includes(id)).map((one) => [one.id, machineNameEn(one)])).toEqual([
      [hired, 'LiuGong 856H Wheel loader'],
    ])
    const refused = await propose(cast.project, machine(hidden))
    expect([refused.code, refusedFields(refused.data)]).toEqual([422, ['equipmentId']])
    expect((await propose(cast.project, machine(hired))).code).toBe(200)
    // The entry that names it already may still be corrected.
    const { version } = await entryOf(id, cast.project)
    const edit = async (equipmentId: number) => {
      const body = { ...(await proposal(cast.project, machine(equipmentId))), id, version }
      return (await cast.project.call(contract.editBlacklist, { body })).code
    }
    expect([await edit(hidden), await edit(shown)]).toEqual([422, 200])
  })

  test('after the term without an answer it may be decided; it ends by its date', async () => {
    const { id } = (await propose(cast.project)).data
    await put(cast.project, contract.notifyBlacklist, id)
    clock.set(days(7))
    expect((await put(cast.lessor, contract.answerBlacklist, id, { answer: '来迟了' })).msg).toBe('陈述期限已过')
    expect((await put(cast.lessee, contract.decideBlacklist, id, { effective: true, note: '逾期未陈述' })).code).toBe(200)
    // It holds nobody before its decision, and ends when it was proposed to.
    expect(await entryOf(id)).toMatchObject({ fromDay: '2026-11-30', toDay: '2027-11-23' })
    clock.set(new Date('2027-11-22T15:59:00Z'))
    await expireBlacklist(world.services)
    const status = async () => (await db.selectFrom('blacklist').where('id', '=', id).select('status').executeTakeFirst())?.status
    expect(await status()).toBe('2')
    clock.set(new Date('2027-11-22T16:00:00Z'))
    await expireBlacklist(world.services)
    expect(await status()).toBe('5')
  })

  test('a restriction that begins later disqualifies what is open on its first day, once, and leaves a quote that was withdrawn', async () => {
    const machine = await world.givenMachine(cast.lessor.companyId)
    const [first, second] = [await world.givenDemand(), await world.givenDemand()]
    const quotes = [await world.givenQuote(cast.lessor, first, [machine]), await world.givenQuote(cast.lessor, second, [machine])]
    await cast.lessor.call(withdrawQuote, { params: { id: quotes[1]?.id ?? 0 } })
    const id = await givenInForce({ fromDay: '2026-11-25' })
    const statuses = async () =>
      (await db.selectFrom('quote').where('demandId', 'in', [first.id, second.id]).orderBy('id').select('status').execute()).map(
        ({ status }) => status,
      )
    clock.set(days(1))
    expect([await enforceBegun(world.services), await statuses()]).toEqual([0, ['1', '2']])
    clock.set(days(2))
    expect([await enforceBegun(world.services), await statuses()]).toEqual([1, ['10', '2']])
    expect(await enforceBegun(world.services)).toBe(0)
    expect((await entryOf(id)).events.map(({ move }) => move)).toEqual(['propose', 'notify', 'answer', 'decide', 'enforce'])
  })

  test('a quote that is withdrawn while a restriction waits for its demand stays withdrawn', async () => {
    const demand = await world.givenDemand()
    const quote = await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
    const { id } = (await propose(cast.project)).data
    await put(cast.project, contract.notifyBlacklist, id)
    await put(cast.lessor, contract.answerBlacklist, id, { answer: '情况属实，已整改' })
    const [withdrawn, decided] = await whileHeld<{ code: number }>(db, 'demand', [
      () => cast.lessor.call(withdrawQuote, { params: { id: quote.id } }),
      () => put(cast.lessee, contract.decideBlacklist, id, { effective: true, note: '证据充分' }),
    ])
    expect(decided?.code).toBe(200)
    const stored = await db.selectFrom('quote').where('id', '=', quote.id).select('status').executeTakeFirst()
    const events = await db.selectFrom('demandEvent').where('quoteId', '=', quote.id).orderBy('id').select('move').execute()
    // Whichever was first.
    const [status, move] = withdrawn?.code === 200 ? ['2', 'withdraw'] : ['10', 'blacklist']
    expect([stored?.status, events.map((event) => event.move)]).toEqual([status, ['quote', move]])
  })

  test('a restriction that the platform decided for a later day takes the machines off the shelf on that day', async () => {
    const machine = await world.givenMachine(cast.lessor2.companyId)
    const { id } = (await propose(cast.operator, { companyId: cast.lessor2.companyId, scopeDeptId: null, level: 3, fromDay: '2026-12-03' }))
      .data
    await put(cast.operator, contract.notifyBlacklist, id)
    await db.updateTable('blacklist').set({ proposerId: cast.clerk.id }).where('id', '=', id).execute()
    clock.set(days(8))
    expect((await put(cast.operator, contract.decideBlacklist, id, { effective: true, note: '逾期未陈述' })).code).toBe(200)
    const shelf = async () =>
      (await db.selectFrom('equipment').where('id', '=', machine).select('shelfStatus').executeTakeFirst())?.shelfStatus
    expect(await shelf()).toBe('1')
    clock.set(days(10))
    expect([await enforceBegun(world.services), await shelf()]).toEqual([1, '0'])
    // One that begins later still bars nobody today.
    const later = { companyId: cast.lessor2.companyId, scopeDeptId: null, level: 3, fromDay: '2027-06-01' }
    const ahead = (await propose(cast.operator, later)).data.id
    const { numUpdatedRows } = await db.updateTable('blacklist').set({ status: '2' }).where('id', '=', ahead).executeTakeFirstOrThrow()
    expect(numUpdatedRows).toBe(1n)
    expect((await put(cast.operator, contract.liftBlacklist, id, { note: '整改完成' })).code).toBe(200)
    const company = db.selectFrom('company').where('id', '=', cast.lessor2.companyId).select('blacklistedAt')
    expect((await company.executeTakeFirst())?.blacklistedAt).toBeNull()
  })

  test('a restriction whose period is over cannot be proposed, notified, nor take effect, and can only be dropped', async () => {
    clock.set(days(10))
    const over = { fromDay: '2026-11-23', toDay: '2026-12-03' }
    expect(refusedFields((await propose(cast.project, over)).data)).toEqual(['toDay'])
    clock.set(monday)
    const { id } = (await propose(cast.project, over)).data
    const urgent = (await propose(cast.project, { ...over, reasonCode: 'accident' })).data.id
    expect([(await entryOf(urgent, cast.project)).may.notify, (await entryOf(urgent)).may.emergency]).toEqual([true, true])
    await put(cast.project, contract.notifyBlacklist, id)
    clock.set(days(10))
    expect((await entryOf(id)).may).toMatchObject({ decide: false, drop: true })
    expect((await entryOf(urgent)).may.emergency).toBe(false)
    expect((await entryOf(urgent, cast.project)).may).toMatchObject({ edit: true, notify: false, withdraw: true })
    expect((await put(cast.project, contract.notifyBlacklist, urgent)).msg).toBe(zhCn.refusal.blacklist_over)
    const decide = (effective: boolean) => put(cast.lessee, contract.decideBlacklist, id, { effective, note: '逾期未陈述' })
    expect((await decide(true)).code).toBe(409)
    expect((await put(cast.lessee, contract.emergencyBlacklist, urgent, { note: '塔吊倾覆，先行停止合作' })).code).toBe(409)
    expect((await decide(false)).code).toBe(200)
  })

  test('whoever proposed an entry and went to another company, or left the platform, has no part in it, and who decides drops what nobody heard of', async () => {
    const { id } = (await propose(cast.otherProject, { scopeDeptId: depts.otherDept })).data
    const move = (deptId: number, companyId: number) =>
      db.updateTable('account').set({ deptId, companyId }).where('id', '=', cast.otherProject.id).execute()
    expect((await entryOf(id, cast.otherProject)).may).toMatchObject({ edit: true, notify: true })
    await put(cast.otherProject, contract.notifyBlacklist, id)
    const unheard = (await propose(cast.otherProject, { scopeDeptId: depts.otherDept })).data.id
    const drop = (effective = false) => put(cast.lessee, contract.decideBlacklist, unheard, { effective, note: '提出人已离职' })
    expect([(await entryOf(unheard)).may.drop, (await drop()).code]).toEqual([false, 409])
    await move(depts.strangerDept, cast.stranger.companyId)
    expect((await cast.otherProject.call(contract.getBlacklist, { params: { id } })).code).toBe(404)
    expect((await put(cast.otherProject, contract.withdrawBlacklist, id)).code).toBe(404)
    expect((await entryOf(unheard)).may).toMatchObject({ drop: true, decide: false })
    expect([(await drop(true)).code, (await drop()).code, (await entryOf(unheard)).status]).toEqual([409, 200, '6'])
    const mover = await world.givenPerson({ userType: '9', duties: ['blacklist'] }, 'mover')
    const platform = (await propose(mover, { scopeDeptId: null })).data.id
    await put(mover, contract.notifyBlacklist, platform)
    await db.updateTable('account').set({ userType: '4', companyId: cast.lessor2.companyId }).where('id', '=', mover.id).execute()
    for (const entry of [id, platform]) await put(cast.lessor, contract.answerBlacklist, entry, { answer: '情况属实，已整改' })
    const news = db.selectFrom('message').where('accountId', 'in', [cast.otherProject.id, mover.id]).where('kind', '=', 'blacklistAnswered')
    expect(await news.select('id').execute()).toEqual([])
    await move(depts.otherDept, cast.project.companyId)
    expect((await put(cast.otherProject, contract.withdrawBlacklist, id)).code).toBe(200)
  })

  test('an accident may hold at once, the hearing follows; other reasons may not; lifting ends it', async () => {
    const urgent = (await propose(cast.project, { reasonCode: 'accident' })).data.id
    const plain = (await propose(cast.project)).data.id
    const act = (id: number, more: object = {}) => put(cast.lessee, contract.emergencyBlacklist, id, { note: '塔吊倾覆', ...more })
    expect((await act(plain)).code).toBe(409)
    // What its proposer has made of it since is not what whoever decides has read.
    const { version } = await entryOf(urgent)
    const body = { ...(await proposal(cast.project, { reasonCode: 'accident', level: 3 })), id: urgent, version }
    expect((await cast.project.call(contract.editBlacklist, { body })).code).toBe(200)
    expect([(await act(urgent, { version })).msg, (await entryOf(urgent)).status]).toEqual(['内容刚被别人修改，请刷新后重试', '0'])
    expect((await act(urgent)).code).toBe(200)
    expect(await entryOf(urgent, cast.lessor)).toMatchObject({ status: '2', emergency: true, may: { answer: true } })
    expect((await put(cast.lessee, contract.liftBlacklist, urgent, { note: '整改完成' })).code).toBe(200)
    expect((await entryOf(urgent)).status).toBe('4')
  })

  test('lists hold what concerns the viewer', async () => {
    const id = await givenInForce({ scopeDeptId: depts.root })
    const ids = async (who: Person) => (await who.call(contract.listBlacklist, { query: { pageSize: 100 } })).data.rows.map((row) => row.id)
    for (const who of [cast.project, cast.otherProject, cast.lessee, cast.lessor, cast.operator, cast.auditor])
      expect(await ids(who)).toContain(id)
    for (const who of [cast.stranger, cast.strangerAdmin, cast.lessor2]) expect(await ids(who)).not.toContain(id)
  })
})
