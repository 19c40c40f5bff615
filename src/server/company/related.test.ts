import { afterAll, beforeEach, expect, test } from 'vitest'
import { listRelatedCompanies } from '#shared/company/related.ts'
import { compareQuotes, submitQuote } from '#shared/quote/contract.ts'
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
