import { afterAll, beforeEach, expect, test } from 'vitest'
import { awardDemand } from '#shared/award/contract.ts'
import { awardRequestStatus } from '#shared/award/rules.ts'
import { dayMs, toMoment } from '#shared/calendar.ts'
import { getOwnDemand, publishDemand } from '#shared/demand/contract.ts'
import { fewDays } from '#shared/demand/rules.ts'
import { compareQuotes } from '#shared/quote/contract.ts'
import { inTransaction, waitingForLocks } from '#test/held-rows.ts'
import { monday, openWorld } from '#test/world.ts'
import { runJob } from '../jobs/clock-jobs.ts'
import { openDueDemands } from '../opening/due.ts'

const world = await openWorld()
const { db, cast, clock, depts } = world
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

let opening = monday
/** A demand with one offer, opened just now. */
async function givenOpened() {
  clock.set(monday)
  const demand = await world.givenDemand()
  await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
  world.passDeadline()
  await openDueDemands(world.services)
  opening = clock.now()
  return demand
}
/** The job at so many days after the opening. */
async function onDay(days: number) {
  clock.set(new Date(opening.getTime() + days * dayMs))
  await runJob(world.services, 'undecidedDemands')
}
const statusOf = async (id: number) =>
  (await db.selectFrom('demand').where('id', '=', id).select('status').executeTakeFirstOrThrow()).status
const told = async (accountId: number, id: number) =>
  (
    await db
      .selectFrom('message')
      .where('accountId', '=', accountId)
      .where('bizId', '=', String(id))
      .where('kind', 'in', ['awardApprovalOff', 'decisionDue', 'demandApprovalOff', 'demandUndecided'])
      .orderBy('id')
      .select('kind')
      .execute()
  ).map(({ kind }) => kind)
/** Asked at the opening, while the person is still signed in. */
const shownEnd = async (id: number) => {
  const now = clock.now()
  clock.set(opening)
  const { data } = await cast.project.call(getOwnDemand, { params: { id } })
  clock.set(now)
  return data.decisionEnds
}
const later = (days: number) => toMoment(new Date(opening.getTime() + days * dayMs))
const approvesAwards = (on: boolean) => db.updateTable('dept').set({ approvesAwards: on }).where('id', '=', depts.root).execute()
const award = async (demand: Awaited<ReturnType<typeof givenOpened>>) => {
  const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
  const lines = [{ demandItemId: demand.items[0]?.id, quoteLineId: data.quotes[0]?.lines[0]?.id, qty: 1 }]
  return cast.project.call(awardDemand, { params: { id: demand.id }, body: { lines } })
}

test('a demand that nobody decides fails 30 days after its opening; the owner is reminded once three days before', async () => {
  const { id } = await givenOpened()
  expect(await shownEnd(id)).toBe(later(30))
  await onDay(26.9)
  expect(await told(cast.project.id, id)).toEqual([])
  await onDay(27)
  await onDay(29.9)
  expect(await told(cast.project.id, id)).toEqual(['decisionDue'])
  expect(await statusOf(id)).toBe('4')
  await onDay(30)
  await onDay(31)
  expect(await told(cast.project.id, id)).toEqual(['decisionDue', 'demandUndecided'])
  expect(await told(cast.lessor.id, id)).toEqual(['demandUndecided'])
  expect([await statusOf(id), await shownEnd(id)]).toEqual(['7', null])
  const events = await db.selectFrom('demandEvent').where('demandId', '=', id).orderBy('id', 'desc').select(['move', 'accountId']).execute()
  expect(events[0]).toEqual({ move: 'fail', accountId: null })
  // What was opened stays open: the owner still reads the offers that nobody took.
  clock.set(opening)
  const { data } = await cast.project.call(compareQuotes, { params: { demandId: id } })
  expect(data.quotes.map(({ status, lines }) => [status, lines.length])).toEqual([['9', 1]])
})

test('nobody loses a demand without the three days of the reminder, however late it comes', async () => {
  const { id } = await givenOpened()
  await onDay(60)
  expect([await statusOf(id), await told(cast.project.id, id)]).toEqual(['4', ['decisionDue']])
  await onDay(62.9)
  expect(await statusOf(id)).toBe('4')
  await onDay(63)
  expect(await statusOf(id)).toBe('7')
})

test('whoever opens quotes is told until when to award, and where nobody quotes, to close the demand', async () => {
  const { id } = await givenOpened()
  clock.set(monday)
  const empty = await world.givenDemand()
  world.passDeadline()
  await openDueDemands(world.services)
  clock.set(new Date(clock.now().getTime() + fewDays * dayMs))
  await openDueDemands(world.services)
  const opened = (demandId: number) =>
    db
      .selectFrom('message')
      .where('accountId', '=', cast.project.id)
      .where('bizId', '=', String(demandId))
      .where('kind', '=', 'demandOpened')
      .select('content')
      .executeTakeFirst()
  expect((await opened(id))?.content).toContain('30 天内比价定标')
  expect((await opened(empty.id))?.content).toContain('请流标或取消')
})

