import { sql } from 'kysely'
import { dayOf, daysBetween } from '#shared/calendar.ts'
import type { InternalMachineInput, MatchLine } from '#shared/internal/contract.ts'
import { transferMoves, transportEstimateFen, type TransferMove } from '#shared/internal/rules.ts'
import type { MessageKind } from '#shared/message/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { companyOf, inScope } from '../actor/scope.ts'
import type { Db, Read, Tx } from '../db/connect.ts'
import { nextCode } from '../db/codes.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import type { Hub } from '../message/hub.ts'
import { sendMessages } from '../message/queries.ts'
import { isPlace, regionNameOf } from '../region/queries.ts'

/** Machines of the viewer's group: what one unit offers every unit of the company sees. */
function ofGroup(db: Read, actor: Actor) {
  return db
    .selectFrom('internalMachine')
    .innerJoin('dept', 'dept.id', 'internalMachine.deptId')
    .innerJoin('category', 'category.id', 'internalMachine.categoryId')
    .where('internalMachine.delFlag', '=', '0')
    .where('dept.companyId', '=', companyOf(actor))
}

const columns = (actor: Actor) =>
  [
    'internalMachine.id',
    'internalMachine.deptId',
    'dept.deptName',
    'internalMachine.fatherCategoryId',
    'internalMachine.categoryId',
    'category.name as categoryName',
    'category.nameEn as categoryNameEn',
    'internalMachine.name',
    'brand',
    'model',
    'mainValue',
    'emissionStage',
    'internalMachine.provinceId',
    'internalMachine.cityId',
    regionNameOf('internal_machine').as('regionName'),
    'place',
    'innerPriceFen as innerPrice',
    'freeFrom',
    'freeTo',
    'note',
    'internalMachine.status',
    'internalMachine.version',
    sql<boolean>`(${actor.role === 'leaseholder'} and ${inScope('internal_machine.dept_id', actor)})`.as('mine'),
  ] as const

export async function findInternal(
  db: Read,
  actor: Actor,
  filter: { categoryId?: number | undefined; mine: string; pageNum: number; pageSize: number },
) {
  const filtered = () => {
    let query = ofGroup(db, actor)
    query = filter.mine ? query.where(inScope('internal_machine.dept_id', actor)) : query.where('internalMachine.status', '=', '1')
    if (filter.categoryId) query = query.where('internalMachine.categoryId', '=', filter.categoryId)
    return query
  }
  const { total } = await filtered()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await filtered()
    .orderBy('internalMachine.id', 'desc')
    .limit(filter.pageSize)
    .offset((filter.pageNum - 1) * filter.pageSize)
    .select(columns(actor))
    .execute()
  return { total, rows }
}

