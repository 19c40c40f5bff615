import { sql } from 'kysely'
import { userType } from '#shared/account/rules.ts'
import { dayOf, startOfDay } from '#shared/calendar.ts'
import { machineNameEn } from '#shared/equipment/name.ts'
import type { InternalMachineInput } from '#shared/internal/contract.ts'
import {
  agreedTransfers,
  internalStatus,
  transferMoves,
  transfersADay,
  transferStatus,
  type TransferMove,
  type TransferSide,
} from '#shared/internal/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import type { MessageKind } from '#shared/message/kinds.ts'
import { paths } from '#shared/paths.ts'
import { delFlag, enableStatus } from '#shared/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope, seesDept } from '../actor/scope.ts'
import { nextVersion } from '../db/version.ts'
import { violates } from '../db/violations.ts'
import type { Deed } from '../deed.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import { sendMessages, type Recipients } from '../message/queries.ts'
import { isPlace } from '../region/queries.ts'
import { idleNameColumns, selectOfGroup } from './queries.ts'

type Machine = InternalMachineInput & { id?: number | undefined; version?: number | undefined }

/** Offers an idle machine to the group, or changes an offer that nobody changed meanwhile. */
export async function saveInternal(deed: Deed, { id, version, innerPrice, ...input }: Machine): Promise<{ id: number }> {
  const { db, actor, now } = deed
  const dept = await db
    .selectFrom('dept')
    .where('id', '=', input.deptId)
    .where('delFlag', '=', delFlag.present)
    .where(inScope('dept.id', actor))
    // Whoever deletes it or switches it off waits for what is stored here.
    .forKeyShare()
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
  if (id === undefined)
    return db
      .insertInto('internalMachine')
      .values({ ...values, accountId: actor.accountId, createTime: now })
      .returning('id')
      .executeTakeFirstOrThrow()
  const known = await db
    .selectFrom('internalMachine')
    .where('id', '=', id)
    .where('delFlag', '=', delFlag.present)
    .where(inScope('internal_machine.dept_id', actor))
    .select('id')
    .executeTakeFirst()
  if (!known) throw new Refusal('not_found')
  const { numUpdatedRows } = await db
    .updateTable('internalMachine')
    .set({ ...values, version: nextVersion })
    .where('id', '=', id)
    .where('version', '=', version ?? 0)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Refusal('changed')
  return { id }
}

/** Takes an offer back; transfers that were requested go on. */
export async function removeInternal({ db, actor, now }: Deed, id: number): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('internalMachine')
    .set({ delFlag: delFlag.deleted, updateTime: now })
    .where('id', '=', id)
    .where('delFlag', '=', delFlag.present)
    .where(inScope('internal_machine.dept_id', actor))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Refusal('not_found')
}

type Ask = { machineId: number; deptId: number; from: string; to: string; note: string }

/** Asks the unit that offers a machine for it, from the day `from` until the day before `to`. */
export async function askTransfer(deed: Deed, ask: Ask): Promise<{ id: number }> {
  await refuseManyRequests(deed, ask.deptId, 1)
  const transferCode = await deed.codes.next('DB', deed.now)
  return insertTransfer(deed, { ...ask, demandId: null, transferCode })
}

/**
 * Refuses further requests by which a department would ask for more machines than it may in a day. Those of one department wait for each other, so that
 * they are counted exactly; the units that give are told of each.
 */
