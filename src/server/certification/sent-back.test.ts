import { afterAll, beforeEach, expect, test } from 'vitest'
import { addDays, dayMs, dayOf } from '#shared/calendar.ts'
import * as contract from '#shared/certification/contract.ts'
import type { CertificationDocument } from '#shared/certification/rules.ts'
import { enableStatus } from '#shared/rules.ts'
import { applicants, idCard } from '#test/applicants.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld, type Person } from '#test/world.ts'

const world = await openWorld()
const { db, cast, clock, depts } = world
afterAll(() => world.close())
beforeEach(async () => {
  clock.set(monday)
  await db.updateTable('company').set({ lesseeAudit: '2' }).where('id', '=', cast.lessee.companyId).execute()
})

const today = dayOf(monday)
const { newcomer, rentout, project, papers, review } = applicants(world)

type SentBack = { field?: string; document?: CertificationDocument }

async function sendBack(by: Person, id: number, { field, document }: SentBack) {
  const { version } = await review(by, id)
  const fields = field ? [{ field, reason: '请核对' }] : []
  const documents = document ? [{ kind: document, reason: '照片不清晰' }] : []
  const answer = await by.call(contract.rejectCertification, { params: { id }, body: { version, reason: '', fields, documents } })
  expect(answer.code).toBe(200)
}

test('a licence and a paper that were accepted and have run out since are renewed with what was sent back', async () => {
  const person = await newcomer()
  const soon = addDays(today, 3)
  const kinds: CertificationDocument[] = [...idCard, 'safetyPermit', 'erectionQualification']
  const documents = await papers(person, kinds, { safetyPermit: soon })
  const form = rentout(44, { ownErection: true, licenseValidTo: soon })
  const { id } = (await person.call(contract.submitRentout, { body: { form, documents } })).data
  await sendBack(cast.operator, id, { document: 'legalIdBack' })
  clock.set(new Date(monday.getTime() + 10 * dayMs))
  const again = (more: object, given = documents) =>
    person.call(contract.submitRentout, { body: { form: { ...form, ...more }, documents: given } })
  const late = await again({})
  expect([late.code, refusedFields(late.data)]).toEqual([422, ['documents.safetyPermit', 'form.licenseValidTo']])
  const renewed = await papers(person, ['legalIdBack', 'safetyPermit'], { safetyPermit: '2027-06-30' })
  const others = documents.filter((paper) => renewed.every(({ kind }) => kind !== paper.kind))
  const licenseValidTo = '2027-12-31'
  expect((await again({ licenseValidTo, address: '别的地址' }, [...others, ...renewed])).code).toBe(200)
  const seen = await review(cast.operator, id)
  expect(seen.form).toMatchObject({ licenseValidTo, address: form.address })
  const fileOf = (kind: CertificationDocument) => seen.documents.find((paper) => paper.kind === kind)?.fileId
  expect([fileOf('safetyPermit'), fileOf('legalIdBack')]).toEqual([renewed[1]?.fileId, renewed[0]?.fileId])
  expect(fileOf('license')).toBe(documents[0]?.fileId)
})

test('a unit that was switched off since, and a name that was taken, are replaced with what was sent back', async () => {
  const person = await newcomer()
  const documents = await papers(person, ['appointment'])
  const form = project({ projectName: '青衣江大桥工程' })
  const { id } = (await person.call(contract.submitDept, { body: { form, documents } })).data
  await sendBack(cast.lessee, id, { field: 'managerPhone' })
  const again = (more: object) => person.call(contract.submitDept, { body: { form: { ...form, ...more }, documents } })
  const unit = db.updateTable('dept').where('id', '=', depts.unit)
  await unit.set({ status: enableStatus.disabled }).execute()
  expect(refusedFields((await again({ managerPhone: '14400003333' })).data)).toEqual(['form.parentDeptId'])
  expect((await again({ managerPhone: '14400003333', parentDeptId: depts.root })).code).toBe(200)
  await unit.set({ status: enableStatus.enabled }).execute()
  expect(await review(cast.lessee, id)).toMatchObject({ form: { parentDeptId: depts.root, managerPhone: '14400003333' } })
  await sendBack(cast.lessee, id, { field: 'managerPhone' })
  const { companyId } = cast.lessee
  const taken = { companyId, parentId: depts.root, ancestors: [depts.root], deptName: form.projectName }
  await db
    .insertInto('dept')
    .values({ ...taken, deptType: '2' })
    .execute()
  expect(refusedFields((await again({ parentDeptId: depts.root })).data)).toEqual(['form.projectName'])
  expect((await again({ projectName: '青衣江二桥工程' })).code).toBe(200)
})

test('of the two days of a period both are corrected where one was sent back', async () => {
  const person = await newcomer()
  const documents = await papers(person, ['appointment'])
  const form = project({ projectName: '大渡河隧道工程' })
  const { id } = (await person.call(contract.submitDept, { body: { form, documents } })).data
  await sendBack(cast.lessee, id, { field: 'startDate' })
  const period = { startDate: '2028-11-01', plannedEndDate: '2030-11-01' }
  expect((await person.call(contract.submitDept, { body: { form: { ...form, ...period }, documents } })).code).toBe(200)
})
