import { z } from 'zod'
import { addDays, daysBetween } from '../calendar.ts'
import { deadlineRules, fitToUnit, needsQuantity } from '../demand/rules.ts'
import type { Endpoint } from '../endpoint.ts'
import { machineNameParts } from '../equipment/name-parts.ts'
import { invoiceKinds, maxUnits, type RentUnit, rentUnits, shiftModes, taxRates } from '../equipment/rules.ts'
import { Taken, unitsTaken } from '../equipment/taken.ts'
import { Day, Id, line, optionalId, paragraph, Quantity } from '../fields.ts'
import { priceFields } from '../quote/price-fields.ts'
import { companyScales } from './clauses.ts'
import { maxPositions } from './rules.ts'

const positionFields = {
  equipmentId: Id,
  qty: z.number().int().min(1).max(maxUnits).default(1),
  planStart: Day,
  planEnd: Day,
  rentUnit: z.enum(rentUnits),
  /** Shifts, hours, cubic metres, metres or pieces for one machine. */
  estQuantity: Quantity.nullable().default(null),
  shiftMode: z.enum(shiftModes).default('single'),
  ...priceFields,
  taxRate: z.union(taxRates.map((rate) => z.literal(rate))).default(13),
  invoiceKind: z.enum(invoiceKinds).default('special'),
  includesOperator: z.boolean().default(false),
  includesFuel: z.boolean().default(false),
  /** Days; for hires by month and day. */
  minRentDays: z.number().int().min(0).max(3650).default(0),
}

type Typed = { planStart: string; planEnd: string; rentUnit: RentUnit; estQuantity: number | null }

function checkPosition({ planStart, planEnd, rentUnit, estQuantity }: Typed, context: z.RefinementCtx): void {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (planEnd <= planStart) refuse('planEnd', 'ends_before_start')
  // 民法典 第七百零五条.
  else if (planEnd > addDays(planStart, deadlineRules.maxLeaseDays)) refuse('planEnd', 'lease_too_long')
  if (needsQuantity(rentUnit) && estQuantity === null) refuse('estQuantity', 'quantity_needed')
}

function refuseTwice(lines: readonly { equipmentId: number }[], context: z.RefinementCtx): void {
  const seen = new Set<number>()
  lines.forEach(({ equipmentId }, index) => {
    if (seen.has(equipmentId)) context.addIssue({ code: 'custom', path: [index, 'equipmentId'], message: 'machine_twice' })
    seen.add(equipmentId)
  })
}

/** Each unit is booked on its own, so a call has so many and no more. */
const hasFewUnits = (lines: readonly { qty: number }[]) => lines.reduce((sum, { qty }) => sum + qty, 0) <= maxUnits

/** A further position that an amendment adds. Both sides read it. */
const AddedPosition = z.object(positionFields).superRefine(checkPosition).overwrite(fitToUnit)
export type AddedPosition = z.output<typeof AddedPosition>
export const AddedPositions = z.array(AddedPosition).min(1).max(maxPositions).superRefine(refuseTwice).refine(hasFewUnits, 'units_many')

/** A position of a contract that a unit writes down itself; of a lot, `qty` of its units. */
export const DirectLineInput = z
  .object({
    ...positionFields,
    /** Why the price is above the ceiling of the organisation. The lessor does not see it. */
    ceilingReason: paragraph(500).default(''),
  })
  .superRefine(checkPosition)
  .overwrite(fitToUnit)
export type DirectLineInput = z.output<typeof DirectLineInput>

/** Characters of all reasons together: they are the note of one step, which pages, chain and evidence pack answer with all others. */
export const maxReasons = 4000

/** Refuses the reason with which they are too long together. */
function refuseLongReasons(lines: readonly { ceilingReason: string }[], context: z.RefinementCtx): void {
  let length = 0
  const index = lines.findIndex(({ ceilingReason }) => (length += ceilingReason.length) > maxReasons)
  if (index !== -1) context.addIssue({ code: 'custom', path: [index, 'ceilingReason'], message: 'reasons_long' })
}

const DirectLines = z
  .array(DirectLineInput)
  .min(1)
  .max(maxPositions)
  .superRefine(refuseTwice)
  .refine(hasFewUnits, 'units_many')
  .superRefine(refuseLongReasons)

export const DirectContractInput = z.object({
  deptId: Id,
  lessorCompanyId: Id,
  title: line(4, 60),
  externalNo: line(0, 40).default(''),
  provinceId: Id,
  cityId: Id,
  districtId: Id.nullable().default(null),
  address: line(2, 200),
  scaleLessee: z.enum(companyScales).nullable().default(null),
  lines: DirectLines,
})
export type DirectContractInput = z.output<typeof DirectContractInput>

