import { sql } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import type { Download } from '#shared/endpoint.ts'
import { importLimits } from '#shared/equipment/import.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { Actor } from '../actor/actor.ts'
import { companyOf } from '../actor/scope.ts'
import { findCategories } from '../category/queries.ts'
import type { Db, Read } from '../db/connect.ts'
import { nextCodes } from '../db/codes.ts'
import { Refusal } from '../http/refusal.ts'
import { checkRows, columnsFor, type Cells, type Reference } from './import-rows.ts'
import { readImportWorkbook, writeImportWorkbook } from './import-workbook.ts'
import { insertPrices, machineColumns } from './upload.ts'

async function findGroup(db: Read, id: number) {
  const group = await db
    .selectFrom('category')
    .where('id', '=', id)
    .where('level', '=', 1)
    .where('status', '=', '0')
    .select(['id', 'name'])
    .executeTakeFirst()
  if (!group) throw new Refusal('not_found')
  return { ...group, categories: (await findCategories(db)).filter(({ parentId }) => parentId === id) }
}

export async function templateOf(db: Read, fatherCategoryId: number, text: Text): Promise<Download> {
  const { categories, ...group } = await findGroup(db, fatherCategoryId)
  return writeImportWorkbook(group, columnsFor(categories, text), null, text)
}

async function referenceFor(db: Read, companyId: number, group: number, today: string): Promise<Reference> {
  const [{ categories }, regions, brands, known] = [
    await findGroup(db, group),
    await db.selectFrom('region').where('level', '<=', 2).select(['code', 'parentCode', 'name', 'level']).execute(),
    await db.selectFrom('equipment').where('auditStatus', '=', '2').groupBy('brand').select('brand').execute(),
    await db
      .selectFrom('equipment')
      .where('companyId', '=', companyId)
      .where('factoryNo', 'is not', null)
      .where('delFlag', '=', '0')
      .select(['brand', 'factoryNo'])
      .execute(),
  ]
  const cities = new Map<number, Map<string, number>>()
  for (const { code, parentCode, name, level } of regions) {
    if (level !== 2 || parentCode === null) continue
    const within = cities.get(parentCode) ?? new Map<string, number>()
    cities.set(parentCode, within.set(name, code))
  }
  return {
    categories,
    places: new Map(regions.filter(({ level }) => level === 1).map(({ code, name }) => [name, code])),
    cities,
    brands: brands.map(({ brand }) => brand).filter(Boolean),
    known: new Set(known.map(({ brand, factoryNo }) => `${brand}|${factoryNo}`)),
    today,
  }
}

export async function startImport(db: Db, actor: Actor, file: { name: string; content: Buffer }, now: Date): Promise<number> {
  const { n } = await db
    .selectFrom('equipmentImport')
    .where('companyId', '=', companyOf(actor))
    .where('createTime', '>', new Date(now.getTime() - 86_400_000).toISOString())
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  if (n >= importLimits.perDay) throw new Refusal('too_many')
  const { group, rows } = await readImportWorkbook(file.content)
  await findGroup(db, group)
  return db.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto('equipmentImport')
      .values({
        companyId: companyOf(actor),
        accountId: actor.accountId,
        fatherCategoryId: group,
        fileName: file.name.slice(-100),
        createTime: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('equipmentImportRow')
      .values(rows.map(({ rowNo, cells }) => ({ importId: id, rowNo, cells: JSON.stringify(cells) })))
      .execute()
    return id
  })
}

export async function findImports(db: Read, companyId: number, { pageNum, pageSize }: { pageNum: number; pageSize: number }) {
  const own = db.selectFrom('equipmentImport').where('companyId', '=', companyId)
  const { total } = await own.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await own
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((pageNum - 1) * pageSize)
    .select([
      'id',
      'fileName',
      'createTime',
      'undoTime',
      sql<number>`(select count(*)::int from equipment_import_row r where r.import_id = equipment_import.id)`.as('rows'),
      sql<number>`(select count(r.equipment_id)::int from equipment_import_row r where r.import_id = equipment_import.id)`.as('added'),
    ])
    .execute()
  return { total, rows }
}

async function ownImport(db: Read, actor: Actor, id: number) {
  const found = await db
    .selectFrom('equipmentImport')
    .where('id', '=', id)
    .where('companyId', '=', companyOf(actor))
    .select(['id', 'fatherCategoryId', 'fileName', 'createTime', 'undoTime'])
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found')
  return found
}

async function checkedImport(db: Read, actor: Actor, id: number, text: Text, now: Date) {
  const found = await ownImport(db, actor, id)
  const rows = await db
    .selectFrom('equipmentImportRow')
    .where('importId', '=', id)
    .orderBy('rowNo')
    .select(['rowNo', 'cells', 'equipmentId'])
    .execute()
  const reference = await referenceFor(db, companyOf(actor), found.fatherCategoryId, dayOf(now))
  const waiting = rows.filter(({ equipmentId }) => equipmentId === null).map((row) => ({ rowNo: row.rowNo, cells: row.cells as Cells }))
  return { found, rows, reference, checked: checkRows(waiting, reference, text) }
}

