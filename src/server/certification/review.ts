import type { z } from 'zod'
import type { DeptForm, LeaseForm, RentoutForm } from '#shared/certification/contract.ts'
import {
  certificationMoves,
  certificationStatus,
  signOf,
  type CertificationDocument,
  type CertificationKind,
} from '#shared/certification/rules.ts'
import { deptType } from '#shared/dept/rules.ts'
import { delFlag } from '#shared/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { audited } from '../audit/log.ts'
import type { Db, Read, Tx } from '../db/connect.ts'
import { Refusal } from '../http/refusal.ts'
import type { Hub } from '../message/hub.ts'
import { sendMessages } from '../message/queries.ts'
import { decidesFor, type Form } from './queries.ts'
import { restorePassed } from './submit.ts'

type Decided = {
  id: number
  accountId: number
  kind: CertificationKind
  form: Form
  name: string
  was: string
  parentDeptId: number | null
}

/** Locks the row for the one who may decide it. Not his, or none: 404; moved on or another version: 409. */
async function lock(tx: Tx, actor: Actor, id: number, from: readonly string[], version?: number): Promise<Decided> {
  const row = await tx
    .selectFrom('certification')
    .where('id', '=', id)
    .where(decidesFor(actor))
    .forUpdate()
    .select(['id', 'accountId', 'kind', 'status as was', 'version', 'name', 'parentDeptId', 'form'])
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  if (!from.includes(row.was) || (version !== undefined && row.version !== version)) throw new Refusal('certification_changed')
  return row
}

async function tell(
  tx: Tx,
  hub: Hub,
  accountIds: readonly number[],
  kind: 'certificationPassed' | 'certificationRejected' | 'certificationRevoked',
  about: { id: number; company: string; reason: string },
  now: Date,
): Promise<void> {
  await sendMessages(
    { db: tx, hub, now },
    {
      to: { accounts: accountIds },
      kind,
      params: { company: about.company, reason: about.reason },
      bizType: 'certification',
      bizId: about.id,
      link: '/personal/myapprove',
    },
  )
}

const insertEvent = (tx: Tx, certificationId: number, accountId: number, action: 'pass' | 'reject' | 'revoke', note: string, at: Date) =>
  tx.insertInto('certificationEvent').values({ certificationId, accountId, action, note, at }).execute()

/** Makes the company or the project department, gives the role, tells the person: at once or not at all. */
export function passCertification(db: Db, hub: Hub, actor: Actor, id: number, version: number, now: Date): Promise<void> {
  return db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'certification.pass', bizType: 'certification', id }, now, async () => {
      const found = await lock(tx, actor, id, certificationMoves.pass.from, version)
      await tx.updateTable('certificationDocument').set({ status: '1', reason: '' }).where('certificationId', '=', id).execute()
      const documents = await tx
        .selectFrom('certificationDocument')
        .where('certificationId', '=', id)
        .orderBy('id')
        .select(['kind', 'fileId', 'validTo'])
        .execute()
      const ends = [found.form.licenseValidTo, ...documents.map(({ validTo }) => validTo)].filter(
        (day): day is string => typeof day === 'string',
      )
      const validTo = found.kind === 'dept' ? null : (ends.toSorted()[0] ?? null)
      const place = found.kind === 'dept' ? await settleProject(tx, found, now) : await settleCompany(tx, found, validTo, now)
      const { certSign, userType } = signOf[found.kind]
      const name = String(found.form.contactName ?? found.form.applicantName ?? '')
      await tx
        .updateTable('account')
        .set((eb) => ({
          userType,
          certSign,
          auditStatus: '2',
          companyId: place.companyId,
          deptId: place.deptId,
          isAdmin: place.isAdmin,
          name: eb.case().when('name', '=', '').then(name).else(eb.ref('name')).end(),
          nickName: eb.case().when('nickName', '=', '').then(name).else(eb.ref('nickName')).end(),
        }))
        .where('id', '=', found.accountId)
        .execute()
      if (place.deptId !== null)
        await tx
          .insertInto('accountDept')
          .values({ accountId: found.accountId, deptId: place.deptId })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      await tx
        .updateTable('certification')
        .set((eb) => ({
          status: certificationMoves.pass.to,
          passedForm: JSON.stringify({ form: found.form, documents }),
          reason: '',
          fieldReasons: '[]',
          companyId: place.companyId,
          deptId: place.deptId,
          validTo,
          reviewedAt: now,
          updateTime: now,
          version: eb('version', '+', 1),
        }))
        .where('id', '=', id)
        .execute()
      await insertEvent(tx, id, actor.accountId, 'pass', '', now)
      await tell(tx, hub, [found.accountId], 'certificationPassed', { id, company: found.name, reason: '' }, now)
    }),
  )
}

