import { sql } from 'kysely'
import type { ContactStatus } from '#shared/contact/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { audited } from '../audit/log.ts'
import type { Db, Read } from '../db/connect.ts'
import { contains } from '../db/search.ts'
import { Refusal } from '../http/refusal.ts'

type Filter = { status?: ContactStatus | undefined; keyword?: string | undefined; pageNum: number; pageSize: number }

export async function findContacts(db: Read, filter: Filter) {
  let query = db.selectFrom('contact').leftJoin('account', 'account.id', 'contact.handledBy')
  if (filter.status) query = query.where('contact.status', '=', filter.status)
  if (filter.keyword) {
    const pattern = contains(filter.keyword)
    query = query.where((eb) => eb.or([eb('contact.company', 'like', pattern), eb('contact.name', 'like', pattern)]))
  }
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await query
    .orderBy('contact.status')
    .orderBy('contact.id', 'desc')
    .limit(filter.pageSize)
    .offset((filter.pageNum - 1) * filter.pageSize)
    .select([
      'contact.id',
      'contact.name',
      'contact.company',
      'contact.phone',
      'contact.email',
      'contact.type',
      'contact.content',
      'contact.status',
      'contact.createTime',
      'contact.note',
      sql<string>`coalesce(nullif(account.name, ''), account.user_name, '')`.as('handler'),
      'contact.handleTime',
    ])
    .execute()
  return { total, rows }
}

export async function handleContact(db: Db, actor: Actor, id: number, note: string, now: Date): Promise<void> {
  await db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'contact.handle', bizType: 'contact', id, reason: note }, now, async () => {
      const held = await tx.selectFrom('contact').where('id', '=', id).forUpdate().select('status').executeTakeFirst()
      if (!held) throw new Refusal('not_found')
      if (held.status === '1') throw new Refusal('contact_handled')
      await tx.updateTable('contact').set({ status: '1', note, handledBy: actor.accountId, handleTime: now }).where('id', '=', id).execute()
    }),
  )
}
