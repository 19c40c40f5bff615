import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, dayOf } from '#shared/calendar.ts'
import * as contract from '#shared/certification/contract.ts'
import { certificationStatus } from '#shared/certification/rules.ts'
import { listPublicEquipment } from '#shared/equipment/contract.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { en } from '#shared/text/en.ts'
import { zhCn, type Text } from '#shared/text/zh-cn.ts'
import { applicants, idCard } from '#test/applicants.ts'
import { inTransaction, whileChanging, whileHeld } from '#test/held-rows.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { insertSession } from '../account/sessions.ts'
import type { Tx } from '../db/connect.ts'
import { remindOfPapers } from './expiry.ts'
import { daily } from '#test/daily.ts'

const world = await openWorld()
const { db, cast, clock } = world
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const today = dayOf(monday)
const { newcomer, rentout, lease, project, papers, mine, me, review } = applicants(world)

describe('an application', () => {
  test('that is in review is neither replaced by a draft nor handed in again, and taken back by its applicant alone', async () => {
    const person = await newcomer()
    const body = { form: rentout(41), documents: await papers(person, idCard) }
    const { data } = await person.call(contract.submitRentout, { body })
    const draft = { kind: 'rentout', form: { enterpriseName: '换了名字的公司' }, documents: [] } as const
    expect((await person.call(contract.saveCertificationDraft, { body: draft })).code).toBe(409)
    expect((await person.call(contract.submitRentout, { body })).code).toBe(409)
    const withdraw = async (who: Person) => (await who.call(contract.withdrawCertification, { params: { id: data.id } })).code
    expect([await withdraw(await newcomer()), await withdraw(cast.operator)]).toEqual([404, 404])
    expect((await review(cast.operator, data.id)).form).toMatchObject({ enterpriseName: rentout(41).enterpriseName })
    expect(await withdraw(person)).toBe(200)
  })

  test('has no paper whose last day is over, and no file of somebody else, also as a draft', async () => {
    const person = await newcomer()
    const dated = { safetyPermit: addDays(today, -1), erectionQualification: today }
    const documents = await papers(person, [...idCard, 'safetyPermit', 'erectionQualification'], dated)
    const form = rentout(42, { ownErection: true })
    const late = await person.call(contract.submitRentout, { body: { form, documents } })
    expect([late.code, refusedFields(late.data)]).toEqual([422, ['documents.safetyPermit']])
    const foreign = { kind: 'rentout', form, documents: await papers(cast.lessor2, ['license']) } as const
    const drafted = await person.call(contract.saveCertificationDraft, { body: foreign })
    expect([drafted.code, refusedFields(drafted.data)]).toEqual([422, ['documents.license']])
    expect(await mine(person)).toEqual([])
  })

  test('names to its reviewer the papers that are over, in the language of the reviewer', async () => {
    const person = await newcomer()
    const { data } = await person.call(contract.submitRentout, { body: { form: rentout(44), documents: await papers(person, idCard) } })
    const over = db
      .updateTable('certificationDocument')
      .set({ validTo: addDays(today, -1) })
      .where('certificationId', '=', data.id)
    await over.where('kind', 'in', ['license', 'legalIdFront']).execute()
    const detailFor = async (call: Person['call']) =>
      (await call(contract.getCertification, { params: { id: data.id } })).data.checks.find(({ kind }) => kind === 'papers')?.detail
    const named = ({ certification: { documents } }: Text, between: string) => `${documents.license}${between}${documents.legalIdFront}`
    expect(await detailFor(cast.operator.call)).toBe(named(zhCn, '、'))
    expect(await detailFor(world.caller(cast.operator.token, 'en-US'))).toBe(named(en, ', '))
  })

  test('is of one kind, also where somebody hands in two at the same moment', async () => {
    const person = await newcomer()
    const forms = [
      { documents: await papers(person, idCard), form: rentout(45) },
      { documents: await papers(person, ['license', 'authorization']), form: lease(46) },
    ] as const
    const answers = await whileHeld<{ code: number; msg: string }>(db, 'account', [
      () => person.call(contract.submitRentout, { body: forms[0] }),
      () => person.call(contract.submitLease, { body: forms[1] }),
    ])
    expect(answers.map(({ msg }) => msg)).toEqual(['操作成功', zhCn.refusal.certification_other_kind])
  })

  test('is of the kind that somebody has through their company, and of a project below a unit', async () => {
    const { companyId } = cast.lessor2
    const colleague = await world.givenPerson({ userType: '4', companyId, certSign: 1 }, 'colleague')
    const documents = await papers(colleague, ['license', 'authorization'])
    const other = await colleague.call(contract.submitLease, { body: { form: lease(43), documents } })
    expect(other.msg).toBe(zhCn.refusal.certification_other_kind)
    const person = await newcomer()
    const form = project({ parentDeptId: world.depts.strangerDept })
    const below = await person.call(contract.submitDept, { body: { form, documents: await papers(person, ['appointment', 'sealRecord']) } })
    expect([below.code, refusedFields(below.data)]).toEqual([422, ['form.parentDeptId']])
  })
})

