import { sql, type RawBuilder } from 'kysely'
import { dayOf, daysBetween } from '#shared/calendar.ts'
import type { Received } from '#shared/endpoint.ts'
import { machineNameEn } from '#shared/equipment/name.ts'
import type * as contract from '#shared/internal/contract.ts'
import type { MatchLine } from '#shared/internal/contract.ts'
import {
  agreedTransfers,
  internalStatus,
  openTransfers,
  transferMoves,
  transportEstimateFen,
  type TransferMove,
  type TransferTodo,
} from '#shared/internal/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { delFlag } from '#shared/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { byDeptsInScope, companyOf, inScope } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { paged } from '../db/paging.ts'
import type { Context } from '../deed.ts'
import { selectProject } from '../dept/project.ts'
import { brandEnOf } from '../equipment/names.ts'
import { fitsEmission, fitsMain, isOnShelf } from '../equipment/shelf.ts'
import { Refusal } from '../http/refusal.ts'
import { regionNamesOf } from '../region/queries.ts'

/** Idle machines of the viewer's group: every unit of the company sees what one of them offers. */
export function selectOfGroup(db: Read, actor: Actor) {
  return db
    .selectFrom('internalMachine')
    .innerJoin('dept', 'dept.id', 'internalMachine.deptId')
    .innerJoin('category', 'category.id', 'internalMachine.categoryId')
    .where('internalMachine.delFlag', '=', sql.lit(delFlag.present))
    .where('dept.companyId', '=', companyOf(actor))
}

/** The name of an idle machine, and what `machineNameEn` makes the English one of. */
export const idleNameColumns = [
  'internalMachine.name',
  'brand',
  brandEnOf(sql.ref('internal_machine.brand')).as('brandEn'),
  'model',
  'category.nameEn as categoryNameEn',
] as const

const machineColumns = (actor: Actor) =>
  [
    'internalMachine.id',
    'internalMachine.deptId',
    'dept.deptName',
    'internalMachine.fatherCategoryId',
    'internalMachine.categoryId',
    'category.name as categoryName',
    ...idleNameColumns,
    'mainValue',
    'emissionStage',
    'internalMachine.provinceId',
    'internalMachine.cityId',
    ...regionNamesOf('internal_machine'),
    'place',
    'innerPriceFen as innerPrice',
    'freeFrom',
    'freeTo',
    'note',
    'internalMachine.status',
    'internalMachine.version',
    sql<boolean>`(${actor.role === 'leaseholder'} and ${inScope('internal_machine.dept_id', actor)})`.as('mine'),
  ] as const

/** The own offers whatever their days, or those of the group that are not over yet and so can still be asked for. */
export function listInternal(
  { db, actor, now }: Pick<Context, 'db' | 'actor' | 'now'>,
  filter: Received<typeof contract.listInternal>['query'],
) {
  let machines = selectOfGroup(db, actor)
  machines = filter.mine
    ? machines.where(byDeptsInScope('internal_machine.dept_id', actor))
    : machines.where('internalMachine.status', '=', sql.lit(internalStatus.offered)).where('freeTo', '>', dayOf(now))
  if (filter.categoryId) machines = machines.where('internalMachine.categoryId', '=', filter.categoryId)
  // Those of the group first, so that no page is looked for along the machines of all groups.
  machines = machines.where(
    sql<boolean>`internal_machine.id = any(array(select m.id from internal_machine m join dept d on d.id = m.dept_id where d.company_id = ${companyOf(actor)}))`,
  )
  return paged(machines, filter, (query) => query.orderBy('internalMachine.id', 'desc').select(machineColumns(actor)))
}

/** The machines that match a demand about to be published by one of the own projects. */
export async function matchForProject(db: Read, actor: Actor, { deptId, cityId, items }: Received<typeof contract.matchInternal>['body']) {
  const categoryIds = [...new Set(items.map(({ categoryId }) => categoryId))]
  const dept = await selectProject(db, actor, deptId).select(hasIdle(actor, categoryIds).as('idle')).executeTakeFirst()
  if (!dept) throw new Refusal('dept_not_yours')
  return dept.idle ? matchInternal(db, actor, { cityId, items }) : []
}

/** Whether anything of the group stands idle in one of the categories, as a column of another query. */
export const hasIdle = (actor: Actor, categoryIds: readonly number[]) =>
  sql<boolean>`exists (select from internal_machine m join dept d on d.id = m.dept_id
    where m.category_id = any(${[...categoryIds]}::integer[]) and m.status = ${sql.lit(internalStatus.offered)} and m.del_flag = ${sql.lit(delFlag.present)}
      and d.company_id = ${actor.companyId})`

/**
 * Idle machines that pass the gates of each line (category, main parameter, emission, free for the whole hire), the
 * nearest first, with freight and what they would save against the median month rent on the shelf. A machine is answered once, so it is
 * named once, for the first line that it fits.
 */
