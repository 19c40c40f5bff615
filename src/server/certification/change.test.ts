import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '#shared/certification/contract.ts'
import { downloadFile } from '#shared/file/contract.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { listDepts } from '#shared/dept/contract.ts'
import { deletePerson, editPerson, getPerson, listPeople } from '#shared/person/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { applicants, idCard } from '#test/applicants.ts'
import { contractSteps, nameThem } from '#test/given-contract.ts'
import { runMigration } from '#test/run-migration.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { erase } from '../account/cancellation.ts'
import { transact } from '../deed.ts'

const world = await openWorld()
const { db, cast, clock, depts, services } = world
afterAll(() => world.close())
beforeEach(async () => {
  clock.set(monday)
  await db
    .updateTable('company')
    .set({ lesseeAudit: '2', isLessee: true })
    .where('id', 'in', [cast.lessee.companyId, cast.stranger.companyId])
    .execute()
})

const { newcomer, rentout, lease, project, papers, mine, me, review } = applicants(world)

const pass = async (by: Person, id: number) =>
  by.call(contract.passCertification, { params: { id }, body: { version: (await review(by, id)).version } })
const reject = async (by: Person, id: number) =>
  by.call(contract.rejectCertification, {
    params: { id },
    body: { version: (await review(by, id)).version, reason: '资料不足', fields: [], documents: [] },
  })
const revoke = (by: Person, id: number) => by.call(contract.revokeCertification, { params: { id }, body: { reason: '证照系伪造' } })
const withdraw = (person: Person, id: number) => person.call(contract.withdrawCertification, { params: { id } })
const applyAsLessor = async (person: Person, company: number, more: object = {}) =>
  (await person.call(contract.submitRentout, { body: { form: rentout(company, more), documents: await papers(person, idCard) } })).data.id
const applyAsProject = async (person: Person, more: object = {}) =>
  (await person.call(contract.submitDept, { body: { form: project(more), documents: await papers(person, ['appointment']) } })).data.id
const applyAsLessee = async (person: Person, company: number, more: object = {}) =>
  (
    await person.call(contract.submitLease, {
      body: { form: lease(company, more), documents: await papers(person, ['license', 'authorization']) },
    })
  ).data.id
const roles = async (person: Person) => (await me(person)).roles
const waits = async (by: Person, id: number) =>
  (await by.call(contract.listCertifications, { query: { todo: '1', pageSize: 100 } })).data.rows.some((row) => row.id === id)

async function givenLessor(company: number, more: object = {}) {
  const person = await newcomer()
  const id = await applyAsLessor(person, company, more)
  expect((await pass(cast.operator, id)).code).toBe(200)
  return { person, id, companyId: (await me(person)).user.companyId ?? 0 }
}

describe('whoever administers the company', () => {
  test('stays its administrator when they renew, beside a second one', async () => {
    const { person, companyId } = await givenLessor(50)
    await world.givenPerson({ userType: '4', certSign: 1, isAdmin: true, companyId }, 'secondadmin')
    await pass(cast.operator, await applyAsLessor(person, 50))
    expect((await me(person)).user.isAdmin).toBe(true)
  })

  test('is the next one who passes where every administrator is locked', async () => {
    const { person } = await givenLessor(51)
    await db.updateTable('account').set({ status: '1' }).where('id', '=', person.id).execute()
    expect((await me((await givenLessor(51)).person)).user.isAdmin).toBe(true)
  })
})

