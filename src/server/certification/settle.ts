import type { z } from 'zod'
import type { DeptForm, LeaseForm, RentoutForm } from '#shared/certification/contract.ts'
import { certificationStatus, signOf, type CertificationKind } from '#shared/certification/rules.ts'
import { deptType } from '#shared/dept/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { inScope } from '../actor/scope.ts'
import type { Tx } from '../db/connect.ts'
import type { Deed } from '../deed.ts'
import { insertRoot } from '../dept/root.ts'
import { Refusal } from '../http/refusal.ts'
import type { Form } from './queries.ts'

/** A certification that passes: the form, and the unit above that the applicant chose. */
export type Passing = {
  id: number
  accountId: number
  kind: CertificationKind
  form: Form
  parentDeptId: number | null
  /** The last day on which all its papers are valid. */
  validTo: string | null
}

export type Place = { companyId: number; deptId: number | null; isAdmin: boolean }

/** Makes or updates the company or the project department that the form describes, and gives the place of its person there. */
export const settle = (deed: Deed, passing: Passing): Promise<Place> =>
  passing.kind === 'dept' ? settleProject(deed, passing) : settleCompany(deed, { ...passing, kind: passing.kind })

async function settleCompany(deed: Deed, { form, kind, accountId, validTo }: Passing & { kind: 'rentout' | 'lease' }): Promise<Place> {
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
          lessorValidTo: validTo,
          mainCategories: values.mainCategories,
          serviceRegions: values.serviceRegions,
        }
      : { isLessee: true, lesseeAudit: certificationStatus.passed, groupName: values.groupName }),
  }
  const { id: companyId } = await db
    .insertInto('company')
    .values({ ...common, creditCode: values.creditCode, createTime: now })
    .onConflict((conflict) => conflict.column('creditCode').doUpdateSet(common))
    .returning('id')
    .executeTakeFirstOrThrow()
  // The first person is the administrator; an administrator stays one.
  const others = await db
    .selectFrom('account')
    .where('companyId', '=', companyId)
    .where('isAdmin', '=', true)
    .where('userType', '=', signOf[kind].userType)
    .where('delFlag', '=', delFlag.present)
    .where('id', '<>', accountId)
    .select('id')
    .executeTakeFirst()
  return { companyId, deptId: lessor ? null : await rootOf(deed, companyId, values.enterpriseName), isAdmin: !others }
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
  const parent = await parentUnit(deed, values, parentDeptId)
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
  const known = (await findOwnProject(deed, id, parent)) ?? same?.id
  // A colleague's project department of the same name under the same unit is the same one.
  const deptId = known
    ? (await db.updateTable('dept').set(dept).where('id', '=', known).returning('id').executeTakeFirstOrThrow()).id
    : (
        await db
          .insertInto('dept')
          .values({ ...dept, createTime: now })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
  return { companyId: parent.companyId, deptId, isAdmin: false }
}

/**
 * The project department that the person had before, where it may stay theirs under this parent: it hangs there already, or its company stays the
 * same and the reviewer is responsible for both places. Otherwise the applicant and the reviewer would take demands, contracts and colleagues out of
 * an organisation that was not asked.
 */
async function findOwnProject({ db, actor }: Deed, id: number, parent: { id: number; companyId: number }): Promise<number | undefined> {
  const before = await db
    .selectFrom('certification')
    .innerJoin('dept', 'dept.id', 'certification.deptId')
    .where('certification.id', '=', id)
    .where('dept.deptType', '=', deptType.project)
    .where('dept.delFlag', '=', delFlag.present)
    .where('dept.companyId', '=', parent.companyId)
    .where((eb) => eb.or([eb('dept.parentId', '=', parent.id), inScope('dept.id', actor)]))
    .select('dept.id')
    .executeTakeFirst()
  return before?.id
}

/** The certified unit above; where there is none, a company and its root are made from what was typed, uncertified. */
async function parentUnit(deed: Deed, form: z.output<typeof DeptForm>, parentDeptId: number | null) {
  const { db, now } = deed
  if (parentDeptId !== null) {
    const parent = await findDept(db, parentDeptId)
    if (!parent) throw new Refusal('certification_changed')
    return parent
  }
  const creditCode = form.parentCreditCode.replace(/\s/g, '').toUpperCase()
  const { id: companyId } = await db
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
    .returning('id')
    .executeTakeFirstOrThrow()
  const root = await findDept(db, await rootOf(deed, companyId, form.parentName))
  if (!root) throw new Refusal('certification_changed')
  return root
}

const findDept = (db: Tx, id: number) =>
  db
    .selectFrom('dept')
    .where('id', '=', id)
    .where('delFlag', '=', delFlag.present)
    .select(['id', 'companyId', 'ancestors'])
    .executeTakeFirst()
