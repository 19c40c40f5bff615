import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { dayOf } from '#shared/calendar.ts'
import * as changes from '#shared/contract/changes.ts'
import { getContract } from '#shared/contract/contract.ts'
import * as calls from '#shared/contract/moves.ts'
import { saveMessageConfig } from '#shared/message/contract.ts'
import { joinedKinds } from '#shared/message/kinds.ts'
import { contractSteps, nameThem } from '#test/given-contract.ts'
import { monday, openWorld } from '#test/world.ts'

const world = await openWorld()
const { db, cast, clock } = world
const { givenContract, givenDraft, send } = contractSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

test('what one side does again and again under a contract leaves the other one unread message of each kind, and one of each amendment', async () => {
  const { id } = await givenContract()
  const other = await givenContract()
  const [line] = (await cast.lessor.call(getContract, { params: { id } })).data.lines
  await db.updateTable('message').set({ isRead: '1' }).execute()
  const proposing = { fromDay: dayOf(clock.now()), reason: '涨价' }
  const persons = [{ task: 'signer', accountId: cast.lessor.id }]
  for (let n = 0; n < 3; n++) {
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
    ...Array.from({ length: 3 }, () => ({ bizId: String(id), kind: 'contractChangeAsked' })),
    { bizId: String(id), kind: 'contractChangeRecalled' },
    { bizId: String(id), kind: 'contractPersons' },
    { bizId: String(other.id), kind: 'contractPersons' },
  ])
})

test('who is asked to approve, to confirm or to mend a contract is told of each time, also while the message before is unread, and by SMS where they wish', async () => {
  const bySms = [{ systemSubject: '合同待确认通知', inApp: '1', push: '1', sms: '1' }]
  for (const who of [cast.lessee, cast.lessor]) await who.call(saveMessageConfig, { body: bySms })
  const { id } = await givenDraft()
  const approving = (approvesContracts: boolean) =>
    db.updateTable('dept').set({ approvesContracts }).where('id', '=', world.depts.root).execute()
  await db.updateTable('message').set({ isRead: '1' }).execute()
  await db.deleteFrom('outbox').execute()
  await approving(true)
  const params = { id }
  const ask = async () => (await cast.project.call(calls.askContractApproval, { params })).code
  const decide = async (call: typeof calls.approveContract | typeof calls.rejectContract, body: object) =>
    (await cast.lessee.call(call, { params, body: { version: (await cast.lessee.call(getContract, { params })).data.version, ...body } }))
      .code
  const giveBack = async () => (await cast.lessor.call(calls.returnContract, { params, body: { comment: '押金过高', clauses: [] } })).code
  expect([await ask(), await decide(calls.rejectContract, { reason: '单价过高' }), await ask()]).toEqual([200, 200, 200])
  expect(await decide(calls.approveContract, {})).toBe(200)
  await approving(false)
  for (let n = 0; n < 2; n++) expect([(await send(cast.project, id)).code, await giveBack()]).toEqual([200, 200])
  const asked = ['contractSubmitted', 'contractToConfirm', 'contractReturned'] as const
  const unread = await db
    .selectFrom('message')
    .where('bizId', '=', String(id))
    .where('isRead', '=', '0')
    .where('kind', 'in', asked)
    .orderBy('id')
    .select(['accountId', 'kind'])
    .execute()
  const [submitted, toConfirm, returned] = [
    { accountId: cast.lessee.id, kind: 'contractSubmitted' },
    { accountId: cast.lessor.id, kind: 'contractToConfirm' },
    { accountId: cast.project.id, kind: 'contractReturned' },
  ]
  expect(unread).toEqual([submitted, submitted, toConfirm, returned, toConfirm, returned])
  const notices = db.selectFrom('outbox').where('template', '=', 'notice').orderBy('accountId').select('accountId')
  const told = (await notices.execute()).map(({ accountId }) => accountId)
  expect([cast.lessee, cast.lessor].map((who) => told.filter((accountId) => accountId === who.id).length)).toEqual([2, 2])
})

test('the index by which unread messages are joined has the kinds that are joined', async () => {
  const { rows } = await sql<{ definition: string }>`select pg_get_indexdef('message_joined'::regclass) as definition`.execute(db)
  const kinds = [...(rows[0]?.definition.matchAll(/'(\w+)'::text/g) ?? [])].flatMap(([, kind = '']) => (/^\d+$/.test(kind) ? [] : [kind]))
  expect(kinds.toSorted()).toEqual([...joinedKinds].toSorted())
})
