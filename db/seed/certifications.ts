import { sql } from 'kysely'
import { dayMs, dayOf } from '#shared/calendar.ts'
import {
  certificationStatus,
  documentsOf,
  paperStatus,
  signOf,
  type CertificationDocument,
  type CertificationKind,
  type CertificationStatus,
  type PaperStatus,
} from '#shared/certification/rules.ts'
import { deptType } from '#shared/dept/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { hashPassword } from '#server/actor/hash.ts'
import type { Services } from '#server/services.ts'
import { demoPassword } from './cast.ts'
import { storeFiles } from './files.ts'
import { cities, type City } from './lessors.ts'
import { fictionalCode, phone } from './people.ts'
import { drawnPaper, type Picture } from './pictures.ts'
import { since } from './timeline.ts'

const { inReview, passed, rejected, expired } = certificationStatus

type Paper = { kind: CertificationDocument; validTo?: string; status?: PaperStatus; reason?: string }
type Given = {
  accountId: number
  kind: CertificationKind
  status: CertificationStatus
  form: Record<string, unknown>
  papers: Paper[]
  daysAgo: number
  companyId?: number | null
  deptId?: number | null
  parentDeptId?: number | null
  validTo?: string | null
  fieldReasons?: { field: string; reason: string }[]
  /** It was passed once, so many days ago, and has ended since. */
  passedBefore?: number
}

/** The certification of everybody who is certified, of those whose own has ended, and of a few applicants. */
export async function seedCertifications(services: Services): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  const given = [...(await ofLessees(services, now)), ...(await ofLessors(services, now)), ...(await ofProjects(services, now))]
  given.push(...(await ofApplicants(services, now)))
  // Numbered by the day of their submission.
  const inOrder = given.toSorted((a, b) => b.daysAgo - a.daysAgo)
  await insertCertifications(services, inOrder, now)
  await sql`update company c set lessor_valid_to = g.valid_to from certification g where g.company_id = c.id and g.kind = 'rentout' and g.status = ${passed}`.execute(
    db,
  )
}

const dayIn = (now: Date, inDays: number) => dayOf(since(now, -inDays))

async function insertCertifications(services: Services, given: readonly Given[], now: Date): Promise<void> {
  const { db } = services
  const tall = await Promise.all([210, 30, 150].map((hue) => drawnPaper(hue, false)))
  const card = await drawnPaper(190, true)
  const papers = given.flatMap((one, at) => one.papers.map((paper, index) => ({ one, at, paper, index })))
  const files = await storeFiles(
    services,
    papers.map(({ one, paper, index }) => ({
      name: `${paper.kind}.png`,
      purpose: 'certification',
      accountId: one.accountId,
      companyId: one.companyId ?? null,
      createTime: since(now, one.daysAgo),
      picture: ['legalIdFront', 'legalIdBack', 'agentId'].includes(paper.kind) ? card : (tall[index % tall.length] as Picture),
    })),
  )
  const stored = papers.map((paper, index) => ({ ...paper, fileId: files[index] ?? '' }))
  const ids = await db
    .insertInto('certification')
    .values(
      given.map((one, at) => {
        const documents = stored
          .filter((paper) => paper.at === at)
          .map(({ paper, fileId }) => ({ kind: paper.kind, fileId, validTo: paper.validTo ?? null }))
        return {
          accountId: one.accountId,
          kind: one.kind,
          status: one.status,
          form: JSON.stringify(one.form),
          passedForm: one.status === passed ? JSON.stringify({ form: one.form, documents }) : null,
          fieldReasons: JSON.stringify(one.fieldReasons ?? []),
          name: String(one.form.enterpriseName ?? one.form.projectName),
          companyId: one.companyId ?? null,
          deptId: one.deptId ?? null,
          parentDeptId: one.parentDeptId ?? null,
          validTo: one.validTo ?? null,
          submittedAt: since(now, one.daysAgo),
          reviewedAt: one.status === passed || one.status === rejected ? since(now, one.daysAgo - 0.4) : null,
          createTime: since(now, (one.passedBefore ?? one.daysAgo) + 1),
          updateTime: since(now, one.daysAgo),
        }
      }),
    )
    .returning(['id', 'accountId'])
    .execute()
  const idOf = new Map(ids.map(({ id, accountId }) => [accountId, id]))
  await db
    .insertInto('certificationDocument')
    .values(
      stored.map(({ one, paper, fileId }) => ({
        certificationId: idOf.get(one.accountId) ?? 0,
        kind: paper.kind,
        fileId,
        validTo: paper.validTo ?? null,
        status: paper.status ?? (one.status === passed ? paperStatus.passed : paperStatus.waiting),
        reason: paper.reason ?? '',
      })),
    )
    .execute()
  const { id: operator } = await db.selectFrom('account').where('userName', '=', 'operator').select('id').executeTakeFirstOrThrow()
  const events = given.flatMap((one) =>
    eventsOf(one, operator).map(({ daysAgo, ...event }) => ({
      certificationId: idOf.get(one.accountId) ?? 0,
      at: since(now, daysAgo),
      ...event,
    })),
  )
  await db
    .insertInto('certificationEvent')
    .values(events.toSorted((a, b) => a.at.getTime() - b.at.getTime()))
    .execute()
}

