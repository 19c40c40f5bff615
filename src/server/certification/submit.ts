import { sql } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import { formOf } from '#shared/certification/contract.ts'
import {
  activeCertifications,
  certificationMoves,
  certificationStatus,
  documentsOf,
  draftCertifications,
  endedCertifications,
  fieldsToMend,
  mayMove,
  missingDocuments,
  paperStatus,
  signOf,
  waitingCertifications,
  type CertificationKind,
  type CertificationStatus,
} from '#shared/certification/rules.ts'
import { deptType, hasLevelBelow, unitTypes } from '#shared/dept/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { delFlag, enableStatus } from '#shared/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { refuseLeavingAdmin } from '../actor/last-admin.ts'
import type { Read } from '../db/connect.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed, Work } from '../deed.ts'
import { FieldRefusal, Refusal } from '../http/refusal.ts'
import { isPlace } from '../region/queries.ts'
import { claimFiles } from '../upload/claim.ts'
import { insertEvent, notifyReviewers, refuseManySubmits } from './events.ts'
import { getOwnCertification, unitAbove, type Form, type Paper } from './queries.ts'
import { worksFor } from './settle.ts'
import { endReview, startReview } from './standing.ts'

type Problem = { path: (string | number)[]; rule: string }

const takenKinds = (mime: string | undefined) => mime === 'application/pdf' || mime?.startsWith('image/') === true

async function ownFileProblems(deed: Deed, { documents: papers, kind }: Pick<Draft, 'documents' | 'kind'>): Promise<Problem[]> {
  const own = await claimFiles(
    deed,
    'certification',
    papers.map(({ fileId }) => fileId),
  )
  return papers.flatMap((paper) =>
    takenKinds(own.get(paper.fileId)) && documentsOf[kind].includes(paper.kind)
      ? []
      : [{ path: ['documents', paper.kind], rule: 'file_unknown' }],
  )
}

/** A draft is stored as it was typed, so its name may be anything. */
const nameOf = ({ enterpriseName, projectName }: Form): string =>
  [enterpriseName, projectName].find((name) => typeof name === 'string') ?? ''

/** An account has one kind: another one that is in review or in force stands in the way. */
async function refuseOtherKind(db: Read, actor: Actor, kind: CertificationKind): Promise<void> {
  if (actor.role !== null && signOf[kind].userType !== actor.userType) throw new Refusal('certification_other_kind')
  const other = await db
    .selectFrom('certification')
    .where('accountId', '=', actor.accountId)
    .where('kind', '<>', kind)
    .where('status', 'in', activeCertifications)
    .select('id')
    .executeTakeFirst()
  if (other) throw new Refusal('certification_other_kind')
}

const holdOwn = (db: Read, accountId: number, kind: CertificationKind) =>
  db
    .selectFrom('certification')
    .where('accountId', '=', accountId)
    .where('kind', '=', kind)
    .forUpdate()
    .select(['id', 'status', 'form', 'fieldReasons', 'version', 'companyId', 'deptId'])
    .executeTakeFirst()

/** Replaces the papers but the kinds that were accepted. */
async function replacePapers(
  db: Read,
  id: number,
  { papers, accepted }: { papers: readonly Paper[]; accepted: readonly string[] },
): Promise<void> {
  let old = db.deleteFrom('certificationDocument').where('certificationId', '=', id)
  if (accepted.length > 0) old = old.where('kind', 'not in', accepted)
  await old.execute()
  const added = papers.filter(({ kind }) => !accepted.includes(kind))
  if (added.length > 0)
    await db
      .insertInto('certificationDocument')
      .values(added.map(({ kind, fileId, validTo }) => ({ certificationId: id, kind, fileId, validTo })))
      .execute()
}

type Draft = { kind: CertificationKind; form: Form; documents: readonly Paper[] }

