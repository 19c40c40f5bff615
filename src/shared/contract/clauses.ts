// The clauses of a contract: typed values that the money is reckoned by, never free text.
import { z } from 'zod'
import { fenOf } from '../amount-text.ts'
import { addMonths } from '../calendar.ts'
import type { RentUnit } from '../equipment/rules.ts'
import { line, yuan, YuanOut } from '../fields.ts'
import { isBackToBack } from './back-to-back.ts'

const whole = (min: number, max: number) => z.number().int().min(min).max(max)
const percent = (max: number) => whole(0, max)

/** Why a position stands by agreement; each kind has days without rent, then a share of the rent. */
export const stopKinds = ['spring', 'owner', 'lessee', 'weather', 'government', 'fault'] as const
export type StopKind = (typeof stopKinds)[number]
const StopRule = z.object({ freeDays: whole(0, 60), rate: percent(100) })
type StopRule = z.infer<typeof StopRule>

export const startRules = ['accept', 'arrive', 'joint'] as const
export const endRules = ['notice', 'exit', 'dismantled'] as const
export const dayCounts = ['both', 'head', 'tail', 'none'] as const
export const partMonths = ['thirty', 'whole'] as const
export const deductDays = ['period', 'thirty'] as const
export const shiftRounds = ['half', 'exact'] as const
export const restAts = ['exit', 'final'] as const
export const bondKinds = ['cash', 'letter'] as const
export const taxChanges = ['net', 'gross'] as const
export const logRules = ['needed', 'optional'] as const
export const venueKinds = ['court', 'arbitration'] as const

/** What a hire may owe towards a small firm (保障中小企业款项支付条例 第九条) and otherwise, in days. */
const payDaysLimit = { sme: 60, other: 180 } as const

/** The term of a bill of exchange, in months (商业汇票承兑、贴现与再贴现管理办法 第二十五条). Contracts from before this was refused may have more. */
const maxBillMonths = 6

/** How many further agreements there are at most, and how long each is. */
export const maxExtras = 20
export const maxExtra = 500
/** The largest annual late rate, in basis points. */
export const maxLateRateBp = 3650

const fields = {
  /** 起租日: accepted, arrived, or accepted by all who must (joint). */
  startRule: z.enum(startRules),
  /** 验收时限, hours. 保障中小企业款项支付条例 第十条. */
  acceptHours: whole(4, 72),
  /** 停租日: the day given notice of, the day of the exit inspection, or dismantled and ready to leave. */
  endRule: z.enum(endRules),
  noticeDays: whole(0, 30),
  /** 计租方式: whether the first and the last day count. */
  dayCount: z.enum(dayCounts),
  /** 结算周期起始日: a period runs to the day before the next one. */
  cutDay: whole(1, 28),
  /** 不足月: a thirtieth for each day, or a whole month. */
  partMonth: z.enum(partMonths),
  /** 扣减日租金: by the days of the period, or a thirtieth. */
  deductDay: z.enum(deductDays),
  /** 免费维修时间: hours for each machine and period. */
  faultHours: whole(0, 240),
  /** 一天折算, hours. */
  dayHours: whole(6, 12),
  /** 月工作小时上限; null for none. */
  hourCap: whole(100, 720).nullable(),
  /** 超时单价系数, percent. */
  overFactor: whole(100, 300),
  shiftHours: whole(6, 12),
  /** Half: up to half a shift counts as half, more as one. Exact: hours over hours, two places. */
  shiftRound: z.enum(shiftRounds),
  /** 停滞台班结算比例, percent. */
  standbyRate: percent(100),
  weatherRate: percent(100),
  /** 报停, by kind. */
  stopRules: z.record(z.enum(stopKinds), StopRule),
  /** 报停提前, days. */
  stopNotice: whole(0, 15),
  /** 保底: the least units in 30 days, for hires by shift or hour; null for none. */
  minUnits: z.number().positive().max(9999).nullable(),
  /** 每次起租量: the least units of a working day; null for none. */
  minPerDay: z.number().positive().max(9999).nullable(),
  /** 故障换机期限, days. */
  swapDays: whole(1, 30),
  /** 到期后租价, percent. */
  afterEnd: whole(100, 200),
  /** 代供油料单价, for a litre, when one side fuels for the other; null for none. */
  fuelPrice: yuan({ min: 1, max: 100_000 }).nullable(),
  /** 进度付款比例, percent. */
  payRatio: percent(100),
  payDays: whole(0, payDaysLimit.other),
  restAt: z.enum(restAts),
  restDays: whole(0, payDaysLimit.other),
  /** 非现金支付, which must be agreed in the contract (第十一条); null for none. */
  nonCash: z.object({ share: whole(1, 100), months: whole(1, 12) }).nullable(),
  /** 预付款, percent of the sum, and the share of the sum by whose settlement all of it is recovered. */
  advance: percent(50),
  recoverAt: whole(10, 100),
  /** 履约保证金, percent: at most 10; letters of guarantee must be taken (第十三条). Null for none. */
  bond: z.object({ share: z.number().int().min(1).max(10, 'bond_unlawful'), kind: z.enum(bondKinds) }).nullable(),
  /** 质量保证金, percent: at most 5. */
  retention: z.number().int().min(0).max(5, 'retention_unlawful'),
  retentionDays: whole(0, 365),
  /** 承租方押金. */
  deposit: yuan({ max: 99_999_999 }),
  depositDays: whole(1, 60),
  invoiceFirst: z.boolean(),
  taxChange: z.enum(taxChanges),
  /** 结算答复期限, days, and whether the term of payment begins when it passes in silence. */
  answerDays: whole(3, 15),
  silentClock: z.boolean(),
  /** 逾期利率: null for that of the law, 0.05 % a day (第十七条), or an annual rate in basis points. */
  lateRate: whole(1, maxLateRateBp).nullable(),
  /** 迟到进场违约金, percent of a day's rent; 擅自撤场违约金, percent of a month's rent. */
  entryPenalty: percent(100),
  quitPenalty: percent(100),
  /** 合同外结算上限, percent of the sum. */
  outRatio: percent(30),
  logRule: z.enum(logRules),
  /** 争议解决: the court of the project's place, or an arbitration commission by name. */
  venue: z.object({ kind: z.enum(venueKinds), name: line(0, 60) }),
  /** 其他约定: no money in them. */
  extras: z.array(line(1, maxExtra)).max(maxExtras),
} as const

