import { liveContracts } from '#shared/contract/rules.ts'
import { sql } from 'kysely'
import { accountStatus, maskPhone, smsRules, undecidedCancellations, userType } from '#shared/account/rules.ts'
import type { AuditAction } from '#shared/audit/rules.ts'
import { dayMs, minuteMs, toMinute } from '#shared/calendar.ts'
import { certificationStatus, signOf } from '#shared/certification/rules.ts'
import { openDemands } from '#shared/demand/rules.ts'
import { deptType } from '#shared/dept/rules.ts'
import type { Received } from '#shared/endpoint.ts'
import { paths } from '#shared/paths.ts'
import type * as contract from '#shared/person/contract.ts'
import type { Person } from '#shared/person/contract.ts'
import { liveQuotes } from '#shared/quote/rules.ts'
import { delFlag, enableStatus, yesNo } from '#shared/rules.ts'
import { countAttempt, uncountAttempt } from '../account/attempts.ts'
import { lockLeaver } from '../account/cancellation.ts'
import { carryContacts, eraseSms, giveUpContacts } from '../account/contacts.ts'
import { forgetDevices } from '../account/devices.ts'
import { countFirstPassword } from '../account/first-password.ts'
import { sendAccountNotice } from '../account/notice.ts'
import { givenPassword, randomUserName, refuseTaken } from '../account/passwords.ts'
import { findIsLastAdmin, lockAdmins } from '../actor/last-admin.ts'
import { followPhoneChange, notifyOldNumber } from '../account/phone.ts'
import { endSessionsOf } from '../account/sessions.ts'
import type { Actor } from '../actor/actor.ts'
import { firstPassword, hashPassword } from '../actor/hash.ts'
import { companyOf, deptsOfAccounts, inScope } from '../actor/scope.ts'
import { audited, insertAudit } from '../audit/log.ts'
import { followPlace } from '../certification/review.ts'
import { withdrawAllOf } from '../certification/withdraw.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { nextVersion } from '../db/version.ts'
import { violatedUnique } from '../db/violations.ts'
import { transact, type Context, type Deed } from '../deed.ts'
import { keepNamed } from '../dept/tree.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import { sendMessages } from '../message/queries.ts'
import { sendSms } from '../outbox/queries.ts'
import { getPerson } from './queries.ts'

