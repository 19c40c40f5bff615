import { boundContracts, contractSource, filledPositions, liveContracts } from '#shared/contract/rules.ts'
import { sql } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import type { Category } from '#shared/category/contract.ts'
import type { Received } from '#shared/endpoint.ts'
import type * as contract from '#shared/equipment/own.ts'
import { renamed } from '#shared/equipment/name.ts'
import {
  changeStatus,
  equipmentAudit,
  equipmentMoves,
  normalisedPriceFen,
  pricesOn,
  rentStatus,
  shelfStatus,
  type EquipmentStep,
} from '#shared/equipment/rules.ts'
import {
  changedKeys,
  equipmentProblems,
  isMissingAssessment,
  keyFields,
  readSpecs,
  waitingSpecs,
  withRequested,
  type EquipmentInput,
} from '#shared/equipment/upload.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { delFlag } from '#shared/rules.ts'
import { mainParam } from '#shared/main-param.ts'
import { companyOf } from '../actor/scope.ts'
import { findCategories } from '../category/queries.ts'
import type { Read, Tx } from '../db/connect.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed, Work } from '../deed.ts'
import { FieldRefusal, Refusal, refuseField } from '../http/refusal.ts'
import { publicLessors } from '../public-lessors.ts'
import { isPlace } from '../region/queries.ts'
import { findSetting } from '../setting/queries.ts'
import { claimFiles } from '../upload/claim.ts'
import { refuseOwnNumber, refuseSameNumber, refuseTakenNumber } from './numbers.ts'
import { getMachine, inputOf, moveOnShelf } from './own.ts'
import { confirmedOnceADay } from './shelf.ts'

type Event = { equipmentId: number; accountId: number | null; move: EquipmentStep; note?: string }

export async function insertEquipmentEvent({ db, now }: { db: Read; now: Date }, event: Event): Promise<void> {
  await db
    .insertInto('equipmentEvent')
    .values({ note: '', ...event, at: now })
    .execute()
}

