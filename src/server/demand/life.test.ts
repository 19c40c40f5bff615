import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { approveAward, awardDemand, rejectAward } from '#shared/award/contract.ts'
import { addDays, toMoment } from '#shared/calendar.ts'
import { getOwnDemand, getPublicDemand, listPublicDemands, publishDemand } from '#shared/demand/contract.ts'
import * as moves from '#shared/demand/moves.ts'
import { editDept } from '#shared/dept/contract.ts'
import { openDemand } from '#shared/opening/contract.ts'
import { answerQuestion, askQuestion, listQuestions } from '#shared/question/contract.ts'
import { changeQuote, compareQuotes, confirmQuote, getDemandForLessor } from '#shared/quote/contract.ts'
import { demandApprover } from '#test/approver.ts'
import { byCategory } from '#test/by-category.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld } from '#test/world.ts'
import { openDueDemands } from '../opening/due.ts'
import { notifyWaiting } from '../quote/notices.ts'

const world = await openWorld()
const { db, cast, clock, depts } = world
const { approve, sendBack } = demandApprover(world)
afterAll(() => world.close())
beforeEach(async () => {
  clock.set(monday)
  await approvals({})
})

const hours = (n: number) => new Date(monday.getTime() + n * 3_600_000)
const detail = async (id: number, by = cast.project) => (await by.call(getOwnDemand, { params: { id } })).data
const subjectsOf = async (accountId: number) =>
  (await db.selectFrom('message').where('accountId', '=', accountId).orderBy('id', 'desc').limit(5).select('kind').execute()).map(
    ({ kind }) => kind,
  )
const approvals = (on: { approvesDemands?: boolean; approvesAwards?: boolean }) =>
  db
    .updateTable('dept')
    .set({ approvesDemands: false, approvesAwards: false, ...on })
    .where('id', '=', depts.root)
    .execute()

