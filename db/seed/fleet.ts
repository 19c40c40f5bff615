import type { z } from 'zod'
import { addDays, dayOf } from '#shared/calendar.ts'
import type { Category } from '#shared/category/contract.ts'
import {
  datedDocuments,
  equipmentAudit,
  rentUnits,
  shelfStatus,
  type AuditStatus,
  type DocumentKind,
  type EmissionStage,
  type RentUnit,
  type ShelfStatus,
} from '#shared/equipment/rules.ts'
import { EquipmentInput, neededDocuments } from '#shared/equipment/upload.ts'
import { findCategories } from '#server/category/queries.ts'
import { machineColumns } from '#server/equipment/upload.ts'
import type { Services } from '#server/services.ts'
import { machineClasses, type MachineClass } from './machines.ts'
import type { LessorSeed } from './people.ts'
import { profiles } from './profiles.ts'
import type { Dice } from './random.ts'

const regionFactor: Record<number, number> = {
  32: 1.05,
  37: 1.05,
  34: 1.05,
  44: 1.05,
  45: 1.05,
  42: 0.97,
  43: 0.97,
  41: 0.97,
  51: 0.95,
  52: 0.95,
  53: 0.95,
  61: 0.93,
}

/** Wages of a driver for a month in yuan; those of cranes and drilling rigs need a certificate of their own. */
const wages: Record<number, number> = { 200: 10_500, 500: 12_000 }
const usualWage = 9300

const roundTo = (step: number, value: number) => Math.max(step, Math.round(value / step) * step)

/** Month rent of the bare machine in yuan: class median × region × age (4 % a year after the second, not under 0.7) × noise. */
function bareRentOf({ rent, provinceId, ageYears }: { rent: number; provinceId: number; ageYears: number }, dice: Dice): number {
  const age = Math.max(0.7, 1 - 0.04 * Math.max(0, ageYears - 2))
  const region = regionFactor[Math.floor(provinceId / 10_000)] ?? 1
  return roundTo(rent < 2000 ? 10 : 50, rent * region * age * dice.normal(1, 0.05))
}

/** The national stage of a diesel machine by the day it was built; electric ones and those without an engine have none. */
function stageOf(category: Pick<Category, 'flags'>, specs: Record<string, string | number>, built: string): EmissionStage {
  if (specs.drive === '电动') return 'electric'
  if (!category.flags.nonRoad) return 'none'
  return built >= '2022-12-01' ? '4' : built >= '2016-04-01' ? '3' : '2'
}

/** A plate of a city letter that no city of these provinces has, so no lorry carries it. */
const platePrefix: Record<number, string> = {
  51: '渝Z',
  43: '湘Z',
  32: '苏Z',
  42: '鄂Z',
  44: '桂Z',
  41: '豫Z',
  61: '陕Z',
  37: '鲁Z',
  34: '皖Z',
  52: '贵Z',
  53: '云Z',
  45: '桂Z',
}

const machinesInAll = 420
/** A demand for two loaders is met by half by the demo's first lessor, who has one. */
const loader = 106

type Planned = { machineClass: MachineClass; lessor: LessorSeed }

/** Who owns what: every class is somewhere, the dense ones are with every firm of the trade, and the rest follows the trade. */
function planFleet(lessors: readonly LessorSeed[], dice: Dice): Planned[] {
  const owners = lessors.filter(({ certified }) => certified)
  const [first] = owners
  const ofTrade = (trade: string) => owners.filter((lessor) => lessor.trade === trade)
  const plan: Planned[] = []
  for (const [index, machineClass] of machineClasses.entries()) {
    const firms = ofTrade(machineClass.trade)
    const holders = machineClass.dense ? firms : [firms[index % firms.length]]
    for (const lessor of holders) if (lessor) plan.push({ machineClass, lessor })
  }
  while (plan.length < machinesInAll) {
    const lessor = dice.pick(owners)
    const classes = machineClasses.filter(({ trade, rent }) => trade === lessor.trade && rent < 150_000)
    const machineClass = dice.next() < 0.5 ? dice.pick(classes.filter(({ dense }) => dense)) : dice.pick(classes)
    if (machineClass && !(lessor === first && machineClass.category === loader)) plan.push({ machineClass, lessor })
  }
  const mixed = dice.some(plan, plan.length)
  return mixed.filter(
    ({ machineClass, lessor }, at) =>
      lessor !== first ||
      machineClass.category !== loader ||
      at === mixed.findIndex((one) => one.lessor === first && one.machineClass.category === loader && one.machineClass.value === 5),
  )
}