describe('validity', () => {
  const moveTo = async (days: number) => {
    clock.set(new Date(monday.getTime() + days * 86_400_000))
    await daily(world.services)
  }
  /** Somebody who has passed for the company, with a licence that is valid for so many days; null: without an end. */
  async function givenLessor(company: number, days: number | null) {
    const person = await newcomer()
    const form = rentout(company, { licenseValidTo: days === null ? '' : addDays(today, days) })
    const { data } = await person.call(contract.submitRentout, { body: { form, documents: await papers(person, idCard) } })
    const { version } = await review(cast.operator, data.id)
    await cast.operator.call(contract.passCertification, { params: { id: data.id }, body: { version } })
    return person
  }
  const standing = async (person: Person) => [(await mine(person))[0]?.status, (await me(person)).roles]
  const heard = async (person: Person) =>
    (await person.call(listOwnMessages, {})).data.rows.find((row) => row.title === '认证已过期')?.content
  /** Hands in a renewal on the last day but one of a certification that is valid for ten. */
  async function renew(person: Person, company: number): Promise<void> {
    clock.set(new Date(monday.getTime() + 9 * 86_400_000))
    const form = rentout(company, { licenseValidTo: addDays(today, 400) })
    const body = { form, documents: await papers(person, idCard) }
    expect((await person.call(contract.submitRentout, { body })).code).toBe(200)
    expect(await standing(person)).toEqual(['5', ['leaser']])
  }
  const idOf = async (person: Person) => (await mine(person))[0]?.id ?? 0
  const withdraw = async (person: Person) =>
    (await person.call(contract.withdrawCertification, { params: { id: await idOf(person) } })).code

  test('somebody whose certification is revoked while another one is reminded is not reminded of it', async () => {
    const [first, second] = [await givenLessor(35, 6), await givenLessor(36, 7)]
    const revoking = {
      begin: (tx: Tx) => tx.selectFrom('account').where('id', '=', first.id).forUpdate().select('id').execute(),
      end: (tx: Tx) =>
        tx.updateTable('certification').set({ status: certificationStatus.revoked }).where('accountId', '=', second.id).execute(),
    }
    await whileChanging(db, revoking, [() => remindOfPapers(world.services)])
    const reminded = db.selectFrom('message').where('kind', '=', 'certificationExpiring').where('accountId', 'in', [first.id, second.id])
    expect(await reminded.select('accountId').execute()).toEqual([{ accountId: first.id }])
  })

  test('a certification that has run out ends nothing while a colleague’s keeps the company certified', async () => {
    const later = await givenLessor(31, 20)
    const first = await givenLessor(31, 10)
    const companyId = (await me(first)).user.companyId ?? 0
    await world.givenMachine(companyId)
    const company = () =>
      db.selectFrom('company').where('id', '=', companyId).select(['lessorAudit', 'lessorValidTo']).executeTakeFirstOrThrow()
    const shelved = async () => (await cast.visitor.call(listPublicEquipment, { query: { companyId } })).data.total
    await moveTo(11)
    expect([await standing(first), await standing(later)]).toEqual([
      ['4', ['leaser']],
      ['2', ['leaser']],
    ])
    expect(await company()).toEqual({ lessorAudit: '2', lessorValidTo: addDays(today, 20) })
    expect(await shelved()).toBe(1)
    expect(await heard(first)).toContain('同事的认证使企业认证继续有效')
    await moveTo(21)
    expect([await standing(first), await standing(later)]).toEqual([
      ['4', []],
      ['4', []],
    ])
    expect((await company()).lessorAudit).toBe('4')
    expect(await shelved()).toBe(0)
    expect(await heard(later)).toContain('认证失效')
  })

  test('a renewal that waits at the end goes on as an application, that of a colleague as well, and restores nothing unless it passes', async () => {
    const [first, second, idle] = [await givenLessor(37, 10), await givenLessor(37, 10), await givenLessor(37, 10)]
    await renew(first, 37)
    await renew(second, 37)
    await moveTo(11)
    expect([await standing(first), await standing(second), await standing(idle)]).toEqual([
      ['1', []],
      ['1', []],
      ['4', []],
    ])
    for (const person of [first, second]) expect(await heard(person)).toContain('您提交的资料仍在审核')
    expect(await heard(idle)).toContain('请更新后重新提交')
    const ids = [await idOf(first), await idOf(second)]
    const { rows } = (await cast.operator.call(contract.listCertifications, { query: { todo: '1', pageSize: 100 } })).data
    expect(rows.map((row) => row.id)).toEqual(expect.arrayContaining(ids))
    expect(await withdraw(second)).toBe(200)
    const params = { id: ids[0] ?? 0 }
    const { version, form } = await review(cast.operator, params.id)
    expect(form).toMatchObject({ licenseValidTo: addDays(today, 400) })
    expect((await cast.operator.call(contract.passCertification, { params, body: { version } })).code).toBe(200)
    expect([await standing(first), await standing(second), await standing(idle)]).toEqual([
      ['2', ['leaser']],
      ['0', []],
      ['4', []],
    ])
  })

  test('whoever has a renewal in review keeps the role as long as a colleague’s certification keeps the company certified', async () => {
    const [later, first] = [await givenLessor(38, 20), await givenLessor(38, 10)]
    await renew(first, 38)
    await moveTo(11)
    expect(await standing(first)).toEqual(['1', ['leaser']])
    expect(await heard(first)).toContain('同事的认证使企业认证继续有效，您提交的更新仍在审核')
    expect([await withdraw(first), await standing(first)]).toEqual([200, ['0', ['leaser']]])
    await moveTo(21)
    expect([await standing(first), await standing(later)]).toEqual([
      ['0', []],
      ['4', []],
    ])
  })

  test('a certification with a paper that ended while it waited is not passed; it is sent back', async () => {
    const person = await newcomer()
    const given = async (form: object, dated: object) => {
      clock.set(monday)
      const documents = await papers(person, [...idCard, 'safetyPermit', 'erectionQualification'], dated)
      return (await person.call(contract.submitRentout, { body: { form, documents } })).data.id
    }
    const pass = async (id: number) => {
      const { version } = await review(cast.operator, id)
      return cast.operator.call(contract.passCertification, { params: { id }, body: { version } })
    }
    const own = { ownErection: true }
    for (const [form, dated] of [
      [rentout(36, own), { safetyPermit: today }],
      [rentout(36, { ...own, licenseValidTo: today }), {}],
    ] as const) {
      const id = await given(form, dated)
      clock.set(new Date(monday.getTime() + 86_400_000))
      expect((await pass(id)).msg).toBe(zhCn.refusal.certification_ended)
      expect(await standing(person)).toEqual(['1', []])
      const back = { version: (await review(cast.operator, id)).version, reason: '证照已过期', fields: [], documents: [] }
      expect((await cast.operator.call(contract.rejectCertification, { params: { id }, body: back })).code).toBe(200)
    }
    expect((await pass(await given(rentout(36, own), { safetyPermit: today }))).code).toBe(200)
  })

  test('a lessor is certified until the last day of its certifications in force, whichever was passed last', async () => {
    const certifiedUntil = async (person: Person) =>
      (
        await db
          .selectFrom('company')
          .where('id', '=', (await me(person)).user.companyId)
          .select('lessorValidTo')
          .executeTakeFirstOrThrow()
      ).lessorValidTo
    expect(await certifiedUntil(await givenLessor(33, 10))).toBe(addDays(today, 10))
    expect(await certifiedUntil(await givenLessor(33, 20))).toBe(addDays(today, 20))
    expect(await certifiedUntil(await givenLessor(33, 15))).toBe(addDays(today, 20))
    expect(await certifiedUntil(await givenLessor(33, null))).toBeNull()
    expect(await certifiedUntil(await givenLessor(33, 30))).toBeNull()
  })

  test('a pass waits for nobody who only adds something to the company, and holds nobody up who does', async () => {
    const first = await givenLessor(35, 10)
    const companyId = (await me(first)).user.companyId ?? 0
    const renewed = await inTransaction(db, async (tx) => {
      // As the key of a machine that is added does.
      await tx.selectFrom('company').where('id', '=', companyId).forKeyShare().select('id').execute()
      return givenLessor(35, 20)
    })
    expect(await standing(renewed)).toEqual(['2', ['leaser']])
  })

  test('the certifications of colleagues that run out on one day say so in their histories', async () => {
    const people = [await givenLessor(34, 10), await givenLessor(34, 10)]
    await moveTo(11)
    for (const person of people)
      expect((await mine(person))[0]?.events.at(-1)).toMatchObject({ action: 'expire', note: addDays(today, 10) })
  })

  test('the administrators are reminded of the documents of somebody who has left', async () => {
    const leaver = await givenLessor(32, 7)
    const companyId = (await me(leaver)).user.companyId ?? 0
    const admin = await world.givenPerson({ userType: '4', certSign: 1, isAdmin: true, companyId }, 'papersadmin')
    await db.updateTable('account').set({ delFlag: '2', status: '1' }).where('id', '=', leaver.id).execute()
    await moveTo(0)
    const { rows } = (await admin.call(listOwnMessages, { query: { systemSubject: '证照到期提醒' } })).data
    expect(rows.map(({ title }) => title)).toEqual(['营业执照将到期'])
  })

  test('reminders at 90, 60, 30, 7 and 0 days, each once; the day after, the role ends', async () => {
    const person = await newcomer()
    const validTo = addDays(today, 100)
    const documents = await papers(person, [...idCard, 'safetyPermit', 'erectionQualification'], { safetyPermit: validTo })
    const { data } = await person.call(contract.submitRentout, { body: { form: rentout(30, { ownErection: true }), documents } })
    await cast.operator.call(contract.passCertification, {
      params: { id: data.id },
      body: { version: (await review(cast.operator, data.id)).version },
    })
    expect((await mine(person))[0]?.validTo).toBe(validTo)
    const told: number[] = []
    // The days around each reminder, and every seventh in between.
    const days = Array.from({ length: 102 }, (_, n) => n).filter(
      (n) => n % 7 === 0 || n > 98 || [90, 60, 30, 7].some((left) => Math.abs(100 - n - left) <= 1),
    )
    for (const day of days) {
      clock.set(new Date(monday.getTime() + day * 86_400_000))
      await daily(world.services)
      await daily(world.services)
      const { rows } = (await person.call(listOwnMessages, { query: { systemSubject: '证照到期提醒', pageSize: 100 } })).data
      if (rows.length > told.length) told.push(100 - day)
    }
    expect(told).toEqual([90, 60, 30, 7, 0])
    expect((await mine(person))[0]?.status).toBe('4')
    expect(await me(person)).toMatchObject({ roles: [], user: { auditStatus: 4 } })
    expect((await person.call(listOwnMessages, { query: { systemSubject: '企业认证审核通知' } })).data.rows[0]?.title).toBe('认证已过期')
    // Renewed papers bring it back.
    const operator = world.caller(await insertSession({ db, now: clock.now(), address: '', agent: '' }, { accountId: cast.operator.id }))
    const renewed = await papers(person, [...idCard, 'safetyPermit', 'erectionQualification'], { safetyPermit: addDays(today, 900) })
    const again = await person.call(contract.submitRentout, { body: { form: rentout(30, { ownErection: true }), documents: renewed } })
    expect(again.code).toBe(200)
    await operator(contract.passCertification, {
      params: { id: data.id },
      body: { version: (await operator(contract.getCertification, { params: { id: data.id } })).data.version },
    })
    expect((await me(person)).roles).toEqual(['leaser'])
  })
})
