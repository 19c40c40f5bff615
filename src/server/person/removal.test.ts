import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { demandStatus } from '#shared/demand/rules.ts'
import { deletePerson, editPerson, getPerson } from '#shared/person/contract.ts'
import { submitQuote } from '#shared/quote/contract.ts'
import { quoteStatus } from '#shared/quote/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { dayMs } from '#shared/calendar.ts'
import { inTransaction, whileChanging } from '#test/held-rows.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { erase, finishCancellations } from '../account/cancellation.ts'
import { keyedHash } from '../actor/keyed-hash.ts'
import type { Tx } from '../db/connect.ts'
import { sendSms } from '../outbox/queries.ts'
import { contactOf, sealContact } from '../seal/contacts.ts'

const world = await openWorld()
const { db, cast, clock, depts, services } = world
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const { companyId } = cast.lessor
const remove = (by: Person, id: number) => by.call(deletePerson, { params: { id } })
const contactOfAccount = async ({ id }: Person) => {
  const { name, phonenumber } = await db
    .selectFrom('account')
    .where('id', '=', id)
    .select(['name', 'phonenumber'])
    .executeTakeFirstOrThrow()
  return { contactName: name, contactPhone: phonenumber ?? '' }
}
const contactIn = (table: 'company' | 'demand' | 'quote', id: number) =>
  db.selectFrom(table).where('id', '=', id).select(['contactName', 'contactPhone']).executeTakeFirstOrThrow()

let names = 0
/** A colleague of the lessor who is the contact of the company and of a quote that is over. */
async function givenContact() {
  const leaver = await world.givenPerson({ userType: '4', companyId, certSign: 1 }, `contact${++names}`)
  const contact = await contactOfAccount(leaver)
  await db.updateTable('company').set(contact).where('id', '=', companyId).execute()
  const demand = await world.givenDemand()
  const { id } = await world.givenQuote(leaver, demand, [await world.givenMachine(companyId)])
  const sealedContact = sealContact(services.secret, demand.id, { ...contact, validUntil: '2027-06-30' })
  await db.updateTable('quote').set({ sealedContact, status: quoteStatus.withdrawn }).where('id', '=', id).execute()
  return { leaver, contact, quoteId: id }
}
const sealedContactOf = async (id: number) => {
  const row = await db
    .selectFrom('quote')
    .where('id', '=', id)
    .select(['demandId', 'sealedContact', 'contactName', 'contactPhone', 'validUntil'])
    .executeTakeFirstOrThrow()
  const { contactName, contactPhone } = contactOf(services.secret, row)
  return { contactName, contactPhone }
}

test('a number that an administrator changes is the contact wherever the old one was, and is given up with its person', async () => {
  const { leaver, contact, quoteId } = await givenContact()
  const { data } = await cast.lessor.call(getPerson, { params: { id: leaver.id } })
  const contactPhone = '14477009901'
  expect((await cast.lessor.call(editPerson, { body: { ...data, phonenumber: contactPhone } })).code).toBe(200)
  expect(await contactIn('company', companyId)).toEqual({ ...contact, contactPhone })
  expect(await sealedContactOf(quoteId)).toEqual({ ...contact, contactPhone })
  expect((await remove(cast.lessor, leaver.id)).code).toBe(200)
  expect(await sealedContactOf(quoteId)).toEqual({ contactName: '', contactPhone: '' })
})

