import { sql } from 'kysely'
import { dayOf, daysBetween } from '#shared/calendar.ts'
import { certificationMoves, reachedThreshold } from '#shared/certification/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { sendMessages } from '../message/queries.ts'
import type { Services } from '../services.ts'
import { endRole } from './review.ts'

/** Tells of each paper in force that runs out, once at each threshold. How many notices went. */
export async function remindOfPapers({ db, hub, clock }: Services): Promise<number> {
  const now = clock.now()
  const today = dayOf(now)
  const { rows } = await sql<{ id: number; accountId: number; name: string; paper: string; validTo: string }>`
    select c.id, c.account_id as "accountId", c.name, p.paper, p.valid_to as "validTo"
    from certification c, lateral (
      select d.kind as paper, d.valid_to from certification_document d where d.certification_id = c.id and d.valid_to is not null
      union select 'license', (c.form ->> 'licenseValidTo')::date where c.form ->> 'licenseValidTo' is not null) p
    where c.status in ('2', '5') and c.valid_to is not null and p.valid_to between ${today}::date and ${today}::date + 90
    order by p.valid_to limit 2000`.execute(db)
  let told = 0
  for (const { id, accountId, name, paper, validTo } of rows) {
    const days = daysBetween(today, validTo)
    const threshold = reachedThreshold(days)
    if (threshold === null) continue
    await db.transaction().execute(async (tx) => {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('reminder')
        .values({ subject: 'certification', subjectId: id, paper, validTo, threshold, at: now })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if (!numInsertedOrUpdatedRows) return
      told++
      await sendMessages(
        { db: tx, hub, now },
        {
          to: { accounts: [accountId] },
          kind: 'certificationExpiring',
          params: { company: name, paper: zhCn.certification.documents[paper as 'license'], day: validTo, days: String(days) },
          bizType: 'certification',
          bizId: id,
          link: '/personal/myapprove',
        },
      )
    })
  }
  return told
}

/** What has run out ends: the role, and the machines on the shelf. How many ended. */
export async function expireCertifications({ db, hub, clock }: Services): Promise<number> {
  const now = clock.now()
  const due = await db
    .selectFrom('certification')
    .where('status', 'in', certificationMoves.expire.from)
    .where('validTo', '<', dayOf(now))
    .limit(200)
    .select(['id', 'accountId', 'kind', 'name', 'validTo'])
    .execute()
  let ended = 0
  for (const { id, accountId, kind, name, validTo } of due)
    await db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('certification')
        .set((eb) => ({ status: certificationMoves.expire.to, updateTime: now, version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .where('status', 'in', certificationMoves.expire.from)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return
      ended++
      await tx
        .insertInto('certificationEvent')
        .values({ certificationId: id, action: 'expire', note: validTo ?? '', at: now })
        .execute()
      const people = await endRole(tx, { accountId, kind }, '4')
      await sendMessages(
        { db: tx, hub, now },
        {
          to: { accounts: people },
          kind: 'certificationExpired',
          params: { company: name, day: validTo ?? '' },
          bizType: 'certification',
          bizId: id,
          link: '/personal/myapprove',
        },
      )
    })
  return ended
}
