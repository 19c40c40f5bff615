import { sql } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import type { Category } from '#shared/category/contract.ts'
import { equipmentMoves, monthPriceFen, type AuditStatus } from '#shared/equipment/rules.ts'
import { changedKeys, equipmentProblems, keyFields, type EquipmentInput } from '#shared/equipment/upload.ts'
import type { Actor } from '../actor/actor.ts'
import { companyOf } from '../actor/scope.ts'
import { findCategories } from '../category/queries.ts'
import type { Db, Read, Tx } from '../db/connect.ts'
import { nextCode } from '../db/codes.ts'
import { FieldRefusal, Refusal, refuseField } from '../http/refusal.ts'
import { isPlace } from '../region/queries.ts'
import { findSetting } from '../setting/queries.ts'
import { findOwnMachine, inputOf } from './own.ts'
import { setShelf } from './own.ts'

export async function insertEquipmentEvent(
  tx: Read,
  event: { equipmentId: number; accountId: number | null; move: string; note?: string },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('equipmentEvent')
    .values({ note: '', ...event, at: now })
    .execute()
}

/** Category, place, files: what the form alone cannot know. Returns the category. */
async function checkMachine(db: Read, actor: Actor, input: EquipmentInput, whole: boolean, now: Date): Promise<Category> {
  const category = (await findCategories(db, [input.categoryId]))[0]
  const problems = equipmentProblems(input, category, whole, dayOf(now))
  if (!(await isPlace(db, input))) problems.push({ path: ['cityId'], rule: 'region' })
  const files = [...new Set([...input.imageIds, ...input.papers.flatMap(({ fileId }) => fileId ?? [])])]
  if (files.length > 0) {
    const known = await db
      .selectFrom('file')
      .where('id', 'in', files)
      .where((eb) => eb.or([eb('accountId', '=', actor.accountId), eb('companyId', '=', companyOf(actor))]))
      .select(['id', 'mime'])
      .execute()
    const mimes = new Map(known.map(({ id, mime }) => [id, mime]))
    if (input.papers.some(({ fileId }) => fileId && !mimes.has(fileId))) problems.push({ path: ['papers'], rule: 'file_unknown' })
    if (input.imageIds.some((id) => !mimes.get(id)?.startsWith('image/'))) problems.push({ path: ['imageIds'], rule: 'file_unknown' })
  }
  if (problems.length > 0) throw new FieldRefusal(problems)
  return category as Category
}

/** The columns of a machine; its prices, papers and pictures are rows of their own. */
export function machineColumns(input: EquipmentInput, category: Category, now: Date) {
  const { prices, papers: _papers, imageIds: _images, originalValue, specs, ...rest } = input
  const main = category.params.find((param) => param.main)
  const value = main ? Number(specs[main.key]) : Number.NaN
  const months = prices.flatMap(({ rentUnit, price, shiftMode }) =>
    price === null ? [] : (monthPriceFen(rentUnit, price, shiftMode === 'double') ?? []),
  )
  return {
    ...rest,
    specs: JSON.stringify(specs),
    mainValue: Number.isFinite(value) ? value : null,
    originalValueFen: originalValue,
    monthPriceFen: months[0] ?? null,
    searchText: [input.name, input.brand, input.model, category.name, ...category.alias].join(' '),
    updateTime: now,
  }
}

async function writeParts(tx: Tx, id: number, input: EquipmentInput): Promise<void> {
  for (const table of ['equipmentPrice', 'equipmentDocument', 'equipmentImage'] as const)
    await tx.deleteFrom(table).where('equipmentId', '=', id).execute()
  await insertPrices(tx, [{ id, input }])
  if (input.papers.length > 0)
    await tx
      .insertInto('equipmentDocument')
      .values(input.papers.map((paper) => ({ ...paper, equipmentId: id })))
      .execute()
  const images = [...new Set(input.imageIds)]
  if (images.length === 0) return
  await tx
    .insertInto('equipmentImage')
    .values(images.map((fileId, orderNum) => ({ equipmentId: id, fileId, orderNum })))
    .execute()
  // Pictures of machines are for everybody; papers are not.
  await tx.updateTable('file').set({ access: 'public' }).where('id', 'in', images).execute()
}

export async function insertPrices(tx: Tx, machines: readonly { id: number; input: EquipmentInput }[]): Promise<void> {
  await tx
    .insertInto('equipmentPrice')
    .values(machines.flatMap(({ id, input }) => input.prices.map(({ price, ...rest }) => ({ ...rest, equipmentId: id, priceFen: price }))))
    .execute()
}

