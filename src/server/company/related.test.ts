import { afterAll, beforeEach, expect, test } from 'vitest'
import { listRelatedCompanies } from '#shared/company/related.ts'
import { deletePerson } from '#shared/person/contract.ts'
import { compareQuotes, submitQuote } from '#shared/quote/contract.ts'
import { quoteStatus } from '#shared/quote/rules.ts'
import { listExceptions } from '#shared/statistics/panel.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { runMigration } from '#test/run-migration.ts'
import { monday, openWorld } from '#test/world.ts'
import { openDueDemands } from '../opening/due.ts'

const world = await openWorld()
const { db, cast, clock } = world
afterAll(() => world.close())
beforeEach(async () => {
  clock.set(monday)
  await db.updateTable('company').set({ legalPerson: '', contactPhone: '', address: '' }).execute()
})

const setCompany = (id: number, values: object) => db.updateTable('company').set(values).where('id', '=', id).execute()
const listed = async (id: number) => (await cast.operator.call(listRelatedCompanies, { params: { id } })).data

/** A demand with a quote of each lessor, not yet opened. */
async function givenQuoted() {
  const demand = await world.givenDemand()
  for (const [who, contactPhone] of [
    [cast.lessor, '14400000002'],
    [cast.lessor2, '14400000003'],
  ] as const) {
    const body = { ...world.quoteBody(demand, [await world.givenMachine(who.companyId)]), contactPhone }
    expect((await who.call(submitQuote, { body })).code).toBe(200)
  }
  const open = async () => {
    world.passDeadline()
    await openDueDemands(world.services)
    const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
    return Object.fromEntries(data.quotes.map(({ companyId, related }) => [companyId, related]))
  }
  return { demand, open }
}

test('two bidders with the same legal person are marked for the owner and the operator once the demand is opened', async () => {
  await setCompany(cast.lessor.companyId, { legalPerson: '张样本' })
  // However it is written.
  await setCompany(cast.lessor2.companyId, { legalPerson: '张 · 样本' })
  const { demand, open } = await givenQuoted()
  expect(await listed(cast.lessor.companyId)).toEqual([])
  const related = await open()
  expect(related[cast.lessor.companyId]).toEqual([{ companyName: '武汉昌磐机械租赁有限公司', isOwner: false, by: ['legalPerson'] }])
  expect(related[cast.lessor2.companyId]).toEqual([{ companyName: '成都恒岳机械租赁有限公司', isOwner: false, by: ['legalPerson'] }])
  expect(await listed(cast.lessor.companyId)).toMatchObject([
    { companyId: cast.lessor2.companyId, demandId: demand.id, by: ['legalPerson'], withOwner: false },
  ])
  for (const who of ['project', 'lessor', 'auditor'] as const)
    expect((await cast[who].call(listRelatedCompanies, { params: { id: cast.lessor.companyId } })).code).toBe(403)
})

test('a bidder with the phone or the address of the owner is marked, whichever of the two is looked at', async () => {
  const place = { cityId: 510_100, address: '武侯区试验路 1 号' }
  await setCompany(cast.project.companyId, { contactPhone: '028-85001111', ...place })
  await setCompany(cast.lessor.companyId, { contactPhone: '028 8500 1111', ...place })
  const { demand, open } = await givenQuoted()
  const related = await open()
  expect(related[cast.lessor.companyId]).toEqual([{ companyName: '华拓建设集团有限公司', isOwner: true, by: ['phone', 'address'] }])
  expect(related[cast.lessor2.companyId]).toEqual([])
  const meeting = { demandId: demand.id, by: ['phone', 'address'], withOwner: true }
  expect((await listed(cast.lessor.companyId))[0]).toMatchObject({ ...meeting, companyId: cast.project.companyId })
  expect((await listed(cast.project.companyId))[0]).toMatchObject({ ...meeting, companyId: cast.lessor.companyId })
})

test('a number that two bidders had in common at the opening marks them for good, whoever becomes the contact', async () => {
  const { companyId } = cast.lessor
  const leaver = await world.givenPerson({ userType: '4', companyId, certSign: 1 }, 'twin')
  const { phonenumber } = await db.selectFrom('account').where('id', '=', leaver.id).select('phonenumber').executeTakeFirstOrThrow()
  const contactPhone = phonenumber ?? ''
  const demand = await world.givenDemand()
  for (const who of [leaver, cast.lessor2]) {
    const body = { ...world.quoteBody(demand, [await world.givenMachine(who.companyId)]), contactPhone }
    expect((await who.call(submitQuote, { body })).code).toBe(200)
  }
  world.passDeadline()
  await openDueDemands(world.services)
  const remove = () => cast.lessor.call(deletePerson, { params: { id: leaver.id } })
  expect((await remove()).msg).toBe(zhCn.refusal.person_busy)
  await db.updateTable('quote').set({ status: quoteStatus.lost }).where('demandId', '=', demand.id).execute()
  expect((await remove()).code).toBe(200)
  const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
  expect(data.quotes.map((quote) => quote.contactPhone).filter((phone) => phone === contactPhone)).toHaveLength(1)
  expect(data.quotes.map(({ related }) => related.map(({ by }) => by))).toEqual([[['phone']], [['phone']]])
  const meeting = { demandId: demand.id, by: ['phone'], withOwner: false }
  expect((await listed(companyId))[0]).toMatchObject({ ...meeting, companyId: cast.lessor2.companyId })
  expect((await listed(cast.lessor2.companyId))[0]).toMatchObject({ ...meeting, companyId })
  const { rows } = (await cast.auditor.call(listExceptions, { query: { kind: 'samePhone' } })).data
  expect(rows.map(({ id }) => id)).toEqual([demand.id])
})

test('two bidders whose numbers were erased are not marked for it, nor any longer where they were', async () => {
  const { demand, open } = await givenQuoted()
  await open()
  const exceptions = async () => (await cast.auditor.call(listExceptions, { query: { kind: 'samePhone' } })).data.rows.map(({ id }) => id)
  const before = await exceptions()
  await db.updateTable('quote').set({ contactName: '', contactPhone: '' }).where('demandId', '=', demand.id).execute()
  expect(await exceptions()).toEqual(before)
  await db.updateTable('demand').set({ exceptions: 8 }).where('id', '=', demand.id).execute()
  expect(await exceptions()).toContain(demand.id)
  await runMigration(world, '0126_erased_numbers_are_not_alike.sql')
  expect(await exceptions()).toEqual(before)
})
