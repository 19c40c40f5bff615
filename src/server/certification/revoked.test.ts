import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '#shared/certification/contract.ts'
import { certificationStatus } from '#shared/certification/rules.ts'
import { publishDemand } from '#shared/demand/contract.ts'
import { listOwnEquipment } from '#shared/equipment/contract.ts'
import { downloadFile } from '#shared/file/contract.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { getWorkPanel } from '#shared/statistics/panel.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { applicants, idCard } from '#test/applicants.ts'
import { whileChanging } from '#test/held-rows.ts'
import { runMigration } from '#test/run-migration.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { lockAdmins } from '../actor/last-admin.ts'
import type { Tx } from '../db/connect.ts'

const world = await openWorld()
const { db, cast, clock } = world
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const { newcomer, codeOf, rentout, lease, project, papers, me, mine, review } = applicants(world)

const pass = async (by: Person, id: number) =>
  by.call(contract.passCertification, { params: { id }, body: { version: (await review(by, id)).version } })
const revoke = (id: number) => cast.operator.call(contract.revokeCertification, { params: { id }, body: { reason: '证照系伪造' } })
const withdraw = (person: Person, id: number) => person.call(contract.withdrawCertification, { params: { id } })
const applyAsLessor = async (person: Person, company: number) =>
  person.call(contract.submitRentout, { body: { form: rentout(company), documents: await papers(person, idCard) } })
const roles = async (person: Person) => (await me(person)).roles

/** Somebody who has passed as a lessor for the company. */
async function givenLessor(company: number) {
  const person = await newcomer()
  const { data } = await applyAsLessor(person, company)
  await pass(cast.operator, data.id)
  expect(await roles(person)).toEqual(['leaser'])
  return { person, id: data.id }
}

