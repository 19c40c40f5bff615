import { sql } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import { formOf } from '#shared/certification/contract.ts'
import {
  certificationMoves,
  documentsOf,
  fieldsToMend,
  mayMove,
  missingDocuments,
  signOf,
  type CertificationKind,
} from '#shared/certification/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import type { Actor } from '../actor/actor.ts'
import type { Db, Read } from '../db/connect.ts'
import { FieldRefusal, Refusal } from '../http/refusal.ts'
import type { Hub } from '../message/hub.ts'
import { sendMessages } from '../message/queries.ts'
import { isPlace } from '../region/queries.ts'
import type { Form, Paper } from './queries.ts'

type Problem = { path: (string | number)[]; rule: string }

async function ownFileProblems(db: Read, accountId: number, papers: readonly Paper[], kind: CertificationKind): Promise<Problem[]> {
  if (papers.length === 0) return []
  const own = await db
    .selectFrom('file')
    .where(
      'id',
      'in',
      papers.map(({ fileId }) => fileId),
    )
    .where('accountId', '=', accountId)
    .where((eb) => eb.or([eb('mime', 'like', 'image/%'), eb('mime', '=', 'application/pdf')]))
    .select('id')
    .execute()
  const known = new Set(own.map(({ id }) => id))
  return papers.flatMap((paper) =>
    known.has(paper.fileId) && documentsOf[kind].includes(paper.kind) ? [] : [{ path: ['documents', paper.kind], rule: 'file_unknown' }],
  )
}

const nameOf = (form: Form) => String(form.enterpriseName ?? form.projectName ?? '')

/** An account has one kind: another one that is in review or in force stands in the way. */
async function refuseOtherKind(db: Read, actor: Actor, kind: CertificationKind): Promise<void> {
  if (actor.role !== null && signOf[kind].userType !== actor.userType) throw new Refusal('certification_other_kind')
  const other = await db
    .selectFrom('certification')
    .where('accountId', '=', actor.accountId)
    .where('kind', '<>', kind)
    .where('status', 'in', ['1', '2', '5'])
    .select('id')
    .executeTakeFirst()
  if (other) throw new Refusal('certification_other_kind')
}

const load = (db: Read, accountId: number, kind: CertificationKind) =>
  db
    .selectFrom('certification')
    .where('accountId', '=', accountId)
    .where('kind', '=', kind)
    .forUpdate()
    .select(['id', 'status', 'form', 'fieldReasons'])
    .executeTakeFirst()

async function replacePapers(db: Read, id: number, papers: readonly Paper[], keep: readonly string[]): Promise<void> {
  let old = db.deleteFrom('certificationDocument').where('certificationId', '=', id)
  if (keep.length > 0) old = old.where('kind', 'not in', keep)
  await old.execute()
  const added = papers.filter(({ kind }) => !keep.includes(kind))
  if (added.length > 0)
    await db
      .insertInto('certificationDocument')
      .values(added.map(({ kind, fileId, validTo }) => ({ certificationId: id, kind, fileId, validTo })))
      .execute()
}

/** Keeps what was typed, unchecked, while nothing is in review or in force; after a rejection that too is kept apart from the draft. */
export async function saveDraft(
  db: Db,
  actor: Actor,
  { kind, form, documents }: { kind: CertificationKind; form: Form; documents: readonly Paper[] },
  now: Date,
): Promise<number> {
  await refuseOtherKind(db, actor, kind)
  const problems = await ownFileProblems(db, actor.accountId, documents, kind)
  if (problems.length > 0) throw new FieldRefusal(problems)
  return db.transaction().execute(async (tx) => {
    const found = await load(tx, actor.accountId, kind)
    if (found && !['0', '4', '6'].includes(found.status)) throw new Refusal('certification_changed')
    const values = { form: JSON.stringify(form), name: nameOf(form).slice(0, 100), updateTime: now }
    const { id } = found
      ? await tx.updateTable('certification').set(values).where('id', '=', found.id).returning('id').executeTakeFirstOrThrow()
      : await tx
          .insertInto('certification')
          .values({ ...values, accountId: actor.accountId, kind, createTime: now })
          .returning('id')
          .executeTakeFirstOrThrow()
    await replacePapers(tx, id, documents, [])
    return id
  })
}

/**
 * Hands it in. After a rejection what was accepted stays as it was, whatever is sent; of something in force it becomes a
 * change in review, and what was passed stays valid meanwhile.
 */
