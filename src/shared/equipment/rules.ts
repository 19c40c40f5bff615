import { dayMs, daysBetween, fromMoment } from '../calendar.ts'
import { isAmong, type Moves } from '../lifecycle.ts'

/** In the order in which prices are shown: the month price is computed from the first that can be. */
export const rentUnits = ['M', 'D', 'S', 'H', 'V', 'L', 'P'] as const
export type RentUnit = (typeof rentUnits)[number]

/** One shift a day, or two. */
export const shiftModes = ['single', 'double'] as const
export type ShiftMode = (typeof shiftModes)[number]

/** A VAT invoice by which the lessee deducts the tax (专票), or one by which they do not. */
export const invoiceKinds = ['special', 'plain'] as const
export type InvoiceKind = (typeof invoiceKinds)[number]

/** Who pays for the fuel of a machine; `none` needs none. */
export const fuelPayers = ['lessor', 'lessee', 'none'] as const
export type FuelPayer = (typeof fuelPayers)[number]

/** How long a machine is let for: under a month, by the month, by the year. */
export const rentCycles = ['short', 'month', 'year'] as const
export type RentCycle = (typeof rentCycles)[number]

/** The right by which a lessor lets a machine: as its owner, from a lease, for its owner, or sublet. */
export const ownerships = ['own', 'lease', 'agent', 'sublet'] as const
export type Ownership = (typeof ownerships)[number]

/** Rates of VAT in percent at which a machine may be let. */
export const taxRates = [13, 9, 6, 3, 1, 0] as const

/** National stages 国一 to 国四; `none` is a machine without an engine. */
export const emissionStages = ['1', '2', '3', '4', 'electric', 'none'] as const
export type EmissionStage = (typeof emissionStages)[number]
/** What a demand may ask for at the least. */
export const leastEmissions = ['2', '3', '4', 'electric'] as const satisfies readonly EmissionStage[]
/** The least that a low-emission zone admits (国三). */
export const zoneEmission = '3' satisfies EmissionStage

/**
 * Month price for filters and sorting (折合): month as is, day × 30, shift × 26 (single) or × 52 (double),
 * hour × 8 × 26; by the cubic metre, metre or piece it cannot be compared and is null.
 */
export function monthPriceFen(unit: RentUnit, priceFen: number, doubleShift = false): number | null {
  switch (unit) {
    case 'M':
      return priceFen
    case 'D':
      return priceFen * 30
    case 'S':
      return priceFen * (doubleShift ? 52 : 26)
    case 'H':
      return priceFen * 8 * 26
    default:
      return null
  }
}

/**
 * The month price of a machine in fen (折合), by which it is compared, filtered and sorted: its month rent, or else computed from its rent
 * by the day, the shift or the hour. Null if it has none of them.
 */
export function normalisedPriceFen(
  prices: readonly { rentUnit: RentUnit; priceFen: number | null; shiftMode?: string | undefined }[],
): number | null {
  for (const unit of rentUnits)
    for (const { rentUnit, priceFen, shiftMode } of prices)
      if (rentUnit === unit && priceFen !== null) return monthPriceFen(unit, priceFen, shiftMode === 'double')
  return null
}

/** The prices that hold on a day; one without a last day does not end. One that has ended is to be agreed (面议). */
export const pricesOn = <Price extends { validTo: string | null }>(prices: readonly Price[], day: string): Price[] =>
  prices.filter(({ validTo }) => validTo === null || validTo >= day)

/** How soon a paper ends: within 90, 30 or 7 days, or 0 once it has ended; null later than that. */
export function dueOf(validTo: string, today: string): 90 | 30 | 7 | 0 | null {
  const days = daysBetween(today, validTo)
  return days < 0 ? 0 : days <= 7 ? 7 : days <= 30 ? 30 : days <= 90 ? 90 : null
}

const order: Record<string, number> = { none: 0, '1': 1, '2': 2, '3': 3, '4': 4, electric: 5 }

