import { sql } from 'kysely'
import type { MessageKind } from '#shared/message/rules.ts'
import type { Tx } from '../db/connect.ts'
import type { Hub } from '../message/hub.ts'
import { sendMessages } from '../message/queries.ts'

export async function tellSubject(
  tx: Tx,
  hub: Hub,
  entry: { id: number; companyId: number; blacklistCode: string },
  kind: MessageKind,
  params: Record<string, string>,
  now: Date,
): Promise<void> {
  await sendMessages(
    { db: tx, hub, now },
    {
      to: { companies: [entry.companyId] },
      kind,
      params: { code: entry.blacklistCode, ...params },
      bizType: 'blacklist',
      bizId: entry.id,
      link: `/workbench/blacklist/detail?id=${entry.id}`,
    },
  )
}

/** Administrators at or above the scope (for the platform its operators with that duty), and the proposer. */
export async function tellDeciders(
  tx: Tx,
  hub: Hub,
  entry: { id: number; companyId: number; blacklistCode: string; scopeDeptId: number | null; proposerId: number },
  kind: MessageKind,
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from account where ${entry.scopeDeptId}::bigint is null and user_type = '9' and 'blacklist' = any(duties)
      and status = '0' and del_flag = '0'
    union select a.id from account a join dept d on d.id = ${entry.scopeDeptId}
    where (a.dept_id = d.id or a.dept_id = any(d.ancestors)) and a.is_admin and a.user_type = '2' and a.status = '0' and a.del_flag = '0'`.execute(
    tx,
  )
  const company = await tx.selectFrom('company').where('id', '=', entry.companyId).select('enterpriseName').executeTakeFirstOrThrow()
  await sendMessages(
    { db: tx, hub, now },
    {
      to: { accounts: [...new Set([...rows.map(({ id }) => id), entry.proposerId])] },
      kind,
      params: { code: entry.blacklistCode, company: company.enterpriseName },
      bizType: 'blacklist',
      bizId: entry.id,
      link: `/workbench/blacklist/detail?id=${entry.id}`,
    },
  )
}
