import { boundContracts, contractSource, liveContracts } from '#shared/contract/rules.ts'
import { sql } from 'kysely'
import type * as contract from '#shared/account/contract.ts'
import { accountStatus, cancellationStatus, certifiedTypes, coolingDays, userType } from '#shared/account/rules.ts'
import { entriesToDecide } from '#shared/blacklist/rules.ts'
import { dayMs, dayOf, toMoment } from '#shared/calendar.ts'
import { identityDocuments, passedCertifications } from '#shared/certification/rules.ts'
import { openDemands } from '#shared/demand/rules.ts'
import type { Answered, Received } from '#shared/endpoint.ts'
import { paths } from '#shared/paths.ts'
import { changeableQuotes } from '#shared/quote/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { lockAccountRow } from '../actor/actor.ts'
import { erasedSign } from '../actor/name.ts'
import { seesDept } from '../actor/scope.ts'
import { withdrawAllOf } from '../certification/withdraw.ts'
import type { Read, Tx } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { transact, type Context } from '../deed.ts'
import { takeFleetOff } from '../equipment/shelf.ts'
import { Refusal } from '../http/refusal.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import { lockQuoted } from '../quote/bidder-access.ts'
import type { Services } from '../services.ts'
import { deleteFiles, isAttached } from '../upload/attached.ts'
import { redeemSmsCode } from './codes.ts'
import { eraseSms, giveUpContacts } from './contacts.ts'
import { sendAccountNotice } from './notice.ts'
import { isLastAdmin, lockAdmins } from '../actor/last-admin.ts'
import { endSessionsOf } from './sessions.ts'

type Point = Answered<typeof contract.checkCancellation>['points'][number]

/** What stands in the way of cancelling (domain 1.16), with the page where to settle it. */
export async function cancellationPoints(db: Read, accountId: number, today: string): Promise<Point[]> {
  const present = sql.lit(delFlag.present)
  const inUse = (account: string) =>
    sql`${sql.ref(`${account}.del_flag`)} = ${present} and ${sql.ref(`${account}.status`)} = ${sql.lit(accountStatus.active)}`
  const isLive = sql`c.status in (${literals(liveContracts)})`
  // What a unit wrote down itself binds the lessor from their confirmation on; before it was sent they do not know of it.
  const bindsLessor = sql`${isLive} and (c.source = ${sql.lit(contractSource.award)} or c.status in (${literals(boundContracts)}))`
  // What the account and its company have is found by their indexes, each kind by its own.
  const { rows } = await sql<{
    demands: number
    quotes: number
    deals: number
    contracts: number
    lastAdmin: number
    blacklist: number
    isLessor: boolean
    isOperator: boolean
  }>`
    with me as (
      select a.id, a.is_admin, a.driver_only, a.user_type, a.dept_id, coalesce(d.company_id, a.company_id) as company_id
      from account a left join dept d on d.id = a.dept_id where a.id = ${accountId})
    select
      (select count(*)::int from demand where account_id = me.id and status in (${literals(openDemands)}) and del_flag = ${present}) as demands,
      (select count(*)::int from quote where account_id = me.id and status in (${literals(changeableQuotes)})) as quotes,
      (select count(*)::int from (
        select w.id from demand d join award w on w.demand_id = d.id where d.account_id = me.id and d.plan_end >= ${today}::date
          and exists (select from award_line l where l.award_id = w.id)
        union select w.id from quote q join demand d on d.id = q.demand_id join award w on w.demand_id = d.id
          where q.account_id = me.id and d.plan_end >= ${today}::date
            and exists (select from award_line l where l.award_id = w.id and l.company_id = q.company_id)) deal) as deals,
      (select count(*)::int from (
        select c.id from contract_person p join contract c on c.id = p.contract_id where p.account_id = me.id and ${isLive}
        union select c.id from contract c where c.lessor_company_id = me.company_id and ${bindsLessor}
          and me.user_type = ${sql.lit(userType.lessor)} and not me.driver_only and not exists (select from account o
            where o.id <> me.id and ${inUse('o')} and not o.driver_only and o.user_type = me.user_type and o.company_id = me.company_id)
        union select c.id from contract c where c.lessee_company_id = me.company_id and ${isLive}
          and ${seesDept('me', sql`c.dept_id`)} and not exists (select from account o
            where o.id <> me.id and ${inUse('o')} and o.company_id = me.company_id and ${seesDept('o', sql`c.dept_id`)})) live) as contracts,
      (case when ${isLastAdmin('me')} and (me.user_type = ${sql.lit(userType.operator)} or exists (select from account o
        where o.id <> me.id and ${inUse('o')} and o.company_id = me.company_id and o.user_type in (${literals(certifiedTypes)})
          and (o.user_type = ${sql.lit(userType.lessor)}) = (me.user_type = ${sql.lit(userType.lessor)})))
        then 1 else 0 end) as "lastAdmin",
      (select count(*)::int from company c left join blacklist b on b.company_id = c.id and b.status in (${literals(entriesToDecide)})
        where c.id = me.company_id and me.is_admin and (b.id is not null or c.blacklisted_at is not null)) as blacklist,
      me.user_type = ${sql.lit(userType.lessor)} as "isLessor",
      me.user_type = ${sql.lit(userType.operator)} as "isOperator"
    from me`.execute(db)
  const [found] = rows
  if (!found) return []
  const quoted = paths.marketIn('quoted')
  return [
    { kind: 'demands', count: found.demands, link: paths.ownDemands() },
    { kind: 'quotes', count: found.quotes, link: quoted },
    { kind: 'deals', count: found.deals, link: found.isLessor ? quoted : paths.ownDemands() },
    { kind: 'contracts', count: found.contracts, link: paths.contracts() },
    { kind: 'lastAdmin', count: found.lastAdmin, link: found.isOperator ? paths.accounts() : paths.addFeedback },
    { kind: 'blacklist', count: found.blacklist, link: found.isLessor ? paths.blacklist() : paths.addFeedback },
  ]
}

