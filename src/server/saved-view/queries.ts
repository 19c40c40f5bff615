import type { Received } from '#shared/endpoint.ts'
import { maxViews, type saveView as saveContract, type WorkList } from '#shared/saved-view/contract.ts'
import { lockAccountRow, type Actor } from '../actor/actor.ts'
import type { Read } from '../db/connect.ts'
import type { Deed } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'

export function listViews(db: Read, { accountId }: Actor, list: WorkList) {
  return db
    .selectFrom('savedView')
    .where('accountId', '=', accountId)
    .where('list', '=', list)
    .orderBy('name')
    .select(['id', 'name', 'query', 'hidden'])
    .execute()
}

/** Stores a view, in place of the one of its name. The page of the list is no part of it. */
export async function saveView({ db, actor, now }: Deed, input: Received<typeof saveContract>['body']): Promise<{ id: number }> {
  const { accountId } = actor
  const { list, name, hidden } = input
  const params = new URLSearchParams(input.query)
  params.delete('pageNum')
  await lockAccountRow(db, accountId)
  const others = await db
    .selectFrom('savedView')
    .where('accountId', '=', accountId)
    .where('list', '=', list)
    .where('name', '<>', name)
    .select('id')
    .execute()
  if (others.length >= maxViews) throw new Refusal('views_enough', { n: others.length })
  const view = { query: params.toString(), hidden, createTime: now }
  return db
    .insertInto('savedView')
    .values({ ...view, accountId, list, name })
    .onConflict((conflict) => conflict.columns(['accountId', 'list', 'name']).doUpdateSet(view))
    .returning('id')
    .executeTakeFirstOrThrow()
}

export async function deleteView({ db, actor }: Deed, id: number): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('savedView')
    .where('id', '=', id)
    .where('accountId', '=', actor.accountId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new Refusal('not_found')
}