export function emissionAtLeast(stage: EmissionStage, needed: string | null): boolean {
  return !needed || stage === 'none' || (order[stage] ?? 0) >= (order[needed] ?? 0)
}

/** The parameter that names the power of a machine, in the words of its lessor: "电动", "柴油", "油电混动". */
const driveParam = 'drive'

/** Whether a machine runs on electricity alone and burns no fuel: by its emission stage, or by its drive where that is a parameter. */
export function isElectric({ emissionStage, specs }: { emissionStage: string; specs: Readonly<Record<string, string | number>> }): boolean {
  const drive = String(specs[driveParam] ?? '')
  return emissionStage === 'electric' || (/电|electric|battery/i.test(drive) && !/柴|汽油|油电|混|diesel|petrol|gas|hybrid/i.test(drive))
}

export type SpecRule = 'ge' | 'le' | 'eq' | 'in'
export type SpecRequirement = { key: string; rule: SpecRule; value: string }

/** Whether a machine's value meets one requirement; an absent value does not. */
export function meets(value: unknown, { rule, value: wanted }: SpecRequirement): boolean {
  if (value === undefined || value === null || value === '') return false
  const actual = Number(value)
  const needed = Number(wanted)
  switch (rule) {
    case 'ge':
      return actual >= needed
    case 'le':
      return actual <= needed
    case 'eq':
      return Number.isFinite(actual) && Number.isFinite(needed) ? actual === needed : String(value) === wanted
    case 'in':
      return wanted
        .split(/[,，、/]/)
        .map((part) => part.trim())
        .includes(String(value))
  }
}

/** Documents every machine of a category must hold, by its flags (domain 1.6). */
export const documentKinds = [
  'ownership',
  'conformity',
  'registration',
  'inspection',
  'filing',
  'emission',
  'driving',
  'insurance',
  'erection',
  'operator',
  'assessment',
] as const
export type DocumentKind = (typeof documentKinds)[number]

export type Flags = { specialEquipment: boolean; buildingLifting: boolean; nonRoad: boolean; roadVehicle: boolean; erection: boolean }

export function requiredDocuments(flags: Flags): DocumentKind[] {
  return [
    'ownership',
    'conformity',
    ...(flags.specialEquipment ? (['registration', 'inspection'] as const) : []),
    ...(flags.buildingLifting ? (['filing'] as const) : []),
    ...(flags.nonRoad ? (['emission'] as const) : []),
    ...(flags.roadVehicle ? (['driving', 'insurance'] as const) : []),
    ...(flags.erection ? (['erection'] as const) : []),
  ]
}

/** The documents that a machine of this category can have at all: those it must hold, and those some hires ask for. */
export function usefulDocuments(categoryId: number, flags: Flags): DocumentKind[] {
  const isAssessed = assessed.hoists.has(categoryId) || isAmong(categoryId, assessed.towerCranes)
  return [
    ...new Set([...requiredDocuments(flags), 'insurance' as const, 'operator' as const, ...(isAssessed ? (['assessment'] as const) : [])]),
  ]
}

/** Documents whose last day must be known. */
export const datedDocuments: readonly DocumentKind[] = ['inspection', 'insurance', 'erection', 'operator', 'assessment']

/**
 * Categories of the catalogue whose safety assessment JGJ/T 189-2009 (assessment of construction lifting machines) orders by age:
 * tower cranes with a flat top or head (201) or a luffing jib (202), and hoists by the years after which it is due: those on a rack (SC, 208) and
 * those on a rope (SS, 209).
 */
const assessed = {
  towerCranes: [201, 202] as const,
  hoists: new Map([
    [208, 8],
    [209, 5],
  ]),
}

/**
 * Whether a safety assessment is due by age (JGJ/T 189-2009): tower cranes under 630 kN·m over 10 years, under 1250 over 15, others over 20;
 * hoists over 8 on a rack and over 5 on a rope. The main value of a tower crane is its moment in t·m.
 */
