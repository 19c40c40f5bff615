import { sql } from 'kysely'
import { dayMs, dayOf } from '#shared/calendar.ts'
import type { Download, Received } from '#shared/endpoint.ts'
import { importLimits, type listImports as listContract, type repairImport as repairContract } from '#shared/equipment/import.ts'
import { equipmentAudit, type EquipmentStep } from '#shared/equipment/rules.ts'
import type { EquipmentInput } from '#shared/equipment/upload.ts'
import { seenText } from '#shared/fields.ts'
import { delFlag, enableStatus } from '#shared/rules.ts'
import { ruleWords } from '#shared/text/validation.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { Actor } from '../actor/actor.ts'
import { companyOf } from '../actor/scope.ts'
import { findCategories } from '../category/queries.ts'
import type { Db, Read } from '../db/connect.ts'
import { paged } from '../db/paging.ts'
import { transact, type Caller, type Context, type Deed } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { Semaphore } from '../http/semaphore.ts'
import {
  checkRows,
  columnsFor,
  namedCategories,
  namedPlace,
  numberOf,
  specColumns,
  type Cells,
  type Checked,
  type Reference,
} from './import-rows.ts'
import { readImportWorkbook, writeImportWorkbook } from './import-workbook.ts'
import { isOnShelf } from './shelf.ts'
import { insertPrices, machineColumns } from './upload.ts'

/** The database as a read has it, or the transaction of a write, with the caller and the moment. */
type At = { db: Read; actor: Actor; now: Date }
/** A call that opens its transaction itself. */
type Unopened = { db: Db; actor: Actor; now: Date }

/** Throws not_found unless the first-level category is enabled. */
async function getGroup(db: Read, id: number) {
  const group = await db
    .selectFrom('category')
    .where('id', '=', id)
    .where('level', '=', 1)
    .where('status', '=', enableStatus.enabled)
    .select(['id', 'name'])
    .executeTakeFirst()
  if (!group) throw new Refusal('not_found')
  return { ...group, categories: (await findCategories(db)).filter(({ parentId }) => parentId === id) }
}

/** An empty workbook for the machines of a first-level category. */
export async function templateOf(db: Read, fatherCategoryId: number, text: Text): Promise<Download> {
  const { categories, ...group } = await getGroup(db, fatherCategoryId)
  return writeImportWorkbook(group, { columns: columnsFor(categories, text), rows: null, text })
}

/** Stores the workbook of the request. */
export async function receiveImport(context: Unopened & Pick<Caller, 'upload'>): Promise<{ importId: number }> {
  if (!context.upload) throw new Refusal('bad_request')
  await refuseTooMany(context)
  return context.upload(async (file) => ({ importId: await startImport(context, file) }))
}

