import { minuteOf } from '#shared/calendar.ts'
import { demandType } from '#shared/demand/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { paths } from '#shared/paths.ts'
import { liveQuotes } from '#shared/quote/rules.ts'
import type { Tx } from '../db/connect.ts'
import type { Deed } from '../deed.ts'
import { refuseField } from '../http/refusal.ts'
import { sendMessages, type Sending } from '../message/queries.ts'
import { publicLessors } from '../public-lessors.ts'
import { insertEvent, type News } from './events.ts'
import { findItems, linesOf } from './queries.ts'
import { actsAsLessor } from './scope.ts'

type Demand = { id: number; demandCode: string | null; demandType: string }
type Change = { title: string; quoteDeadline: string; companyIds: readonly number[]; reason: string }

/**
 * Replaces the list of the invited. Whoever joins it must be a lessor that everybody may see and is told, and each change stands in the timeline,
 * which before the opening only the owner reads. Whoever leaves it is told as well where they cannot quote any more, which they can where the demand is
 * public. While the notice of the demand waits, nobody has heard of it, and it will tell the new list. A quote that was submitted stays in the running
 * whether its lessor is on the list or not: otherwise the owner could tell from the number of quotes who has quoted. Gives whether this changes who may
 * quote, and the ids of those who joined.
 */
export async function changeInvites(deed: Deed, demand: Demand, { title, quoteDeadline, companyIds, reason }: Change): Promise<Changed> {
  const { db, actor } = deed
  const before = await findInvited(db, demand.id)
  const left = before.filter(({ id }) => !companyIds.includes(id))
  const leavers = left.map(({ id }) => id)
  if (leavers.length > 0) await db.deleteFrom('demandInvite').where('demandId', '=', demand.id).where('companyId', 'in', leavers).execute()
  // Who was invited before may have lost their standing since, which is no reason to refuse a change of something else.
  const isNew = (companyId: number) => !before.some(({ id }) => id === companyId)
  await insertInvites(db, demand.id, companyIds.filter(isNew))
  const joined = (await findInvited(db, demand.id)).filter(({ id }) => isNew(id))
  const about = { demandId: demand.id, accountId: actor.accountId }
  for (const { name } of left) await insertEvent(deed, { ...about, move: 'uninvite', note: name })
  for (const { name } of joined) await insertEvent(deed, { ...about, move: 'invite', note: name })
  const isPublic = demand.demandType === demandType.public
  const changed = { reinvites: !isPublic && left.length + joined.length > 0, joined: joined.map(({ id }) => id) }
  if (left.length + joined.length === 0 || (await holdsNotice(db, demand.id))) return changed
  const { enterpriseName } = await db
    .selectFrom('demand')
    .innerJoin('company', 'company.id', 'demand.companyId')
    .where('demand.id', '=', demand.id)
    .select('enterpriseName')
    .executeTakeFirstOrThrow()
  const params = { title, code: demand.demandCode ?? '', company: enterpriseName }
  await sendMessages(deed, {
    to: { companies: isPublic ? [] : left.map(({ id }) => id) },
    kind: 'demandUninvited',
    params: { ...params, reason },
    bizType: 'demand',
    bizId: demand.id,
    link: paths.marketIn('quoted'),
  })
  const items = await findItems(db, demand.id)
  await sendMessages(deed, {
    to: { companies: changed.joined },
    kind: 'demandInvited',
    params: { ...params, ...linesOf(items), deadline: minuteOf(quoteDeadline) },
    bizType: 'demand',
    bizId: demand.id,
    link: paths.marketDemand(demand.id),
  })
  return changed
}

/**
 * Sends news about a demand that is open for quotes to the invited who have none, because what their invitation says holds no more. While the notice of
 * the demand waits they have heard of nothing, and whoever is no lessor any more cannot open it. An SMS to them is hidden until the opening as one to
 * the bidders, because they are the rest of the list. `except`: the companies that hear of it in another way.
 */
export async function notifyInvited(work: Sending, { demandId, kind, params }: News, except: readonly number[] = []): Promise<void> {
  const invited = await work.db
    .selectFrom('demandInvite')
    .innerJoin('company', 'company.id', 'demandInvite.companyId')
    .where('demandId', '=', demandId)
    .where(actsAsLessor)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('quote')
            .whereRef('quote.demandId', '=', 'demandInvite.demandId')
            .whereRef('quote.companyId', '=', 'demandInvite.companyId')
            .where('quote.status', 'in', liveQuotes)
            .select('quote.id'),
        ),
      ),
    )
    .select('demandInvite.companyId')
    .execute()
  const companies = invited.map(({ companyId }) => companyId).filter((companyId) => !except.includes(companyId))
  if (companies.length === 0 || (await holdsNotice(work.db, demandId))) return
  // Whoever has not quoted reads nothing of a demand that was cancelled.
  const link = isAmong(kind, ['demandCancelled', 'demandTakenDown']) ? paths.marketIn('open') : paths.marketDemand(demandId)
  await sendMessages(work, { to: { companies }, kind, params, bizType: 'demand', bizId: demandId, link, biddersOf: demandId })
}

type Changed = { reinvites: boolean; joined: readonly number[] }
type Invited = { id: number; name: string }

const findInvited = (db: Tx, demandId: number): Promise<Invited[]> =>
  db
    .selectFrom('demandInvite')
    .innerJoin('company', 'company.id', 'demandInvite.companyId')
    .where('demandId', '=', demandId)
    .orderBy('company.id')
    .select(['company.id', 'company.enterpriseName as name'])
    .execute()

/**
 * Whether the notice of a demand still waits. Its row is locked, so that the job reads the list of the invited after this change. One that the job has
 * taken up already tells the list as it was before.
 */
async function holdsNotice(db: Tx, demandId: number): Promise<boolean> {
  const waiting = db.selectFrom('demandNotice').where('demandId', '=', demandId).select('demandId').forUpdate().skipLocked()
  return (await waiting.executeTakeFirst()) !== undefined
}

export async function insertInvites(db: Tx, demandId: number, companyIds: readonly number[]): Promise<void> {
  const wanted = [...new Set(companyIds)]
  if (wanted.length === 0) return
  const known = await publicLessors(db).where('company.id', 'in', wanted).select('company.id').execute()
  if (known.length !== wanted.length) refuseField(['invitedCompanyIds'], 'company_unknown')
  await db
    .insertInto('demandInvite')
    .values(wanted.map((companyId) => ({ demandId, companyId })))
    .execute()
}
