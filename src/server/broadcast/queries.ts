import { sql, type RawBuilder } from 'kysely'
import type { Audience } from '#shared/broadcast/contract.ts'
import type { z } from 'zod'
import type { sendBroadcast } from '#shared/broadcast/contract.ts'
import type { Actor } from '../actor/actor.ts'
import { audited } from '../audit/log.ts'
import type { Db, Read } from '../db/connect.ts'
import { Refusal } from '../http/refusal.ts'
import type { Hub } from '../message/hub.ts'
import { sendMessages } from '../message/queries.ts'

/** The role of an account as a broadcast counts it; the platform's own people are nobody's audience. */
const roleOfAccount = sql`case when a.user_type in ('8', '9') then 'staff'
  when a.audit_status not in ('2', '5') then 'none'
  else case a.user_type when '2' then 'leaseholder' when '3' then 'projectUser' when '4' then 'leaser' else 'none' end end`

/** People who are meant, as `from … where …`. */
function meant({ roles, provinceIds, companyIds }: Audience): RawBuilder<unknown> {
  return sql`from account a left join dept d on d.id = a.dept_id left join company c on c.id = coalesce(d.company_id, a.company_id)
    where a.status = '0' and a.del_flag = '0' and ${roleOfAccount} <> 'staff'
      and (cardinality(${[...roles]}::text[]) = 0 or ${roleOfAccount} = any(${[...roles]}::text[]))
      and (cardinality(${[...provinceIds]}::integer[]) = 0 or c.province_id = any(${[...provinceIds]}::integer[]))
      and (cardinality(${[...companyIds]}::bigint[]) = 0 or c.id = any(${[...companyIds]}::bigint[]))`
}

export async function countAudience(db: Read, audience: Audience): Promise<{ people: number; companies: number }> {
  const { rows } = await sql<{ people: number; companies: number }>`
    select count(*)::int as people, count(distinct c.id)::int as companies ${meant(audience)}`.execute(db)
  return rows[0] ?? { people: 0, companies: 0 }
}

const batch = 500

/** To everybody meant now. Where far more or fewer are meant than the sender saw, he is asked again. */
export function sendToAudience(db: Db, hub: Hub, actor: Actor, input: z.output<typeof sendBroadcast.body>, now: Date) {
  const { title, content, link, audience } = input
  return db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'broadcast.send', bizType: 'broadcast' }, now, async () => {
      const { rows } = await sql<{ id: number }>`select a.id ${meant(audience)} order by a.id`.execute(tx)
      const people = rows.length
      if (people === 0) throw new Refusal('audience_empty')
      if (Math.abs(people - input.people) > Math.max(5, input.people / 10)) throw new Refusal('audience_changed', { people })
      const { id } = await tx
        .insertInto('broadcast')
        .values({ accountId: actor.accountId, title, content, link, audience: JSON.stringify(audience), people, at: now })
        .returning('id')
        .executeTakeFirstOrThrow()
      for (let from = 0; from < people; from += batch)
        await sendMessages(
          { db: tx, hub, now },
          {
            to: { accounts: rows.slice(from, from + batch).map((row) => row.id) },
            kind: 'announcement',
            params: { title, content },
            bizType: 'broadcast',
            bizId: id,
            link,
          },
        )
      return { id, people }
    }),
  )
}

export async function findBroadcasts(db: Read, { pageNum, pageSize }: { pageNum: number; pageSize: number }) {
  const { total } = await db
    .selectFrom('broadcast')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('broadcast')
    .innerJoin('account', 'account.id', 'broadcast.accountId')
    .orderBy('broadcast.id', 'desc')
    .limit(pageSize)
    .offset((pageNum - 1) * pageSize)
    .select([
      'broadcast.id',
      'title',
      'content',
      'link',
      'audience',
      'people',
      sql<number>`(select count(*)::int from message m where m.biz_type = 'broadcast' and m.biz_id = broadcast.id::text and m.is_read = '1')`.as(
        'read',
      ),
      sql<string>`coalesce(nullif(account.name, ''), account.user_name)`.as('who'),
      'at',
    ])
    .execute()
  return { total, rows }
}
