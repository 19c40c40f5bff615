import { sql } from 'kysely'
import type { Certification, CertificationReview, CertificationRow } from '#shared/certification/contract.ts'
import {
  missingDocuments,
  type CertificationDocument,
  type CertificationKind,
  type CertificationStatus,
} from '#shared/certification/rules.ts'
import { isCreditCode } from '#shared/company/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { maskPhone } from '#shared/account/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import type { Db, Read } from '../db/connect.ts'
import { Refusal } from '../http/refusal.ts'

export type Form = Record<string, unknown>
export type Paper = { kind: CertificationDocument; fileId: string; validTo: string | null }

const columns = [
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

export function findOwnCertifications(db: Read, accountId: number): Promise<Certification[]> {
  return db.selectFrom('certification').where('accountId', '=', accountId).orderBy('id').select(columns).execute()
}

/** Only an administrator reviews for his organisation; the operator does for the platform. */
function mayReview(actor: Actor): void {
  if (actor.role === 'leaseholder' && !actor.isAdmin) throw new Refusal('forbidden')
}

/** What a reviewer sees: the operator all, an organisation the project departments that name one of its units. */
const visible = (db: Read, actor: Actor) => {
  mayReview(actor)
  const query = db.selectFrom('certification').where('certification.status', '<>', '0')
  return actor.role === 'operator'
    ? query
    : query.where('certification.kind', '=', 'dept').where(inScope('certification.parent_dept_id', actor))
}

/**
 * What a reviewer decides: where the unit above is certified its administrator does, otherwise the operator (product 2).
 * As a condition for the update that decides.
 */
export function decidesFor(actor: Actor) {
  mayReview(actor)
  return actor.role === 'operator'
    ? sql<boolean>`certification.parent_dept_id is null`
    : sql<boolean>`certification.kind = 'dept' and ${inScope('certification.parent_dept_id', actor)}`
}

export async function findCertifications(
  db: Read,
  actor: Actor,
  filter: {
    status?: CertificationStatus | undefined
    kind?: CertificationKind | undefined
    keyword?: string | undefined
    pageNum: number
    pageSize: number
  },
): Promise<{ total: number; rows: CertificationRow[] }> {
  let query = visible(db, actor).innerJoin('account', 'account.id', 'certification.accountId')
  // A change in review waits like a first application.
  if (filter.status) query = query.where('certification.status', 'in', filter.status === '1' ? ['1', '5'] : [filter.status])
  if (filter.kind) query = query.where('certification.kind', '=', filter.kind)
  if (filter.keyword) query = query.where('certification.name', 'like', `%${filter.keyword.replace(/[\\%_]/g, '\\$&')}%`)
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await query
    .orderBy(sql`certification.status in ('1', '5') desc`)
    .orderBy('certification.submittedAt')
    .orderBy('certification.id')
    .limit(filter.pageSize)
    .offset((filter.pageNum - 1) * filter.pageSize)
    .select([
      'certification.id',
      'certification.kind',
      'certification.status',
      'certification.name',
      'certification.submittedAt',
      'certification.reviewedAt',
      applicantName.as('accountName'),
      'account.userName',
      'account.phonenumber',
    ])
    .execute()
  return {
    total,
    rows: rows.map(({ accountName, userName, phonenumber, ...row }) => ({
      ...row,
      applicant: accountName || userName,
      phonenumber: maskPhone(phonenumber ?? ''),
    })),
  }
}

export function countWaiting(db: Read, actor: Actor): Promise<number> {
  return visible(db, actor)
    .where('certification.status', 'in', ['1', '5'])
    .where(decidesFor(actor))
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
    .then(({ n }) => n)
}

export async function findCertificationForReview(
  db: Read,
  actor: Actor,
  id: number,
  today: string,
): Promise<CertificationReview | undefined> {
  const row = await visible(db, actor)
    .innerJoin('account', 'account.id', 'certification.accountId')
    .where('certification.id', '=', id)
    .select([
      ...columns,
      'certification.passedForm as passed',
      'certification.accountId',
      applicantName.as('accountName'),
      'account.userName',
      'account.phonenumber',
    ])
    .executeTakeFirst()
  if (!row) return undefined
  const { accountId, accountName, userName, phonenumber, passed, ...certification } = row
  return {
    ...certification,
    passedForm: passed?.form ?? null,
    applicant: accountName || userName,
    phonenumber: phonenumber ?? '',
    checks: await checksOf(db, certification, accountId, today),
  }
}

/** What a machine can check, so that the person looks at the rest. */
async function checksOf(
  db: Read,
  { kind, form, documents, parentName }: Pick<Certification, 'kind' | 'form' | 'documents' | 'parentName'>,
  accountId: number,
  today: string,
): Promise<CertificationReview['checks']> {
  const text = (key: string) => (typeof form[key] === 'string' ? form[key] : '')
  const missing = missingDocuments(kind, form, new Set(documents.map((paper) => paper.kind)))
  const expired = documents.filter(({ validTo }) => validTo !== null && validTo < today)
  const papers = {
    kind: 'papers' as const,
    result: missing.length + expired.length > 0 ? ('bad' as const) : ('good' as const),
    detail: [...missing, ...expired.map((paper) => paper.kind)].map((paper) => zhCn.certification.documents[paper]).join(' '),
  }
  if (kind === 'dept') {
    const known = parentName !== ''
    return [papers, { kind: 'parent', result: known ? 'good' : 'look', detail: parentName || text('parentName') }]
  }
  const code = text('creditCode')
  const same = await db
    .selectFrom('company')
    .leftJoin('account', (join) =>
      join.onRef('account.companyId', '=', 'company.id').on('account.id', '<>', accountId).on('account.delFlag', '=', '0'),
    )
    .where('company.creditCode', '=', code)
    .where('company.delFlag', '=', '0')
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

/** Units one may name as the one above: of the certified lessee with exactly this name or code, so that nobody browses. */
export async function findParentUnits(db: Db, keyword: string) {
  return db
    .selectFrom('company')
    .innerJoin('dept', 'dept.companyId', 'company.id')
    .where('company.lesseeAudit', '=', '2')
    .where('company.delFlag', '=', '0')
    .where((eb) => eb.or([eb('company.enterpriseName', '=', keyword), eb('company.creditCode', '=', keyword.toUpperCase())]))
    .where('dept.deptType', 'in', ['1', '2'])
    .where('dept.status', '=', '0')
    .where('dept.delFlag', '=', '0')
    .orderBy('dept.ancestors')
    .orderBy('dept.orderNum')
    .limit(100)
    .select(['dept.id as deptId', 'dept.deptName', 'company.enterpriseName'])
    .execute()
}