type Event = { action: 'submit' | 'pass' | 'reject' | 'expire'; accountId: number | null; daysAgo: number; note?: string }

function eventsOf({ accountId, daysAgo, passedBefore, status, fieldReasons }: Given, operator: number): Event[] {
  const before: Event[] =
    passedBefore === undefined
      ? []
      : [
          { action: 'submit', accountId, daysAgo: passedBefore },
          { action: 'pass', accountId: operator, daysAgo: passedBefore - 0.4 },
          { action: 'expire', accountId: null, daysAgo: status === expired ? daysAgo : daysAgo + 6 },
        ]
  if (status === expired) return before
  const submitted: Event[] = [...before, { action: 'submit', accountId, daysAgo }]
  if (status === passed) return [...submitted, { action: 'pass', accountId: operator, daysAgo: daysAgo - 0.4 }]
  if (status === rejected)
    return [...submitted, { action: 'reject', accountId: operator, daysAgo: daysAgo - 0.4, note: fieldReasons?.[0]?.reason ?? '' }]
  return submitted
}

const papersFor = (kind: CertificationKind, more: Partial<Record<CertificationDocument, string>> = {}): Paper[] =>
  documentsOf[kind]
    .filter((one) => !['authorization', 'agentId', 'winningNotice'].includes(one) || kind === 'lease')
    .map((one) => ({ kind: one, ...(more[one] && { validTo: more[one] }) }))

async function ofLessees({ db }: Services, _now: Date): Promise<Given[]> {
  const account = await db
    .selectFrom('account')
    .where('userName', '=', 'lessee')
    .select(['id', 'companyId', 'deptId'])
    .executeTakeFirstOrThrow()
  const company = await db.selectFrom('company').where('id', '=', account.companyId).selectAll().executeTakeFirstOrThrow()
  const form = { ...companyForm(company), ...leaseMore }
  return [
    {
      accountId: account.id,
      companyId: account.companyId,
      deptId: account.deptId,
      kind: 'lease',
      status: passed,
      form,
      papers: papersFor('lease'),
      daysAgo: 429,
    },
  ]
}