type Place = { companyId: number; deptId: number | null; isAdmin: boolean }

async function settleCompany(tx: Tx, { form, kind, accountId }: Decided, validTo: string | null, now: Date): Promise<Place> {
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
  const { id: companyId } = await tx
    .insertInto('company')
    .values({ ...common, creditCode: values.creditCode, createTime: now })
    .onConflict((conflict) => conflict.column('creditCode').doUpdateSet(common))
    .returning('id')
    .executeTakeFirstOrThrow()
  // The first one is the administrator; who was one stays one.
  const others = await tx
    .selectFrom('account')
    .where('companyId', '=', companyId)
    .where('isAdmin', '=', true)
    .where('userType', '=', signOf[kind].userType)
    .where('delFlag', '=', '0')
    .where('id', '<>', accountId)
    .select('id')
    .executeTakeFirst()
  return { companyId, deptId: lessor ? null : await rootOf(tx, companyId, values.enterpriseName, now), isAdmin: !others }
}

async function rootOf(tx: Tx, companyId: number, deptName: string, now: Date): Promise<number> {
  const root = await tx
    .selectFrom('dept')
    .where('companyId', '=', companyId)
    .where('parentId', 'is', null)
    .where('delFlag', '=', '0')
    .orderBy('id')
    .select('id')
    .executeTakeFirst()
  if (root) return root.id
  const { id } = await tx
    .insertInto('dept')
    .values({ deptName: deptName.slice(0, 60), deptType: '1', companyId, createTime: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function settleProject(tx: Tx, { id, form, parentDeptId }: Decided, now: Date): Promise<Place> {
  const values = form as z.output<typeof DeptForm>
  const parent = await parentUnit(tx, values, parentDeptId, now)
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
  const { deptId: before } = await tx.selectFrom('certification').where('id', '=', id).select('deptId').executeTakeFirstOrThrow()
  const same = await tx
    .selectFrom('dept')
    .where('parentId', '=', parent.id)
    .where('deptName', '=', values.projectName)
    .where('deptType', '=', '3')
    .where('delFlag', '=', '0')
    .select('id')
    .executeTakeFirst()
  const known = before ?? same?.id
  // A colleague's project department of the same name under the same unit is the same one.
  const deptId = known
    ? (await tx.updateTable('dept').set(dept).where('id', '=', known).returning('id').executeTakeFirstOrThrow()).id
    : (
        await tx
          .insertInto('dept')
          .values({ ...dept, createTime: now })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
  return { companyId: parent.companyId, deptId, isAdmin: false }
}

/** The certified unit above; where there is none, a company and its root are made from what was typed, uncertified. */
async function parentUnit(tx: Tx, form: z.output<typeof DeptForm>, parentDeptId: number | null, now: Date) {
  const find = (id: number) =>
    tx.selectFrom('dept').where('id', '=', id).where('delFlag', '=', '0').select(['id', 'companyId', 'ancestors']).executeTakeFirst()
  if (parentDeptId !== null) {
    const parent = await find(parentDeptId)
    if (!parent) throw new Refusal('certification_changed')
    return parent
  }
  const creditCode = form.parentCreditCode.replace(/\s/g, '').toUpperCase()
  const { id: companyId } = await tx
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
  const root = await find(await rootOf(tx, companyId, form.parentName, now))
  if (!root) throw new Refusal('certification_changed')
  return root
}

/** Sends back what is named; the papers not named are accepted. A change goes back to what was passed. */
export function rejectCertification(
  db: Db,
  hub: Hub,
  actor: Actor,
  id: number,
  input: {
    version: number
    reason: string
    fields: { field: string; reason: string }[]
    documents: { kind: CertificationDocument; reason: string }[]
  },
  now: Date,
): Promise<void> {
  return db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'certification.reject', bizType: 'certification', id, reason: input.reason }, now, async () => {
      const found = await lock(tx, actor, id, [...certificationMoves.reject.from, ...certificationMoves.back.from], input.version)
      const note = [input.reason, ...input.fields.map(({ reason }) => reason), ...input.documents.map(({ reason }) => reason)]
        .filter(Boolean)
        .join('; ')
        .slice(0, 500)
      if (found.was === '5') await restorePassed(tx, id, note, now)
      else {
        await tx.updateTable('certificationDocument').set({ status: '1', reason: '' }).where('certificationId', '=', id).execute()
        for (const { kind, reason } of input.documents)
          await tx
            .updateTable('certificationDocument')
            .set({ status: '2', reason })
            .where('certificationId', '=', id)
            .where('kind', '=', kind)
            .execute()
        await tx
          .updateTable('certification')
          .set((eb) => ({
            status: certificationMoves.reject.to,
            reason: input.reason,
            fieldReasons: JSON.stringify(input.fields),
            reviewedAt: now,
            updateTime: now,
            version: eb('version', '+', 1),
          }))
          .where('id', '=', id)
          .execute()
        await tx.updateTable('account').set({ auditStatus: '3' }).where('id', '=', found.accountId).execute()
      }
      await insertEvent(tx, id, actor.accountId, 'reject', note, now)
      await tell(tx, hub, [found.accountId], 'certificationRejected', { id, company: found.name, reason: note }, now)
    }),
  )
}

/** Ends what was passed: everybody of the company loses the role, its machines leave the shelf. */
export function revokeCertification(db: Db, hub: Hub, actor: Actor, id: number, reason: string, now: Date): Promise<void> {
  return db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'certification.revoke', bizType: 'certification', id, reason }, now, async () => {
      const found = await lock(tx, actor, id, certificationMoves.revoke.from)
      await tx
        .updateTable('certification')
        .set((eb) => ({ status: certificationMoves.revoke.to, reason, reviewedAt: now, updateTime: now, version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .execute()
      await insertEvent(tx, id, actor.accountId, 'revoke', reason, now)
      const people = await endRole(tx, found, '6')
      await tell(tx, hub, people, 'certificationRevoked', { id, company: found.name, reason }, now)
    }),
  )
}

/** The role ends for the whole company, or of a project department for its person only. Whom it concerns. */
export async function endRole(
  tx: Read,
  { accountId, kind }: Pick<Decided, 'accountId' | 'kind'>,
  auditStatus: '4' | '6',
): Promise<number[]> {
  const { companyId } = await tx.selectFrom('account').where('id', '=', accountId).select('companyId').executeTakeFirstOrThrow()
  if (kind === 'dept' || companyId === null) {
    await tx.updateTable('account').set({ auditStatus }).where('id', '=', accountId).execute()
    return [accountId]
  }
  const lessor = kind === 'rentout'
  await tx
    .updateTable('company')
    .set(lessor ? { lessorAudit: auditStatus } : { lesseeAudit: auditStatus })
    .where('id', '=', companyId)
    .execute()
  if (lessor)
    await tx.updateTable('equipment').set({ shelfStatus: '0' }).where('companyId', '=', companyId).where('shelfStatus', '=', '1').execute()
  const people = await tx
    .updateTable('account')
    .set({ auditStatus })
    .where('userType', '=', signOf[kind].userType)
    .where('companyId', '=', companyId)
    .where('delFlag', '=', '0')
    .returning('id')
    .execute()
  return people.map(({ id }) => id)
}
