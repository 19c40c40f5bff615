import { addDays, dayOf, toMoment } from '#shared/calendar.ts'
import type { Category } from '#shared/category/contract.ts'
import { demandType } from '#shared/demand/rules.ts'
import type { ProjectSeed } from './people.ts'
import type { Dice } from './random.ts'
import type { Stage } from './scenes.ts'
import { classOf, remarksFor, stepOf, unitsOf, wishOf, wishesOf, type WishName } from './wishes.ts'

export type Ending = 'review' | 'awarded' | 'failed' | 'cancelled' | 'judging' | 'open' | 'draft'

/** `deadline`, `wish`, `urgent` and `lines`: for the few demands that are planned one by one. */
export type Job = {
  ending: Ending
  at: Date
  project: ProjectSeed
  deadline?: Date
  wish?: WishName
  urgent?: boolean
  lines?: number
  /** One machine that this firm has free is asked for. */
  fits?: number
  /** Only that firm quotes, and its contract comes as far as this. */
  scene?: { stage: Stage; awardedAt: Date }
  asked?: [category: number, value: number]
}

const day = 86_400_000
/** By the month and whatever the age: several firms can meet it. */
const easy = { rentUnit: 'M', estQuantity: null, maxAgeYears: null, minEmission: null, priceCeiling: null }
const planBy = ({ asked, deadline }: Pick<Job, 'asked' | 'deadline'>) => ({ ...((asked || deadline) && easy), ...(asked && { qty: 1 }) })

/** A demand as the site's form sends it. */
export function demandOf(
  { ending, at, project, ...planned }: Job,
  categories: ReadonlyMap<number, Category>,
  dice: Dice,
): { input: Record<string, unknown>; deadline: Date } {
  const deadline = planned.deadline ?? deadlineAfter(at, ending, dice)
  const { lines, operatorBy, fuelBy } = wishOf(planned.wish ?? dice.pick(wishesOf(project.type)))
  const asked = planned.asked
    ? [planned.asked]
    : planned.lines
      ? lines.slice(0, planned.lines)
      : linesOf(lines, dice.pick([1, 1, 2, 2, 3, 4]), dice)
  const start = addDays(dayOf(deadline), dice.between(4, 25))
  const items = asked.map((line) => ({ ...itemOf(line, { project, categories, start }, dice), ...planBy(planned) }))
  const named = items.slice(0, 2).map(({ categoryId, qty }) => {
    const category = categories.get(categoryId)
    return `${category?.alias[0] ?? category?.name}${qty}台`
  })
  const needsErection = items.some(({ fatherCategoryId }) => fatherCategoryId === 200) && operatorBy === 'lessee'
  return {
    deadline,
    input: {
      demandType: demandType.public,
      title: `${project.short} ${named.join('、')}${items.length > 2 ? '等' : ''}`.slice(0, 60),
      deptId: project.deptId,
      provinceId: project.city.provinceId,
      cityId: project.city.cityId,
      districtId: project.city.districtId,
      address: `${project.city.district}${project.short}工地`,
      lowEmissionZone: project.lowEmission,
      contactName: '周机料',
      contactPhone: '14400009201',
      quoteDeadline: toMoment(deadline),
      urgent: planned.urgent ?? false,
      sealed: planned.deadline ? true : dice.next() < 0.85,
      minQuotes: 3,
      payment: { cycle: 'month', ratio: dice.pick([70, 75, 80]), days: dice.pick([30, 45, 60]), invoice: 'special' },
      operatorBy,
      fuelBy,
      budgetLimit: null,
      internalReason: '集团内同类设备均在用，暂无闲置。',
      terms: needsErection
        ? '安装、附着、拆卸由出租方资质单位实施，安装前七日提交专项方案与告知资料；检测费由出租方承担。'
        : dice.pick([
            '进场前提供设备合格证、检验报告和人员证件原件核验。',
            '设备须接受项目部入场验收，不合格不计租。',
            '台班签认实行一天一签，月末汇总；停工超过五日按报停处理。',
          ]),
      items,
    },
  }
}

/** Some lines, each of another category. The first two of a wish are the usual ones. */
function linesOf(lines: readonly [number, number][], count: number, dice: Dice): [number, number][] {
  const chosen = [...lines.slice(0, 2), ...dice.some(lines.slice(2), lines.length)].slice(0, Math.max(count, 2))
  return dice.some(chosen, count).filter(([category], at, all) => all.findIndex(([other]) => other === category) === at)
}

/** At 10:00, 14:00 or 17:00 in Shanghai, some days later. */
function deadlineAfter(at: Date, ending: Ending, dice: Dice): Date {
  const midnight = Date.parse(`${dayOf(at)}T00:00:00+08:00`)
  return new Date(midnight + (ending === 'open' ? dice.between(5, 12) : dice.between(4, 8)) * day + dice.pick([10, 14, 17]) * 3_600_000)
}

type Site = { project: ProjectSeed; categories: ReadonlyMap<number, Category>; start: string }

function itemOf(line: readonly [number, number], { project, categories, start }: Site, dice: Dice) {
  const machineClass = classOf(line)
  const category = categories.get(machineClass.category)
  const main = category?.params.find((param) => param.main)
  const units = unitsOf(machineClass, category?.priceUnits ?? ['M'])
  const rentUnit = units.includes('M') && dice.next() < 0.8 ? 'M' : (units.find((unit) => unit !== 'M') ?? 'M')
  const days = rentUnit === 'M' ? dice.between(2, 9) * 30 : rentUnit === 'D' ? dice.between(10, 40) : dice.between(1, 3) * 30
  const planStart = addDays(start, dice.between(0, 6))
  const ceiling = dice.next() < 0.35 ? Math.round((machineClass.rent * 1.12 + (machineClass.driver ? 11_000 : 0)) / 100) * 100 : null
  return {
    fatherCategoryId: category?.parentId ?? 0,
    categoryId: machineClass.category,
    specRequirements: main
      ? [{ key: main.key, rule: machineClass.category === 701 ? 'eq' : 'ge', value: String(stepOf(machineClass)) }]
      : [],
    qty: machineClass.lot > 1 ? dice.between(3, 8) : dice.pick([1, 1, 1, 2]),
    planStart,
    planEnd: addDays(planStart, days),
    rentUnit,
    estQuantity: quantityOf(rentUnit, days),
    shiftMode: machineClass.driver && dice.next() < 0.12 ? 'double' : 'single',
    minEmission: project.lowEmission && category?.flags.nonRoad ? '3' : null,
    maxAgeYears: dice.next() < 0.2 ? 8 : null,
    priceCeiling: rentUnit === 'M' ? ceiling : null,
    remark: dice.pick(remarksFor(machineClass.category, category?.parentId ?? 0)),
  }
}

function quantityOf(unit: string, days: number): number | null {
  switch (unit) {
    case 'S':
      return Math.round((days / 30) * 24)
    case 'V':
      return days * 60
    case 'L':
      return days * 20
    default:
      return null
  }
}
