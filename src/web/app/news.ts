import type { Message } from '#shared/message/contract.ts'
import type { MessageKind } from '#shared/message/kinds.ts'

/**
 * A message as the socket sends it; only its subject is certain (specification 3). Kind and parameters let the page word it in the reader's
 * language.
 */
export type Pushed = Partial<Message> & { kind?: MessageKind; params?: Record<string, string> }

/** A message, or null after a gap of the connection, in which some may have been missed. */
type News = Pick<Pushed, 'bizType' | 'bizId'> | null
const followers = new Set<(news: News) => void>()

/** Calls the listener for every message that arrives, also for those that pop up nowhere. Returns the function that ends it. */
export function followNews(listener: (news: News) => void): () => void {
  followers.add(listener)
  return () => followers.delete(listener)
}

/** Hands a message on to everybody who follows. */
export const spread = (news: News): void => {
  for (const follow of followers) follow(news)
}