/** Stores an unchecked form while nothing is in review or in force, and nothing was sent back. An older one does not replace a newer one. */
export async function saveDraft(deed: Deed, { kind, form, documents, version }: Draft & { version?: number | undefined }) {
  const { db, actor, now } = deed
  await refuseOtherKind(db, actor, kind)
  const problems = await ownFileProblems(deed, { documents, kind })
  if (problems.length > 0) throw new FieldRefusal(problems)
  const found = await holdOwn(db, actor.accountId, kind)
  if (found && !isAmong(found.status, draftCertifications)) throw new Refusal('certification_changed')
  if (version !== undefined && version !== (found?.version ?? 0)) throw new Refusal('changed')
  const values = { form: JSON.stringify(form), updateTime: now }
  const name = nameOf(form).slice(0, 100)
  // After its end the reviewers find a certification by the name that was passed.
  const keepsName = found && isAmong(found.status, endedCertifications)
  const stored = found
    ? await db
        .updateTable('certification')
        .set({ ...values, ...(!keepsName && { name }), version: nextVersion })
        .where('id', '=', found.id)
        .returning('id')
        .executeTakeFirstOrThrow()
    : await db
        .insertInto('certification')
        .values({ ...values, name, accountId: actor.accountId, kind, createTime: now })
        .returning('id')
        .executeTakeFirstOrThrow()
  await replacePapers(db, stored.id, { papers: documents, accepted: [] })
  return getOwnCertification(db, actor, stored.id)
}

/**
 * Hands a certification in. After a rejection the accepted fields and papers stay as they were, whatever is sent. One in force becomes a
 * change in review, and what was passed stays valid meanwhile.
 */
export async function submitCertification(deed: Deed, input: Draft): Promise<{ id: number }> {
  const { db, actor, now } = deed
  const { kind } = input
  await refuseOtherKind(db, actor, kind)
  const found = await holdOwn(db, actor.accountId, kind)
  const status = found?.status ?? certificationStatus.unsubmitted
  const move = status === certificationStatus.passed ? 'change' : 'submit'
  if (!mayMove(move, status, 'applicant')) throw new Refusal('certification_changed')
  if (found) await refuseManySubmits(deed, found.id)

  const { form, accepted } = await merged(db, found, input.form)
  const parsed = formOf[kind].safeParse(form)
  if (!parsed.success)
    throw new FieldRefusal(parsed.error.issues.map(({ path, message }) => ({ path: ['form', ...(path as string[])], rule: message })))
  if (kind !== 'dept') await refuseLeaving(deed, { kind, form: parsed.data })
  const documents = input.documents.filter((paper) => !accepted.includes(paper.kind))
  await refuseBadPapers(deed, { kind, form: parsed.data, documents, accepted })

  const parentDeptId = kind === 'dept' ? await parentOf(db, parsed.data) : null
  const deptId = found?.deptId ?? actor.deptId
  if (parentDeptId !== null) await refuseTakenName(deed, { parentDeptId, deptId, name: nameOf(parsed.data) })
  const values = {
    status: certificationMoves[move].to,
    form: JSON.stringify(parsed.data),
    name: nameOf(parsed.data),
    reason: '',
    fieldReasons: '[]',
    parentDeptId,
    // Of somebody whom an administrator added: the place where they work already.
    companyId: found?.companyId ?? actor.companyId,
    deptId,
    submittedAt: now,
    updateTime: now,
  }
  const { id } = found
    ? await db
        .updateTable('certification')
        .set({ ...values, version: nextVersion })
        .where('id', '=', found.id)
        .returning('id')
        .executeTakeFirstOrThrow()
    : await db
        .insertInto('certification')
        .values({ ...values, accountId: actor.accountId, kind, createTime: now })
        .returning('id')
        .executeTakeFirstOrThrow()
  await replacePapers(db, id, { papers: documents, accepted })
  await startReview(db, { accountId: actor.accountId, kind })
  await insertEvent(deed, { certificationId: id, accountId: actor.accountId, action: 'submit' })
  await notifyReviewers(deed, { id, kind, company: values.name, parentDeptId })
  return { id }
}

