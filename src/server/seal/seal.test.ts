import { afterAll, beforeEach, expect, test } from 'vitest'
import { resetAccountPassword } from '#shared/account/manage.ts'
import { getOwnDemand, lookAtContact, OwnTerms } from '#shared/demand/contract.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { getChain } from '#shared/opening/contract.ts'
import { changeQuote, compareQuotes, confirmQuote, getDemandForLessor, submitQuote, withdrawQuote } from '#shared/quote/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { addDays, dayOf } from '#shared/calendar.ts'
import { monday, openWorld } from '#test/world.ts'
import { erase } from '../account/cancellation.ts'
import { transact } from '../deed.ts'
import { openDueDemands } from '../opening/due.ts'
import { contactOf, sealReadableContacts } from './contacts.ts'

const world = await openWorld()
const { cast, db, services } = world
afterAll(() => world.close())
beforeEach(() => world.clock.set(monday))

const contactIn = { contactName: '陈调度', contactPhone: '14400000002', validUntil: addDays(dayOf(monday), 60) }
const rowOf = (id: number) =>
  db
    .selectFrom('quote')
    .where('id', '=', id)
    .select(['contactName', 'contactPhone', 'validUntil', 'sealedContact'])
    .executeTakeFirstOrThrow()
const quoted = async (changes: Record<string, unknown> = {}) => {
  const demand = await world.givenDemand(changes)
  return { demand, quote: await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)]) }
}

test('whom to call and until when a quote binds are sealed; the lessor reads them, everybody after the opening', async () => {
  const { demand, quote } = await quoted()
  expect(await rowOf(quote.id)).toMatchObject({ contactName: null, contactPhone: null, validUntil: null })
  expect((await cast.lessor.call(getDemandForLessor, { params: { id: demand.id } })).data.quote).toMatchObject(contactIn)
  world.passDeadline()
  await openDueDemands(services)
  expect((await cast.project.call(compareQuotes, { params: { demandId: demand.id } })).data.quotes).toMatchObject([contactIn])
  expect(await rowOf(quote.id)).toMatchObject({ ...contactIn, sealedContact: null })
})

test('an offer is taken back until the deadline and no later, whether it is opened yet or not', async () => {
  const { demand, quote } = await quoted()
  const withdraw = async () => (await cast.lessor.call(withdrawQuote, { params: { id: quote.id } })).msg
  world.passDeadline()
  expect(await withdraw()).toBe(zhCn.refusal.deadline_passed)
  await openDueDemands(services)
  expect(await withdraw()).toBe(zhCn.refusal.deadline_passed)
  expect((await cast.project.call(compareQuotes, { params: { demandId: demand.id } })).data.quotes).toMatchObject([{ status: '4' }])
})

test('an offer stays with the demand that it is sealed for, whose key alone opens it', async () => {
  const { demand, quote } = await quoted()
  const other = await world.givenDemand()
  const body = world.quoteBody(other, [await world.givenMachine(cast.lessor.companyId)])
  expect((await cast.lessor.call(changeQuote, { body: { ...body, id: quote.id, version: 1 } })).code).toBe(404)
  world.passDeadline()
  await openDueDemands(services)
  expect((await cast.project.call(compareQuotes, { params: { demandId: demand.id } })).data.quotes).toMatchObject([{ id: quote.id }])
})

test('what the version before stored readable is sealed at the start, and the quote is what it was', async () => {
  const { demand, quote } = await quoted()
  await db
    .updateTable('quote')
    .set({ ...contactIn, sealedContact: null })
    .where('id', '=', quote.id)
    .execute()
  expect(await sealReadableContacts(services)).toBe(1)
  expect(await sealReadableContacts(services)).toBe(0)
  expect(await rowOf(quote.id)).toMatchObject({ contactName: null, contactPhone: null, validUntil: null })
  const own = (await cast.lessor.call(getDemandForLessor, { params: { id: demand.id } })).data.quote
  expect(own).toMatchObject({ ...contactIn, sealHash: quote.sealHash })
  // Standing by a quote asks for its validity again.
  await db.updateTable('quote').set({ status: '3' }).where('id', '=', quote.id).execute()
  const { version, demandRevision } = own ?? {}
  expect((await cast.lessor.call(confirmQuote, { params: { id: quote.id }, body: { version, demandRevision } })).code).toBe(200)
})

