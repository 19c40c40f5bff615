import { operatorDuties, type OperatorDuty, type UserType } from '#shared/account/rules.ts'
import type { CertificationStatus } from '#shared/certification/rules.ts'
import { creditCodeCheck } from '#shared/company/rules.ts'
import { dayMs } from '#shared/calendar.ts'
import { insertSession } from '#server/account/sessions.ts'
import type { Db } from '#server/db/connect.ts'

/** A Monday at 10:00 in Shanghai. */
export const monday = new Date('2026-11-23T02:00:00Z')

/** The database of the run that has the cast; the file of a world copies it. */
export const castDatabase = 'zhujitong_cast'

/** Somebody of the cast, or added to it, as the database holds them. */
export type Member = { id: number; token: string; companyId: number; deptId: number }
export type Cast = Awaited<ReturnType<typeof insertCast>>

/**
 * Stores the people, companies and departments that every test knows by name: a group (lessee) with two projects, a stranger's group with one, two
 * lessors and one whose certification has run out, a driver of the first, an operator, the auditors of both groups, a newcomer.
 */
export async function insertCast(db: Db) {
  let companies = 0
  const company = (name: string, values?: Parameters<typeof insertCompany>[3]) => insertCompany(db, ++companies, name, values)
  const dept = (deptName: string, companyId: number, parent: DeptValues['parent'], deptType: DeptValues['deptType']) =>
    insertDept(db, { deptName, companyId, parent, deptType })
  const group = await company('华拓建设集团有限公司')
  const root = await dept('华拓建设集团', group, null, '1')
  const unit = await dept('第三工程公司', group, { id: root, ancestors: [] }, '2')
  const projectDept = await dept('渝昌高铁5标', group, { id: unit, ancestors: [root] }, '3')
  const otherDept = await dept('南湖安置房', group, { id: root, ancestors: [] }, '3')
  const strangerGroup = await company('他山建设有限公司')
  const strangerRoot = await dept('他山建设', strangerGroup, null, '1')
  const strangerDept = await dept('他山大桥', strangerGroup, { id: strangerRoot, ancestors: [] }, '3')
  const lessorCompany = await company('成都恒岳机械租赁有限公司', { isLessor: true, lessorAudit: '2' })
  const lessor2Company = await company('武汉昌磐机械租赁有限公司', { isLessor: true, lessorAudit: '2' })
  const lapsedCompany = await company('贵阳远擎机械租赁有限公司', { isLessor: true, lessorAudit: '4' })

  let people = 0
  const member = (values: MemberValues, userName: string) => insertMember(db, ++people, values, userName)
  const members = {
    lessee: await member({ userType: '2', deptId: root, companyId: group, certSign: 2, isAdmin: true }, 'lessee'),
    project: await member({ userType: '3', deptId: projectDept, companyId: group, certSign: 3 }, 'project'),
    otherProject: await member({ userType: '3', deptId: otherDept, companyId: group, certSign: 3 }, 'otherproject'),
    stranger: await member({ userType: '3', deptId: strangerDept, companyId: strangerGroup, certSign: 3 }, 'stranger'),
    lessor: await member({ userType: '4', companyId: lessorCompany, certSign: 1, isAdmin: true }, 'lessor'),
    lessor2: await member({ userType: '4', companyId: lessor2Company, certSign: 1, isAdmin: true }, 'lessor2'),
    lapsed: await member({ userType: '4', companyId: lapsedCompany, certSign: 1 }, 'lapsed'),
    operator: await member({ userType: '9', isAdmin: true, duties: [...operatorDuties] }, 'operator'),
    // Another member of the platform's staff without permissions; tests give them a duty.
    clerk: await member({ userType: '9' }, 'clerk'),
    auditor: await member({ userType: '8', companyId: group }, 'auditor'),
    newcomer: await member({ userType: '1', auditStatus: '0' }, 'newcomer'),
    strangerAdmin: await member(
      { userType: '2', deptId: strangerRoot, companyId: strangerGroup, certSign: 2, isAdmin: true },
      'strangeradmin',
    ),
    // Runs machines of the first lessor and sees nothing of it.
    driver: await member({ userType: '4', companyId: lessorCompany, certSign: 1, driverOnly: true }, 'driver'),
    otherAuditor: await member({ userType: '8', companyId: strangerGroup }, 'otherauditor'),
  }
  return { members, depts: { root, unit, projectDept, otherDept, strangerDept } }
}

export type MemberValues = {
  userType: UserType
  deptId?: number
  companyId?: number
  auditStatus?: CertificationStatus
  certSign?: number
  isAdmin?: boolean
  driverOnly?: boolean
  duties?: OperatorDuty[]
}

/** Stores a person with a session that is good for longer than the tests move the clock. `number`: no two people of a database have the same. */
export async function insertMember(db: Db, number: number, values: MemberValues, userName: string): Promise<Member> {
  const { id } = await db
    .insertInto('account')
    .values({
      userName,
      name: `${userName}甲`,
      // Whoever has just registered has chosen no name yet.
      nickName: values.auditStatus === '0' ? '' : userName,
      phonenumber: `1440000${String(number).padStart(4, '0')}`,
      passwordHash: 'none',
      auditStatus: '2',
      createTime: monday,
      ...values,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const token = await insertSession({ db, now: new Date(monday.getTime() + 30 * dayMs), address: '', agent: '' }, { accountId: id })
  return { id, token, companyId: values.companyId ?? 0, deptId: values.deptId ?? 0 }
}

async function insertCompany(
  db: Db,
  number: number,
  name: string,
  values: { isLessor?: boolean; lessorAudit?: Exclude<CertificationStatus, '5'> } = {},
): Promise<number> {
  const body = `91110108DEM${String(number).padStart(5, '0')}1`
  const { id } = await db
    .insertInto('company')
    .values({
      enterpriseName: name,
      creditCode: body + creditCodeCheck(body),
      provinceId: 510_000,
      cityId: 510_100,
      scaleType: 'small',
      searchText: name,
      ...values,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type DeptValues = { deptName: string; companyId: number; parent: { id: number; ancestors: number[] } | null; deptType: '1' | '2' | '3' }

async function insertDept(db: Db, { deptName, companyId, parent, deptType }: DeptValues): Promise<number> {
  const { id } = await db
    .insertInto('dept')
    .values({
      deptName,
      companyId,
      deptType,
      parentId: parent?.id ?? null,
      ancestors: parent ? [...parent.ancestors, parent.id] : [],
      projectName: deptType === '3' ? deptName : null,
      projectType: 'railway',
      provinceId: 510_000,
      cityId: 510_100,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