export type ClauseKey = keyof typeof fields
export const clauseKeys = Object.keys(fields) as ClauseKey[]
export const ClauseName = z.enum(clauseKeys as [ClauseKey, ...ClauseKey[]])

/** The clauses as the wire writes them; parsed, their money is in fen. */
export const ClausesInput = z.object(fields).transform(({ fuelPrice, deposit, ...rest }) => ({
  ...rest,
  fuelPriceFen: fuelPrice,
  depositFen: deposit,
}))
export type ContractClauses = z.output<typeof ClausesInput>

/** The clauses of an answer, money in yuan. */
export const ClausesOut = z.object({ ...fields, fuelPrice: YuanOut.nullable(), deposit: YuanOut })
export const clausesOut = ({ fuelPriceFen, depositFen, ...rest }: ContractClauses) => ({
  ...rest,
  fuelPrice: fuelPriceFen,
  deposit: depositFen,
})
/** The clauses as a form holds them and the wire sends them. */
export type WireClauses = z.output<typeof ClausesOut>
/** The clauses of an answer, money in fen. */
export const clausesFrom = ({ fuelPrice, deposit, ...rest }: WireClauses): ContractClauses => ({
  ...rest,
  fuelPriceFen: fuelPrice === null ? null : fenOf(fuelPrice),
  depositFen: fenOf(deposit),
})

/** The groups of the clause table, in the order of the printed contract. */
export const clauseGroups = {
  term: ['startRule', 'acceptHours', 'endRule', 'noticeDays', 'afterEnd'],
  counting: ['dayCount', 'cutDay', 'partMonth', 'deductDay', 'minUnits', 'minPerDay'],
  work: ['logRule', 'dayHours', 'hourCap', 'overFactor', 'shiftHours', 'shiftRound', 'standbyRate', 'weatherRate', 'fuelPrice'],
  stops: ['stopRules', 'stopNotice', 'faultHours', 'swapDays'],
  payment: ['payRatio', 'payDays', 'restAt', 'restDays', 'nonCash', 'advance', 'recoverAt', 'answerDays', 'silentClock', 'lateRate'],
  tax: ['invoiceFirst', 'taxChange'],
  security: ['bond', 'retention', 'retentionDays', 'deposit', 'depositDays'],
  breach: ['entryPenalty', 'quitPenalty', 'outRatio', 'venue', 'extras'],
} as const satisfies Record<string, readonly ClauseKey[]>
export type ClauseGroup = keyof typeof clauseGroups
export const clauseGroupNames = Object.keys(clauseGroups) as ClauseGroup[]
/** The clauses in the order of the printed contract. */
export const printedClauses: readonly ClauseKey[] = clauseGroupNames.flatMap((group) => clauseGroups[group])