/** Drafts of direct contracts that one person has at once. */
export const maxDirectDrafts = 200
/** Direct contracts that one person writes down in a day. Those that they gave up count as well: they stay. */
export const directADay = 400

export const createDirectContract = {
  method: 'POST',
  url: '/business/contract',
  summary:
    'Write down a hire that was agreed elsewhere, as a draft with the usual clauses; its machines are booked once the lessor confirms',
  access: 'contract:make',
  limit: 20,
  form: 'data',
  body: DirectContractInput,
  answer: z.object({ id: z.number() }),
} as const satisfies Endpoint

/** The positions of a draft as they are to be, with the version of the contract that they were read from. */
export const DirectPositionsInput = z.object({ version: z.number().int(), lines: DirectLines })
export type DirectPositionsInput = z.output<typeof DirectPositionsInput>

export const editDirectPositions = {
  method: 'PUT',
  url: '/business/contract/:id/positions',
  summary: 'Replace the positions of a draft that a unit wrote down itself; refused when somebody else changed it meanwhile',
  access: 'contract:make',
  limit: 30,
  form: 'data',
  params: z.object({ id: Id }),
  body: DirectPositionsInput,
  answer: z.object({ version: z.number() }),
} as const satisfies Endpoint

/** Why a machine cannot be written down, whatever the days: on the restriction list, or a licence is missing or over. */
const directBars = ['blocked', 'papers'] as const

export const DirectMachine = z.object({
  id: z.number(),
  equipmentCode: z.string(),
  ...machineNameParts,
  categoryId: z.number(),
  isLot: z.boolean(),
  totalQty: z.number(),
  /** Bookings from today on, by runs of slots. */
  taken: z.array(Taken),
  bar: z.enum(directBars).nullable(),
})
export type DirectMachine = z.output<typeof DirectMachine>

/** Machines of one lessor to choose from. */
export const maxDirectMachines = 2000

export const listDirectMachines = {
  method: 'GET',
  url: '/business/contract/machines/:companyId',
  summary: 'The machines of a certified lessor that are on the shelf, with their bookings, to write down a contract',
  access: 'contract:make',
  form: 'data',
  params: z.object({ companyId: Id }),
  query: z.object({ deptId: optionalId }),
  answer: z.array(DirectMachine),
} as const satisfies Endpoint

export const listAddableMachines = {
  method: 'GET',
  url: '/business/contract/:id/machines',
  summary: 'The machines of the lessor of a contract, with their bookings, to add a position by an amendment',
  access: 'contract:edit',
  form: 'data',
  params: z.object({ id: Id }),
  answer: z.array(DirectMachine),
} as const satisfies Endpoint

export type Wanted = { qty: number; planStart: string; planEnd: string }
type Held = { totalQty: number; taken: readonly Taken[] }

const isFree = ({ totalQty, taken }: Held, qty: number, from: string, to: string) =>
  totalQty - unitsTaken(taken.filter((one) => one.from < to && from < one.to)) >= qty

/**
 * The first day from which the machine, or as many units of the lot, is free for as long as it is wanted: the day it is wanted from, or a day on
 * which another hire ends. Null where the lot is smaller.
 */
export function firstFreeDay(machine: Held, { qty, planStart, planEnd }: Wanted): string | null {
  if (qty > machine.totalQty) return null
  const days = daysBetween(planStart, planEnd)
  const ends = machine.taken.map(({ to }) => to).filter((to) => to > planStart)
  const starts = [planStart, ...new Set(ends.toSorted())]
  return starts.find((start) => isFree(machine, qty, start, addDays(start, days))) ?? null
}

/**
 * Where other hires stand in the way of days that are added to one: the latest day on which it can end, and the first from which as many units are free
 * again for the rest. Null where every day is free. `taken` is of the other hires.
 */
export function extensionLimit(machine: Held, { qty, planStart, planEnd }: Wanted): { takenFrom: string; freeAgain: string } | null {
  if (isFree(machine, qty, planStart, planEnd)) return null
  const { taken } = machine
  const ends = [...new Set([planStart, ...taken.map(({ from }) => from).filter((day) => day > planStart && day < planEnd)])].toSorted()
  const takenFrom = ends.findLast((end) => isFree(machine, qty, planStart, end)) ?? planStart
  const starts = [...new Set(taken.map(({ to }) => to).filter((day) => day > takenFrom))]
  const freeAgain = starts.toSorted().find((day) => isFree(machine, qty, day, day < planEnd ? planEnd : addDays(day, 1)))
  return { takenFrom, freeAgain: freeAgain ?? planEnd }
}
