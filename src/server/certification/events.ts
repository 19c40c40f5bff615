import type { MessageKind } from '#shared/message/kinds.ts'
import { paths } from '#shared/paths.ts'
import type { Insertable } from 'kysely'
import type { DB } from '../db/tables.generated.ts'
import type { Work } from '../deed.ts'
import { sendMessages, type Sending } from '../message/queries.ts'

type Event = Omit<Insertable<DB['certificationEvent']>, 'at'>

export async function insertEvent({ db, now }: Pick<Work, 'db' | 'now'>, event: Event): Promise<void> {
  await db
    .insertInto('certificationEvent')
    .values({ ...event, at: now })
    .execute()
}

type News = { id: number; accountIds: readonly number[]; kind: MessageKind; params: Record<string, string> }

/** Sends news of a certification to its people; the message leads to their certifications. */
export const notifyApplicants = (work: Sending, { id, accountIds, kind, params }: News): Promise<void> =>
  sendMessages(work, { to: { accounts: accountIds }, kind, params, bizType: 'certification', bizId: id, link: paths.certification })
