import { toMinute } from '#shared/calendar.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import { paths } from '#shared/paths.ts'
import { changeableQuotes, liveQuotes } from '#shared/quote/rules.ts'
import type { Tx } from '../db/connect.ts'
import type { Work } from '../deed.ts'
import { insertEvent, type AccessMove } from '../demand/events.ts'
import { sendMessages } from '../message/queries.ts'

type Access = {
  companyId: number
  move: AccessMove
  /** Null for a command on the server's machine. */
  by: number | null
  note: string
}

/**
 * Records that the platform gave somebody the means to read the sealed quotes of a company: a step in the chain of each demand for which it has one.
 * Gives those demands.
 */
export async function recordAccess(work: Work, { companyId, move, by, note }: Access): Promise<number[]> {
  await lockSealed(work.db, companyId)
  const sealed = await sealedOf(work.db, companyId).select(['quote.id', 'quote.demandId']).execute()
  for (const { id, demandId } of sealed) await insertEvent(work, { demandId, quoteId: id, accountId: by, move, note })
  return sealed.map(({ demandId }) => demandId)
}

/**
 * Waits for whoever bars the company, or makes them wait: they lock demands in quotation `for update`, in the same order, before they write their chains and
 * then the company. Comes before the company is written. Nobody else waits: others lock demands so only before or after their quotation.
 */
export async function lockSealed(db: Tx, companyId: number): Promise<void> {
  await sealedOf(db, companyId).forKeyShare('demand').select('demand.id').execute()
}

/** As `lockSealed`, for whoever writes the company and then its quotes: a bar also ends those in evaluation. */
export const lockQuoted = (db: Tx, companyId: number) =>
  db
    .selectFrom('quote')
    .innerJoin('demand', 'demand.id', 'quote.demandId')
    .where('quote.companyId', '=', companyId)
    .where('quote.status', 'in', liveQuotes)
    .where('demand.status', 'in', [demandStatus.quoting, demandStatus.reviewing])
    .orderBy('demand.id')
    .forKeyShare('demand')
    .select('demand.id')
    .execute()

const sealedOf = (db: Tx, companyId: number) =>
  db
    .selectFrom('quote')
    .innerJoin('demand', 'demand.id', 'quote.demandId')
    .where('quote.companyId', '=', companyId)
    .where('quote.status', 'in', changeableQuotes)
    .where('demand.status', '=', demandStatus.quoting)
    .orderBy('demand.id')

/** Records the platform's reset of a bidder's password, and tells their company of it where it has sealed quotes. */
export async function recordPasswordReset(
  work: Work,
  { accountId, by, reason }: { accountId: number; by: number | null; reason: string },
): Promise<void> {
  const { companyId, userName } = await work.db
    .selectFrom('account')
    .where('id', '=', accountId)
    .select(['companyId', 'userName'])
    .executeTakeFirstOrThrow()
  if (companyId === null) return
  const demands = await recordAccess(work, { companyId, move: 'passwordReset', by, note: [userName, reason].filter(Boolean).join(': ') })
  const [first] = demands
  if (first === undefined) return
  await sendMessages(work, {
    to: { companies: [companyId] },
    kind: 'bidderPasswordReset',
    params: { userName, count: String(demands.length), time: toMinute(work.now) },
    bizType: 'account',
    bizId: accountId,
    link: paths.safety,
    biddersOf: first,
  })
}
