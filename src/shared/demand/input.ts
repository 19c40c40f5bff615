// Schemas of the demand form. They stand apart from the calls, because pages that only read need none (decision 17).
import { z } from 'zod'
import { invoiceKinds, leastEmissions, rentUnits, shiftModes } from '../equipment/rules.ts'
import { fileLimits } from '../file/rules.ts'
import { Day, Id, line, Moment, paragraph, Phone, Quantity, yuan } from '../fields.ts'
import {
  demandMethod,
  demandMethods,
  demandType,
  demandTypes,
  maxLines,
  needsQuantity,
  offeredMethods,
  paymentCycles,
  sides,
} from './rules.ts'

export const Side = z.enum(sides)

export const SpecRequirement = z.object({
  key: z.string().max(40),
  rule: z.enum(['ge', 'le', 'eq', 'in']),
  value: line(1, 60),
})

export const DemandItemInput = z
  .object({
    fatherCategoryId: Id,
    categoryId: Id,
    specRequirements: z.array(SpecRequirement).max(10).default([]),
    brandPreference: paragraph(40).default(''),
    maxAgeYears: z.number().int().min(1).max(30).nullable().default(null),
    minEmission: z.enum(leastEmissions).nullable().default(null),
    qty: z.number().int().min(1).max(999),
    planStart: Day,
    planEnd: Day,
    rentUnit: z.enum(rentUnits),
    /** Shifts, hours, cubic metres, metres or pieces for one machine. */
    estQuantity: Quantity.nullable().default(null),
    shiftMode: z.enum(shiftModes).default('single'),
    priceCeiling: yuan({ min: 1 }).nullable().default(null),
    remark: paragraph(500).default(''),
  })
  .superRefine((item, context) => {
    if (item.planEnd <= item.planStart) context.addIssue({ code: 'custom', path: ['planEnd'], message: 'ends_before_start' })
    if (needsQuantity(item.rentUnit) && item.estQuantity === null)
      context.addIssue({ code: 'custom', path: ['estQuantity'], message: 'quantity_needed' })
  })
  // A form hides the quantity of a hire by time, where one may be left from another unit.
  .overwrite((item) => (needsQuantity(item.rentUnit) ? item : { ...item, estQuantity: null }))

export const Payment = z.object({
  cycle: z.enum(paymentCycles).default('month'),
  /** Percent paid in each cycle. */
  ratio: z.number().int().min(0).max(100).default(70),
  /** Days to pay; 60 is the statutory limit towards small firms (保障中小企业款项支付条例). */
  days: z.number().int().min(0).max(60).default(30),
  invoice: z.enum(invoiceKinds).default('special'),
})

/** What the form sends to publish: everything is there and in order. Clock rules are in rules.ts. */
export const DemandInput = z
  .object({
    demandType: z.enum(demandTypes).default(demandType.public),
    title: line(4, 60),
    deptId: Id,
    provinceId: Id,
    cityId: Id,
    districtId: Id.nullable().default(null),
    address: line(2, 100),
    lowEmissionZone: z.boolean().default(false),
    contactName: line(2, 20),
    contactPhone: Phone,
    quoteDeadline: Moment,
    clarifyDeadline: Moment.nullable().default(null),
    sealed: z.boolean().default(true),
    urgent: z.boolean().default(false),
    method: z.enum(demandMethods).default(demandMethod.enquiry),
    /** Why no other lessor is asked (domain 1.7); needed for the direct method, which is the only one that has it. */
    methodReason: paragraph(200).default(''),
    /** Without a number, the demand asks for as many as are usual (`leastQuotes`). */
    minQuotes: z.number().int().min(1).max(20).optional(),
    payment: Payment.prefault({}),
    fuelBy: Side.default('lessee'),
    operatorBy: Side.default('lessor'),
    transportBy: Side.default('lessor'),
    erectionBy: Side.default('lessor'),
    lodgingBy: Side.default('lessee'),
    budgetLimit: yuan({ max: 99_999_999_999 }).nullable().default(null),
    internalReason: paragraph(500).default(''),
    /** Whether lessors see the ceilings of the lines. */
    showCeiling: z.boolean().default(true),
    /** The demand whose lines without an award are published again. */
    sourceId: Id.nullable().default(null),
    /** For each fitting idle machine of the group: request it, or give a reason against it (先内后外). */
    internalAnswers: z
      .array(z.object({ machineId: Id, take: z.boolean().default(false), reason: paragraph(200).default('') }))
      .max(200)
      .default([]),
    terms: paragraph(2000).default(''),
    items: z.array(DemandItemInput).min(1).max(maxLines),
    invitedCompanyIds: z.array(Id).max(30).default([]),
    attachmentIds: z.array(z.uuid()).max(fileLimits.demandAttachments).default([]),
  })
  .refine((body) => body.demandType !== demandType.invited || body.invitedCompanyIds.length > 0, {
    path: ['invitedCompanyIds'],
    error: 'invite_needed',
  })
  .refine((body) => body.method !== demandMethod.direct || body.methodReason.length >= 10, {
    path: ['methodReason'],
    error: 'method_reason',
  })
export type DemandInput = z.output<typeof DemandInput>

/**
 * A draft may be incomplete, so its fields are stored as the form holds them; only size and depth are bounded.
 * Publishing turns it into columns.
 */
export const DraftForm = z.record(z.string().max(40), z.json()).refine((form) => JSON.stringify(form).length <= 60_000, 'too_big')

/** The draft, or the rejected demand, that is published. */
export const PublishInput = DemandInput.safeExtend({
  draftId: Id.optional(),
  /** The version of it that the form continues; without it, a newer one is overwritten. */
  version: z.number().int().optional(),
  method: z.enum(offeredMethods).default(demandMethod.enquiry),
})
