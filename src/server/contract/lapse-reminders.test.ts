import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { getContract } from '#shared/contract/contract.ts'
import * as calls from '#shared/contract/moves.ts'
import { contractSteps } from '#test/given-contract.ts'
import { whileChanging } from '#test/held-rows.ts'
import { monday, openWorld } from '#test/world.ts'
import type { Tx } from '../db/connect.ts'
import { remindOfDrafts } from './lapse.ts'

// An award lapses seven days after it; its lessee is reminded of a draft at three days and at one.
const world = await openWorld()
const { cast, clock, db, services } = world
const { givenDraft, send, pass } = contractSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const days = (n: number) => pass(n * 86_400)
/** The reminders of a contract, oldest first, once the clock has worked. */
async function remindersOf(id: number): Promise<string[]> {
  await remindOfDrafts(services)
  await remindOfDrafts(services)
  const told = db
    .selectFrom('message')
    .where('kind', '=', 'contractDue')
    .where('bizId', '=', String(id))
    .where('accountId', '=', cast.project.id)
  return (await told.orderBy('id').select('content').execute()).map(({ content }) => content)
}
const lapses = async (id: number) => (await cast.project.call(getContract, { params: { id } })).data.lapsesAt?.slice(0, 16) ?? ''
const recall = async (id: number) => expect((await cast.project.call(calls.recallContract, { params: { id } })).code).toBe(200)

test('a draft that was recalled has both reminders, like one that was not sent yet', async () => {
  const { id } = await givenDraft({ alone: true })
  days(1)
  await send(cast.project, id)
  days(1)
  await recall(id)
  expect(await remindersOf(id)).toEqual([])
  days(2)
  expect(await remindersOf(id)).toHaveLength(1)
  days(1)
  expect(await remindersOf(id)).toHaveLength(1)
  days(1)
  expect(await remindersOf(id)).toEqual([1, 2].map(() => expect.stringMatching(/逾期定标失效，责任记在承租方。$/)))
})

test('one that is recalled or returned is reminded of by the moment at which it lapses now, and names no blame that is not recorded', async () => {
  const recalled = await givenDraft({ alone: true })
  await send(cast.project, recalled.id)
  days(6.5)
  await recall(recalled.id)
  expect(await remindersOf(recalled.id)).toEqual([expect.stringContaining(`请在 ${await lapses(recalled.id)} 前发送`)])

  const returned = await givenDraft({ alone: true })
  for (const wait of [5, 5, 5]) {
    await send(cast.project, returned.id)
    days(wait)
    await cast.lessor.call(calls.returnContract, { params: { id: returned.id }, body: { comment: '还要改' } })
  }
  days(5)
  expect(await remindersOf(returned.id)).toEqual([expect.stringContaining(`请在 ${await lapses(returned.id)} 前发送，逾期定标失效。`)])
})

test('a draft that is given more time while its reminder is sent is reminded of by its new moment', async () => {
  const { id } = await givenDraft({ alone: true })
  days(4)
  const moving = {
    begin: (tx: Tx) =>
      sql`select id from demand where id = (select demand_id from contract where id = ${id}) for no key update`.execute(tx),
    end: (tx: Tx) =>
      sql`update award set contract_due = contract_due + interval '4 days' where id = (select award_id from contract where id = ${id})`.execute(
        tx,
      ),
  }
  await whileChanging(db, moving, [() => remindOfDrafts(services)])
  expect(await remindersOf(id)).toEqual([])
  days(4)
  expect(await remindersOf(id)).toEqual([expect.stringContaining(`请在 ${await lapses(id)} 前发送`)])
})
