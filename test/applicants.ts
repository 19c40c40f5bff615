import { getUserInfo } from '#shared/account/contract.ts'
import * as contract from '#shared/certification/contract.ts'
import type { CertificationDocument } from '#shared/certification/rules.ts'
import { creditCodeCheck } from '#shared/company/rules.ts'
import { insertSession } from '#server/account/sessions.ts'
import { monday, type Person, type World } from './world.ts'

export const idCard: CertificationDocument[] = ['license', 'legalIdFront', 'legalIdBack']

/** Applicants for a certification, the forms they submit, and what they and the reviewers see. */
export function applicants({ db, caller, depts, services }: World) {
  let people = 0
  /** A new account with a long session. */
  async function newcomer(): Promise<Person> {
    people++
    const { id } = await db
      .insertInto('account')
      .values({
        userName: `new${people}`,
        phonenumber: `1445550${String(people).padStart(4, '0')}`,
        passwordHash: 'none',
        createTime: monday,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const token = await insertSession({ db, now: new Date(monday.getTime() + 400 * 86_400_000), address: '', agent: '' }, { accountId: id })
    return { id, token, companyId: 0, deptId: 0, call: caller(token) }
  }

  const codeOf = (n: number) => {
    const body = `91510107DEM${String(n).padStart(5, '0')}7`
    return body + creditCodeCheck(body)
  }

  const company = (n: number, more: object = {}) => ({
    enterpriseName: `成都试验机械租赁有限公司${n}`,
    creditCode: codeOf(n),
    entityType: '1',
    scaleType: 'small',
    taxpayerType: 'general',
    legalPerson: '张样本',
    legalPersonPhone: '14400001111',
    regCapital: '500',
    establishDate: '2015-03-01',
    licenseValidTo: '',
    provinceId: 510_000,
    cityId: 510_100,
    districtId: 510_107,
    address: '武侯区试验路 1 号',
    businessScope: '建筑工程机械与设备租赁',
    contactName: '李样本',
    contactPhone: '028-85001111',
    ...more,
  })
  const rentout = (n: number, more: object = {}) => ({
    ...company(n),
    mainCategories: [106],
    serviceRegions: [510_000, 520_000],
    fleetSize: '12',
    insured: true,
    ownErection: false,
    ...more,
  })
  const lease = (n: number, more: object = {}) => ({
    ...company(n, { enterpriseName: `成都试验建设集团有限公司${n}` }),
    groupName: '',
    parentCompany: '',
    invoiceBank: '',
    invoiceAccount: '',
    invoicePhone: '',
    ...more,
  })
  const project = (more: object = {}) => ({
    parentDeptId: depts.unit,
    parentName: '',
    parentCreditCode: '',
    projectName: '岷江大桥新建工程',
    projectShortName: '岷江大桥',
    projectType: 'highway',
    contractAmount: '32000',
    startDate: '2026-10-01',
    plannedEndDate: '2028-10-01',
    provinceId: 510_000,
    cityId: 510_100,
    districtId: null,
    address: '岷江东岸驻地',
    lowEmissionZone: false,
    applicantName: '周样本',
    manager: '吴样本',
    managerPhone: '14400002222',
    ...more,
  })

  async function papers(person: Person, kinds: CertificationDocument[], validTo: Partial<Record<CertificationDocument, string>> = {}) {
    const rows = await db
      .insertInto('file')
      .values(
        kinds.map((kind) => ({
          name: `${kind}.png`,
          size: 3,
          mime: 'image/png',
          sha256: Buffer.alloc(32),
          access: 'owner',
          accountId: person.id,
        })),
      )
      .returning('id')
      .execute()
    for (const { id } of rows) await services.storage.put(id, Buffer.from('png'))
    return kinds.map((kind, index) => ({ kind, fileId: rows[index]?.id ?? '', validTo: validTo[kind] ?? '' }))
  }

  const mine = async (person: Person) => (await person.call(contract.listOwnCertifications, {})).data
  const me = async (person: Person) => (await person.call(getUserInfo, {})).data
  const review = async (by: Person, id: number) => (await by.call(contract.getCertification, { params: { id } })).data

  return { newcomer, codeOf, rentout, lease, project, papers, mine, me, review }
}
