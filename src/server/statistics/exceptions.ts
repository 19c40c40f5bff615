import { sql, type RawBuilder } from 'kysely'
import { dayMs } from '#shared/calendar.ts'
import { openedDemands } from '#shared/demand/rules.ts'
import type { Received } from '#shared/endpoint.ts'
import { delFlag } from '#shared/rules.ts'
import { exceptionDays, exceptionKinds, type ExceptionKind, type listExceptions as contract } from '#shared/statistics/panel.ts'
import type { Actor } from '../actor/actor.ts'
import { staysInScope } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { listed, listOf, mostFound, pageOf, type OrderKey } from '../db/paging.ts'
import { withCard } from '../demand/queries.ts'

const inShanghai = (moment: RawBuilder<unknown>) => sql`(${moment} at time zone 'Asia/Shanghai')::date`

/** Each exception as a condition on `demand`, which has been opened. Offset 0 has it asked of each demand that is read: otherwise it is answered for all quotes. */
const conditions: Record<ExceptionKind, RawBuilder<boolean>> = {
  single: sql<boolean>`demand.quote_count = 1`,
  overCeiling: sql<boolean>`exists (select 1 from demand_item i join award_line l on l.demand_item_id = i.id join quote_line o on o.id = l.quote_line_id
    where i.demand_id = demand.id and o.rent_unit = i.rent_unit and o.unit_price_fen > i.price_ceiling_fen offset 0)`,
  sameDay: sql<boolean>`${inShanghai(sql`demand.open_time`)} = ${inShanghai(sql`demand.publish_time`)}`,
  samePhone: sql<boolean>`exists (select 1 from quote a join quote b on b.demand_id = a.demand_id and b.company_id > a.company_id
    and b.contact_phone = a.contact_phone and b.open_time is not null where a.demand_id = demand.id and a.open_time is not null offset 0)`,
}

type Wanted = Received<typeof contract>['query'] & { actor: Actor; now: Date }

/** The demands opened lately in the person's scope that show one of the exceptions, the newest first. */
export async function listExceptions(db: Read, { actor, now, kind, ...page }: Wanted) {
  const paging = { ...page, most: mostFound }
  const demands = db
    .selectFrom('demand')
    .where('demand.delFlag', '=', sql.lit(delFlag.present))
    .where('demand.openTime', '>', new Date(now.getTime() - exceptionDays * dayMs).toISOString())
    .where('demand.status', 'in', openedDemands)
    .where(staysInScope('demand.dept_id', actor))
    .where(kind ? conditions[kind] : sql<boolean>`(${sql.join(Object.values(conditions), sql` or `)})`)
  const order: OrderKey[] = [
    { by: sql.ref('demand.open_time'), direction: 'desc' },
    { by: sql.ref('demand.id'), direction: 'desc' },
  ]
  const list = { ...listOf(demands, 'demand.id', order), isDear: true, bound: 0 }
  const rows = await withCard(db.selectFrom('demand'))
    .innerJoin(pageOf(list, paging), 'page.id', 'demand.id')
    .leftJoin('award', 'award.demandId', 'demand.id')
    .select([
      'demand.quoteCount',
      sql<string>`demand.open_time`.as('openTime'),
      'award.netFen as net',
      sql<ExceptionKind[]>`array_remove(array[${sql.join(
        exceptionKinds.map((one) => sql`case when ${conditions[one]} then ${sql.lit(one)} end`),
      )}], null)`.as('kinds'),
      'page.total',
    ])
    .orderBy('page.at')
    .execute()
  return listed(db, rows, () => list, paging)
}