/** Tells whoever alone administers a company that they cannot hand in the papers of another one. Whether they may go is decided when it passes. */
async function refuseLeaving({ db, actor }: Deed, { kind, form }: { kind: 'rentout' | 'lease'; form: Form }): Promise<void> {
  const company = await db.selectFrom('company').where('creditCode', '=', String(form.creditCode)).select('id').executeTakeFirst()
  const to = { userType: signOf[kind].userType, companyId: company?.id ?? null }
  await refuseLeavingAdmin(db, { accountId: actor.accountId, to })
}

/** The form to store, and the kinds of paper that were accepted and stay. */
async function merged(db: Read, found: Awaited<ReturnType<typeof holdOwn>>, given: Form): Promise<{ form: Form; accepted: string[] }> {
  if (found?.status !== certificationStatus.rejected) return { form: given, accepted: [] }
  const papers = await db.selectFrom('certificationDocument').where('certificationId', '=', found.id).select(['kind', 'status']).execute()
  const sentBack = papers.some(({ status }) => status === paperStatus.rejected)
  // A general remark only: everything may be mended.
  if (found.fieldReasons.length === 0 && !sentBack) return { form: given, accepted: [] }
  const mended = Object.fromEntries(fieldsToMend(found.fieldReasons).flatMap((field) => (field in given ? [[field, given[field]]] : [])))
  const accepted = papers.filter(({ status }) => status === paperStatus.passed).map((paper) => paper.kind)
  return { form: { ...found.form, ...mended }, accepted }
}

type Submitted = { kind: CertificationKind; form: Form; documents: readonly Paper[]; accepted: readonly string[] }

