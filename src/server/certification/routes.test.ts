import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { maskPhone } from '#shared/account/rules.ts'
import * as contract from '#shared/certification/contract.ts'
import { submitsADay } from '#shared/certification/rules.ts'
import { listPublicEquipment } from '#shared/equipment/contract.ts'
import { downloadFile } from '#shared/file/contract.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { getWorkPanel } from '#shared/statistics/panel.ts'
import { applicants, idCard } from '#test/applicants.ts'
import { monday, openWorld, type Person } from '#test/world.ts'

const world = await openWorld()
const { db, cast, clock, depts } = world
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const { newcomer, codeOf, rentout, lease, project, papers, mine, me, review } = applicants(world)

describe('[S2.13][S7.6] lessor certification from the first draft to the role', () => {
  test('each save of a draft raises its version, and an older draft does not replace a newer one', async () => {
    const person = await newcomer()
    const save = (enterpriseName: string, version?: number) =>
      person.call(contract.saveCertificationDraft, { body: { kind: 'rentout', form: { enterpriseName }, documents: [], version } })
    const first = await save('成都', 0)
    const second = await save('成都试验', first.data.version)
    expect(second.data).toMatchObject({ id: first.data.id, version: first.data.version + 1, form: { enterpriseName: '成都试验' } })
    // Another page that opened before: the first save of a form, and the next of one.
    for (const version of [0, first.data.version]) expect((await save('成都旧', version)).code).toBe(409)
    const handIn = { form: rentout(1), documents: await papers(person, idCard), version: first.data.version }
    expect((await person.call(contract.submitRentout, { body: handIn })).code).toBe(409)
    expect(await mine(person)).toEqual([second.data])
    // A caller that names no version wants it replaced.
    expect((await save('成都新')).code).toBe(200)
  })

  test('draft, hand in, one paper sent back, only that replaced, passed', async () => {
    const person = await newcomer()
    const [licence, front, back] = await papers(person, idCard)
    const half = { enterpriseName: '成都试验', anything: 1 }
    expect((await person.call(contract.saveCertificationDraft, { body: { kind: 'rentout', form: half, documents: [licence] } })).code).toBe(
      200,
    )
    expect((await mine(person))[0]).toMatchObject({ status: '0', form: half, documents: [{ kind: 'license', status: '0' }] })
    const odd = { kind: 'rentout', form: { enterpriseName: { toString: 'no name' } }, documents: [] } as const
    expect((await (await newcomer()).call(contract.saveCertificationDraft, { body: odd })).data).toMatchObject({ name: '', form: odd.form })

    const handed = await person.call(contract.submitRentout, { body: { form: rentout(1), documents: [licence, front, back] } })
    expect(handed.code).toBe(200)
    expect((await me(person)).user).toMatchObject({ certSign: 1, auditStatus: 1, userType: '1' })
    const { id } = handed.data
    const told = (await cast.operator.call(listOwnMessages, {})).data.rows[0]
    expect(told).toMatchObject({ systemSubject: '企业认证审核通知', link: `/admin/certification/detail?id=${id}` })
    expect((await cast.operator.call(getWorkPanel, {})).data.tasks.find(({ kind }) => kind === 'review')?.count).toBe(1)

    const seen = await review(cast.operator, id)
    expect(seen.checks.map(({ kind, result }) => [kind, result])).toEqual([
      ['creditCode', 'good'],
      ['duplicateCompany', 'good'],
      ['license', 'good'],
      ['businessScope', 'good'],
      ['papers', 'good'],
    ])
    // The reviewer opens the papers, strangers do not.
    const fileId = seen.documents[0]?.fileId ?? ''
    expect((await cast.operator.call(downloadFile, { params: { id: fileId } })).bytes.toString()).toBe('png')
    for (const who of [cast.lessor, cast.lessee, cast.visitor])
      expect((await who.call(downloadFile, { params: { id: fileId } })).code).toBe(404)

    const rejection = {
      version: seen.version,
      reason: '',
      fields: [{ field: 'address', reason: '地址与执照不符' }],
      documents: [{ kind: 'legalIdBack', reason: '照片不清晰' }],
    }
    expect((await cast.operator.call(contract.rejectCertification, { params: { id }, body: rejection })).code).toBe(200)
    expect((await me(person)).user.auditStatus).toBe(3)
    const notice = (await person.call(listOwnMessages, {})).data.rows[0]
    expect(notice).toMatchObject({ title: '认证被退回', level: 'warn', link: '/personal/myapprove' })
    expect(notice?.content).toContain('照片不清晰')
    const [rejected] = await mine(person)
    expect(rejected?.documents.map(({ kind, status }) => [kind, status])).toEqual([
      ['license', '1'],
      ['legalIdFront', '1'],
      ['legalIdBack', '2'],
    ])

    // Whatever is sent besides, only what was sent back changes.
    const [newBack, otherLicence] = await papers(person, ['legalIdBack', 'license'])
    const again = await person.call(contract.submitRentout, {
      body: { form: rentout(1, { address: '武侯区试验路 2 号', enterpriseName: '换了名字的公司' }), documents: [newBack, otherLicence] },
    })
    expect(again.code).toBe(200)
    const second = await review(cast.operator, id)
    expect(second.form).toMatchObject({ address: '武侯区试验路 2 号', enterpriseName: '成都试验机械租赁有限公司1' })
    expect(second.documents.find(({ kind }) => kind === 'license')?.fileId).toBe(licence?.fileId)
    expect(second.documents.find(({ kind }) => kind === 'legalIdBack')?.fileId).toBe(newBack?.fileId)

    const { phonenumber } = await db.selectFrom('account').where('id', '=', person.id).select('phonenumber').executeTakeFirstOrThrow()
    expect(second).toMatchObject({ phonenumber, form: { legalPersonPhone: '14400001111' }, mayDecide: true })

    // An old page decides nothing.
    expect((await cast.operator.call(contract.passCertification, { params: { id }, body: { version: seen.version } })).code).toBe(409)
    const racing = await Promise.all(
      Array.from({ length: 5 }, () =>
        cast.operator.call(contract.passCertification, { params: { id }, body: { version: second.version } }),
      ),
    )
    expect(racing.map(({ code }) => code).toSorted()).toEqual([200, 409, 409, 409, 409])
    const info = await me(person)
    expect(info).toMatchObject({ roles: ['leaser'], user: { certSign: 1, auditStatus: 2, userType: '4', isAdmin: true, name: '李样本' } })
    const { rows } = (await person.call(listOwnMessages, {})).data
    expect(rows.filter(({ title }) => title === '认证已通过')).toHaveLength(1)
    const made = await db.selectFrom('company').where('creditCode', '=', codeOf(1)).selectAll().executeTakeFirstOrThrow()
    expect(made).toMatchObject({ isLessor: true, lessorAudit: '2', lessorValidTo: null, serviceRegions: [510_000, 520_000] })
    expect((await mine(person))[0]?.events.map(({ action }) => action)).toEqual(['submit', 'reject', 'submit', 'pass'])
    // Once it is decided nobody has to call, so the numbers are masked.
    const masked = { legalPersonPhone: '144****1111' }
    const decided = await review(cast.operator, id)
    expect(decided).toMatchObject({ phonenumber: maskPhone(phonenumber ?? ''), form: masked, passedForm: masked, mayDecide: false })
  })

  test('what is missing or wrong is said beside its field, and nothing is stored', async () => {
    const person = await newcomer()
    const [licence] = await papers(person, ['license'])
    const bad = await person.call(contract.submitRentout, {
      body: { form: rentout(2, { creditCode: '91350100M000100Y4Z', legalPersonPhone: '1' }), documents: [licence] },
    })
    expect(bad.raw.data).toEqual({
      errors: [
        { field: 'form.creditCode', message: '信用代码不正确，请核对 18 位字符' },
        { field: 'form.legalPersonPhone', message: '请填写手机号或带区号的座机' },
      ],
    })
    const errorsOf = async (form: object, documents: object[]) =>
      (
        (await person.call(contract.submitRentout, { body: { form, documents } })).raw.data as {
          errors: { field: string; message: string }[]
        }
      ).errors.map(({ field, message }) => `${field} ${message}`)
    expect(await errorsOf(rentout(2), [licence as object])).toEqual(['documents.legalIdFront 请上传', 'documents.legalIdBack 请上传'])
    const all = await papers(person, idCard)
    expect(await errorsOf(rentout(2, { ownErection: true }), all)).toEqual([
      'documents.safetyPermit 请上传',
      'documents.erectionQualification 请上传',
    ])
    expect(await errorsOf(rentout(2, { licenseValidTo: '2026-01-01' }), all)).toEqual(['form.licenseValidTo 营业执照已过期'])
    expect(await errorsOf(rentout(2, { cityId: 110_100 }), all)).toEqual(['form.cityId 地区不存在或省市不对应'])
    expect(await errorsOf(rentout(2, { mainCategories: [99_999] }), all)).toEqual(['form.mainCategories 设备类别不存在或已停用'])
    const [foreign] = await papers(cast.project, ['license'])
    expect(await errorsOf(rentout(2), [foreign as object, ...all.slice(1)])).toEqual(['documents.license 附件不存在或不属于您'])
    expect(await mine(person)).toEqual([])
  })

  test('taken back from review it can be edited; one account has one kind', async () => {
    const person = await newcomer()
    const { data } = await person.call(contract.submitRentout, { body: { form: rentout(3), documents: await papers(person, idCard) } })
    const other = await person.call(contract.submitLease, {
      body: { form: lease(3), documents: await papers(person, ['license', 'authorization']) },
    })
    expect(other.msg).toBe('本账号已有另一类认证或正在审核的申请；请先撤回申请，或另注册账号')
    expect((await person.call(contract.withdrawCertification, { params: { id: data.id } })).code).toBe(200)
    expect((await person.call(contract.withdrawCertification, { params: { id: data.id } })).code).toBe(409)
    expect((await me(person)).user).toMatchObject({ certSign: 0, auditStatus: 0 })
    expect(
      (await person.call(contract.submitLease, { body: { form: lease(3), documents: await papers(person, ['license', 'authorization']) } }))
        .code,
    ).toBe(200)
  })

  test('whoever submits and withdraws without end tells the reviewers ten times a day', async () => {
    const person = await newcomer()
    const body = { form: rentout(9), documents: await papers(person, idCard) }
    const codes: number[] = []
    for (let n = 0; n < 11; n++) {
      const { code, data } = await person.call(contract.submitRentout, { body })
      codes.push(code)
      if (code === 200) await person.call(contract.withdrawCertification, { params: { id: data.id } })
    }
    expect(codes).toEqual([...Array<number>(submitsADay).fill(200), 429])
    clock.set(new Date(monday.getTime() + 86_400_000))
    expect((await person.call(contract.submitRentout, { body })).code).toBe(200)
  })

  test('a change in review leaves what was passed in force; sent back, it is as it was', async () => {
    const person = await newcomer()
    const documents = await papers(person, idCard)
    const { data } = await person.call(contract.submitRentout, { body: { form: rentout(4), documents } })
    await cast.operator.call(contract.passCertification, {
      params: { id: data.id },
      body: { version: (await review(cast.operator, data.id)).version },
    })
    const changed = await papers(person, idCard)
    await person.call(contract.submitRentout, { body: { form: rentout(4, { address: '搬到试验路 9 号' }), documents: changed } })
    expect(await me(person)).toMatchObject({ roles: ['leaser'], user: { auditStatus: 5 } })
    const seen = await review(cast.operator, data.id)
    expect(seen).toMatchObject({ status: '5', passedForm: { address: '武侯区试验路 1 号' } })
    const body = { version: seen.version, reason: '地址证明不足', fields: [], documents: [] }
    expect((await cast.operator.call(contract.rejectCertification, { params: { id: data.id }, body })).code).toBe(200)
    const [notice] = (await person.call(listOwnMessages, {})).data.rows
    expect([notice?.title, notice?.content]).toEqual(['认证变更被驳回', expect.stringContaining('原认证继续有效')])
    const [back] = await mine(person)
    expect(back).toMatchObject({ status: '2', reason: '地址证明不足', form: { address: '武侯区试验路 1 号' } })
    expect(back?.documents.map(({ fileId }) => fileId)).toEqual(documents.map(({ fileId }) => fileId))
    expect(await me(person)).toMatchObject({ roles: ['leaser'], user: { auditStatus: 2 } })
  })

  test('revoked: the role ends for the whole company and its machines leave the shelf', async () => {
    const person = await newcomer()
    const { data } = await person.call(contract.submitRentout, { body: { form: rentout(5), documents: await papers(person, idCard) } })
    await cast.operator.call(contract.passCertification, {
      params: { id: data.id },
      body: { version: (await review(cast.operator, data.id)).version },
    })
    const { companyId } = (await me(person)).user
    await world.givenMachine(companyId ?? 0)
    const shelved = async () => (await cast.visitor.call(listPublicEquipment, { query: { companyId } })).data.total
    expect(await shelved()).toBe(1)
    expect((await cast.operator.call(contract.revokeCertification, { params: { id: data.id }, body: { reason: '证照系伪造' } })).code).toBe(
      200,
    )
    expect(await shelved()).toBe(0)
    expect(await me(person)).toMatchObject({ roles: [], user: { auditStatus: 6 } })
    expect((await person.call(listOwnMessages, {})).data.rows[0]?.content).toContain('证照系伪造')
  })
})

