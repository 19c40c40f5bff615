import { sql } from 'kysely'
import { changeStatus, rentStatus } from '#shared/equipment/rules.ts'
import type { EquipmentInput } from '#shared/equipment/upload.ts'
import { delFlag } from '#shared/rules.ts'
import type { Tx } from '../db/connect.ts'
import { violates } from '../db/violations.ts'
import { Refusal, refuseField } from '../http/refusal.ts'

/** The key field of the machine as the requested change that waits would have it, otherwise as it is. */
const requestedOf = (key: 'brand' | 'factoryNo', present: string) =>
  sql`coalesce((select w.after ->> ${sql.lit(key)} from equipment_change w where w.equipment_id = equipment.id
    and w.status = ${sql.lit(changeStatus.waiting)}), ${sql.ref(present)})`

/** Whether another machine `o` has the number of the machine, or the one that it asks for: a machine that is listed twice. */
export const isDuplicate = sql<boolean>`o.brand = ${requestedOf('brand', 'equipment.brand')}
  and o.factory_no = ${requestedOf('factoryNo', 'equipment.factoryNo')} and o.factory_no is not null
  and o.id <> equipment.id and o.del_flag = ${sql.lit(delFlag.present)} and o.rent_status <> ${sql.lit(rentStatus.retired)}`

/** Refuses to ask for a number that another machine of the company has. Until the request is decided, no index would say so. */
export async function refuseOwnNumber(
  db: Tx,
  { id, companyId, brand, factoryNo }: Pick<EquipmentInput, 'brand' | 'factoryNo'> & { id: number; companyId: number },
): Promise<void> {
  if (factoryNo === null) return
  const other = await db
    .selectFrom('equipment')
    .where('companyId', '=', companyId)
    .where('brand', '=', brand)
    .where('factoryNo', '=', factoryNo)
    .where('id', '<>', id)
    .where('delFlag', '=', delFlag.present)
    .select('id')
    .executeTakeFirst()
  if (other) refuseField(['factoryNo'], 'taken')
}

/** Refuses, beside the field, what the index of the numbers of a company refuses. */
export function refuseSameNumber(error: unknown): never {
  if (violates(error, 'equipment_factory_no')) refuseField(['factoryNo'], 'taken')
  throw error
}

/** Refuses the same where a reviewer passes a change: they have no field to correct. */
export function refuseTakenNumber(error: unknown): never {
  if (violates(error, 'equipment_factory_no')) throw new Refusal('equipment_number_taken')
  throw error
}