/** Starts the cooling period; every session ends, and signing in takes it back. */
export async function requestCancellation(
  context: Context,
  { reason, smsCode }: Received<typeof contract.requestCancellation>['body'],
): Promise<{ dueAt: string }> {
  const { db, actor, now } = context
  const { accountId } = actor
  // First, so that a refusal uses up no code.
  if (await findWaitingCancellation(db, accountId)) throw new Refusal('cancellation_waiting')
  if ((await cancellationPoints(db, accountId, dayOf(now))).some(({ count }) => count > 0)) throw new Refusal('cancellation_blocked')
  const { phonenumber } = await db.selectFrom('account').where('id', '=', accountId).select('phonenumber').executeTakeFirstOrThrow()
  await redeemSmsCode(context, { type: 'cancel', phonenumber: phonenumber ?? '', code: smsCode })
  const dueAt = new Date(now.getTime() + coolingDays * dayMs)
  const answer = { dueAt: toMoment(dueAt) }
  await transact(context, { now }, async (work) => {
    await work.db.insertInto('cancellation').values({ accountId, reason, requestedAt: now, dueAt }).execute()
    await endSessionsOf(work, accountId)
    await context.claimAnswer?.(work.db, answer)
  })
  return answer
}

/** The request of an account that the clock had to stop: it waits for the operator, and signing in does not take it back. */
export const findWaitingCancellation = (db: Read, accountId: number) =>
  db
    .selectFrom('cancellation')
    .where('accountId', '=', accountId)
    .where('status', '=', cancellationStatus.stopped)
    .select('requestedAt')
    .executeTakeFirst()

