import { sql } from 'kysely'
import { dayMs } from '#shared/calendar.ts'
import { openedDemands } from '#shared/demand/rules.ts'
import type { Received } from '#shared/endpoint.ts'
import { delFlag } from '#shared/rules.ts'
import { exceptionDays, exceptionKinds, type ExceptionKind, type listExceptions as contract } from '#shared/statistics/panel.ts'
import type { Actor } from '../actor/actor.ts'
import { companyOf, staysInScope } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { alongOwner, listPage, mostFound, pageId, type List, type OrderKey } from '../db/paging.ts'
import { withCard } from '../demand/queries.ts'

/** The values of `demand.exceptions` with the exception, or with any; the database sets a bit for each kind (`demand_exceptions`). */
const valuesWith = (kind: ExceptionKind | undefined): number[] => {
  const bits = kind ? 1 << exceptionKinds.indexOf(kind) : -1
  return Array.from({ length: 1 << exceptionKinds.length }, (_, value) => value).filter((value) => (value & bits) !== 0)
}

type Wanted = Received<typeof contract>['query'] & { actor: Actor; now: Date }

/** The demands opened lately in the person's scope that show one of the exceptions, the newest first. */
export async function listExceptions(db: Read, { actor, now, kind, ...page }: Wanted) {
  const paging = { ...page, most: mostFound }
  const opened = db
    .selectFrom('demand')
    .where('demand.delFlag', '=', sql.lit(delFlag.present))
    .where('demand.exceptions', '>', sql.lit(0))
    .where('demand.companyId', '=', companyOf(actor))
    .where('demand.openTime', '>', new Date(now.getTime() - exceptionDays * dayMs).toISOString())
  const inList = (demands: typeof opened) =>
    demands.where('demand.status', 'in', openedDemands).where(staysInScope('demand.dept_id', actor))
  const values = valuesWith(kind)
  const order: OrderKey[] = [
    { by: sql.ref('demand.open_time'), direction: 'desc' },
    { by: sql.ref('demand.id'), direction: 'desc' },
  ]
  // Each value is looked up: for all of them at once the planner might read every exception by its time.
  const wanted = sql<{ value: number }>`(select unnest(${values}::smallint[]) as value)`.as('wanted')
  const withValue = inList(opened.where('demand.exceptions', '=', sql.ref<number>('wanted.value')))
    .selectAll('demand')
    .offset(sql.lit(0))
    .as('demand')
  const list: List = {
    id: 'demand.id',
    order,
    found: (columns) =>
      db
        .selectFrom(wanted)
        .crossJoinLateral(withValue)
        .select([...columns]),
    inOrder: alongOwner(db, opened, {
      table: 'demand',
      order,
      filtered: (demands) => inList(demands as typeof opened).where(sql<boolean>`demand.exceptions = any(${values}::smallint[])`),
    }),
    isDear: true,
    bound: mostFound,
  }
  const card = withCard(db.selectFrom('demand').where('demand.id', '=', pageId))
    .leftJoin('award', 'award.demandId', 'demand.id')
    .select(['demand.quoteCount', sql<string>`demand.open_time`.as('openTime'), 'award.netFen as net', 'demand.exceptions'])
  const { rows: demands, ...counted } = await listPage(db, { list, paging, card })
  return {
    ...counted,
    rows: demands.map(({ exceptions, ...demand }) => ({
      ...demand,
      kinds: exceptionKinds.filter((_, at) => (exceptions & (1 << at)) !== 0),
    })),
  }
}