export function submitCertification(
  db: Db,
  hub: Hub,
  actor: Actor,
  kind: CertificationKind,
  input: { form: Form; documents: readonly Paper[] },
  now: Date,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await refuseOtherKind(tx, actor, kind)
    const found = await load(tx, actor.accountId, kind)
    const status = found?.status ?? '0'
    // Somebody who was certified before there were applications hands in a change.
    const move = status === '2' || (!found && actor.role !== null) ? 'change' : 'submit'
    if (found && !mayMove(move, status, 'applicant')) throw new Refusal('certification_changed')

    const { form, keep } = await merged(tx, found, input.form)
    const parsed = formOf[kind].safeParse(form)
    if (!parsed.success)
      throw new FieldRefusal(parsed.error.issues.map(({ path, message }) => ({ path: ['form', ...(path as string[])], rule: message })))
    const documents = input.documents.filter((paper) => !keep.includes(paper.kind))
    await refuseBadPapers(tx, actor, kind, parsed.data, documents, keep, now)

    const parentDeptId = kind === 'dept' ? await parentOf(tx, parsed.data) : null
    const values = {
      status: certificationMoves[move].to,
      form: JSON.stringify(parsed.data),
      name: nameOf(parsed.data),
      reason: '',
      fieldReasons: '[]',
      parentDeptId,
      submittedAt: now,
      updateTime: now,
    }
    const { id } = found
      ? await tx
          .updateTable('certification')
          .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
          .where('id', '=', found.id)
          .returning('id')
          .executeTakeFirstOrThrow()
      : await tx
          .insertInto('certification')
          .values({ ...values, accountId: actor.accountId, kind, createTime: now, companyId: actor.companyId, deptId: actor.deptId })
          .returning('id')
          .executeTakeFirstOrThrow()
    await replacePapers(tx, id, documents, keep)
    await tx
      .updateTable('account')
      .set(move === 'change' ? { auditStatus: '5' } : { auditStatus: '1', certSign: signOf[kind].certSign })
      .where('id', '=', actor.accountId)
      .execute()
    await tx
      .insertInto('certificationEvent')
      .values({ certificationId: id, accountId: actor.accountId, action: 'submit', at: now })
      .execute()
    await tellReviewers(tx, hub, { id, kind, company: values.name, parentDeptId }, now)
    return id
  })
}

/** The form to store, and the kinds of paper that were accepted and stay. */
async function merged(db: Read, found: Awaited<ReturnType<typeof load>>, given: Form): Promise<{ form: Form; keep: string[] }> {
  if (found?.status !== '3') return { form: given, keep: [] }
  const papers = await db.selectFrom('certificationDocument').where('certificationId', '=', found.id).select(['kind', 'status']).execute()
  const sentBack = papers.some(({ status }) => status === '2')
  // A general remark only: everything may be mended.
  if (found.fieldReasons.length === 0 && !sentBack) return { form: given, keep: [] }
  const mended = Object.fromEntries(fieldsToMend(found.fieldReasons).flatMap((field) => (field in given ? [[field, given[field]]] : [])))
  return { form: { ...found.form, ...mended }, keep: papers.filter(({ status }) => status === '1').map((paper) => paper.kind) }
}

async function refuseBadPapers(
  db: Read,
  actor: Actor,
  kind: CertificationKind,
  form: Form,
  documents: readonly Paper[],
  keep: readonly string[],
  now: Date,
): Promise<void> {
  const today = dayOf(now)
  const place = form as { provinceId: number; cityId: number; districtId: number | null }
  const problems: Problem[] = [
    ...(await ownFileProblems(db, actor.accountId, documents, kind)),
    ...missingDocuments(kind, form, new Set([...keep, ...documents.map((paper) => paper.kind)])).map((missing) => ({
      path: ['documents', missing],
      rule: 'document_missing',
    })),
    ...documents.flatMap((paper) =>
      paper.validTo !== null && paper.validTo < today ? [{ path: ['documents', paper.kind], rule: 'document_expired' }] : [],
    ),
  ]
  if (typeof form.licenseValidTo === 'string' && form.licenseValidTo < today)
    problems.push({ path: ['form', 'licenseValidTo'], rule: 'license_expired' })
  if (!(await isPlace(db, place))) problems.push({ path: ['form', 'cityId'], rule: 'region' })
  if (Array.isArray(form.mainCategories)) {
    const { n } = await db
      .selectFrom('category')
      .where('id', 'in', form.mainCategories as number[])
      .where('level', '=', 2)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    if (n !== new Set(form.mainCategories).size) problems.push({ path: ['form', 'mainCategories'], rule: 'category' })
  }
  if (problems.length > 0) throw new FieldRefusal(problems)
}

