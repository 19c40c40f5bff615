import { sql, type RawBuilder } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import type * as contract from '#shared/certification/contract.ts'
import { certificationMoves, paperStatus, signOf, waitingCertifications, type CertificationKind } from '#shared/certification/rules.ts'
import type { Received } from '#shared/endpoint.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { delFlag, yesNo } from '#shared/rules.ts'
import { lockAdmins, refuseLeavingAdmin } from '../actor/last-admin.ts'
import type { Tx } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed } from '../deed.ts'
import { keepNamed } from '../dept/tree.ts'
import { queuePartyMove } from '../party-move/party-moves.ts'
import { takeFleetOff } from '../equipment/shelf.ts'
import { Refusal } from '../http/refusal.ts'
import type { Sending } from '../message/queries.ts'
import { insertEvent, notifyApplicants, notifyReviewers } from './events.ts'
import { lockJoined, recordJoin } from './join.ts'
import { bindToUnit, lockUnbound } from './parent-unit.ts'
import { decidesFor, endsFor } from './queries.ts'
import { settle, type Passing, type Place } from './settle.ts'
import { endReview, refuseLeavingCertification, startReview, statusAfterEnd, updateValidity } from './standing.ts'
import { restorePassed, withdrawAllOf } from './withdraw.ts'

/** Makes the company or the project department, gives the role and sends the person the news; `lockAdminsBeside` comes first. */
export async function passCertification(deed: Deed, { id, version }: { id: number; version: number }): Promise<void> {
  const { db, actor, now } = deed
  const found = await hold(deed, { id, version, from: certificationMoves.pass.from, where: decidesFor(actor) })
  const { form, kind, accountId } = found
  await db.updateTable('certificationDocument').set({ status: paperStatus.passed, reason: '' }).where('certificationId', '=', id).execute()
  const documents = await db
    .selectFrom('certificationDocument')
    .where('certificationId', '=', id)
    .orderBy('id')
    .select(['kind', 'fileId', 'validTo'])
    .execute()
  const ends = [form.licenseValidTo, ...documents.map((paper) => paper.validTo)].filter((day): day is string => typeof day === 'string')
  const validTo = kind === 'dept' ? null : (ends.toSorted()[0] ?? null)
  if (validTo !== null && validTo < dayOf(now)) throw new Refusal('certification_ended')
  const creditCode = String(form.creditCode)
  const unbound = kind === 'lease' ? await lockUnbound(db, creditCode) : []
  const { companyId, deptId } = await keepNamed(db, { accountId }, () => seatApplicant(deed, found))
  const { to } = certificationMoves.pass
  await db
    .updateTable('certification')
    .set({
      status: to,
      passedForm: JSON.stringify({ form, documents }),
      reason: '',
      fieldReasons: '[]',
      companyId,
      deptId,
      validTo,
      reviewedAt: now,
      updateTime: now,
      version: nextVersion,
    })
    .where('id', '=', id)
    .execute()
  if (unbound.length > 0) await bindToUnit(deed, creditCode, unbound)
  if (kind === 'rentout') await updateValidity(deed, { companyId, kind })
  await insertEvent(deed, { certificationId: id, accountId: actor.accountId, action: 'pass' })
  await notifyApplicants(deed, { id, accountIds: [accountId], kind: 'certificationPassed', params: { company: found.name, reason: '' } })
}

/** Before the certification, as whoever removes or erases a person does: two administrators do not leave their company at once. */
export async function lockAdminsBeside(db: Tx, id: number): Promise<void> {
  const applicant = await db
    .selectFrom('certification')
    .innerJoin('account', 'account.id', 'certification.accountId')
    .where('certification.id', '=', id)
    .select(['userType', 'account.companyId'])
    .executeTakeFirst()
  if (applicant) await lockAdmins(db, applicant)
}