type Machines = {
  /** Of a crane or hoist whose erection is filed (flag BL): it is accepted jointly and its hire ends when it is dismantled. */
  buildingLifting: boolean
  rentUnits: readonly RentUnit[]
}
type Hire = Machines & {
  payment: { ratio: number; days: number }
  extras?: string[]
}

const byWork: readonly RentUnit[] = ['S', 'H', 'V', 'L', 'P']
const halfRent: StopRule = { freeDays: 0, rate: 50 }

/** The clauses that a draft begins with. */
export function defaultClauses({ buildingLifting, rentUnits, payment, extras = [] }: Hire): ContractClauses {
  return {
    ...machineClauses({ buildingLifting, rentUnits }),
    noticeDays: 3,
    dayCount: 'both',
    cutDay: 1,
    partMonth: 'thirty',
    deductDay: 'period',
    faultHours: 20,
    dayHours: 8,
    hourCap: null,
    overFactor: 100,
    shiftHours: 8,
    shiftRound: 'half',
    standbyRate: 50,
    weatherRate: 0,
    stopRules: {
      spring: { freeDays: 15, rate: 100 },
      owner: halfRent,
      lessee: halfRent,
      weather: halfRent,
      government: halfRent,
      fault: { freeDays: 0, rate: 0 },
    },
    stopNotice: 1,
    minUnits: null,
    minPerDay: null,
    swapDays: 3,
    afterEnd: 100,
    fuelPriceFen: null,
    payRatio: payment.ratio,
    payDays: payment.days,
    restAt: 'final',
    restDays: 30,
    nonCash: null,
    advance: 0,
    recoverAt: 80,
    bond: null,
    retention: 0,
    retentionDays: 0,
    depositFen: 0,
    depositDays: 15,
    invoiceFirst: true,
    taxChange: 'net',
    answerDays: 7,
    silentClock: true,
    lateRate: null,
    entryPenalty: 0,
    quitPenalty: 0,
    outRatio: 10,
    venue: { kind: 'court', name: '' },
    extras,
  }
}

/** The clauses whose defaults follow from the machines and from how their rent is counted. */
const machineClauses = ({ buildingLifting, rentUnits }: Machines) => ({
  startRule: buildingLifting ? ('joint' as const) : ('accept' as const),
  acceptHours: buildingLifting ? 72 : 24,
  endRule: buildingLifting ? ('dismantled' as const) : ('notice' as const),
  logRule: rentUnits.some((unit) => byWork.includes(unit)) ? ('needed' as const) : ('optional' as const),
})

/** The clauses of a draft whose machines are replaced: those that were left at the defaults of the former machines have the defaults of the new ones. */
export function withMachines(clauses: ContractClauses, former: Machines, next: Machines): ContractClauses {
  const [left, defaults] = [machineClauses(former), machineClauses(next)]
  return {
    ...clauses,
    startRule: clauses.startRule === left.startRule ? defaults.startRule : clauses.startRule,
    acceptHours: clauses.acceptHours === left.acceptHours ? defaults.acceptHours : clauses.acceptHours,
    endRule: clauses.endRule === left.endRule ? defaults.endRule : clauses.endRule,
    logRule: clauses.logRule === left.logRule ? defaults.logRule : clauses.logRule,
  }
}

/** What the law of payments asks (保障中小企业款项支付条例): the sizes that both declare, and whether it protects the lessor. */
export const companyScales = ['large', 'medium', 'small', 'micro', 'institution'] as const
export type CompanyScale = (typeof companyScales)[number]

/** Whether the regulation protects the lessor: a large firm or an institution pays a smaller firm (第二条, 第三条). */
export const isProtected = (lessee: CompanyScale | null, lessor: CompanyScale | null): boolean =>
  (lessee === 'large' || lessee === 'institution') && (lessor === 'medium' || lessor === 'small' || lessor === 'micro')

/** By size as the law of payments counts: a large firm and an institution owe the same. */
const sizes = { large: 3, institution: 3, medium: 2, small: 1, micro: 0 } as const satisfies Record<CompanyScale, number>