describe('after the company’s certification was revoked nobody has its role by anything that was not reviewed', () => {
  test('a colleague who hands in a change, and takes it back', async () => {
    const [first, colleague] = [await givenLessor(31), await givenLessor(31)]
    await revoke(first.id)
    expect([await roles(first.person), await roles(colleague.person)]).toEqual([[], []])
    for (const { person } of [first, colleague])
      expect((await mine(person))[0]?.events.at(-1)).toMatchObject({ action: 'revoke', note: '证照系伪造' })
    await applyAsLessor(colleague.person, 31)
    expect(await roles(colleague.person)).toEqual([])
    expect((await colleague.person.call(listOwnEquipment, {})).code).toBe(403)
    await withdraw(colleague.person, colleague.id)
    expect(await roles(colleague.person)).toEqual([])
  })

  test('a colleague whose change was in review, and who takes it back', async () => {
    const [first, colleague] = [await givenLessor(32), await givenLessor(32)]
    await applyAsLessor(colleague.person, 32)
    expect(await roles(colleague.person)).toEqual(['leaser'])
    await revoke(first.id)
    expect((await withdraw(colleague.person, colleague.id)).code).toBe(409)
    expect(await roles(colleague.person)).toEqual([])
  })

  test('a colleague whose certification is decided at this moment: the end waits, and does not hold the company meanwhile', async () => {
    const [first, colleague] = [await givenLessor(40), await givenLessor(40)]
    const { companyId } = (await me(first.person)).user
    const review = {
      begin: (tx: Tx) => tx.selectFrom('certification').where('id', '=', colleague.id).forUpdate().select('id').execute(),
      end: (tx: Tx) => tx.selectFrom('company').where('id', '=', companyId).forNoKeyUpdate().noWait().select('id').execute(),
    }
    const [ended] = await whileChanging(db, review, [() => revoke(first.id)])
    expect([ended?.code, await roles(colleague.person)]).toEqual([200, []])
  })

  test('a colleague whose certification is ended at this moment: whoever ends the other waits, and does not hold that one meanwhile', async () => {
    const [first, colleague] = [await givenLessor(41), await givenLessor(41)]
    const certification = (tx: Tx, id: number) => tx.selectFrom('certification').where('id', '=', id).forUpdate().noWait().select('id')
    const ending = {
      begin: (tx: Tx) => certification(tx, first.id).execute(),
      end: (tx: Tx) => certification(tx, colleague.id).execute(),
    }
    const [ended] = await whileChanging(db, ending, [() => revoke(colleague.id)])
    expect([ended?.code, await roles(first.person)]).toEqual([200, []])
  })

  test('whoever passes while the administrators of the place change waits, and does not hold the certification meanwhile', async () => {
    const person = await newcomer()
    const { data } = await applyAsLessor(person, 42)
    const account = await db.selectFrom('account').where('id', '=', person.id).select(['userType', 'companyId']).executeTakeFirstOrThrow()
    const leaving = {
      begin: (tx: Tx) => lockAdmins(tx, account),
      end: (tx: Tx) => tx.selectFrom('certification').where('id', '=', data.id).forUpdate().noWait().select('id').execute(),
    }
    const [passed] = await whileChanging(db, leaving, [() => pass(cast.operator, data.id)])
    expect(passed?.code).toBe(200)
  })

  test('a colleague whose account says that they have passed', async () => {
    const [first, colleague] = [await givenLessor(33), await givenLessor(33)]
    await revoke(first.id)
    await db.updateTable('account').set({ auditStatus: '2' }).where('id', '=', colleague.person.id).execute()
    expect(await roles(colleague.person)).toEqual([])
  })

  test('a review gives the role back', async () => {
    const first = await givenLessor(34)
    await revoke(first.id)
    const { data } = await applyAsLessor(first.person, 34)
    expect(await roles(first.person)).toEqual([])
    await pass(cast.operator, data.id)
    expect(await roles(first.person)).toEqual(['leaser'])
  })

  test('a review gives it back to the colleagues whom an administrator added, too', async () => {
    const first = await givenLessor(36)
    const { companyId } = (await me(first.person)).user
    const added = (userName: string) => world.givenPerson({ userType: '4', certSign: 1, companyId: companyId ?? 0 }, userName)
    const [colleague, applicant] = [await added('added'), await added('applicant')]
    await revoke(first.id)
    for (const person of [colleague, applicant]) {
      expect(await roles(person)).toEqual([])
      expect((await person.call(listOwnMessages, {})).data.rows[0]?.title).toBe('认证已撤销')
    }
    // Meanwhile one of them applies, and takes it back.
    const own = await applyAsLessor(applicant, 36)
    expect(await roles(applicant)).toEqual([])
    await withdraw(applicant, own.data.id)
    expect(await roles(applicant)).toEqual([])
    const { data } = await applyAsLessor(first.person, 36)
    await pass(cast.operator, data.id)
    for (const person of [first.person, colleague, applicant]) expect(await roles(person)).toEqual(['leaser'])
  })

  test('a renewal gives it back to those to whom the end was written before although nothing of theirs was passed, and no record says that it was', async () => {
    const first = await givenLessor(37)
    const companyId = (await me(first.person)).user.companyId ?? 0
    const standing = async (person: Person) => [(await mine(person))[0]?.status, (await me(person)).user.auditStatus]
    const given = async (userName: string, status: '0' | '1' | '2' | '6', reason = '') => {
      const person = await world.givenPerson({ userType: '4', certSign: 1, companyId }, userName)
      const row = { accountId: person.id, kind: 'rentout' as const, name: '', createTime: monday, updateTime: monday }
      await db
        .insertInto('certification')
        .values({ ...row, status, reason })
        .execute()
      await db
        .updateTable('account')
        .set({ auditStatus: status === certificationStatus.passed ? status : certificationStatus.revoked })
        .where('id', '=', person.id)
        .execute()
      return person
    }
    const [drafted, handedIn] = [await given('drafted', '0'), await given('handedin', '6')]
    const [sentBack, withdrawn, waiting] = [
      await given('sentback', '6', '资料不足'),
      await given('withdrawn', '2'),
      await given('stillwaits', '1'),
    ]
    const revoked = await given('revokeditself', '6')
    const { id: revokedId } = (await mine(revoked))[0] ?? { id: 0 }
    await db
      .insertInto('certificationEvent')
      .values({ certificationId: revokedId, accountId: cast.operator.id, action: 'revoke', at: monday })
      .execute()
    expect((await revoke(first.id)).code).toBe(200)
    // The end of colleagues' certifications was no event then.
    const { id: withdrawnId } = (await mine(withdrawn))[0] ?? { id: 0 }
    await db.deleteFrom('certificationEvent').where('certificationId', '=', withdrawnId).execute()
    // Erasure has removed what was passed.
    await db.updateTable('certification').set({ passedForm: null }).where('id', '=', first.id).execute()
    await runMigration(world, '0107_never_passed.sql')
    const after = await Promise.all([drafted, handedIn, sentBack, withdrawn, waiting, revoked, first.person].map(standing))
    expect(after).toEqual([
      ['0', 2],
      ['0', 2],
      ['3', 2],
      ['0', 2],
      ['1', 5],
      ['6', 6],
      ['6', 6],
    ])
    const { data } = await applyAsLessor(first.person, 37)
    await pass(cast.operator, data.id)
    expect(await Promise.all([drafted, withdrawn, revoked].map(roles))).toEqual([['leaser'], ['leaser'], []])
    expect((await applyAsLessor(withdrawn, 37)).code).toBe(200)
    expect([await standing(withdrawn), await roles(withdrawn)]).toEqual([['1', 5], ['leaser']])
  })

  test('the people of its project departments publish nothing more until the organisation is certified again', async () => {
    const head = await newcomer()
    const { data: organisation } = await head.call(contract.submitLease, {
      body: { form: lease(35), documents: await papers(head, ['license', 'authorization']) },
    })
    await pass(cast.operator, organisation.id)
    const { deptId } = (await me(head)).user
    const person = await newcomer()
    const { data: site } = await person.call(contract.submitDept, {
      body: { form: project({ parentDeptId: deptId }), documents: await papers(person, ['appointment']) },
    })
    await pass(head, site.id)
    const { user } = await me(person)
    const publish = () => person.call(publishDemand, { body: world.demandBody({ deptId: user.deptId }) })
    expect((await publish()).code).toBe(200)

    await revoke(organisation.id)
    expect([await roles(person), (await publish()).msg]).toEqual([[], '企业认证未通过或已过期，请在“我的认证”办理'])
    expect((await person.call(listOwnMessages, {})).data.rows[0]?.title).toBe('认证已撤销')

    const again = await head.call(contract.submitLease, {
      body: { form: lease(35), documents: await papers(head, ['license', 'authorization']) },
    })
    await pass(cast.operator, again.data.id)
    expect((await publish()).code).toBe(200)
  })
})

