import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { dayOf } from '#shared/calendar.ts'
import * as changes from '#shared/contract/changes.ts'
import { getContract } from '#shared/contract/contract.ts'
import { joinedKinds } from '#shared/message/kinds.ts'
import { contractSteps, nameThem } from '#test/given-contract.ts'
import { monday, openWorld } from '#test/world.ts'

const world = await openWorld()
const { db, cast, clock } = world
const { givenContract } = contractSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

test('what one side does again and again under a contract leaves the other one unread message of each kind', async () => {
  const { id } = await givenContract()
  const other = await givenContract()
  const [line] = (await cast.lessor.call(getContract, { params: { id } })).data.lines
  await db.updateTable('message').set({ isRead: '1' }).execute()
  const proposing = { fromDay: dayOf(clock.now()), reason: '涨价' }
  const persons = [{ task: 'signer', accountId: cast.lessor.id }]
  for (let n = 0; n < 8; n++) {
    const terms = { kind: 'price', lines: [{ lineId: line?.id, value: 20_000 + n }] }
    const { code, data } = await cast.lessor.call(changes.proposeContractChange, { params: { id }, body: { ...proposing, terms } })
    expect(code).toBe(200)
    expect((await cast.lessor.call(changes.recallContractChange, { params: { id: data.id }, body: { answer: '' } })).code).toBe(200)
    expect((await nameThem(cast.lessor, id, persons)).code).toBe(200)
  }
  expect((await nameThem(cast.lessor, other.id, persons)).code).toBe(200)
  const unread = await db
    .selectFrom('message')
    .where('accountId', '=', cast.project.id)
    .where('isRead', '=', '0')
    .orderBy('bizId')
    .orderBy('kind')
    .select(['bizId', 'kind'])
    .execute()
  expect(unread).toEqual([
    { bizId: String(id), kind: 'contractChangeAsked' },
    { bizId: String(id), kind: 'contractChangeRecalled' },
    { bizId: String(id), kind: 'contractPersons' },
    { bizId: String(other.id), kind: 'contractPersons' },
  ])
})

test('the index by which unread messages are joined has the kinds that are joined', async () => {
  const { rows } = await sql<{ definition: string }>`select pg_get_indexdef('message_joined'::regclass) as definition`.execute(db)
  const kinds = [...(rows[0]?.definition.matchAll(/'(\w+)'::text/g) ?? [])].flatMap(([, kind = '']) => (/^\d+$/.test(kind) ? [] : [kind]))
  expect(kinds.toSorted()).toEqual([...joinedKinds].toSorted())
})
