import { sendContact } from '#shared/contact/contract.ts'
import * as manage from '#shared/contact/manage.ts'
import type { Api } from '../api.ts'
import { handleContact, insertContact, listContacts } from './queries.ts'

export function contactRoutes(api: Api): void {
  api.handle(sendContact, (context, { body }) => insertContact(context, body))
  api.handle(manage.listContacts, ({ db }, { query }) => listContacts(db, query))
  api.handle(manage.handleContact, (deed, { params, body }) => handleContact(deed, { ...params, ...body }))
}
