import { sql } from 'kysely'
import type { z } from 'zod'
import { blacklistLevel } from '#shared/blacklist/rules.ts'
import { dayOf } from '#shared/calendar.ts'
import { OwnMachineTerms, type OwnMachine } from '#shared/equipment/own.ts'
import { changeStatus, equipmentAudit, rentStatus, shelfStatus, type lessorShelves } from '#shared/equipment/rules.ts'
import { MachineFields, type EquipmentInput } from '#shared/equipment/upload.ts'
import { delFlag, enableStatus } from '#shared/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { companyOf } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed, Work } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { mayLet } from '../public-lessors.ts'
import { isDuplicate } from './numbers.ts'
import { machineTermColumns, unitOrder, withCard } from './queries.ts'
import { shelvedOnceADay } from './shelf.ts'

type OwnRow = z.input<typeof OwnMachine>
type MachineField = keyof typeof MachineFields.shape

const ownColumns = OwnMachineTerms.keyof().options.map((name) => `equipment.${name}` as const)

/** An own machine whole, amounts in fen. Other lessors with the same number are for the reviewer only. */
export async function getOwnMachine({ db, actor, now }: { db: Read; actor: Actor; now: Date }, id: number) {
  return { ...(await getMachine(db, { id, companyId: companyOf(actor), now })), duplicates: [] }
}

/** The categories that the company has machines of, with their number. */
export function listOwnCategories(db: Read, actor: Actor) {
  return db
    .selectFrom('equipment')
    .innerJoin('category', 'category.id', 'equipment.categoryId')
    .where('equipment.companyId', '=', companyOf(actor))
    .where('equipment.delFlag', '=', delFlag.present)
    .groupBy(['equipment.categoryId', 'category.name', 'category.nameEn'])
    .select(['equipment.categoryId', 'category.name', 'category.nameEn', (eb) => eb.fn.countAll<number>().as('count')])
    .orderBy('count', 'desc')
    .orderBy('equipment.categoryId')
    .execute()
}

