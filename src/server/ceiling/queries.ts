import { sql } from 'kysely'
import type * as contract from '#shared/ceiling/contract.ts'
import type { CeilingInput, CeilingLine } from '#shared/ceiling/contract.ts'
import { isLongTerm } from '#shared/ceiling/rules.ts'
import type { Download, Received } from '#shared/endpoint.ts'
import { exportLimit } from '#shared/rules.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { nameIn } from '#shared/text/name-in.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { paged, sorted } from '../db/paging.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed } from '../deed.ts'
import { ownProject } from '../dept/project.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import { listWorkbook, yuanCell } from '../workbook/list-workbook.ts'

type Filter = Received<typeof contract.exportCeilings>['query']

const sortColumns = {
  price: { column: sql.ref('price_ceiling.price_fen') },
  fromDay: { column: sql.ref('price_ceiling.from_day') },
} as const

export function listCeilings(db: Read, actor: Actor, filter: Filter & { pageNum: number; pageSize: number }) {
  let ceilings = db
    .selectFrom('priceCeiling')
    .innerJoin('dept', 'dept.id', 'priceCeiling.deptId')
    .innerJoin('category', 'category.id', 'priceCeiling.categoryId')
    .where(
      // The departments are named first, so that an index finds the ceilings of each.
      sql<boolean>`price_ceiling.dept_id = any(array(select d.id from dept d where ${inScope('d.id', actor)}
        or d.id in (select unnest(ancestors) from dept where id = ${actor.deptId})))`,
    )
  if (filter.categoryId) ceilings = ceilings.where('priceCeiling.categoryId', '=', filter.categoryId)
  return paged(ceilings, filter, (query) =>
    sorted(
      query.select([
        'priceCeiling.id',
        'priceCeiling.deptId',
        'dept.deptName',
        'priceCeiling.categoryId',
        'category.name as categoryName',
        'category.nameEn as categoryNameEn',
        'mainMin',
        'mainMax',
        'priceCeiling.provinceId',
        sql<string>`coalesce((select name from region where code = price_ceiling.province_id), '')`.as('provinceName'),
        sql<string>`coalesce((select name_en from region where code = price_ceiling.province_id), '')`.as('provinceNameEn'),
        'rentUnit',
        'shiftMode',
        'withOperator',
        'fuelBy',
        'longTerm',
        'priceFen as price',
        'fromDay',
        'toDay',
        'priceCeiling.version',
        sql<boolean>`(${actor.isAdmin} and ${actor.role === 'leaseholder'} and ${inScope('price_ceiling.dept_id', actor)})`.as('mine'),
      ]),
      {
        sort: filter.sort,
        columns: sortColumns,
        id: 'priceCeiling.id',
        usual: (rows) => rows.orderBy('priceCeiling.categoryId').orderBy('mainMin').orderBy('priceCeiling.id'),
      },
    ),
  )
}

/** The list as a workbook, in the language of the reader. */
export async function ceilingsWorkbook(db: Read, actor: Actor, { filter, text }: { filter: Filter; text: Text }): Promise<Download> {
  const words = text.ceiling
  const list = await listCeilings(db, actor, { ...filter, pageNum: 1, pageSize: exportLimit })
  return listWorkbook({
    title: words.title,
    text,
    columns: [
      { label: words.category, width: 20, value: (row) => nameIn(text, row.categoryName, row.categoryNameEn) },
      { label: words.mainMin, width: 14, value: (row) => row.mainMin },
      { label: words.mainMax, width: 14, value: (row) => row.mainMax },
      { label: words.price, width: 14, format: 'money', value: (row) => yuanCell(row.price) },
      { label: text.quote.form.rentUnit, width: 12, value: (row) => text.equipment.unit[row.rentUnit] },
      { label: text.demand.form.shift, width: 10, value: (row) => text.demand.shift[row.shiftMode] },
      {
        label: words.province,
        width: 14,
        value: (row) => nameIn(text, row.provinceName, row.provinceNameEn) || words.everywhere,
      },
      { label: words.withOperator, width: 12, value: (row) => (row.withOperator ? text.site.common.yes : text.site.common.no) },
      { label: text.demand.duties.fuelBy, width: 12, value: (row) => text.demand.side[row.fuelBy] },
      { label: words.longTerm, width: 12, value: (row) => (row.longTerm ? text.site.common.yes : text.site.common.no) },
      { label: words.fromDay, width: 14, format: 'day', value: (row) => row.fromDay },
      { label: words.toDay, width: 14, format: 'day', value: (row) => row.toDay },
      { label: words.dept, width: 24, value: (row) => row.deptName },
    ],
    list,
  })
}

