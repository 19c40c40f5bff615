import { demandStatus } from '#shared/demand/rules.ts'
import { paths } from '#shared/paths.ts'
import { changeableQuotes } from '#shared/quote/rules.ts'
import { toMinute } from '#shared/calendar.ts'
import type { Work } from '../deed.ts'
import { insertEvent } from '../demand/events.ts'
import { sendMessages } from '../message/queries.ts'

/**
 * Whoever can set the password of a bidder could read their sealed quotes: so the platform's reset of one is told to the bidder's company, and
 * stands in the chain of each demand for which the company has a sealed quote. `by`: null for a command on the server's machine.
 */
export async function recordPasswordReset(
  work: Work,
  { accountId, by, reason }: { accountId: number; by: number | null; reason: string },
): Promise<void> {
  const sealed = await work.db
    .selectFrom('account')
    .innerJoin('quote', 'quote.companyId', 'account.companyId')
    .innerJoin('demand', 'demand.id', 'quote.demandId')
    .where('account.id', '=', accountId)
    .where('quote.status', 'in', changeableQuotes)
    .where('demand.status', '=', demandStatus.quoting)
    .orderBy('quote.id')
    .select(['quote.id', 'quote.demandId', 'quote.companyId', 'account.userName'])
    .execute()
  const [first] = sealed
  if (!first) return
  for (const { id, demandId } of sealed)
    await insertEvent(work, {
      demandId,
      quoteId: id,
      accountId: by,
      move: 'passwordReset',
      note: [first.userName, reason].filter(Boolean).join(': '),
    })
  await sendMessages(work, {
    to: { companies: [first.companyId] },
    kind: 'bidderPasswordReset',
    params: { userName: first.userName, count: String(sealed.length), time: toMinute(work.now) },
    bizType: 'account',
    bizId: accountId,
    link: paths.safety,
    biddersOf: first.demandId,
  })
}
