import { afterAll, beforeEach, expect, test } from 'vitest'
import { addDays, dayOf, fromMoment } from '#shared/calendar.ts'
import { en } from '#shared/text/en.ts'
import { changeSteps, contractSteps } from '#test/given-contract.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { runJob } from '../jobs/clock-jobs.ts'

// Both sides hear of hires that end, at 15, 7 and 3 days.
const world = await openWorld()
const { cast, clock, db, services } = world
const { givenContract, pass } = contractSteps(world)
const { propose, confirm, read } = changeSteps(world)
afterAll(() => world.close())
beforeEach(async () => {
  await db.deleteFrom('message').execute()
  await db.updateTable('contract').set({ status: '7' }).execute()
  clock.set(monday)
})

/** Titles without what they are about, oldest first. */
const titlesOf = async (who: Person) => {
  const rows = await db
    .selectFrom('message')
    .where('accountId', '=', who.id)
    .where('kind', '=', 'contractEnding')
    .orderBy('id')
    .select('title')
    .execute()
  return rows.map(({ title }) => title.split('：')[0])
}
const onDay = async (day: string, hour = '09') => {
  clock.set(fromMoment(`${day} ${hour}:00:00`))
  await runJob(services, 'contracts')
}
/** A contract in force whose hires end on that day. */
const givenEnding = async (planEnd: string) => {
  const given = await givenContract({ alone: true })
  await db.updateTable('contractLine').set({ planEnd }).where('contractId', '=', given.id).execute()
  return given.id
}

test('each side is reminded once at 15, 7 and 3 days, under the subject of contracts that end, and nobody else is', async () => {
  const end = '2027-01-31'
  const id = await givenEnding(end)
  await onDay(addDays(end, -16))
  expect(await titlesOf(cast.project)).toEqual([])
  for (const days of [15, 14, 7, 6, 3, 1]) {
    await onDay(addDays(end, -days))
    await onDay(addDays(end, -days), '18')
  }
  await onDay(end)
  for (const who of [cast.project, cast.lessor])
    expect(await titlesOf(who)).toEqual(['租期 15 天后到期', '租期 7 天后到期', '租期 3 天后到期'])
  for (const who of [cast.stranger, cast.otherProject, cast.lessor2, cast.driver]) expect(await titlesOf(who)).toEqual([])
  const { content, params, systemSubject, link } = await db
    .selectFrom('message')
    .where('accountId', '=', cast.project.id)
    .where('kind', '=', 'contractEnding')
    .select(['content', 'params', 'systemSubject', 'link'])
    .executeTakeFirstOrThrow()
  expect([systemSubject, link]).toEqual(['合同到期提醒', `/workbench/contract/detail?id=${id}&dept=${cast.project.deptId}`])
  // The day on which a hire ends is the first that is not hired any more.
  expect(content).toContain(`租期至 ${end} 前一日`)
  expect(en.messages.contractEnding.content(params)).toContain(`hired until the day before ${end}`)
})

test('a reminder that was missed is sent later, and gives way to the next one', async () => {
  const end = '2027-01-31'
  await givenEnding(end)
  await onDay(addDays(end, -12))
  await onDay(addDays(end, -2))
  expect(await titlesOf(cast.lessor)).toEqual(['租期 12 天后到期', '租期 2 天后到期'])
})

test('of a short hire only what is still to come is said, and of one that was extended the new end', async () => {
  const confirmed = addDays(dayOf(monday), 4)
  const short = addDays(confirmed, 5)
  const given = await givenContract({ alone: true })
  await db.updateTable('contractLine').set({ planStart: confirmed, planEnd: short }).where('contractId', '=', given.id).execute()
  await onDay(addDays(confirmed, 1))
  expect(await titlesOf(cast.project)).toEqual([])
  await onDay(addDays(short, -3))
  expect(await titlesOf(cast.project)).toEqual(['租期 3 天后到期'])
  const { lines } = await read(given.id)
  const extended = addDays(short, 30)
  const { data, msg } = await propose(cast.project, given.id, {
    kind: 'extend',
    lines: lines.map((line) => ({ lineId: line.id, value: extended })),
  })
  expect(msg).toBe('操作成功')
  pass(60)
  expect((await confirm(cast.lessor, data.id)).code).toBe(200)
  await onDay(addDays(extended, -15))
  expect(await titlesOf(cast.project)).toEqual(['租期 3 天后到期', '租期 15 天后到期'])
})

test('a contract that ended, or whose positions were cancelled, is not reminded of', async () => {
  const end = '2027-01-31'
  const [ended, cancelled] = [await givenEnding(end), await givenEnding(end)]
  await db.updateTable('contract').set({ status: '6' }).where('id', '=', ended).execute()
  await db.updateTable('contractLine').set({ status: '3' }).where('contractId', '=', cancelled).execute()
  await onDay(addDays(end, -7))
  expect(await titlesOf(cast.project)).toEqual([])
})