type Saved = CeilingInput & { id?: number | undefined; version?: number | undefined }

/** Adds a ceiling, or changes one that nobody changed meanwhile. */
export async function saveCeiling({ db, actor, now }: Deed, { id, version, price, ...input }: Saved): Promise<{ id: number }> {
  const dept = await db.selectFrom('dept').where('id', '=', input.deptId).where(inScope('dept.id', actor)).select('id').executeTakeFirst()
  if (!dept) refuseField(['deptId'], 'dept_unknown')
  const category = await db.selectFrom('category').where('id', '=', input.categoryId).where('level', '=', 2).select('id').executeTakeFirst()
  if (!category) refuseField(['categoryId'], 'category')
  const values = { ...input, priceFen: price, accountId: actor.accountId, updateTime: now }
  if (id === undefined) return db.insertInto('priceCeiling').values(values).returning('id').executeTakeFirstOrThrow()
  const own = await db
    .selectFrom('priceCeiling')
    .where('id', '=', id)
    .where(inScope('price_ceiling.dept_id', actor))
    .select('id')
    .executeTakeFirst()
  if (!own) throw new Refusal('not_found')
  const { numUpdatedRows } = await db
    .updateTable('priceCeiling')
    .set({ ...values, version: nextVersion })
    .where('id', '=', id)
    .where('version', '=', version ?? 0)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Refusal('changed')
  return { id }
}

export async function deleteCeiling({ db, actor }: Deed, id: number): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('priceCeiling')
    .where('id', '=', id)
    .where(inScope('price_ceiling.dept_id', actor))
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new Refusal('not_found')
}

/** The ceilings of the lines of a demand that one of the own projects is about to publish. */
export async function lookUpCeilings(db: Read, actor: Actor, { items, ...where }: Received<typeof contract.lookUpCeilings>['body']) {
  await ownProject(db, actor, where.deptId)
  return ceilingsFor(db, where, items)
}

/** Whether the department or a unit above it has ceilings in one of the categories, as a column of a query of `dept`. */
export const hasCeilings = (categoryIds: readonly number[]) =>
  sql<boolean>`exists (select from price_ceiling c where c.category_id = any(${[...categoryIds]}::integer[])
    and (c.dept_id = dept.id or c.dept_id = any(dept.ancestors)))`

/**
 * The ceiling of each line in fen: of the nearest unit at or above the project, of the province before everywhere, of
 * the narrowest band of the main parameter.
 */
export async function ceilingsFor(
  db: Read,
  where: { deptId: number; provinceId: number; operatorBy: string; fuelBy: string },
  items: readonly CeilingLine[],
): Promise<(number | null)[]> {
  const lines = items.map(({ categoryId, mainValue, rentUnit, shiftMode, planStart, planEnd }) => ({
    categoryId,
    mainValue,
    rentUnit,
    shiftMode,
    planStart,
    longTerm: isLongTerm(planStart, planEnd),
  }))
  const { rows } = await sql<{ price: number | null }>`
    select (select c.price_fen from price_ceiling c join dept p on p.id = ${where.deptId}
      where c.category_id = l."categoryId" and (c.dept_id = p.id or c.dept_id = any(p.ancestors))
        and c.rent_unit = l."rentUnit" and c.shift_mode = l."shiftMode" and c.with_operator = ${where.operatorBy === 'lessor'}
        and c.fuel_by = ${where.fuelBy} and c.long_term = l."longTerm" and (c.province_id is null or c.province_id = ${where.provinceId})
        and (c.main_min is null or l."mainValue" >= c.main_min) and (c.main_max is null or l."mainValue" <= c.main_max)
        and c.from_day <= l."planStart" and (c.to_day is null or c.to_day > l."planStart")
      order by array_position(p.ancestors || p.id, c.dept_id) desc, c.province_id is null, coalesce(c.main_max, 1e9) - coalesce(c.main_min, 0), c.id desc
      limit 1) as price
    from json_array_elements(${JSON.stringify(lines)}::json) with ordinality as line (value, place), json_to_record(line.value)
      as l ("categoryId" integer, "rentUnit" text, "shiftMode" text, "mainValue" numeric, "longTerm" boolean, "planStart" date)
    order by line.place`.execute(db)
  return rows.map(({ price }) => price)
}