export async function saveInternal(
  db: Db,
  actor: Actor,
  { id, version, innerPrice, ...input }: InternalMachineInput & { id?: number | undefined; version?: number | undefined },
  now: Date,
): Promise<number> {
  const dept = await db
    .selectFrom('dept')
    .where('id', '=', input.deptId)
    .where('delFlag', '=', '0')
    .where(inScope('dept.id', actor))
    .select('id')
    .executeTakeFirst()
  if (!dept) refuseField(['deptId'], 'dept_unknown')
  const category = await db
    .selectFrom('category')
    .where('id', '=', input.categoryId)
    .where('parentId', '=', input.fatherCategoryId)
    .select('id')
    .executeTakeFirst()
  if (!category) refuseField(['categoryId'], 'category')
  if (!(await isPlace(db, { ...input, districtId: null }))) refuseField(['cityId'], 'region')
  const values = { ...input, innerPriceFen: innerPrice, updateTime: now }
  if (id === undefined) {
    const made = await db
      .insertInto('internalMachine')
      .values({ ...values, accountId: actor.accountId, createTime: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    return made.id
  }
  const known = await db
    .selectFrom('internalMachine')
    .where('id', '=', id)
    .where('delFlag', '=', '0')
    .where(inScope('internal_machine.dept_id', actor))
    .select('id')
    .executeTakeFirst()
  if (!known) throw new Refusal('not_found')
  const { numUpdatedRows } = await db
    .updateTable('internalMachine')
    .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('version', '=', version ?? 0)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Refusal('changed')
  return id
}

export async function removeInternal(db: Db, actor: Actor, id: number, now: Date): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('internalMachine')
    .set({ delFlag: '2', updateTime: now })
    .where('id', '=', id)
    .where('delFlag', '=', '0')
    .where(inScope('internal_machine.dept_id', actor))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Refusal('not_found')
}

/** Whether anything of the group stands idle in one of the categories, as a column of another query. */
export const hasIdle = (actor: Actor, categoryIds: readonly number[]) =>
  sql<boolean>`exists (select from internal_machine m join dept d on d.id = m.dept_id
    where m.category_id = any(${[...categoryIds]}::integer[]) and m.status = '1' and m.del_flag = '0' and d.company_id = ${actor.companyId})`

/**
 * Idle machines that pass the gates of each line (category, main parameter, emission, free for the whole hire), the
 * nearest first, with freight and what they would save against the median month rent on the shelf.
 */
export async function matchInternal(db: Read, actor: Actor, cityId: number, items: readonly MatchLine[]) {
  const found = []
  for (const [index, item] of items.entries()) {
    const rows = await ofGroup(db, actor)
      .where('internalMachine.status', '=', '1')
      .where('internalMachine.categoryId', '=', item.categoryId)
      .where('freeFrom', '<=', item.planStart)
      .where('freeTo', '>=', item.planEnd)
      .where(
        sql<boolean>`(${item.mainRule}::text is null or (${item.mainRule}::text = 'ge' and main_value >= ${item.mainValue})
          or (${item.mainRule}::text = 'le' and main_value <= ${item.mainValue}) or (${item.mainRule}::text = 'eq' and main_value = ${item.mainValue}))`,
      )
      .where(
        sql<boolean>`(${item.minEmission}::text is null or emission_stage in ('none', 'electric') or emission_stage >= ${item.minEmission})`,
      )
      .where(
        sql<boolean>`not exists (select 1 from internal_transfer t where t.internal_machine_id = internal_machine.id and t.status in ('1', '2')
          and t.period && daterange(${item.planStart}::date, ${item.planEnd}::date))`,
      )
      .select(columns(actor))
      .select([
        sql<
          number | null
        >`(select distance_km(o.lat, o.lng, r.lat, r.lng) from region o, region r where o.code = ${cityId} and r.code = internal_machine.city_id)`.as(
          'distanceKm',
        ),
        sql<
          number | null
        >`(select percentile_cont(0.5) within group (order by e.month_price_fen) from equipment e where e.category_id = ${item.categoryId}
          and e.audit_status = '2' and e.shelf_status = '1' and e.del_flag = '0' and e.month_price_fen is not null
          and (internal_machine.main_value is null or e.main_value between internal_machine.main_value * 0.8 and internal_machine.main_value * 1.25))`.as(
          'outside',
        ),
      ])
      .orderBy('internalMachine.id')
      .limit(10)
      .execute()
    const months = daysBetween(item.planStart, item.planEnd) / 30
    for (const { distanceKm, outside, ...machine } of rows) {
      const transport = transportEstimateFen(distanceKm)
      const saving = outside === null ? null : Math.round((outside - (machine.innerPrice ?? 0)) * months - (transport ?? 0))
      found.push({ lineNo: index + 1, machine, distanceKm, transport, saving: saving === null ? null : Math.max(0, saving) })
    }
  }
  return found.toSorted((a, b) => a.lineNo - b.lineNo || (a.distanceKm ?? 9999) - (b.distanceKm ?? 9999))
}

export async function askTransfer(
  db: Db,
  hub: Hub,
  actor: Actor,
  ask: { machineId: number; deptId: number; from: string; to: string; note: string },
  now: Date,
): Promise<number> {
  const transferCode = await nextCode(db, 'DB', dayOf(now))
  return db.transaction().execute((tx) => insertTransfer(tx, hub, actor, { ...ask, demandId: null, transferCode }, now))
}

/** Within the caller's transaction: used by publishing too. */
export async function insertTransfer(
  tx: Tx,
  hub: Hub,
  actor: Actor,
  ask: { machineId: number; deptId: number; from: string; to: string; note: string; demandId: number | null; transferCode: string },
  now: Date,
): Promise<number> {
  const machine = await ofGroup(tx, actor)
    .where('internalMachine.id', '=', ask.machineId)
    .where('internalMachine.status', '=', '1')
    .select(['internalMachine.deptId', 'internalMachine.name', 'innerPriceFen', 'freeFrom', 'freeTo'])
    .executeTakeFirst()
  if (!machine) throw new Refusal('not_found')
  const dept = await tx
    .selectFrom('dept')
    .where('id', '=', ask.deptId)
    .where('status', '=', '0')
    .where('delFlag', '=', '0')
    .where(inScope('dept.id', actor))
    .select('id')
    .executeTakeFirst()
  if (!dept) refuseField(['deptId'], 'dept_unknown')
  if (ask.from < machine.freeFrom || ask.to > machine.freeTo) refuseField(['to'], 'machine_taken')
  const { id } = await tx
    .insertInto('internalTransfer')
    .values({
      transferCode: ask.transferCode,
      internalMachineId: ask.machineId,
      demandId: ask.demandId,
      fromDeptId: machine.deptId,
      toDeptId: ask.deptId,
      period: sql<string>`daterange(${ask.from}::date, ${ask.to}::date)`,
      innerPriceFen: machine.innerPriceFen,
      note: ask.note,
      accountId: actor.accountId,
      createTime: now,
      updateTime: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tell(tx, hub, machine.deptId, 'transferAsked', { machine: machine.name, code: ask.transferCode }, id, now)
  return id
}

export async function findTransfers(db: Read, actor: Actor, { pageNum, pageSize }: { pageNum: number; pageSize: number }) {
  const own = () =>
    db
      .selectFrom('internalTransfer')
      .innerJoin('internalMachine', 'internalMachine.id', 'internalTransfer.internalMachineId')
      .innerJoin('category', 'category.id', 'internalMachine.categoryId')
      .where(sql<boolean>`(${inScope('internal_transfer.from_dept_id', actor)} or ${inScope('internal_transfer.to_dept_id', actor)})`)
  const { total } = await own()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const gives = actor.role === 'leaseholder'
  const rows = await own()
    .orderBy('internalTransfer.id', 'desc')
    .limit(pageSize)
    .offset((pageNum - 1) * pageSize)
    .select([
      'internalTransfer.id',
      'transferCode',
      'internalMachine.name as machineName',
      'category.name as categoryName',
      'category.nameEn as categoryNameEn',
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
      sql<boolean>`(${gives} and ${inScope('internal_transfer.from_dept_id', actor)})`.as('giver'),
      sql<boolean>`${inScope('internal_transfer.to_dept_id', actor)}`.as('taker'),
    ])
    .execute()
  return {
    total,
    rows: rows.map(({ giver, taker, ...row }) => ({
      ...row,
      may: {
        agree: giver && row.status === '0',
        receive: taker && row.status === '1',
        withdraw: taker && (row.status === '0' || row.status === '1'),
      },
    })),
  }
}

/** One conditional move by the side whose turn it is. */
export async function moveTransfer(
  db: Db,
  hub: Hub,
  actor: Actor,
  id: number,
  move: TransferMove,
  values: { transportBy?: 'from' | 'to'; transportFen?: number; reason?: string },
  now: Date,
): Promise<void> {
  const { from, to, by } = transferMoves[move]
  const [side] = by
  try {
    await db.transaction().execute(async (tx) => {
      const transfer = await tx
        .selectFrom('internalTransfer')
        .where('id', '=', id)
        .where(sql<boolean>`(${inScope('from_dept_id', actor)} or ${inScope('to_dept_id', actor)})`)
        .select([
          'status',
          'transferCode',
          'fromDeptId',
          'toDeptId',
          sql<boolean>`${inScope(side === 'from' ? 'from_dept_id' : 'to_dept_id', actor)}`.as('may'),
        ])
        .forUpdate()
        .executeTakeFirst()
      if (!transfer) throw new Refusal('not_found')
      if (!transfer.may) throw new Refusal('forbidden')
      if (!(from as readonly string[]).includes(transfer.status)) throw new Refusal('transfer_changed')
      await tx
        .updateTable('internalTransfer')
        .set({ ...values, status: to, updateTime: now })
        .where('id', '=', id)
        .execute()
      const other = side === 'from' ? transfer.toDeptId : transfer.fromDeptId
      await tell(tx, hub, other, 'transferMoved', { code: transfer.transferCode, status: to }, id, now)
    })
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'internal_transfer_overlap') throw new Refusal('machine_taken')
    throw error
  }
}

async function tell(
  tx: Tx,
  hub: Hub,
  deptId: number,
  kind: MessageKind,
  params: Record<string, string>,
  id: number,
  now: Date,
): Promise<void> {
  await sendMessages(
    { db: tx, hub, now },
    {
      to: { dept: deptId },
      kind,
      params,
      bizType: 'transfer',
      bizId: id,
      link: '/workbench/internal?tab=transfers',
    },
  )
}
