import { sql, type RawBuilder } from 'kysely'
import type * as contract from '#shared/company/contract.ts'
import type { Received } from '#shared/endpoint.ts'
import { quoteStatus } from '#shared/quote/rules.ts'
import { recordContactLook } from '../actor/contact-look.ts'
import type { Read } from '../db/connect.ts'
import type { Deed } from '../deed.ts'
import { listOf, listPage, mostFound, pageId, type List, type OrderKey } from '../db/paging.ts'
import { areFrequent, holdsWords, rowHoldsWords } from '../db/search.ts'
import { isOnShelf } from '../equipment/shelf.ts'
import { Refusal } from '../http/refusal.ts'
import { publicLessors } from '../public-lessors.ts'
import { regionNamesOf } from '../region/queries.ts'

/** The demands that the lessor has won and not given up: its deals, on its card as in its record. */
const deals = sql<number>`(select count(*)::int from quote q where q.company_id = company.id and q.status = ${sql.lit(quoteStatus.won)})`

const withCard = (query: ReturnType<typeof publicLessors>) =>
  query.select([
    'company.id',
    'company.enterpriseName',
    'company.provinceId',
    'company.cityId',
    ...regionNamesOf('company'),
    'company.grade',
    sql<number>`(select count(*)::int from equipment e where e.company_id = company.id and ${isOnShelf('e')})`.as('equipmentCount'),
    deals.as('dealCount'),
    sql<
      { id: number; name: string; nameEn: string }[]
    >`coalesce((select json_agg(json_build_object('id', c.id, 'name', c.name, 'nameEn', c.name_en) order by c.id)
      from category c where c.id = any(company.main_categories)), '[]')`.as('mainCategories'),
  ])

export async function listLessors(db: Read, filter: Received<typeof contract.listLessors>['query']) {
  const { enterpriseName: words, categoryId, fatherCategoryId } = filter
  const isFrequent = words !== undefined && (await areFrequent(db, 'company', words))
  let query = publicLessors(db)
  if (filter.provinceId) query = query.where('company.provinceId', '=', filter.provinceId)
  if (filter.cityId) query = query.where('company.cityId', '=', filter.cityId)
  if (words) query = query.where(isFrequent ? rowHoldsWords('company', words) : holdsWords('company', words))
  const hasKind = categoryId !== undefined || fatherCategoryId !== undefined
  // Added to zero, the category above is left to the index of the one below it, which has fewer machines.
  const father = categoryId ? sql`e.father_category_id + 0` : sql`e.father_category_id`
  const machines = sql`select e.company_id from equipment e where ${isOnShelf('e')}
    ${categoryId ? sql`and e.category_id = ${categoryId}` : sql``} ${fatherCategoryId ? sql`and ${father} = ${fatherCategoryId}` : sql``}`
  const order: OrderKey[] = [
    { by: sql.ref('company.grade'), direction: 'asc' },
    { by: sql.ref('company.id'), direction: 'desc' },
  ]
  // Asked of each lessor; offset 0 keeps it from becoming a join, which would lose the order.
  const ofKind = hasKind ? query.where(sql<boolean>`exists (${machines} and e.company_id = company.id offset 0)`) : query
  const isNarrow = filter.provinceId ?? filter.cityId ?? (isFrequent ? undefined : words)
  const list: List = {
    ...listOf(ofKind, 'company.id', order),
    isDear: hasKind || isFrequent,
    ...(hasKind &&
      isNarrow === undefined && { found: foundByMachines(db, query, categoryId ? eachOnce(machines) : oneAfterTheOther(machines)) }),
    ...((hasKind || isFrequent) && { bound: mostFound }),
  }
  const paging = words || hasKind ? { ...filter, most: mostFound } : filter
  return listPage(db, { list, paging, card: withCard(db.selectFrom('company').where('company.id', '=', pageId)) })
}

type Owner = { companyId: number }

/** The owners of the machines, read one machine after the other along their index: of one category a lessor has few. */
const eachOnce = (machines: RawBuilder<unknown>) =>
  sql<Owner>`(select company_id from (select company_id, lag(company_id) over (order by company_id) as before
    from (${machines}) owners) ordered where company_id is distinct from before)`