/** Every row with what is wrong in which cell. */
export async function findImport(db: Read, actor: Actor, id: number, text: Text, now: Date) {
  const { found, rows, reference, checked } = await checkedImport(db, actor, id, text, now)
  return {
    ...found,
    columns: columnsFor(reference.categories, text),
    rows: rows.map(({ rowNo, cells, equipmentId }) => ({
      rowNo,
      cells: cells as Cells,
      equipmentId,
      problems: (checked.get(rowNo)?.problems ?? []).map(({ column, rule, proposal }) => ({
        column,
        message: text.rule.codes[rule] ?? text.rule.format,
        proposal,
      })),
    })),
  }
}

export async function repairImport(db: Db, actor: Actor, id: number, rows: readonly { rowNo: number; cells: Cells }[]): Promise<void> {
  const found = await ownImport(db, actor, id)
  if (found.undoTime) throw new Refusal('import_undone')
  await db.transaction().execute(async (tx) => {
    for (const { rowNo, cells } of rows)
      await tx
        .updateTable('equipmentImportRow')
        .set({ cells: JSON.stringify(cells) })
        .where('importId', '=', id)
        .where('rowNo', '=', rowNo)
        .where('equipmentId', 'is', null)
        .execute()
  })
}

/** Drafts of the rows that are right and not in yet; two clicks make them once. */
export async function acceptImport(db: Db, actor: Actor, id: number, text: Text, now: Date): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const held = await tx
      .selectFrom('equipmentImport')
      .where('id', '=', id)
      .where('companyId', '=', companyOf(actor))
      .select('undoTime')
      .forUpdate()
      .executeTakeFirst()
    if (!held) throw new Refusal('not_found')
    if (held.undoTime) throw new Refusal('import_undone')
    const { checked, reference } = await checkedImport(tx, actor, id, text, now)
    const good = [...checked].flatMap(([rowNo, { input }]) => (input ? [{ rowNo, input }] : []))
    if (good.length === 0) return 0
    const codes = await nextCodes(db, 'SB', dayOf(now), good.length)
    const categories = new Map(reference.categories.map((category) => [category.id, category]))
    for (let start = 0; start < good.length; start += 500) {
      const part = good.slice(start, start + 500)
      const made = await tx
        .insertInto('equipment')
        .values(
          part.map(({ input }, at) => ({
            ...machineColumns(input, categories.get(input.categoryId) ?? missing(), now),
            equipmentCode: codes[start + at] as string,
            companyId: companyOf(actor),
            accountId: actor.accountId,
            importId: id,
            createTime: now,
            confirmedAt: now,
          })),
        )
        .returning(['id', 'equipmentCode'])
        .execute()
      const byCode = new Map(made.map((machine) => [machine.equipmentCode, machine.id]))
      const machines = part.map(({ rowNo, input }, at) => ({ rowNo, input, id: byCode.get(codes[start + at] as string) ?? 0 }))
      await insertPrices(tx, machines)
      await tx
        .insertInto('equipmentEvent')
        .values(machines.map((machine) => ({ equipmentId: machine.id, accountId: actor.accountId, move: 'import', note: '', at: now })))
        .execute()
      await tx
        .insertInto('equipmentImportRow')
        .values(machines.map((machine) => ({ importId: id, rowNo: machine.rowNo, cells: '{}', equipmentId: machine.id })))
        .onConflict((conflict) =>
          conflict.columns(['importId', 'rowNo']).doUpdateSet((eb) => ({ equipmentId: eb.ref('excluded.equipmentId') })),
        )
        .execute()
    }
    return good.length
  })
}

function missing(): never {
  throw new Refusal('changed')
}

export async function undoImport(db: Db, actor: Actor, id: number, now: Date): Promise<{ removed: number; kept: number }> {
  return db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('equipmentImport')
      .set({ undoTime: now })
      .where('id', '=', id)
      .where('companyId', '=', companyOf(actor))
      .where('undoTime', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) {
      await ownImport(tx, actor, id)
      throw new Refusal('import_undone')
    }
    const removed = await tx
      .updateTable('equipment')
      .set({ delFlag: '2', updateTime: now })
      .where('importId', '=', id)
      .where('auditStatus', '=', '0')
      .where('delFlag', '=', '0')
      .returning('id')
      .execute()
    const { kept } = await tx
      .selectFrom('equipment')
      .where('importId', '=', id)
      .where('delFlag', '=', '0')
      .select((eb) => eb.fn.countAll<number>().as('kept'))
      .executeTakeFirstOrThrow()
    return { removed: removed.length, kept }
  })
}

/** The rows that are wrong, to be mended in the spreadsheet program. */
export async function errorWorkbook(db: Read, actor: Actor, id: number, text: Text, now: Date): Promise<Download> {
  const { found, rows, reference, checked } = await checkedImport(db, actor, id, text, now)
  const group = await findGroup(db, found.fatherCategoryId)
  const bad = rows.flatMap(({ rowNo, cells }) => {
    const problems = checked.get(rowNo)?.problems ?? []
    if (problems.length === 0) return []
    return [
      {
        cells: cells as Cells,
        errors: problems.map(({ column, rule }) => ({ column, message: text.rule.codes[rule] ?? text.rule.format })),
      },
    ]
  })
  return writeImportWorkbook(group, columnsFor(reference.categories, text), bad, text)
}