/** Stores the rows of a workbook, up to a number of workbooks in a day. No machine is made yet. */
export async function startImport({ db, actor, now }: Unopened, file: { name: string; content: Buffer }): Promise<number> {
  const companyId = companyOf(actor)
  const { group, rows } = await readImportWorkbook(file.content)
  await getGroup(db, group)
  return transact({ db }, { now }, async (work) => {
    // Locked, so workbooks that arrive together are counted one after the other.
    await work.db.selectFrom('company').where('id', '=', companyId).forUpdate().select('id').executeTakeFirst()
    await refuseTooMany({ db: work.db, actor, now })
    const { id } = await work.db
      .insertInto('equipmentImport')
      .values({
        companyId,
        accountId: actor.accountId,
        fatherCategoryId: group,
        fileName: seenText(file.name.slice(-100)),
        createTime: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await work.db
      .insertInto('equipmentImportRow')
      .values(rows.map(({ rowNo, cells }) => ({ importId: id, rowNo, cells: cellsJson(cells) })))
      .execute()
    return id
  })
}

/** Cells as JSON without the signs that nobody sees: the database takes no NUL and no half of a sign, such as the cut of a long cell leaves. */
const cellsJson = (cells: Cells): string =>
  JSON.stringify(Object.fromEntries(Object.entries(cells).map(([column, text]) => [seenText(column), seenText(text)])))

async function refuseTooMany({ db, actor, now }: At): Promise<void> {
  const { n } = await db
    .selectFrom('equipmentImport')
    .where('companyId', '=', companyOf(actor))
    .where('createTime', '>', new Date(now.getTime() - dayMs).toISOString())
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  if (n >= importLimits.perDay) throw new Refusal('too_many')
}

/** The machine of a row of an import, unless it was deleted since: the row then waits again. */
const machineOfRow = sql<number | null>`(select e.id from equipment e where e.id = equipment_import_row.equipment_id
  and e.del_flag = ${sql.lit(delFlag.present)})`

export function listImports(db: Read, actor: Actor, paging: Received<typeof listContract>['query']) {
  return paged(db.selectFrom('equipmentImport').where('companyId', '=', companyOf(actor)), paging, (query) =>
    query.orderBy('id', 'desc').select([
      'id',
      'fileName',
      'createTime',
      'undoTime',
      sql<number>`(select count(*)::int from equipment_import_row r where r.import_id = equipment_import.id)`.as('rows'),
      sql<number>`(select count(*)::int from equipment_import_row r join equipment e on e.id = r.equipment_id
          where r.import_id = equipment_import.id and e.del_flag = ${sql.lit(delFlag.present)})`.as('added'),
    ]),
  )
}

/**
 * Imports are read and checked whole, which takes up to a second of the process: one at a time, a few of one company waiting. Who waits holds no
 * connection, so a write takes its turn before its transaction begins.
 */
const turns = new Semaphore({ total: 1, waiting: 40, waitingOfOne: 4, refusal: 'crowded' })
const inTurn = <T>({ actor }: Pick<At, 'actor'>, work: () => Promise<T>): Promise<T> => turns.run(1, work, String(companyOf(actor)))

/** An import of the own company row by row, with what is wrong in which cell. */
export const getImport = (at: At, which: { id: number; text: Text }) => inTurn(at, () => importRows(at, which))

async function importRows(at: At, { id, text }: { id: number; text: Text }) {
  const { found, rows, reference, checked } = await checkedImport(at, id, text)
  return {
    ...found,
    columns: columnsFor(reference.categories, text),
    rows: rows.map(({ rowNo, cells, equipmentId }) => ({
      rowNo,
      cells,
      equipmentId,
      problems: (checked.get(rowNo)?.problems ?? []).map(({ column, rule, proposal }) => ({
        column,
        message: ruleWords(text, rule),
        proposal,
      })),
    })),
  }
}

type Repair = { id: number } & Received<typeof repairContract>['body']

/** Changes cells of rows that have no machine, and checks all again. */
export const repairImport = (context: Unopened, { text, ...repair }: Repair & { text: Text }) =>
  inTurn(context, async () => {
    const { actor, now } = context
    await transact(context, { actor, now }, (deed) => changeCells(deed, repair))
    return importRows(context, { id: repair.id, text })
  })

/** The columns that a repair does not name stay as a colleague has left them. */
async function changeCells(deed: Pick<Deed, 'db' | 'actor'>, { id, rows }: Repair): Promise<void> {
  const { db } = deed
  await lockOwnImport(deed, id)
  for (const { rowNo, cells } of rows)
    await db
      .updateTable('equipmentImportRow')
      .set({ cells: sql`cells || ${cellsJson(cells)}::jsonb` })
      .where('importId', '=', id)
      .where('rowNo', '=', rowNo)
      .where(sql<boolean>`${machineOfRow} is null`)
      .execute()
  const { bytes } = await db
    .selectFrom('equipmentImportRow')
    .where('importId', '=', id)
    .select(sql<number>`coalesce(sum(octet_length(cells::text)), 0)::int`.as('bytes'))
    .executeTakeFirstOrThrow()
  // An import is read whole. Row by row, repairs could make it larger than any workbook.
  if (bytes > importLimits.storedBytes) throw new Refusal('import_bounds')
}

/**
 * Locks an own import that is not undone, so that its rows are repaired and taken in one after the other: a machine is made of the cells that its row
 * shows.
 */
async function lockOwnImport({ db, actor }: Pick<Deed, 'db' | 'actor'>, id: number): Promise<void> {
  const own = await db
    .selectFrom('equipmentImport')
    .where('id', '=', id)
    .where('companyId', '=', companyOf(actor))
    .select('undoTime')
    .forUpdate()
    .executeTakeFirst()
  if (!own) throw new Refusal('not_found')
  if (own.undoTime) throw new Refusal('import_undone')
}

type Accepting = Pick<Deed, 'db' | 'actor' | 'now' | 'codes'>
type GoodRow = { rowNo: number; input: EquipmentInput }

/**
 * Makes drafts of the rows that are right and not in yet. The import is locked, so two clicks make each machine once. A machine that came in by
 * another way meanwhile is left out; its row waits, and says from then on that the number is known.
 */
export const acceptImport = (context: Unopened & Pick<Context, 'codes'>, which: { id: number; text: Text }): Promise<{ added: number }> =>
  inTurn(context, () => {
    const { actor, now } = context
    return transact(context, { actor, now }, (deed) => takeIn(deed, which))
  })

async function takeIn(deed: Accepting, { id, text }: { id: number; text: Text }): Promise<{ added: number }> {
  await lockOwnImport(deed, id)
  const { checked, reference } = await checkedImport(deed, id, text)
  const good = [...checked].flatMap(([rowNo, { input }]): GoodRow[] => (input ? [{ rowNo, input }] : []))
  let added = 0
  for (let start = 0; start < good.length; start += rowsPerStatement)
    added += await insertDrafts(deed, good.slice(start, start + rowsPerStatement), { importId: id, reference })
  return { added }
}

/** A statement has at most 65,535 parameters; a machine takes some forty. */
const rowsPerStatement = 500

/** Gives how many of the rows have become machines. */
async function insertDrafts(
  { db, actor, now, codes }: Accepting,
  rows: readonly GoodRow[],
  { importId, reference }: { importId: number; reference: Reference },
): Promise<number> {
  const categories = new Map(reference.categories.map((category) => [category.id, category]))
  const equipmentCodes = await codes.take('SB', now, rows.length)
  const drafts = rows.map(({ rowNo, input }, at) => {
    const category = categories.get(input.categoryId)
    if (!category) throw new Refusal('changed')
    return { rowNo, input, category, equipmentCode: equipmentCodes[at] as string }
  })
  const made = await db
    .insertInto('equipment')
    .values(
      drafts.map(({ input, category, equipmentCode }) => ({
        ...machineColumns(input, category, now),
        equipmentCode,
        companyId: companyOf(actor),
        accountId: actor.accountId,
        importId,
        createTime: now,
        confirmedAt: now,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['brand', 'factoryNo', 'companyId'])
        .where('factoryNo', 'is not', null)
        .where('delFlag', '=', sql.lit(delFlag.present))
        .doNothing(),
    )
    .returning(['id', 'equipmentCode'])
    .execute()
  const idOf = new Map(made.map((machine) => [machine.equipmentCode, machine.id]))
  const machines = drafts.flatMap(({ rowNo, input, equipmentCode }) => {
    const id = idOf.get(equipmentCode)
    return id === undefined ? [] : [{ rowNo, input, id }]
  })
  if (machines.length === 0) return 0
  await insertPrices(db, machines)
  await db
    .insertInto('equipmentEvent')
    .values(
      machines.map(({ id }) => ({
        equipmentId: id,
        accountId: actor.accountId,
        move: 'import' satisfies EquipmentStep,
        note: '',
        at: now,
      })),
    )
    .execute()
  // The rows are there: one statement names the machine of each. The empty cells are never stored.
  await db
    .insertInto('equipmentImportRow')
    .values(machines.map(({ id, rowNo }) => ({ importId, rowNo, cells: '{}', equipmentId: id })))
    .onConflict((conflict) =>
      conflict.columns(['importId', 'rowNo']).doUpdateSet((eb) => ({ equipmentId: eb.ref('excluded.equipmentId') })),
    )
    .execute()
  return machines.length
}

/** Deletes the machines of an import that are still drafts. Answers how many went and how many stay. */
export async function undoImport({ db, actor, now }: Deed, id: number): Promise<{ removed: number; kept: number }> {
  const { numUpdatedRows } = await db
    .updateTable('equipmentImport')
    .set({ undoTime: now })
    .where('id', '=', id)
    .where('companyId', '=', companyOf(actor))
    .where('undoTime', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) {
    await getOwnImport(db, actor, id)
    throw new Refusal('import_undone')
  }
  const { numUpdatedRows: removed } = await db
    .updateTable('equipment')
    .set({ delFlag: delFlag.deleted, updateTime: now })
    .where('importId', '=', id)
    .where('auditStatus', '=', equipmentAudit.draft)
    .where('delFlag', '=', delFlag.present)
    .executeTakeFirst()
  const { kept } = await db
    .selectFrom('equipment')
    .where('importId', '=', id)
    .where('delFlag', '=', delFlag.present)
    .select((eb) => eb.fn.countAll<number>().as('kept'))
    .executeTakeFirstOrThrow()
  return { removed: Number(removed), kept }
}

/** The rows that are wrong as a workbook, to be mended in the spreadsheet program. */
export async function errorWorkbook(at: At, { id, text }: { id: number; text: Text }): Promise<Download> {
  const { found, rows, reference, checked } = await inTurn(at, () => checkedImport(at, id, text))
  const group = await getGroup(at.db, found.fatherCategoryId)
  const bad = rows.flatMap(({ rowNo, cells }) => {
    const problems = checked.get(rowNo)?.problems ?? []
    if (problems.length === 0) return []
    const errors = problems.map(({ column, rule }) => ({ column, message: ruleWords(text, rule) }))
    return [{ cells: { ...cells, ...formerNumbers(cells, problems) }, errors }]
  })
  return writeImportWorkbook(group, { columns: columnsFor(reference.categories, text), rows: bad, text })
}

/** The numbers of columns that the template does not have any more, each in the marked cell of the column that took its place. */
const formerNumbers = (cells: Cells, problems: Checked['problems']): Cells =>
  Object.fromEntries(
    problems.flatMap(({ column, rule, proposal }) =>
      rule === 'import_number' && proposal !== null && !cells[column]?.trim() ? [[column, proposal]] : [],
    ),
  )

async function getOwnImport(db: Read, actor: Actor, id: number) {
  const found = await db
    .selectFrom('equipmentImport')
    .where('id', '=', id)
    .where('companyId', '=', companyOf(actor))
    .select(['id', 'fatherCategoryId', 'fileName', 'createTime', 'undoTime'])
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found')
  return found
}

async function checkedImport({ db, actor, now }: At, id: number, text: Text) {
  const found = await getOwnImport(db, actor, id)
  const rows = await db
    .selectFrom('equipmentImportRow')
    .where('importId', '=', id)
    .orderBy('rowNo')
    .select(['rowNo', 'cells', machineOfRow.as('equipmentId')])
    .execute()
  const { fatherCategoryId } = found
  const reference = await referenceFor(db, { companyId: companyOf(actor), fatherCategoryId, today: dayOf(now) })
  const waiting = rows.filter(({ equipmentId }) => equipmentId === null)
  return { found, rows, reference, checked: await checkRows(waiting, reference, text) }
}

async function referenceFor(
  db: Read,
  { companyId, fatherCategoryId, today }: { companyId: number; fatherCategoryId: number; today: string },
): Promise<Reference> {
  const [{ categories }, regions, brands, machines] = [
    await getGroup(db, fatherCategoryId),
    await db.selectFrom('region').where('level', '<=', 2).select(['code', 'parentCode', 'name', 'nameEn', 'level']).execute(),
    // Each brand is looked up once among the machines on the shelf, whose rows are not read.
    await db
      .selectFrom('brand')
      .where('brand', '<>', '')
      .where(sql<boolean>`exists (select from equipment e where e.brand = brand.brand and ${isOnShelf('e')})`)
      .select('brand')
      .execute(),
    await db
      .selectFrom('equipment')
      .where('companyId', '=', companyId)
      .where('factoryNo', 'is not', null)
      .where('delFlag', '=', delFlag.present)
      .select(['brand', 'factoryNo'])
      .execute(),
  ]
  const places = regions.map(namedPlace)
  return {
    categories,
    named: namedCategories(categories),
    columnOfSpec: specColumns(categories),
    provinces: places.filter(({ level }) => level === 1),
    cities: Map.groupBy(places, ({ parentCode }) => parentCode ?? 0),
    brands: new Set(brands.map(({ brand }) => brand)),
    numbers: new Set(machines.map(numberOf)),
    today,
  }
}
