export const rentUnits = ['M', 'D', 'S', 'H', 'V', 'L', 'P'] as const
export type RentUnit = (typeof rentUnits)[number]

export const emissionStages = ['1', '2', '3', '4', 'electric', 'none'] as const
export type EmissionStage = (typeof emissionStages)[number]

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

const order: Record<string, number> = { none: 0, '1': 1, '2': 2, '3': 3, '4': 4, electric: 5 }

export function emissionAtLeast(stage: EmissionStage, needed: string | null): boolean {
  return !needed || stage === 'none' || (order[stage] ?? 0) >= (order[needed] ?? 0)
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
] as const
export type DocumentKind = (typeof documentKinds)[number]

type Flags = { specialEquipment: boolean; buildingLifting: boolean; nonRoad: boolean; roadVehicle: boolean; erection: boolean }

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

/** Papers that end before the hire does: they must last as long as the hire. */
export function papersEndingBefore<D extends { validTo: string | null }>(documents: readonly D[], planEnd: string): D[] {
  return documents.filter(({ validTo }) => validTo !== null && validTo < planEnd)
}
