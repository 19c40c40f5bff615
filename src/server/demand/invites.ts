import { minuteOf } from '#shared/calendar.ts'
import { demandType } from '#shared/demand/rules.ts'
import { paths } from '#shared/paths.ts'
import type { Tx } from '../db/connect.ts'
import type { Deed } from '../deed.ts'
import { refuseField } from '../http/refusal.ts'
import { sendMessages } from '../message/queries.ts'
import { publicLessors } from '../public-lessors.ts'
import { insertEvent } from './events.ts'
import { findItems, linesOf } from './queries.ts'

type Demand = { id: number; demandCode: string | null; demandType: string }
type Change = { title: string; quoteDeadline: string; companyIds: readonly number[]; reason: string }

/**
 * Replaces the list of the invited. Whoever joins it must be a lessor that everybody may see and is told, and each change stands in the timeline,
 * which before the opening only the owner reads. Whoever leaves it is told as well where they cannot quote any more, which they can where the demand is
 * public. While the notice of the demand waits, nobody has heard of it, and it will tell the new list. A quote that was submitted stays in the running
 * whether its lessor is on the list or not: otherwise the owner could tell from the number of quotes who has quoted. Gives whether this changes who may
 * quote.
 */
export async function changeInvites(deed: Deed, demand: Demand, { title, quoteDeadline, companyIds, reason }: Change): Promise<boolean> {
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
  if (left.length + joined.length === 0) return false
  const isPublic = demand.demandType === demandType.public
  if (await holdsNotice(db, demand.id)) return !isPublic
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
    to: { companies: joined.map(({ id }) => id) },
    kind: 'demandInvited',
    params: { ...params, ...linesOf(items), deadline: minuteOf(quoteDeadline) },
    bizType: 'demand',
    bizId: demand.id,
    link: paths.marketDemand(demand.id),
  })
  return !isPublic
}

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
