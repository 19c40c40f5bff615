import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { dayOf } from '#shared/calendar.ts'
import {
  documentsOf,
  signOf,
  type CertificationDocument,
  type CertificationKind,
  type CertificationStatus,
} from '#shared/certification/rules.ts'
import { hashPassword } from '#server/actor/hash.ts'
import type { Services } from '#server/services.ts'
import { demoPassword } from './cast.ts'
import { cities, fictionalCode, phone } from './people.ts'

type Paper = { kind: CertificationDocument; validTo?: string; status?: '0' | '1' | '2'; reason?: string }
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
}

/** A drawn document with frame, lines and a seal, so that the review has something to show. */
export async function drawnPaper(hue: number, wide: boolean): Promise<{ full: Buffer; thumb: Buffer }> {
  const [width, height] = wide ? [960, 610] : [700, 960]
  const lines = Array.from({ length: wide ? 6 : 11 }, (_, index) => {
    const y = (wide ? 150 : 190) + index * 62
    return `<rect x="90" y="${y}" width="120" height="16" rx="4" fill="#9fb0cc"/><rect x="240" y="${y}" width="${width - 360 - ((index * 83) % 190)}" height="16" rx="4" fill="#d5deec"/>`
  }).join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="hsl(${hue},38%,97%)"/>
    <rect x="28" y="28" width="${width - 56}" height="${height - 56}" fill="none" stroke="hsl(${hue},45%,62%)" stroke-width="6"/>
    <rect x="42" y="42" width="${width - 84}" height="${height - 84}" fill="none" stroke="hsl(${hue},45%,72%)" stroke-width="2"/>
    <rect x="${width / 2 - 150}" y="82" width="300" height="34" rx="6" fill="hsl(${hue},40%,45%)"/>${lines}
    <g fill="none" stroke="#d03a35" opacity=".82"><circle cx="${width - 170}" cy="${height - 170}" r="84" stroke-width="8"/></g>
    <path d="M${width - 170} ${height - 208}l10 28h30l-24 18 9 29-25-18-25 18 9-29-24-18h30z" fill="#d03a35" opacity=".82"/></svg>`
  const image = sharp(Buffer.from(svg))
  return {
    full: await image.clone().png().toBuffer(),
    thumb: await image.clone().resize(480, 360, { fit: 'cover' }).webp({ quality: 78 }).toBuffer(),
  }
}

/** Approved certifications, and a few that wait, so that the review and the personal pages are not empty. */
export async function seedCertifications({ db, storage, clock }: Services): Promise<void> {
  const now = clock.now()
  const at = (daysAgo: number) => new Date(now.getTime() - daysAgo * 86_400_000)
  const day = (inDays: number) => dayOf(at(-inDays))
  const tall = await Promise.all([210, 30, 150].map((hue) => drawnPaper(hue, false)))
  const card = await drawnPaper(190, true)

  const add = async (given: Given) => {
    const { id } = await db
      .insertInto('certification')
      .values({
        accountId: given.accountId,
        kind: given.kind,
        status: given.status,
        form: JSON.stringify(given.form),
        passedForm: given.status === '2' ? JSON.stringify({ form: given.form, documents: [] }) : null,
        fieldReasons: JSON.stringify(given.fieldReasons ?? []),
        name: String(given.form.enterpriseName ?? given.form.projectName),
        companyId: given.companyId ?? null,
        deptId: given.deptId ?? null,
        parentDeptId: given.parentDeptId ?? null,
        validTo: given.validTo ?? null,
        submittedAt: at(given.daysAgo),
        reviewedAt: ['2', '3'].includes(given.status) ? at(given.daysAgo - 0.4) : null,
        createTime: at(given.daysAgo + 1),
        updateTime: at(given.daysAgo),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const documents: { kind: string; fileId: string; validTo: string | null }[] = []
    for (const [index, paper] of given.papers.entries()) {
      const wide = ['legalIdFront', 'legalIdBack', 'agentId'].includes(paper.kind)
      const { full, thumb } = wide ? card : (tall[index % tall.length] as (typeof tall)[number])
      const { id: fileId } = await db
        .insertInto('file')
        .values({
          name: `${paper.kind}.png`,
          size: full.length,
          mime: 'image/png',
          sha256: createHash('sha256').update(full).digest(),
          purpose: 'certification',
          accountId: given.accountId,
          companyId: given.companyId ?? null,
          hasThumbnail: true,
          createTime: at(given.daysAgo),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await storage.put(fileId, full)
      await storage.put(`${fileId}-thumb`, thumb)
      documents.push({ kind: paper.kind, fileId, validTo: paper.validTo ?? null })
      await db
        .insertInto('certificationDocument')
        .values({
          certificationId: id,
          kind: paper.kind,
          fileId,
          validTo: paper.validTo ?? null,
          status: paper.status ?? (given.status === '2' ? '1' : '0'),
          reason: paper.reason ?? '',
        })
        .execute()
    }
    if (given.status === '2')
      await db
        .updateTable('certification')
        .set({ passedForm: JSON.stringify({ form: given.form, documents }) })
        .where('id', '=', id)
        .execute()
    const events = [
      { action: 'submit' as const, accountId: given.accountId, at: at(given.daysAgo) },
      ...(given.status === '2' ? [{ action: 'pass' as const, accountId: null, at: at(given.daysAgo - 0.4) }] : []),
      ...(given.status === '3'
        ? [{ action: 'reject' as const, accountId: null, at: at(given.daysAgo - 0.4), note: given.fieldReasons?.[0]?.reason ?? '' }]
        : []),
    ]
    await db
      .insertInto('certificationEvent')
      .values(events.map((event) => ({ certificationId: id, ...event })))
      .execute()
  }

  const all = (kind: CertificationKind, more: Partial<Record<CertificationDocument, string>> = {}): Paper[] =>
    documentsOf[kind]
      .filter((one) => !['authorization', 'agentId', 'winningNotice'].includes(one) || kind === 'lease')
      .map((one) => ({ kind: one, ...(more[one] && { validTo: more[one] }) }))

  await passed()
  await waiting()

  async function passed() {
    const people = await db
      .selectFrom('account')
      .where('userName', 'in', ['lessor', 'lessor2', 'lessee', 'project'])
      .select(['id', 'userName', 'companyId', 'deptId'])
      .execute()
    for (const person of people) {
      const company = await db.selectFrom('company').where('id', '=', person.companyId).selectAll().executeTakeFirstOrThrow()
      const common = companyForm(company)
      if (person.userName === 'lessee')
        await add({
          ...person,
          accountId: person.id,
          kind: 'lease',
          status: '2',
          form: { ...common, ...leaseMore },
          papers: all('lease'),
          daysAgo: 400,
        })
      else if (person.userName === 'project') {
        const dept = await db.selectFrom('dept').where('id', '=', person.deptId).selectAll().executeTakeFirstOrThrow()
        await add({
          ...person,
          accountId: person.id,
          kind: 'dept',
          status: '2',
          parentDeptId: dept.parentId,
          form: {
            parentDeptId: dept.parentId,
            parentName: '',
            parentCreditCode: '',
            projectName: dept.deptName,
            projectShortName: dept.projectName,
            projectType: dept.projectType,
            contractAmount: 186_000,
            startDate: day(-500),
            plannedEndDate: day(600),
            provinceId: dept.provinceId,
            cityId: dept.cityId,
            districtId: dept.districtId,
            address: dept.address,
            lowEmissionZone: dept.lowEmissionZone,
            applicantName: '王样本',
            manager: dept.leader,
            managerPhone: dept.phone,
          },
          papers: all('dept'),
          daysAgo: 380,
        })
      } else {
        const validTo = person.userName === 'lessor' ? day(58) : day(320)
        await add({
          ...person,
          accountId: person.id,
          kind: 'rentout',
          status: '2',
          validTo,
          form: {
            ...common,
            mainCategories: company.mainCategories,
            serviceRegions: [company.provinceId],
            fleetSize: 24,
            insured: true,
            ownErection: true,
          },
          papers: all('rentout', { safetyPermit: validTo, erectionQualification: day(700) }),
          daysAgo: 390,
        })
        await db
          .updateTable('company')
          .set({ lessorValidTo: validTo, serviceRegions: [company.provinceId ?? 0] })
          .where('id', '=', company.id)
          .execute()
      }
    }
  }

  async function waiting() {
    const passwordHash = await hashPassword(demoPassword)
    const unit = await db
      .selectFrom('dept')
      .where('deptType', '=', '2')
      .where('delFlag', '=', '0')
      .orderBy('id')
      .select('id')
      .executeTakeFirstOrThrow()
    const applicants: { name: string; kind: CertificationKind; status: '1' | '3'; city: number; title: string }[] = [
      { name: '孙演示', kind: 'rentout', status: '1', city: 0, title: '成都泰衡机械租赁有限公司' },
      { name: '周测试', kind: 'rentout', status: '1', city: 3, title: '武汉盛拓起重设备安装有限公司' },
      { name: '钱样本', kind: 'lease', status: '1', city: 1, title: '湘江路桥建设有限公司' },
      { name: '吴示例', kind: 'dept', status: '1', city: 0, title: '蓉江新区地下管廊项目经理部' },
      { name: '郑测试', kind: 'rentout', status: '3', city: 4, title: '广州腾垚高空设备租赁有限公司' },
    ]
    for (const [index, { name, kind, status, city: cityIndex, title }] of applicants.entries()) {
      const city = cities[cityIndex] as (typeof cities)[number]
      const { id: accountId } = await db
        .insertInto('account')
        .values({
          userName: `applicant${index + 1}`,
          phonenumber: phone(7001 + index),
          passwordHash,
          certSign: signOf[kind].certSign,
          auditStatus: status,
          createTime: at(6 - index),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const place = {
        provinceId: city.provinceId,
        cityId: city.cityId,
        districtId: city.districtId,
        address: `${city.name}市示范路 ${index + 8} 号`,
      }
      const company = {
        enterpriseName: title,
        creditCode: fictionalCode(city.districtId, 9000 + index),
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
        kind === 'rentout' ? all('rentout', { safetyPermit: day(260 - index * 60), erectionQualification: day(900) }) : all(kind)
      await add({
        accountId,
        kind,
        status,
        daysAgo: 2 - index * 0.3,
        form:
          kind === 'rentout'
            ? {
                ...company,
                mainCategories: [106, 201],
                serviceRegions: [city.provinceId],
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
                  startDate: day(-60),
                  plannedEndDate: day(640),
                  ...place,
                  lowEmissionZone: true,
                  applicantName: name,
                  manager: '赵演示',
                  managerPhone: phone(7201),
                },
        papers: status === '3' ? papers.map((paper) => sentBack(paper)) : papers,
        ...(kind === 'dept' && { parentDeptId: unit.id }),
        ...(status === '3' && { fieldReasons: [{ field: 'address', reason: '地址与营业执照不一致' }] }),
      })
    }
  }
}

const sentBack = (paper: Paper): Paper =>
  paper.kind === 'legalIdBack' ? { ...paper, status: '2', reason: '照片不清晰' } : { ...paper, status: '1' }

const leaseMore = { groupName: '华拓建设集团', parentCompany: '', invoiceBank: '', invoiceAccount: '', invoicePhone: '' }

type Company = {
  enterpriseName: string
  creditCode: string
  entityType: string
  scaleType: string | null
  taxpayerType: string
  legalPerson: string
  establishedOn: string | null
  provinceId: number | null
  cityId: number | null
  districtId: number | null
  address: string
  contactName: string
  contactPhone: string
}

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
