import { countUnread, deleteMessage, getMessage, listOwnMessages, readMessages } from '#shared/message/contract.ts'
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
    await messages.markRead(db, actor.accountId, 'all' in body ? 'all' : body.messageIds, now)
    return null
  })

  api.handle(deleteMessage, async ({ params }, { db, actor }) => {
    if (!(await messages.deleteMessage(db, actor.accountId, params.id))) throw new Refusal('not_found')
    return null
  })

  api.handle(countUnread, (_, { db, actor }) => messages.countUnread(db, actor.accountId))
}
