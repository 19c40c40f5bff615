import type { FavouriteType } from '#shared/favourite/contract.ts'
import type { Actor } from '../actor/actor.ts'
import { findLessorsByIds } from '../company/queries.ts'
import type { Db, Read } from '../db/connect.ts'
import { findDemandsByIds } from '../demand/queries.ts'
import { findShelvedByIds } from '../equipment/queries.ts'
import { Refusal } from '../http/refusal.ts'

const most = 200

export async function setFavourite(db: Db, actor: Actor, bizType: FavouriteType, bizId: number, kept: boolean, now: Date): Promise<void> {
  const { accountId } = actor
  if (!kept) {
    await db.deleteFrom('favourite').where('accountId', '=', accountId).where('bizType', '=', bizType).where('bizId', '=', bizId).execute()
    return
  }
  if ((await publicOnes(db, actor, bizType, [bizId])).length === 0) throw new Refusal('not_found')
  const { n } = await db
    .selectFrom('favourite')
    .where('accountId', '=', accountId)
    .where('bizType', '=', bizType)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  if (n >= most) throw new Refusal('kept_enough')
  await db
    .insertInto('favourite')
    .values({ accountId, bizType, bizId, at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

function publicOnes(db: Read, actor: Actor, bizType: FavouriteType, ids: readonly number[]): Promise<{ id: number }[]> {
  switch (bizType) {
    case 'equipment':
      return findShelvedByIds(db, ids)
    case 'supplier':
      return findLessorsByIds(db, ids)
    case 'demand':
      return findDemandsByIds(db, ids, actor)
  }
}

export async function findFavouriteIds(db: Read, accountId: number) {
  const rows = await db
    .selectFrom('favourite')
    .where('accountId', '=', accountId)
    .orderBy('at', 'desc')
    .select(['bizType', 'bizId'])
    .execute()
  return rows.map((row) => ({ ...row, bizType: row.bizType as FavouriteType }))
}

/** Each kind in one query, in the order they were kept; what is no longer public is only named. */
export async function findFavourites(db: Read, actor: Actor) {
  const kept = await findFavouriteIds(db, actor.accountId)
  const idsOf = (bizType: FavouriteType) => kept.filter((one) => one.bizType === bizType).map(({ bizId }) => bizId)
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
  const gone = kept.filter(({ bizType, bizId }) => !found[bizType].some(({ id }) => id === bizId))
  return { ...found, gone }
}