describe('[S2.24][S7.6] approval by the unit above', () => {
  test('a unit switches it on for everything below', async () => {
    const body = { deptId: depts.root, deptType: '1', parentId: null, deptName: '华拓建设集团', approvesDemands: true }
    expect((await cast.lessee.call(editDept, { body })).code).toBe(200)
    expect(
      await db.selectFrom('dept').where('id', '=', depts.root).select(['approvesDemands', 'approvesAwards']).executeTakeFirst(),
    ).toEqual({ approvesDemands: true, approvesAwards: false })
  })

  test('what a project submits waits unseen, is sent back with a reason, mended, submitted again and published', async () => {
    await approvals({ approvesDemands: true })
    // An administrator of the unit below the one that approves could not, so they are not asked.
    const below = await world.givenPerson({ userType: '2', deptId: depts.unit, companyId: cast.lessee.companyId, isAdmin: true }, 'below')
    const { id } = await world.givenDemand()
    expect((await detail(id)).status).toBe('1')
    expect(await subjectsOf(below.id)).toEqual([])
    expect((await cast.lessor.call(getPublicDemand, { params: { id } })).code).toBe(404)
    expect(await subjectsOf(cast.lessee.id)).toContain('demandSubmitted')
    expect((await approve(id, {}, cast.project)).code).toBe(403)

    expect((await sendBack(id)).code).toBe(200)
    expect(await detail(id)).toMatchObject({ status: '2', statusReason: '先用内部设备' })
    const again = await cast.project.call(publishDemand, {
      body: world.demandBody({ draftId: id, items: [world.demandItem({ qty: 3 })], title: '渝昌高铁5标 装载机三台' }),
    })
    expect(again.data).toMatchObject({ id, status: '1' })
    const mended = await detail(id, cast.lessee)
    expect(mended).toMatchObject({ status: '1', mayApprove: true, title: '渝昌高铁5标 装载机三台', statusReason: '' })
    expect(mended.items.map(({ qty }) => qty)).toEqual([3])

    await world.givenMachine(cast.lessor.companyId)
    expect((await approve(id)).code).toBe(200)
    expect((await cast.visitor.call(getPublicDemand, { params: { id } })).data.status).toBe('3')
    expect(await subjectsOf(cast.lessor.id)).not.toContain('demandMatched')
    await notifyWaiting(world.services)
    expect(await subjectsOf(cast.lessor.id)).toContain('demandMatched')
    expect((await detail(id)).events.map(({ move }) => move)).toEqual(['submit', 'reject', 'submit', 'approve'])
    // Once only.
    expect((await approve(id)).code).toBe(409)
  })

  test('an administrator’s own demand needs nobody else; a colleague without that right does', async () => {
    await approvals({ approvesDemands: true })
    const own = await cast.lessee.call(publishDemand, { body: world.demandBody() })
    expect(own.data.status).toBe('3')
    await db.updateTable('account').set({ isAdmin: false }).where('id', '=', cast.lessee.id).execute()
    expect((await cast.lessee.call(publishDemand, { body: world.demandBody() })).data.status).toBe('1')
    await db.updateTable('account').set({ isAdmin: true }).where('id', '=', cast.lessee.id).execute()
  })

  test('what was approved is amended by whoever approves; its project changes the title and the contact', async () => {
    await approvals({ approvesDemands: true })
    const given = async (changes: Record<string, unknown> = {}) => {
      const { id } = await world.givenDemand(changes)
      expect((await approve(id)).code).toBe(200)
      return id
    }
    const amend = async (id: number, changes: Record<string, unknown>, by = cast.project) => {
      const { version, quoteDeadline, items } = await detail(id)
      const line = world.demandItem({ id: items[0]?.id })
      const body = world.demandBody({ quoteDeadline, changeReason: '工期调整', items: [line], ...changes })
      return by.call(moves.amendDemand, { body: { ...body, id, version } })
    }
    const id = await given({ budgetLimit: 100_000, minQuotes: 2 })
    const approved = { budgetLimit: 100_000, minQuotes: 2 }
    const [line] = (await detail(id)).items
    const refused = [
      { items: [world.demandItem({ id: line?.id, qty: 9 })] },
      { items: [world.demandItem({ id: line?.id, planEnd: addDays(line?.planEnd ?? '', 30) })] },
      { items: [world.demandItem({ id: line?.id, priceCeiling: 90_000 })] },
      { items: [world.demandItem({ id: line?.id }), world.demandItem()] },
      { cityId: 510_300 },
      { terms: '须配备随车工具' },
      { budgetLimit: 900_000 },
      { minQuotes: 1 },
    ]
    for (const changes of refused) expect([changes, (await amend(id, { ...approved, ...changes })).code]).toEqual([changes, 403])
    const same = await detail(id)
    expect(same).toMatchObject({ revision: 1, budgetLimit: '100000.00', minQuotes: 2, isDecidedAbove: true })
    expect(same.items).toEqual([line])

    const small = { title: '渝昌高铁5标 装载机二台', contactPhone: '14400000009', quoteDeadline: toMoment(hours(96)) }
    expect((await amend(id, { ...approved, ...small })).code).toBe(200)
    expect((await detail(id, cast.lessee)).isDecidedAbove).toBe(false)
    const items = [world.demandItem({ id: line?.id, qty: 9 })]
    expect((await amend(id, { ...approved, ...small, items, budgetLimit: 900_000 }, cast.lessee)).code).toBe(200)
    expect(await detail(id)).toMatchObject({ revision: 2, budgetLimit: '900000.00', title: small.title })

    const invited = { demandType: '2', invitedCompanyIds: [cast.lessor.companyId] }
    const byInvitation = await given(invited)
    expect((await amend(byInvitation, { ...invited, invitedCompanyIds: [cast.lessor2.companyId] })).code).toBe(403)
    expect(await subjectsOf(cast.lessor2.id)).not.toContain('demandInvited')
    expect((await amend(byInvitation, { ...invited, title: '渝昌高铁5标 邀请询价' })).code).toBe(200)
  })

  test('an award waits for approval, books nothing until then, is sent back, chosen again and approved', async () => {
    const machine = await world.givenMachine(cast.lessor.companyId)
    const demand = await world.givenDemand()
    await world.givenQuote(cast.lessor, demand, [machine])
    world.passDeadline()
    await openDueDemands(world.services)
    await approvals({ approvesAwards: true })
    const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
    const lines = [{ demandItemId: demand.items[0]?.id, quoteLineId: data.quotes[0]?.lines[0]?.id, qty: 1 }]
    const params = { id: demand.id }
    expect((await cast.project.call(awardDemand, { params, body: { lines } })).data).toEqual({ awardId: null, status: '4' })
    // Whoever approves decides on this request, and does not award beside it.
    for (const who of [cast.project, cast.lessee]) expect((await who.call(awardDemand, { params, body: { lines } })).code).toBe(409)
    expect((await detail(demand.id, cast.lessee)).awardRequest).toMatchObject({ status: '1', lines: [{ qty: 1 }] })
    expect(await db.selectFrom('equipmentBooking').where('equipmentId', '=', machine).select('id').execute()).toEqual([])
    const read = async () => ({ requestId: (await detail(demand.id)).awardRequest?.id ?? 0 })
    const first = await read()
    expect((await cast.project.call(approveAward, { params, body: first })).code).toBe(403)

    expect((await cast.lessee.call(rejectAward, { params, body: { ...first, reason: '再谈一次价格' } })).code).toBe(200)
    expect((await detail(demand.id)).awardRequest).toMatchObject({ status: '3', reason: '再谈一次价格' })
    expect((await cast.lessee.call(approveAward, { params, body: first })).code).toBe(409)
    await cast.project.call(awardDemand, { params, body: { lines } })
    const body = await read()
    const decided = await Promise.all([1, 2, 3].map(() => cast.lessee.call(approveAward, { params, body })))
    expect(decided.map(({ code }) => code).toSorted()).toEqual([200, 409, 409])
    expect((await detail(demand.id)).status).toBe('6')
    expect(await db.selectFrom('equipmentBooking').where('equipmentId', '=', machine).select('id').execute()).toHaveLength(1)
  })
})

