import { sql } from 'kysely'
import { addDays, dayOf } from '#shared/calendar.ts'
import type { DocumentKind } from '#shared/equipment/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import { sendMessages } from '../message/queries.ts'
import type { Services } from '../services.ts'
import { insertEquipmentEvent } from './upload.ts'

/** Days ahead of a paper's end at which its lessor is told; special equipment is inspected a month ahead (Special Equipment Safety Law of the PRC, article 40). */
const thresholds = [45, 7, 0] as const

type Paper = { key: string; id: number; companyId: number; name: string; kind: DocumentKind; validTo: string; threshold: number }

const papersThatRunOut: Queue<Paper> = {
  job: 'equipmentPapers',
  async find(db, now, ready) {
    const today = dayOf(now)
    const key = sql`concat_ws(':', 'remind', e.id, d.kind, d.valid_to, t.threshold)`
    const { rows } = await sql<Paper>`
      select ${key} as key, e.id, e.company_id as "companyId", e.name, d.kind, d.valid_to as "validTo", t.threshold
      from equipment e join equipment_document d on d.equipment_id = e.id
      cross join lateral (select min(x) as threshold from unnest(${[...thresholds]}::int[]) x where d.valid_to - ${today}::date <= x) t
      where e.shelf_status = '1' and e.del_flag = '0' and d.valid_to between ${today}::date and ${addDays(today, thresholds[0])}::date
        and not exists (select 1 from reminder r where r.subject = 'equipment' and r.subject_id = e.id and r.paper = d.kind
          and r.valid_to = d.valid_to and r.threshold = t.threshold)
        and ${ready(key)}
      order by d.valid_to limit 1000`.execute(db)
    return rows
  },
  async run({ db: tx, now, hub }, { id, companyId, name, kind, validTo, threshold }) {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('reminder')
      .values({ subject: 'equipment', subjectId: id, paper: kind, validTo, threshold, at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (!numInsertedOrUpdatedRows) return false
    await sendMessages(
      { db: tx, hub, now },
      {
        to: { companies: [companyId] },
        kind: 'paperExpiring',
        params: { machine: name, paper: zhCn.equipment.document[kind], day: validTo },
        bizType: 'equipment',
        bizId: id,
        link: `/workbench/cequipment/add?id=${id}`,
      },
    )
    return true
  },
}

const hasExpiredPaper = (now: Date) =>
  sql<boolean>`exists (select 1 from equipment_document d where d.equipment_id = equipment.id and d.valid_to < ${dayOf(now)}::date)`

const machinesToTakeOff: Queue<{ key: string; id: number }> = {
  job: 'equipmentPapers',
  find: (db, now, ready) =>
    db
      .selectFrom('equipment')
      .where('shelfStatus', '=', '1')
      .where(hasExpiredPaper(now))
      .where(ready(sql`'takeOff:' || equipment.id`))
      .limit(1000)
      .select(['id', sql<string>`'takeOff:' || id`.as('key')])
      .execute(),
  async run({ db: tx, now, hub }, { id }) {
    const off = await tx
      .updateTable('equipment')
      .set((eb) => ({ shelfStatus: '0', updateTime: now, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .where('shelfStatus', '=', '1')
      .where(hasExpiredPaper(now))
      .returning(['companyId', 'name'])
      .executeTakeFirst()
    if (!off) return false
    await insertEquipmentEvent(tx, { equipmentId: id, accountId: null, move: 'expire' }, now)
    await sendMessages(
      { db: tx, hub, now },
      {
        to: { companies: [off.companyId] },
        kind: 'equipmentOff',
        params: { machine: off.name },
        bizType: 'equipment',
        bizId: id,
        link: `/workbench/cequipment/add?id=${id}`,
      },
    )
    return true
  },
}

/** Tells of papers that run out, once at each threshold. How many notices went. */
export const remindOfEquipmentPapers = (services: Services, signal?: AbortSignal) => workThrough(services, papersThatRunOut, signal)

/** A machine with an expired paper leaves the shelf. How many did. */
export const takeExpiredOff = (services: Services, signal?: AbortSignal) => workThrough(services, machinesToTakeOff, signal)
