import { readMessages, type Message } from '#shared/message/contract.ts'
import { yesNo } from '#shared/rules.ts'
import { call } from './api.ts'
import { refetchUnread } from './refetch.ts'
import { getSession, setUnread } from './session.ts'

/** Marks a message as read whose link is followed. It may be read already on another device, so the unread ones are counted again. */
export function markRead({ messageId, isRead }: Message): void {
  if (isRead === yesNo.yes) return
  setUnread(Math.max(0, getSession().unread - 1))
  // A message that stays unread is no loss: it is marked when the page of the messages shows it.
  void call(readMessages, { body: { messageIds: [messageId] } }, true)
    .then(() => {
      // The lists that were fetched while it was being marked are fetched again.
      setUnread(getSession().unread, true)
      return refetchUnread(true)
    })
    .catch(() => undefined)
}