describe('the contact of a deal of a colleague', () => {
  /** Two quotes of a colleague, one of them sealed, with the contact of somebody else of the company. */
  async function givenNamed() {
    const [owner, named] = [await givenContact(), await givenContact()]
    const other = await givenContact()
    const { demandId } = await db.selectFrom('quote').where('id', '=', owner.quoteId).select('demandId').executeTakeFirstOrThrow()
    const sealedContact = sealContact(services.secret, demandId, { ...named.contact, validUntil: '2027-06-30' })
    await db.updateTable('quote').set({ sealedContact }).where('id', '=', owner.quoteId).execute()
    const open = { ...named.contact, sealedContact: null, accountId: owner.leaver.id }
    await db.updateTable('quote').set(open).where('id', '=', other.quoteId).execute()
    const contacts = async () => [await sealedContactOf(owner.quoteId), await contactIn('quote', other.quoteId)]
    return { owner: owner.leaver, leaver: named.leaver, contact: named.contact, contacts }
  }

  test('has their new number there, and leaves it to the colleague when they are removed', async () => {
    const { owner, leaver, contact, contacts } = await givenNamed()
    const { data } = await cast.lessor.call(getPerson, { params: { id: leaver.id } })
    const contactPhone = '14477009902'
    expect((await cast.lessor.call(editPerson, { body: { ...data, phonenumber: contactPhone } })).code).toBe(200)
    const next = { ...contact, contactPhone }
    expect(await contacts()).toEqual([next, next])
    expect((await remove(cast.lessor, leaver.id)).code).toBe(200)
    const theirs = await contactOfAccount(owner)
    expect(await contacts()).toEqual([theirs, theirs])
  })

  test('leaves it to the colleague when they are erased, and nothing where the colleague has no number any more', async () => {
    const [one, another] = [await givenNamed(), await givenNamed()]
    await db.updateTable('account').set({ phonenumber: null }).where('id', '=', another.owner.id).execute()
    for (const { leaver } of [one, another])
      await inTransaction(db, (tx) => erase({ db: tx, secret: services.secret, now: clock.now() }, leaver.id))
    const theirs = await contactOfAccount(one.owner)
    expect(await one.contacts()).toEqual([theirs, theirs])
    const nobody = { contactName: '', contactPhone: '' }
    expect(await another.contacts()).toEqual([nobody, nobody])
  })

  test('is the account of the demand once they are removed', async () => {
    const values = { userType: '3', deptId: depts.projectDept, companyId: cast.lessee.companyId, certSign: 3 } as const
    const leaver = await world.givenPerson(values, 'foreman')
    await db.insertInto('accountDept').values({ accountId: leaver.id, deptId: depts.projectDept }).execute()
    const { id } = await world.givenDemand()
    await db
      .updateTable('demand')
      .set(await contactOfAccount(leaver))
      .where('id', '=', id)
      .execute()
    expect((await remove(cast.lessee, leaver.id)).code).toBe(200)
    expect(await contactIn('demand', id)).toEqual(await contactOfAccount(cast.project))
  })
})

