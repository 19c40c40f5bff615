import { afterAll, beforeEach, expect, test } from 'vitest'
import { resetAccountPassword } from '#shared/account/manage.ts'
import { passCertification, submitLease, submitRentout } from '#shared/certification/contract.ts'
import { getOwnDemand } from '#shared/demand/contract.ts'
import { getChain } from '#shared/opening/contract.ts'
import { applicants, idCard } from '#test/applicants.ts'
import { whileChanging } from '#test/held-rows.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import type { Tx } from '../db/connect.ts'
import { insertEvent } from '../demand/events.ts'
import { openDueDemands } from '../opening/due.ts'

const world = await openWorld()
const { db, cast, services } = world
afterAll(() => world.close())
beforeEach(() => world.clock.set(monday))

const { newcomer, codeOf, rentout, lease, papers, review } = applicants(world)

/** Who is told that somebody has joined, in the order of the messages. */
const told = async () =>
  (await db.selectFrom('message').where('kind', '=', 'personJoined').orderBy('id').select('accountId').execute()).map(
    ({ accountId }) => accountId,
  )

async function pass(id: number) {
  const { version } = await review(cast.operator, id)
  expect((await cast.operator.call(passCertification, { params: { id }, body: { version } })).code).toBe(200)
}

test('somebody whom the platform certifies into a lessor is told to its administrators and stands in the chain of each sealed demand', async () => {
  const demand = await world.givenDemand()
  await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
  await db
    .updateTable('company')
    .set({ creditCode: codeOf(60) })
    .where('id', '=', cast.lessor.companyId)
    .execute()
  await db.updateTable('account').set({ isAdmin: true }).where('id', '=', cast.lessor.id).execute()
  const chain = async () => (await cast.project.call(getChain, { params: { id: demand.id } })).data
  const before = await chain()
  const apply = async (person: Person, more: object = {}) =>
    (await person.call(submitRentout, { body: { form: rentout(60, more), documents: await papers(person, idCard) } })).data.id
  const joining = await newcomer()
  await pass(await apply(joining))
  expect(await told()).toEqual([cast.lessor.id])
  // A change of what was passed moves nobody.
  await pass(await apply(joining, { address: '武侯区试验路 3 号' }))
  expect(await told()).toHaveLength(1)
  // Not before the opening, because it says that the company has quoted.
  expect(await chain()).toEqual(before)
  world.passDeadline()
  await openDueDemands(services)
  const { events } = (await cast.project.call(getOwnDemand, { params: { id: demand.id } })).data
  expect(events.filter(({ move }) => move === 'bidderJoined')).toMatchObject([{ who: 'operator甲', note: 'new1' }])
})

test('whoever certifies somebody into a lessor or resets a password there, while that lessor is barred, waits and holds neither company nor chain', async () => {
  const demand = await world.givenDemand()
  await world.givenQuote(cast.lessor2, demand, [await world.givenMachine(cast.lessor2.companyId)])
  const { companyId } = cast.lessor2
  await db
    .updateTable('company')
    .set({ creditCode: codeOf(62) })
    .where('id', '=', companyId)
    .execute()
  const joining = await newcomer()
  const { id } = (await joining.call(submitRentout, { body: { form: rentout(62), documents: await papers(joining, idCard) } })).data
  const { version } = await review(cast.operator, id)
  const barring = {
    begin: (tx: Tx) => tx.selectFrom('demand').where('id', '=', demand.id).forUpdate().select('id').execute(),
    end: async (tx: Tx) => {
      await insertEvent({ db: tx, now: monday }, { demandId: demand.id, accountId: null, move: 'blacklist' })
      await tx.selectFrom('company').where('id', '=', companyId).forNoKeyUpdate().noWait().select('id').execute()
    },
  }
  const answers = await whileChanging<{ code: number }>(db, barring, [
    () => cast.operator.call(passCertification, { params: { id }, body: { version } }),
    () => cast.operator.call(resetAccountPassword, { params: { id: cast.lessor2.id }, body: { reason: '本人来电' } }),
  ])
  expect(answers.map(({ code }) => code)).toEqual([200, 200])
  const events = await db.selectFrom('demandEvent').where('demandId', '=', demand.id).orderBy('seq').select('move').execute()
  expect(events.map(({ move }) => move).slice(-3)).toEqual(['blacklist', expect.any(String), expect.any(String)])
  expect(events.map(({ move }) => move)).toEqual(expect.arrayContaining(['bidderJoined', 'passwordReset']))
})

test('the first person of a company is told to nobody, the next one to its administrator, and to everybody once that one is locked', async () => {
  const before = await told()
  const people: Person[] = []
  for (const status of ['0', '0', '1'] as const) {
    const [first] = people
    if (first) await db.updateTable('account').set({ status }).where('id', '=', first.id).execute()
    const person = await newcomer()
    people.push(person)
    const documents = await papers(person, ['license', 'authorization'])
    await pass((await person.call(submitLease, { body: { form: lease(61), documents } })).data.id)
  }
  const [first, second] = people
  expect((await told()).slice(before.length)).toEqual([first?.id, second?.id])
})