describe('[S2.13] lessee and project department', () => {
  test('a passed lessee has its organisation and administers it; a colleague of the same code is no second administrator', async () => {
    const [first, second] = [await newcomer(), await newcomer()]
    for (const [index, person] of [first, second].entries()) {
      const { data } = await person.call(contract.submitLease, {
        body: { form: lease(20), documents: await papers(person, ['license', 'authorization']) },
      })
      const seen = await review(cast.operator, data.id)
      expect(seen.checks.find(({ kind }) => kind === 'duplicateCompany')?.result).toBe(index === 0 ? 'good' : 'look')
      await cast.operator.call(contract.passCertification, { params: { id: data.id }, body: { version: seen.version } })
    }
    const [a, b] = [await me(first), await me(second)]
    expect(a).toMatchObject({ roles: ['leaseholder'], user: { isAdmin: true, userType: '2', certSign: 2 } })
    expect(b).toMatchObject({ roles: ['leaseholder'], user: { isAdmin: false, companyId: a.user.companyId, deptId: a.user.deptId } })
    expect((await second.call(contract.listCertifications, {})).code).toBe(403)
  })

  test('a project department is judged by the administrator of the certified unit above, not by the operator', async () => {
    await db.updateTable('company').set({ lesseeAudit: '2', isLessee: true }).where('id', '=', cast.lessee.companyId).execute()
    const person = await newcomer()
    const { data: units } = await person.call(contract.listParentUnits, { query: { keyword: '华拓建设集团有限公司' } })
    expect(units.map(({ deptName }) => deptName)).toEqual(['华拓建设集团', '第三工程公司'])
    expect((await person.call(contract.listParentUnits, { query: { keyword: '华拓建设' } })).data).toEqual([])
    const { data, code } = await person.call(contract.submitDept, {
      body: { form: project(), documents: await papers(person, ['appointment']) },
    })
    expect(code).toBe(200)
    const seen = await review(cast.lessee, data.id)
    expect(seen).toMatchObject({
      parentName: '第三工程公司',
      checks: [
        { kind: 'papers', result: 'good' },
        { kind: 'parent', result: 'good' },
      ],
    })
    expect((await cast.lessee.call(listOwnMessages, {})).data.rows[0]?.link).toBe(`/workbench/organization/reviewdetail?id=${data.id}`)
    expect((await cast.lessee.call(getWorkPanel, {})).data.tasks.find(({ kind }) => kind === 'review')?.count).toBe(1)
    // The operator sees it, the unit decides it. Either list of what waits has exactly what its work panel counts.
    expect((await review(cast.operator, data.id)).id).toBe(data.id)
    for (const [who, waits] of [
      [cast.operator, false],
      [cast.lessee, true],
    ] as const) {
      const { data: todo } = await who.call(contract.listCertifications, { query: { todo: '1' } })
      expect(todo.rows.some(({ id }) => id === data.id)).toBe(waits)
      const { rows } = (await who.call(contract.listCertifications, { query: { kind: 'dept' } })).data
      expect(rows.find(({ id }) => id === data.id)?.reviewedBy).toBe('华拓建设集团有限公司')
      expect((await who.call(getWorkPanel, {})).data.tasks.find(({ kind }) => kind === 'review')?.count ?? 0).toBe(todo.total)
    }
    expect((await cast.operator.call(contract.passCertification, { params: { id: data.id }, body: { version: seen.version } })).code).toBe(
      404,
    )
    expect((await cast.lessee.call(contract.passCertification, { params: { id: data.id }, body: { version: seen.version } })).code).toBe(
      200,
    )
    expect(await me(person)).toMatchObject({
      roles: ['projectUser'],
      user: {
        userType: '3',
        certSign: 3,
        isAdmin: false,
        name: '周样本',
        companyId: cast.lessee.companyId,
        dept: { deptName: '岷江大桥新建工程', leader: '吴样本' },
      },
    })
  })

  test('without a certified unit above the operator decides, and the company is made uncertified', async () => {
    const person = await newcomer()
    const form = project({
      parentDeptId: null,
      parentName: '外地施工有限公司',
      parentCreditCode: codeOf(77),
      projectName: '外地项目经理部',
    })
    const { data } = await person.call(contract.submitDept, { body: { form, documents: await papers(person, ['winningNotice']) } })
    const seen = await review(cast.operator, data.id)
    expect(seen.checks.find(({ kind }) => kind === 'parent')).toEqual({ kind: 'parent', result: 'look', detail: '外地施工有限公司' })
    expect((await cast.operator.call(contract.passCertification, { params: { id: data.id }, body: { version: seen.version } })).code).toBe(
      200,
    )
    expect((await me(person)).roles).toEqual(['projectUser'])
    const made = await db
      .selectFrom('company')
      .where('creditCode', '=', codeOf(77))
      .select(['isLessee', 'lesseeAudit'])
      .executeTakeFirstOrThrow()
    expect(made).toEqual({ isLessee: true, lesseeAudit: '0' })
    const missing = await person.call(contract.submitDept, {
      body: { form: project({ parentDeptId: null, parentName: '', parentCreditCode: '' }), documents: [] },
    })
    expect((missing.raw.data as { errors: { field: string }[] }).errors.map(({ field }) => field)).toEqual([
      'form.parentName',
      'form.parentCreditCode',
    ])
  })
})

