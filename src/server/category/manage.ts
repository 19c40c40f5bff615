import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { noFlags, type Param } from '#shared/category/input.ts'
import type * as contract from '#shared/category/manage.ts'
import { openDemands } from '#shared/demand/rules.ts'
import type { Received } from '#shared/endpoint.ts'
import { shelfStatus } from '#shared/equipment/rules.ts'
import { delFlag, enableStatus } from '#shared/rules.ts'
import { insertAudit } from '../audit/log.ts'
import type { Read, Tx } from '../db/connect.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed } from '../deed.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import { refreshMachines } from './machines.ts'

/** Every category in order, disabled ones too, with the number of its machines. */
export async function listManagedCategories(db: Read) {
  const rows = await db
    .selectFrom('category')
    .leftJoin(
      (eb) =>
        eb
          .selectFrom('equipment')
          .where('delFlag', '=', delFlag.present)
          .groupBy('categoryId')
          .select(['categoryId', (inner) => inner.fn.countAll<number>().as('machines')])
          .as('m'),
      (join) => join.onRef('m.categoryId', '=', 'category.id'),
    )
    .orderBy('level')
    .orderBy('parentId')
    .orderBy('orderNum')
    .orderBy('id')
    .select([
      'id',
      'parentId',
      'name',
      'nameEn',
      'alias',
      'level',
      'orderNum',
      'core',
      'operatorCert',
      'litresPerShift',
      'version',
      'status',
      'params',
      'flags',
      'priceUnits',
      sql<number>`coalesce(m.machines, 0)::int`.as('machines'),
    ])
    .execute()
  return rows.map((row) => ({ ...row, flags: { ...noFlags, ...row.flags } }))
}

/** A hash of the whole tree: each change raises the version of its row, and so changes it. */
export async function getCategoryVersion(db: Read): Promise<string> {
  const { rows } = await sql<{
    stamp: string
  }>`select coalesce(string_agg(id || ':' || version, ',' order by id), '') as stamp from category`.execute(db)
  return createHash('sha256')
    .update(rows[0]?.stamp ?? '')
    .digest('hex')
    .slice(0, 16)
}

type Input = Received<typeof contract.addCategory>['body']

async function columnsOf(db: Tx, input: Input, id: number | null) {
  if (input.parentId !== 0) {
    // Shared, so that the group is not disabled while its category comes.
    const parent = await db
      .selectFrom('category')
      .where('id', '=', input.parentId)
      .where('level', '=', 1)
      .forShare()
      .select('status')
      .executeTakeFirst()
    if (!parent || input.parentId === id) refuseField(['parentId'], 'category')
    if (input.status === enableStatus.enabled && parent.status === enableStatus.disabled) refuseField(['parentId'], 'group_disabled')
  }
  const same = await db
    .selectFrom('category')
    .where('parentId', '=', input.parentId)
    .where('name', '=', input.name)
    .$if(id !== null, (query) => query.where('id', '<>', id ?? 0))
    .select('id')
    .executeTakeFirst()
  if (same) refuseField(['name'], 'taken')
  return {
    ...input,
    params: JSON.stringify(input.params),
    flags: JSON.stringify(input.flags),
    level: input.parentId === 0 ? (1 as const) : (2 as const),
  }
}

async function lastPlace(db: Tx, parentId: number): Promise<number> {
  const { last } = await db
    .selectFrom('category')
    .where('parentId', '=', parentId)
    .select((eb) => eb.fn.coalesce(eb.fn.max('orderNum'), sql<number>`0`).as('last'))
    .executeTakeFirstOrThrow()
  return last + 1
}

export async function insertCategory({ db }: Deed, input: Input): Promise<{ id: number }> {
  const columns = await columnsOf(db, input, null)
  return db
    .insertInto('category')
    .values({ ...columns, id: sql<number>`nextval('category_number')`, orderNum: await lastPlace(db, input.parentId) })
    .returning('id')
    .executeTakeFirstOrThrow()
}

/**
 * Changes a category if nobody changed it meanwhile. Refuses to disable one that is in use, and to change the meaning of parameters by which
 * something is stored.
 */
export async function updateCategory(
  { db }: Deed,
  { id, version, ...input }: Received<typeof contract.editCategory>['body'],
): Promise<void> {
  const category = await db
    .selectFrom('category')
    .where('id', '=', id)
    .forUpdate()
    .select(['version', 'level', 'parentId', 'status', 'params'])
    .executeTakeFirst()
  if (!category) throw new Refusal('not_found')
  if (category.version !== version) throw new Refusal('changed')
  if ((category.level === 1) !== (input.parentId === 0)) refuseField(['parentId'], 'category')
  if (category.status === enableStatus.enabled && input.status === enableStatus.disabled) await refuseInUse(db, id)
  if (changesMeaning(category.params, input.params) && (await isMeasured(db, id))) refuseField(['params'], 'params_used')
  const columns = await columnsOf(db, input, id)
  await db
    .updateTable('category')
    .set({ ...columns, version: nextVersion })
    .where('id', '=', id)
    .execute()
  if (category.parentId !== input.parentId)
    await db
      .updateTable('category')
      .set({ orderNum: await lastPlace(db, input.parentId) })
      .where('id', '=', id)
      .execute()
  // Machines and lines carry the group along. Those of a dense category follow by the clock.
  await refreshMachines(db, id)
}

