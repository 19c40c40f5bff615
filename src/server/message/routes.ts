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
import type { Api } from '../api.ts'
import { textOf } from '../http/locale.ts'
import { Refusal } from '../http/refusal.ts'
import * as messages from './queries.ts'

export function messageRoutes(api: Api): void {
  api.handle(listOwnMessages, ({ db, actor, locale }, { query }) => messages.findOwnMessages(db, actor.accountId, query, textOf(locale)))

  api.handle(getMessage, async ({ db, actor, now, locale }, { params }) => {
    const message = await messages.readMessage(db, actor.accountId, params.id, now, textOf(locale))
    if (!message) throw new Refusal('not_found')
    return message
  })

  api.handle(readMessages, async ({ db, actor, now }, { body }) => {
    await messages.markRead(db, actor.accountId, body, now)
    return null
  })

  api.handle(deleteMessage, async ({ db, actor }, { params }) => {
    if (!(await messages.deleteMessage(db, actor.accountId, params.id))) throw new Refusal('not_found')
    return null
  })

  api.handle(deleteMessages, ({ db, actor }, { query }) => messages.deleteMessages(db, actor.accountId, query.ids))

  api.handle(listMessageConfig, ({ db, actor, locale }) => messages.findConfig(db, actor.accountId, textOf(locale)))

  api.handle(saveMessageConfig, async ({ db, actor }, { body }) => {
    await messages.saveConfig(db, actor.accountId, body)
    return null
  })

  api.handle(countUnread, ({ db, actor }) => messages.countUnread(db, actor.accountId))
}