type Standing = 'shelf' | 'off' | 'waiting' | 'draft' | 'rejected'

/** The newest ones wait for their review or are not finished; of the others one in twenty-eight is off the shelf. */
function standingOf(index: number, total: number): Standing {
  const fromEnd = total - 1 - index
  if (fromEnd < 32)
    return (['waiting', 'shelf', 'shelf', 'waiting', 'shelf', 'draft', 'waiting', 'rejected'] as const)[fromEnd % 8] ?? 'shelf'
  return index % 28 === 13 ? 'off' : 'shelf'
}

const earlyShare = 0.7
/** Then the demo's first lessor imported its early machines, all at once. */
const importDays = 390

/** Each firm entered most of its machines soon after it had joined, before the first demand; the others came one after the other since. */
function daysSinceEntry(share: number): number {
  return share < earlyShare ? 398 - 20 * (share / earlyShare) : 1.2 + 374 * ((1 - share) / (1 - earlyShare)) ** 1.3
}

export type SeededMachine = {
  id: number
  companyId: number
  accountId: number
  category: Category
  input: EquipmentInput
  standing: Standing
  created: Date
}

export async function seedFleet(services: Services, lessors: readonly LessorSeed[], dice: Dice, now: Date): Promise<SeededMachine[]> {
  const categories = new Map((await findCategories(services.db)).map((category) => [category.id, category]))
  const plan = planFleet(lessors, dice)
  const machines: Omit<SeededMachine, 'id'>[] = []
  for (const [index, { machineClass, lessor }] of plan.entries()) {
    const category = categories.get(machineClass.category)
    if (!category) continue
    const share = index / plan.length
    const days = lessor === lessors[0] && share < earlyShare ? importDays : daysSinceEntry(share)
    const input = machineOf({ machineClass, lessor, category, index, today: dayOf(now) }, dice)
    let standing = standingOf(index, plan.length)
    // The demo's first lessor offers everything, and no two machines that wait have one name.
    if (
      lessor === lessors[0] ||
      (standing === 'waiting' && machines.some((one) => one.standing === 'waiting' && one.input.name === input.name))
    )
      standing = 'shelf'
    const created = new Date(now.getTime() - (standing === 'waiting' ? (days % 1.9) + 0.08 : days) * 86_400_000)
    machines.push({ companyId: lessor.companyId, accountId: lessor.accountId, category, input, standing, created })
  }
  machines.sort((a, b) => a.created.getTime() - b.created.getTime())
  return insertMachines(services, machines, dice, now)
}

type Making = Planned & { category: Category; index: number; today: string }

