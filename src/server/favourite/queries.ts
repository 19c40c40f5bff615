import type * as contract from '#shared/favourite/contract.ts'
import type { FavouriteType } from '#shared/favourite/contract.ts'
import type { Received } from '#shared/endpoint.ts'
import { lockAccountRow, type Actor } from '../actor/actor.ts'
import { findLessorsByIds } from '../company/queries.ts'
import type { Read } from '../db/connect.ts'
import type { Deed } from '../deed.ts'
import { findDemandsByIds } from '../demand/queries.ts'
import { findShelvedByIds } from '../equipment/queries.ts'
import { Refusal } from '../http/refusal.ts'

/** Favourites of one account, of each type. */
const maxFavourites = 200

/** Adds the favourite or removes it. Throws not_found for what the person does not find in public. */
export async function setFavourite(deed: Deed, input: Received<typeof contract.setFavourite>['body']): Promise<void> {
  const { db, actor, now } = deed
  const { bizType, bizId } = input
  const own = db.selectFrom('favourite').where('accountId', '=', actor.accountId).where('bizType', '=', bizType)
  if (!input.kept) {
    await db
      .deleteFrom('favourite')
      .where('accountId', '=', actor.accountId)
      .where('bizType', '=', bizType)
      .where('bizId', '=', bizId)
      .execute()
    return
  }
  if ((await findPublic(db, actor, { bizType, ids: [bizId] })).length === 0) throw new Refusal('not_found')
  await lockAccountRow(db, actor.accountId)
  const { n } = await own.select((eb) => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  if (n >= maxFavourites) throw new Refusal('favourites_enough', { n })
  await db
    .insertInto('favourite')
    .values({ accountId: actor.accountId, bizType, bizId, at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

function findPublic(db: Read, actor: Actor, { bizType, ids }: { bizType: FavouriteType; ids: readonly number[] }) {
  const rows: Record<FavouriteType, () => Promise<{ id: number }[]>> = {
    equipment: () => findShelvedByIds(db, ids),
    supplier: () => findLessorsByIds(db, ids),
    demand: () => findDemandsByIds(db, ids, actor),
  }
  return rows[bizType]()
}

/** The newest favourite first. */
export function listFavouriteIds(db: Read, { accountId }: Actor) {
  return db.selectFrom('favourite').where('accountId', '=', accountId).orderBy('at', 'desc').select(['bizType', 'bizId']).execute()
}

/** Each type in one query, the newest favourite first; of what is no longer public only type and id. */
export async function listFavourites(db: Read, actor: Actor) {
  const favourites = await listFavouriteIds(db, actor)
  const idsOf = (bizType: FavouriteType) => favourites.filter((one) => one.bizType === bizType).map(({ bizId }) => bizId)
  const ordered = <T extends { id: number }>(ids: readonly number[], rows: readonly T[]) => {
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  }
  const [equipment, supplier, demand] = [idsOf('equipment'), idsOf('supplier'), idsOf('demand')]
  const found = {
    equipment: ordered(equipment, await findShelvedByIds(db, equipment)),
    supplier: ordered(supplier, await findLessorsByIds(db, supplier)),
    demand: ordered(demand, await findDemandsByIds(db, demand, actor)),
  }
  const gone = favourites.filter(({ bizType, bizId }) => !found[bizType].some(({ id }) => id === bizId))
  return { ...found, gone }
}