test('an award that waited for approval waits for nobody once approval is switched off: its project awards, also something else', async () => {
  const demand = await world.givenDemand()
  await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
  world.passDeadline()
  await openDueDemands(world.services)
  await approvals({ approvesAwards: true })
  const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
  const lines = [{ demandItemId: demand.items[0]?.id, quoteLineId: data.quotes[0]?.lines[0]?.id, qty: 1 }]
  const award = () => cast.project.call(awardDemand, { params: { id: demand.id }, body: { lines } })
  expect([(await award()).data.awardId, (await award()).code, (await detail(demand.id)).decisionEnds]).toEqual([null, 409, null])
  await approvals({})
  expect(await detail(demand.id)).toMatchObject({ awardRequest: null, decisionEnds: null })
  expect((await award()).data.status).toBe('6')
  const requests = db.selectFrom('awardRequest').where('demandId', '=', demand.id).select('status')
  expect(await requests.execute()).toEqual([{ status: '3' }])
  const moves = (await detail(demand.id)).events.map(({ move, who }) => [move, who])
  expect(moves.slice(-3)).toEqual([
    ['awardSubmit', expect.any(String)],
    ['awardApprovalOff', ''],
    ['awardPart', expect.any(String)],
  ])
})

describe('[S7.6] questions and answers', () => {
  test('a lessor asks, the owner answers, everybody reads and nobody sees who asked', async () => {
    const demand = await world.givenDemand({ clarifyDeadline: toMoment(hours(24)) })
    await world.givenQuote(cast.lessor2, demand, [await world.givenMachine(cast.lessor2.companyId)])
    const asked = await cast.lessor.call(askQuestion, { body: { demandId: demand.id, content: '夜间能进场吗？' } })
    expect(asked.code).toBe(200)
    expect(await subjectsOf(cast.project.id)).toContain('questionAsked')
    const { id } = asked.data
    expect((await cast.project.call(answerQuestion, { params: { id }, body: { answer: '可以，须提前一天报备' } })).code).toBe(200)
    for (const person of [cast.lessor, cast.lessor2]) expect(await subjectsOf(person.id)).toContain('questionAnswered')
    const seen = await cast.visitor.call(listQuestions, { params: { demandId: demand.id } })
    expect(seen.data).toEqual([expect.objectContaining({ content: '夜间能进场吗？', answer: '可以，须提前一天报备', mine: false })])
    expect(JSON.stringify(seen.raw)).not.toContain('恒岳')
    expect((await cast.lessor.call(listQuestions, { params: { demandId: demand.id } })).data[0]?.mine).toBe(true)
    clock.set(hours(24))
    expect((await cast.lessor.call(askQuestion, { body: { demandId: demand.id, content: '还能问吗' } })).code).toBe(409)
  })
})

