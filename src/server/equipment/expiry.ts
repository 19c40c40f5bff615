import { sql } from 'kysely'
import { addDays, dayOf } from '#shared/calendar.ts'
import { boundContracts, filledPositions } from '#shared/contract/rules.ts'
import { shelfStatus, type DocumentKind } from '#shared/equipment/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { literals } from '../db/literals.ts'
import { nextVersion } from '../db/version.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { insertMachineNotice } from './notices.ts'
import { insertEquipmentEvent } from './upload.ts'

/**
 * Days before a document ends on which its lessor is notified; special equipment is inspected a month ahead (Special Equipment Safety Law of the
 * PRC, article 40).
 */
const thresholds = [45, 7, 0] as const

type ExpiringDocument = { key: string; id: number; companyId: number; name: string; kind: DocumentKind; validTo: string; threshold: number }

const expiringDocuments: Queue<ExpiringDocument> = {
  job: 'equipmentPapers',
  batch: 1000,
  async find(db, now, ready) {
    const today = dayOf(now)
    const key = sql`concat_ws(':', 'remind', e.id, d.kind, d.valid_to, t.threshold)`
    const { rows } = await sql<ExpiringDocument>`
      select ${key} as key, e.id, e.company_id as "companyId", e.name, d.kind, d.valid_to as "validTo", t.threshold
      from equipment e join equipment_document d on d.equipment_id = e.id
      cross join lateral (select min(x) as threshold from unnest(${[...thresholds]}::int[]) x where d.valid_to - ${today}::date <= x) t
      where ${isInUse('e')} and e.del_flag = ${sql.lit(delFlag.present)}
        and d.valid_to between ${today}::date and ${addDays(today, thresholds[0])}::date and d.remind_before >= t.threshold
        and ${ready(key)}
      order by d.valid_to limit 1000`.execute(db)
    return rows
  },
  async run(work, { id, companyId, name, kind, validTo, threshold }) {
    const { numUpdatedRows } = await work.db
      .updateTable('equipmentDocument')
      .set({ remindBefore: thresholds.find((days) => days < threshold) ?? null })
      .where('equipmentId', '=', id)
      .where('kind', '=', kind)
      .where('validTo', '=', validTo)
      .executeTakeFirst()
    // Its lessor has replaced it.
    if (numUpdatedRows === 0n) return false
    const { numInsertedOrUpdatedRows } = await work.db
      .insertInto('reminder')
      .values({ subject: 'equipment', subjectId: id, paper: kind, validTo, threshold, at: work.now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    // The same document was handed in anew.
    if (!numInsertedOrUpdatedRows) return false
    await insertMachineNotice(work.db, {
      companyId,
      equipmentId: id,
      kind: 'paperExpiring',
      params: { machine: name, paper: zhCn.equipment.document[kind], paperEn: en.equipment.document[kind], day: validTo },
    })
    return true
  },
}

/** Whether the machine under this alias is offered or on hire: its papers matter, although a machine on hire may stand on no shelf. */
export const isInUse = (machine: string) => sql<boolean>`(${sql.ref(`${machine}.shelf_status`)} = ${sql.lit(shelfStatus.on)}
  or exists (select from contract_line l join contract c on c.id = l.contract_id
    where l.equipment_id = ${sql.ref(`${machine}.id`)} and l.status in (${literals(filledPositions)}) and c.status in (${literals(boundContracts)})))`

const hasExpiredDocument = (now: Date) =>
  sql<boolean>`exists (select 1 from equipment_document d where d.equipment_id = equipment.id and d.valid_to < ${dayOf(now)}::date)`

const machinesToTakeOff: Queue<{ key: string; id: number }> = {
  job: 'equipmentPapers',
  batch: 1000,
  async find(db, now, ready) {
    // Most machines have no expired document, so the documents are found first and lead to their machines.
    const { rows } = await sql<{ key: string; id: number }>`
      select 'takeOff:' || e.id as key, e.id
      from (select distinct d.equipment_id from equipment_document d where d.valid_to < ${dayOf(now)}::date) expired
      cross join lateral (select id from equipment where id = expired.equipment_id and shelf_status = ${sql.lit(shelfStatus.on)} offset 0) e
      where ${ready(sql`'takeOff:' || e.id`)} limit 1000`.execute(db)
    return rows
  },
  async run(work, { id }) {
    const { db, now } = work
    // Only a statement that begins after the wait finds the documents that somebody is replacing.
    await db.selectFrom('equipment').where('id', '=', id).forNoKeyUpdate().select('id').execute()
    const off = await db
      .updateTable('equipment')
      .set({ shelfStatus: shelfStatus.off, updateTime: now, version: nextVersion })
      .where('id', '=', id)
      .where('shelfStatus', '=', shelfStatus.on)
      .where(hasExpiredDocument(now))
      .returning(['companyId', 'name'])
      .executeTakeFirst()
    if (!off) return false
    await insertEquipmentEvent(work, { equipmentId: id, accountId: null, move: 'expire' })
    await insertMachineNotice(db, { companyId: off.companyId, equipmentId: id, kind: 'equipmentOff', params: { machine: off.name } })
    return true
  },
}

/** Finds the documents that run out, once at each threshold; `notifyOfPapers` tells their lessors. Answers how many there were. */
export const remindOfEquipmentDocuments = (services: Services, signal?: AbortSignal) => workThrough(services, expiringDocuments, signal)

/** Takes machines with an expired document off the shelf; `notifyOfPapers` tells their lessors. Answers how many. */
export const takeExpiredOff = (services: Services, signal?: AbortSignal) => workThrough(services, machinesToTakeOff, signal)
