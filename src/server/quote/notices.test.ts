import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { getOwnDemand, publishDemand } from '#shared/demand/contract.ts'
import { cancelDemand } from '#shared/demand/moves.ts'
import { countMatching } from '#shared/quote/matching.ts'
import { en } from '#shared/text/en.ts'
import { openWorld } from '#test/world.ts'
import { findMatchingCompanies } from './market.ts'
import { notifyWaiting } from './notices.ts'

const world = await openWorld()
const { db, cast, clock, services } = world
afterAll(world.close)

beforeEach(async () => {
  await db.deleteFrom('message').execute()
  await db.deleteFrom('demandNotice').execute()
  await db.deleteFrom('equipment').execute()
})

const published = async (title = '装载机两台') => {
  const { data } = await cast.project.call(publishDemand, { body: world.demandBody({ title }) })
  return data.id
}
const told = () => db.selectFrom('message').where('kind', '=', 'demandMatched').orderBy('id').select(['accountId', 'bizId']).execute()

test('publishing queues the notice; the clock tells the lessors, once, though two instances do it at the same time', async () => {
  await world.givenMachine(cast.lessor.companyId)
  const id = await published()
  expect(await told()).toEqual([])
  await Promise.all([notifyWaiting(services), notifyWaiting(services), notifyWaiting(services)])
  expect(await told()).toEqual([{ accountId: cast.lessor.id, bizId: String(id) }])
  expect(await notifyWaiting(services)).toBe(0)
})

test('whoever reads English is told the place and the machines of a demand in English', async () => {
  await world.givenMachine(cast.lessor.companyId)
  await published('Two loaders')
  await notifyWaiting(services)
  const { params } = await db.selectFrom('message').where('kind', '=', 'demandMatched').select('params').executeTakeFirstOrThrow()
  expect(en.messages.demandMatched.content(params as Record<string, string>)).not.toMatch(/\p{Script=Han}/u)
})

test('the owner sees before publishing how many lessors will be notified', async () => {
  await world.givenMachine(cast.lessor.companyId)
  await world.givenMachine(cast.lessor2.companyId)
  const { deptId, items } = world.demandBody({})
  const lines = items.map(({ categoryId, planStart, planEnd }) => ({ categoryId, planStart, planEnd }))
  const count = async (by: typeof cast.project, change: object = {}) =>
    (await by.call(countMatching, { body: { deptId, items: lines.map((line) => ({ ...line, ...change })) } })) as {
      code: number
      data: { lessors: number } | null
    }
  expect((await count(cast.project)).data).toEqual({ lessors: 2 })
  expect((await count(cast.project, { mainRule: 'ge', mainValue: 9_999_999 })).data).toEqual({ lessors: 0 })
  expect((await count(cast.stranger)).code).not.toBe(200)
})

test('of a demand cancelled before the clock came by nobody is told', async () => {
  await world.givenMachine(cast.lessor.companyId)
  const id = await published()
  await cast.project.call(cancelDemand, { params: { id }, body: { reason: '方案调整' } })
  expect(await notifyWaiting(services)).toBe(1)
  expect(await told()).toEqual([])
})

test('of a demand whose deadline passed while the clock stood still nobody is told', async () => {
  await world.givenMachine(cast.lessor.companyId)
  await published()
  const before = clock.now()
  world.passDeadline()
  expect(await notifyWaiting(services)).toBe(1)
  clock.set(before)
  expect(await told()).toEqual([])
})

test('one that cannot be told comes again later and keeps no other back', async () => {
  await world.givenMachine(cast.lessor.companyId)
  const [bad, good] = [await published('坏的一单'), await published('好的一单')]
  await sql`create function refuse_notice() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`.execute(db)
  await sql`create trigger refused before delete on demand_notice for each row when (old.demand_id = ${sql.lit(bad)}) execute function refuse_notice()`.execute(
    db,
  )
  await expect(notifyWaiting(services)).rejects.toThrow('no')
  await sql`drop trigger refused on demand_notice`.execute(db)
  expect((await told()).map(({ bizId }) => bizId)).toEqual([String(good)])
  expect(await notifyWaiting(services)).toBe(0)
  clock.set(new Date(clock.now().getTime() + 61_000))
  expect(await notifyWaiting(services)).toBe(1)
  expect((await told()).map(({ bizId }) => bizId)).toEqual([String(good), String(bad)])
})

test('the lessors with the nearest fitting machines come first', async () => {
  const far = await world.givenMachine(cast.lessor.companyId)
  await world.givenMachine(cast.lessor2.companyId)
  await world.givenMachine(cast.lessor2.companyId)
  await db.updateTable('equipment').set({ provinceId: 110_000, cityId: 110_100 }).where('id', '=', far).execute()
  const id = await published()
  expect(await findMatchingCompanies(db, id, clock.now())).toEqual([
    { companyId: cast.lessor2.companyId, machines: 2 },
    { companyId: cast.lessor.companyId, machines: 1 },
  ])
})

test('the owner sees how many lessors have heard of the demand, once they have', async () => {
  await world.givenMachine(cast.lessor.companyId)
  await world.givenMachine(cast.lessor2.companyId)
  const id = await published()
  const notifiedCount = async () => (await cast.project.call(getOwnDemand, { params: { id } })).data.notifiedCount
  expect(await notifiedCount()).toBeNull()
  await notifyWaiting(services)
  expect(await notifiedCount()).toBe(2)
  const body = world.demandBody({ demandType: '2', invitedCompanyIds: [cast.lessor.companyId] })
  const invited = await cast.project.call(publishDemand, { body })
  await notifyWaiting(services)
  expect((await cast.project.call(getOwnDemand, { params: { id: invited.data.id } })).data.notifiedCount).toBe(1)
})