const dueCancellations: Queue<{ key: string; id: number }> = {
  job: 'cancellations',
  find: (db, now, ready) =>
    db
      .selectFrom('cancellation')
      .where('status', '=', cancellationStatus.cooling)
      .where('dueAt', '<=', now.toISOString())
      .where(ready(sql.ref('cancellation.id')))
      .orderBy('dueAt')
      .limit(100)
      .select(['id', sql<string>`id::text`.as('key')])
      .execute(),
  async run(work, { id }) {
    const { db: tx, now, storage, secret } = work
    const due = tx.selectFrom('cancellation').where('id', '=', id).where('status', '=', cancellationStatus.cooling).select('accountId')
    const found = await due.executeTakeFirst()
    if (!found) return false
    const { accountId } = found
    await lockAdminsOf(tx, accountId)
    // The account before its cancellation, as a sign-in does: one at this moment waits and then finds it decided, or has taken it back.
    await lockLeaver(tx, accountId)
    if (!(await due.forUpdate().executeTakeFirst())) return false
    const blocked = (await cancellationPoints(tx, accountId, dayOf(now))).some(({ count }) => count > 0)
    await tx
      .updateTable('cancellation')
      .set({ status: blocked ? cancellationStatus.stopped : cancellationStatus.erased, doneAt: blocked ? null : now })
      .where('id', '=', id)
      .execute()
    if (!blocked) {
      // Before the commit: where the storage refuses, the account is not erased either, and both are tried again.
      await deleteFiles(storage, await erase({ db: tx, secret, now }, accountId))
      return true
    }
    await sendAccountNotice(work, { accountId, kind: 'cancellationStopped', link: paths.cancelAccount })
    return false
  },
}

/** Two administrators whose cooling periods are over do not both leave, nor does one while the other is locked. */
export async function lockAdminsOf(db: Tx, accountId: number): Promise<void> {
  const account = await db.selectFrom('account').where('id', '=', accountId).select(['userType', 'companyId']).executeTakeFirstOrThrow()
  await lockAdmins(db, account)
}

/**
 * Locks what the end of an account, or a change of its number, writes, in the order in which everybody else does: the certifications of the person as whoever reviews them, the
 * demands that their company quotes for as whoever bars it, their company as whoever locks it, and only then the account.
 */
export async function lockLeaver(db: Tx, accountId: number): Promise<void> {
  await db.selectFrom('certification').where('accountId', '=', accountId).orderBy('id').forUpdate().select('id').execute()
  const person = await db.selectFrom('account').where('id', '=', accountId).select('companyId').executeTakeFirst()
  if (person?.companyId) {
    await lockQuoted(db, person.companyId)
    await db.selectFrom('company').where('id', '=', person.companyId).forNoKeyUpdate().select('id').execute()
  }
  await lockAccountRow(db, accountId)
}

/** Erases those whose cooling period is over. Where something came up meanwhile the operator decides. How many were erased. */
export const finishCancellations = (services: Services, signal?: AbortSignal) => workThrough(services, dueCancellations, signal)

/** The transaction, its moment, and the secret that opens what the person sealed. */
type Erasing = { db: Tx; secret: string; now: Date }

/**
 * Removes everything that says who the person was; their records stay under the organisation's name. Gives the files that the caller has to remove
 * from the storage.
 */
export async function erase(erasing: Erasing, accountId: number): Promise<string[]> {
  const { db: tx } = erasing
  // No session begins that is not erased with the others.
  await lockLeaver(tx, accountId)
  await eraseCertifications(erasing, accountId)
  for (const table of ownTables) await tx.deleteFrom(table).where('accountId', '=', accountId).execute()
  await tx.updateTable('cancellation').set({ reason: '' }).where('accountId', '=', accountId).execute()
  // With them every upload that was replaced or never used; an attachment stays with its business.
  const { rows: unused } = await sql<{
    id: string
  }>`delete from file where account_id = ${accountId} and not ${isAttached} returning id`.execute(tx)
  await eraseSms(erasing, accountId)
  await giveUpContacts(erasing, { accountId })
  const deserted = await findDeserted(tx, accountId)
  if (deserted !== null) await takeFleetOff(tx, { companyId: deserted, now: erasing.now })
  await tx
    .updateTable('account')
    .set({
      userName: `${erasedSign}${accountId}`,
      phonenumber: null,
      name: '',
      nickName: zhCn.personal.cancellation.erased(accountId),
      passwordHash: 'none',
      isAdmin: false,
      status: accountStatus.locked,
      delFlag: delFlag.deleted,
    })
    .where('id', '=', accountId)
    .execute()
  return unused.map(({ id }) => id)
}

