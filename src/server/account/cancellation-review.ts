import { sql } from 'kysely'
import type { listCancellations as listCancellationsCall } from '#shared/account/cancellation.ts'
import { cancellationStatus, maskPhone } from '#shared/account/rules.ts'
import { dayOf } from '#shared/calendar.ts'
import type { Received } from '#shared/endpoint.ts'
import type { Read, Tx } from '../db/connect.ts'
import { paged, sorted } from '../db/paging.ts'
import { contains } from '../db/search.ts'
import type { Context, Deed } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { deleteFiles } from '../upload/attached.ts'
import { cancellationPoints, erase, lockAdminsOf, lockLeaver } from './cancellation.ts'
import { sendAccountNotice } from './notice.ts'

export async function listCancellations({ db, now }: Pick<Context, 'db' | 'now'>, filter: Received<typeof listCancellationsCall>['query']) {
  const { status, keyword } = filter
  let query = db.selectFrom('cancellation').innerJoin('account', 'account.id', 'cancellation.accountId')
  if (status) query = query.where('cancellation.status', '=', status)
  if (keyword) {
    const pattern = contains(keyword)
    query = query.where((eb) => eb.or([eb('account.userName', 'ilike', pattern), eb('account.name', 'like', pattern)]))
  }
  const { total, rows } = await paged(query, filter, (cancellations) =>
    sorted(
      cancellations.select([
        'cancellation.id',
        'account.id as userId',
        'account.userName',
        'account.name',
        sql<string>`coalesce(account.phonenumber, '')`.as('phonenumber'),
        'cancellation.reason',
        'cancellation.status',
        'cancellation.requestedAt',
        'cancellation.dueAt',
        'cancellation.doneAt',
        'cancellation.note',
      ]),
      {
        sort: filter.sort,
        columns: { requestedAt: { column: sql.ref('cancellation.requested_at') } },
        id: 'cancellation.id',
        usual: (some) =>
          some
            .orderBy((eb) => eb('cancellation.status', '=', cancellationStatus.stopped), 'desc')
            .orderBy('cancellation.requestedAt', 'desc')
            .orderBy('cancellation.id', 'desc'),
      },
    ),
  )
  // Of the few that were stopped: the reason may be gone since.
  const points = new Map(
    await Promise.all(
      rows
        .filter((row) => row.status === cancellationStatus.stopped)
        .map(async ({ id, userId }) => {
          const points = await cancellationPoints(db, userId, dayOf(now))
          // Whether somebody has a sealed quote is nobody's business before its opening, the operator's included.
          return [id, points.filter(({ kind, count }) => count > 0 && kind !== 'quotes')] as const
        }),
    ),
  )
  return { total, rows: rows.map((row) => ({ ...row, phonenumber: maskPhone(row.phonenumber), points: points.get(row.id) ?? [] })) }
}

type Decision = { id: number; note: string }

/** Locks the account before its cancellation, as the clock and a sign-in do. */
export async function lockToFinish(db: Tx, id: number): Promise<void> {
  const found = await findCancellation(db, id).executeTakeFirst()
  if (!found) return
  await lockAdminsOf(db, found.accountId)
  await lockLeaver(db, found.accountId)
}

/** Erases the account of a cancellation that the clock had to stop, once nothing is in the way any more; `lockToFinish` comes first. */
export async function finishCancellation(deed: Deed, { id, note }: Decision): Promise<void> {
  const { db, now, storage, secret } = deed
  const accountId = await lockStopped(deed, id)
  if ((await cancellationPoints(db, accountId, dayOf(now))).some(({ count }) => count > 0)) throw new Refusal('cancellation_blocked')
  await db.updateTable('cancellation').set({ status: cancellationStatus.erased, doneAt: now, note }).where('id', '=', id).execute()
  // Before the commit, as the clock does it: where the storage refuses, the account is not erased either.
  await deleteFiles(storage, await erase({ db, secret, now }, accountId))
}

/** Refuses a cancellation that the clock had to stop; the person gets the reason. */
export async function refuseCancellation(deed: Deed, { id, note }: Decision): Promise<void> {
  const { db, now } = deed
  const accountId = await lockStopped(deed, id)
  await db.updateTable('cancellation').set({ status: cancellationStatus.refused, doneAt: now, note }).where('id', '=', id).execute()
  await sendAccountNotice(deed, { accountId, kind: 'cancellationRefused', params: { reason: note } })
}

/** Locks a cancellation that waits for the operator and gives its account. */
async function lockStopped({ db }: Deed, id: number): Promise<number> {
  return stillStopped(await findCancellation(db, id).forUpdate().executeTakeFirst()).accountId
}

const findCancellation = (db: Read, id: number) => db.selectFrom('cancellation').where('id', '=', id).select(['accountId', 'status'])

function stillStopped<Found extends { status: string }>(found: Found | undefined): Found {
  if (!found) throw new Refusal('not_found')
  if (found.status !== cancellationStatus.stopped) throw new Refusal('changed')
  return found
}
