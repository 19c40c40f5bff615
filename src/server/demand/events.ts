import { sql } from 'kysely'
import type { MessageKind } from '#shared/message/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import type { Read, Tx } from '../db/connect.ts'
import { Refusal } from '../http/refusal.ts'
import type { Hub } from '../message/hub.ts'
import { sendMessages } from '../message/queries.ts'

type Event = {
  demandId: number
  quoteId?: number
  accountId: number | null
  move: string
  fromStatus?: string
  toStatus?: string
  note?: string
  /** The receipt of a quote, open to everybody concerned. */
  digest?: string
}

export async function insertEvent(db: Read, event: Event, now: Date): Promise<void> {
  await db
    .insertInto('demandEvent')
    .values({ note: '', ...event, at: now })
    .execute()
}

/** An own demand that has left the draft, held until the end of the transaction. */
export async function lockDemand(tx: Tx, actor: Actor, id: number) {
  const demand = await tx
    .selectFrom('demand')
    .where('id', '=', id)
    .where('status', '<>', '0')
    .where('delFlag', '=', '0')
    .where(inScope('demand.dept_id', actor))
    .select([
      'id',
      'deptId',
      'status',
      'title',
      'demandCode',
      'sealed',
      'urgent',
      'demandType',
      'projectName',
      'quoteDeadline',
      'clarifyDeadline',
      'quoteCount',
      'minQuotes',
      'revision',
      'version',
    ])
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!demand) throw new Refusal('not_found')
  return demand
}

/** Everybody with a live quote. */
export async function tellQuoters(
  tx: Tx,
  hub: Hub,
  demandId: number,
  kind: MessageKind,
  params: Record<string, string>,
  now: Date,
): Promise<void> {
  const quotes = await tx
    .selectFrom('quote')
    .where('demandId', '=', demandId)
    .where('status', 'in', ['1', '3', '4'])
    .select('companyId')
    .execute()
  await sendMessages(
    tx,
    hub,
    {
      to: { companies: quotes.map(({ companyId }) => companyId) },
      kind,
      params,
      bizType: 'demand',
      bizId: demandId,
      link: `/workbench/crequirement/detail?id=${demandId}`,
    },
    now,
  )
}

export async function tellOwner(
  tx: Tx,
  hub: Hub,
  deptId: number,
  kind: MessageKind,
  params: Record<string, string>,
  demandId: number,
  now: Date,
): Promise<void> {
  await sendMessages(
    tx,
    hub,
    {
      to: { dept: deptId },
      kind,
      params,
      bizType: 'demand',
      bizId: demandId,
      link: `/workbench/requirement/detail?id=${demandId}`,
    },
    now,
  )
}

/** The administrators at or above the unit that asked for approval. */
export async function tellApprovers(tx: Tx, hub: Hub, demandId: number, kind: 'demandSubmitted' | 'awardSubmitted', now: Date) {
  const demand = await tx
    .selectFrom('demand')
    .where('id', '=', demandId)
    .select(['deptId', 'title', 'demandCode', 'projectName'])
    .executeTakeFirstOrThrow()
  const { rows } = await sql<{ id: number }>`
    select a.id from account a join dept d on d.id = ${demand.deptId}
    where a.dept_id = any(d.ancestors) and a.is_admin and a.user_type = '2' and a.status = '0' and a.del_flag = '0'`.execute(tx)
  await sendMessages(
    tx,
    hub,
    {
      to: { accounts: rows.map(({ id }) => id) },
      kind,
      params: { title: demand.title, code: demand.demandCode ?? '', project: demand.projectName },
      bizType: 'demand',
      bizId: demandId,
      link: `/workbench/requirement/detail?id=${demandId}`,
    },
    now,
  )
}