test('negotiation and auction are no methods of new demands; a demand that has one keeps it when it is amended', async () => {
  const methodReason = '当地只此一家能按期进场'
  const publish = (method: string) => cast.project.call(publishDemand, { body: world.demandBody({ method, methodReason }) })
  for (const method of ['2', '3']) expect((await publish(method)).code).toBe(422)
  expect((await publish('4')).code).toBe(200)
  const { id } = await world.givenDemand()
  const amend = async (method: string) => {
    const { version, quoteDeadline, items } = await detail(id)
    const changes = { method, quoteDeadline, changeReason: '采购方式调整' }
    const lines = [world.demandItem({ id: items[0]?.id })]
    return (await cast.project.call(moves.amendDemand, { body: { ...world.demandBody(changes), id, version, items: lines } })).code
  }
  expect(await amend('3')).toBe(422)
  await db.updateTable('demand').set({ method: '3' }).where('id', '=', id).execute()
  expect(await amend('3')).toBe(200)
  expect((await detail(id)).method).toBe('3')
  expect(await amend('2')).toBe(422)
  expect(await amend('1')).toBe(200)
})

describe('[S2.24] a demand is amended while it is quoted', () => {
  const amendment = async (id: number, changes: Record<string, unknown> = {}) => {
    const demand = await detail(id)
    return {
      ...world.demandBody({ quoteDeadline: demand.quoteDeadline, changeReason: '工期调整' }),
      id,
      version: demand.version,
      items: [world.demandItem({ id: demand.items[0]?.id })],
      ...changes,
    }
  }
  test('what matters to quotes raises the revision, asks for confirmation and leaves a day; an unconfirmed quote lapses', async () => {
    const demand = await world.givenDemand()
    const first = await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
    await world.givenQuote(cast.lessor2, demand, [await world.givenMachine(cast.lessor2.companyId)])
    clock.set(hours(40))
    const body = await amendment(demand.id, { terms: '须配备随车工具' })
    const { code, data } = await cast.project.call(moves.amendDemand, { body })
    expect(code).toBe(200)
    expect(data).toEqual({ revision: 2, quoteDeadline: toMoment(hours(72)) })
    expect((await db.selectFrom('quote').where('demandId', '=', demand.id).select('status').execute()).map(({ status }) => status)).toEqual(
      ['3', '3'],
    )
    expect(await subjectsOf(cast.lessor.id)).toContain('demandAmended')
    const mine = (await cast.lessor.call(getDemandForLessor, { params: { id: demand.id } })).data
    expect([mine.quote?.status, mine.changes.map(({ note }) => note)]).toEqual(['3', ['工期调整']])
    const confirming = { params: { id: first.id }, body: { version: mine.quote?.version ?? 0, demandRevision: mine.revision } }
    expect((await cast.lessor2.call(confirmQuote, confirming)).code).toBe(404)
    expect((await cast.lessor.call(confirmQuote, confirming)).code).toBe(200)
    world.passDeadline()
    await openDueDemands(world.services)
    const compared = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
    expect(compared.data.quotes.map(({ companyId }) => companyId)).toEqual([cast.lessor.companyId])
    expect(await subjectsOf(cast.lessor2.id)).toContain('quoteLapsed')
  })
  test('a smaller demand makes a confirmation that no longer fits fail; changing the quote mends it', async () => {
    const demand = await world.givenDemand()
    const machines = [await world.givenMachine(cast.lessor.companyId), await world.givenMachine(cast.lessor.companyId)]
    const quote = await world.givenQuote(cast.lessor, demand, machines)
    const body = await amendment(demand.id)
    await cast.project.call(moves.amendDemand, { body: { ...body, items: [{ ...body.items[0], qty: 1 }] } })
    const seen = (await cast.lessor.call(getDemandForLessor, { params: { id: demand.id } })).data
    const version = seen.quote?.version ?? 0
    const refused = await cast.lessor.call(confirmQuote, { params: { id: quote.id }, body: { version, demandRevision: seen.revision } })
    expect([refused.code, refusedFields(refused.data)]).toEqual([422, ['lines.0.machines']])
    const changed = { ...world.quoteBody(demand, machines.slice(0, 1)), id: quote.id, version }
    expect((await cast.lessor.call(changeQuote, { body: changed })).code).toBe(200)
  })
  test('a corrected phone number leaves quotes as they are; lines are added and removed', async () => {
    const demand = await world.givenDemand()
    await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
    const first = await cast.project.call(moves.amendDemand, { body: await amendment(demand.id, { contactPhone: '14400000009' }) })
    expect(first.data.revision).toBe(1)
    expect((await db.selectFrom('quote').where('demandId', '=', demand.id).select('status').executeTakeFirst())?.status).toBe('1')
    const body = await amendment(demand.id)
    const grown = [...body.items, world.demandItem({ qty: 5 })]
    expect((await cast.project.call(moves.amendDemand, { body: { ...body, items: grown } })).data.revision).toBe(2)
    const after = await detail(demand.id)
    expect(after.items.map(({ id, qty }) => [id === demand.items[0]?.id, qty])).toEqual([
      [true, 2],
      [false, 5],
    ])
    const shrunk = [world.demandItem({ id: after.items[1]?.id, qty: 4 })]
    await cast.project.call(moves.amendDemand, { body: { ...(await amendment(demand.id)), items: shrunk } })
    expect((await detail(demand.id)).items.map(({ lineNo, qty }) => [lineNo, qty])).toEqual([[1, 4]])
    const { kept, said } = await byCategory(db)
    expect(kept).toEqual(said)
  })
  test('the second of two editors is refused, and nothing of theirs is half stored', async () => {
    const { id } = await world.givenDemand()
    const body = await amendment(id)
    const both = await Promise.all(
      ['甲改的标题一', '乙改的标题二'].map((title) => cast.project.call(moves.amendDemand, { body: { ...body, title } })),
    )
    expect(both.map(({ code }) => code).toSorted()).toEqual([200, 409])
    expect((await detail(id)).title).toBe(both[0]?.code === 200 ? '甲改的标题一' : '乙改的标题二')
  })
  test('less than a day before the deadline, an earlier deadline, a foreign line: refused', async () => {
    const { id } = await world.givenDemand()
    const other = await world.givenDemand()
    const body = await amendment(id)
    const foreign = { ...body, items: [world.demandItem({ id: other.items[0]?.id })] }
    expect(refusedFields((await cast.project.call(moves.amendDemand, { body: foreign })).data)).toEqual(['items'])
    const earlier = { ...body, quoteDeadline: toMoment(hours(48)) }
    expect(refusedFields((await cast.project.call(moves.amendDemand, { body: earlier })).data)).toEqual(['quoteDeadline'])
    expect((await cast.stranger.call(moves.amendDemand, { body })).code).toBe(404)
    clock.set(hours(60))
    const late = { ...body, quoteDeadline: toMoment(hours(100)) }
    expect((await cast.project.call(moves.amendDemand, { body: late })).code).toBe(409)
  })
})