/** Whether a side declares a smaller size than its certification says: a mark for both sides, because the protection turns on it. */
export const isDeclaredSmaller = (declared: CompanyScale | null, certified: CompanyScale | null): boolean =>
  declared !== null && certified !== null && sizes[declared] < sizes[certified]

export type ClauseFacts = {
  smeRule: boolean
  /** One-year loan prime rate in basis points, from the platform's dated setting. */
  lprBp: number
  /** The days of the whole hire, half-open. */
  planStart: string
  planEnd: string
}

type ClauseProblem = { key: ClauseKey; rule: ClauseRule }
export const clauseRules = [
  'pay_days_sme',
  'rest_days_sme',
  'back_to_back',
  'bill_long',
  'late_rate_low',
  'retention_over',
  'venue_needed',
] as const
export type ClauseRule = (typeof clauseRules)[number]

/** What the law forbids or cannot be meant, with the clause where it stands. A contract with one of these is not sent. */
export function clauseProblems(clauses: ContractClauses, { smeRule, lprBp }: ClauseFacts): ClauseProblem[] {
  const problems: ClauseProblem[] = []
  if (smeRule && clauses.payDays > payDaysLimit.sme) problems.push({ key: 'payDays', rule: 'pay_days_sme' })
  if (smeRule && clauses.restDays > payDaysLimit.sme) problems.push({ key: 'restDays', rule: 'rest_days_sme' })
  if (smeRule && clauses.extras.some(isBackToBack)) problems.push({ key: 'extras', rule: 'back_to_back' })
  if (clauses.nonCash !== null && clauses.nonCash.months > maxBillMonths) problems.push({ key: 'nonCash', rule: 'bill_long' })
  if (clauses.lateRate !== null && clauses.lateRate < lprBp) problems.push({ key: 'lateRate', rule: 'late_rate_low' })
  // Of what is paid in full nothing is left to be retained.
  if (clauses.retention > 0 && clauses.payRatio + clauses.retention > 100) problems.push({ key: 'retention', rule: 'retention_over' })
  if (clauses.venue.kind === 'arbitration' && clauses.venue.name === '') problems.push({ key: 'venue', rule: 'venue_needed' })
  return problems
}

export const scaleKeys = ['scaleLessee', 'scaleLessor'] as const
export type ScaleKey = (typeof scaleKeys)[number]
type DraftProblem = { key: ClauseKey | ScaleKey; rule: ClauseRule | ScaleRule }
export const scaleRules = ['scale_lessee_needed', 'scale_lessor_needed'] as const
export type ScaleRule = (typeof scaleRules)[number]

/**
 * Sizes that a draft does not declare. Whether the law protects the lessor is decided by both at the time of signing (第三条), so a contract
 * without one of them is not sent.
 */
export function scaleProblems({ scaleLessee, scaleLessor }: Record<ScaleKey, CompanyScale | null>): DraftProblem[] {
  const problems: DraftProblem[] = []
  if (scaleLessee === null) problems.push({ key: 'scaleLessee', rule: 'scale_lessee_needed' })
  if (scaleLessor === null) problems.push({ key: 'scaleLessor', rule: 'scale_lessor_needed' })
  return problems
}

export const clauseMarks = ['back_to_back_marked', 'pays_late'] as const
export type ClauseMark = (typeof clauseMarks)[number]

/** Up to this share, in percent, is paid later than the progress payments by custom, and up to this length of the hire at its end. */
const lateLimits = { share: 30, months: 6 } as const

/** What is lawful and yet unusual: shown to both, and nothing is refused for it. */
export function clauseMarksOf(
  clauses: ContractClauses,
  { smeRule, planStart, planEnd }: ClauseFacts,
): { key: ClauseKey; mark: ClauseMark }[] {
  const marks: { key: ClauseKey; mark: ClauseMark }[] = []
  if (!smeRule && clauses.extras.some(isBackToBack)) marks.push({ key: 'extras', mark: 'back_to_back_marked' })
  // 第九条: a term that is reasonable by custom. The retention is a part of its own, which is paid after the rest.
  if (smeRule && 100 - clauses.payRatio - clauses.retention > lateLimits.share) marks.push({ key: 'payRatio', mark: 'pays_late' })
  if (smeRule && clauses.restAt === 'final' && planEnd > addMonths(planStart, lateLimits.months))
    marks.push({ key: 'restAt', mark: 'pays_late' })
  return marks
}
