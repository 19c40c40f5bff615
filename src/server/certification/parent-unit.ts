// The unit above a project department that certifies.
import { sql } from 'kysely'
import { certificationStatus, endedCertifications, waitingCertifications } from '#shared/certification/rules.ts'
import { deptType, hasLevelBelow, unitTypes } from '#shared/dept/rules.ts'
import { delFlag, enableStatus } from '#shared/rules.ts'
import type { Read, Tx } from '../db/connect.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed } from '../deed.ts'
import { refuseField } from '../http/refusal.ts'
import type { Sending } from '../message/queries.ts'
import { notifyReviewers } from './events.ts'
import type { Form } from './queries.ts'
import { worksFor } from './settle.ts'

/** The certified unit above, or null when it is not here; one that was named but is not certified is refused. */
export async function parentOf(db: Read, form: Form): Promise<number | null> {
  let query = db
    .selectFrom('dept')
    .innerJoin('company', 'company.id', 'dept.companyId')
    .where('company.lesseeAudit', '=', certificationStatus.passed)
    .where('dept.deptType', 'in', unitTypes)
    .where('dept.status', '=', enableStatus.enabled)
    .where('dept.delFlag', '=', delFlag.present)
  // Typed in by hand, yet certified here: its root unit reviews.
  query =
    form.parentDeptId === null
      ? query.where('company.creditCode', '=', typedCode(form)).where('dept.parentId', 'is', null)
      : query.where('dept.id', '=', Number(form.parentDeptId))
  // Whoever deletes the unit meanwhile finds this application, or is waited for.
  const found = await query.select(['dept.id', 'dept.ancestors']).forShare('dept').executeTakeFirst()
  if (!found && form.parentDeptId === null) await refuseEndedUnit(db, form)
  if (!found && form.parentDeptId !== null) refuseField(['form', 'parentDeptId'], 'parent_unknown')
  if (found && !hasLevelBelow(found.ancestors)) refuseField(['form', 'parentDeptId'], 'too_deep')
  return found?.id ?? null
}

const typedCode = (form: Form) => String(form.parentCreditCode).replace(/\s/g, '').toUpperCase()

/** Below a company whose certification has ended a project department would pass and have no role. */
async function refuseEndedUnit(db: Read, form: Form): Promise<void> {
  const ended = await db
    .selectFrom('company')
    .where('creditCode', '=', typedCode(form))
    .where('lesseeAudit', 'in', endedCertifications)
    .select('id')
    .executeTakeFirst()
  if (ended) refuseField(['form', 'parentCreditCode'], 'parent_ended')
}

/**
 * Locks the waiting applications of project departments that typed this code while its company was not certified. Comes before the company is written,
 * as whoever passes such an application locks it first.
 */
export const lockUnbound = (db: Tx, creditCode: string) =>
  db
    .selectFrom('certification')
    .where('kind', '=', 'dept')
    .where('status', 'in', waitingCertifications)
    .where('parentDeptId', 'is', null)
    .where(sql<boolean>`upper(regexp_replace(form ->> 'parentCreditCode', '\\s', '', 'g')) = ${creditCode}`)
    .orderBy('id')
    .forUpdate()
    .select(['id', 'kind', 'name as company'])
    .execute()

/** Hands those applications over to the root unit of their company, which is certified by now and decides them instead of the operator. */
export async function bindToUnit(work: Sending, creditCode: string, unbound: Awaited<ReturnType<typeof lockUnbound>>): Promise<void> {
  const parentDeptId = await parentOf(work.db, { parentDeptId: null, parentCreditCode: creditCode })
  if (parentDeptId === null) return
  for (const one of unbound) {
    await work.db.updateTable('certification').set({ parentDeptId, version: nextVersion }).where('id', '=', one.id).execute()
    await notifyReviewers(work, { ...one, parentDeptId })
  }
}

type Named = { parentDeptId: number; deptId: number | null; name: string }

/**
 * Refuses a name that another department under the unit has already, where the review could not but refuse it. A colleague's project department of that
 * name is joined by whoever has no other one there.
 */
export async function refuseTakenName({ db, actor }: Deed, { parentDeptId, deptId, name }: Named): Promise<void> {
  const hasProjectThere = sql<boolean>`exists (select from dept where dept.id = ${deptId} and dept.id <> sibling.id
    and dept.parent_id = ${parentDeptId} and dept.dept_type = ${sql.lit(deptType.project)} and dept.del_flag = ${sql.lit(delFlag.present)}
    and ${worksFor(sql`${actor.accountId}::bigint`)})`
  const taken = await db
    .selectFrom('dept as sibling')
    .where('parentId', '=', parentDeptId)
    .where('deptName', '=', name)
    .where('delFlag', '=', delFlag.present)
    .where((eb) => eb.or([eb('deptType', '<>', deptType.project), hasProjectThere]))
    .select('id')
    .executeTakeFirst()
  if (taken) refuseField(['form', 'projectName'], 'taken')
}