describe('whoever is removed', () => {
  test('of a lessor is the contact of nothing any more; the administrator is, and no sealed quote has the number', async () => {
    const { leaver, contact, quoteId } = await givenContact()
    const won = await givenContact()
    await db
      .updateTable('quote')
      .set({ ...contact, accountId: leaver.id })
      .where('id', '=', won.quoteId)
      .execute()
    await db.updateTable('company').set(contact).where('id', '=', companyId).execute()
    expect((await remove(cast.lessor, leaver.id)).code).toBe(200)
    const admin = await contactOfAccount(cast.lessor)
    expect(await contactIn('company', companyId)).toEqual(admin)
    expect(await contactIn('quote', won.quoteId)).toEqual(admin)
    expect(await sealedContactOf(quoteId)).toEqual({ contactName: '', contactPhone: '' })
  })

  test('of a lessee leaves its demands to the administrator, and its department without their number', async () => {
    const leaver = await world.givenPerson(
      { userType: '3', deptId: depts.projectDept, companyId: cast.lessee.companyId, certSign: 3 },
      'leaver',
    )
    await db.insertInto('accountDept').values({ accountId: leaver.id, deptId: depts.projectDept }).execute()
    const contact = await contactOfAccount(leaver)
    const { id } = await world.givenDemand()
    await db
      .updateTable('demand')
      .set({ ...contact, accountId: leaver.id, status: demandStatus.cancelled })
      .where('id', '=', id)
      .execute()
    const dept = { leader: contact.contactName, phone: contact.contactPhone }
    await db.updateTable('dept').set(dept).where('id', '=', depts.projectDept).execute()
    expect((await remove(cast.lessee, leaver.id)).code).toBe(200)
    expect(await contactIn('demand', id)).toEqual(await contactOfAccount(cast.lessee))
    const left = await db.selectFrom('dept').where('id', '=', depts.projectDept).select(['leader', 'phone']).executeTakeFirst()
    expect(left).toEqual({ leader: '', phone: '' })
  })

  test('and has asked to be erased is erased after their days, with the SMS to their number and their notices', async () => {
    const { leaver, contact, quoteId } = await givenContact()
    const dueAt = new Date(monday.getTime() + 7 * dayMs)
    await db.insertInto('cancellation').values({ accountId: leaver.id, reason: '离职', requestedAt: monday, dueAt }).execute()
    const phonenumber = contact.contactPhone
    await sendSms(services, { template: 'registered', phonenumber }, monday)
    expect((await remove(cast.lessor, leaver.id)).code).toBe(200)
    const notice = { accountId: leaver.id, template: 'notice', content: '', provider: '', createTime: monday, notBefore: monday } as const
    await db.insertInto('outbox').values(notice).execute()
    clock.set(new Date(dueAt.getTime() + 1000))
    expect(await finishCancellations(services)).toBe(1)
    const phoneHash = keyedHash(services.secret, 'phone', phonenumber)
    const letters = db.selectFrom('outbox').where((eb) => eb.or([eb('phoneHash', '=', phoneHash), eb('accountId', '=', leaver.id)]))
    expect(await letters.select('id').execute()).toEqual([])
    expect(await sealedContactOf(quoteId)).toEqual({ contactName: '', contactPhone: '' })
  })
})

test('nobody is removed whose quote waits to be confirmed after an amendment', async () => {
  const bidder = await world.givenPerson({ userType: '4', companyId, certSign: 1 }, 'bidder')
  const { id } = await world.givenQuote(bidder, await world.givenDemand(), [await world.givenMachine(companyId)])
  await db.updateTable('quote').set({ status: quoteStatus.toConfirm }).where('id', '=', id).execute()
  expect((await remove(cast.lessor, bidder.id)).msg).toBe(zhCn.refusal.person_busy)
})

test('whoever is removed while they quote is busy, or quotes nothing any more', async () => {
  const bidder = await world.givenPerson({ userType: '4', companyId, certSign: 1 }, 'racer')
  const demand = await world.givenDemand()
  const body = world.quoteBody(demand, [await world.givenMachine(companyId)])
  const { id } = await world.givenQuote(bidder, await world.givenDemand(), [await world.givenMachine(companyId)])
  const setStatus = (tx: Tx | typeof db, status: '1' | '2') => tx.updateTable('quote').set({ status }).where('id', '=', id).execute()
  await setStatus(db, quoteStatus.withdrawn)
  const quoting = async (tx: Tx) => {
    await tx.selectFrom('account').where('id', '=', bidder.id).forShare().select('id').execute()
    await setStatus(tx, quoteStatus.quoted)
  }
  const [refused] = await whileChanging(db, { begin: quoting }, [() => remove(cast.lessor, bidder.id)])
  expect(refused?.msg).toBe(zhCn.refusal.person_busy)
  const removal = {
    begin: (tx: Tx) => tx.selectFrom('account').where('id', '=', bidder.id).forNoKeyUpdate().select('id').execute(),
    end: (tx: Tx) => tx.updateTable('account').set({ delFlag: '2', phonenumber: null }).where('id', '=', bidder.id).execute(),
  }
  const [late] = await whileChanging(db, removal, [() => bidder.call(submitQuote, { body })])
  expect(late?.code).toBe(401)
  expect(await db.selectFrom('quote').where('demandId', '=', demand.id).select('id').execute()).toEqual([])
  expect(await db.selectFrom('demand').where('id', '=', demand.id).select('quoteCount').executeTakeFirst()).toEqual({ quoteCount: 0 })
})
