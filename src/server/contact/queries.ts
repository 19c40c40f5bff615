import { sql } from 'kysely'
import type { sendContact } from '#shared/contact/contract.ts'
import type * as contract from '#shared/contact/manage.ts'
import { contactStatus } from '#shared/contact/rules.ts'
import type { Received } from '#shared/endpoint.ts'
import { redeemImageCode } from '../account/codes.ts'
import { nameOf } from '../actor/name.ts'
import type { Read } from '../db/connect.ts'
import { paged, sorted } from '../db/paging.ts'
import { contains } from '../db/search.ts'
import type { Context, Deed } from '../deed.ts'
import { Refusal, refuseField } from '../http/refusal.ts'

/** Stores a request for cooperation of somebody who has solved the picture code. A code is used up by a wrong answer too. */
export async function insertContact(
  { db, now, secret }: Pick<Context, 'db' | 'now' | 'secret'>,
  { code, uuid, ...request }: Received<typeof sendContact>['body'],
): Promise<void> {
  if (!(await redeemImageCode({ db, now, secret }, { type: 'contact', uuid, code }))) refuseField(['code'], 'image_code')
  await db
    .insertInto('contact')
    .values({ ...request, createTime: now })
    .execute()
}

const columnsOfContact = [
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
  nameOf('account').as('handler'),
  'contact.handleTime',
] as const

export function listContacts(db: Read, { status, keyword, sort, ...paging }: Received<typeof contract.listContacts>['query']) {
  let query = db.selectFrom('contact').leftJoin('account', 'account.id', 'contact.handledBy')
  if (status) query = query.where('contact.status', '=', status)
  if (keyword) {
    const pattern = contains(keyword)
    query = query.where((eb) => eb.or([eb('contact.company', 'like', pattern), eb('contact.name', 'like', pattern)]))
  }
  return paged(query, paging, (page) =>
    sorted(page.select(columnsOfContact), {
      sort,
      columns: { createTime: { column: sql.ref('contact.create_time') } },
      id: 'contact.id',
      usual: (some) => some.orderBy('contact.status').orderBy('contact.id', 'desc'),
    }),
  )
}

/** Notes once what was done about a request. */
export async function handleContact({ db, actor, now }: Deed, { id, note }: { id: number; note: string }): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('contact')
    .set({ status: contactStatus.handled, note, handledBy: actor.accountId, handleTime: now })
    .where('id', '=', id)
    .where('status', '=', contactStatus.waiting)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  const known = await db.selectFrom('contact').where('id', '=', id).select('id').executeTakeFirst()
  throw new Refusal(known ? 'contact_handled' : 'not_found')
}