describe('[S2.24] deadlines', () => {
  test('extended: later only, bidders are told', async () => {
    const demand = await world.givenDemand()
    await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
    const extend = (quoteDeadline: string) =>
      cast.project.call(moves.extendDemand, { params: { id: demand.id }, body: { quoteDeadline, reason: '图纸未到' } })
    expect(refusedFields((await extend(toMoment(hours(48)))).data)).toEqual(['quoteDeadline'])
    expect(refusedFields((await extend(toMoment(hours(61 * 24)))).data)).toEqual(['quoteDeadline'])
    expect((await extend(toMoment(hours(120)))).code).toBe(200)
    expect(await subjectsOf(cast.lessor.id)).toContain('demandExtended')
    expect((await detail(demand.id)).quoteDeadline).toBe(toMoment(hours(120)))
  })
  test('too few quotes: the owner is asked once, may extend, fail or open with a reason; after three days the clock opens', async () => {
    const given = async () => {
      clock.set(monday)
      const demand = await world.givenDemand({ minQuotes: 2 })
      await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
      clock.set(hours(73))
      await openDueDemands(world.services)
      return demand
    }
    const demand = await given()
    await openDueDemands(world.services)
    expect((await detail(demand.id)).status).toBe('3')
    const told = await db
      .selectFrom('message')
      .where('kind', '=', 'demandShort')
      .where('bizId', '=', String(demand.id))
      .select('id')
      .execute()
    expect(told).toHaveLength(1)
    const params = { id: demand.id }
    expect(refusedFields((await cast.project.call(openDemand, { params, body: {} })).data)).toEqual(['reason'])
    expect((await cast.project.call(openDemand, { params, body: { reason: '工期紧，先行评审' } })).code).toBe(200)
    expect((await detail(demand.id)).events.at(-1)).toMatchObject({ move: 'open', note: '工期紧，先行评审' })

    const extended = await given()
    const later = { quoteDeadline: toMoment(hours(100)), reason: '再等两家' }
    expect((await cast.project.call(moves.extendDemand, { params: { id: extended.id }, body: later })).code).toBe(200)
    const failed = await given()
    expect((await cast.project.call(moves.failDemand, { params: { id: failed.id }, body: { reason: '报价太少' } })).code).toBe(200)
    expect((await detail(failed.id)).status).toBe('7')
    const left = await given()
    clock.set(hours(73 + 72))
    await openDueDemands(world.services)
    expect((await detail(left.id)).status).toBe('4')
  })
})

