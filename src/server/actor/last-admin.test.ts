import { afterAll, expect, test } from 'vitest'
import * as contract from '#shared/certification/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { applicants, idCard } from '#test/applicants.ts'
import { whileChanging } from '#test/held-rows.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import type { Tx } from '../db/connect.ts'
import { lockAdmins } from './last-admin.ts'

const world = await openWorld()
const { db, cast } = world
afterAll(() => world.close())

const { newcomer, rentout, papers, me, review } = applicants(world)
const handIn = async (person: Person, company: number) =>
  person.call(contract.submitRentout, { body: { form: rentout(company), documents: await papers(person, idCard) } })
const pass = async (id: number) =>
  cast.operator.call(contract.passCertification, { params: { id }, body: { version: (await review(cast.operator, id)).version } })

async function givenLessor(company: number) {
  const person = await newcomer()
  const { id } = (await handIn(person, company)).data
  expect((await pass(id)).code).toBe(200)
  return { person, id, companyId: (await me(person)).user.companyId ?? 0 }
}

/** A second administrator, who is certified for the company as well. */
async function givenSecond(company: number, companyId: number) {
  const second = await world.givenPerson({ userType: '4', certSign: 1, isAdmin: true, companyId }, `secondof${company}`)
  expect((await pass((await handIn(second, company)).data.id)).code).toBe(200)
  return second
}

test('whoever alone administers a company is not let go to another one, neither when they hand in nor when that is passed', async () => {
  const { person, companyId } = await givenLessor(70)
  const second = await givenSecond(70, companyId)
  const lock = (status: '0' | '1') => db.updateTable('account').set({ status }).where('id', '=', second.id).execute()
  await lock('1')
  expect((await handIn(person, 71)).msg).toBe(zhCn.refusal.last_admin_leaves)
  await lock('0')
  const { data } = await handIn(person, 71)
  await lock('1')
  expect((await pass(data.id)).msg).toBe(zhCn.refusal.last_admin_leaves)
  expect((await me(person)).user).toMatchObject({ companyId, isAdmin: true })
  await lock('0')
  expect((await pass(data.id)).code).toBe(200)
  expect((await me(person)).user.companyId).not.toBe(companyId)
  expect((await me(second)).user).toMatchObject({ companyId, isAdmin: true })
})

test('of two administrators whose applications elsewhere pass at once one stays', async () => {
  const { person, companyId } = await givenLessor(74)
  const second = await givenSecond(74, companyId)
  const ids = [(await handIn(person, 75)).data.id, (await handIn(second, 76)).data.id]
  const begin = (tx: Tx) => lockAdmins(tx, { userType: '4', companyId })
  const answers = await whileChanging(
    db,
    { begin },
    ids.map((id) => () => pass(id)),
  )
  expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 409])
  const left = [(await me(person)).user, (await me(second)).user].filter((user) => user.companyId === companyId)
  expect(left).toMatchObject([{ isAdmin: true }])
})

test('whoever has the only certification in force of a company is not let go to another one before a colleague has one', async () => {
  const { person, companyId } = await givenLessor(77)
  const admin = await world.givenPerson({ userType: '4', certSign: 1, isAdmin: true, companyId }, 'adminof77')
  expect((await handIn(person, 78)).msg).toBe(zhCn.refusal.last_certification_leaves)
  const { data: colleague } = await handIn(admin, 77)
  expect((await pass(colleague.id)).code).toBe(200)
  const { data } = await handIn(person, 78)
  const end = { status: '6', reviewedAt: monday } as const
  await db.updateTable('certification').set(end).where('id', '=', colleague.id).execute()
  expect((await pass(data.id)).msg).toBe(zhCn.refusal.last_certification_leaves)
  await db.updateTable('certification').set({ status: '2' }).where('id', '=', colleague.id).execute()
  expect((await pass(data.id)).code).toBe(200)
  const company = await db.selectFrom('company').where('id', '=', companyId).select('lessorAudit').executeTakeFirstOrThrow()
  expect([company.lessorAudit, (await me(admin)).roles]).toEqual(['2', ['leaser']])
})

test('whoever alone administers a company may go where its certification has ended, and whoever renews it administers it', async () => {
  const { person, id, companyId } = await givenLessor(72)
  const revoked = await cast.operator.call(contract.revokeCertification, { params: { id }, body: { reason: '证照系伪造' } })
  expect(revoked.code).toBe(200)
  expect((await pass((await handIn(person, 73)).data.id)).code).toBe(200)
  expect((await me((await givenLessor(72)).person)).user).toMatchObject({ companyId, isAdmin: true })
})
