import { operatorDuties, userType, type OperatorDuty, type UserType } from '#shared/account/rules.ts'
import { creditCodeCheck } from '#shared/company/rules.ts'
import { certificationStatus, certSign, type CertificationStatus } from '#shared/certification/rules.ts'
import { deptType, type DeptType } from '#shared/dept/rules.ts'
import { hashPassword } from '#server/actor/hash.ts'
import type { Db } from '#server/db/connect.ts'
import { demoPassword } from './cast.ts'
import { cities, lessorPlans, nameOfLessor, restrictedLessor, samePhone, type City } from './lessors.ts'
import type { Trade } from './machines.ts'
import { profiles } from './profiles.ts'
import type { Dice } from './random.ts'

/**
 * A code with a right check character whose organisation part fails its own (GB 11714), so that it can never have
 * been issued to anybody.
 */
export function fictionalCode(district: number, n: number): string {
  const body = `DEM${String(n).padStart(5, '0')}`
  const weights = [3, 7, 9, 10, 5, 8, 4, 2]
  const sum = [...body].reduce((total, letter, index) => total + parseInt(letter, 36) * (weights[index] ?? 0), 0)
  const right = (11 - (sum % 11)) % 11
  const wrong = (right + 3) % 10
  const seventeen = `91${district}${body}${wrong}`
  return seventeen + creditCodeCheck(seventeen)
}

/** 1440000xxxx reaches nobody: 144 is for thirteen-digit machine numbers. */
export const phone = (n: number) => `1440000${String(n).padStart(4, '0')}`

/** `certified`: may let machines now. `sinceDays`: for how long the firm has been on the platform. */
export type LessorSeed = {
  companyId: number
  accountId: number
  city: City
  trade: Trade
  certified: boolean
  sinceDays: number
  contact: string
  phone: string
}
export type ProjectSeed = {
  deptId: number
  accountId: number
  companyId: number
  city: City
  /** As the form's project types. */
  type: string
  /** Where the unit above stands in the list of units. */
  unit: number
  short: string
  lowEmission: boolean
}
export type People = { lessors: LessorSeed[]; projects: ProjectSeed[] }

const projectNames: [short: string, type: string, city: number][] = [
  ['渝昌高铁YCZQ-5标', 'railway', 0],
  ['云岭高速公路TJ-12标', 'highway', 10],
  ['江北区综合管廊二期', 'municipal', 3],
  ['南湖片区安置房(三地块)', 'building', 3],
  ['轨道交通9号线土建04标', 'metro', 0],
  ['青岭隧道进口段', 'highway', 9],
  ['滨江大桥主桥', 'highway', 1],
  ['白石水库除险加固', 'water', 1],
  ['临港产业园标准厂房', 'building', 2],
  ['城东污水厂提标', 'municipal', 4],
  ['机场飞行区改扩建FXQ-2标', 'airport', 0],
  ['风电场道路及吊装', 'other', 6],
  ['天府片区安置房(一期)', 'building', 0],
  ['湘江东岸综合管廊', 'municipal', 1],
  ['徐宿铁路XSZQ-3标', 'railway', 2],
  ['珠江口岸码头陆域', 'port', 4],
  ['秦岭支线隧道出口段', 'highway', 6],
  ['泉城快速路高架', 'municipal', 7],
  ['巢湖环湖截污', 'water', 8],
  ['黔中水利枢纽二标', 'water', 9],
  ['滇池东片区学校', 'building', 10],
  ['邕江南岸防洪堤', 'water', 11],
  ['轨道交通16号线车辆段', 'metro', 1],
  ['中原物流园标准仓', 'building', 5],
]

const unitNames = ['第三工程有限公司', '轨道交通分公司', '路桥工程有限公司', '物资设备分公司', '西南分公司']
const surnames = ['张', '李', '王', '赵', '陈', '周', '吴', '孙', '钱', '郑']
const given = ['示例', '演示', '样本', '测试']