test('[S2.24] the rest of a partly awarded demand is asked for again and leads back to it', async () => {
  const demand = await world.givenDemand()
  await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
  world.passDeadline()
  await openDueDemands(world.services)
  const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
  const lines = [{ demandItemId: demand.items[0]?.id, quoteLineId: data.quotes[0]?.lines[0]?.id, qty: 1 }]
  await cast.project.call(awardDemand, { params: { id: demand.id }, body: { lines } })
  clock.set(monday)
  const rest = await world.givenDemand({ sourceId: demand.id, items: [world.demandItem({ qty: 1 })] })
  expect((await detail(rest.id)).source?.id).toBe(demand.id)
  expect((await detail(demand.id)).followers).toMatchObject([{ id: rest.id, status: '3' }])
  const wrong = await cast.project.call(publishDemand, { body: world.demandBody({ sourceId: rest.id }) })
  expect(refusedFields(wrong.data)).toEqual(['sourceId'])
  expect((await cast.visitor.call(listPublicDemands, { query: {} })).code).toBe(200)
})

test('[S2.24] ceilings stay with the owner where the demand says so, and bind the award nevertheless', async () => {
  const items = [world.demandItem({ priceCeiling: 10_000 })]
  const hidden = await world.givenDemand({ showCeiling: false, items })
  expect((await cast.lessor.call(getDemandForLessor, { params: { id: hidden.id } })).data.ceilings).toEqual({})
  await world.givenQuote(cast.lessor, hidden, [await world.givenMachine(cast.lessor.companyId)], { unitPrice: 12_000 })
  world.passDeadline()
  await openDueDemands(world.services)
  const { data } = await cast.project.call(compareQuotes, { params: { demandId: hidden.id } })
  const line = data.quotes[0]?.lines[0]
  expect(line?.overCeiling).toBe(true)
  const pick = { demandItemId: hidden.items[0]?.id, quoteLineId: line?.id, qty: 1 }
  const params = { id: hidden.id }
  expect((await cast.project.call(awardDemand, { params, body: { lines: [pick] } })).code).toBe(422)
  expect((await cast.project.call(awardDemand, { params, body: { lines: [{ ...pick, reason: '当地只此一家' }] } })).code).toBe(200)
})