/** Each lessor as its company stands: in force, in review again, sent back or ended. */
async function ofLessors({ db }: Services, now: Date): Promise<Given[]> {
  const companies = await db
    .selectFrom('company')
    .innerJoin('account', 'account.companyId', 'company.id')
    .where('account.driverOnly', '=', false)
    .where('company.isLessor', '=', true)
    .orderBy('company.id')
    .selectAll('company')
    .select([
      'account.id as accountId',
      'account.userName',
      sql<number>`(select count(*)::int from equipment e where e.company_id = company.id)`.as('fleet'),
    ])
    .execute()
  return companies.map(({ accountId, userName, fleet, ...company }, index) => {
    const status = company.lessorAudit as CertificationStatus
    const joined = (now.getTime() - new Date(company.createTime).getTime()) / dayMs
    const validTo = userName === 'lessor' ? dayIn(now, 58) : (company.lessorValidTo ?? dayIn(now, 320))
    const submittedAgain: Partial<Record<CertificationStatus, number>> = {
      [inReview]: 1.6 + index / 60,
      [rejected]: 4 + index / 60,
      [expired]: 20,
    }
    const again = submittedAgain[status]
    return {
      accountId,
      companyId: company.id,
      kind: 'rentout',
      status,
      validTo: status === passed || status === expired ? validTo : null,
      form: {
        ...companyForm(company),
        mainCategories: company.mainCategories,
        serviceRegions: [company.provinceId],
        fleetSize: Math.max(fleet, 6),
        insured: true,
        ownErection: company.mainCategories.some((id) => id === 201 || id === 208),
      },
      papers: papersFor('rentout', { safetyPermit: validTo, erectionQualification: dayIn(now, 700) }),
      daysAgo: again ?? joined,
      ...(again !== undefined && { passedBefore: joined }),
      ...(status === rejected && { fieldReasons: [{ field: 'licenseValidTo', reason: '营业执照照片与所填有效期不一致' }] }),
    }
  })
}

/** Each project department below its unit. */
async function ofProjects({ db }: Services, now: Date): Promise<Given[]> {
  const projects = await db
    .selectFrom('dept')
    .innerJoin('account', 'account.deptId', 'dept.id')
    .where('dept.deptType', '=', deptType.project)
    .where('account.userName', 'like', 'project%')
    .orderBy('dept.id')
    .selectAll('dept')
    .select(['account.id as accountId', 'account.name as applicant'])
    .execute()
  return projects.map(({ accountId, applicant, ...dept }, index) => ({
    accountId,
    companyId: dept.companyId,
    deptId: dept.id,
    parentDeptId: dept.parentId,
    kind: 'dept',
    status: passed,
    form: {
      parentDeptId: dept.parentId,
      parentName: '',
      parentCreditCode: '',
      projectName: dept.deptName,
      projectShortName: dept.projectName,
      projectType: dept.projectType,
      contractAmount: 18_000 + ((index * 7919) % 90) * 2000,
      startDate: dayIn(now, -430 - index * 3),
      plannedEndDate: dayIn(now, 400 + index * 11),
      provinceId: dept.provinceId,
      cityId: dept.cityId,
      districtId: dept.districtId,
      address: dept.address,
      lowEmissionZone: dept.lowEmissionZone,
      applicantName: applicant,
      manager: dept.leader,
      managerPhone: dept.phone,
    },
    papers: papersFor('dept'),
    daysAgo: 418 - index * 0.2,
  }))
}