describe('whoever administers a unit', () => {
  test('stays there when they hand in the papers of the company', async () => {
    const { companyId } = cast.lessee
    const company = await db
      .selectFrom('company')
      .where('id', '=', companyId)
      .select(['enterpriseName', 'creditCode'])
      .executeTakeFirstOrThrow()
    const head = await world.givenPerson({ userType: '2', certSign: 2, isAdmin: true, deptId: depts.unit, companyId }, 'renewinghead')
    const seen = async () => (await head.call(listDepts, {})).data.map(({ deptId }) => deptId)
    const branch = await seen()
    expect((await pass(cast.operator, await applyAsLessee(head, 0, company))).code).toBe(200)
    expect((await me(head)).user).toMatchObject({ companyId, deptId: depts.unit, isAdmin: true })
    expect(await seen()).toEqual(branch)
    const { rows } = (await cast.lessee.call(listPeople, { query: { deptId: depts.unit, pageSize: 100 } })).data
    expect(rows.map(({ userId }) => userId)).toContain(head.id)
  })

  test('does not administer the whole, so the next one who passes does where its administrator is locked', async () => {
    const first = await newcomer()
    await pass(cast.operator, await applyAsLessee(first, 60))
    const { companyId, deptId } = (await me(first)).user
    const root = { parentId: deptId, ancestors: [deptId ?? 0], companyId: companyId ?? 0 }
    const { id: unit } = await db
      .insertInto('dept')
      .values({ ...root, deptName: '下属单位', deptType: '2' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await world.givenPerson({ userType: '2', certSign: 2, isAdmin: true, deptId: unit, companyId: companyId ?? 0 }, 'headbelow')
    await db.updateTable('account').set({ status: '1' }).where('id', '=', first.id).execute()
    const next = await newcomer()
    await pass(cast.operator, await applyAsLessee(next, 60))
    expect((await me(next)).user).toMatchObject({ deptId, isAdmin: true })
  })
})

describe('whom an administrator puts elsewhere', () => {
  const move = async (person: Person, deptId: number) => {
    const { data } = await cast.lessee.call(getPerson, { params: { id: person.id } })
    expect((await cast.lessee.call(editPerson, { body: { ...data, deptIds: [deptId] } })).code).toBe(200)
  }
  async function givenProject(projectName: string) {
    const person = await newcomer()
    const id = await applyAsProject(person, { projectName })
    expect((await pass(cast.lessee, id)).code).toBe(200)
    return { person, id, deptId: (await me(person)).user.deptId ?? 0 }
  }
  const placeOf = (id: number) => db.selectFrom('dept').where('id', '=', id).select(['deptName', 'parentId']).executeTakeFirst()

  test('leaves the old project department as it is, and their next change is of the new one', async () => {
    const [old, next] = [await givenProject('嘉陵江大桥工程'), await givenProject('嘉陵江隧道工程')]
    await applyAsProject(old.person, { projectName: '嘉陵江大桥改名' })
    await move(old.person, next.deptId)
    // What waited was about the department that they have left.
    expect((await mine(old.person))[0]).toMatchObject({ status: '2', form: { projectName: '嘉陵江大桥工程' } })
    expect((await old.person.call(listOwnMessages, {})).data.rows[0]?.content).toBe(
      '您已调往嘉陵江隧道工程，嘉陵江大桥改名审核中的认证申请随之撤回。',
    )
    await pass(cast.lessee, await applyAsProject(old.person, { projectName: '嘉陵江隧道二期' }))
    expect(await placeOf(old.deptId)).toEqual({ deptName: '嘉陵江大桥工程', parentId: depts.unit })
    expect(await placeOf(next.deptId)).toEqual({ deptName: '嘉陵江隧道二期', parentId: depts.unit })
    expect((await me(old.person)).user.deptId).toBe(next.deptId)
  })

  test('before the certification went along does not take the old project department with them', async () => {
    const [old, next] = [await givenProject('涪江大桥工程'), await givenProject('涪江隧道工程')]
    await move(old.person, next.deptId)
    await db.updateTable('certification').set({ deptId: old.deptId }).where('id', '=', old.id).execute()
    await pass(cast.lessee, await applyAsProject(old.person, { projectName: '涪江三桥工程' }))
    expect(await placeOf(old.deptId)).toEqual({ deptName: '涪江大桥工程', parentId: depts.unit })
    expect((await me(old.person)).user.dept).toMatchObject({ deptName: '涪江三桥工程' })
  })

  test('into a unit has no certification as a project department any more, and keeps the role', async () => {
    const { person, id } = await givenProject('沱江大桥工程')
    await move(person, depts.unit)
    const events = [{ action: 'submit' }, { action: 'pass' }, { action: 'leave', note: '第三工程公司' }]
    // Worded where it is read, in the language of whoever reads it.
    expect((await mine(person))[0]).toMatchObject({ status: '6', reason: '', events })
    expect((await person.call(listOwnMessages, {})).data.rows[0]?.title).toBe('项目部认证已终止')
    expect(await roles(person)).toEqual(['leaseholder'])
    expect((await revoke(cast.lessee, id)).code).toBe(409)
  })
})

describe('a change that names a unit of another organisation', () => {
  async function givenProject(projectName: string) {
    const person = await newcomer()
    const id = await applyAsProject(person, { projectName })
    expect((await pass(cast.lessee, id)).code).toBe(200)
    return { person, id }
  }
  const elsewhere = { parentDeptId: cast.strangerAdmin.deptId, projectName: '他山隧道工程' }

  test('lets that one decide, and leaves what was passed to the one that passed it', async () => {
    const { person, id } = await givenProject('岷江二桥工程')
    await applyAsProject(person, elsewhere)
    expect(await review(cast.strangerAdmin, id)).toMatchObject({ passedForm: null, mayDecide: true, mayRevoke: false })
    expect((await revoke(cast.strangerAdmin, id)).code).toBe(404)
    const seen = await review(cast.lessee, id)
    expect(seen).toMatchObject({ passedForm: { projectName: '岷江二桥工程' }, mayDecide: false, mayRevoke: true })
    for (const who of [cast.lessee, cast.strangerAdmin])
      expect((await who.call(downloadFile, { params: { id: seen.documents[0]?.fileId } })).bytes.toString()).toBe('png')
    expect([await waits(cast.lessee, id), await waits(cast.strangerAdmin, id)]).toEqual([false, true])
    expect((await pass(cast.lessee, id)).code).toBe(404)
    expect(await roles(person)).toEqual(['projectUser'])
  })

  test.each(['rejected', 'withdrawn'] as const)('is nothing of that one any more once it is %s', async (end) => {
    const { person, id } = await givenProject(`岷江三桥工程${end}`)
    await applyAsProject(person, elsewhere)
    expect((end === 'rejected' ? await reject(cast.strangerAdmin, id) : await withdraw(person, id)).code).toBe(200)
    expect(await review(cast.lessee, id)).toMatchObject({ status: '2', parentName: '第三工程公司', mayRevoke: true })
    expect((await cast.strangerAdmin.call(contract.getCertification, { params: { id } })).code).toBe(404)
  })

  test('can be ended together with what was passed by the one that passed it', async () => {
    const { person, id } = await givenProject('岷江四桥工程')
    await applyAsProject(person, elsewhere)
    expect((await revoke(cast.lessee, id)).code).toBe(200)
    expect(await roles(person)).toEqual([])
    expect(await review(cast.lessee, id)).toMatchObject({ status: '6', form: { projectName: '岷江四桥工程' } })
    expect((await cast.strangerAdmin.call(contract.getCertification, { params: { id } })).code).toBe(404)
  })

  test('takes nobody away who is named in a live contract', async () => {
    const { companyId } = cast.project
    const person = await world.givenPerson({ userType: '3', certSign: 3, deptId: depts.projectDept, companyId }, 'namedmember')
    await db.insertInto('accountDept').values({ accountId: person.id, deptId: depts.projectDept }).execute()
    const { id: contractId } = await contractSteps(world).givenDraft({ alone: true })
    expect((await nameThem(cast.project, contractId, [{ task: 'signer', accountId: person.id }])).code).toBe(200)
    const id = await applyAsProject(person, { ...elsewhere, projectName: '他山二号隧道' })
    expect((await pass(cast.strangerAdmin, id)).msg).toBe(zhCn.refusal.person_named)
    expect((await me(person)).user.companyId).toBe(companyId)
    expect((await nameThem(cast.lessee, contractId, [{ task: 'signer', accountId: cast.project.id }])).code).toBe(200)
    expect((await pass(cast.strangerAdmin, id)).code).toBe(200)
  })
})

describe('whom an administrator added, and who hands in an application of their own', () => {
  async function givenColleague(company: number) {
    const { companyId } = await givenLessor(company)
    return world.givenPerson({ userType: '4', certSign: 1, companyId }, `colleague${company}`)
  }
  const standing = async (person: Person) => [(await mine(person))[0]?.status, (await me(person)).user.auditStatus, await roles(person)]

  test('keeps the role in review, and sent back it is not recorded as passed', async () => {
    const person = await givenColleague(52)
    const id = await applyAsLessor(person, 52)
    expect(await standing(person)).toEqual(['1', 5, ['leaser']])
    expect((await revoke(cast.operator, id)).code).toBe(409)
    await reject(cast.operator, id)
    expect(await standing(person)).toEqual(['3', 2, ['leaser']])
    await applyAsLessor(person, 52)
    await pass(cast.operator, id)
    expect(await standing(person)).toEqual(['2', 2, ['leaser']])
  })

  test('keeps the role in review whatever draft they saved before, and when they take it back', async () => {
    const person = await givenColleague(53)
    await person.call(contract.saveCertificationDraft, { body: { kind: 'rentout', form: { enterpriseName: '半截' }, documents: [] } })
    const id = await applyAsLessor(person, 53)
    expect(await standing(person)).toEqual(['1', 5, ['leaser']])
    await withdraw(person, id)
    expect(await standing(person)).toEqual(['0', 2, ['leaser']])
  })
})

describe('the unit above', () => {
  test('that was switched off since takes no project department, and too deep a one none at all', async () => {
    const { companyId } = cast.lessee
    const dept = { companyId, deptType: '2', provinceId: 510_000, cityId: 510_100 } as const
    const insert = async (deptName: string, ancestors: number[]) =>
      (
        await db
          .insertInto('dept')
          .values({ ...dept, deptName, parentId: ancestors.at(-1) ?? null, ancestors })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
    const unit = await insert('将停用的单位', [depts.root])
    const person = await newcomer()
    const id = await applyAsProject(person, { parentDeptId: unit })
    await db.updateTable('dept').set({ status: '1' }).where('id', '=', unit).execute()
    expect((await pass(cast.lessee, id)).msg).toBe(zhCn.refusal.dept_parent_off)

    const ancestors = [depts.root]
    for (let level = 2; level <= 8; level++) ancestors.push(await insert(`第 ${level} 级`, ancestors))
    const parentDeptId = ancestors.at(-1)
    const body = { form: project({ parentDeptId }), documents: await papers(person, ['appointment']) }
    await withdraw(person, id)
    expect((await person.call(contract.submitDept, { body })).raw.data).toMatchObject({ errors: [{ field: 'form.parentDeptId' }] })

    // Handed in before the unit moved to the last level.
    const moved = await insert('移到末级的单位', [depts.root])
    const waiting = await applyAsProject(person, { parentDeptId: moved })
    await db
      .updateTable('dept')
      .set({ parentId: ancestors.at(-2) ?? null, ancestors: ancestors.slice(0, -1) })
      .where('id', '=', moved)
      .execute()
    expect((await pass(cast.lessee, waiting)).msg).toBe(zhCn.refusal.dept_too_deep)
  })

  test('has one department of a name: another one is refused beside its field, and in the review where the name was taken since', async () => {
    const errors = async (person: Person, more: object) =>
      (
        (await person.call(contract.submitDept, { body: { form: project(more), documents: await papers(person, ['appointment']) } })).raw
          .data as { errors: { field: string; message: string }[] }
      ).errors
    const taken = [{ field: 'form.projectName', message: '已被使用' }]
    const person = await newcomer()
    expect(await errors(person, { parentDeptId: depts.root, projectName: '第三工程公司' })).toEqual(taken)
    await pass(cast.lessee, await applyAsProject(person, { projectName: '青衣江大桥工程' }))
    expect(await errors(person, { projectName: '渝昌高铁5标' })).toEqual(taken)
    const id = await applyAsProject(person, { projectName: '青衣江隧道工程' })
    const sibling = { parentId: depts.unit, ancestors: [depts.root, depts.unit], companyId: cast.lessee.companyId }
    await db
      .insertInto('dept')
      .values({ ...sibling, deptName: '青衣江隧道工程', deptType: '2' })
      .execute()
    expect((await pass(cast.lessee, id)).msg).toBe(zhCn.refusal.dept_name_taken)
  })
})

test('operators without that duty hear nothing of an application', async () => {
  const person = await newcomer()
  const id = await applyAsLessor(person, 54)
  const heard = async (who: Person) => (await who.call(listOwnMessages, {})).data.rows.some((row) => row.link.endsWith(`?id=${id}`))
  expect([await heard(cast.operator), await heard(cast.clerk)]).toEqual([true, false])
})

describe('whoever has left', () => {
  const erased = (accountId: number) =>
    transact(services, { now: monday }, ({ db: tx }) => erase({ db: tx, secret: services.secret, now: monday }, accountId))

  test('and was erased is named nowhere, and no review of their change gives them anything', async () => {
    const applicant = await newcomer()
    const { phonenumber } = await db.selectFrom('account').where('id', '=', applicant.id).select('phonenumber').executeTakeFirstOrThrow()
    const contactPhone = phonenumber ?? ''
    const id = await applyAsLessor(applicant, 55, { contactPhone })
    await pass(cast.operator, id)
    const { companyId } = (await me(applicant)).user
    await applyAsLessor(applicant, 55, { contactPhone, address: '搬到试验路 9 号' })
    const { version } = await review(cast.operator, id)
    await erased(applicant.id)
    expect(await waits(cast.operator, id)).toBe(false)
    expect((await cast.operator.call(contract.passCertification, { params: { id }, body: { version } })).code).toBe(404)
    const seen = await review(cast.operator, id)
    expect(seen).toMatchObject({
      status: '2',
      form: { address: '武侯区试验路 1 号' },
      applicant: `cancelled#${applicant.id}`,
      mayRevoke: true,
    })
    expect(JSON.stringify(seen)).not.toMatch(new RegExp(`李样本|${contactPhone}|[*]${contactPhone.slice(-4)}`))
    const company = await db.selectFrom('company').where('id', '=', companyId).select(['contactName', 'contactPhone']).executeTakeFirst()
    expect(company).toEqual({ contactName: '', contactPhone: '' })
    expect((await revoke(cast.operator, id)).code).toBe(200)
  })

  test('a project department is named nowhere in it, nor as its contact', async () => {
    const applicant = await newcomer()
    const { phonenumber } = await db.selectFrom('account').where('id', '=', applicant.id).select('phonenumber').executeTakeFirstOrThrow()
    const id = await applyAsProject(applicant, { projectName: '岷江五桥工程', managerPhone: phonenumber })
    await pass(cast.lessee, id)
    const { deptId } = (await me(applicant)).user
    await erased(applicant.id)
    const traces = new RegExp(`周样本|吴样本|${phonenumber}|[*]${phonenumber?.slice(-4)}`)
    expect(JSON.stringify(await review(cast.lessee, id))).not.toMatch(traces)
    const dept = await db.selectFrom('dept').where('id', '=', deptId).select(['leader', 'phone']).executeTakeFirst()
    expect(dept).toEqual({ leader: '', phone: '' })
  })

  test('by a deletion of the administrator has no change in review any more', async () => {
    const applicant = await newcomer()
    const id = await applyAsProject(applicant, { projectName: '岷江七桥工程' })
    await pass(cast.lessee, id)
    await applyAsProject(applicant, { projectName: '岷江八桥工程' })
    expect(await review(cast.lessee, id)).toMatchObject({ status: '5' })
    expect((await cast.lessee.call(deletePerson, { params: { id: applicant.id } })).code).toBe(200)
    expect(await review(cast.lessee, id)).toMatchObject({ status: '2', form: { projectName: '岷江七桥工程' } })
  })

  test('by a deletion of the administrator stands on no list with what nobody passed', async () => {
    const { companyId } = cast.project
    const person = await world.givenPerson({ userType: '3', certSign: 3, deptId: depts.projectDept, companyId }, 'leavingmember')
    const id = await applyAsProject(person, { projectName: '岷江九桥工程' })
    const listed = async () => (await cast.lessee.call(contract.listCertifications, {})).data.rows.some((row) => row.id === id)
    expect(await listed()).toBe(true)
    expect((await cast.lessee.call(deletePerson, { params: { id: person.id } })).code).toBe(200)
    expect(await listed()).toBe(false)
  })

  test('before such changes were taken back has nothing in the queue any more, and what was passed ends as others do', async () => {
    const passed = await givenLessor(57)
    const [waiting, erasedOne, deletedOne] = [passed.person, await newcomer(), await newcomer()]
    await applyAsLessor(waiting, 57, { address: '搬到试验路 9 号' })
    const [gone, withdrawn] = [await applyAsLessor(erasedOne, 58), await applyAsLessor(deletedOne, 59)]
    const leave = (person: Person, userName: string) =>
      db.updateTable('account').set({ delFlag: '2', status: '1', userName }).where('id', '=', person.id).execute()
    for (const person of [waiting, erasedOne]) await leave(person, `cancelled#${person.id}`)
    await leave(deletedOne, 'deletedbefore')
    await db.updateTable('certification').set({ status: '1', passedForm: null }).where('id', '=', passed.id).execute()
    await runMigration(world, '0109_left_in_review.sql')
    const rows = await db
      .selectFrom('certification')
      .where('id', 'in', [passed.id, gone, withdrawn])
      .orderBy('id')
      .select(['id', 'status'])
      .execute()
    expect(rows).toEqual([
      { id: passed.id, status: '2' },
      { id: withdrawn, status: '0' },
    ])
    expect((await revoke(cast.operator, passed.id)).code).toBe(200)
  })

  test('waits in no queue, and nobody passes what they handed in', async () => {
    const person = await newcomer()
    const id = await applyAsLessor(person, 56)
    const { version } = await review(cast.operator, id)
    await db.updateTable('account').set({ delFlag: '2', status: '1' }).where('id', '=', person.id).execute()
    expect(await waits(cast.operator, id)).toBe(false)
    expect((await cast.operator.call(contract.passCertification, { params: { id }, body: { version } })).code).toBe(404)
  })
})