test('a person who is erased is erased from what they sealed', async () => {
  const { phonenumber } = await db.selectFrom('account').where('id', '=', cast.lessor.id).select('phonenumber').executeTakeFirstOrThrow()
  const demand = await world.givenDemand()
  const body = { ...world.quoteBody(demand, [await world.givenMachine(cast.lessor.companyId)]), contactPhone: phonenumber }
  const { data } = await cast.lessor.call(submitQuote, { body })
  const contact = async () => contactOf(services.secret, { demandId: demand.id, ...(await rowOf(data.id)) })
  const erased = (accountId: number) =>
    transact(services, { now: monday }, ({ db: tx }) => erase({ db: tx, secret: services.secret, now: monday }, accountId))
  await erased(cast.lapsed.id)
  expect(await contact()).toMatchObject({ contactName: '陈调度', contactPhone: phonenumber })
  await db.updateTable('quote').set({ accountId: cast.newcomer.id }).where('id', '=', data.id).execute()
  await db.updateTable('account').set({ phonenumber: null }).where('id', '=', cast.lessor.id).execute()
  await db.updateTable('account').set({ phonenumber }).where('id', '=', cast.newcomer.id).execute()
  await erased(cast.newcomer.id)
  expect(await contact()).toMatchObject({ contactName: '', contactPhone: '', validUntil: contactIn.validUntil })
  await db.updateTable('account').set({ phonenumber }).where('id', '=', cast.lessor.id).execute()
})

test('a lessor sees the contact of a demand only by a look that is counted', async () => {
  const { demand } = await quoted()
  const { data } = await cast.lessor.call(getDemandForLessor, { params: { id: demand.id } })
  expect(JSON.stringify(data)).not.toMatch(/14400000001|王样本/)
  const looks = async () => (await db.selectFrom('contactLook').where('demandId', '=', demand.id).select('accountId').execute()).length
  expect((await cast.lessor.call(lookAtContact, { params: { id: demand.id } })).data.contactPhone).toBe('14400000001')
  expect(await looks()).toBe(1)
})

test('the platform’s people see neither budget nor hidden ceilings nor internal reasons, and the contact by a look', async () => {
  const items = [world.demandItem({ priceCeiling: 15_500 })]
  const demand = await world.givenDemand({
    items,
    showCeiling: false,
    budgetLimit: 123_456,
    internalReason: '集团内无合适设备',
    demandType: '2',
    invitedCompanyIds: [cast.lessor.companyId],
  })
  const read = async (who: 'operator' | 'project' | 'lessee') => (await cast[who].call(getOwnDemand, { params: { id: demand.id } })).data
  for (const who of ['project', 'lessee'] as const)
    expect(await read(who)).toMatchObject({ budgetLimit: '123456.00', internalReason: '集团内无合适设备', contactPhone: '14400000001' })
  const seen = await read('operator')
  expect(seen).toMatchObject({ budgetLimit: null, internalReason: '', contactName: '', contactPhone: '' })
  expect(seen.ceilings).toEqual({})
  expect((await cast.operator.call(lookAtContact, { params: { id: demand.id } })).data.contactPhone).toBe('14400000001')
  expect(await db.selectFrom('contactLook').where('demandId', '=', demand.id).select('accountId').execute()).toEqual([
    { accountId: cast.operator.id },
  ])
  await db.updateTable('demand').set({ showCeiling: true }).where('id', '=', demand.id).execute()
  expect(Object.values((await read('operator')).ceilings)).toEqual(['15500.00'])
})

test('a field that lessors do not read is open to the platform’s people on purpose, or blanked for them', () => {
  // `withoutSecretsOfOwner` blanks these, the last three until the opening.
  const blanked = ['contactName', 'contactPhone', 'methodReason', 'internalReason', 'internalCheck']
  const open = ['deptId', 'districtId', 'showCeiling', 'quoteCount', 'notifiedCount', 'statusReason', 'revision', 'version', 'openTime']
  expect(OwnTerms.keyof().options.toSorted()).toEqual([...blanked, ...open].toSorted())
})

test('the platform’s reset of a bidder’s password is told to the company and stands in the chain', async () => {
  const { demand } = await quoted()
  const before = (await cast.project.call(getChain, { params: { id: demand.id } })).data
  const reset = (id: number) => cast.operator.call(resetAccountPassword, { params: { id }, body: { reason: '用户来电' } })
  expect((await reset(cast.lessor.id)).code).toBe(200)
  const told = await db.selectFrom('message').where('kind', '=', 'bidderPasswordReset').select(['accountId', 'params']).execute()
  expect(told).toMatchObject([{ accountId: cast.lessor.id, params: { userName: 'lessor' } }])
  // Not before the opening, because it says that the company has quoted.
  expect((await cast.project.call(getChain, { params: { id: demand.id } })).data).toEqual(before)
  expect((await cast.project.call(listOwnMessages, { query: { keyword: '重置' } })).data.total).toBe(0)
  world.passDeadline()
  await openDueDemands(services)
  const { events } = (await cast.project.call(getOwnDemand, { params: { id: demand.id } })).data
  expect(events.find(({ move }) => move === 'passwordReset')).toMatchObject({ who: 'operator甲', note: 'lessor: 用户来电' })
  // Nobody is told where nothing is sealed.
  expect((await reset(cast.lessor2.id)).code).toBe(200)
  expect(await db.selectFrom('message').where('kind', '=', 'bidderPasswordReset').select('id').execute()).toHaveLength(1)
})
