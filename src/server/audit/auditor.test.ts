import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { getAudit, listAudit, verifyAudit } from '#shared/audit/contract.ts'
import { maskPhone } from '#shared/account/rules.ts'
import { editBlacklist, proposeBlacklist } from '#shared/blacklist/contract.ts'
import { deleteCeiling, saveCeiling } from '#shared/ceiling/contract.ts'
import { passCertification, submitLease } from '#shared/certification/contract.ts'
import { lockCompany, unlockCompany } from '#shared/company/manage.ts'
import { givenFile } from '#test/given-file.ts'
import { inTransaction } from '#test/held-rows.ts'
import { applicants } from '#test/applicants.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { erase } from '../account/cancellation.ts'
import { transact } from '../deed.ts'
import { audited } from './log.ts'
import { verifyAuditChain, verifyInTurn } from './queries.ts'

const world = await openWorld()
const { db, cast, depts } = world
afterAll(() => world.close())

const about = async (who: Person, bizType: 'blacklist' | 'priceCeiling', id: number) =>
  (await who.call(listAudit, { query: { bizType, bizId: String(id), sort: 'at' } })).data.rows
const lastSeq = async () =>
  (
    await db
      .selectFrom('auditLog')
      .select((eb) => eb.fn.max('seq').as('seq'))
      .executeTakeFirstOrThrow()
  ).seq

test('the auditor of whoever proposes a restriction reads its entries, and the auditor of the restricted company does not', async () => {
  // The second group lets machines as well.
  await db.updateTable('company').set({ isLessor: true }).where('id', '=', cast.otherAuditor.companyId).execute()
  const body = {
    companyId: cast.otherAuditor.companyId,
    level: 1,
    scopeDeptId: depts.projectDept,
    reasonCode: 'quit',
    facts: '中标后拒绝进场'.repeat(10),
    fromDay: '2026-11-23',
    toDay: '2027-11-23',
    evidenceIds: [await givenFile(world, cast.project)],
  } as const
  const { id } = (await cast.project.call(proposeBlacklist, { body })).data
  expect((await cast.project.call(editBlacklist, { body: { ...body, id, version: 1, reasonCode: 'other' } })).code).toBe(200)
  expect((await about(cast.auditor, 'blacklist', id)).map(({ action, who }) => [action, who])).toEqual([
    ['blacklist.propose', 'project'],
    ['blacklist.edit', 'project'],
  ])
  expect(await about(cast.otherAuditor, 'blacklist', id)).toEqual([])

  // As entries were filed before: under the restricted company.
  const older = { at: monday, who: 'project', action: 'blacklist.propose', bizType: 'blacklist', bizId: String(id) } as const
  await db
    .insertInto('auditLog')
    .values({ ...older, companyId: cast.otherAuditor.companyId })
    .execute()
  expect(await about(cast.otherAuditor, 'blacklist', id)).toEqual([])
  expect((await cast.otherAuditor.call(getAudit, { params: { seq: await lastSeq() } })).code).toBe(404)
  expect(await about(cast.operator, 'blacklist', id)).toHaveLength(3)
})

test('each change of a price ceiling is logged for the auditor of the organisation, and the platform does not read it', async () => {
  const ceiling = { deptId: depts.root, categoryId: 106, price: 18_000, fromDay: '2026-01-01' }
  const { id } = (await cast.lessee.call(saveCeiling, { body: ceiling })).data
  expect((await cast.lessee.call(saveCeiling, { body: { ...ceiling, id, version: 1, price: 17_000 } })).code).toBe(200)
  expect((await cast.strangerAdmin.call(deleteCeiling, { params: { id } })).code).toBe(404)
  expect((await cast.lessee.call(deleteCeiling, { params: { id } })).code).toBe(200)
  const entries = await about(cast.auditor, 'priceCeiling', id)
  expect(entries.map(({ action, who }) => [action, who])).toEqual([
    ['ceiling.save', 'lessee'],
    ['ceiling.save', 'lessee'],
    ['ceiling.delete', 'lessee'],
  ])
  const values = await Promise.all(entries.map(async ({ seq }) => (await cast.auditor.call(getAudit, { params: { seq } })).data))
  const { price_fen: _, ...added } = values[0]?.after ?? {}
  expect(values).toMatchObject([
    { before: null, after: { price_fen: 1_800_000, category_id: 106, dept_id: depts.root } },
    { before: { price_fen: 1_800_000 }, after: { price_fen: 1_700_000 } },
    { before: { ...added, price_fen: 1_700_000 }, after: null },
  ])
  for (const who of [cast.operator, cast.otherAuditor]) {
    expect(await about(who, 'priceCeiling', id)).toEqual([])
    expect((await who.call(getAudit, { params: { seq: entries[0]?.seq } })).code).toBe(404)
  }
})

test('a change that is several actions has an entry of each, with the same values', async () => {
  const { id } = cast.driver
  await transact(world.services, { now: monday }, (work) =>
    audited(work, { command: 'start' }, { action: ['account.driver', 'account.phone'], bizType: 'account', id }, () =>
      work.db.updateTable('account').set({ nickName: '小王' }).where('id', '=', id).execute(),
    ),
  )
  const entries = db.selectFrom('auditLog').where('bizType', '=', 'account').where('bizId', '=', String(id)).orderBy('seq')
  const values = { before: { nick_name: '***' }, after: { nick_name: '***' }, companyId: cast.driver.companyId }
  expect(await entries.selectAll().execute()).toMatchObject([
    { action: 'account.driver', ...values },
    { action: 'account.phone', ...values },
  ])
})

