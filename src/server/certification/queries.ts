import { sql, type RawBuilder } from 'kysely'
import { maskPhone } from '#shared/account/rules.ts'
import { dayOf } from '#shared/calendar.ts'
import type * as contract from '#shared/certification/contract.ts'
import type { Certification, CertificationReview } from '#shared/certification/contract.ts'
import {
  certificationStatus,
  endedCertifications,
  mayMove,
  missingDocuments,
  paperStatus,
  passedCertifications,
  waitingCertifications,
  type CertificationDocument,
} from '#shared/certification/rules.ts'
import { isCreditCode } from '#shared/company/rules.ts'
import { unitTypes } from '#shared/dept/rules.ts'
import type { Download, Received } from '#shared/endpoint.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { delFlag, enableStatus, exportLimit } from '#shared/rules.ts'
import { comma } from '#shared/text/punctuation.ts'
import { zhCn, type Text } from '#shared/text/zh-cn.ts'
import type { Actor } from '../actor/actor.ts'
import { byDeptsInScope, inScope } from '../actor/scope.ts'
import { personalValues } from '../audit/log.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { listOf, listPage, orderOf, pageId, type OrderKey, type Paging } from '../db/paging.ts'
import { contains } from '../db/search.ts'
import type { Context } from '../deed.ts'
import { textOf } from '../http/locale.ts'
import { Refusal } from '../http/refusal.ts'
import { listWorkbook } from '../workbook/list-workbook.ts'

export type Form = Record<string, unknown>
export type Paper = { kind: CertificationDocument; fileId: string; validTo: string | null }

/** The name of the company or the project. A draft is stored as it was typed, so its name may be anything. */
export const nameInForm = ({ enterpriseName, projectName }: Form): string =>
  [enterpriseName, projectName].find((name) => typeof name === 'string') ?? ''

const columnsOfCertification = [
  'certification.id',
  'certification.kind',
  'certification.status',
  'certification.form',
  'certification.reason',
  'certification.fieldReasons',
  'certification.name',
  sql<string>`coalesce((select p.dept_name from dept p where p.id = certification.parent_dept_id), '')`.as('parentName'),
  'certification.validTo',
  'certification.submittedAt',
  'certification.reviewedAt',
  'certification.version',
  sql<
    Certification['documents']
  >`coalesce((select json_agg(json_build_object('kind', d.kind, 'fileId', d.file_id, 'name', f.name, 'mime', f.mime,
    'validTo', d.valid_to, 'status', d.status, 'reason', d.reason) order by d.id)
    from certification_document d join file f on f.id = d.file_id where d.certification_id = certification.id), '[]')`.as('documents'),
  sql<Certification['events']>`coalesce((select json_agg(json_build_object('action', e.action, 'note', e.note,
    'at', to_char(e.at at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS')) order by e.id)
    from certification_event e where e.certification_id = certification.id), '[]')`.as('events'),
] as const

/** Before the certification an account has no name; the form says who fills it in. */
const applicantName = sql<string>`coalesce(nullif(account.name, ''), certification.form ->> 'applicantName', certification.form ->> 'contactName', '')`

export function listOwnCertifications(db: Read, actor: Actor): Promise<Certification[]> {
  return db.selectFrom('certification').where('accountId', '=', actor.accountId).orderBy('id').select(columnsOfCertification).execute()
}

export function getOwnCertification(db: Read, actor: Actor, id: number): Promise<Certification> {
  return db
    .selectFrom('certification')
    .where('accountId', '=', actor.accountId)
    .where('id', '=', id)
    .select(columnsOfCertification)
    .executeTakeFirstOrThrow(() => new Refusal('not_found'))
}

/**
 * The certifications that a reviewer sees: the operator all, an organisation the project departments that name one of its units, and those in force
 * that stand below one, whatever unit a change in review names.
 */
