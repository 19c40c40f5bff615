import { sql } from 'kysely'
import type { Tx } from '../db/connect.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'

/** So many machines are locked for less than a second while their words are computed. */
const portion = 1000

/** Lines of demands and machines for use within the group have no words. */
const portionOfLines = 5000

/**
 * Gives the next machines of a category that was renamed or moved its group and their own words (`own_grams`), with some of the lines that carry the group
 * along. Answers whether there was something to do.
 */
export async function refreshMachines(db: Tx, id: number): Promise<boolean> {
  const category = await db
    .selectFrom('category')
    .where('id', '=', id)
    .where('formerWords', 'is not', null)
    .forNoKeyUpdate()
    .select(['parentId', 'refreshedTo'])
    .executeTakeFirst()
  if (!category) return false
  const { parentId, refreshedTo } = category
  // The trigger of the machine's words runs because its brand is set. Locked by id, as whoever books several machines locks them.
  const { rows } = await sql<{ last: number | null; count: number }>`with chosen as (
      select id from equipment where category_id = ${id} and id > ${refreshedTo} order by id limit ${portion} for no key update),
    refreshed as (update equipment set father_category_id = ${parentId}, brand = brand where id in (select id from chosen))
    select max(id) as last, count(*)::int as count from chosen`.execute(db)
  const { last = null, count = 0 } = rows[0] ?? {}
  let isDone = count < portion
  for (const table of ['demand_item', 'internal_machine'] as const) {
    const { numAffectedRows = 0n } = await sql`update ${sql.table(table)} set father_category_id = ${parentId} where id in (
      select id from ${sql.table(table)} where category_id = ${id} and father_category_id <> ${parentId}
        order by id limit ${portionOfLines} for no key update)`.execute(db)
    if (numAffectedRows === BigInt(portionOfLines)) isDone = false
  }
  await db
    .updateTable('category')
    .set(isDone ? { formerWords: null, refreshedTo: 0 } : { refreshedTo: last ?? refreshedTo })
    .where('id', '=', id)
    .execute()
  return true
}

const keyOfPortion = sql<string>`(category.id || ':' || category.refreshed_to)`

const portionsLeft: Queue<{ key: string; id: number }> = {
  job: 'categoryMachines',
  batch: 1,
  // Half of the time is left to whoever waits for an answer.
  restShare: 1,
  find: (db, _, ready) =>
    db
      .selectFrom('category')
      .where('formerWords', 'is not', null)
      .where(ready(keyOfPortion))
      .orderBy('id')
      .limit(1)
      .select(['id', keyOfPortion.as('key')])
      .execute(),
  run: ({ db }, { id }) => refreshMachines(db, id),
}

/** Lets the machines of categories that were renamed or moved follow them. Answers how many portions. */
export const refreshMachinesOfCategories = (services: Services, signal?: AbortSignal) => workThrough(services, portionsLeft, signal)