export async function matchInternal(db: Read, actor: Actor, { cityId, items }: { cityId: number; items: readonly MatchLine[] }) {
  const found = []
  const named = new Set<number>()
  for (const [index, item] of items.entries()) {
    const rows = await selectOfGroup(db, actor)
      .where('internalMachine.status', '=', sql.lit(internalStatus.offered))
      .where('internalMachine.categoryId', '=', item.categoryId)
      .where('freeFrom', '<=', item.planStart)
      .where('freeTo', '>=', item.planEnd)
      .where(fitsMain(sql`main_value`, { rule: sql`${item.mainRule}::text`, required: sql`${item.mainValue}::numeric` }))
      .where(fitsEmission(sql`emission_stage`, sql`${item.minEmission}::text`))
      .where(
        sql<boolean>`not exists (select 1 from internal_transfer t where t.internal_machine_id = internal_machine.id
          and t.status in (${literals(agreedTransfers)}) and t.period && daterange(${item.planStart}::date, ${item.planEnd}::date))`,
      )
      .select(machineColumns(actor))
      .select([
        sql<
          number | null
        >`(select distance_km(o.lat, o.lng, r.lat, r.lng) from region o, region r where o.code = ${cityId} and r.code = internal_machine.city_id)`.as(
          'distanceKm',
        ),
        sql<
          number | null
        >`(select percentile_cont(0.5) within group (order by e.month_price_fen) from equipment e where e.category_id = ${item.categoryId}
          and ${isOnShelf('e')} and e.month_price_fen is not null
          and (internal_machine.main_value is null or e.main_value between internal_machine.main_value * 0.8 and internal_machine.main_value * 1.25))`.as(
          'marketMonthFen',
        ),
      ])
      .orderBy('distanceKm', (order) => order.asc().nullsLast())
      .orderBy('internalMachine.id')
      .limit(10)
      .execute()
    const months = daysBetween(item.planStart, item.planEnd) / 30
    for (const { distanceKm, marketMonthFen, ...machine } of rows) {
      if (named.has(machine.id)) continue
      named.add(machine.id)
      const { innerPrice: innerPriceFen } = machine
      const transportFen = transportEstimateFen(distanceKm)
      const savedFen = marketMonthFen === null ? null : Math.round((marketMonthFen - (innerPriceFen ?? 0)) * months - (transportFen ?? 0))
      const saving = savedFen === null ? null : Math.max(0, savedFen)
      found.push({ lineNo: index + 1, machine, distanceKm, transport: transportFen, saving })
    }
  }
  return found
}

/** Transfers from and to the own departments, each with the moves that the viewer may make now. */
export async function listTransfers(db: Read, actor: Actor, filter: Received<typeof contract.listTransfers>['query']) {
  const todos = transferTodosOf(actor)
  let own = db
    .selectFrom('internalTransfer')
    .innerJoin('internalMachine', 'internalMachine.id', 'internalTransfer.internalMachineId')
    .innerJoin('category', 'category.id', 'internalMachine.categoryId')
    // Each way has its index.
    .where(
      sql<boolean>`internal_transfer.id = any(array(select t.id from internal_transfer t where ${byDeptsInScope('t.from_dept_id', actor)}
        union all select t.id from internal_transfer t where ${byDeptsInScope('t.to_dept_id', actor)}))`,
    )
  if (filter.todo) own = own.where(todos[filter.todo])
  const { total, rows } = await paged(own, filter, (query) =>
    query
      .orderBy('internalTransfer.id', 'desc')
      .select([
        'internalTransfer.id',
        'transferCode',
        ...idleNameColumns,
        'category.name as categoryName',
        sql<string>`(select dept_name from dept where id = internal_transfer.from_dept_id)`.as('fromDeptName'),
        sql<string>`(select dept_name from dept where id = internal_transfer.to_dept_id)`.as('toDeptName'),
        'demandId',
        sql<string>`lower(period)`.as('from'),
        sql<string>`upper(period)`.as('to'),
        'transportBy',
        'transportFen as transport',
        'internalTransfer.innerPriceFen as innerPrice',
        'internalTransfer.status',
        'internalTransfer.note',
        'reason',
        'internalTransfer.createTime',
        'internalTransfer.updateTime',
        todos.transferAnswer.as('agree'),
        todos.transferReceive.as('receive'),
        sql<boolean>`${inScope('internal_transfer.to_dept_id', actor)}`.as('taker'),
      ]),
  )
  return {
    total,
    rows: rows.map(({ agree, receive, taker, name, brand, brandEn, model, ...row }) => ({
      ...row,
      machineName: name,
      machineNameEn: machineNameEn({ name, brand, brandEn, model, categoryNameEn: row.categoryNameEn }),
      may: { agree, receive, withdraw: taker && isAmong(row.status, openTransfers) },
    })),
  }
}

/** What each transfer in the person's scope waits for them to do, as conditions on `internal_transfer`. */
function transferTodosOf(actor: Actor): Record<TransferTodo, RawBuilder<boolean>> {
  const may = (move: TransferMove) => sql`internal_transfer.status in (${literals(transferMoves[move].from)})`
  return {
    transferAnswer: sql<boolean>`(${actor.role === 'leaseholder'} and ${may('agree')} and ${inScope('internal_transfer.from_dept_id', actor)})`,
    transferReceive: sql<boolean>`(${may('receive')} and ${inScope('internal_transfer.to_dept_id', actor)})`,
  }
}