const sameNumber = (error: unknown): never => {
  if ((error as { constraint?: string }).constraint === 'equipment_factory_no') refuseField(['factoryNo'], 'taken')
  throw error
}

export async function addMachine(db: Db, actor: Actor, { submit, ...input }: EquipmentInput & { submit: boolean }, now: Date) {
  const companyId = companyOf(actor)
  const category = await checkMachine(db, actor, input, submit, now)
  const auditStatus: AuditStatus = submit ? '1' : '0'
  const equipmentCode = await nextCode(db, 'SB', dayOf(now))
  return db
    .transaction()
    .execute(async (tx) => {
      const { id } = await tx
        .insertInto('equipment')
        .values({
          ...machineColumns(input, category, now),
          equipmentCode,
          companyId,
          accountId: actor.accountId,
          auditStatus,
          submitTime: submit ? now : null,
          createTime: now,
          confirmedAt: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await writeParts(tx, id, input)
      await insertEquipmentEvent(tx, { equipmentId: id, accountId: actor.accountId, move: submit ? 'submit' : 'draft' }, now)
      return { id, auditStatus: submit && (await publishTrusted(tx, id, companyId, now)) ? ('2' as const) : auditStatus }
    })
    .catch(sameNumber)
}

/**
 * A draft or a rejected machine is written anew. Of a passed one everything but the key fields holds at once; the key
 * fields wait as a request while the old ones stay public.
 */
export async function editMachine(
  db: Db,
  actor: Actor,
  { submit, id, version, ...input }: EquipmentInput & { submit: boolean; id: number; version: number },
  now: Date,
) {
  const companyId = companyOf(actor)
  return db
    .transaction()
    .execute(async (tx) => {
      const held = await lockMachine(tx, id, companyId)
      if (held.version !== version) throw new Refusal('changed')
      if (held.auditStatus === '1') throw new Refusal('equipment_in_review')
      if (held.rentStatus === '4') throw new Refusal('equipment_changed')
      const before = await findOwnMachine(tx, id, companyId, dayOf(now))
      if (!before) throw new Refusal('not_found')
      const passed = held.auditStatus === '2'
      const category = await checkMachine(tx, actor, input, submit || passed, now)
      const old = inputOf(before)
      const changed = passed ? changedKeys(old, input) : []
      // What waits is left as it was.
      const keyValues = Object.fromEntries(keyFields.map((key) => [key, old[key]])) as Partial<EquipmentInput>
      const written: EquipmentInput = changed.length > 0 ? { ...input, ...keyValues } : input
      const writtenCategory =
        written.categoryId === category.id ? category : ((await findCategories(tx, [written.categoryId]))[0] ?? category)
      await tx
        .updateTable('equipment')
        .set((eb) => ({
          ...machineColumns(written, writtenCategory, now),
          version: eb('version', '+', 1),
          ...(!passed && submit && { auditStatus: equipmentMoves.submit.to, submitTime: now, auditReason: '' }),
        }))
        .where('id', '=', id)
        .execute()
      await writeParts(tx, id, written)
      if (changed.length > 0) {
        await tx
          .updateTable('equipmentChange')
          .set({ status: '4', decideTime: now })
          .where('equipmentId', '=', id)
          .where('status', '=', '1')
          .execute()
        await tx
          .insertInto('equipmentChange')
          .values({
            equipmentId: id,
            accountId: actor.accountId,
            before: JSON.stringify(pickKeys(old, changed)),
            after: JSON.stringify(pickKeys(input, changed)),
            submitTime: now,
          })
          .execute()
      }
      const move = changed.length > 0 ? 'change' : submit && !passed ? 'submit' : 'edit'
      await insertEquipmentEvent(tx, { equipmentId: id, accountId: actor.accountId, move, note: changed.join(', ') }, now)
      const trusted = !passed && submit && (await publishTrusted(tx, id, companyId, now))
      const auditStatus: AuditStatus = passed || trusted ? '2' : submit ? '1' : held.auditStatus
      return { id, auditStatus, waiting: changed.length > 0 }
    })
    .catch(sameNumber)
}

/**
 * Machines of a lessor whose grade is trusted go on the shelf first and are looked at afterwards, unless the same machine
 * is known already: that one waits like everybody's.
 */
async function publishTrusted(tx: Tx, id: number, companyId: number, now: Date): Promise<boolean> {
  const { trustGrades } = await findSetting(tx, 'review')
  if (trustGrades.length === 0) return false
  const { numUpdatedRows } = await tx
    .updateTable('equipment')
    .set((eb) => ({ auditStatus: equipmentMoves.pass.to, trusted: true, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('companyId', 'in', (eb) =>
      eb.selectFrom('company').where('grade', 'in', trustGrades).where('lessorAudit', '=', '2').select('company.id'),
    )
    .where(
      sql<boolean>`not exists (select 1 from equipment o where o.brand = equipment.brand and o.factory_no = equipment.factory_no
        and o.id <> equipment.id and o.del_flag = '0' and o.rent_status <> '4')`,
    )
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await insertEquipmentEvent(tx, { equipmentId: id, accountId: null, move: 'trust' }, now)
  await setShelf(tx, companyId, id, '1', dayOf(now), now)
  return true
}

const pickKeys = (input: EquipmentInput, keys: readonly (keyof EquipmentInput)[]) =>
  Object.fromEntries(keys.map((key) => [key, input[key]]))

export async function lockMachine(tx: Tx, id: number, companyId: number | null) {
  const machine = await tx
    .selectFrom('equipment')
    .where('id', '=', id)
    .where('delFlag', '=', '0')
    .$if(companyId !== null, (query) => query.where('companyId', '=', companyId ?? 0))
    .select(['id', 'companyId', 'auditStatus', 'rentStatus', 'shelfStatus', 'version', 'totalQty', 'name', 'accountId'])
    .forUpdate()
    .executeTakeFirst()
  if (!machine) throw new Refusal('not_found')
  return { ...machine, auditStatus: machine.auditStatus as AuditStatus }
}

/** Applies what was requested; used by the reviewer's pass. */
export async function applyChange(tx: Tx, id: number, after: Partial<EquipmentInput>, now: Date): Promise<void> {
  const machine = await findOwnMachine(tx, id, null, dayOf(now))
  if (!machine) throw new Refusal('not_found')
  const input = { ...inputOf(machine), ...after }
  const category = (await findCategories(tx, [input.categoryId]))[0]
  if (!category) throw new Refusal('equipment_changed')
  await tx
    .updateTable('equipment')
    .set(machineColumns(input, category, now))
    .where('id', '=', id)
    .execute()
    .catch(sameNumber)
  await writeParts(tx, id, input)
}

/** Back to a draft; of a passed machine, the requested change is taken back. */
export async function withdrawMachine(db: Db, actor: Actor, id: number, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const machine = await lockMachine(tx, id, companyOf(actor))
    const change = await tx
      .updateTable('equipmentChange')
      .set({ status: '4', decideTime: now })
      .where('equipmentId', '=', id)
      .where('status', '=', '1')
      .returning('id')
      .executeTakeFirst()
    if (!change) {
      if (machine.auditStatus !== '1') throw new Refusal('equipment_changed')
      await tx
        .updateTable('equipment')
        .set((eb) => ({ auditStatus: equipmentMoves.withdraw.to, submitTime: null, updateTime: now, version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .execute()
    }
    await insertEquipmentEvent(tx, { equipmentId: id, accountId: actor.accountId, move: 'withdraw' }, now)
  })
}

export async function deleteMachine(db: Db, actor: Actor, id: number, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const machine = await lockMachine(tx, id, companyOf(actor))
    if (machine.auditStatus !== '0' && machine.auditStatus !== '3') throw new Refusal('equipment_changed')
    await tx.updateTable('equipment').set({ delFlag: '2', updateTime: now }).where('id', '=', id).execute()
  })
}

export async function retireMachine(db: Db, actor: Actor, id: number, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockMachine(tx, id, companyOf(actor))
    const hire = await tx
      .selectFrom('equipmentBooking')
      .where('equipmentId', '=', id)
      .where('reason', '=', 'award')
      .where((eb) => eb(eb.fn('upper', ['period']), '>', dayOf(now) as never))
      .select('id')
      .executeTakeFirst()
    if (hire) throw new Refusal('equipment_booked')
    await tx
      .updateTable('equipment')
      .set((eb) => ({ rentStatus: '4', shelfStatus: '0', updateTime: now, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute()
    await insertEquipmentEvent(tx, { equipmentId: id, accountId: actor.accountId, move: 'retire' }, now)
  })
}

export async function confirmMachines(db: Db, companyId: number, ids: readonly number[], now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('equipment')
    .set({ confirmedAt: now })
    .where('companyId', '=', companyId)
    .where('id', 'in', ids)
    .where('shelfStatus', '=', '1')
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
