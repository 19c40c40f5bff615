import { operatorDuties, type OperatorDuty, type UserType } from '#shared/account/rules.ts'
import { creditCodeCheck } from '#shared/company/rules.ts'
import type { CertificationStatus } from '#shared/certification/rules.ts'
import type { DeptType } from '#shared/dept/rules.ts'
import { hashPassword } from '#server/actor/hash.ts'
import type { Db } from '#server/db/connect.ts'
import { demoPassword } from './cast.ts'
import type { Dice } from './random.ts'

export const cities: { name: string; provinceId: number; cityId: number; districtId: number; dense?: boolean }[] = [
  { name: '成都', provinceId: 510_000, cityId: 510_100, districtId: 510_107, dense: true },
  { name: '长沙', provinceId: 430_000, cityId: 430_100, districtId: 430_111, dense: true },
  { name: '徐州', provinceId: 320_000, cityId: 320_300, districtId: 320_305, dense: true },
  { name: '武汉', provinceId: 420_000, cityId: 420_100, districtId: 420_106, dense: true },
  { name: '广州', provinceId: 440_000, cityId: 440_100, districtId: 440_106, dense: true },
  { name: '郑州', provinceId: 410_000, cityId: 410_100, districtId: 410_105 },
  { name: '西安', provinceId: 610_000, cityId: 610_100, districtId: 610_113 },
  { name: '济南', provinceId: 370_000, cityId: 370_100, districtId: 370_102 },
  { name: '合肥', provinceId: 340_000, cityId: 340_100, districtId: 340_104 },
  { name: '贵阳', provinceId: 520_000, cityId: 520_100, districtId: 520_115 },
  { name: '昆明', provinceId: 530_000, cityId: 530_100, districtId: 530_111 },
  { name: '南宁', provinceId: 450_000, cityId: 450_100, districtId: 450_103 },
]

const words = ['恒岳', '昌磐', '鼎隅', '腾垚', '嘉砼', '远擎', '泰衡', '兴筑', '宏砺', '联犇', '盛拓', '固基']
const trades = ['机械租赁', '建筑设备租赁', '工程机械', '起重设备安装', '高空设备租赁', '基础工程', '路桥设备']

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

export type LessorSeed = { companyId: number; accountId: number; city: (typeof cities)[number]; certified: boolean }
export type ProjectSeed = {
  deptId: number
  accountId: number
  companyId: number
  city: (typeof cities)[number]
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
    duties?: OperatorDuty[]
    name?: string
  }) => {
    people++
    const name = values.name ?? person()
    const { id } = await db
      .insertInto('account')
      .values({
        phonenumber: phone(people),
        passwordHash,
        nickName: name,
        auditStatus: '2',
        createTime: since(dice.between(380, 430)),
        passwordUpdatedAt: since(30),
        ...values,
        name,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (values.deptId) await db.insertInto('accountDept').values({ accountId: id, deptId: values.deptId }).execute()
    return id
  }

  const home = cities[3] as (typeof cities)[number]
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
      lesseeAudit: '2',
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
    city?: (typeof cities)[number]
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
  const root = await dept({ parentId: null, ancestors: [], deptName: '华拓建设集团有限公司', deptType: '1', orderNum: 0 })
  await account({ userName: 'lessee', userType: '2', deptId: root, companyId: group.id, certSign: 2, isAdmin: true, name: '李演示' })
  const units: number[] = []
  for (const [index, name] of unitNames.entries()) {
    const unit = await dept({ parentId: root, ancestors: [root], deptName: `华拓建设集团${name}`, deptType: '2', orderNum: index + 1 })
    units.push(unit)
    await account({ userName: `unit${index + 1}`, userType: '2', deptId: unit, companyId: group.id, certSign: 2, isAdmin: true })
  }

  const projects: ProjectSeed[] = []
  for (const [index, [short, projectType, cityIndex]] of projectNames.entries()) {
    const city = cities[cityIndex] as (typeof cities)[number]
    const parentId = units[index % units.length] as number
    const lowEmission = index % 6 === 4
    const deptId = await dept({
      parentId,
      ancestors: [root, parentId],
      deptName: `${short}项目经理部`,
      deptType: '3',
      orderNum: index + 1,
      projectName: short,
      projectType,
      city,
      address: `${city.name}市${short}项目驻地`,
      lowEmissionZone: lowEmission,
    })
    const accountId = await account({
      userName: index === 0 ? 'project' : `project${index + 1}`,
      userType: '3',
      deptId,
      companyId: group.id,
      certSign: 3,
      ...(index === 0 && { name: '王样本' }),
    })
    if (index < 28 && index % 1 === 0)
      await account({ userName: `keeper${index + 1}`, userType: '3', deptId, companyId: group.id, certSign: 3 })
    projects.push({ deptId, accountId, companyId: group.id, city, short, lowEmission })
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
  for (let index = 0; index < 40; index++) {
    const city = cities[index < 25 ? index % 5 : index % cities.length] as (typeof cities)[number]
    const name = `${city.name}${words[(index * 5 + Math.floor(index / 12)) % words.length]}${trades[index % trades.length]}有限公司`
    // 28 certified (2 of them also restricted), 5 in review, 3 rejected, 2 expired.
    const audit = index < 30 ? '2' : index < 35 ? '1' : index < 38 ? '3' : '4'
    const blocked = index === 28 || index === 29
    const { id } = await db
      .insertInto('company')
      .values({
        enterpriseName: name,
        creditCode: fictionalCode(city.districtId, 100 + index),
        scaleType: dice.pick(['small', 'small', 'micro', 'medium']),
        taxpayerType: index % 5 === 3 ? 'small' : 'general',
        provinceId: city.provinceId,
        cityId: city.cityId,
        districtId: city.districtId,
        address: `${city.name}市物流园${index + 1}号院`,
        isLessor: true,
        serviceRegions: [city.provinceId],
        lessorAudit: audit,
        lessorValidTo: new Date(now.getTime() + (audit === '4' ? -20 : 200 + index * 9) * 86_400_000).toISOString().slice(0, 10),
        contactName: '陈调度',
        contactPhone: phone(8000 + index),
        establishedOn: `${2006 + (index % 14)}-0${1 + (index % 9)}-15`,
        grade: audit === '2' ? (['A', 'A', 'B', 'B', 'B', 'C', null] as const)[index % 7] : null,
        intro: `${name}主要服务${city.name}及周边工地，自有设备为主，配备随机司机与维修班组，可开具增值税专用发票。`,
        blacklistedAt: blocked ? since(40) : null,
        searchText: name,
        createTime: since(dice.between(380, 425)),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const certified = audit === '2'
    const accountId = await account({
      userName: index === 0 ? 'lessor' : index === 1 ? 'lessor2' : `lessor${index + 1}`,
      userType: certified ? '4' : '1',
      companyId: id,
      certSign: certified ? 1 : 0,
      auditStatus: audit,
      isAdmin: true,
      ...(index === 0 && { name: '赵测试' }),
      ...(index === 1 && { name: '陈示例' }),
    })
    lessors.push({ companyId: id, accountId, city, certified: certified && !blocked })
  }
  await account({ userName: 'operator', userType: '9', name: '平台运营', isAdmin: true, duties: [...operatorDuties] })
  await account({ userName: 'auditor', userType: '8', companyId: group.id, name: '审计专员' })
  await account({ userName: 'newcomer', userType: '1', auditStatus: '0', name: '' })
  return { lessors, projects }
}
