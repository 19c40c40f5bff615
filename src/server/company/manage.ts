import { sql } from 'kysely'
import { maskPhone } from '#shared/account/rules.ts'
import type { grades, ManagedCompany } from '#shared/company/manage.ts'
import type { CompanyStatus } from '#shared/company/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { endSessionsOf } from '../account/sessions.ts'
import { audited } from '../audit/log.ts'
import type { Db, Read } from '../db/connect.ts'
import { contains } from '../db/search.ts'
import { Refusal } from '../http/refusal.ts'
import type { Hub } from '../message/hub.ts'
import { regionNameOf } from '../region/queries.ts'

type Grade = (typeof grades)[number]
type Filter = {
  keyword?: string | undefined
  kind?: 'lessor' | 'lessee' | undefined
  grade?: Grade | undefined
  status?: CompanyStatus | undefined
  provinceId?: number | undefined
  pageNum: number
  pageSize: number
}

const people = sql<number>`(select count(*)::int from account a left join dept d on d.id = a.dept_id
  where coalesce(d.company_id, a.company_id) = company.id and a.del_flag = '0' and a.user_type <> '8')`

const columns = [
  'company.id',
  'enterpriseName',
  'creditCode',
  'isLessor',
  'isLessee',
  'lessorAudit',
  'lesseeAudit',
  'grade',
  'company.status',
  regionNameOf('company').as('regionName'),
  people.as('people'),
  sql<number>`(select count(*)::int from equipment e where e.company_id = company.id and e.del_flag = '0')`.as('machines'),
  'company.createTime',
] as const

export async function findCompanies(db: Read, filter: Filter): Promise<{ total: number; rows: ManagedCompany[] }> {
  let query = db.selectFrom('company').where('delFlag', '=', '0')
  if (filter.keyword) {
    const pattern = contains(filter.keyword)
    query = query.where((eb) => eb.or([eb('enterpriseName', 'like', pattern), eb('creditCode', '=', filter.keyword?.toUpperCase() ?? '')]))
  }
  if (filter.kind) query = query.where(filter.kind === 'lessor' ? 'isLessor' : 'isLessee', '=', true)
  if (filter.grade) query = query.where('grade', '=', filter.grade)
  if (filter.status) query = query.where('status', '=', filter.status)
  if (filter.provinceId) query = query.where('provinceId', '=', filter.provinceId)
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await query
    .orderBy('id', 'desc')
    .limit(filter.pageSize)
    .offset((filter.pageNum - 1) * filter.pageSize)
    .select(columns)
    .execute()
  return { total, rows }
}

export async function findCompany(db: Read, id: number) {
  const company = await db
    .selectFrom('company')
    .where('id', '=', id)
    .where('delFlag', '=', '0')
    .select([
      ...columns,
      'lockReason',
      'contactName',
      'contactPhone',
      'legalPerson',
      'address',
      'lessorValidTo',
      sql<number>`(select count(*)::int from equipment e where e.company_id = company.id and e.shelf_status = '1' and e.del_flag = '0')`.as(
        'onShelf',
      ),
      sql<number>`(select count(*)::int from demand d where d.company_id = company.id and d.status <> '0' and d.del_flag = '0')`.as(
        'demands',
      ),
      sql<number>`(select count(*)::int from quote q where q.company_id = company.id)`.as('quotes'),
      sql<number>`(select count(distinct award_id)::int from award_line l where l.company_id = company.id)`.as('won'),
      sql<number>`(select count(*)::int from blacklist b where b.company_id = company.id and b.status in ('2', '3'))`.as('restrictions'),
    ])
    .executeTakeFirst()
  return company && { ...company, contactPhone: maskPhone(company.contactPhone) }
}

export async function setGrade(db: Db, actor: Actor, id: number, grade: Grade | null, reason: string, now: Date): Promise<void> {
  await db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'company.grade', bizType: 'company', id, reason }, now, async () => {
      const { numUpdatedRows } = await tx
        .updateTable('company')
        .set({ grade, updateTime: now })
        .where('id', '=', id)
        .where('delFlag', '=', '0')
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new Refusal('not_found')
    }),
  )
}

/** Locks or unlocks: the row, everybody's sessions and the shelf in one transaction. */
export async function setCompanyLock(
  db: Db,
  hub: Hub,
  actor: Actor,
  id: number,
  locked: boolean,
  reason: string,
  now: Date,
): Promise<void> {
  const action = locked ? 'company.lock' : 'company.unlock'
  await db.transaction().execute((tx) =>
    audited(tx, actor, { action, bizType: 'company', id, reason }, now, async () => {
      const { numUpdatedRows } = await tx
        .updateTable('company')
        .set({ status: locked ? '1' : '0', lockReason: locked ? reason : '', updateTime: now })
        .where('id', '=', id)
        .where('delFlag', '=', '0')
        .where('status', '=', locked ? '0' : '1')
        .executeTakeFirst()
      if (numUpdatedRows === 0n) {
        const known = await tx.selectFrom('company').where('id', '=', id).where('delFlag', '=', '0').select('id').executeTakeFirst()
        throw new Refusal(known ? 'changed' : 'not_found')
      }
      if (!locked) return
      await tx
        .updateTable('equipment')
        .set((eb) => ({ shelfStatus: '0', updateTime: now, version: eb('version', '+', 1) }))
        .where('companyId', '=', id)
        .where('shelfStatus', '=', '1')
        .execute()
      const { rows } = await sql<{ id: number }>`select a.id from account a left join dept d on d.id = a.dept_id
        where coalesce(d.company_id, a.company_id) = ${id} and a.user_type <> '8' and a.del_flag = '0'`.execute(tx)
      for (const account of rows) await endSessionsOf(tx, hub, account.id, null)
    }),
  )
}

/** Companies whose name holds the words, and those already chosen. */
export function pickCompanies(db: Read, keyword: string, ids: readonly number[]) {
  const pattern = contains(keyword.trim())
  return db
    .selectFrom('company')
    .where('delFlag', '=', '0')
    .where((eb) =>
      eb.or([...(ids.length > 0 ? [eb('id', 'in', ids)] : []), ...(keyword.trim() ? [eb('enterpriseName', 'like', pattern)] : [])]),
    )
    .orderBy('enterpriseName')
    .limit(Math.max(20, ids.length))
    .select(['id', 'enterpriseName'])
    .execute()
}
