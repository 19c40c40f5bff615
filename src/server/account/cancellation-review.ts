import { sql } from 'kysely'
import { maskPhone } from '#shared/account/rules.ts'
import type { CancellationStatus } from '#shared/account/rules.ts'
import { dayOf } from '#shared/calendar.ts'
import { audited } from '../audit/log.ts'
import type { Read } from '../db/connect.ts'
import { contains } from '../db/search.ts'
import { Refusal } from '../http/refusal.ts'
import { sendMessages } from '../message/queries.ts'
import type { Services } from '../services.ts'
import type { Actor } from '../actor/actor.ts'
import { cancellationPoints, deleteFiles, erase } from './cancellation.ts'

type Filter = { keyword?: string | undefined; status?: CancellationStatus | undefined; pageNum: number; pageSize: number }

export async function findCancellations(db: Read, filter: Filter, now: Date) {
  let query = db.selectFrom('cancellation').innerJoin('account', 'account.id', 'cancellation.accountId')
  if (filter.status) query = query.where('cancellation.status', '=', filter.status)
  if (filter.keyword) {
    const pattern = contains(filter.keyword)
    query = query.where((eb) => eb.or([eb('account.userName', 'ilike', pattern), eb('account.name', 'like', pattern)]))
  }
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await query
    .orderBy(sql`cancellation.status = '2' desc`)
    .orderBy('cancellation.requestedAt', 'desc')
    .limit(filter.pageSize)
    .offset((filter.pageNum - 1) * filter.pageSize)
    .select([
      'cancellation.id',
      'account.id as userId',
      'account.userName',
      'account.name',
      sql<string>`coalesce(account.phonenumber, '')`.as('phonenumber'),
      'cancellation.reason',
      'cancellation.status',
      'requestedAt',
      'dueAt',
      'doneAt',
      'note',
    ])
    .execute()
  // Of the few that are held up; what was in the way may have gone since.
  const points = new Map(
    await Promise.all(
      rows
        .filter(({ status }) => status === '2')
        .map(async ({ id, userId }) => [id, (await cancellationPoints(db, userId, dayOf(now))).filter(({ count }) => count > 0)] as const),
    ),
  )
  return { total, rows: rows.map((row) => ({ ...row, phonenumber: maskPhone(row.phonenumber), points: points.get(row.id) ?? [] })) }
}

/** What the clock could not finish: erased once nothing is in the way, or refused with a reason the person is told. */
export async function decideCancellation(
  { db, hub, storage }: Services,
  actor: Actor,
  id: number,
  { finish, note }: { finish: boolean; note: string },
  now: Date,
): Promise<void> {
  const files = await db.transaction().execute(async (tx) => {
    const held = await tx.selectFrom('cancellation').where('id', '=', id).forUpdate().select(['accountId', 'status']).executeTakeFirst()
    if (!held) throw new Refusal('not_found')
    if (held.status !== '2') throw new Refusal('changed')
    const { accountId } = held
    if (finish && (await cancellationPoints(tx, accountId, dayOf(now))).some(({ count }) => count > 0))
      throw new Refusal('cancellation_blocked')
    const action = finish ? 'cancellation.finish' : 'cancellation.refuse'
    return audited(tx, actor, { action, bizType: 'cancellation', id, reason: note }, now, async () => {
      await tx
        .updateTable('cancellation')
        .set({ status: finish ? '3' : '4', doneAt: now, note })
        .where('id', '=', id)
        .execute()
      if (finish) return erase(tx, accountId)
      await sendMessages(
        { db: tx, hub, now },
        {
          to: { accounts: [accountId] },
          kind: 'cancellationRefused',
          params: { reason: note },
          bizType: 'account',
          bizId: accountId,
          link: '/personal/safety',
        },
      )
      return []
    })
  })
  await deleteFiles(storage, files)
}
