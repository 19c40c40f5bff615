import * as contract from '#shared/message/contract.ts'
import type { Api } from '../api.ts'
import { textOf } from '../http/locale.ts'
import * as messages from './queries.ts'

export function messageRoutes(api: Api): void {
  api.handle(contract.listOwnMessages, (context, { query }) => messages.listOwnMessages(context, query))
  api.handle(contract.getMessage, (context, { params }) => messages.getMessage(context, params.id))
  api.handle(contract.readMessages, (deed, { body }) => messages.markRead(deed, body))
  api.handle(contract.deleteMessage, (deed, { params }) => messages.deleteMessage(deed, params.id))
  api.handle(contract.deleteMessages, (deed, { query }) => messages.deleteMessages(deed, query.ids))
  api.handle(contract.listMessageConfig, ({ db, actor, locale }) => messages.listMessageConfig(db, actor, textOf(locale)))
  api.handle(contract.saveMessageConfig, (deed, { body }) => messages.saveMessageConfig(deed, body))
  api.handle(contract.countUnread, ({ db, actor }) => messages.countUnread(db, actor))
}