export function seenByReviewer(actor: Actor): RawBuilder<boolean> {
  const isHandedIn = sql<boolean>`certification.status <> ${sql.lit(certificationStatus.unsubmitted)}`
  if (actor.role === 'operator') return isHandedIn
  // An index finds the rows of either side.
  return sql<boolean>`(${isHandedIn} and certification.kind = 'dept' and (${byDeptsInScope('certification.parent_dept_id', actor)}
    or certification.status in (${literals(passedCertifications)}) and ${byDeptsInScope('certification.dept_id', actor)}))`
}

/**
 * Whether reviewers read a certification as it was passed: after its end the applicant may have stored a draft in its place, which nobody has handed in.
 */
export const isReadAsPassed = sql<boolean>`(certification.status in (${literals(endedCertifications)}) and certification.passed_form is not null)`

const visible = (db: Read, actor: Actor) => db.selectFrom('certification').where(seenByReviewer(actor))

/** Whether the company of the unit above has a certification in force as a lessee; null where there is no unit. */
const isUnitCertified = sql<boolean | null>`(select c.lessee_audit = ${sql.lit(certificationStatus.passed)} from dept d
  join company c on c.id = d.company_id where d.id = certification.parent_dept_id)`

/**
 * Whether the reviewer decides what waits: where the unit above is certified its administrator does, otherwise the operator (product 2), also where its
 * certification has ended since, because its people have no role any more. Nobody decides for somebody who has left. A condition for the update that
 * decides.
 */
export function decidesFor(actor: Actor): RawBuilder<boolean> {
  // Subqueries of one value are looked up for each row that waits; an `exists` would be joined, and read every certification.
  const isPresent = sql`(select a.del_flag = ${sql.lit(delFlag.present)} from account a where a.id = certification.account_id)`
  return actor.role === 'operator'
    ? sql<boolean>`(${isUnitCertified} is not true and ${isPresent})`
    : sql<boolean>`(certification.kind = 'dept' and ${inScope('certification.parent_dept_id', actor)} and ${isPresent})`
}

/** The certified unit above the project department of what was passed; null where there is none, or the certification is no project's. */
export const unitAbove = sql<number | null>`(select d.parent_id from dept d join company c on c.id = d.company_id
  where d.id = certification.dept_id and certification.kind = 'dept' and c.lessee_audit = ${sql.lit(certificationStatus.passed)})`

/**
 * Whether the reviewer may end what was passed. The place of what was passed says who may: a change in review that names a unit elsewhere neither
 * gives that unit the right nor takes it from the one that has it.
 */
export function endsFor(actor: Actor): RawBuilder<boolean> {
  return actor.role === 'operator'
    ? sql<boolean>`(${unitAbove} is null)`
    : sql<boolean>`(certification.kind = 'dept' and ${inScope('certification.dept_id', actor)})`
}

const waits = sql<boolean>`(certification.status in (${literals(waitingCertifications)}))`

/** The company whose administrators decide what waits (`decidesFor`). */
const reviewingCompany = sql<
  string | null
>`case when ${waits} then (select c.enterprise_name from dept d join company c on c.id = d.company_id
  where d.id = certification.parent_dept_id and c.lessee_audit = ${sql.lit(certificationStatus.passed)}) end`

type Filter = Received<typeof contract.exportCertifications>['query']

