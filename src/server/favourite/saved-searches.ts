import { sql, type Selectable } from 'kysely'
import { accountStatus } from '#shared/account/rules.ts'
import { toMoment } from '#shared/calendar.ts'
import { roleOf } from '#shared/certification/rules.ts'
import { DemandFilter } from '#shared/demand/contract.ts'
import { EquipmentFilter } from '#shared/equipment/contract.ts'
import type { Received } from '#shared/endpoint.ts'
import type { addSavedSearch } from '#shared/favourite/contract.ts'
import { paths } from '#shared/paths.ts'
import { delFlag, yesNo } from '#shared/rules.ts'
import { lockAccountRow, type Actor } from '../actor/actor.ts'
import type { Read } from '../db/connect.ts'
import type { DB } from '../db/tables.generated.ts'
import type { Deed } from '../deed.ts'
import { countNewDemands } from '../demand/queries.ts'
import { lessorOf } from '../demand/scope.ts'
import { countNewEquipment } from '../equipment/queries.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import { sendMessages } from '../message/queries.ts'
import type { Services } from '../services.ts'

/** Saved searches of one account. */
const maxSavedSearches = 20

/** Stores a search that can be carried out: it is, once, because the clock will repeat it. Refuses filters that the list does not take. */
export async function insertSavedSearch(deed: Deed, input: Received<typeof addSavedSearch>['body']): Promise<{ id: number }> {
  const { db, actor, now } = deed
  const { accountId } = actor
  await lockAccountRow(db, accountId)
  const { n } = await db
    .selectFrom('savedSearch')
    .where('accountId', '=', accountId)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  if (n >= maxSavedSearches) throw new Refusal('searches_enough', { n })
  const query = new URLSearchParams(input.query)
  query.delete('pageNum')
  const search = { ...input, query: query.toString(), checkedAt: toMoment(now) }
  if ((await countNew(db, search, { until: now, companyId: lessorOf(actor) })) === null) refuseField(['query'], 'filters_invalid')
  return db
    .insertInto('savedSearch')
    .values({ ...search, accountId, checkedAt: now, createTime: now })
    .returning('id')
    .executeTakeFirstOrThrow()
}

export function listSavedSearches(db: Read, { accountId }: Actor) {
  return db
    .selectFrom('savedSearch')
    .where('accountId', '=', accountId)
    .orderBy('id', 'desc')
    .select(['id', 'list', 'name', 'query', 'alert', 'createTime'])
    .execute()
}

/** Notices begin from now: rows that became public while they were off are not reported afterwards. */
export async function setAlert({ db, actor, now }: Deed, { id, alert }: { id: number; alert: boolean }): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('savedSearch')
    .set({ alert, checkedAt: now })
    .where('accountId', '=', actor.accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Refusal('not_found')
}

export async function deleteSavedSearch({ db, actor }: Deed, id: number): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('savedSearch')
    .where('accountId', '=', actor.accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new Refusal('not_found')
}

/** Minutes between two checks of the same search. */
const pause = 5
/** A publication is stored a moment after its time, so what is younger than this is left to the next check. */
const settledMs = 15_000
/** Whole seconds: the mark stands for exactly what was counted. */
const wholeSecond = (now: Date) => new Date(Math.floor(now.getTime() / 1000) * 1000)
const dueBefore = (now: Date) => new Date(wholeSecond(now).getTime() - pause * 60_000).toISOString()

/** So many at a time. */
const batch = 200

/** The search that was checked longest ago comes first. */
const dueSearches: Queue<{ key: string; id: number }> = {
  job: 'savedSearches',
  batch,
  find: (db, now, ready) =>
    db
      .selectFrom('savedSearch')
      .innerJoin('account', 'account.id', 'savedSearch.accountId')
      .where('alert', '=', true)
      // Whoever is locked gets no message; after the lock, one says all that is new since.
      .where('account.status', '=', accountStatus.active)
      .where('account.delFlag', '=', delFlag.present)
      .where('checkedAt', '<=', dueBefore(now))
      .where(ready(sql.ref('savedSearch.id')))
      .orderBy('checkedAt')
      .limit(batch)
      .select(['savedSearch.id', sql<string>`saved_search.id::text`.as('key')])
      .execute(),
  async run(work, { id }) {
    const { db } = work
    const now = wholeSecond(work.now)
    const search = await db
      .selectFrom('savedSearch')
      .innerJoin('account', 'account.id', 'savedSearch.accountId')
      .leftJoin('company', 'company.id', 'account.companyId')
      .where('savedSearch.id', '=', id)
      .where('alert', '=', true)
      .where('checkedAt', '<=', dueBefore(now))
      .forUpdate('savedSearch')
      .select(['accountId', 'list', 'savedSearch.name', 'query', 'checkedAt'])
      .select(['userType', 'account.auditStatus', 'driverOnly', 'account.companyId', 'lessorAudit', 'lesseeAudit'])
      .executeTakeFirst()
    if (!search) return false
    const { accountId, list, name, query } = search
    const companyId = lessorOf({ role: roleOf(search, search), companyId: search.companyId })
    const until = new Date(now.getTime() - settledMs)
    const count = (await countNew(db, search, { until, companyId })) ?? 0
    await db.updateTable('savedSearch').set({ checkedAt: until }).where('id', '=', id).execute()
    if (count === 0) return false
    await sendMessages(
      { ...work, now },
      {
        to: { accounts: [accountId] },
        kind: 'savedSearchHit',
        params: { name, count: String(count + (await countUnread(db, accountId, id))) },
        bizType: 'savedSearch',
        bizId: id,
        link: paths.savedSearch(list, query),
      },
    )
    return true
  },
}

/** The new rows of the message that the next one replaces. */
async function countUnread(db: Read, accountId: number, id: number): Promise<number> {
  const { n } = await db
    .selectFrom('message')
    .where('accountId', '=', accountId)
    .where('kind', '=', sql.lit('savedSearchHit'))
    .where('bizId', '=', String(id))
    .where('isRead', '=', sql.lit(yesNo.no))
    .select(sql<number>`coalesce(sum((params ->> 'count')::int), 0)::int`.as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** Notifies people of rows that became public since the last check of their saved search. Answers how many were notified. */
export const alertSavedSearches = (services: Services, signal?: AbortSignal): Promise<number> => workThrough(services, dueSearches, signal)

/** Counts the rows that became public since the last check; null where the filters are not, or no longer, valid. */
async function countNew(
  db: Read,
  { list, query, checkedAt }: Pick<Selectable<DB['savedSearch']>, 'list' | 'query' | 'checkedAt'>,
  { until, companyId }: { until: Date; companyId: number | null },
) {
  const values = Object.fromEntries(new URLSearchParams(query))
  if (list === 'equipment') {
    const filter = EquipmentFilter.safeParse(values)
    return filter.success ? countNewEquipment(db, filter.data, `${checkedAt}+08`, until) : null
  }
  const filter = DemandFilter.safeParse(values)
  return filter.success ? countNewDemands(db, filter.data, { since: `${checkedAt}+08`, until, companyId }) : null
}