/** The lessor whose last person this is, so that nobody is left to let its machines. */
async function findDeserted(db: Tx, accountId: number): Promise<number | null> {
  const { rows } = await sql<{ companyId: number | null }>`select a.company_id as "companyId" from account a
    where a.id = ${accountId} and a.user_type = ${userType.lessor} and not exists (
      select from account o where o.company_id = a.company_id and o.user_type = a.user_type and o.id <> a.id and not o.driver_only
        and o.status = ${accountStatus.active} and o.del_flag = ${delFlag.present})`.execute(db)
  return rows[0]?.companyId ?? null
}

/** Files of erased people that were attached when their account was erased, and are not any more: nobody could read them. */
const abandonedFiles: Queue<{ key: string }> = {
  job: 'cancellations',
  async find(db, _, ready) {
    const { rows } = await sql<{
      key: string
    }>`select distinct file.id::text as key from cancellation c
      join file on file.account_id = c.account_id
      where c.status = ${sql.lit(cancellationStatus.erased)} and not ${isAttached} and ${ready(sql`file.id::text`)} limit 100`.execute(db)
    return rows
  },
  async run({ db, storage }, { key }) {
    const { rows } = await sql<{ id: string }>`delete from file where id = ${key}::uuid and not ${isAttached} returning id`.execute(db)
    // Before the commit: where the storage refuses, it is tried again.
    await deleteFiles(
      storage,
      rows.map(({ id }) => id),
    )
    return rows.length > 0
  },
}

/** Deletes the files of erased people that nothing refers to any more. Gives how many. */
export const deleteAbandonedFiles = (services: Services, signal?: AbortSignal) => workThrough(services, abandonedFiles, signal)

const ownTables = [
  'session',
  'device',
  'secondFactor',
  'recoveryCode',
  'signInTicket',
  'signIn',
  'passwordHistory',
  'message',
  'messageConfig',
  'outbox',
  'favourite',
  'savedSearch',
  'savedView',
  'feedback',
  'accountDept',
] as const

/** What the forms of a certification say of people; the rest is the company's or the project's. */
const personalFields = [
  'legalPersonPhone',
  'contactName',
  'contactPhone',
  'invoicePhone',
  'applicantName',
  'manager',
  'managerPhone',
] as const

async function eraseCertifications({ db: tx, now }: Erasing, accountId: number): Promise<void> {
  const inForce = await tx
    .selectFrom('certification')
    .where('accountId', '=', accountId)
    .where('status', 'in', passedCertifications)
    .select('id')
    .execute()
  // Nobody decides what is in review any more, and what it says of the person goes with it.
  await withdrawAllOf({ db: tx, now }, accountId)
  const papers = await tx
    .selectFrom('certificationDocument as d')
    .innerJoin('certification as c', 'c.id', 'd.certificationId')
    .where('c.accountId', '=', accountId)
    // A company's licence belongs to the company; a paper that shows the person goes in any case.
    .where((eb) => (inForce.length === 0 ? eb.lit(true) : eb('d.kind', 'in', identityDocuments)))
    .select('d.id')
    .execute()
  if (papers.length > 0)
    await tx
      .deleteFrom('certificationDocument')
      .where(
        'id',
        'in',
        papers.map(({ id }) => id),
      )
      .execute()
  if (inForce.length === 0) await tx.deleteFrom('certification').where('accountId', '=', accountId).execute()
  else
    await sql`update certification set form = form - ${[...personalFields]}::text[], passed_form = null where account_id = ${accountId}`.execute(
      tx,
    )
}