export async function listCertifications(db: Read, actor: Actor, filter: Filter & Paging) {
  let query = visible(db, actor)
  const { status, kind, keyword, todo, sort } = filter
  // States stand in the statement itself, because the database knows how many rows have each. What waits is what this reviewer decides, a change in
  // review like a first application: as many as their panel counts.
  if (todo || status === certificationStatus.inReview) query = query.where(waits).where(decidesFor(actor))
  if (status && status !== certificationStatus.inReview) query = query.where('certification.status', '=', sql.lit(status))
  if (kind) query = query.where('certification.kind', '=', kind)
  if (keyword) query = query.where('certification.name', 'like', contains(keyword))
  const usual: OrderKey[] = [
    { by: waits, direction: 'desc' },
    { by: sql.ref('certification.submitted_at'), direction: 'asc' },
    { by: sql.ref('certification.id'), direction: 'asc' },
  ]
  const list = listOf(
    query,
    'certification.id',
    sort ? orderOf({ sort, columns: { submittedAt: { column: sql.ref('certification.submitted_at') } }, id: 'certification.id' }) : usual,
  )
  const card = db
    .selectFrom('certification')
    .where('certification.id', '=', pageId)
    .innerJoin('account', 'account.id', 'certification.accountId')
    .select([
      'certification.id',
      'certification.kind',
      'certification.status',
      'certification.name',
      'certification.submittedAt',
      'certification.reviewedAt',
      reviewingCompany.as('reviewedBy'),
      applicantName.as('accountName'),
      'account.userName',
      'account.phonenumber',
    ])
  const { rows, ...counted } = await listPage(db, { list, paging: filter, card })
  return {
    ...counted,
    rows: rows.map(({ accountName, userName, phonenumber, ...row }) => ({
      ...row,
      applicant: accountName || userName,
      phonenumber: maskPhone(phonenumber ?? ''),
    })),
  }
}

/** Writes the filtered list as a workbook. */
export async function certificationsWorkbook(db: Read, actor: Actor, { filter, text }: { filter: Filter; text: Text }): Promise<Download> {
  const { certification } = text
  const words = certification.review
  return listWorkbook({
    title: words.title,
    text,
    columns: [
      { label: words.name, width: 36, value: (row) => row.name },
      { label: words.kind, width: 16, value: (row) => certification.kinds[row.kind] },
      { label: text.site.common.status, width: 12, value: (row) => certification.status[row.status] },
      { label: words.submittedAt, width: 20, format: 'moment', value: (row) => row.submittedAt },
      { label: words.reviewedAt, width: 20, format: 'moment', value: (row) => row.reviewedAt },
    ],
    list: await listCertifications(db, actor, { ...filter, pageNum: 1, pageSize: exportLimit, exact: true }),
  })
}

/** One certification for its reviewer, with the automatic checks. */
export async function getCertification(
  { db, actor, now, locale }: Pick<Context, 'db' | 'actor' | 'now' | 'locale'>,
  id: number,
): Promise<CertificationReview> {
  const row = await visible(db, actor)
    .innerJoin('account', 'account.id', 'certification.accountId')
    .where('certification.id', '=', id)
    .select([
      ...columnsOfCertification,
      'certification.passedForm as passed',
      'certification.accountId',
      sql<boolean>`${decidesFor(actor)} is true`.as('decides'),
      sql<boolean>`${endsFor(actor)} is true`.as('ends'),
      sql<boolean>`${isUnitCertified} is true`.as('hasCertifiedUnit'),
      applicantName.as('accountName'),
      'account.userName',
      'account.phonenumber',
    ])
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  const { accountId, accountName, userName, phonenumber, passed, decides, ends, hasCertifiedUnit, ...stored } = row
  const { status } = stored
  const mayDecide = decides && mayMove('pass', status, 'reviewer')
  const shown = (form: Form): Form => (mayDecide ? form : withoutNumbers(form))
  // Once it has ended, its form is a draft that the applicant has not handed in.
  const certification =
    passed && isAmong(status, endedCertifications)
      ? { ...stored, form: passed.form, documents: await listPassedPapers(db, passed.documents) }
      : stored
  return {
    ...certification,
    form: shown(certification.form),
    // What an organisation passed is nothing for another one that a change in review names.
    passedForm: passed && (actor.role === 'operator' || ends) ? shown(passed.form) : null,
    mayDecide,
    mayRevoke: ends && mayMove('revoke', status, 'reviewer'),
    applicant: accountName || userName,
    phonenumber: mayDecide ? (phonenumber ?? '') : maskPhone(phonenumber ?? ''),
    checks: await checksOf(db, { ...certification, accountId, hasCertifiedUnit }, { today: dayOf(now), words: textOf(locale) }),
  }
}

/** A form as everybody reads it who does not decide it now: whoever does may have to call, for others the company's contact is a look that is counted. */
const withoutNumbers = (form: Form): Form =>
  Object.fromEntries(
    Object.entries(form).map(([name, value]) => [name, typeof value === 'string' && personalValues.test(name) ? maskPhone(value) : value]),
  )

