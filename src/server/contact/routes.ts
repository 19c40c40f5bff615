import { sendContact } from '#shared/contact/contract.ts'
import * as manage from '#shared/contact/manage.ts'
import { redeemImageCode } from '../account/codes.ts'
import type { Api } from '../api.ts'
import { refuseField } from '../http/refusal.ts'
import { findContacts, handleContact } from './queries.ts'

export function contactRoutes(api: Api): void {
  api.handle(sendContact, async ({ db, now }, { body }) => {
    const { code, uuid, ...request } = body
    if (!(await redeemImageCode({ db, now }, { type: 'contact', uuid, code }))) refuseField(['code'], 'format')
    await db
      .insertInto('contact')
      .values({ ...request, createTime: now })
      .execute()
    return null
  })

  api.handle(manage.listContacts, ({ db }, { query }) => findContacts(db, query))

  api.handle(manage.handleContact, async ({ db, actor, now }, { params, body }) => {
    await handleContact(db, actor, params.id, body.note, now)
    return null
  })
}
