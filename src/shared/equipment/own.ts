import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { answerFields, Day, Id, paragraph, YuanOut } from '../fields.ts'
import { EquipmentCard, MachineTerms, Price } from './contract.ts'
import { auditStatuses, blockReasons, bookingReasons, changeStatuses, documentKinds, maxUnits, rentCycles, shiftModes } from './rules.ts'
import { EquipmentInput, MachineFields } from './upload.ts'

const params = z.object({ id: Id })

const MachineDocument = z.object({
  kind: z.enum(documentKinds),
  number: z.string(),
  issuedBy: z.string(),
  validTo: z.string().nullable(),
  fileId: z.string().nullable(),
  mime: z.string().nullable(),
})
const Change = z.object({
  id: z.number(),
  status: z.enum(changeStatuses),
  submitTime: z.string(),
  reason: z.string(),
  /** Names of the fields that would change, with both values as text. */
  fields: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
  /** The documents with a file that the machine has not yet, while the change waits. */
  papers: z.array(MachineDocument),
  /** Whether another category is among what waits. */
  categoryWaits: z.boolean(),
})
const Block = z.object({
  blockId: z.string().nullable(),
  from: z.string(),
  to: z.string(),
  reason: z.enum(bookingReasons),
  note: z.string(),
  qty: z.number(),
})

/**
 * What only the owner and the reviewer read of a machine, each in the column of its name. A field of the form is among these until `MachineTerms`
 * shows it to everybody.
 */
export const OwnMachineTerms = z.object({
  auditStatus: z.enum(auditStatuses),
  auditReason: z.string(),
  shelfStatus: z.string(),
  /** On the shelf before its review (先上后审). */
  trusted: z.boolean(),
  offReason: z.string(),
  version: z.number(),
  ...answerFields(MachineFields, [...EquipmentCard.keyof().options, ...MachineTerms.keyof().options, 'originalValue', 'rentCycles']),
})

/** A machine as its owner, and the reviewer, see it. */
export const OwnMachine = EquipmentCard.extend({
  ...MachineTerms.shape,
  ...OwnMachineTerms.shape,
  originalValue: YuanOut.nullable(),
  rentCycles: z.array(z.enum(rentCycles)),
  prices: z.array(Price.extend({ shiftMode: z.enum(shiftModes), minRentDays: z.number(), validTo: z.string().nullable() })),
  papers: z.array(MachineDocument),
  images: z.array(z.string()),
  blocks: z.array(Block),
  change: Change.nullable(),
  events: z.array(z.object({ id: z.number(), at: z.string(), move: z.string(), note: z.string() })),
  /** Other lessors' machines with the same brand and factory number (一机多挂): for the reviewer. */
  duplicates: z.array(z.object({ id: z.number(), name: z.string(), companyName: z.string(), equipmentCode: z.string() })),
})
export type OwnMachine = z.output<typeof OwnMachine>

export const getOwnEquipment = {
  method: 'GET',
  url: '/business/equipment/own/:id',
  summary: 'An own machine whole: documents, pictures, calendar, the change in review',
  access: 'equipment:edit',
  form: 'data',
  params,
  answer: OwnMachine,
} as const satisfies Endpoint

const saving = { submit: z.boolean().default(false) }

export const addEquipment = {
  method: 'POST',
  url: '/business/equipment',
  summary: 'Add a machine: a draft, or submitted for review',
  access: 'equipment:edit',
  form: 'data',
  body: EquipmentInput.safeExtend(saving),
  answer: z.object({ id: z.number(), auditStatus: z.enum(auditStatuses) }),
} as const satisfies Endpoint

export const editEquipment = {
  method: 'PUT',
  url: '/business/equipment',
  summary: 'Change a machine if nobody changed it meanwhile; key fields of a passed one wait as a request, the rest holds at once',
  access: 'equipment:edit',
  form: 'data',
  body: EquipmentInput.safeExtend({ ...saving, id: Id, version: z.number().int() }),
  answer: z.object({ id: z.number(), auditStatus: z.enum(auditStatuses), waiting: z.boolean(), version: z.number() }),
} as const satisfies Endpoint

export const withdrawEquipment = {
  method: 'PUT',
  url: '/business/equipment/:id/withdraw',
  summary: 'Take a machine, or a requested change, back from review',
  access: 'equipment:edit',
  form: 'data',
  params,
  answer: z.null(),
} as const satisfies Endpoint

export const deleteEquipment = {
  method: 'DELETE',
  url: '/business/equipment/:id',
  summary: 'Delete a draft or a rejected machine',
  access: 'equipment:edit',
  form: 'data',
  params,
  answer: z.null(),
} as const satisfies Endpoint

export const retireEquipment = {
  method: 'PUT',
  url: '/business/equipment/:id/retire',
  summary: 'Out of use for good; refused while hires are ahead',
  access: 'equipment:edit',
  form: 'data',
  params,
  answer: z.null(),
} as const satisfies Endpoint

export const confirmEquipment = {
  method: 'PUT',
  url: '/business/equipment/confirm',
  summary: 'Confirm that machines are still available',
  access: 'equipment:edit',
  form: 'data',
  body: z.object({ ids: z.array(Id).min(1).max(200) }),
  answer: z.object({ confirmed: z.number() }),
} as const satisfies Endpoint

export const addBlock = {
  method: 'POST',
  url: '/business/equipment/:id/block',
  summary: 'Keep a machine, or some of a lot, out of hire from a day until before another',
  access: 'equipment:edit',
  limit: 30,
  form: 'data',
  params,
  body: z
    .object({
      from: Day,
      to: Day,
      reason: z.enum(blockReasons),
      note: paragraph(200).default(''),
      qty: z.number().int().min(1).max(maxUnits).default(1),
    })
    .refine(({ from, to }) => from < to, { path: ['to'], error: 'ends_before_start' }),
  answer: z.object({ blockId: z.string() }),
} as const satisfies Endpoint

export const removeBlock = {
  method: 'DELETE',
  url: '/business/equipment/:id/block/:blockId',
  summary: 'Free a period that was taken out of hire by hand',
  access: 'equipment:edit',
  limit: 30,
  form: 'data',
  params: params.extend({ blockId: z.uuid() }),
  answer: z.null(),
} as const satisfies Endpoint

export const turnImage = {
  method: 'POST',
  url: '/file/:id/turn',
  summary: 'An own picture turned a quarter to the right, as a new file',
  access: 'account',
  limit: 60,
  transaction: 'own',
  form: 'data',
  params: z.object({ id: z.uuid() }),
  answer: z.object({ fileId: z.string() }),
} as const satisfies Endpoint
