import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { addCategory, editCategory, ManagedCategory, saveDictionary } from '#shared/category/manage.ts'
import type { Actor } from '../actor/actor.ts'
import { audited, insertAudit } from '../audit/log.ts'
import type { Db, Read, Tx } from '../db/connect.ts'
import { Refusal, refuseField } from '../http/refusal.ts'

export async function findManagedCategories(db: Read): Promise<ManagedCategory[]> {
  const rows = await db
    .selectFrom('category')
    .leftJoin(
      (eb) =>
        eb
          .selectFrom('equipment')
          .where('delFlag', '=', '0')
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
  const none = { specialEquipment: false, buildingLifting: false, nonRoad: false, roadVehicle: false, erection: false }
  return rows.map((row) => ({ ...row, flags: { ...none, ...row.flags } }))
}

/** Of everything that the public tree shows: each change raises the version of its row. */
export async function findCategoryVersion(db: Read): Promise<string> {
  const { rows } = await sql<{
    stamp: string
  }>`select coalesce(string_agg(id || ':' || version, ',' order by id), '') as stamp from category`.execute(db)
  return createHash('sha256')
    .update(rows[0]?.stamp ?? '')
    .digest('hex')
    .slice(0, 16)
}

type Input = z.output<typeof addCategory.body>

async function columnsOf(tx: Tx, input: Input, id: number | null) {
  if (input.parentId !== 0) {
    const parent = await tx
      .selectFrom('category')
      .where('id', '=', input.parentId)
      .where('level', '=', 1)
      .select('status')
      .executeTakeFirst()
    if (!parent || input.parentId === id) refuseField(['parentId'], 'category')
  }
  const same = await tx
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

const lastPlace = async (tx: Tx, parentId: number): Promise<number> => {
  const { last } = await tx
    .selectFrom('category')
    .where('parentId', '=', parentId)
    .select((eb) => eb.fn.coalesce(eb.fn.max('orderNum'), sql<number>`0`).as('last'))
    .executeTakeFirstOrThrow()
  return last + 1
}

export function insertCategory(db: Db, actor: Actor, input: Input, now: Date): Promise<{ id: number }> {
  return db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'category.add', bizType: 'category' }, now, async () => {
      const columns = await columnsOf(tx, input, null)
      const { rows } = await sql<{ id: number }>`select nextval('category_number')::int as id`.execute(tx)
      const id = rows[0]?.id ?? 0
      await tx
        .insertInto('category')
        .values({ ...columns, id, orderNum: await lastPlace(tx, input.parentId) })
        .execute()
      return { id }
    }),
  )
}

export async function updateCategory(
  db: Db,
  actor: Actor,
  { id, version, ...input }: z.output<typeof editCategory.body>,
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const held = await tx
      .selectFrom('category')
      .where('id', '=', id)
      .forUpdate()
      .select(['version', 'level', 'parentId', 'status', 'params'])
      .executeTakeFirst()
    if (!held) throw new Refusal('not_found')
    if (held.version !== version) throw new Refusal('changed')
    if ((held.level === 1) !== (input.parentId === 0)) refuseField(['parentId'], 'category')
    if (held.status === '0' && input.status === '1') await refuseInUse(tx, id)
    await audited(tx, actor, { action: 'category.edit', bizType: 'category', id }, now, async () => {
      const columns = await columnsOf(tx, input, id)
      const moved = held.parentId !== input.parentId
      await tx
        .updateTable('category')
        .set((eb) => ({ ...columns, version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .execute()
      if (!moved) return
      await tx
        .updateTable('category')
        .set({ orderNum: await lastPlace(tx, input.parentId) })
        .where('id', '=', id)
        .execute()
      // Machines and lines carry the group along.
      for (const table of ['equipment', 'demandItem', 'internalMachine'] as const)
        await tx.updateTable(table).set({ fatherCategoryId: input.parentId }).where('categoryId', '=', id).execute()
    })
  })
}

/** What is on the shelf, or asked for, would stand under a category that nobody can choose. */
async function refuseInUse(tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<{ used: boolean }>`select exists (
    select 1 from equipment where (category_id = ${id} or father_category_id = ${id}) and shelf_status = '1' and del_flag = '0') or exists (
    select 1 from demand_item i join demand d on d.id = i.demand_id
    where (i.category_id = ${id} or i.father_category_id = ${id}) and d.status in ('1', '3', '4')) or exists (
    select 1 from category where parent_id = ${id} and status = '0') as used`.execute(tx)
  if (rows[0]?.used) throw new Refusal('category_in_use')
}

/** All children in their new order; one missing or foreign means that the list was another one. */
export async function orderCategories(db: Db, actor: Actor, parentId: number, ids: readonly number[], now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const children = await tx
      .selectFrom('category')
      .where('parentId', '=', parentId)
      .forUpdate()
      .orderBy('orderNum')
      .orderBy('id')
      .select(['id', 'name'])
      .execute()
    if (children.length !== ids.length || children.some(({ id }) => !ids.includes(id))) throw new Refusal('changed')
    for (const [index, id] of ids.entries())
      await tx
        .updateTable('category')
        .set((eb) => ({ orderNum: index + 1, version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .execute()
    const names = new Map(children.map(({ id, name }) => [id, name]))
    const order = { before: { order: children.map(({ name }) => name) }, after: { order: ids.map((id) => names.get(id)) } }
    await insertAudit(tx, actor, { action: 'category.order', bizType: 'category', bizId: String(parentId), ...order }, now)
  })
}

export function findDictionaries(db: Read) {
  return db
    .selectFrom('dictionary')
    .orderBy('dictType')
    .orderBy('dictSort')
    .select(['dictType', 'dictValue', 'dictLabel', 'dictLabelEn', 'dictSort', 'status'])
    .execute()
}

export async function writeDictionary(db: Db, actor: Actor, input: z.output<typeof saveDictionary.body>, now: Date): Promise<void> {
  const { dictType, dictValue, ...values } = input
  await db.transaction().execute(async (tx) => {
    const known = await tx.selectFrom('dictionary').where('dictType', '=', dictType).forUpdate().selectAll().execute()
    if (known.length === 0) refuseField(['dictType'], 'choice')
    const before = known.find((entry) => entry.dictValue === dictValue)
    await tx
      .insertInto('dictionary')
      .values(input)
      .onConflict((conflict) => conflict.columns(['dictType', 'dictValue']).doUpdateSet(values))
      .execute()
    await insertAudit(
      tx,
      actor,
      {
        action: 'dictionary.save',
        bizType: 'dictionary',
        bizId: `${dictType}/${dictValue}`,
        bizName: input.dictLabel,
        before: before ?? null,
        after: input,
      },
      now,
    )
  })
}