describe('a project that is handed in again under another unit', () => {
  const { companyId } = cast.lessee
  let members = 0
  /** Somebody who works for a project department of the group, as its administrator added them. */
  async function member(deptId: number): Promise<Person> {
    const person = await world.givenPerson({ userType: '3', certSign: 3, deptId, companyId }, `member${++members}`)
    await db.insertInto('accountDept').values({ accountId: person.id, deptId }).execute()
    return person
  }
  const placeOf = (deptId: number) =>
    db.selectFrom('dept').where('id', '=', deptId).select(['parentId', 'ancestors', 'companyId', 'deptName']).executeTakeFirstOrThrow()
  const deptsOf = async (person: Person) =>
    (await db.selectFrom('accountDept').where('accountId', '=', person.id).orderBy('deptId').select('deptId').execute()).map(
      (row) => row.deptId,
    )
  async function handIn(person: Person, more: object): Promise<number> {
    const { data, code } = await person.call(contract.submitDept, {
      body: { form: project(more), documents: await papers(person, ['appointment', 'winningNotice']) },
    })
    expect(code).toBe(200)
    return data.id
  }
  async function pass(by: Person, id: number): Promise<void> {
    const { version } = await review(by, id)
    expect((await by.call(contract.passCertification, { params: { id }, body: { version } })).code).toBe(200)
  }
  beforeEach(async () => {
    await db
      .updateTable('company')
      .set({ lesseeAudit: '2', isLessee: true })
      .where('id', 'in', [companyId, cast.stranger.companyId])
      .execute()
  })

  test('of another company takes the person there, and leaves the department with its people where it was', async () => {
    const person = await member(depts.projectDept)
    const before = await placeOf(depts.projectDept)
    await pass(cast.strangerAdmin, await handIn(person, { parentDeptId: cast.strangerAdmin.deptId, projectName: '他山隧道' }))
    expect(await placeOf(depts.projectDept)).toEqual(before)
    const { user } = await me(person)
    expect(user).toMatchObject({ companyId: cast.stranger.companyId, dept: { deptName: '他山隧道' } })
    expect(await deptsOf(person)).toEqual([user.deptId])
    // And the way back: what they had in the other company stays there, too.
    const theirs = await placeOf(user.deptId ?? 0)
    await pass(cast.lessee, await handIn(person, { parentDeptId: depts.unit, projectName: '回到三公司' }))
    expect(await placeOf(user.deptId ?? 0)).toEqual(theirs)
    expect((await me(person)).user).toMatchObject({ companyId, dept: { deptName: '回到三公司' } })
  })

  test('of a company that is not here does the same where the operator decides', async () => {
    const person = await member(depts.projectDept)
    const before = await placeOf(depts.projectDept)
    const parent = { parentDeptId: null, parentName: '远方施工有限公司', parentCreditCode: codeOf(78) }
    await pass(cast.operator, await handIn(person, { ...parent, projectName: '远方项目经理部' }))
    expect(await placeOf(depts.projectDept)).toEqual(before)
    expect(await deptsOf(person)).toEqual([(await me(person)).user.deptId])
  })

  test('is moved within a company only by an administrator of both places', async () => {
    // An administrator of the unit sees nothing beside it.
    const unitAdmin = await world.givenPerson({ userType: '2', certSign: 2, isAdmin: true, deptId: depts.unit, companyId }, 'unitadmin')
    const person = await member(depts.otherDept)
    const before = await placeOf(depts.otherDept)
    await pass(unitAdmin, await handIn(person, { projectName: '南湖二期' }))
    expect(await placeOf(depts.otherDept)).toEqual(before)
    const other = await member(depts.otherDept)
    await pass(cast.lessee, await handIn(other, { projectName: '南湖三期' }))
    expect(await placeOf(depts.otherDept)).toMatchObject({ parentId: depts.unit, deptName: '南湖三期' })
    // Under the same unit it is changed as ever.
    await pass(cast.lessee, await handIn(other, { projectName: '南湖四期' }))
    expect(await placeOf(depts.otherDept)).toMatchObject({ parentId: depts.unit, deptName: '南湖四期' })
    expect(await deptsOf(other)).toEqual([depts.otherDept])
  })
})
