import { sql } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import { formOf } from '#shared/certification/contract.ts'
import {
  activeCertifications,
  certificationMoves,
  certificationStatus,
  draftCertifications,
  endedCertifications,
  fieldsToMend,
  mayMove,
  missingDocuments,
  paperStatus,
  signOf,
  type CertificationKind,
} from '#shared/certification/rules.ts'
import type { FieldProblem } from '#shared/endpoint.ts'
import { isAmong } from '#shared/lifecycle.ts'
import type { Actor } from '../actor/actor.ts'
import { refuseLeavingAdmin } from '../actor/last-admin.ts'
import type { Read } from '../db/connect.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed } from '../deed.ts'
import { FieldRefusal, Refusal } from '../http/refusal.ts'
import { isPlace } from '../region/queries.ts'
import { insertEvent, notifyReviewers, refuseManySubmits } from './events.ts'
import { ownFileProblems, replacePapers } from './papers.ts'
import { parentOf, refuseTakenName } from './parent-unit.ts'
import { getOwnCertification, nameInForm, type Form, type Paper } from './queries.ts'
import { refuseLeavingCertification, startReview } from './standing.ts'

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

type Draft = { kind: CertificationKind; form: Form; documents: readonly Paper[]; version?: number | undefined }

function refuseOlder(found: { version: number } | undefined, version: number | undefined): void {
  if (version !== undefined && version !== (found?.version ?? 0)) throw new Refusal('changed')
}