export async function seedPeople(db: Db, dice: Dice, now: Date): Promise<People> {
  const passwordHash = await hashPassword(demoPassword)
  const since = (days: number) => new Date(now.getTime() - days * 86_400_000)
  let people = 0
  const person = () => `${surnames[people % surnames.length]}${given[Math.floor(people / surnames.length) % given.length]}`
  const account = async (values: {
    userName: string
    userType: UserType
    deptId?: number
    companyId?: number
    certSign?: number
    auditStatus?: CertificationStatus
    isAdmin?: boolean
    driverOnly?: boolean
    duties?: OperatorDuty[]
    name?: string
    createTime?: Date
  }) => {
    people++
    const name = values.name ?? person()
    const { id } = await db
      .insertInto('account')
      .values({
        phonenumber: phone(people),
        passwordHash,
        nickName: name,
        auditStatus: certificationStatus.passed,
        createTime: since(430 - people / 20),
        passwordUpdatedAt: since(30),
        ...values,
        name,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (values.deptId) await db.insertInto('accountDept').values({ accountId: id, deptId: values.deptId }).execute()
    return id
  }

  await account({ userName: 'operator', userType: userType.operator, name: '平台运营', isAdmin: true, duties: [...operatorDuties] })
  const home = cities[3] as City
  const group = await db
    .insertInto('company')
    .values({
      enterpriseName: '华拓建设集团有限公司',
      creditCode: fictionalCode(420_106, 1),
      scaleType: 'large',
      groupName: '华拓建设集团',
      provinceId: home.provinceId,
      cityId: home.cityId,
      districtId: home.districtId,
      isLessee: true,
      lesseeAudit: certificationStatus.passed,
      contactName: '李演示',
      contactPhone: phone(9001),
      searchText: '华拓建设集团有限公司',
      createTime: since(430),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const dept = async (values: {
    parentId: number | null
    ancestors: number[]
    deptName: string
    deptType: DeptType
    orderNum: number
    projectName?: string
    projectType?: string
    city?: City
    address?: string
    lowEmissionZone?: boolean
  }) => {
    const { city, ...rest } = values
    const row = await db
      .insertInto('dept')
      .values({
        ...rest,
        companyId: group.id,
        leader: person(),
        phone: phone(9100 + values.orderNum),
        provinceId: city?.provinceId ?? null,
        cityId: city?.cityId ?? null,
        districtId: city?.districtId ?? null,
        createTime: since(420),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    people++
    return row.id
  }
  const root = await dept({ parentId: null, ancestors: [], deptName: '华拓建设集团有限公司', deptType: deptType.enterprise, orderNum: 0 })
  await account({
    userName: 'lessee',
    userType: userType.lessee,
    deptId: root,
    companyId: group.id,
    certSign: certSign.lease,
    isAdmin: true,
    name: '李演示',
  })
  await account({ userName: 'auditor', userType: userType.auditor, companyId: group.id, name: '审计专员' })
  const units: number[] = []
  for (const [index, name] of unitNames.entries()) {
    const unit = await dept({
      parentId: root,
      ancestors: [root],
      deptName: `华拓建设集团${name}`,
      deptType: deptType.unit,
      orderNum: index + 1,
    })
    units.push(unit)
    await account({
      userName: `unit${index + 1}`,
      userType: userType.lessee,
      deptId: unit,
      companyId: group.id,
      certSign: certSign.lease,
      isAdmin: true,
    })
  }

  const projects: ProjectSeed[] = []
  for (const [index, [short, projectType, cityIndex]] of projectNames.entries()) {
    const city = cities[cityIndex] as City
    const parentId = units[index % units.length] as number
    const lowEmission = index % 6 === 4
    const deptId = await dept({
      parentId,
      ancestors: [root, parentId],
      deptName: `${short}项目经理部`,
      deptType: deptType.project,
      orderNum: index + 1,
      projectName: short,
      projectType,
      city,
      address: `${city.district}${short}项目驻地`,
      lowEmissionZone: lowEmission,
    })
    const accountId = await account({
      userName: index === 0 ? 'project' : `project${index + 1}`,
      userType: userType.project,
      deptId,
      companyId: group.id,
      certSign: certSign.dept,
      ...(index === 0 && { name: '王样本' }),
    })
    await account({ userName: `keeper${index + 1}`, userType: userType.project, deptId, companyId: group.id, certSign: certSign.dept })
    projects.push({ deptId, accountId, companyId: group.id, city, type: projectType, unit: index % units.length, short, lowEmission })
    // The demo's project member also belongs to a second project and can switch.
    if (index === 3)
      await db
        .insertInto('accountDept')
        .values({ accountId: (projects[0] as ProjectSeed).accountId, deptId })
        .execute()
  }
  // The demo's project member also belongs to a second project, to show the switch.
  const first = projects[0] as ProjectSeed
  await db
    .insertInto('accountDept')
    .values({ accountId: first.accountId, deptId: (projects[4] as ProjectSeed).deptId })
    .execute()

  const lessors: LessorSeed[] = []
  for (const [index, { trade, city, audit }] of lessorPlans.entries()) {
    const name = nameOfLessor(index, city, profiles[trade].suffix)
    const certified = audit === certificationStatus.passed
    const blocked = index === restrictedLessor
    const sinceDays = 424 - index
    const contact = person()
    const contactPhone = phone(8000 + (index === samePhone.second ? samePhone.first : index))
    const { id } = await db
      .insertInto('company')
      .values({
        enterpriseName: name,
        creditCode: fictionalCode(city.districtId, 100 + index),
        scaleType: dice.pick(['small', 'small', 'micro', 'medium']),
        taxpayerType: index % 5 === 3 ? 'small' : 'general',
        legalPerson: contact,
        provinceId: city.provinceId,
        cityId: city.cityId,
        districtId: city.districtId,
        address: `${city.district}示范物流园${index + 1}号院`,
        isLessor: true,
        serviceRegions: [city.provinceId],
        lessorAudit: audit,
        lessorValidTo: new Date(now.getTime() + (audit === certificationStatus.expired ? -20 : 200 + index * 9) * 86_400_000)
          .toISOString()
          .slice(0, 10),
        contactName: contact,
        contactPhone,
        establishedOn: `${2006 + (index % 14)}-0${1 + (index % 9)}-15`,
        grade: certified ? (['A', 'A', 'B', 'B', 'B', 'C', null] as const)[index % 7] : null,
        intro: profiles[trade].intro(city.name),
        searchText: name,
        createTime: since(sinceDays),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const accountId = await account({
      userName: index === 0 ? 'lessor' : `lessor${index + 1}`,
      userType: certified ? userType.lessor : userType.ordinary,
      companyId: id,
      certSign: certified ? certSign.rentout : certSign.none,
      auditStatus: audit,
      isAdmin: true,
      createTime: since(sinceDays + 0.2),
      name: index === 0 ? '赵测试' : index === 1 ? '陈示例' : contact,
    })
    lessors.push({
      companyId: id,
      accountId,
      city,
      trade,
      certified: certified && !blocked,
      sinceDays,
      contact,
      phone: contactPhone,
    })
  }
  // Whoever proposes a restriction for the platform is somebody else than the operator who decides.
  await account({ userName: 'risk', userType: userType.operator, name: '平台风控', duties: ['blacklist'], createTime: since(300) })
  await account({
    userName: 'newcomer',
    userType: userType.ordinary,
    auditStatus: certificationStatus.unsubmitted,
    name: '',
    createTime: since(7),
  })
  const [lessor] = lessors
  if (lessor)
    await account({
      userName: 'driver',
      userType: userType.lessor,
      companyId: lessor.companyId,
      certSign: certSign.rentout,
      driverOnly: true,
      name: '马师傅',
      createTime: since(6),
    })
  return { lessors, projects }
}