test('a long log is counted up to a bound, and its chain is verified portion by portion', async () => {
  await sql`insert into audit_log (at, who, action, biz_type, biz_id)
    select ${monday}::timestamptz, 'operator', 'article.edit', 'article', n::text from generate_series(1, 10050) n`.execute(db)
  expect((await cast.operator.call(listAudit, { query: { bizType: 'article' } })).data).toMatchObject({ total: 10_000 })
  let statements = 0
  const counting = db.withPlugin({
    transformQuery: ({ node }) => {
      statements++
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  })
  const entries = await lastSeq()
  const whole = await verifyAuditChain(db, 1_000_000)
  expect(whole).toMatchObject({ entries, broken: null })
  expect(await verifyAuditChain(counting, 1000)).toEqual(whole)
  expect(statements).toBe(Math.ceil(entries / 1000) + 1)
  // The first entries of a portion.
  for (const [change, seq] of [
    ['delete from audit_log where seq = 3001', 3002],
    [`update audit_log set reason = '改过' where seq = 2001`, 2001],
  ] as const) {
    await inTransaction(db, async (tx) => {
      await sql`alter table audit_log disable trigger audit_log_kept`.execute(tx)
      await sql.raw(change).execute(tx)
    })
    expect((await verifyAuditChain(db, 1000)).broken).toMatchObject({ seq })
  }
})

test('however many ask, one verification at a time reads the log, and nobody asks on and on', async () => {
  let [running, most] = [0, 0]
  const counting = db.withPlugin({
    transformQuery: ({ node }) => {
      running++
      most = Math.max(most, running)
      return node
    },
    transformResult: ({ result }) => {
      running--
      return Promise.resolve(result)
    },
  })
  const { answerCache } = world.services
  const askers = [cast.auditor, cast.otherAuditor, cast.operator].map(({ id }) => ({ accountId: id }))
  const answers = await Promise.all(askers.map((actor) => verifyInTurn({ db: counting, actor, answerCache })))
  expect(new Set(answers.map(({ head }) => head)).size).toBe(1)
  expect(most).toBe(1)
  const codes = []
  for (let n = 0; n < 11; n++) codes.push((await cast.otherAuditor.call(verifyAudit, {})).code)
  expect([codes.slice(0, 10).every((code) => code === 200), codes[10]]).toEqual([true, 429])
})

test('numbers that a form names are masked in the log, and the names of people, which stand nowhere in it once they are erased', async () => {
  const { newcomer, lease, papers } = applicants(world)
  const person = await newcomer()
  const documents = await papers(person, ['license', 'authorization'])
  const form = lease(20, { invoiceBank: '建设银行', invoiceAccount: '6222020200001234567', contactPhone: '028-85001111' })
  const { id } = (await person.call(submitLease, { body: { form, documents } })).data
  expect((await cast.operator.call(passCertification, { params: { id }, body: { version: 1 } })).code).toBe(200)
  const { after } = (await cast.operator.call(getAudit, { params: { seq: await lastSeq() } })).data
  expect(after).toMatchObject({
    passed_form: { form: { invoiceAccount: '622****4567', contactPhone: '028****1111', legalPersonPhone: '144****1111' } },
  })
  expect(after).toMatchObject({ passed_form: { form: { contactName: '***', enterpriseName: form.enterpriseName } } })
  await transact(world.services, { now: monday }, (work) =>
    audited(work, { command: 'start' }, { action: 'account.phone', bizType: 'account', id: person.id }, () =>
      work.db.updateTable('account').set({ name: '陈改名', nickName: '陈改名' }).where('id', '=', person.id).execute(),
    ),
  )
  expect((await cast.operator.call(getAudit, { params: { seq: await lastSeq() } })).data.after).toEqual({ name: '***', nick_name: '***' })
  await inTransaction(db, (tx) => erase({ db: tx, secret: world.services.secret, now: monday }, person.id))
  const { rows } = await sql`select seq from audit_log where concat(before, after) ~ ${`陈改名|${form.contactName}`}`.execute(db)
  expect(rows).toEqual([])
  expect(['0755-8765432-12', '02887654321', '400-123-4567', ''].map(maskPhone)).toEqual(['075****2-12', '028****4321', '400****4567', ''])
})

test('a number that somebody types into a reason stands nowhere in the log, neither before nor after, nor does the name of a restricted person', async () => {
  const from = await lastSeq()
  const { companyId } = cast.lessor2
  const reason = '王工 13912345678 举报'
  const masked = '王工 139****5678 举报'
  const entry = async () => (await cast.operator.call(getAudit, { params: { seq: await lastSeq() } })).data
  expect((await cast.operator.call(lockCompany, { params: { id: companyId }, body: { reason } })).code).toBe(200)
  expect(await entry()).toMatchObject({ reason: masked, after: { lock_reason: masked } })
  expect((await cast.operator.call(unlockCompany, { params: { id: companyId }, body: { reason } })).code).toBe(200)
  expect(await entry()).toMatchObject({ reason: masked, before: { lock_reason: masked } })
  const body = {
    companyId,
    subjectKind: 'person',
    personName: '赵师傅',
    level: 1,
    scopeDeptId: depts.projectDept,
    reasonCode: 'quit',
    facts: `${'中标后拒绝进场'.repeat(10)}，电话 13912345678`,
    fromDay: '2026-11-23',
    toDay: '2027-11-23',
    evidenceIds: [await givenFile(world, cast.project)],
  } as const
  expect((await cast.project.call(proposeBlacklist, { body })).code).toBe(200)
  expect(await entry()).toMatchObject({ after: { person_name: '***', facts: expect.stringMatching(/电话 139\*{4}5678$/) } })
  const { rows } =
    await sql`select seq from audit_log where seq > ${from} and concat(before, after, reason) ~ '13912345678|赵师傅'`.execute(db)
  expect(rows).toEqual([])
})
