import { sql } from 'kysely'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { listed, pageOf, type Paging } from '../db/paging.ts'
import { holdsWords } from '../db/search.ts'
import { regionNameOf } from '../region/queries.ts'

type Filter = Paging & {
  enterpriseName?: string | undefined
  provinceId?: number | undefined
  cityId?: number | undefined
  categoryId?: number | undefined
  fatherCategoryId?: number | undefined
}

const lessors = (db: Read) =>
  db
    .selectFrom('company')
    .where('company.isLessor', '=', sql.lit(true))
    .where('company.lessorAudit', '=', sql.lit('2'))
    .where('company.status', '=', sql.lit('0'))
    .where('company.blacklistedAt', 'is', null)
    .where('company.delFlag', '=', sql.lit('0'))

const withCard = (query: ReturnType<typeof lessors>) =>
  query.select([
    'company.id',
    'company.enterpriseName',
    'company.provinceId',
    'company.cityId',
    regionNameOf('company').as('regionName'),
    'company.grade',
    sql<number>`(select count(*)::int from equipment e where e.company_id = company.id and e.shelf_status = '1' and e.del_flag = '0')`.as(
      'equipmentCount',
    ),
    sql<number>`(select count(*)::int from award_line a where a.company_id = company.id)`.as('dealCount'),
    sql<
      { id: number; name: string; nameEn: string }[]
    >`coalesce((select json_agg(json_build_object('id', c.id, 'name', c.name, 'nameEn', c.name_en) order by c.id)
      from category c where c.id = any(company.main_categories)), '[]')`.as('mainCategories'),
  ])

export async function findLessors(db: Read, filter: Filter) {
  let query = lessors(db)
  if (filter.provinceId) query = query.where('company.provinceId', '=', filter.provinceId)
  if (filter.cityId) query = query.where('company.cityId', '=', filter.cityId)
  if (filter.enterpriseName) query = query.where(holdsWords('company', filter.enterpriseName))
  const { categoryId, fatherCategoryId } = filter
  if (categoryId || fatherCategoryId)
    query = query.where((eb) => {
      let machines = eb.selectFrom('equipment as e').whereRef('e.companyId', '=', 'company.id').where('e.shelfStatus', '=', '1')
      if (categoryId) machines = machines.where('e.categoryId', '=', categoryId)
      if (fatherCategoryId) machines = machines.where('e.fatherCategoryId', '=', fatherCategoryId)
      return eb.exists(machines.select('e.id'))
    })
  const ids = query
    .orderBy('company.grade', (by) => by.asc().nullsLast())
    .orderBy('company.id', 'desc')
    .select('company.id')
  const rows = await withCard(db.selectFrom('company'))
    .innerJoin(pageOf(ids, filter), 'page.id', 'company.id')
    .select('page.total')
    .orderBy('page.at')
    .execute()
  return listed(db, rows, () => ids, filter)
}

/** Those of the ids that are certified lessors. */
export function findLessorsByIds(db: Read, ids: readonly number[]) {
  return ids.length === 0 ? Promise.resolve([]) : withCard(lessors(db).where('company.id', 'in', ids)).execute()
}

export function findLessor(db: Read, id: number) {
  return withCard(lessors(db).where('company.id', '=', id))
    .select([
      'company.intro',
      'company.scaleType',
      'company.taxpayerType',
      'company.establishedOn',
      'company.lessorValidTo as certifiedTo',
      sql<{ code: number; name: string }[]>`coalesce((select json_agg(json_build_object('code', r.code, 'name', r.name) order by r.code)
        from region r where r.code = any(company.service_regions)), '[]')`.as('serviceRegions'),
      sql<{ invited: number; answered: number; quoted: number; won: number; withdrawn: number }>`(select json_build_object(
        'invited', (select count(*) from demand_invite v join demand d on d.id = v.demand_id where v.company_id = company.id and d.status <> '3'),
        'answered', (select count(*) from demand_invite v join demand d on d.id = v.demand_id where v.company_id = company.id and d.status <> '3'
          and exists (select 1 from quote q where q.demand_id = v.demand_id and q.company_id = company.id)),
        'quoted', (select count(*) from quote q where q.company_id = company.id and q.status not in ('1', '2')),
        'won', (select count(*) from quote q where q.company_id = company.id and q.status = '6'),
        'withdrawn', (select count(*) from quote q where q.company_id = company.id and q.status = '2')))`.as('record'),
      sql<{ categoryId: number; fatherCategoryId: number; name: string; nameEn: string; count: number }[]>`coalesce((
        select json_agg(json_build_object('categoryId', c.id, 'fatherCategoryId', c.parent_id, 'name', c.name, 'nameEn', c.name_en, 'count', f.n) order by f.n desc, c.id)
        from (select category_id, sum(total_qty)::int as n from equipment where company_id = company.id and shelf_status = '1' and del_flag = '0' group by category_id) f
        join category c on c.id = f.category_id), '[]')`.as('fleet'),
    ])
    .executeTakeFirst()
}

/** Project departments the person may publish for. */
export function findOwnProjects(db: Read, actor: Actor) {
  return db
    .selectFrom('dept')
    .where('deptType', '=', '3')
    .where('status', '=', '0')
    .where('delFlag', '=', '0')
    .where(inScope('dept.id', actor))
    .orderBy('orderNum')
    .orderBy('id')
    .select([
      'id as deptId',
      'deptName',
      sql<string>`coalesce(project_name, dept_name)`.as('projectName'),
      sql<string>`coalesce(project_type, 'other')`.as('projectType'),
      'provinceId',
      'cityId',
      'districtId',
      'address',
      'lowEmissionZone',
      'leader',
      'phone',
    ])
    .execute()
}