test('a demand whose award is submitted at the moment when the clock would let it fail waits for its approval', async () => {
  const { id } = await givenOpened()
  await approvesAwards(true)
  await onDay(27)
  const failing = await inTransaction(db, async (tx) => {
    await tx.selectFrom('demand').where('id', '=', id).forNoKeyUpdate().select('id').execute()
    const values = { demandId: id, accountId: cast.project.id, input: JSON.stringify({ lines: [] }), netFen: 1, requestTime: clock.now() }
    await tx.insertInto('awardRequest').values(values).execute()
    const job = onDay(30)
    await expect.poll(() => waitingForLocks(db)).toBe(1)
    return { job }
  })
  await failing.job
  expect([await statusOf(id), await told(cast.project.id, id)]).toEqual(['4', ['decisionDue']])
  await approvesAwards(false)
  await db.deleteFrom('awardRequest').where('demandId', '=', id).execute()
})

test('an award that no unit wants to approve any more comes back to its project, which has three days and a reminder again', async () => {
  const demand = await givenOpened()
  await onDay(27)
  await approvesAwards(true)
  clock.set(opening)
  expect((await award(demand)).code).toBe(200)
  await onDay(45)
  await approvesAwards(false)
  expect(await shownEnd(demand.id)).toBeNull()
  await onDay(45)
  const news = ['decisionDue', 'awardApprovalOff', 'decisionDue']
  expect([await statusOf(demand.id), await told(cast.project.id, demand.id)]).toEqual(['4', news])
  expect(await shownEnd(demand.id)).toBe(later(48))
  const events = db.selectFrom('demandEvent').where('demandId', '=', demand.id).orderBy('id', 'desc').select(['move', 'accountId'])
  expect(await events.executeTakeFirst()).toEqual({ move: 'awardApprovalOff', accountId: null })
  await onDay(47.9)
  expect(await statusOf(demand.id)).toBe('4')
  await onDay(48)
  expect([await statusOf(demand.id), await told(cast.project.id, demand.id)]).toEqual(['7', [...news, 'demandUndecided']])
})

test('an award comes back as well where its project department is moved away from the unit that approves', async () => {
  const demand = await givenOpened()
  await db.updateTable('dept').set({ approvesAwards: true }).where('id', '=', depts.unit).execute()
  expect((await award(demand)).code).toBe(200)
  await onDay(1)
  expect(await told(cast.project.id, demand.id)).toEqual([])
  const { parentId, ancestors } = await db
    .selectFrom('dept')
    .where('id', '=', depts.projectDept)
    .select(['parentId', 'ancestors'])
    .executeTakeFirstOrThrow()
  const hang = (place: { parentId: number | null; ancestors: number[] }) =>
    db.updateTable('dept').set(place).where('id', '=', depts.projectDept).execute()
  await hang({ parentId: depts.root, ancestors: [depts.root] })
  await onDay(2)
  expect(await told(cast.project.id, demand.id)).toEqual(['awardApprovalOff'])
  await hang({ parentId, ancestors })
  await db.updateTable('dept').set({ approvesAwards: false }).where('id', '=', depts.unit).execute()
})

test('a submitted demand that no unit wants to approve any more comes back to its project, which publishes it', async () => {
  const approves = (on: boolean) => db.updateTable('dept').set({ approvesDemands: on }).where('id', '=', depts.root).execute()
  await approves(true)
  const { id } = await world.givenDemand()
  const job = () => runJob(world.services, 'undecidedDemands')
  await job()
  expect([await statusOf(id), await told(cast.project.id, id)]).toEqual(['1', []])
  await approves(false)
  await job()
  await job()
  expect([await statusOf(id), await told(cast.project.id, id)]).toEqual(['2', ['demandApprovalOff']])
  const { data } = await cast.project.call(getOwnDemand, { params: { id } })
  expect([data.statusReason, data.events.at(-1)]).toMatchObject(['', { move: 'approvalOff', who: '' }])
  const again = await cast.project.call(publishDemand, { body: world.demandBody({ draftId: id }) })
  expect(again.data).toMatchObject({ id, status: '3' })
})

test('an award that waits for approval holds the demand, and one that is sent back leaves three days', async () => {
  const demand = await givenOpened()
  await approvesAwards(true)
  expect((await award(demand)).code).toBe(200)
  await onDay(40)
  expect([await statusOf(demand.id), await told(cast.project.id, demand.id), await shownEnd(demand.id)]).toEqual(['4', [], null])
  await db
    .updateTable('awardRequest')
    .set({ status: awardRequestStatus.rejected, decideTime: clock.now() })
    .where('demandId', '=', demand.id)
    .execute()
  expect(await shownEnd(demand.id)).toBe(later(43))
  await onDay(40)
  await onDay(42.9)
  expect([await statusOf(demand.id), await told(cast.project.id, demand.id)]).toEqual(['4', ['decisionDue']])
  await onDay(43)
  expect(await statusOf(demand.id)).toBe('7')
})
