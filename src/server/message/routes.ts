import {
  countUnread,
  deleteMessage,
  deleteMessages,
  getMessage,
  listMessageConfig,
  listOwnMessages,
  readMessages,
  saveMessageConfig,
} from '#shared/message/contract.ts'
import type { Api } from '../http/api.ts'
import { textOf } from '../http/locale.ts'
import { Refusal } from '../http/refusal.ts'
import * as messages from './queries.ts'

export function messageRoutes(api: Api): void {
  api.handle(listOwnMessages, ({ query }, { db, actor, locale }) => messages.findOwnMessages(db, actor.accountId, query, textOf(locale)))

  api.handle(getMessage, async ({ params }, { db, actor, now, locale }) => {
    const message = await messages.readMessage(db, actor.accountId, params.id, now, textOf(locale))
    if (!message) throw new Refusal('not_found')
    return message
  })

  api.handle(readMessages, async ({ body }, { db, actor, now }) => {
    await messages.markRead(db, actor.accountId, body, now)
    return null
  })

  api.handle(deleteMessage, async ({ params }, { db, actor }) => {
    if (!(await messages.deleteMessage(db, actor.accountId, params.id))) throw new Refusal('not_found')
    return null
  })

  api.handle(deleteMessages, ({ query }, { db, actor }) => messages.deleteMessages(db, actor.accountId, query.ids))

  api.handle(listMessageConfig, (_, { db, actor, locale }) => messages.findConfig(db, actor.accountId, textOf(locale)))

  api.handle(saveMessageConfig, async ({ body }, { db, actor }) => {
    await messages.saveConfig(db, actor.accountId, body)
    return null
  })

  api.handle(countUnread, (_, { db, actor }) => messages.countUnread(db, actor.accountId))
}