/** The owners of the machines, from each of which the index is entered for the next: of a group of categories a lessor has many. */
const oneAfterTheOther = (machines: RawBuilder<unknown>) =>
  sql<Owner>`(with recursive owners(company_id) as (
      (${machines} order by e.company_id limit 1)
      union all select (${machines} and e.company_id > owners.company_id order by e.company_id limit 1) from owners where company_id is not null)
    select company_id from owners where company_id is not null)`

/** The lessors of a category that nothing else narrows: its machines name them, and each is looked up until enough are counted. */
function foundByMachines(db: Read, query: ReturnType<typeof publicLessors>, owners: RawBuilder<Owner>): List['found'] {
  const fits = query.whereRef('company.id', '=', sql.ref('owner.company_id')).selectAll('company').offset(sql.lit(0))
  return (columns) =>
    db
      .selectFrom(owners.as('owner'))
      .crossJoinLateral(fits.as('company'))
      .select([...columns])
}

/** Those of the ids that are certified lessors. */
export function findLessorsByIds(db: Read, ids: readonly number[]) {
  return ids.length === 0 ? Promise.resolve([]) : withCard(publicLessors(db).where('company.id', 'in', ids)).execute()
}

/** A certified lessor as a party of a contract. */
export const findListedLessor = (db: Read, id: number) =>
  publicLessors(db).where('company.id', '=', id).select(['company.id', 'company.enterpriseName', 'company.scaleType']).executeTakeFirst()

/** The contact of a certified lessor. Each look that shows one is counted; beyond `limit` in 24 hours it is refused. */
export async function lookAtLessor(deed: Deed, { id, limit }: { id: number; limit: number }) {
  const contact = await publicLessors(deed.db)
    .where('company.id', '=', id)
    .select(['company.contactName', 'company.contactPhone'])
    .executeTakeFirst()
  if (!contact) throw new Refusal('not_found')
  // Whoever was the contact was erased, and nobody administers the company.
  if (!contact.contactPhone) throw new Refusal('no_contact')
  await recordContactLook(deed, { companyId: id }, limit)
  return contact
}

export async function getLessor(db: Read, id: number) {
  const lessor = await withCard(publicLessors(db).where('company.id', '=', id))
    .select([
      'company.intro',
      'company.scaleType',
      'company.taxpayerType',
      'company.establishedOn',
      'company.lessorValidTo as certifiedTo',
      sql<
        { code: number; name: string; nameEn: string }[]
      >`coalesce((select json_agg(json_build_object('code', r.code, 'name', r.name, 'nameEn', r.name_en) order by r.code)
        from region r where r.code = any(company.service_regions)), '[]')`.as('serviceRegions'),
      // Of demands that are opened, so that no figure moves with a quote that is still sealed.
      sql<{ invited: number; answered: number; quoted: number; won: number; withdrawn: number }>`(select json_build_object(
        'invited', (select count(*) from demand_invite v join demand d on d.id = v.demand_id where v.company_id = company.id and d.open_time is not null),
        'answered', (select count(*) from demand_invite v join demand d on d.id = v.demand_id where v.company_id = company.id and d.open_time is not null
          and exists (select 1 from quote q where q.demand_id = v.demand_id and q.company_id = company.id)),
        'quoted', (select count(*) from quote q where q.company_id = company.id and q.open_time is not null),
        'won', ${deals},
        'withdrawn', (select count(*) from quote q join demand d on d.id = q.demand_id
          where q.company_id = company.id and q.status = ${sql.lit(quoteStatus.withdrawn)} and d.open_time is not null)))`.as('record'),
      sql<{ categoryId: number; fatherCategoryId: number; name: string; nameEn: string; count: number }[]>`coalesce((
        select json_agg(json_build_object('categoryId', c.id, 'fatherCategoryId', c.parent_id, 'name', c.name, 'nameEn', c.name_en, 'count', f.n) order by f.n desc, c.id)
        from (select e.category_id, count(*)::int as n from equipment e where e.company_id = company.id and ${isOnShelf('e')} group by 1) f
        join category c on c.id = f.category_id), '[]')`.as('fleet'),
    ])
    .executeTakeFirst()
  if (!lessor) throw new Refusal('not_found')
  return lessor
}