/** Machines on the shelf and lines of open demands would stand under a category that nobody can choose. */
async function refuseInUse(db: Tx, id: number): Promise<void> {
  const open = sql.join(openDemands.map((status) => sql.lit(status)))
  const { rows } = await sql<{ used: boolean }>`select exists (
    select 1 from equipment where (category_id = ${id} or father_category_id = ${id})
      and shelf_status = ${sql.lit(shelfStatus.on)} and del_flag = ${sql.lit(delFlag.present)}) or exists (
    select 1 from demand where kinds @> array[${id}::int] and status in (${open}) and del_flag = ${sql.lit(delFlag.present)}) or exists (
    select 1 from category where parent_id = ${id} and status = ${sql.lit(enableStatus.enabled)}) as used`.execute(db)
  if (rows[0]?.used) throw new Refusal('category_in_use')
}

/** Whether a stored size or requirement would be read as another one. A new parameter, another order and other labels are no such change. */
const changesMeaning = (before: readonly Param[], after: readonly Param[]): boolean =>
  before.some((old) => !after.some((param) => meaningOf(param) === meaningOf(old)))

const meaningOf = ({ key, type, unit, main }: Param): string => JSON.stringify([key, type, unit, main])

/** Whether a machine, a line of a demand or a ceiling holds values of the parameters of the category. */
async function isMeasured(db: Tx, id: number): Promise<boolean> {
  const { rows } = await sql<{ measured: boolean }>`select exists (
    select 1 from equipment where category_id = ${id} and del_flag = ${sql.lit(delFlag.present)}) or exists (
    select 1 from demand_item where category_id = ${id}) or exists (
    select 1 from price_ceiling where category_id = ${id}) as measured`.execute(db)
  return rows[0]?.measured ?? false
}

/** Puts all children into their new order; a missing or foreign id means that the caller saw another list. */
export async function orderCategories(deed: Deed, { parentId, ids }: Received<typeof contract.orderCategories>['body']): Promise<void> {
  const { db, actor, now } = deed
  const children = await db
    .selectFrom('category')
    .where('parentId', '=', parentId)
    .forUpdate()
    .orderBy('orderNum')
    .orderBy('id')
    .select(['id', 'name'])
    .execute()
  if (children.length !== ids.length || children.some(({ id }) => !ids.includes(id))) throw new Refusal('changed')
  for (const [index, id] of ids.entries())
    await db
      .updateTable('category')
      .set({ orderNum: index + 1, version: nextVersion })
      .where('id', '=', id)
      .execute()
  const names = new Map(children.map(({ id, name }) => [id, name]))
  const order = { before: { order: children.map(({ name }) => name) }, after: { order: ids.map((id) => names.get(id)) } }
  // The entry is of many rows and not of one, so it is not the pipeline that writes it.
  await insertAudit(db, actor, { action: 'category.order', bizType: 'category', bizId: String(parentId), ...order }, now)
}

export function listDictionaries(db: Read) {
  return db
    .selectFrom('dictionary')
    .orderBy('dictType')
    .orderBy('dictSort')
    .select(['dictType', 'dictValue', 'dictLabel', 'dictLabelEn', 'dictSort', 'status'])
    .execute()
}

/**
 * Adds an entry to a dictionary that exists where `before` is null, or changes one if it is still as `before` has it. Its key has two columns, so its audit
 * entry is written here.
 */
export async function saveDictionary(deed: Deed, body: Received<typeof contract.saveDictionary>['body']): Promise<void> {
  const { db, actor, now } = deed
  const { before, ...input } = body
  const { dictType, dictValue, ...values } = input
  const entries = await db
    .selectFrom('dictionary')
    .where('dictType', '=', dictType)
    .forUpdate()
    .select(['dictValue', 'dictLabel', 'dictLabelEn', 'dictSort', 'status'])
    .execute()
  if (entries.length === 0) refuseField(['dictType'], 'dictionary_unknown')
  if (before === null) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('dictionary')
      .values(input)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (!numInsertedOrUpdatedRows) refuseField(['dictValue'], 'taken')
  } else {
    const stored = entries.find((entry) => entry.dictValue === dictValue)
    // A call that had no answer is sent again.
    if (isDeepStrictEqual(stored, { dictValue, ...values })) return
    if (!isDeepStrictEqual(stored, { dictValue, ...before })) throw new Refusal('changed')
    await db.updateTable('dictionary').set(values).where('dictType', '=', dictType).where('dictValue', '=', dictValue).execute()
  }
  const subject = { bizType: 'dictionary', bizId: `${dictType}/${dictValue}`, bizName: input.dictLabel } as const
  await insertAudit(db, actor, { action: 'dictionary.save', ...subject, before, after: input }, now)
}