export async function refuseManyRequests({ db, now }: Deed, deptId: number, further: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`transfer:${deptId}`}, 0))`.execute(db)
  const { asked } = await db
    .selectFrom('internalTransfer')
    .where('toDeptId', '=', deptId)
    .where('createTime', '>=', startOfDay(dayOf(now)))
    .select((eb) => eb.fn.countAll<number>().as('asked'))
    .executeTakeFirstOrThrow()
  if (asked + further > transfersADay) throw new Refusal('transfer_limit', { n: Math.max(0, transfersADay - asked) })
}

/**
 * Stores a request and notifies the giving unit. Refuses days that are over or taken, to which that unit could not agree. `demandId`: the demand that was
 * published with it.
 */
export async function insertTransfer(deed: Deed, ask: Ask & { demandId: number | null; transferCode: string }): Promise<{ id: number }> {
  const { db, actor, now } = deed
  const machine = await selectOfGroup(db, actor)
    .where('internalMachine.id', '=', ask.machineId)
    .where('internalMachine.status', '=', internalStatus.offered)
    .select(['internalMachine.deptId', ...idleNameColumns, 'innerPriceFen', 'freeFrom', 'freeTo'])
    .executeTakeFirst()
  if (!machine) throw new Refusal('not_found')
  const dept = await db
    .selectFrom('dept')
    .where('id', '=', ask.deptId)
    .where('status', '=', enableStatus.enabled)
    .where('delFlag', '=', delFlag.present)
    .where(inScope('dept.id', actor))
    // Whoever deletes it or switches it off waits for what is stored here.
    .forKeyShare()
    .select('id')
    .executeTakeFirst()
  if (!dept) refuseField(['deptId'], 'dept_unknown')
  if (ask.to <= dayOf(now)) refuseField(['to'], 'over_already')
  if (ask.from < machine.freeFrom || ask.to > machine.freeTo || (await isTaken(deed, ask))) refuseField(['to'], 'machine_taken')
  const transfer = await db
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
  const params = { machine: machine.name, machineEn: machineNameEn(machine), code: ask.transferCode }
  await notify(deed, await giversOf(deed, machine.deptId), { transferId: transfer.id, kind: 'transferAsked', params })
  return transfer
}

/** Whether a transfer that is agreed has some of the days that are asked for. */
async function isTaken({ db }: Deed, { machineId, from, to }: Ask): Promise<boolean> {
  const agreed = await db
    .selectFrom('internalTransfer')
    .where('internalMachineId', '=', machineId)
    .where('status', 'in', agreedTransfers)
    .where(sql<boolean>`period && daterange(${from}::date, ${to}::date)`)
    .select('id')
    .executeTakeFirst()
  return agreed !== undefined
}

type Moving = { id: number; move: TransferMove; transportBy?: TransferSide; transportFen?: number; reason?: string }

/** Moves a transfer by the side whose turn it is. Refuses `machine_taken` where another agreed transfer has some of its days. */
export async function moveTransfer(deed: Deed, { id, move, ...values }: Moving): Promise<void> {
  const { db, actor } = deed
  const { from, by } = transferMoves[move]
  const [side] = by
  const transfer = await db
    .selectFrom('internalTransfer')
    .where('id', '=', id)
    .where(sql<boolean>`(${inScope('from_dept_id', actor)} or ${inScope('to_dept_id', actor)})`)
    .select([
      ...movedColumns,
      'status',
      askerBeside(actor),
      sql<boolean>`${inScope(side === 'from' ? 'from_dept_id' : 'to_dept_id', actor)}`.as('may'),
    ])
    .forUpdate()
    .executeTakeFirst()
  if (!transfer) throw new Refusal('not_found')
  if (!transfer.may) throw new Refusal('forbidden')
  if (!isAmong(transfer.status, from)) throw new Refusal('transfer_changed')
  await storeMove(deed, transfer, { move, ...values })
}

const movedColumns = ['internalTransfer.id', 'transferCode', 'fromDeptId', 'toDeptId'] as const
type Moved = { id: number; transferCode: string; fromDeptId: number; toDeptId: number; askerId: number | null }

/** Stores the move of a transfer that is locked, and tells the other side. */
async function storeMove(deed: Deed, transfer: Moved, { move, ...values }: Omit<Moving, 'id'>): Promise<void> {
  const { id, transferCode } = transfer
  const { to, by } = transferMoves[move]
  try {
    await deed.db
      .updateTable('internalTransfer')
      .set({ ...values, status: to, updateTime: deed.now })
      .where('id', '=', id)
      .execute()
  } catch (error) {
    if (violates(error, 'internal_transfer_overlap')) throw new Refusal('machine_taken')
    throw error
  }
  const takers = { dept: transfer.toDeptId, named: transfer.askerId === null ? [] : [transfer.askerId] }
  const other = by[0] === 'from' ? takers : await giversOf(deed, transfer.fromDeptId)
  await notify(deed, other, { transferId: id, kind: 'transferMoved', params: { code: transferCode, status: to } })
}

/** Whoever asked, unless they act now or the taking department is theirs no more: somebody of a unit above asks for a project without being of it. */
const askerBeside = ({ accountId }: Actor) =>
  sql<number | null>`(select a.id from account a where a.id = internal_transfer.account_id and a.id <> ${accountId}
    and ${seesDept('a', sql`internal_transfer.to_dept_id`)})`.as('askerId')

/**
 * Withdraws the requests of a demand that nobody has answered yet, apart from those that stay. An answer that is being given is waited for. The demand
 * must be locked by somebody who may do this: its requests go with it, whichever department they are for.
 */
export async function withdrawAsked(deed: Deed, demandId: number, staying: readonly number[] = []): Promise<void> {
  const asked = await deed.db
    .selectFrom('internalTransfer')
    .where('demandId', '=', demandId)
    .where('status', '=', transferStatus.asked)
    .orderBy('id')
    .select([...movedColumns, askerBeside(deed.actor)])
    .forUpdate()
    .execute()
  for (const transfer of asked) if (!staying.includes(transfer.id)) await storeMove(deed, transfer, { move: 'withdraw' })
}

/** Those who may give a machine of the department away, apart from whoever acts: the accounts of the units at or above it (`internal:offer`). */
async function giversOf({ db, actor }: Deed, deptId: number): Promise<Recipients> {
  const accounts = await db
    .selectFrom('account')
    .where('companyId', '=', (eb) => eb.selectFrom('dept').where('id', '=', deptId).select('companyId'))
    .where('userType', '=', sql.lit(userType.lessee))
    .where(seesDept('account', sql`${deptId}::bigint`))
    .where('id', '<>', actor.accountId)
    .select('id')
    .execute()
  return { accounts: accounts.map(({ id }) => id) }
}

type News = { transferId: number; kind: MessageKind; params: Record<string, string> }

async function notify(deed: Deed, to: Recipients, { transferId, ...news }: News): Promise<void> {
  await sendMessages(deed, { ...news, to, bizType: 'transfer', bizId: transferId, link: paths.transfers })
}