/** Stores an unchecked form while nothing is in review or in force, and nothing was sent back. An older one does not replace a newer one. */
export async function saveDraft(deed: Deed, { kind, form, documents, version }: Draft) {
  const { db, actor, now } = deed
  await refuseOtherKind(db, actor, kind)
  const problems = await ownFileProblems(deed, { documents, kind })
  if (problems.length > 0) throw new FieldRefusal(problems)
  const found = await holdOwn(db, actor.accountId, kind)
  if (found && !isAmong(found.status, draftCertifications)) throw new Refusal('certification_changed')
  refuseOlder(found, version)
  const values = { form: JSON.stringify(form), updateTime: now }
  const name = nameInForm(form).slice(0, 100)
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
 * Hands a certification in, if nobody saved it since that version. After a rejection the accepted fields and papers stay as they were, whatever is
 * sent. One in force becomes a change in review, and what was passed stays valid meanwhile.
 */
export async function submitCertification(deed: Deed, input: Draft): Promise<{ id: number }> {
  const { db, actor, now } = deed
  const { kind } = input
  // Two kinds are not handed in at once. No row is locked: whoever reviews locks the certification before the account.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`certification:${actor.accountId}`}, 0))`.execute(db)
  await refuseOtherKind(db, actor, kind)
  const found = await holdOwn(db, actor.accountId, kind)
  const status = found?.status ?? certificationStatus.unsubmitted
  const move = status === certificationStatus.passed ? 'change' : 'submit'
  if (!mayMove(move, status, 'applicant')) throw new Refusal('certification_changed')
  refuseOlder(found, input.version)
  if (found) await refuseManySubmits(deed, found.id)

  const deptId = found?.deptId ?? actor.deptId
  const { form, accepted } = await merged(deed, found, { kind, form: input.form, deptId })
  const parsed = formOf[kind].safeParse(form)
  if (!parsed.success)
    throw new FieldRefusal(parsed.error.issues.map(({ path, message }) => ({ path: ['form', ...(path as string[])], rule: message })))
  if (kind !== 'dept') await refuseLeaving(deed, { kind, form: parsed.data })
  const documents = input.documents.filter((paper) => accepted.every((one) => one.kind !== paper.kind))
  const { problems, parentDeptId } = await check(deed, { kind, form: parsed.data, papers: [...accepted, ...documents], deptId })
  problems.push(...(await ownFileProblems(deed, { documents, kind })))
  if (problems.length > 0) throw new FieldRefusal(problems)

  const values = {
    status: certificationMoves[move].to,
    form: JSON.stringify(parsed.data),
    name: nameInForm(parsed.data),
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
  await replacePapers(db, id, { papers: documents, accepted: accepted.map((paper) => paper.kind) })
  await startReview(db, { accountId: actor.accountId, kind })
  await insertEvent(deed, { certificationId: id, accountId: actor.accountId, action: 'submit' })
  await notifyReviewers(deed, { id, kind, company: values.name, parentDeptId })
  return { id }
}

/** Tells whoever alone administers or certifies a company that they cannot hand in the papers of another one. Whether they may go is decided when it passes. */
async function refuseLeaving({ db, actor }: Deed, { kind, form }: { kind: 'rentout' | 'lease'; form: Form }): Promise<void> {
  const company = await db.selectFrom('company').where('creditCode', '=', String(form.creditCode)).select('id').executeTakeFirst()
  const to = { userType: signOf[kind].userType, companyId: company?.id ?? null }
  await refuseLeavingAdmin(db, { accountId: actor.accountId, to })
  await refuseLeavingCertification(db, { accountId: actor.accountId, kind, companyId: to.companyId })
}

type Checked = { kind: CertificationKind; form: Form; papers: readonly Dated[]; deptId: number | null }
type Dated = { kind: string; validTo: string | null }

/**
 * The form to store, and the papers that were accepted and stay. What was accepted and does not hold any more, such as a licence that has run out since, is
 * taken from what is sent, like what was sent back.
 */
async function merged(
  deed: Deed,
  found: Awaited<ReturnType<typeof holdOwn>>,
  { kind, form: given, deptId }: Omit<Checked, 'papers'>,
): Promise<{ form: Form; accepted: Dated[] }> {
  if (found?.status !== certificationStatus.rejected) return { form: given, accepted: [] }
  const papers = await deed.db
    .selectFrom('certificationDocument')
    .where('certificationId', '=', found.id)
    .select(['kind', 'status', 'validTo'])
    .execute()
  const passed = papers.filter(({ status }) => status === paperStatus.passed)
  // A general remark only: everything may be mended.
  if (found.fieldReasons.length === 0 && papers.every(({ status }) => status !== paperStatus.rejected)) return { form: given, accepted: [] }
  const mended = (reasons: readonly { field: string }[]): Form => ({
    ...found.form,
    ...Object.fromEntries(fieldsToMend(reasons).flatMap((field) => (field in given ? [[field, given[field]]] : []))),
  })
  const { problems } = await check(deed, { kind, form: mended(found.fieldReasons), papers: passed, deptId })
  const lapsedIn = (part: string) => problems.flatMap(({ path }) => (path[0] === part ? [String(path[1])] : []))
  const fields = lapsedIn('form').map((field) => ({ field }))
  return {
    form: mended([...found.fieldReasons, ...fields]),
    accepted: passed.filter((paper) => !lapsedIn('documents').includes(paper.kind)),
  }
}

/** The problems of a whole form and its papers that its schema cannot know, and the certified unit above. */
async function check(deed: Deed, checked: Checked): Promise<{ problems: FieldProblem[]; parentDeptId: number | null }> {
  const { kind, form, deptId } = checked
  const problems = [...paperProblems(checked, dayOf(deed.now)), ...(await fieldProblems(deed, form))]
  if (kind !== 'dept') return { problems, parentDeptId: null }
  try {
    const parentDeptId = await parentOf(deed.db, form)
    if (parentDeptId !== null) await refuseTakenName(deed, { parentDeptId, deptId, name: nameInForm(form) })
    return { problems, parentDeptId }
  } catch (error) {
    if (error instanceof FieldRefusal) return { problems: [...problems, ...error.problems], parentDeptId: null }
    throw error
  }
}

const paperProblems = ({ kind, form, papers }: Checked, today: string): FieldProblem[] => [
  ...missingDocuments(kind, form, new Set(papers.map((paper) => paper.kind))).map((missing) => ({
    path: ['documents', missing],
    rule: 'document_missing',
  })),
  ...papers.flatMap((paper) =>
    paper.validTo !== null && paper.validTo < today ? [{ path: ['documents', paper.kind], rule: 'document_expired' }] : [],
  ),
]

async function fieldProblems({ db, now }: Deed, form: Form): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = []
  if (typeof form.licenseValidTo === 'string' && form.licenseValidTo < dayOf(now))
    problems.push({ path: ['form', 'licenseValidTo'], rule: 'license_expired' })
  if (!(await isPlace(db, form as { provinceId: number; cityId: number; districtId: number | null })))
    problems.push({ path: ['form', 'cityId'], rule: 'region' })
  if (Array.isArray(form.mainCategories)) {
    const { n } = await db
      .selectFrom('category')
      .where('id', 'in', form.mainCategories as number[])
      .where('level', '=', 2)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    if (n !== new Set(form.mainCategories).size) problems.push({ path: ['form', 'mainCategories'], rule: 'category' })
  }
  return problems
}
