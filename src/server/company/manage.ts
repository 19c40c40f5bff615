import { sql } from 'kysely'
import { maskPhone } from '#shared/account/rules.ts'
import { entriesInForce } from '#shared/blacklist/rules.ts'
import type { pickCompanies as pickCompaniesCall } from '#shared/broadcast/contract.ts'
import type * as contract from '#shared/company/manage.ts'
import { companyStatus, type CompanyStatus } from '#shared/company/rules.ts'
import type { Download, Received } from '#shared/endpoint.ts'
import { liveContracts } from '#shared/contract/rules.ts'
import { shelfStatus } from '#shared/equipment/rules.ts'
import { delFlag, exportLimit } from '#shared/rules.ts'
import { nameIn } from '#shared/text/name-in.ts'
import { isPersonOf } from '../account/people.ts'
import { endSessionsOfAll } from '../account/sessions.ts'
import type { Actor } from '../actor/actor.ts'
import { logTaken } from '../audit/log.ts'
import type { Read, Tx } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { isUnfiltered, listOf, listPage, orderOf, pageId, type List, type Paging } from '../db/paging.ts'
import { contains } from '../db/search.ts'
import type { Context, Deed } from '../deed.ts'
import { takeFleetOff } from '../equipment/shelf.ts'
import { textOf } from '../http/locale.ts'
import { Refusal } from '../http/refusal.ts'
import { mayLet } from '../public-lessors.ts'
import { regionNamesOf } from '../region/queries.ts'
import { listWorkbook } from '../workbook/list-workbook.ts'
import { recordPartyMove } from '../party-move/party-moves.ts'

const present = sql.lit(delFlag.present)

const columnsOfCompany = [
  'company.id',
  'enterpriseName',
  'creditCode',
  'isLessor',
  'isLessee',
  'lessorAudit',
  'lesseeAudit',
  'grade',
  'company.status',
  ...regionNamesOf('company'),
  // Of an account with a department the company of the department counts; each way has its index.
  // Counted department by department: the planner, which knows no values, would go through the accounts of all companies.
  sql<number>`((select coalesce(sum(n), 0) from dept d, lateral (select count(*) as n from account a where a.dept_id = d.id and ${isPersonOf('a')} offset 0) own
      where d.company_id = company.id)
    + (select count(*) from account a where a.company_id = company.id and a.dept_id is null and ${isPersonOf('a')}))::int`.as('people'),
  sql<number>`(select count(*)::int from equipment e where e.company_id = company.id and e.del_flag = ${present})`.as('machines'),
  'company.createTime',
] as const

type Filter = Received<typeof contract.exportCompanies>['query']

const sortColumns = {
  enterpriseName: { column: sql.ref('company.enterprise_name') },
  createTime: { column: sql.ref('company.create_time') },
} as const

export async function listCompanies(db: Read, filter: Filter & Paging) {
  let query = db.selectFrom('company').where('company.delFlag', '=', present)
  const { keyword, kind, grade, status, provinceId } = filter
  if (keyword)
    query = query.where((eb) => eb.or([eb('enterpriseName', 'like', contains(keyword)), eb('creditCode', '=', keyword.toUpperCase())]))
  if (kind) query = query.where(kind === 'lessor' ? 'isLessor' : 'isLessee', '=', sql.lit(true))
  if (grade) query = query.where('grade', '=', grade)
  if (status) query = query.where('status', '=', status)
  if (provinceId) query = query.where('provinceId', '=', provinceId)
  const order = orderOf({ sort: filter.sort, columns: sortColumns, id: 'company.id' })
  const list: List = { ...listOf(query, 'company.id', order), isWhole: isUnfiltered(filter), isDear: Boolean(keyword) }
  const card = db.selectFrom('company').where('company.id', '=', pageId).select(columnsOfCompany)
  return listPage(db, { list, paging: filter, card })
}

/** Makes a workbook of the filtered list and logs that it was made. */
export async function exportCompanies(
  { db, actor, now, locale }: Pick<Context, 'db' | 'now' | 'locale'> & { actor: Actor },
  filter: Filter,
): Promise<Download> {
  const text = textOf(locale)
  const words = text.admin.companies
  const list = await listCompanies(db, { ...filter, pageNum: 1, pageSize: exportLimit, exact: true })
  const file = await listWorkbook({
    title: text.admin.menu.companies,
    text,
    columns: [
      { label: words.name, width: 36, value: (row) => row.enterpriseName },
      { label: text.list.company.creditCode, width: 24, value: (row) => row.creditCode },
      {
        label: words.kind,
        width: 16,
        value: (row) => [row.isLessor && words.kinds.lessor, row.isLessee && words.kinds.lessee].filter(Boolean).join(' / '),
      },
      { label: words.grade, width: 8, value: (row) => row.grade },
      { label: words.region, width: 20, value: (row) => nameIn(text, row.regionName, row.regionNameEn) },
      { label: words.people, width: 8, format: 'whole', value: (row) => row.people },
      { label: words.machines, width: 8, format: 'whole', value: (row) => row.machines },
      { label: text.site.common.status, width: 10, value: (row) => words.status[row.status] },
      { label: words.created, width: 20, format: 'moment', value: (row) => row.createTime },
    ],
    list,
  })
  await logTaken({ db, actor, now }, { action: 'company.export', bizType: 'company', after: filter })
  return file
}