/** Adds a machine of the own company: a draft, or submitted for review. */
export async function addMachine(deed: Deed, { submit, ...input }: Received<typeof contract.addEquipment>['body']) {
  const { db, actor, now, codes } = deed
  const companyId = companyOf(actor)
  const category = await checkMachine(deed, input, { whole: submit })
  const auditStatus = submit ? equipmentAudit.submitted : equipmentAudit.draft
  const { id } = await db
    .insertInto('equipment')
    .values({
      ...machineColumns(input, category, now),
      equipmentCode: await codes.next('SB', now),
      companyId,
      accountId: actor.accountId,
      auditStatus,
      submitTime: submit ? now : null,
      createTime: now,
      confirmedAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(refuseSameNumber)
  await writeParts(db, id, input)
  await insertEquipmentEvent(deed, { equipmentId: id, accountId: actor.accountId, move: submit ? 'submit' : 'draft' })
  const trusted = submit && (await publishTrusted(deed, { id, companyId }))
  return { id, auditStatus: trusted ? equipmentAudit.passed : auditStatus }
}

/**
 * Changes a machine if nobody changed it meanwhile. Of a passed one everything but the key fields holds at once; the key fields wait as a
 * request while the old ones stay public.
 */
export async function editMachine(deed: Deed, { submit, id, version, ...sent }: Received<typeof contract.editEquipment>['body']) {
  const { db, actor, now } = deed
  const companyId = companyOf(actor)
  const machine = await lockMachine(db, id, companyId)
  if (machine.version !== version) throw new Refusal('changed')
  if (machine.auditStatus === equipmentAudit.submitted) throw new Refusal('equipment_in_review')
  if (machine.rentStatus === rentStatus.retired) throw new Refusal('equipment_changed')
  const passed = machine.auditStatus === equipmentAudit.passed
  const stored = await getMachine(db, { id, companyId, now })
  // A name that was left as it is follows the brand and model that were corrected.
  const input = passed || sent.name !== stored.name ? sent : { ...sent, name: renamed(stored, sent) }
  const [present] = await findCategories(db, [stored.categoryId])
  const before = { ...inputOf(stored), specs: readSpecs(stored.specs, input.specs, present) }
  const requested = stored.change?.status === changeStatus.waiting ? stored.change.after : {}
  const held = passed ? waitingSpecs(before, input, requested) : []
  if (held.length > 0) throw new FieldRefusal(held)
  const wanted = passed ? withRequested(before, input, requested) : input
  const changed = passed ? changedKeys(before, input) : []
  const category = await checkMachine(deed, wanted, { whole: submit || passed, mayLackAssessment: passed && changed.length === 0 })
  if (changed.includes('brand') || changed.includes('factoryNo')) await refuseOwnNumber(db, { ...wanted, id, companyId })
  if (input.totalQty < machine.totalQty) await refuseTaken(db, { id, ...input, today: dayOf(now) })
  // The key fields of the row stay as they were until the request is decided, also in its name.
  const row: EquipmentInput = passed ? { ...input, ...pickKeys(inputOf(stored), keyFields), name: renamed(input, stored) } : input
  const rowCategory = row.categoryId === category.id ? category : (present ?? category)
  await db
    .updateTable('equipment')
    .set({
      ...machineColumns(row, rowCategory, now),
      version: nextVersion,
      ...(!passed && submit && { auditStatus: equipmentMoves.submit.to, submitTime: now, auditReason: '' }),
    })
    .where('id', '=', id)
    .execute()
    .catch(refuseSameNumber)
  await writeParts(db, id, row)
  if (changed.length > 0) {
    const keys = changedKeys(before, wanted)
    await requestChange(deed, id, { before: pickKeys(before, keys), after: pickKeys(wanted, keys) })
  }
  const move = changed.length > 0 ? 'change' : submit && !passed ? 'submit' : 'edit'
  await insertEquipmentEvent(deed, { equipmentId: id, accountId: actor.accountId, move, note: changed.join(', ') })
  const trusted = !passed && submit && (await publishTrusted(deed, { id, companyId }))
  const auditStatus = passed || trusted ? equipmentAudit.passed : submit ? equipmentAudit.submitted : machine.auditStatus
  // A trusted lessor's machine has passed and moved on the shelf since it was written.
  const saved = await db.selectFrom('equipment').where('id', '=', id).select('version').executeTakeFirstOrThrow()
  return { id, auditStatus, waiting: changed.length > 0, version: saved.version }
}

type Units = Pick<EquipmentInput, 'isLot' | 'totalQty'> & { id: number; today: string }

/**
 * Bookings name the units of a lot by number. Without its last ones a lot could be let twice while their bookings still hold. The form of a single
 * machine has no number of units, so the refusal stands at the choice of a lot there.
 */
async function refuseTaken(db: Tx, { id, isLot, totalQty, today }: Units): Promise<void> {
  const taken = await db
    .selectFrom('equipmentBooking')
    .where('equipmentId', '=', id)
    .where('slot', '>', totalQty)
    .where(sql<boolean>`upper(period) > ${today}::date`)
    .limit(1)
    .select('id')
    .executeTakeFirst()
  if (taken) refuseField([isLot ? 'totalQty' : 'isLot'], 'lot_taken')
}

const pickKeys = <K extends keyof EquipmentInput>(input: EquipmentInput, keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, input[key]])) as Pick<EquipmentInput, K>

/** Stores a request to change key fields instead of the one that still waits, whose fields are among them. */
async function requestChange(
  deed: Deed,
  id: number,
  change: { before: Partial<EquipmentInput>; after: Partial<EquipmentInput> },
): Promise<void> {
  const { db, actor, now } = deed
  await withdrawChange(deed, id)
  await db
    .insertInto('equipmentChange')
    .values({
      equipmentId: id,
      accountId: actor.accountId,
      before: JSON.stringify(change.before),
      after: JSON.stringify(change.after),
      submitTime: now,
    })
    .execute()
  const files = [...new Set(change.after.papers?.flatMap(({ fileId }) => fileId ?? []))]
  if (files.length === 0) return
  await db
    .insertInto('equipmentChangeFile')
    .values(files.map((fileId) => ({ equipmentId: id, fileId })))
    .execute()
}

/** Lets go of the files that a requested change would have brought, once it is decided. Those that it brought are documents of the machine. */
export const deleteChangeFiles = (db: Tx, id: number) => db.deleteFrom('equipmentChangeFile').where('equipmentId', '=', id).execute()