async function ofApplicants({ db }: Services, now: Date): Promise<Given[]> {
  const given: Given[] = []
  const passwordHash = await hashPassword(demoPassword)
  const unit = await db
    .selectFrom('dept')
    .where('deptType', '=', deptType.unit)
    .where('delFlag', '=', delFlag.present)
    .orderBy('id')
    .select('id')
    .executeTakeFirstOrThrow()
  const applicants: { name: string; kind: CertificationKind; status: typeof inReview | typeof rejected; city: number; title: string }[] = [
    { name: '孙演示', kind: 'rentout', status: inReview, city: 0, title: '成都泰衡机械租赁有限公司' },
    { name: '周测试', kind: 'rentout', status: inReview, city: 3, title: '武汉盛拓起重设备安装有限公司' },
    { name: '钱样本', kind: 'lease', status: inReview, city: 1, title: '湘江路桥建设有限公司' },
    { name: '吴示例', kind: 'dept', status: inReview, city: 0, title: '蓉江新区地下管廊项目经理部' },
    { name: '郑测试', kind: 'rentout', status: rejected, city: 4, title: '广州腾垚高空设备租赁有限公司' },
  ]
  for (const [index, { name, kind, status, city: cityIndex, title }] of applicants.entries()) {
    const { provinceId, cityId, districtId, district } = cities[cityIndex] as City
    const { id: accountId } = await db
      .insertInto('account')
      .values({
        userName: `applicant${index + 1}`,
        phonenumber: phone(7001 + index),
        passwordHash,
        certSign: signOf[kind].certSign,
        auditStatus: status,
        createTime: since(now, 6 - index),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const place = { provinceId, cityId, districtId, address: `${district}示范路 ${index + 8} 号` }
    const company = {
      enterpriseName: title,
      creditCode: fictionalCode(districtId, 9000 + index),
      entityType: '1',
      scaleType: 'small',
      taxpayerType: 'general',
      legalPerson: name,
      legalPersonPhone: phone(7101 + index),
      regCapital: 800,
      establishDate: '2016-05-18',
      licenseValidTo: null,
      ...place,
      businessScope: '建筑工程机械与设备租赁；起重设备安装；机械设备维修',
      contactName: name,
      contactPhone: phone(7101 + index),
    }
    const papers =
      kind === 'rentout'
        ? papersFor('rentout', { safetyPermit: dayIn(now, 260 - index * 60), erectionQualification: dayIn(now, 900) })
        : papersFor(kind)
    given.push({
      accountId,
      kind,
      status,
      daysAgo: 2 - index * 0.3,
      form:
        kind === 'rentout'
          ? {
              ...company,
              mainCategories: [106, 201],
              serviceRegions: [provinceId],
              fleetSize: 8 + index * 5,
              insured: true,
              ownErection: index === 1,
            }
          : kind === 'lease'
            ? { ...company, ...leaseMore }
            : {
                parentDeptId: unit.id,
                parentName: '',
                parentCreditCode: '',
                projectName: title,
                projectShortName: '蓉江管廊',
                projectType: 'municipal',
                contractAmount: 42_000,
                startDate: dayIn(now, -60),
                plannedEndDate: dayIn(now, 640),
                ...place,
                lowEmissionZone: true,
                applicantName: name,
                manager: '赵演示',
                managerPhone: phone(7201),
              },
      papers: status === rejected ? papers.map((paper) => sentBack(paper)) : papers,
      ...(kind === 'dept' && { parentDeptId: unit.id }),
      ...(status === rejected && { fieldReasons: [{ field: 'address', reason: '地址与营业执照不一致' }] }),
    })
  }
  return given
}

const sentBack = (paper: Paper): Paper =>
  paper.kind === 'legalIdBack' ? { ...paper, status: paperStatus.rejected, reason: '照片不清晰' } : { ...paper, status: paperStatus.passed }

const leaseMore = { groupName: '华拓建设集团', parentCompany: '', invoiceBank: '', invoiceAccount: '', invoicePhone: '' }

type CompanyText =
  | 'enterpriseName'
  | 'creditCode'
  | 'entityType'
  | 'taxpayerType'
  | 'legalPerson'
  | 'address'
  | 'contactName'
  | 'contactPhone'
type CompanyPlace = 'provinceId' | 'cityId' | 'districtId'
type Company = Record<CompanyText, string> & Record<'scaleType' | 'establishedOn', string | null> & Record<CompanyPlace, number | null>

function companyForm(company: Company): Record<string, unknown> {
  return {
    enterpriseName: company.enterpriseName,
    creditCode: company.creditCode,
    entityType: company.entityType,
    scaleType: company.scaleType ?? 'medium',
    taxpayerType: company.taxpayerType,
    legalPerson: company.legalPerson || '陈样本',
    legalPersonPhone: company.contactPhone,
    regCapital: 2000,
    establishDate: company.establishedOn,
    licenseValidTo: null,
    provinceId: company.provinceId,
    cityId: company.cityId,
    districtId: company.districtId,
    address: company.address || '示范大道 18 号',
    businessScope: '建筑工程机械与设备租赁；机械设备维修；普通货运',
    contactName: company.contactName,
    contactPhone: company.contactPhone,
  }
}