/** Adds a person. They stay where the SMS with their first password is refused: the administrator sends a new one. */
export async function addPerson(context: Context, input: Received<typeof contract.addPerson>['body']) {
  const { actor, now } = context
  const { userName = randomUserName(), phonenumber } = input
  const password = firstPassword()
  const passwordHash = await hashPassword(password)
  const write = () =>
    transact(context, { actor, now }, async (deed) => {
      const { db } = deed
      await countFirstPassword(deed, { senderId: actor.accountId, phonenumber })
      const { deptIds, ...place } = await placeOf(db, actor, input.deptIds)
      refuseDriver(input, place)
      const columns = columnsOfInput(input, place)
      const { id } = await db
        .insertInto('account')
        .values({
          ...columns,
          userName,
          phoneChangedAt: now,
          ...givenPassword(passwordHash, now),
          auditStatus: certificationStatus.passed,
          createTime: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await setDepts(db, id, deptIds)
      await recordAdded(deed, { ...columns, userId: id, userName })
      await context.claimAnswer?.(db, { userId: id, userName })
      return id
    })
  const userId = await countNumber(context, { isAdded: true }, write)
  if (!(await sendSms(context, { template: 'firstPassword', phonenumber, userName, password }, now)))
    throw new Refusal('first_password_unsent', { userId })
  return { userId, userName }
}

/** Logs that a person was added, without their name, which goes with them, and tells the other administrators. */
async function recordAdded(deed: Deed, person: ReturnType<typeof columnsOfInput> & Pick<Person, 'userId' | 'userName'>): Promise<void> {
  const { userId, userName, companyId, deptId, phonenumber, isAdmin, driverOnly } = person
  const entry = {
    action: 'account.add',
    bizType: 'account',
    bizId: String(userId),
    bizName: userName,
    companyId,
    after: { phonenumber: maskPhone(phonenumber), dept_id: deptId, is_admin: isAdmin, driver_only: driverOnly },
  } as const
  await insertAudit(deed.db, deed.actor, entry, deed.now)
  await notifyAdmins(deed, person, { kind: 'personAdded', phonenumber, isAdmin })
}

/** Changes a person; with `resetPassword` a new first password goes out by SMS, too. */
export async function editPerson(context: Context, input: Received<typeof contract.editPerson>['body']): Promise<void> {
  const { db, actor, now } = context
  const { userId, phonenumber, resetPassword } = input
  const password = firstPassword()
  const passwordHash = resetPassword ? await hashPassword(password) : null
  const write = () =>
    transact(context, { actor, now }, async (deed) => {
      const person = await updatePerson(deed, input, passwordHash)
      await context.claimAnswer?.(deed.db, null)
      return person
    })
  // Only of a person whom the administrator sees: nobody compares the number of anybody else.
  const present = await getPerson(db, actor, userId)
  const isSame = present.phonenumber === phonenumber
  const { userName, phonenumber: before } = await (isSame ? write() : countNumber(context, { isAdded: false }, write))
  if (before !== phonenumber) await notifyOldNumber(context, { before, phonenumber })
  if (passwordHash && !(await sendSms(context, { template: 'firstPassword', phonenumber, userName, password }, now)))
    throw new Refusal('sms_failed')
}

/**
 * Counts a number that an administrator enters, before the write tells whether somebody has it and on the pool, so that the refusal does not undo the
 * count: nobody finds out by it which numbers exist. What told nothing is taken back, and so is a person who was added, whose first password
 * is counted. A changed number stays counted, because the old one gets an SMS.
 */
async function countNumber<T>(context: Context, { isAdded }: { isAdded: boolean }, write: () => Promise<T>): Promise<T> {
  const place = String(context.actor.accountId)
  const counter = { scope: 'numbers of people', place, limit: smsRules.numbersPerAdmin, minutes: dayMs / minuteMs }
  if (!(await countAttempt(context, counter)).isAllowed) throw new Refusal('too_many')
  try {
    const result = await write()
    if (isAdded) await uncountAttempt(context, counter)
    return result
  } catch (error) {
    if (violatedUnique(error) === undefined) await uncountAttempt(context, counter)
    return refuseTaken(error)
  }
}

async function updatePerson(deed: Deed, input: Received<typeof contract.editPerson>['body'], passwordHash: string | null) {
  const { db, actor, now } = deed
  const { userId, version, phonenumber } = input
  if (passwordHash) await countFirstPassword(deed, { senderId: actor.accountId, phonenumber })
  await lockAdmins(db, actor)
  const person = await getOwnPerson(db, actor, userId)
  const { deptIds, ...place } = await placeOf(db, actor, input.deptIds, person)
  refuseDriver(input, place)
  // Without one that they chose, their display name is their name.
  const { nickName = person.nickName === person.name ? '' : person.nickName } = input
  const columns = columnsOfInput({ ...input, nickName }, place)
  const { status = person.status } = input
  const isLocked = status === accountStatus.locked
  const changesStatus = status !== person.status
  const losesAdmin = isLocked || !columns.isAdmin
  const changesDriver = person.driverOnly !== input.driverOnly
  const changesPhone = person.phonenumber !== phonenumber
  const changesAdmin = person.isAdmin !== columns.isAdmin
  // Theirs is changed with their password.
  if (userId === actor.accountId && changesPhone) refuseField(['phonenumber'], 'own_phone')
  const isUnlocked = changesStatus && !isLocked
  if (changesPhone || isUnlocked) await lockLeaver(db, userId)
  if (isUnlocked) await refusePlatformLocked(db, userId)
  if (userId === actor.accountId && losesAdmin) throw new Refusal('not_yourself')
  if (person.isAdmin && (losesAdmin || place.deptId !== person.deptId)) await refuseLastAdmin(db, userId)
  if (changesPhone) await carryContacts(deed, { accountId: userId, phonenumber })
  const save = async () => {
    const { numUpdatedRows } = await db
      .updateTable('account')
      .set({
        ...columns,
        ...(changesStatus && { status }),
        version: nextVersion,
        ...(passwordHash && givenPassword(passwordHash, now)),
        ...(changesPhone && { phoneChangedAt: now }),
      })
      .where('id', '=', userId)
      .$if(version !== undefined, (query) => query.where('version', '=', version ?? 0))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new Refusal('changed')
  }
  const actions: AuditAction[] = [
    ...(changesStatus ? [isLocked ? ('account.lock' as const) : ('account.unlock' as const)] : []),
    ...(changesAdmin ? ['account.admin' as const] : []),
    ...(changesDriver ? ['account.driver' as const] : []),
    ...(changesPhone ? ['account.phone' as const] : []),
    ...(passwordHash ? ['account.resetPassword' as const] : []),
  ]
  if (place.kind !== 'rentout') await followPlace(deed, { accountId: userId, ...place, deptIds })
  await keepNamed(db, { accountId: userId }, async () => {
    await audited(deed, actor, { action: actions, bizType: 'account', id: userId }, save)
    await setDepts(db, userId, deptIds)
    if (isLocked && changesStatus) await refuseNamed(db, userId)
    if (changesDriver && input.driverOnly) await refuseNamed(db, userId)
  })
  // A person who is locked, whose password is new, or who becomes a driver or stops being one, is signed out everywhere.
  if (passwordHash) await forgetDevices(db, userId, null)
  if (isLocked || passwordHash || changesDriver) await endSessionsOf(deed, userId)
  if (changesPhone) await followPhoneChange(deed, { accountId: userId, phonenumber })
  if (changesPhone) await notifyAdmins(deed, person, { kind: 'personPhoneChanged', phonenumber })
  if (changesAdmin) await notifyAdmins(deed, person, { kind: 'personAdmin', isAdmin: columns.isAdmin })
  if (passwordHash) {
    await sendAccountNotice(deed, { accountId: userId, kind: 'passwordChanged', params: { time: toMinute(now) } })
    await notifyAdmins(deed, person, { kind: 'personPasswordReset' })
  }
  return person
}

type AdminNotice = {
  kind: 'personAdded' | 'personAdmin' | 'personPhoneChanged' | 'personPasswordReset'
  phonenumber?: string
  isAdmin?: boolean
}

/**
 * Whoever adds a person or an administrator, or sets a colleague's number or password, could act as them, so the other administrators of the company get
 * a message.
 */
async function notifyAdmins(
  deed: Deed,
  { userId, name, userName }: Pick<Person, 'userId' | 'name' | 'userName'>,
  { kind, phonenumber = '', isAdmin = false }: AdminNotice,
): Promise<void> {
  const { db, actor, now } = deed
  const admins = await db
    .selectFrom('account')
    .where('companyId', '=', companyOf(actor))
    .where('isAdmin', '=', true)
    .where('userType', '=', actor.userType)
    .where('id', 'not in', [actor.accountId, userId])
    .select('id')
    .execute()
  await sendMessages(deed, {
    to: { accounts: admins.map(({ id }) => id) },
    kind,
    params: { by: actor.userName, name, userName, phone: maskPhone(phonenumber), time: toMinute(now), admin: isAdmin ? yesNo.yes : '' },
    bizType: 'account',
    bizId: userId,
    link: actor.role === 'leaser' ? paths.companyPeople() : paths.people(),
  })
}

/** Removes a person who has nothing open: also after the opening somebody answers for a quote until it is decided. */
export async function deletePerson(deed: Deed, id: number): Promise<void> {
  const { db, actor } = deed
  await lockAdmins(db, actor)
  await getOwnPerson(db, actor, id)
  if (id === actor.accountId) throw new Refusal('not_yourself')
  await refuseLastAdmin(db, id)
  // Before the counts: a demand or a quote of this moment is waited for and counted, or finds its person gone (`holdOwnAccount`).
  await lockLeaver(db, id)
  const { rows } = await sql<{ open: number }>`select (
    (select count(*) from demand where account_id = ${id} and status in (${literals(openDemands)}) and del_flag = ${sql.lit(delFlag.present)})
    + (select count(*) from quote where account_id = ${id} and status in (${literals(liveQuotes)})))::int as open`.execute(db)
  if ((rows[0]?.open ?? 0) > 0) throw new Refusal('person_busy')
  await refuseNamed(db, id)
  await withdrawAllOf(deed, id)
  // All of this is found by the number, which goes next. Who asked to be erased is erased after their days, and then nothing is left of it.
  await giveUpContacts(deed, { accountId: id, heirId: actor.accountId })
  if (await isLeaving(db, id)) await eraseSms(deed, id)
  await db
    .updateTable('account')
    .set({ delFlag: delFlag.deleted, status: accountStatus.locked, phonenumber: null, isAdmin: false })
    .where('id', '=', id)
    .execute()
  await endSessionsOf(deed, id)
}

/** Whether the person has asked for their account to be cancelled, and it is not decided yet. */
async function isLeaving(db: Read, accountId: number): Promise<boolean> {
  const asked = await db
    .selectFrom('cancellation')
    .where('accountId', '=', accountId)
    .where('status', 'in', undecidedCancellations)
    .select('id')
    .executeTakeFirst()
  return asked !== undefined
}

/**
 * The person, where they belong nowhere but within the administrator's own scope. Otherwise the administrator of one unit could
 * take over a person who also works for another, by their phone or password.
 */
async function getOwnPerson(db: Read, actor: Actor, id: number) {
  const person = await getPerson(db, actor, id)
  if (actor.role === 'leaser') return person
  const { rows } = await sql<{ elsewhere: boolean }>`select
    exists (select from ${deptsOfAccounts} w where w.account_id = ${id} and not (${inScope('w.dept_id', actor)})) as elsewhere`.execute(db)
  if (rows[0]?.elsewhere) throw new Refusal('person_elsewhere')
  return person
}

type Kind = 'rentout' | 'lease' | 'dept'
type Place = { kind: Kind; deptId: number | null; companyId: number }

/**
 * The place that the departments give a person: several project departments, one unit, or a lessor's company. Whoever keeps their first project keeps it
 * as the first. One that is switched off takes nobody, and those who work there already stay until they are moved.
 */
async function placeOf(
  db: Read,
  actor: Actor,
  deptIds: readonly number[],
  before: Pick<Person, 'deptId'> & { deptIds: readonly number[] } = { deptId: null, deptIds: [] },
): Promise<Place & { deptIds: number[] }> {
  if (actor.role === 'leaser') return { kind: 'rentout', deptId: null, companyId: companyOf(actor), deptIds: [] }
  if (deptIds.length === 0) refuseField(['deptIds'], 'required')
  const depts = await db
    .selectFrom('dept')
    .where('id', 'in', deptIds)
    .where((eb) => eb.or([eb('status', '=', enableStatus.enabled), sql<boolean>`id = any(${[...before.deptIds]}::bigint[])`]))
    .where('delFlag', '=', delFlag.present)
    .where(inScope('dept.id', actor))
    // As the foreign key does a moment later: a deletion of this moment is waited for and its department then unknown, or it counts the person.
    .forKeyShare()
    .select(['id', 'deptType', 'companyId'])
    .execute()
  const [first] = deptIds
    .toSorted((a, b) => Number(b === before.deptId) - Number(a === before.deptId))
    .flatMap((id) => depts.find((dept) => dept.id === id) ?? [])
  if (!first || depts.length !== new Set(deptIds).size) refuseField(['deptIds'], 'dept_unknown')
  const areProjects = depts.every((dept) => dept.deptType === deptType.project)
  if (!areProjects && depts.length > 1) refuseField(['deptIds'], 'one_unit')
  return { kind: areProjects ? 'dept' : 'lease', deptId: first.id, companyId: first.companyId, deptIds: depts.map(({ id }) => id) }
}

type Input = { name: string; nickName: string; phonenumber: string; isAdmin: boolean; driverOnly: boolean }

/** Only a lessor has drivers, and nobody administers a company that they see nothing of. */
function refuseDriver({ driverOnly, isAdmin }: Pick<Input, 'driverOnly' | 'isAdmin'>, { kind }: Place): void {
  if (driverOnly && (kind !== 'rentout' || isAdmin)) refuseField(['driverOnly'], 'driver')
}

/** The columns that the form fills. Nobody administers a project department alone. */
const columnsOfInput = ({ name, nickName, phonenumber, isAdmin, driverOnly }: Input, { kind, deptId, companyId }: Place) => ({
  ...signOf[kind],
  deptId,
  companyId,
  name,
  nickName: nickName || name,
  phonenumber,
  isAdmin: isAdmin && signOf[kind].userType !== userType.project,
  driverOnly,
})

async function setDepts(db: Read, accountId: number, deptIds: readonly number[]): Promise<void> {
  await db.deleteFrom('accountDept').where('accountId', '=', accountId).execute()
  if (deptIds.length > 0)
    await db
      .insertInto('accountDept')
      .values(deptIds.map((deptId) => ({ accountId, deptId })))
      .execute()
}

/** Whoever is named for a task of a contract hands it over before they leave. The refusal counts the contracts. */
async function refuseNamed(db: Read, id: number): Promise<void> {
  const { contracts } = await db
    .selectFrom('contractPerson')
    .innerJoin('contract', 'contract.id', 'contractPerson.contractId')
    .where('contractPerson.accountId', '=', id)
    .where('contract.status', 'in', liveContracts)
    .select(sql<number>`count(distinct contract.id)::int`.as('contracts'))
    .executeTakeFirstOrThrow()
  if (contracts > 0) throw new Refusal('person_named', { contracts })
}

/** Whom the platform has locked, only the platform unlocks. The caller has locked the account. */
async function refusePlatformLocked(db: Read, id: number): Promise<void> {
  const account = await db.selectFrom('account').where('id', '=', id).select('platformLocked').executeTakeFirst()
  if (account?.platformLocked) throw new Refusal('platform_locked')
}

/** Somebody must stay who administers the organisation. */
async function refuseLastAdmin(db: Read, id: number): Promise<void> {
  if (await findIsLastAdmin(db, id)) throw new Refusal('last_admin')
}