test('a draft after the end is not shown to the reviewers, who read what was passed until it is handed in', async () => {
  const { person, id } = await givenLessor(38)
  await revoke(id)
  const before = await review(cast.operator, id)
  const documents = await papers(person, ['license'])
  const draft = { kind: 'rentout' as const, form: { enterpriseName: '另一家公司' }, documents }
  expect((await person.call(contract.saveCertificationDraft, { body: draft })).data).toMatchObject({ status: '6', form: draft.form })
  const { version: _, ...read } = await review(cast.operator, id)
  expect(read).toEqual({ ...before, version: undefined })
  expect(read.documents.map(({ kind }) => kind)).toEqual(idCard)
  const opens = async ({ fileId }: { fileId: string }) =>
    (await cast.operator.call(downloadFile, { params: { id: fileId } })).bytes.toString() === 'png'
  expect(await Promise.all([...read.documents, ...documents].map(opens))).toEqual([true, true, true, false])
  const { rows } = (await cast.operator.call(contract.listCertifications, { query: { status: '6', keyword: read.name } })).data
  expect(rows.map((row) => row.id)).toEqual([id])
  await applyAsLessor(person, 38)
  expect(await review(cast.operator, id)).toMatchObject({ status: '1', documents: idCard.map((kind) => ({ kind, status: '0' })) })
})

test('what waits for a unit whose certification has ended waits for the operators, and no project names such a unit any more', async () => {
  const head = await newcomer()
  const leasePapers = () => papers(head, ['license', 'authorization'])
  const { data: organisation } = await head.call(contract.submitLease, { body: { form: lease(39), documents: await leasePapers() } })
  await pass(cast.operator, organisation.id)
  const apply = async (person: Person, parent: object) =>
    person.call(contract.submitDept, { body: { form: project(parent), documents: await papers(person, ['appointment']) } })
  const { deptId } = (await me(head)).user
  const { data: site } = await apply(await newcomer(), { parentDeptId: deptId })
  const waits = async (who: Person) => {
    const { total, rows } = (await who.call(contract.listCertifications, { query: { todo: '1' } })).data
    expect((await who.call(getWorkPanel, {})).data.tasks.find(({ kind }) => kind === 'review')?.count ?? 0).toBe(total)
    return rows.some((row) => row.id === site.id)
  }
  expect([await waits(head), await waits(cast.operator)]).toEqual([true, false])
  await revoke(organisation.id)
  expect(await waits(cast.operator)).toBe(true)
  expect((await cast.operator.call(listOwnMessages, {})).data.rows[0]?.link).toBe(`/admin/certification/detail?id=${site.id}`)
  expect((await review(cast.operator, site.id)).checks.find(({ kind }) => kind === 'parent')?.result).toBe('look')

  const typed = { parentDeptId: null, parentName: '失效的集团', parentCreditCode: codeOf(39) }
  const late = await apply(await newcomer(), typed)
  expect(late.raw.data).toEqual({ errors: [{ field: 'form.parentCreditCode', message: zhCn.rule.codes.parent_ended }] })

  // Certified again it decides for itself.
  const again = await head.call(contract.submitLease, { body: { form: lease(39), documents: await leasePapers() } })
  await pass(cast.operator, again.data.id)
  expect([await waits(head), await waits(cast.operator)]).toEqual([true, false])
  // Ended again, it is sent back and not passed, which would give no role.
  await revoke(organisation.id)
  expect(await pass(cast.operator, site.id)).toMatchObject({ code: 409, msg: zhCn.refusal.unit_ended })
  const { version } = await review(cast.operator, site.id)
  const body = { version, reason: '上级单位认证已失效', fields: [], documents: [] }
  expect((await cast.operator.call(contract.rejectCertification, { params: { id: site.id }, body })).code).toBe(200)
  expect((await review(cast.operator, site.id)).status).toBe('3')
})
