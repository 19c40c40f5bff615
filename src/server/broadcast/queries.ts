import { sql, type RawBuilder } from 'kysely'
import { accountStatus, staffTypes, userType } from '#shared/account/rules.ts'
import type * as contract from '#shared/broadcast/contract.ts'
import type { Audience } from '#shared/broadcast/contract.ts'
import { endedCertifications, passedCertifications } from '#shared/certification/rules.ts'
import type { Received } from '#shared/endpoint.ts'
import { messageKinds } from '#shared/message/kinds.ts'
import { delFlag, yesNo } from '#shared/rules.ts'
import { nameOf } from '../actor/name.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { paged } from '../db/paging.ts'
import type { Deed } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { sendMessages, type Sending } from '../message/queries.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'

const companyAudit = sql`case a.user_type when ${sql.lit(userType.lessor)} then c.lessor_audit else c.lessee_audit end`

/**
 * The role of an account as a broadcast counts it, by the rule `roleOf`; the platform's own people are nobody's audience, and a driver hears what goes to
 * everybody.
 */
const roleOfAccount = sql`case when a.user_type in (${literals(staffTypes)}) then 'staff' when a.driver_only then 'driver'
  when a.audit_status not in (${literals(passedCertifications)}) or ${companyAudit} in (${literals(endedCertifications)}) then 'none'
  else case a.user_type when ${sql.lit(userType.lessee)} then 'leaseholder' when ${sql.lit(userType.project)} then 'projectUser'
    when ${sql.lit(userType.lessor)} then 'leaser' else 'none' end end`

/** Whether a broadcast reaches the account: whoever has switched its subject off gets no message of it, and an SMS only where they have chosen that. */
const isReached = sql`not exists (select from message_config m
  where m.account_id = a.id and m.system_subject = ${sql.lit(messageKinds.announcement.subject)} and m.in_app = ${sql.lit(yesNo.no)}
    and (m.sms = ${sql.lit(yesNo.no)} or a.phonenumber is null))`

/** The accounts of an audience, as `from … where …`. */
function audienceRows({ everybody, roles, provinceIds, companyIds }: Audience): RawBuilder<unknown> {
  const chosen = everybody || roles.length + provinceIds.length + companyIds.length > 0
  return sql`from account a left join dept d on d.id = a.dept_id left join company c on c.id = coalesce(d.company_id, a.company_id)
    where a.status = ${accountStatus.active} and a.del_flag = ${delFlag.present} and ${roleOfAccount} <> 'staff' and ${chosen}
      and (${everybody} or not a.driver_only) and ${isReached}
      and (cardinality(${[...roles]}::text[]) = 0 or ${roleOfAccount} = any(${[...roles]}::text[]))
      and (cardinality(${[...provinceIds]}::integer[]) = 0 or c.province_id = any(${[...provinceIds]}::integer[]))
      and (cardinality(${[...companyIds]}::bigint[]) = 0 or c.id = any(${[...companyIds]}::bigint[]))`
}

export async function countAudience(db: Read, audience: Audience): Promise<{ people: number; companies: number }> {
  const { rows } = await sql<{ people: number; companies: number }>`
    select count(*)::int as people, count(distinct c.id)::int as companies ${audienceRows(audience)}`.execute(db)
  return rows[0] ?? { people: 0, companies: 0 }
}

/** People who get a broadcast in one transaction: the first of them in the call, the others by the clock. */
export const peopleOfPart = 2000
/** How many people one statement notifies. */
const batch = 500

/**
 * Stores a broadcast and sends it to the first part of its audience; the clock sends it to the others. When their number has become far larger or
 * smaller than the sender saw, it refuses `audience_changed` with the new number, so that the sender can confirm it.
 */
export async function sendBroadcast(
  deed: Deed,
  input: Received<typeof contract.sendBroadcast>['body'],
): Promise<{ id: number; people: number; isSent: boolean }> {
  const { db, actor, now } = deed
  const { title, content, link, audience } = input
  const { people } = await countAudience(db, audience)
  if (people === 0) throw new Refusal('audience_empty')
  if (Math.abs(people - input.people) > Math.max(5, input.people / 10)) throw new Refusal('audience_changed', { people })
  const { id } = await db
    .insertInto('broadcast')
    .values({ accountId: actor.accountId, title, content, link, audience: JSON.stringify(audience), people, at: now, toldUpTo: 0 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const sent = await sendPart(deed, { id, toldUpTo: 0 })
  return { id, people, isSent: sent === 'last' }
}

type Part = { id: number; toldUpTo: number }

/** Sends a broadcast to the next accounts after `toldUpTo`. Gives null where somebody else has done it. */
async function sendPart(work: Sending, { id, toldUpTo }: Part): Promise<'last' | 'one of several' | null> {
  const { db } = work
  const broadcast = await db
    .selectFrom('broadcast')
    .where('id', '=', id)
    .where('toldUpTo', '=', toldUpTo)
    .forNoKeyUpdate()
    .select(['title', 'content', 'link', 'audience'])
    .executeTakeFirst()
  if (!broadcast) return null
  const { title, content, link, audience } = broadcast
  const { rows } = await sql<{ id: number }>`select a.id ${audienceRows(audience)} and a.id > ${toldUpTo}
    order by a.id limit ${peopleOfPart}`.execute(db)
  const accounts = rows.map((row) => row.id)
  for (let from = 0; from < accounts.length; from += batch)
    await sendMessages(work, {
      to: { accounts: accounts.slice(from, from + batch) },
      kind: 'announcement',
      params: { title, content },
      bizType: 'broadcast',
      bizId: id,
      link,
    })
  const last = accounts.length < peopleOfPart ? null : (accounts.at(-1) ?? null)
  await db.updateTable('broadcast').set({ toldUpTo: last }).where('id', '=', id).execute()
  return last === null ? 'last' : 'one of several'
}

/** The next part of the oldest broadcast that not everybody has. Each part is an item of its own, so one that fails sends nothing twice. */
const waitingParts: Queue<Part & { key: string }> = {
  job: 'broadcasts',
  batch: 1,
  // Half of the time is left to whoever waits for an answer.
  restShare: 1,
  find: (db, _, ready) =>
    db
      .selectFrom('broadcast')
      .where('toldUpTo', 'is not', null)
      .where(ready(keyOfPart))
      .orderBy('id')
      .limit(1)
      .select(['id', 'toldUpTo', keyOfPart.as('key')])
      .$narrowType<{ toldUpTo: number }>()
      .execute(),
  run: async (work, part) => (await sendPart(work, part)) !== null,
}

const keyOfPart = sql<string>`(broadcast.id || ':' || broadcast.told_up_to)`

/** Sends the broadcasts that not everybody of their audience has. Gives how many parts. */
export const sendWaitingParts = (services: Services, signal?: AbortSignal): Promise<number> => workThrough(services, waitingParts, signal)

export function listBroadcasts(db: Read, paging: Received<typeof contract.listBroadcasts>['query']) {
  return paged(db.selectFrom('broadcast').innerJoin('account', 'account.id', 'broadcast.accountId'), paging, (page) =>
    page.orderBy('broadcast.id', 'desc').select([
      'broadcast.id',
      'title',
      'content',
      'link',
      'audience',
      'people',
      sql<boolean>`told_up_to is null`.as('isSent'),
      sql<number>`(select count(*)::int from message m
          where m.biz_type = 'broadcast' and m.biz_id = broadcast.id::text and m.is_read = ${sql.lit(yesNo.yes)})`.as('read'),
      nameOf('account').as('who'),
      'at',
    ]),
  )
}
