import type { MessageKind } from '#shared/message/kinds.ts'
import { paths } from '#shared/paths.ts'
import { sendMessages, type Sending } from '../message/queries.ts'

type Notice = { accountId: number; kind: MessageKind; params?: Record<string, string>; link?: string }

/** Sends a person a message about their account; it leads to the page of its safety unless it says otherwise. */
export const sendAccountNotice = (work: Sending, { accountId, kind, params = {}, link = paths.safety }: Notice): Promise<void> =>
  sendMessages(work, { to: { accounts: [accountId] }, kind, params, bizType: 'account', bizId: accountId, link })