export function needsAssessment(categoryId: number, mainValue: number | null, ageYears: number): boolean {
  const hoistYears = assessed.hoists.get(categoryId)
  if (hoistYears !== undefined) return ageYears > hoistYears
  if (!isAmong(categoryId, assessed.towerCranes)) return false
  const moment = mainValue ?? 0
  return ageYears > (moment < 63 ? 10 : moment < 125 ? 15 : 20)
}

/** The review of a machine. */
export const equipmentAudit = { draft: '0', submitted: '1', passed: '2', rejected: '3' } as const
export const auditStatuses = Object.values(equipmentAudit)
export type AuditStatus = (typeof equipmentAudit)[keyof typeof equipmentAudit]

/** A machine on the shelf is shown to everybody; one taken down waits until the platform restores it. */
export const shelfStatus = { off: '0', on: '1', takenDown: '2' } as const
export const shelfStatuses = Object.values(shelfStatus)
export type ShelfStatus = (typeof shelfStatus)[keyof typeof shelfStatus]
/** The places between which a lessor moves a machine. */
export const lessorShelves = [shelfStatus.off, shelfStatus.on] as const

export const rentStatus = { available: '0', reserved: '1', onHire: '2', inRepair: '3', retired: '4' } as const
export type RentStatus = (typeof rentStatus)[keyof typeof rentStatus]

/** A request to change key fields of a machine that has passed. */
export const changeStatus = { waiting: '1', passed: '2', rejected: '3', withdrawn: '4' } as const
export const changeStatuses = Object.values(changeStatus)
export type ChangeStatus = (typeof changeStatus)[keyof typeof changeStatus]

const { draft, submitted, passed, rejected } = equipmentAudit

/** 草稿, 待审核, 通过, 驳回. A passed machine is changed by a request of its own. */
export const equipmentMoves = {
  submit: { from: [draft, rejected], to: submitted, by: ['lessor'] },
  withdraw: { from: [submitted], to: draft, by: ['lessor'] },
  pass: { from: [submitted], to: passed, by: ['operator'] },
  reject: { from: [submitted], to: rejected, by: ['operator'] },
} as const satisfies Moves<AuditStatus, 'lessor' | 'operator'>

/** A step in the history of a machine: a move of its review, or another step of its lessor, the platform or the clock. */
export type EquipmentStep =
  | keyof typeof equipmentMoves
  | 'draft'
  | 'edit'
  | 'change'
  | 'retire'
  | 'block'
  | 'unblock'
  | 'import'
  | 'expire'
  | 'unconfirmed'
  | 'trust'
  | 'confirm'
  | 'takeDown'
  | 'restore'

/** Days without a confirmation after which a lessor is reminded that their machines may be let already, and after which one leaves the shelf. */
export const freshness = { remindDays: 7, shelfDays: 30 } as const

/** Whether a machine on the shelf waits so long for a confirmation that its lessor is reminded. */
export const isStale = ({ shelfStatus: shelf, confirmedAt }: { shelfStatus: string; confirmedAt: string }, now: Date): boolean =>
  shelf === shelfStatus.on && now.getTime() - fromMoment(confirmedAt).getTime() > freshness.remindDays * dayMs

/** Units of a lot, and of all lots of one call. */
export const maxUnits = 9999
/** Units that one machine may have blocked by hand in periods that are not over, each period counted. */
export const maxBlockedUnits = 2 * maxUnits

/** Why the owner keeps a machine out of hire. */
export const blockReasons = ['repair', 'own', 'reserved'] as const
/** Why a machine is not free: a hire, or the owner. */
export const bookingReasons = ['award', 'contract', ...blockReasons] as const
export type BookingReason = (typeof bookingReasons)[number]

/** Documents that end before the hire does: they must last as long as the hire. */
export function documentsEndingBefore<D extends { validTo: string | null }>(documents: readonly D[], planEnd: string): D[] {
  return documents.filter(({ validTo }) => validTo !== null && validTo < planEnd)
}