/** One company with its machines, demands and deals counted. */
export async function getCompany(db: Read, id: number) {
  const company = await db
    .selectFrom('company')
    .where('id', '=', id)
    .where('delFlag', '=', delFlag.present)
    .select([
      ...columnsOfCompany,
      'lockReason',
      'contactName',
      'contactPhone',
      'legalPerson',
      'address',
      'lessorValidTo',
      mayLet('company').as('isPublic'),
      sql<number>`(select count(*)::int from equipment e
        where e.company_id = company.id and e.shelf_status = ${sql.lit(shelfStatus.on)} and e.del_flag = ${present})`.as('onShelf'),
      sql<number>`(select count(*)::int from demand d
        where d.company_id = company.id and d.publish_time is not null and d.del_flag = ${present})`.as('demands'),
      sql<number>`(select count(*)::int from quote q where q.company_id = company.id and q.open_time is not null)`.as('quotes'),
      sql<number>`(select count(distinct award_id)::int from award_line l where l.company_id = company.id)`.as('won'),
      sql<number>`(select count(*)::int from blacklist b where b.company_id = company.id and b.status in (${literals(entriesInForce)}))`.as(
        'restrictions',
      ),
    ])
    .executeTakeFirst()
  if (!company) throw new Refusal('not_found')
  const { total, rows } = await findLiveContracts(db, id, shownContracts)
  return { ...company, contactPhone: maskPhone(company.contactPhone), contractCount: total, contracts: rows }
}

type Grading = Pick<Received<typeof contract.gradeCompany>['body'], 'grade' | 'before'> & { id: number }

/** Sets the grade of a company if nobody changed it meanwhile; null takes it away. */
export async function gradeCompany({ db, now }: Pick<Deed, 'db' | 'now'>, { id, grade, before }: Grading): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('company')
    .set({ grade, updateTime: now })
    .where('id', '=', id)
    .where('delFlag', '=', delFlag.present)
    .where('grade', 'is not distinct from', before)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) await refuseUnmoved(db, id)
}

/**
 * Locks a company: its people are signed out and sign in no more, and its machines leave the shelf. Its contracts go on and say in their history that this
 * side is locked. Refuses `company_has_contracts` where they are not as many as whoever locks it was shown.
 */
export async function lockCompany(deed: Deed, { id, reason, contracts }: { id: number; reason: string; contracts: number }): Promise<void> {
  const { db, now } = deed
  await moveCompany(deed, { id, from: companyStatus.active, to: companyStatus.locked, lockReason: reason })
  const { total } = await findLiveContracts(db, id, 0)
  if (total !== contracts) throw new Refusal('company_has_contracts')
  await takeFleetOff(db, { companyId: id, now })
  const { rows } = await sql<{ id: number }>`select a.id from account a left join dept d on d.id = a.dept_id
    where coalesce(d.company_id, a.company_id) = ${id} and ${isPersonOf('a')}`.execute(db)
  await endSessionsOfAll(
    deed,
    rows.map((account) => account.id),
  )
  // At the end: whoever signs a contract or names people in it locks machines and accounts before its chain.
  await recordPartyMove(deed, { companyId: id, move: 'lock' })
}

/** Lets the company's people sign in again; its machines stay off the shelf until it puts them back. */
export async function unlockCompany(deed: Deed, id: number): Promise<void> {
  await moveCompany(deed, { id, from: companyStatus.locked, to: companyStatus.active, lockReason: '' })
  await recordPartyMove(deed, { companyId: id, move: 'unlock' })
}

/** Contracts of the company, on either side, in which somebody still has to act. */
const liveContractsOf = (db: Read, id: number) =>
  db
    .selectFrom('contract')
    .where('contract.status', 'in', liveContracts)
    .where((eb) => eb.or([eb('contract.lesseeCompanyId', '=', id), eb('contract.lessorCompanyId', '=', id)]))

/** How many of them a question shows by name. */
const shownContracts = 8

async function findLiveContracts(db: Read, id: number, limit: number) {
  const { total } = await liveContractsOf(db, id)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await liveContractsOf(db, id)
    .innerJoin('company as other', (join) =>
      join.on(
        sql<boolean>`other.id = case when contract.lessee_company_id = ${id} then contract.lessor_company_id else contract.lessee_company_id end`,
      ),
    )
    // Those that bind somebody stand first.
    .orderBy('contract.status', 'desc')
    .orderBy('contract.id', 'desc')
    .limit(limit)
    .select(['contract.id', 'contract.contractCode', 'contract.title', 'contract.status', 'other.enterpriseName as otherName'])
    .execute()
  return { total, rows }
}

type Move = { id: number; from: CompanyStatus; to: CompanyStatus; lockReason: string }

async function moveCompany({ db, now }: Deed, { id, from, to, lockReason }: Move): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('company')
    .set({ status: to, lockReason, updateTime: now })
    .where('id', '=', id)
    .where('delFlag', '=', delFlag.present)
    .where('status', '=', from)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) await refuseUnmoved(db, id)
}

/** Refuses a change of a company that is no longer as its page showed it, or is none. */
async function refuseUnmoved(db: Tx, id: number): Promise<never> {
  const known = await db.selectFrom('company').where('id', '=', id).where('delFlag', '=', delFlag.present).select('id').executeTakeFirst()
  throw new Refusal(known ? 'changed' : 'not_found')
}

/** Companies whose name holds the words, and those already chosen; with `isLessee` only lessees. */
export function pickCompanies(db: Read, { keyword, ids, isLessee }: Received<typeof pickCompaniesCall>['query'] & { isLessee: boolean }) {
  const words = keyword.trim()
  return db
    .selectFrom('company')
    .$if(isLessee, (query) => query.where('isLessee', '=', true))
    .where('delFlag', '=', delFlag.present)
    .where((eb) =>
      eb.or([...(ids.length > 0 ? [eb('id', 'in', ids)] : []), ...(words ? [eb('enterpriseName', 'like', contains(words))] : [])]),
    )
    .orderBy('enterpriseName')
    .limit(Math.max(20, ids.length))
    .select(['id', 'enterpriseName'])
    .execute()
}
