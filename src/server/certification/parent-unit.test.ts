import { afterAll, beforeEach, expect, test } from 'vitest'
import * as contract from '#shared/certification/contract.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { applicants } from '#test/applicants.ts'
import { monday, openWorld, type Person } from '#test/world.ts'

const world = await openWorld()
const { db, cast } = world
afterAll(() => world.close())
beforeEach(() => world.clock.set(monday))

const { newcomer, codeOf, lease, project, papers, me, review } = applicants(world)

/** Hands in a project whose unit, with this code, is typed. */
async function submitBelow(person: Person, parentCreditCode: string): Promise<number> {
  const form = project({ parentDeptId: null, parentName: '外地施工有限公司', parentCreditCode })
  const { data } = await person.call(contract.submitDept, {
    body: { form, documents: await papers(person, ['appointment', 'winningNotice']) },
  })
  return data.id
}

async function submitUnit(person: Person, n: number): Promise<number> {
  const { data } = await person.call(contract.submitLease, {
    body: { form: lease(n), documents: await papers(person, ['license', 'authorization']) },
  })
  return data.id
}

async function pass(by: Person, id: number) {
  const { version } = await review(cast.operator, id)
  return by.call(contract.passCertification, { params: { id }, body: { version } })
}

const todo = async (person: Person) =>
  (await person.call(contract.listCertifications, { query: { todo: '1' } })).data.rows.map(({ id }) => id)

test('a project that waits goes to the administrator of its unit once that is certified, and the operator decides it no more', async () => {
  const [applicant, elsewhere, admin] = [await newcomer(), await newcomer(), await newcomer()]
  const code = codeOf(70)
  const id = await submitBelow(applicant, `${code.slice(0, 8).toLowerCase()} ${code.slice(8)}`)
  const other = await submitBelow(elsewhere, codeOf(71))
  expect(await todo(cast.operator)).toEqual([id, other])
  expect((await pass(cast.operator, await submitUnit(admin, 70))).code).toBe(200)

  expect([await todo(cast.operator), await todo(admin)]).toEqual([[other], [id]])
  expect((await admin.call(listOwnMessages, {})).data.rows.map(({ link }) => link)).toContain(
    `/workbench/organization/reviewdetail?id=${id}`,
  )
  expect((await pass(cast.operator, id)).code).toBe(404)
  expect((await me(applicant)).user.companyId).toBeNull()
  expect((await pass(admin, id)).code).toBe(200)
  expect((await me(applicant)).user.companyId).toBe((await me(admin)).user.companyId)
  expect((await pass(cast.operator, other)).code).toBe(200)
})

test('a project that became certified beside its unit is sent back by the operator, and goes to the unit when it is handed in again', async () => {
  const [applicant, admin] = [await newcomer(), await newcomer()]
  const id = await submitBelow(applicant, codeOf(72))
  expect((await pass(cast.operator, await submitUnit(admin, 72))).code).toBe(200)
  // As it stands where both came at the same moment.
  await db.updateTable('certification').set({ parentDeptId: null }).where('id', '=', id).execute()
  expect(await pass(cast.operator, id)).toMatchObject({ code: 409, msg: zhCn.refusal.unit_certified })
  const { version } = await review(cast.operator, id)
  const body = { version, reason: '请重新提交', fields: [], documents: [] }
  expect((await cast.operator.call(contract.rejectCertification, { params: { id }, body })).code).toBe(200)
  expect(await submitBelow(applicant, codeOf(72))).toBe(id)
  expect(await todo(admin)).toEqual([id])
})

test('a unit that is certified while the operator passes a project below it does not wait for that in a ring', async () => {
  const [applicant, admin] = [await newcomer(), await newcomer()]
  const ids = [await submitBelow(applicant, codeOf(73)), await submitUnit(admin, 73)]
  const [below, unit] = await Promise.all(ids.map((id) => pass(cast.operator, id)))
  expect(unit?.code).toBe(200)
  expect([200, 404, 409]).toContain(below?.code)
})

test('the root that a stranger named gets the certified name of its company, and keeps a name that the organisation gave it', async () => {
  const rootNames = async (person: Person) => {
    const { companyId } = (await me(person)).user
    const roots = await db.selectFrom('dept').where('companyId', '=', companyId).where('parentId', 'is', null).select('deptName').execute()
    return roots.map(({ deptName }) => deptName)
  }
  const [applicant, admin] = [await newcomer(), await newcomer()]
  expect((await pass(cast.operator, await submitBelow(applicant, codeOf(74)))).code).toBe(200)
  expect(await rootNames(applicant)).toEqual(['外地施工有限公司'])
  expect((await pass(cast.operator, await submitUnit(admin, 74))).code).toBe(200)
  expect(await rootNames(admin)).toEqual([lease(74).enterpriseName])
  const renamed = {
    form: lease(74, { enterpriseName: '成都改名建设集团有限公司' }),
    documents: await papers(admin, ['license', 'authorization']),
  }
  const change = async () => {
    const { data } = await admin.call(contract.submitLease, { body: renamed })
    expect((await pass(cast.operator, data.id)).code).toBe(200)
  }
  await change()
  expect(await rootNames(admin)).toEqual(['成都改名建设集团有限公司'])
  const { companyId } = (await me(admin)).user
  await db.updateTable('dept').set({ deptName: '集团总部' }).where('companyId', '=', companyId).where('parentId', 'is', null).execute()
  renamed.form = lease(74, { enterpriseName: '成都再改名建设集团有限公司' })
  await change()
  expect(await rootNames(admin)).toEqual(['集团总部'])
})
