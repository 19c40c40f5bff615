import { DemandFilter } from '#shared/demand/contract.ts'
import { EquipmentFilter } from '#shared/equipment/contract.ts'
import type { SavedSearch } from '#shared/favourite/contract.ts'
import type { Db, Read } from '../db/connect.ts'
import { countNewDemands } from '../demand/queries.ts'
import { countNewEquipment } from '../equipment/queries.ts'
import { Refusal } from '../http/refusal.ts'
import { sendMessages } from '../message/queries.ts'
import type { Services } from '../services.ts'

const most = 20

export async function insertSavedSearch(
  db: Db,
  accountId: number,
  input: { list: 'equipment' | 'demand'; name: string; query: string; alert: boolean },
  now: Date,
): Promise<number> {
  const { n } = await db
    .selectFrom('savedSearch')
    .where('accountId', '=', accountId)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  if (n >= most) throw new Refusal('kept_enough')
  const query = new URLSearchParams(input.query)
  query.delete('pageNum')
  const { id } = await db
    .insertInto('savedSearch')
    .values({ ...input, query: query.toString(), accountId, checkedAt: now, createTime: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function findSavedSearches(db: Read, accountId: number): Promise<SavedSearch[]> {
  const rows = await db
    .selectFrom('savedSearch')
    .where('accountId', '=', accountId)
    .orderBy('id', 'desc')
    .select(['id', 'list', 'name', 'query', 'alert', 'createTime'])
    .execute()
  return rows.map((row) => ({ ...row, list: row.list as SavedSearch['list'] }))
}

/** From now on only: what came meanwhile is not told afterwards. */
export async function setAlert(db: Db, accountId: number, id: number, alert: boolean, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('savedSearch')
    .set({ alert, checkedAt: now })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteSavedSearch(db: Db, accountId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('savedSearch').where('accountId', '=', accountId).where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Minutes between two looks at the same search. */
const pause = 5

/** Tells of what became public since the last look; what was looked at first waits longest. How many were told. */
export async function alertSavedSearches({ db, hub, clock }: Services): Promise<number> {
  // Whole seconds: what the mark says is what was looked at.
  const now = new Date(Math.floor(clock.now().getTime() / 1000) * 1000)
  const before = new Date(now.getTime() - pause * 60_000).toISOString()
  const due = await db
    .selectFrom('savedSearch')
    .innerJoin('account', 'account.id', 'savedSearch.accountId')
    .where('alert', '=', true)
    .where('account.delFlag', '=', '0')
    .where('checkedAt', '<=', before)
    .orderBy('checkedAt')
    .limit(200)
    .select(['savedSearch.id', 'savedSearch.accountId', 'list', 'savedSearch.name', 'query', 'checkedAt'])
    .execute()
  let told = 0
  for (const { id, accountId, list, name, query, checkedAt } of due) {
    const count = await countNew(db, list, query, checkedAt, now)
    await db.transaction().execute(async (tx) => {
      // Whoever moves the mark tells; another instance finds it moved.
      const { numUpdatedRows } = await tx
        .updateTable('savedSearch')
        .set({ checkedAt: now })
        .where('id', '=', id)
        .where('checkedAt', '<=', before)
        .executeTakeFirst()
      if (numUpdatedRows === 0n || count === 0) return
      told++
      await sendMessages(
        { db: tx, hub, now },
        {
          to: { accounts: [accountId] },
          kind: 'savedSearchHit',
          params: { name, count: String(count) },
          bizType: 'savedSearch',
          bizId: id,
          link: `/${list}${query ? `?${query}` : ''}`,
        },
      )
    })
  }
  return told
}

/** A search whose filters no longer read (a category that is gone, say) finds nothing. */
async function countNew(db: Read, list: string, query: string, since: string, now: Date): Promise<number> {
  const values = Object.fromEntries(new URLSearchParams(query))
  if (list === 'equipment') {
    const filter = EquipmentFilter.safeParse(values)
    return filter.success ? countNewEquipment(db, filter.data, `${since}+08`, now) : 0
  }
  const filter = DemandFilter.safeParse(values)
  return filter.success ? countNewDemands(db, filter.data, `${since}+08`, now) : 0
}