/** A machine whole, of one company or, for the reviewer, of any. Amounts in fen. */
export async function getMachine(db: Read, { id, companyId, now }: { id: number; companyId: number | null; now: Date }) {
  const machine = await withCard(
    db
      .selectFrom('equipment')
      .where('equipment.id', '=', id)
      .where('equipment.delFlag', '=', delFlag.present)
      .$if(companyId !== null, (query) => query.where('equipment.companyId', '=', companyId ?? 0)),
  )
    .select([
      ...machineTermColumns,
      ...ownColumns,
      'equipment.originalValueFen as originalValue',
      sql<EquipmentInput['rentCycles']>`to_json(equipment.rent_cycles)`.as('rentCycles'),
      sql<EquipmentInput['prices']>`coalesce((
        select json_agg(json_build_object('rentUnit', rent_unit, 'price', price_fen, 'withOperator', with_operator, 'fuelBy', fuel_by,
          'taxRate', tax_rate, 'shiftMode', shift_mode, 'minRentDays', min_rent_days, 'validTo', valid_to)
          order by ${unitOrder})
        from equipment_price p where p.equipment_id = equipment.id), '[]')`.as('prices'),
      sql<
        OwnRow['papers']
      >`coalesce((select json_agg(json_build_object('kind', d.kind, 'number', d.number, 'issuedBy', d.issued_by, 'validTo', d.valid_to,
          'fileId', d.file_id, 'mime', f.mime) order by d.id)
        from equipment_document d left join file f on f.id = d.file_id where d.equipment_id = equipment.id), '[]')`.as('papers'),
      sql<
        string[]
      >`coalesce((select json_agg(file_id order by order_num) from equipment_image i where i.equipment_id = equipment.id), '[]')`.as(
        'images',
      ),
      sql<OwnRow['blocks']>`coalesce((select json_agg(b order by b."from") from (
        select block_id as "blockId", lower(period) as "from", upper(period) as "to", reason, max(note) as note, count(*)::int as qty
        from equipment_booking where equipment_id = equipment.id and upper(period) > ${dayOf(now)}::date
        group by block_id, lower(period), upper(period), reason) b), '[]')`.as('blocks'),
      sql<OwnRow['events']>`coalesce((select json_agg(e order by e.id desc) from (
        select id, to_char(at at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS') as at, move, note
        from equipment_event where equipment_id = equipment.id order by id desc limit 50) e), '[]')`.as('events'),
      sql<OwnRow['duplicates']>`coalesce((
        select json_agg(json_build_object('id', o.id, 'name', o.name, 'companyName', c.enterprise_name, 'equipmentCode', o.equipment_code) order by o.id)
        from equipment o join company c on c.id = o.company_id
        where ${isDuplicate}), '[]')`.as('duplicates'),
    ])
    .executeTakeFirst()
  if (!machine) throw new Refusal('not_found')
  const change = await db
    .selectFrom('equipmentChange')
    .where('equipmentId', '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .select(['id', 'status', 'submitTime', 'reason', 'before', 'after'])
    .select(
      sql<
        Record<string, string>
      >`coalesce((select json_object_agg(f.id, f.mime) from equipment_change_file x join file f on f.id = x.file_id
        where x.equipment_id = equipment_change.equipment_id), '{}')`.as('mimes'),
    )
    .executeTakeFirst()
  return { ...machine, change: change ?? null }
}
export type Machine = Awaited<ReturnType<typeof getMachine>>

/** The machine as the form sends it. */
export function inputOf(machine: Machine): EquipmentInput {
  return {
    ...fieldsOf(machine),
    outFactoryDate: machine.outFactoryDate || null,
    papers: machine.papers.map(({ mime: _, ...paper }) => paper),
    imageIds: machine.images,
  }
}

const fieldsOf = (machine: Machine) =>
  Object.fromEntries(MachineFields.keyof().options.map((name) => [name, machine[name]])) as Pick<Machine, MachineField>

/** Whether a requested change of the machine waits for its review. */
export const changeWaiting = sql<boolean>`exists (select 1 from equipment_change w where w.equipment_id = equipment.id
  and w.status = ${sql.lit(changeStatus.waiting)})`

type Shelving = { id: number; shelfStatus: (typeof lessorShelves)[number] }

/** Takes an own machine off the shelf, which is always allowed, or puts it on where `moveOnShelf` allows it. */
export async function setShelf(deed: Deed, shelving: Shelving): Promise<void> {
  const companyId = companyOf(deed.actor)
  const machine = await deed.db
    .selectFrom('equipment')
    .where('id', '=', shelving.id)
    .where('companyId', '=', companyId)
    .where('delFlag', '=', delFlag.present)
    .select('id')
    .executeTakeFirst()
  if (!machine) throw new Refusal('not_found')
  if (await moveOnShelf(deed, { ...shelving, companyId })) return
  const { barred } = await deed.db
    .selectFrom('equipment')
    .where('id', '=', shelving.id)
    .select(isBarred(deed.now).as('barred'))
    .executeTakeFirstOrThrow()
  throw new Refusal(barred ? 'shelf_barred' : 'shelf_blocked')
}

/** Whether the whole platform bars the machine by an entry of its own; `company.blacklisted_at` says so of a company. */
const isBarred = (now: Date) =>
  sql<boolean>`coalesce(blacklist_machine_level(equipment.id, null, ${dayOf(now)}::date), 0) >= ${sql.lit(blacklistLevel.barred)}`

/**
 * Moves a machine that the platform has not taken down. It goes on the shelf only when it has passed, every document is in date, its category is
 * enabled, its company certified and the platform bars neither. Answers whether it moved.
 */
export async function moveOnShelf({ db, now }: Pick<Work, 'db' | 'now'>, input: Shelving & { companyId: number }): Promise<boolean> {
  // Whoever locks, restricts or revokes the company changes its row before its machines: either they find this machine on the shelf, or it stays off.
  if (input.shelfStatus === shelfStatus.on)
    await db.selectFrom('company').where('id', '=', input.companyId).forShare().select('id').execute()
  const move = db
    .updateTable('equipment')
    .set({ shelfStatus: input.shelfStatus, updateTime: now, version: nextVersion })
    .where('id', '=', input.id)
    .where('companyId', '=', input.companyId)
    .where('shelfStatus', '<>', shelfStatus.takenDown)
    .$if(input.shelfStatus === shelfStatus.on, (query) =>
      query
        .set({ confirmedAt: shelvedOnceADay(now) })
        .where('auditStatus', '=', equipmentAudit.passed)
        .where('rentStatus', '<>', rentStatus.retired)
        .where(sql<boolean>`not ${isBarred(now)}`)
        .where((eb) =>
          eb.and([
            eb.not(
              eb.exists(
                eb
                  .selectFrom('equipmentDocument as d')
                  .whereRef('d.equipmentId', '=', 'equipment.id')
                  .where('d.validTo', '<', dayOf(now))
                  .select('d.id'),
              ),
            ),
            eb.exists(
              eb
                .selectFrom('category as k')
                .whereRef('k.id', '=', 'equipment.categoryId')
                .where('k.status', '=', enableStatus.enabled)
                .select('k.id'),
            ),
            eb.exists(eb.selectFrom('company as c').whereRef('c.id', '=', 'equipment.companyId').where(mayLet('c')).select('c.id')),
          ]),
        ),
    )
  const { numUpdatedRows } = await move.executeTakeFirst()
  return numUpdatedRows > 0n
}