/** The certified unit above, or null when it is not here; one that was named but is not certified is refused. */
async function parentOf(db: Read, form: Form): Promise<number | null> {
  let query = db
    .selectFrom('dept')
    .innerJoin('company', 'company.id', 'dept.companyId')
    .where('company.lesseeAudit', '=', '2')
    .where('dept.deptType', 'in', ['1', '2'])
    .where('dept.status', '=', '0')
    .where('dept.delFlag', '=', '0')
  // Typed in by hand, yet certified here: its root unit reviews.
  query =
    form.parentDeptId === null
      ? query
          .where('company.creditCode', '=', String(form.parentCreditCode).replace(/\s/g, '').toUpperCase())
          .where('dept.parentId', 'is', null)
      : query.where('dept.id', '=', Number(form.parentDeptId))
  const found = await query.select('dept.id').executeTakeFirst()
  if (!found && form.parentDeptId !== null) throw new FieldRefusal([{ path: ['form', 'parentDeptId'], rule: 'parent_unknown' }])
  return found?.id ?? null
}

async function tellReviewers(
  db: Read,
  hub: Hub,
  { id, kind, company, parentDeptId }: { id: number; kind: CertificationKind; company: string; parentDeptId: number | null },
  now: Date,
): Promise<void> {
  const people = db.selectFrom('account').where('account.status', '=', '0').where('account.delFlag', '=', '0').select('account.id')
  const reviewers =
    parentDeptId === null
      ? await people.where('userType', '=', '9').execute()
      : await people
          .where('userType', '=', '2')
          .where('isAdmin', '=', true)
          .where('auditStatus', 'in', ['2', '5'])
          .where(sql<boolean>`dept_id in (select unnest(ancestors || id) from dept where id = ${parentDeptId})`)
          .execute()
  await sendMessages(
    { db, hub, now },
    {
      to: { accounts: reviewers.map((one) => one.id) },
      kind: 'certificationWaiting',
      params: { company, kind: zhCn.certification.kinds[kind] },
      bizType: 'certification',
      bizId: id,
      link: parentDeptId === null ? `/admin/certification/detail?id=${id}` : `/workbench/organization/reviewdetail?id=${id}`,
    },
  )
}

/** Takes it back from review; a change in review goes back to what was passed. */
export function withdrawCertification(db: Db, actor: Actor, id: number, now: Date): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const found = await tx
      .selectFrom('certification')
      .where('id', '=', id)
      .where('accountId', '=', actor.accountId)
      .forUpdate()
      .select(['id', 'status', 'accountId'])
      .executeTakeFirst()
    if (!found) throw new Refusal('not_found')
    if (found.status === '5') await restorePassed(tx, id, '', now)
    else if (mayMove('withdraw', found.status, 'applicant')) {
      await tx
        .updateTable('certification')
        .set((eb) => ({ status: certificationMoves.withdraw.to, updateTime: now, version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .execute()
      await tx.updateTable('account').set({ auditStatus: '0', certSign: 0 }).where('id', '=', actor.accountId).execute()
    } else throw new Refusal('certification_changed')
    await tx
      .insertInto('certificationEvent')
      .values({ certificationId: id, accountId: actor.accountId, action: 'withdraw', at: now })
      .execute()
  })
}

/** A change that was withdrawn or rejected: form and papers as they were passed. */
export async function restorePassed(db: Read, id: number, reason: string, now: Date): Promise<void> {
  const { passed, accountId } = await db
    .selectFrom('certification')
    .where('id', '=', id)
    .select(['accountId', 'passedForm as passed'])
    .executeTakeFirstOrThrow()
  await db
    .updateTable('certification')
    .set((eb) => ({
      status: certificationMoves.back.to,
      reason,
      fieldReasons: '[]',
      updateTime: now,
      version: eb('version', '+', 1),
      ...(passed && { form: JSON.stringify(passed.form), name: nameOf(passed.form) }),
    }))
    .where('id', '=', id)
    .execute()
  if (passed) {
    await replacePapers(db, id, passed.documents, [])
    await db.updateTable('certificationDocument').set({ status: '1' }).where('certificationId', '=', id).execute()
  }
  await db.updateTable('account').set({ auditStatus: '2' }).where('id', '=', accountId).execute()
}
