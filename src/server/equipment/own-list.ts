import { sql } from 'kysely'
import type { z } from 'zod'
import { dayOf } from '#shared/calendar.ts'
import type { Download, Received } from '#shared/endpoint.ts'
import { machineNameEn } from '#shared/equipment/name.ts'
import type * as contract from '#shared/equipment/contract.ts'
import { rentStatus } from '#shared/equipment/rules.ts'
import { delFlag, exportLimit } from '#shared/rules.ts'
import { semicolon } from '#shared/text/punctuation.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { Actor } from '../actor/actor.ts'
import { companyOf } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { listOf, listPage, orderOf, pageId, type Paging } from '../db/paging.ts'
import { listWorkbook, yuanCell } from '../workbook/list-workbook.ts'
import { changeWaiting } from './own.ts'
import { documentsOf, withCard } from './queries.ts'
import { holdsWordsOrNumber } from './words.ts'

type Filter = Received<typeof contract.exportOwnEquipment>['query'] & { now: Date }

const columns = {
  name: { column: sql.ref('equipment.name') },
  monthPrice: { column: sql.ref('equipment.month_price_fen'), optional: true },
  confirmedAt: { column: sql.ref('equipment.confirmed_at') },
  outFactoryDate: { column: sql.ref('equipment.out_factory_date') },
} as const

/** The company's machines that fit, on whatever shelf. */
function ownMachines(db: Read, actor: Actor, { categoryId, auditStatus, name }: Received<typeof contract.countOwnShelves>['query']) {
  let own = db.selectFrom('equipment').where('equipment.companyId', '=', companyOf(actor)).where('equipment.delFlag', '=', delFlag.present)
  if (categoryId) own = own.where('equipment.categoryId', '=', categoryId)
  if (auditStatus) own = own.where('equipment.auditStatus', '=', auditStatus)
  return name ? own.where(holdsWordsOrNumber(name)) : own
}

export async function listOwnEquipment(db: Read, actor: Actor, { now, ...filter }: Filter & Paging) {
  let own = ownMachines(db, actor, filter)
  if (filter.shelfStatus) own = own.where('equipment.shelfStatus', '=', filter.shelfStatus)
  const list = listOf(own, 'equipment.id', orderOf({ sort: filter.sort, columns, id: 'equipment.id' }))
  const card = withCard(db.selectFrom('equipment').where('equipment.id', '=', pageId)).select([
    'equipment.auditStatus',
    'equipment.auditReason',
    'equipment.shelfStatus',
    'equipment.version',
    changeWaiting.as('changing'),
    'equipment.factoryNo',
    documentsOf.as('documents'),
    // The slots of a lot that one reason takes in one period are one entry with their number.
    sql<z.input<typeof contract.OwnEquipment>['bookings']>`coalesce((
        select json_agg(json_build_object('from', lower(period), 'to', upper(period), 'reason', reason, 'qty', qty) order by period, reason)
        from (select period, reason, count(*)::int as qty from equipment_booking b
          where b.equipment_id = equipment.id and upper(b.period) > ${dayOf(now)}::date group by period, reason) taken), '[]')`.as(
      'bookings',
    ),
  ])
  return listPage(db, { list, paging: filter, card })
}

/** How many machines of the list stand on each shelf, whatever shelf is chosen. */
export async function countOwnShelves(
  db: Read,
  actor: Actor,
  filter: Received<typeof contract.countOwnShelves>['query'],
): Promise<Record<string, number>> {
  const rows = await ownMachines(db, actor, filter)
    .groupBy('equipment.shelfStatus')
    .select((eb) => ['equipment.shelfStatus', eb.fn.countAll<number>().as('count')])
    .execute()
  return Object.fromEntries(rows.map(({ shelfStatus, count }) => [shelfStatus, count]))
}

/** The list as a workbook, in the language of the reader. */
export async function ownEquipmentWorkbook(db: Read, actor: Actor, { filter, text }: { filter: Filter; text: Text }): Promise<Download> {
  const list = await listOwnEquipment(db, actor, { ...filter, pageNum: 1, pageSize: exportLimit, exact: true })
  const { equipment } = text
  const { fields } = equipment.upload
  const zh = text.locale === 'zh-CN'
  return listWorkbook({
    title: equipment.own.title,
    text,
    columns: [
      { label: text.list.machine.code, width: 18, value: (row) => row.equipmentCode },
      { label: equipment.name, width: 30, value: (row) => (zh ? row.name : machineNameEn(row)) },
      { label: text.site.common.category, width: 18, value: (row) => (zh ? row.categoryName : row.categoryNameEn) },
      { label: fields.brand ?? '', width: 14, value: (row) => (zh ? row.brand : row.brandEn) },
      { label: fields.model ?? '', width: 16, value: (row) => row.model },
      { label: fields.factoryNo ?? '', width: 20, value: (row) => row.factoryNo },
      { label: fields.outFactoryDate ?? '', width: 14, format: 'day', value: (row) => row.outFactoryDate },
      { label: equipment.location, width: 20, value: (row) => (zh ? row.regionName : row.regionNameEn) },
      { label: text.list.machine.units, width: 8, format: 'whole', value: (row) => row.totalQty },
      { label: text.site.common.status, width: 12, value: (row) => equipment.shelf[row.shelfStatus] ?? '' },
      { label: equipment.review.title, width: 12, value: (row) => equipment.audit[row.auditStatus] ?? '' },
      { label: text.list.machine.rent, width: 12, value: (row) => equipment.rentStatus[row.rentStatus ?? rentStatus.available] ?? '' },
      { label: equipment.upload.changing, width: 12, value: (row) => (row.changing ? text.site.common.yes : text.site.common.no) },
      { label: equipment.price, width: 14, format: 'money', value: (row) => yuanCell(row.monthPrice) },
      {
        label: equipment.papers,
        width: 36,
        value: ({ documents }) =>
          documents.map(({ kind, validTo }) => `${equipment.document[kind]} ${validTo ?? equipment.paperForever}`).join(semicolon(text)),
      },
      {
        label: equipment.own.bookings,
        width: 40,
        value: ({ bookings, isLot }) =>
          bookings.length === 0
            ? equipment.calendarFree
            : bookings
                .map(
                  ({ from, to, reason, qty }) =>
                    `${from} – ${text.list.endDay(to)} ${equipment.own.booked[reason] ?? ''}${isLot ? ` ×${qty}` : ''}`,
                )
                .join(semicolon(text)),
      },
      { label: text.list.machine.confirmedAt, width: 20, format: 'moment', value: (row) => row.confirmedAt },
    ],
    list,
  })
}
