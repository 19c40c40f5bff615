import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { accountStatus } from '#shared/account/rules.ts'
import type { DeptForm, LeaseForm, RentoutForm } from '#shared/certification/contract.ts'
import {
  certificationMoves,
  certificationStatus,
  endedCertifications,
  signOf,
  type CertificationKind,
} from '#shared/certification/rules.ts'
import { deptType, hasLevelBelow } from '#shared/dept/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { delFlag, enableStatus } from '#shared/rules.ts'
import { deptsOfAccounts, inScope } from '../actor/scope.ts'
import { queuePartyMove } from '../party-move/party-moves.ts'
import type { Tx } from '../db/connect.ts'
import { nextVersion } from '../db/version.ts'
import { violates } from '../db/violations.ts'
import type { Deed } from '../deed.ts'
import { insertRoot, rootName } from '../dept/root.ts'
import { keepNamed, lockTree } from '../dept/tree.ts'
import { Refusal } from '../http/refusal.ts'
import type { Form } from './queries.ts'

/** A certification that passes: the form, and the unit above that the applicant chose. */
export type Passing = {
  id: number
  accountId: number
  kind: CertificationKind
  form: Form
  parentDeptId: number | null
}

export type Place = { companyId: number; deptId: number | null; isAdmin: boolean }

/** Makes or updates the company or the project department that the form describes, and gives the place of its person there. */
export const settle = (deed: Deed, passing: Passing): Promise<Place> =>
  passing.kind === 'dept' ? settleProject(deed, passing) : settleCompany(deed, { ...passing, kind: passing.kind })

async function settleCompany(deed: Deed, { form, kind, accountId }: Passing & { kind: 'rentout' | 'lease' }): Promise<Place> {
  const { db, now } = deed
  const values = form as z.output<typeof RentoutForm> & z.output<typeof LeaseForm>
  const lessor = kind === 'rentout'
  const common = {
    enterpriseName: values.enterpriseName,
    entityType: values.entityType,
    scaleType: values.scaleType,
    taxpayerType: values.taxpayerType,
    legalPerson: values.legalPerson,
    provinceId: values.provinceId,
    cityId: values.cityId,
    districtId: values.districtId,
    address: values.address,
    contactName: values.contactName,
    contactPhone: values.contactPhone,
    establishedOn: values.establishDate,
    searchText: values.enterpriseName,
    updateTime: now,
    delFlag: delFlag.present,
    ...(lessor
      ? {
          isLessor: true,
          lessorAudit: certificationStatus.passed,
          mainCategories: values.mainCategories,
          serviceRegions: values.serviceRegions,
        }
      : { isLessee: true, lesseeAudit: certificationStatus.passed, groupName: values.groupName }),
  }
  const before = await db
    .selectFrom('company')
    .where('creditCode', '=', values.creditCode)
    .forNoKeyUpdate()
    .select(['enterpriseName', lessor ? 'lessorAudit as audit' : 'lesseeAudit as audit'])
    .executeTakeFirst()
  const { id: companyId } = await db
    .insertInto('company')
    .values({ ...common, creditCode: values.creditCode, createTime: now })
    .onConflict((conflict) => conflict.column('creditCode').doUpdateSet(common))
    .returning('id')
    .executeTakeFirstOrThrow()
  if (before && isAmong(before.audit, [certificationMoves.expire.to, certificationMoves.revoke.to]))
    await queuePartyMove(deed, { companyId, side: lessor ? 'lessor' : 'lessee', move: 'certificationBack', by: deed.actor.accountId })
  if (before) await renameRoot(deed, { companyId, before: before.enterpriseName, after: values.enterpriseName })
  const deptId = lessor ? null : await rootOf(deed, companyId, values.enterpriseName)
  const unit = deptId === null ? undefined : await findOwnUnit(deed, { accountId, companyId })
  // An organisation has given them a place below its root, where they stay.
  if (unit && unit.deptId !== deptId) return { companyId, ...unit }
  // The first person is the administrator; an administrator stays one. Whoever is locked administers nothing, and whoever administers a unit not the whole.
  const admins = await db
    .selectFrom('account')
    .where('companyId', '=', companyId)
    .where('deptId', 'is not distinct from', deptId)
    .where('isAdmin', '=', true)
    .where('userType', '=', signOf[kind].userType)
    .where('status', '=', accountStatus.active)
    .where('delFlag', '=', delFlag.present)
    .select('id')
    .execute()
  const isAdmin = admins.length === 0 || admins.some(({ id }) => id === accountId)
  return { companyId, deptId, isAdmin }
}

/** Where the person, as one of the organisation's units, works in this company already. */
const findOwnUnit = ({ db }: Deed, { accountId, companyId }: { accountId: number; companyId: number }) =>
  db
    .selectFrom('account')
    .innerJoin('dept', 'dept.id', 'account.deptId')
    .where('account.id', '=', accountId)
    .where('account.userType', '=', signOf.lease.userType)
    .where('dept.companyId', '=', companyId)
    .where('dept.delFlag', '=', delFlag.present)
    .select(['dept.id as deptId', 'account.isAdmin'])
    .executeTakeFirst()

/** Gives the root the company's certified name, where it has the one before, which a stranger may have typed. One that the organisation has named stays. */
async function renameRoot({ db }: Deed, { companyId, before, after }: { companyId: number; before: string; after: string }): Promise<void> {
  const [deptName, named] = [rootName(after), rootName(before)]
  if (deptName === named) return
  await db
    .updateTable('dept')
    .set({ deptName, version: nextVersion })
    .where('companyId', '=', companyId)
    .where('parentId', 'is', null)
    .where('deptName', '=', named)
    .execute()
}