/** Withdraws the request that waits. Answers whether there was one. */
async function withdrawChange({ db, now }: Deed, id: number): Promise<boolean> {
  await deleteChangeFiles(db, id)
  const { numUpdatedRows } = await db
    .updateTable('equipmentChange')
    .set({ status: changeStatus.withdrawn, decideTime: now })
    .where('equipmentId', '=', id)
    .where('status', '=', changeStatus.waiting)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Passes machines of a lessor whose grade is trusted before their review, and puts them on the shelf. A machine whose number is known already
 * waits like everybody's. Answers whether it passed.
 */
async function publishTrusted(deed: Deed, { id, companyId }: { id: number; companyId: number }): Promise<boolean> {
  const { db } = deed
  const { trustGrades } = await findSetting(db, 'review')
  if (trustGrades.length === 0) return false
  const { numUpdatedRows } = await db
    .updateTable('equipment')
    .set({ auditStatus: equipmentMoves.pass.to, trusted: true, version: nextVersion })
    .where('id', '=', id)
    .where('companyId', 'in', publicLessors(db).where('grade', 'in', trustGrades).select('company.id'))
    .where(
      sql<boolean>`not exists (select 1 from equipment o where o.brand = equipment.brand and o.factory_no = equipment.factory_no
        and o.id <> equipment.id and o.del_flag = ${sql.lit(delFlag.present)} and o.rent_status <> ${sql.lit(rentStatus.retired)})`,
    )
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await insertEquipmentEvent(deed, { equipmentId: id, accountId: null, move: 'trust' })
  await moveOnShelf(deed, { id, companyId, shelfStatus: shelfStatus.on })
  return true
}

/** Locks a machine of one company or, for the reviewer, of any until the transaction ends. */
export async function lockMachine(db: Tx, id: number, companyId: number | null) {
  const machine = await db
    .selectFrom('equipment')
    .where('id', '=', id)
    .where('delFlag', '=', delFlag.present)
    .$if(companyId !== null, (query) => query.where('companyId', '=', companyId ?? 0))
    .select(['id', 'companyId', 'auditStatus', 'rentStatus', 'shelfStatus', 'version', 'totalQty', 'name', 'accountId'])
    .forUpdate()
    .executeTakeFirst()
  if (!machine) throw new Refusal('not_found')
  return machine
}

/** Writes the requested values into the machine, and into its name; its version rises. Refuses a number that the company has given another machine since. */
export async function applyChange({ db, now }: Pick<Work, 'db' | 'now'>, id: number, after: Partial<EquipmentInput>): Promise<void> {
  const before = inputOf(await getMachine(db, { id, companyId: null, now }))
  const requested = { ...before, ...after }
  const input = { ...requested, name: renamed(before, requested) }
  const category = (await findCategories(db, [input.categoryId]))[0]
  if (!category) throw new Refusal('equipment_changed')
  await db
    .updateTable('equipment')
    .set({ ...machineColumns(input, category, now), version: nextVersion })
    .where('id', '=', id)
    .execute()
    .catch(refuseTakenNumber)
  await writeParts(db, id, input)
}

/** Takes back the requested change, or else the submitted machine, which is a draft again. */
export async function withdrawMachine(deed: Deed, id: number): Promise<void> {
  const { db, actor, now } = deed
  const machine = await lockMachine(db, id, companyOf(actor))
  if (!(await withdrawChange(deed, id))) {
    if (!isAmong(machine.auditStatus, equipmentMoves.withdraw.from)) throw new Refusal('equipment_changed')
    await db
      .updateTable('equipment')
      .set({ auditStatus: equipmentMoves.withdraw.to, submitTime: null, updateTime: now, version: nextVersion })
      .where('id', '=', id)
      .execute()
  }
  await insertEquipmentEvent(deed, { equipmentId: id, accountId: actor.accountId, move: 'withdraw' })
}

/** Deletes a draft or a rejected machine: one that may still be submitted. */
export async function deleteMachine({ db, actor, now }: Deed, id: number): Promise<void> {
  const machine = await lockMachine(db, id, companyOf(actor))
  if (!isAmong(machine.auditStatus, equipmentMoves.submit.from)) throw new Refusal('equipment_changed')
  await db.updateTable('equipment').set({ delFlag: delFlag.deleted, updateTime: now }).where('id', '=', id).execute()
}

/** Takes a machine that has passed its review out of use for good, unless hires are ahead. A requested change of it waits no longer. */
export async function retireMachine(deed: Deed, id: number): Promise<void> {
  const { db, actor, now } = deed
  const machine = await lockMachine(db, id, companyOf(actor))
  if (machine.auditStatus !== equipmentAudit.passed || machine.rentStatus === rentStatus.retired) throw new Refusal('equipment_changed')
  const hire = await db
    .selectFrom('equipmentBooking')
    .where('equipmentId', '=', id)
    .where('reason', 'in', ['award', 'contract'])
    .where(sql<boolean>`upper(period) > ${dayOf(now)}::date`)
    .select('id')
    .executeTakeFirst()
  if (hire) throw new Refusal('equipment_booked')
  const position = await db
    .selectFrom('contractLine')
    .innerJoin('contract', 'contract.id', 'contractLine.contractId')
    .where('contractLine.equipmentId', '=', id)
    .where('contractLine.status', 'in', filledPositions)
    .where('contract.status', 'in', liveContracts)
    // Until the lessor has confirmed what a unit wrote down itself, they have promised nothing, and may not even know of it.
    .where((eb) => eb.or([eb('contract.source', '=', contractSource.award), eb('contract.status', 'in', boundContracts)]))
    .select('contract.id')
    .executeTakeFirst()
  if (position) throw new Refusal('equipment_contracted')
  await withdrawChange(deed, id)
  await db
    .updateTable('equipment')
    .set({ rentStatus: rentStatus.retired, shelfStatus: shelfStatus.off, trusted: false, updateTime: now, version: nextVersion })
    .where('id', '=', id)
    .execute()
  await insertEquipmentEvent(deed, { equipmentId: id, accountId: actor.accountId, move: 'retire' })
}

/** Records that machines on the shelf are still available. */
export async function confirmMachines({ db, actor, now }: Deed, ids: readonly number[]): Promise<{ confirmed: number }> {
  const { numUpdatedRows } = await db
    .updateTable('equipment')
    .set({ confirmedAt: confirmedOnceADay(now) })
    .where('companyId', '=', companyOf(actor))
    .where('id', 'in', ids)
    .where('shelfStatus', '=', shelfStatus.on)
    .executeTakeFirst()
  return { confirmed: Number(numUpdatedRows) }
}

/**
 * Checks category, place and files, which the form alone cannot know, and returns the category. `whole`: the rules of a submission;
 * `mayLackAssessment`: not for the assessment that is due since the machine has come of age.
 */
async function checkMachine(
  deed: Deed,
  input: EquipmentInput,
  { whole, mayLackAssessment = false }: { whole: boolean; mayLackAssessment?: boolean },
): Promise<Category> {
  const { db, now } = deed
  const category = (await findCategories(db, [input.categoryId]))[0]
  const found = equipmentProblems(input, category, whole, dayOf(now))
  const problems = mayLackAssessment ? found.filter((problem) => !isMissingAssessment(problem)) : found
  if (!(await isPlace(db, input))) problems.push({ path: ['cityId'], rule: 'region' })
  const papers = [...new Set(input.papers.flatMap(({ fileId }) => fileId ?? []))]
  const documents = await claimFiles(deed, 'machineDocument', papers)
  if (documents.size < papers.length) problems.push({ path: ['papers'], rule: 'file_unknown' })
  const pictures = await claimFiles(deed, 'machinePicture', input.imageIds)
  if (input.imageIds.some((id) => !pictures.get(id)?.startsWith('image/'))) problems.push({ path: ['imageIds'], rule: 'file_unknown' })
  if (problems.length > 0) throw new FieldRefusal(problems)
  return category as Category
}

/** The columns of a machine; its prices, documents and pictures are rows of their own. */
export function machineColumns(input: EquipmentInput, category: Category, now: Date) {
  const { prices, papers: _documents, imageIds: _images, originalValue, specs, ...rest } = input
  const main = mainParam(category.params)
  const value = main ? Number(specs[main.key]) : Number.NaN
  return {
    ...rest,
    specs: JSON.stringify(specs),
    mainValue: Number.isFinite(value) ? value : null,
    originalValueFen: originalValue,
    monthPriceFen: normalisedPriceFen(pricesOn(prices, dayOf(now)).map(({ price, ...rest }) => ({ ...rest, priceFen: price }))),
    searchText: [input.name, input.brand, input.model, category.name, ...category.alias].join(' '),
    updateTime: now,
  }
}

/** Replaces the prices, documents and pictures of a machine. */
async function writeParts(db: Tx, id: number, input: EquipmentInput): Promise<void> {
  for (const table of ['equipmentPrice', 'equipmentDocument', 'equipmentImage'] as const)
    await db.deleteFrom(table).where('equipmentId', '=', id).execute()
  await insertPrices(db, [{ id, input }])
  if (input.papers.length > 0)
    await db
      .insertInto('equipmentDocument')
      .values(input.papers.map((document) => ({ ...document, equipmentId: id })))
      .execute()
  const images = [...new Set(input.imageIds)]
  if (images.length === 0) return
  await db
    .insertInto('equipmentImage')
    .values(images.map((fileId, orderNum) => ({ equipmentId: id, fileId, orderNum })))
    .execute()
}

export async function insertPrices(db: Tx, machines: readonly { id: number; input: EquipmentInput }[]): Promise<void> {
  const prices = machines.flatMap(({ id, input }) =>
    input.prices.map(({ price, ...rest }) => ({ ...rest, equipmentId: id, priceFen: price })),
  )
  // A draft may have none yet.
  if (prices.length > 0) await db.insertInto('equipmentPrice').values(prices).execute()
}