/** Gives the applicant the role and the place that their certification describes. */
async function seatApplicant(deed: Deed, passing: Passing): Promise<Place> {
  const { db } = deed
  const { accountId, kind, form } = passing
  if (kind === 'rentout') await lockJoined(db, form)
  const place = await settle(deed, passing)
  const { companyId, deptId } = place
  await refuseLeavingAdmin(db, { accountId, to: { userType: signOf[kind].userType, companyId } })
  if (kind !== 'dept') await refuseLeavingCertification(db, { accountId, kind, companyId })
  await recordJoin(deed, passing, place)
  const name = String(form.contactName ?? form.applicantName ?? '')
  await db
    .updateTable('account')
    .set((eb) => ({
      ...signOf[kind],
      ...place,
      auditStatus: certificationMoves.pass.to,
      revoked: false,
      name: eb.case().when('name', '=', '').then(name).else(eb.ref('name')).end(),
      nickName: eb.case().when('nickName', '=', '').then(name).else(eb.ref('nickName')).end(),
    }))
    .where('id', '=', accountId)
    .execute()
  // Whoever comes from another company belongs to none of its departments any more.
  await db
    .deleteFrom('accountDept')
    .where('accountId', '=', accountId)
    .where('deptId', 'in', (eb) => eb.selectFrom('dept').where('companyId', '<>', companyId).select('id'))
    .execute()
  if (deptId !== null)
    await db
      .insertInto('accountDept')
      .values({ accountId, deptId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  return place
}

type Rejection = Received<typeof contract.rejectCertification>['body'] & { id: number }

/** Sends back the fields and papers that are named; the papers not named are accepted. A change goes back to what was passed. */
export async function rejectCertification(deed: Deed, { id, version, reason, fields, documents }: Rejection): Promise<void> {
  const { db, actor, now } = deed
  const { reject, back } = certificationMoves
  const found = await hold(deed, { id, version, from: [...reject.from, ...back.from], where: decidesFor(actor) })
  const note = [reason, ...fields.map((field) => field.reason), ...documents.map((paper) => paper.reason)]
    .filter(Boolean)
    .join('；')
    .slice(0, 500)
  const isChange = isAmong(found.status, back.from)
  if (isChange) await restorePassed(deed, id, note)
  else {
    const papers = db.updateTable('certificationDocument').where('certificationId', '=', id)
    await papers.set({ status: paperStatus.passed, reason: '' }).execute()
    for (const { kind, reason: why } of documents)
      await papers.set({ status: paperStatus.rejected, reason: why }).where('kind', '=', kind).execute()
    await db
      .updateTable('certification')
      .set({
        status: reject.to,
        reason,
        fieldReasons: JSON.stringify(fields),
        reviewedAt: now,
        updateTime: now,
        version: nextVersion,
      })
      .where('id', '=', id)
      .execute()
    await endReview(db, found.accountId, reject.to)
  }
  await insertEvent(deed, { certificationId: id, accountId: actor.accountId, action: 'reject', note })
  const params = { company: found.name, reason: note, change: isChange ? yesNo.yes : '' }
  await notifyApplicants(deed, { id, accountIds: [found.accountId], kind: 'certificationRejected', params })
}

/** Ends what was passed: everybody of the company loses the role, its machines leave the shelf; `lockRole` comes first. */
export async function revokeCertification(deed: Deed, { id, reason }: { id: number; reason: string }): Promise<void> {
  const { db, actor, now } = deed
  const { from, to } = certificationMoves.revoke
  const found = await hold(deed, { id, from, where: endsFor(actor) })
  if (isAmong(found.status, certificationMoves.back.from)) await restorePassed(deed, id, '')
  await db
    .updateTable('certification')
    .set({ status: to, reason, reviewedAt: now, updateTime: now, version: nextVersion })
    .where('id', '=', id)
    .execute()
  await insertEvent(deed, { certificationId: id, accountId: actor.accountId, action: 'revoke', note: reason })
  const accountIds = await endRole(deed, { ...found, move: 'revoke', by: actor.accountId, reason })
  await notifyApplicants(deed, { id, accountIds, kind: 'certificationRevoked', params: { company: found.name, reason } })
}

type Held = { id: number; version?: number; from: readonly string[]; where: RawBuilder<boolean> }

/** Locks the row for the reviewer who may decide it. Refuses `not_found` to anybody else, and one that has moved on or has another version. */
async function hold({ db }: Deed, { id, version, from, where }: Held) {
  const row = await db
    .selectFrom('certification')
    .where('id', '=', id)
    .where(where)
    .forUpdate()
    .select(['id', 'accountId', 'kind', 'status', 'version', 'name', 'parentDeptId', 'form'])
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  if (!from.includes(row.status) || (version !== undefined && row.version !== version)) throw new Refusal('certification_changed')
  return row
}

/**
 * Locks the certification and those of colleagues that end with it, all in one order and before their company, as a pass or the end of an account locks
 * its own. That of a project department ends alone.
 */
export async function lockRole(db: Tx, id: number): Promise<void> {
  await sql`select id from certification where id = any(array(
      select ${id}::bigint union select c.id from certification own
        join account holder on holder.id = own.account_id join account colleague on colleague.company_id = holder.company_id
        join certification c on c.account_id = colleague.id and c.kind = own.kind
        where own.id = ${id} and own.kind <> 'dept' and c.status in (${literals(certificationMoves.revoke.from)})))
    order by id for update`.execute(db)
}

type Ending = {
  accountId: number
  kind: CertificationKind
  move: 'expire' | 'revoke'
  /** Null where the clock ends it. */
  by: number | null
  reason: string
}

/**
 * Ends the role for the whole company, or that of a project department for its person alone; `lockRole` comes first. Gives the accounts that lost it. The
 * certifications of colleagues end as well, those with a change in review included: to withdraw or reject such a change would otherwise restore the role.
 * Where the clock ends them, such a change goes on as an application. Colleagues without a certification in force have the role through the company alone
 * (`roleOf`), so they have it again when somebody renews it. The contracts of that side go on, and their other sides are told.
 */
export async function endRole(work: Sending, { accountId, kind, move, by, reason }: Ending): Promise<number[]> {
  const { db, now } = work
  const auditStatus = certificationMoves[move].to
  const standing = { auditStatus, ...(move === 'revoke' && { revoked: true }) }
  const { companyId } = await db.selectFrom('account').where('id', '=', accountId).select('companyId').executeTakeFirstOrThrow()
  if (kind === 'dept' || companyId === null) {
    await db.updateTable('account').set(standing).where('id', '=', accountId).execute()
    return [accountId]
  }
  const isLessor = kind === 'rentout'
  await db
    .updateTable('company')
    .set(isLessor ? { lessorAudit: auditStatus } : { lesseeAudit: auditStatus })
    .where('id', '=', companyId)
    .execute()
  await queuePartyMove(work, { companyId, side: isLessor ? 'lessor' : 'lessee', move: 'certificationEnd', by })
  if (isLessor) await takeFleetOff(db, { companyId, now })
  const ended = await db
    .updateTable('certification')
    .set({ status: move === 'expire' ? statusAfterEnd : auditStatus, updateTime: now, version: nextVersion })
    .where('kind', '=', kind)
    .where('status', 'in', certificationMoves.revoke.from)
    .where('accountId', 'in', (query) => query.selectFrom('account').where('companyId', '=', companyId).select('id'))
    .returning(['id', 'accountId', 'validTo', 'status'])
    .execute()
  for (const { id, validTo } of ended)
    await insertEvent(work, { certificationId: id, accountId: by, action: move, note: move === 'expire' ? (validTo ?? '') : reason })
  const certified = [accountId, ...ended.map((row) => row.accountId)]
  // In the order in which whoever names them in a contract locks them.
  await db.selectFrom('account').where('id', 'in', certified).orderBy('id').forNoKeyUpdate().select('id').execute()
  await db.updateTable('account').set(standing).where('id', 'in', certified).execute()
  for (const one of ended.filter(({ status }) => status === certificationMoves.outlast.to))
    await startReview(db, { accountId: one.accountId, kind })
  // Those of project departments have the role of a lessee's people through the company as well.
  const types = kind === 'lease' ? [signOf.lease.userType, signOf.dept.userType] : [signOf[kind].userType]
  const people = await db
    .selectFrom('account')
    .where('userType', 'in', types)
    .where('companyId', '=', companyId)
    .where('delFlag', '=', delFlag.present)
    .select('id')
    .execute()
  if (kind === 'lease') await handOver(work, companyId)
  return people.map(({ id }) => id)
}

/** Sends the operators news of the project departments that waited for the administrators of a company and now wait for them. */
async function handOver(work: Sending, companyId: number): Promise<void> {
  const waiting = await work.db
    .selectFrom('certification')
    .innerJoin('account', 'account.id', 'certification.accountId')
    .where('account.delFlag', '=', delFlag.present)
    .where('certification.status', 'in', waitingCertifications)
    .where('parentDeptId', 'in', (query) => query.selectFrom('dept').where('companyId', '=', companyId).select('id'))
    .orderBy('certification.id')
    .select(['certification.id', 'certification.kind', 'certification.name as company'])
    .execute()
  for (const one of waiting) await notifyReviewers(work, { ...one, parentDeptId: null })
}

type Placed = { accountId: number; kind: CertificationKind; companyId: number; deptId: number | null; deptIds: readonly number[] }

/**
 * Lets certifications follow a person of an organisation to where an administrator puts them. What waits describes the place that they leave, so it is
 * withdrawn. That of a project department goes to the one where they work from now on, and ends without their role where they work for none. The person
 * is told of what is withdrawn and of what ends.
 */
export async function followPlace(deed: Deed, placed: Placed): Promise<void> {
  const { db, actor, now } = deed
  const { accountId, kind, companyId, deptId, deptIds } = placed
  const isElsewhere = sql<boolean>`(kind <> ${kind} or kind = 'dept' and dept_id <> all(${[...deptIds]}::bigint[]))`
  const withdrawn = await withdrawAllOf(deed, accountId, isElsewhere)
  const { name: dept } = await getPlace(deed, placed)
  const ofProject = db.updateTable('certification').where('accountId', '=', accountId).where('kind', '=', 'dept').where(isElsewhere)
  if (kind === 'dept') await ofProject.set({ companyId, deptId, version: nextVersion }).execute()
  const { from, to } = certificationMoves.revoke
  const left = ofProject.where('status', 'in', from).set({ status: to, reason: '', reviewedAt: now, updateTime: now, version: nextVersion })
  const ended = kind === 'dept' ? undefined : await left.returning(['id', 'name']).executeTakeFirst()
  for (const { id, name } of withdrawn.filter((one) => one.id !== ended?.id))
    await notifyApplicants(deed, { id, accountIds: [accountId], kind: 'certificationTakenBack', params: { company: name, dept } })
  if (!ended) return
  await insertEvent(deed, { certificationId: ended.id, accountId: actor.accountId, action: 'leave', note: dept })
  await notifyApplicants(deed, { id: ended.id, accountIds: [accountId], kind: 'certificationLeft', params: { company: ended.name, dept } })
}

/** The department, or the company of somebody who works for none. */
const getPlace = ({ db }: Pick<Deed, 'db'>, { companyId, deptId }: Placed) =>
  db
    .selectFrom('company')
    .leftJoin('dept', (join) => join.on('dept.id', '=', deptId))
    .where('company.id', '=', companyId)
    .select((eb) => eb.fn.coalesce('deptName', 'enterpriseName').as('name'))
    .executeTakeFirstOrThrow()