/** A machine as its lessor would have entered it. */
function machineOf({ machineClass, lessor, category, index, today }: Making, dice: Dice): EquipmentInput {
  const { city } = lessor
  const [brand, model] = dice.pick(machineClass.models)
  const ageYears = dice.between(0, 9)
  const outFactoryDate = addDays(today, -ageYears * 365 - dice.between(20, 340))
  const main = category.params.find((param) => param.main)
  const specs = { ...(main && { [main.key]: machineClass.value }), ...machineClass.specs }
  const emissionStage = stageOf(category, specs, outFactoryDate)
  const { flags } = category
  const isLot = machineClass.lot > 1
  const serial = String(index + 1).padStart(5, '0')
  const place = Math.floor(city.provinceId / 10_000)
  const profile = profiles[lessor.trade]
  const raw: z.input<typeof EquipmentInput> = {
    fatherCategoryId: category.parentId,
    categoryId: category.id,
    name: `${brand} ${model} ${category.alias[0] ?? category.name.split('、')[0]}`.slice(0, 60),
    brand,
    model,
    specs,
    factoryNo: `SL-${serial}`,
    outFactoryDate,
    manufacturer: brand,
    workHours: isLot || category.id === 111 ? null : Math.round(ageYears * dice.between(900, 1500) + dice.between(60, 600)),
    ownership: index % 11 === 0 ? 'lease' : 'own',
    originalValue: roundTo(1000, machineClass.rent * 34),
    emissionStage,
    envCode: flags.nonRoad && emissionStage !== 'electric' ? `${place}-DEM-${serial}` : null,
    plateNo: flags.roadVehicle ? `${platePrefix[place]}D${serial.slice(1)}` : null,
    vin: flags.roadVehicle ? `DEM${serial.padStart(14, '0')}` : null,
    deviceCode: flags.specialEquipment ? `DEM${serial.padStart(14, '0')}` : '',
    registrationNo: flags.specialEquipment ? `示例登记-${serial}` : '',
    registrationOffice: flags.specialEquipment ? `${city.name}示例市场监督管理局` : '',
    filingNo: flags.buildingLifting ? `示例备案-${serial}` : '',
    filingOffice: flags.buildingLifting ? `${city.name}示例住房和城乡建设局` : '',
    provinceId: city.provinceId,
    cityId: city.cityId,
    districtId: city.districtId,
    yardAddress: `${city.district}示例路${(index % 88) + 1}号设备场`,
    description: dice.pick(profile.descriptions),
    transportNote: profile.transport,
    isLot,
    totalQty: isLot ? machineClass.lot : 1,
    ...pricesOf(machineClass, category, { provinceId: city.provinceId, ageYears, emissionStage }, dice),
  }
  const input = EquipmentInput.parse(raw)
  return { ...input, papers: papersOf(input, category, { index, today }, dice) }
}

/** Prices in up to three of the category's units, all from one month rent; by work where that is how the trade counts. */
function pricesOf(
  machineClass: MachineClass,
  category: Category,
  at: { provinceId: number; ageYears: number; emissionStage: EmissionStage },
  dice: Dice,
): Pick<z.input<typeof EquipmentInput>, 'prices' | 'rentCycles'> {
  const { driver: withOperator, byWork } = machineClass
  const bare = bareRentOf({ ...machineClass, ...at }, dice)
  const month = withOperator ? bare + (wages[category.parentId] ?? usualWage) : bare
  const { roadVehicle, nonRoad } = category.flags
  // The driver of a lorry fills it up for the lessor; a machine on site takes the site's diesel.
  const fuelBy = at.emissionStage === 'electric' || !(roadVehicle || nonRoad) ? 'none' : roadVehicle && withOperator ? 'lessor' : 'lessee'
  const small = month < 3000
  const priceIn: Record<RentUnit, number | null> = {
    M: month,
    D: roundTo(small ? 1 : 10, (month * 1.25) / 30),
    S: roundTo(10, (month * 1.2) / 26),
    H: roundTo(5, (month * 1.25) / 26 / 8),
    V: byWork.V ?? null,
    L: byWork.L ?? null,
    P: byWork.P ?? null,
  }
  // The month first: it is the one that machines are compared by.
  const units = rentUnits.filter((unit) => category.priceUnits.includes(unit) && priceIn[unit] !== null).slice(0, 3)
  return {
    prices: units.map((rentUnit) => ({
      rentUnit,
      price: priceIn[rentUnit],
      withOperator,
      fuelBy,
      taxRate: withOperator ? 9 : 13,
      minRentDays: rentUnit === 'M' ? 30 : 0,
    })),
    rentCycles: units.some((unit) => unit === 'D' || unit === 'S') ? ['short', 'month', 'year'] : ['month', 'year'],
  }
}