async function refuseBadPapers(deed: Deed, { kind, form, documents, accepted }: Submitted): Promise<void> {
  const { db, now } = deed
  const today = dayOf(now)
  const place = form as { provinceId: number; cityId: number; districtId: number | null }
  const problems: Problem[] = [
    ...(await ownFileProblems(deed, { documents, kind })),
    ...missingDocuments(kind, form, new Set([...accepted, ...documents.map((paper) => paper.kind)])).map((missing) => ({
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
    .where('company.lesseeAudit', '=', certificationStatus.passed)
    .where('dept.deptType', 'in', unitTypes)
    .where('dept.status', '=', enableStatus.enabled)
    .where('dept.delFlag', '=', delFlag.present)
  // Typed in by hand, yet certified here: its root unit reviews.
  query =
    form.parentDeptId === null
      ? query.where('company.creditCode', '=', typedCode(form)).where('dept.parentId', 'is', null)
      : query.where('dept.id', '=', Number(form.parentDeptId))
  // Whoever deletes the unit meanwhile finds this application, or is waited for.
  const found = await query.select(['dept.id', 'dept.ancestors']).forShare('dept').executeTakeFirst()
  if (!found && form.parentDeptId === null) await refuseEndedUnit(db, form)
  if (!found && form.parentDeptId !== null) throw new FieldRefusal([{ path: ['form', 'parentDeptId'], rule: 'parent_unknown' }])
  if (found && !hasLevelBelow(found.ancestors)) throw new FieldRefusal([{ path: ['form', 'parentDeptId'], rule: 'too_deep' }])
  return found?.id ?? null
}

const typedCode = (form: Form) => String(form.parentCreditCode).replace(/\s/g, '').toUpperCase()

/** Below a company whose certification has ended a project department would pass and have no role. */
async function refuseEndedUnit(db: Read, form: Form): Promise<void> {
  const ended = await db
    .selectFrom('company')
    .where('creditCode', '=', typedCode(form))
    .where('lesseeAudit', 'in', endedCertifications)
    .select('id')
    .executeTakeFirst()
  if (ended) throw new FieldRefusal([{ path: ['form', 'parentCreditCode'], rule: 'parent_ended' }])
}

type Named = { parentDeptId: number; deptId: number | null; name: string }

/**
 * Refuses a name that another department under the unit has already, where the review could not but refuse it. A colleague's project department of that
 * name is joined by whoever has no other one there.
 */
async function refuseTakenName({ db, actor }: Deed, { parentDeptId, deptId, name }: Named): Promise<void> {
  const hasProjectThere = sql<boolean>`exists (select from dept where dept.id = ${deptId} and dept.id <> sibling.id
    and dept.parent_id = ${parentDeptId} and dept.dept_type = ${sql.lit(deptType.project)} and dept.del_flag = ${sql.lit(delFlag.present)}
    and ${worksFor(sql`${actor.accountId}::bigint`)})`
  const taken = await db
    .selectFrom('dept as sibling')
    .where('parentId', '=', parentDeptId)
    .where('deptName', '=', name)
    .where('delFlag', '=', delFlag.present)
    .where((eb) => eb.or([eb('deptType', '<>', deptType.project), hasProjectThere]))
    .select('id')
    .executeTakeFirst()
  if (taken) throw new FieldRefusal([{ path: ['form', 'projectName'], rule: 'taken' }])
}

/** Takes a certification back from review; a change in review goes back to what was passed. */
export async function withdrawCertification(deed: Deed, id: number): Promise<void> {
  const { db, actor } = deed
  const found = await db
    .selectFrom('certification')
    .where('id', '=', id)
    .where('accountId', '=', actor.accountId)
    .forUpdate()
    .select(['id', 'status', 'accountId'])
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found')
  await withdraw(deed, found, actor.accountId)
}

/**
 * Withdraws whatever somebody who leaves has in review, and gives what they were: nobody decides it any more, and what was passed stays. `which` leaves
 * some out.
 */
export async function withdrawAllOf(
  work: Pick<Work, 'db' | 'now'>,
  accountId: number,
  which = sql<boolean>`true`,
): Promise<{ id: number; name: string }[]> {
  const waiting = await work.db
    .selectFrom('certification')
    .where('accountId', '=', accountId)
    .where(which)
    .where('status', 'in', waitingCertifications)
    .forUpdate()
    .select(['id', 'status', 'accountId', 'name'])
    .execute()
  for (const found of waiting) await withdraw(work, found, null)
  return waiting
}

type Waiting = { id: number; status: CertificationStatus; accountId: number }

/** `by` is null where the person leaves instead of asking for it. */
async function withdraw(work: Pick<Work, 'db' | 'now'>, { id, status, accountId }: Waiting, by: number | null): Promise<void> {
  const { db, now } = work
  if (mayMove('back', status, 'applicant')) await restorePassed(work, id, '')
  else if (mayMove('withdraw', status, 'applicant')) {
    const { to } = certificationMoves.withdraw
    await db.updateTable('certification').set({ status: to, updateTime: now, version: nextVersion }).where('id', '=', id).execute()
    await endReview(db, accountId, to)
  } else throw new Refusal('certification_changed')
  await insertEvent(work, { certificationId: id, accountId: by, action: 'withdraw' })
}

/** Restores form, papers and the unit above as they were passed, when a change in review ends without being passed. */
export async function restorePassed({ db, now }: Pick<Work, 'db' | 'now'>, id: number, reason: string): Promise<void> {
  const { passed, accountId } = await db
    .selectFrom('certification')
    .where('id', '=', id)
    .select(['accountId', 'passedForm as passed'])
    .executeTakeFirstOrThrow()
  // The database keeps no change in review without what was passed.
  if (!passed) throw new Refusal('certification_changed')
  const { to } = certificationMoves.back
  await db
    .updateTable('certification')
    .set({
      status: to,
      reason,
      fieldReasons: '[]',
      updateTime: now,
      version: nextVersion,
      form: JSON.stringify(passed.form),
      name: nameOf(passed.form),
      parentDeptId: unitAbove,
    })
    .where('id', '=', id)
    .execute()
  await replacePapers(db, id, { papers: passed.documents, accepted: [] })
  await db.updateTable('certificationDocument').set({ status: paperStatus.passed }).where('certificationId', '=', id).execute()
  await db.updateTable('account').set({ auditStatus: to }).where('id', '=', accountId).execute()
}