/** The root of the company's organisation; made where there is none. */
async function rootOf(deed: Deed, companyId: number, deptName: string): Promise<number> {
  const root = await deed.db
    .selectFrom('dept')
    .where('companyId', '=', companyId)
    .where('parentId', 'is', null)
    .where('delFlag', '=', delFlag.present)
    .orderBy('id')
    .select('id')
    .executeTakeFirst()
  return root?.id ?? insertRoot(deed, { companyId, deptName })
}

async function settleProject(deed: Deed, { id, form, parentDeptId }: Passing): Promise<Place> {
  const { db, now } = deed
  const values = form as z.output<typeof DeptForm>
  const parent = await lockedParent(deed, await parentUnit(deed, values, parentDeptId))
  const dept = {
    parentId: parent.id,
    ancestors: [...parent.ancestors, parent.id],
    deptName: values.projectName,
    deptType: deptType.project,
    companyId: parent.companyId,
    leader: values.manager,
    phone: values.managerPhone,
    projectName: values.projectShortName,
    projectType: values.projectType,
    provinceId: values.provinceId,
    cityId: values.cityId,
    districtId: values.districtId,
    address: values.address,
    lowEmissionZone: values.lowEmissionZone,
  }
  const same = await db
    .selectFrom('dept')
    .where('parentId', '=', parent.id)
    .where('deptName', '=', values.projectName)
    .where('deptType', '=', deptType.project)
    .where('delFlag', '=', delFlag.present)
    .select('id')
    .executeTakeFirst()
  // A colleague's project department of the same name under the same unit is the same one.
  const known = (await findOwnProject(deed, id, parent)) ?? same?.id
  const place = { companyId: parent.companyId, isAdmin: false }
  if (known !== undefined) {
    await keepNamed(db, { deptId: known }, () => db.updateTable('dept').set(dept).where('id', '=', known).execute().catch(refuseTakenName))
    return { ...place, deptId: known }
  }
  const { id: deptId } = await db
    .insertInto('dept')
    .values({ ...dept, createTime: now })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(refuseTakenName)
  return { ...place, deptId }
}

/** Another department of the unit above has the name, and is not the person's project. */
function refuseTakenName(error: unknown): never {
  if (!violates(error, 'dept_sibling_name')) throw error
  throw new Refusal('dept_name_taken')
}

/** The unit above as it is once nobody else changes the tree: a project department may hang below it. */
async function lockedParent({ db }: Deed, { id, companyId }: { id: number; companyId: number }) {
  await lockTree(db, companyId)
  const parent = await findDept(db, id)
  if (!parent) throw new Refusal('certification_changed')
  // Moved since the application was handed in.
  if (!hasLevelBelow(parent.ancestors)) throw new Refusal('dept_too_deep')
  if (parent.status === enableStatus.disabled) throw new Refusal('dept_parent_off')
  const { lesseeAudit } = await db.selectFrom('company').where('id', '=', parent.companyId).select('lesseeAudit').executeTakeFirstOrThrow()
  // The applicant would pass and have no role (`roleOf`).
  if (isAmong(lesseeAudit, endedCertifications)) throw new Refusal('unit_ended')
  return parent
}

/**
 * The project department that the person had before, where it may stay theirs under this parent: they still work for it, and it hangs there already, or
 * its company stays the same and the reviewer is responsible for both places. Otherwise the applicant and the reviewer would take demands, contracts and
 * colleagues out of an organisation that was not asked.
 */
async function findOwnProject({ db, actor }: Deed, id: number, parent: { id: number; companyId: number }): Promise<number | undefined> {
  const before = await db
    .selectFrom('certification')
    .innerJoin('dept', 'dept.id', 'certification.deptId')
    .where('certification.id', '=', id)
    .where('dept.deptType', '=', deptType.project)
    .where('dept.delFlag', '=', delFlag.present)
    .where('dept.companyId', '=', parent.companyId)
    .where(worksFor(sql.ref('certification.account_id')))
    .where((eb) => eb.or([eb('dept.parentId', '=', parent.id), inScope('dept.id', actor)]))
    .select('dept.id')
    .executeTakeFirst()
  return before?.id
}

/** Whether the account works for a row of `dept`; an administrator may have moved it since its certification was passed. */
export const worksFor = (accountId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from ${deptsOfAccounts} w where w.account_id = ${accountId} and w.dept_id = dept.id)`

/** The certified unit above; where there is none, a company and its root are made from what was typed, uncertified. */
async function parentUnit(deed: Deed, form: z.output<typeof DeptForm>, parentDeptId: number | null) {
  const { db, now } = deed
  if (parentDeptId !== null) {
    const parent = await findDept(db, parentDeptId)
    if (!parent) throw new Refusal('certification_changed')
    return parent
  }
  const creditCode = form.parentCreditCode.replace(/\s/g, '').toUpperCase()
  const { id: companyId, lesseeAudit } = await db
    .insertInto('company')
    .values({
      enterpriseName: form.parentName,
      creditCode,
      isLessee: true,
      searchText: form.parentName,
      provinceId: form.provinceId,
      cityId: form.cityId,
      createTime: now,
    })
    .onConflict((conflict) => conflict.column('creditCode').doUpdateSet({ isLessee: true }))
    .returning(['id', 'lesseeAudit'])
    .executeTakeFirstOrThrow()
  // Certified at the very moment at which this was handed in, or by an import.
  if (lesseeAudit === certificationStatus.passed) throw new Refusal('unit_certified')
  const root = await findDept(db, await rootOf(deed, companyId, form.parentName))
  if (!root) throw new Refusal('certification_changed')
  return root
}

const findDept = (db: Tx, id: number) =>
  db
    .selectFrom('dept')
    .where('id', '=', id)
    .where('delFlag', '=', delFlag.present)
    .select(['id', 'companyId', 'ancestors', 'status'])
    .executeTakeFirst()