/** What the machine must have by its category, its age and its driver. One dated paper in nine ends within a usual hire. */
function papersOf(input: EquipmentInput, category: Category, { index, today }: { index: number; today: string }, dice: Dice) {
  const kinds: DocumentKind[] = neededDocuments(input, category, today)
  return kinds.map((kind, at) => ({
    kind,
    number: `示例-${String(index * 10 + at).padStart(5, '0')}`,
    issuedBy: issuers[kind] ?? input.manufacturer,
    validTo: datedDocuments.includes(kind) ? addDays(today, (index + at) % 9 === 0 ? dice.between(25, 110) : dice.between(200, 900)) : null,
    fileId: null,
  }))
}

const issuers: Partial<Record<DocumentKind, string>> = {
  registration: '示例市场监督管理局',
  inspection: '示例特种设备检验院',
  filing: '示例住房和城乡建设局',
  emission: '示例生态环境局',
  driving: '示例交通管理所',
  insurance: '示例财产保险公司',
  erection: '示例住房和城乡建设厅',
  operator: '示例市场监督管理局',
  assessment: '示例建筑机械检测中心',
}

const statusOf: Record<Standing, { auditStatus: AuditStatus; shelfStatus: ShelfStatus }> = {
  shelf: { auditStatus: equipmentAudit.passed, shelfStatus: shelfStatus.on },
  off: { auditStatus: equipmentAudit.passed, shelfStatus: shelfStatus.off },
  waiting: { auditStatus: equipmentAudit.submitted, shelfStatus: shelfStatus.off },
  draft: { auditStatus: equipmentAudit.draft, shelfStatus: shelfStatus.off },
  rejected: { auditStatus: equipmentAudit.rejected, shelfStatus: shelfStatus.off },
}

async function insertMachines(
  { db, codes }: Services,
  machines: readonly Omit<SeededMachine, 'id'>[],
  dice: Dice,
  now: Date,
): Promise<SeededMachine[]> {
  const made: SeededMachine[] = []
  for (const [day, ofDay] of Map.groupBy(machines, ({ created }) => dayOf(created))) {
    const numbers = await codes.take('SB', new Date(`${day}T04:00:00Z`), ofDay.length)
    const rows = await db
      .insertInto('equipment')
      .values(
        ofDay.map(({ input, category, companyId, accountId, standing, created }, at) => ({
          ...machineColumns(input, category, created),
          ...statusOf[standing],
          equipmentCode: numbers[at] ?? '',
          companyId,
          accountId,
          submitTime: standing === 'draft' ? null : created,
          auditReason: standing === 'rejected' ? '出厂编号与铭牌照片不一致，请重新拍摄铭牌' : '',
          // Most lessors confirm once a week; a few are late.
          confirmedAt: new Date(
            Math.max(created.getTime(), now.getTime() - dice.between(0, at % 12 === 5 ? 19 : 6) * 86_400_000 - 3_600_000),
          ),
          createTime: created,
        })),
      )
      .returning(['id', 'equipmentCode'])
      .execute()
    const idOf = new Map(rows.map(({ id, equipmentCode }) => [equipmentCode, id]))
    made.push(...ofDay.map((machine, at) => ({ ...machine, id: idOf.get(numbers[at] ?? '') ?? 0 })))
  }
  await db
    .insertInto('equipmentPrice')
    .values(made.flatMap(({ id, input }) => input.prices.map(({ price, ...rest }) => ({ ...rest, equipmentId: id, priceFen: price }))))
    .execute()
  await db
    .insertInto('equipmentDocument')
    .values(made.flatMap(({ id, input }) => input.papers.map((paper) => ({ ...paper, equipmentId: id }))))
    .execute()
  return made
}