/** Papers as they were passed, which a draft has replaced since. */
async function listPassedPapers(db: Read, papers: readonly Paper[]): Promise<Certification['documents']> {
  if (papers.length === 0) return []
  const ids = papers.map(({ fileId }) => fileId)
  const files = await db.selectFrom('file').where('id', 'in', ids).select(['id', 'name', 'mime']).execute()
  return papers.flatMap((paper) =>
    files
      .filter(({ id }) => id === paper.fileId)
      .map(({ name, mime }) => ({ ...paper, name, mime, status: paperStatus.passed, reason: '' })),
  )
}

type Checked = Pick<Certification, 'kind' | 'form' | 'documents' | 'parentName'> & { accountId: number; hasCertifiedUnit: boolean }

/** The points that need no judgement, so the reviewer checks only the rest. */
async function checksOf(
  db: Read,
  { kind, form, documents, parentName, accountId, hasCertifiedUnit }: Checked,
  { today, words }: { today: string; words: Text },
): Promise<CertificationReview['checks']> {
  const text = (key: string) => (typeof form[key] === 'string' ? form[key] : '')
  const missing = missingDocuments(kind, form, new Set(documents.map((paper) => paper.kind)))
  const expired = documents.filter(({ validTo }) => validTo !== null && validTo < today)
  const papers = {
    kind: 'papers' as const,
    result: missing.length + expired.length > 0 ? ('bad' as const) : ('good' as const),
    detail: [...missing, ...expired.map((paper) => paper.kind)].map((paper) => words.certification.documents[paper]).join(comma(words)),
  }
  if (kind === 'dept')
    return [papers, { kind: 'parent', result: hasCertifiedUnit ? 'good' : 'look', detail: parentName || text('parentName') }]
  const code = text('creditCode')
  const same = await db
    .selectFrom('company')
    .leftJoin('account', (join) =>
      join.onRef('account.companyId', '=', 'company.id').on('account.id', '<>', accountId).on('account.delFlag', '=', delFlag.present),
    )
    .where('company.creditCode', '=', code)
    .where('company.delFlag', '=', delFlag.present)
    .groupBy('company.id')
    .select(['company.enterpriseName', (eb) => eb.fn.count<number>('account.id').as('people')])
    .executeTakeFirst()
  const license = text('licenseValidTo')
  return [
    { kind: 'creditCode', result: isCreditCode(code) ? 'good' : 'bad', detail: code },
    {
      kind: 'duplicateCompany',
      result: same && Number(same.people) > 0 ? 'look' : 'good',
      detail: same && Number(same.people) > 0 ? same.enterpriseName : '',
    },
    { kind: 'license', result: license !== '' && license < today ? 'bad' : 'good', detail: license },
    ...(kind === 'rentout'
      ? [
          {
            kind: 'businessScope' as const,
            result: text('businessScope').includes(zhCn.certification.leaseWord) ? ('good' as const) : ('look' as const),
            detail: '',
          },
        ]
      : []),
    papers,
  ]
}

/** The units of the certified lessee with exactly this name or code, to be named as the one above; nobody can browse them. */
export function listParentUnits(db: Read, keyword: string) {
  return db
    .selectFrom('company')
    .innerJoin('dept', 'dept.companyId', 'company.id')
    .where('company.lesseeAudit', '=', certificationStatus.passed)
    .where('company.delFlag', '=', delFlag.present)
    .where((eb) => eb.or([eb('company.enterpriseName', '=', keyword), eb('company.creditCode', '=', keyword.toUpperCase())]))
    .where('dept.deptType', 'in', unitTypes)
    .where('dept.status', '=', enableStatus.enabled)
    .where('dept.delFlag', '=', delFlag.present)
    .orderBy('dept.ancestors')
    .orderBy('dept.orderNum')
    .limit(100)
    .select(['dept.id as deptId', 'dept.deptName', 'company.enterpriseName'])
    .execute()
}
