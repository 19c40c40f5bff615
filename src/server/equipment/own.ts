import { sql } from 'kysely'
import type { AuditStatus, DocumentKind, ShelfStatus } from '#shared/equipment/rules.ts'
import type { EquipmentInput } from '#shared/equipment/upload.ts'
import type { Read } from '../db/connect.ts'
import { documentsOf, withCard } from './queries.ts'
import { holdsMachineWords, machineWords } from './words.ts'

type PriceRow = EquipmentInput['prices'][number]
type Block = {
  blockId: string | null
  from: string
  to: string
  reason: 'award' | 'repair' | 'own' | 'reserved'
  note: string
  qty: number
}

/** A machine whole, of one company or, for the reviewer, of any. Amounts in fen. */
export async function findOwnMachine(db: Read, id: number, companyId: number | null, today: string) {
  const machine = await withCard(
    db
      .selectFrom('equipment')
      .where('equipment.id', '=', id)
      .where('equipment.delFlag', '=', '0')
      .$if(companyId !== null, (query) => query.where('equipment.companyId', '=', companyId ?? 0)),
  )
    .select([
      'equipment.auditStatus',
      'equipment.auditReason',
      'equipment.shelfStatus',
      'equipment.trusted',
      'equipment.offReason',
      'equipment.version',
      'equipment.factoryNo',
      'equipment.manufacturer',
      'equipment.ownership',
      'equipment.originalValueFen as originalValue',
      'equipment.envCode',
      'equipment.plateNo',
      'equipment.vin',
      'equipment.deviceCode',
      'equipment.registrationNo',
      'equipment.registrationOffice',
      'equipment.filingNo',
      'equipment.filingOffice',
      'equipment.districtId',
      'equipment.yardAddress',
      'equipment.description',
      'equipment.transportNote',
      sql<EquipmentInput['rentCycles']>`to_json(equipment.rent_cycles)`.as('rentCycles'),
      sql<PriceRow[]>`coalesce((
        select json_agg(json_build_object('rentUnit', rent_unit, 'price', price_fen, 'withOperator', with_operator, 'fuelBy', fuel_by,
          'taxRate', tax_rate, 'shiftMode', shift_mode, 'minRentDays', min_rent_days, 'validTo', valid_to)
          order by array_position(array['M','S','D','H','V','L','P'], rent_unit))
        from equipment_price p where p.equipment_id = equipment.id), '[]')`.as('prices'),
      sql<
        { kind: DocumentKind; number: string; issuedBy: string; validTo: string | null; fileId: string | null; mime: string | null }[]
      >`coalesce((select json_agg(json_build_object('kind', d.kind, 'number', d.number, 'issuedBy', d.issued_by, 'validTo', d.valid_to,
          'fileId', d.file_id, 'mime', f.mime) order by d.id)
        from equipment_document d left join file f on f.id = d.file_id where d.equipment_id = equipment.id), '[]')`.as('papers'),
      sql<
        string[]
      >`coalesce((select json_agg(file_id order by order_num) from equipment_image i where i.equipment_id = equipment.id), '[]')`.as(
        'images',
      ),
      sql<Block[]>`coalesce((select json_agg(b order by b."from") from (
        select block_id as "blockId", lower(period) as "from", upper(period) as "to", reason, max(note) as note, count(*)::int as qty
        from equipment_booking where equipment_id = equipment.id and upper(period) > ${today}::date
        group by block_id, lower(period), upper(period), reason) b), '[]')`.as('blocks'),
      sql<{ id: number; at: string; move: string; note: string }[]>`coalesce((select json_agg(e order by e.id desc) from (
        select id, to_char(at at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS') as at, move, note
        from equipment_event where equipment_id = equipment.id order by id desc limit 50) e), '[]')`.as('events'),
      sql<{ id: number; name: string; companyName: string; equipmentCode: string }[]>`coalesce((
        select json_agg(json_build_object('id', o.id, 'name', o.name, 'companyName', c.enterprise_name, 'equipmentCode', o.equipment_code) order by o.id)
        from equipment o join company c on c.id = o.company_id
        where o.brand = equipment.brand and o.factory_no = equipment.factory_no and o.factory_no is not null
          and o.id <> equipment.id and o.del_flag = '0' and o.rent_status <> '4'), '[]')`.as('duplicates'),
    ])
    .executeTakeFirst()
  if (!machine) return undefined
  const change = await db
    .selectFrom('equipmentChange')
    .where('equipmentId', '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .select(['id', 'status', 'submitTime', 'reason', 'before', 'after'])
    .executeTakeFirst()
  return { ...machine, change: change ?? null }
}
export type Machine = NonNullable<Awaited<ReturnType<typeof findOwnMachine>>>

/** The machine in the shape in which it is written. */
export function inputOf(machine: Machine): EquipmentInput {
  return {
    fatherCategoryId: machine.fatherCategoryId,
    categoryId: machine.categoryId,
    name: machine.name,
    brand: machine.brand,
    model: machine.model,
    specs: machine.specs,
    factoryNo: machine.factoryNo,
    outFactoryDate: machine.outFactoryDate,
    manufacturer: machine.manufacturer,
    workHours: machine.workHours,
    ownership: machine.ownership,
    originalValue: machine.originalValue,
    emissionStage: machine.emissionStage,
    envCode: machine.envCode,
    plateNo: machine.plateNo,
    vin: machine.vin,
    deviceCode: machine.deviceCode,
    registrationNo: machine.registrationNo,
    registrationOffice: machine.registrationOffice,
    filingNo: machine.filingNo,
    filingOffice: machine.filingOffice,
    provinceId: machine.provinceId,
    cityId: machine.cityId,
    districtId: machine.districtId,
    yardAddress: machine.yardAddress,
    description: machine.description,
    transportNote: machine.transportNote,
    rentCycles: machine.rentCycles,
    isLot: machine.isLot,
    totalQty: machine.totalQty,
    prices: machine.prices,
    papers: machine.papers.map(({ mime: _, ...paper }) => paper),
    imageIds: machine.images,
  }
}

export async function findOwnEquipment(
  db: Read,
  companyId: number,
  filter: {
    categoryId?: number | undefined
    name?: string | undefined
    shelfStatus?: ShelfStatus | undefined
    auditStatus?: AuditStatus | undefined
    pageNum: number
    pageSize: number
  },
  today: string,
) {
  const base = () => {
    let query = db.selectFrom('equipment').where('equipment.companyId', '=', companyId).where('equipment.delFlag', '=', '0')
    if (filter.categoryId) query = query.where('equipment.categoryId', '=', filter.categoryId)
    if (filter.auditStatus) query = query.where('equipment.auditStatus', '=', filter.auditStatus)
    if (filter.shelfStatus) query = query.where('equipment.shelfStatus', '=', filter.shelfStatus)
    if (filter.name) query = query.where(holdsMachineWords(machineWords(filter.name)))
    return query
  }
  const { total } = await base()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await withCard(base())
    .select([
      'equipment.auditStatus',
      'equipment.auditReason',
      'equipment.shelfStatus',
      'equipment.version',
      sql<boolean>`exists (select 1 from equipment_change x where x.equipment_id = equipment.id and x.status = '1')`.as('changing'),
      'equipment.factoryNo',
      documentsOf.as('documents'),
      sql<
        { from: string; to: string; reason: string }[]
      >`coalesce((select json_agg(json_build_object('from', lower(period), 'to', upper(period), 'reason', reason) order by period)
        from equipment_booking b where b.equipment_id = equipment.id and upper(b.period) > ${today}::date), '[]')`.as('bookings'),
    ])
    .orderBy('equipment.id', 'desc')
    .limit(filter.pageSize)
    .offset((filter.pageNum - 1) * filter.pageSize)
    .execute()
  return { total, rows }
}

/** Off always; on only when passed, every paper in date and the company certified. Null: not the company's machine. */
export async function setShelf(
  db: Read,
  companyId: number,
  id: number,
  shelfStatus: '0' | '1',
  today: string,
  now: Date,
): Promise<boolean | null> {
  const own = await db
    .selectFrom('equipment')
    .where('id', '=', id)
    .where('companyId', '=', companyId)
    .where('delFlag', '=', '0')
    .select('id')
    .executeTakeFirst()
  if (!own) return null
  let change = db
    .updateTable('equipment')
    .set((eb) => ({ shelfStatus, updateTime: now, confirmedAt: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('companyId', '=', companyId)
    .where('shelfStatus', '<>', '2')
  if (shelfStatus === '1')
    change = change
      .where('auditStatus', '=', '2')
      .where('rentStatus', '<>', '4')
      .where((eb) =>
        eb.and([
          eb.not(
            eb.exists(
              eb
                .selectFrom('equipmentDocument as d')
                .whereRef('d.equipmentId', '=', 'equipment.id')
                .where('d.validTo', '<', today)
                .select('d.id'),
            ),
          ),
          eb.exists(
            eb
              .selectFrom('company as c')
              .whereRef('c.id', '=', 'equipment.companyId')
              .where('c.lessorAudit', '=', '2')
              .where('c.status', '=', '0')
              .where('c.blacklistedAt', 'is', null)
              .select('c.id'),
          ),
        ]),
      )
  const { numUpdatedRows } = await change.executeTakeFirst()
  return numUpdatedRows > 0n
}
