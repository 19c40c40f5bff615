import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { leastEmissions, rentUnits, shiftModes } from '../equipment/rules.ts'
import { answerFields, batchIds, BatchAnswer, Day, Id, optionalId, optionalText, paging, sorting, YuanOut, exact } from '../fields.ts'
import { DemandInput, DraftForm, Payment, PublishInput, Side, SpecRequirement } from './input.ts'
import { yesNo } from '../rules.ts'
import { demandMethods, demandStatuses, demandTypes } from './rules.ts'
import { AwardContracts } from '../award/award-contracts.ts'
import { awardRequestStatuses } from '../award/rules.ts'
import { demandTodos } from './todo.ts'

const DemandItem = z.object({
  id: z.number(),
  lineNo: z.number(),
  fatherCategoryId: z.number(),
  categoryId: z.number(),
  categoryName: z.string(),
  categoryNameEn: z.string(),
  specRequirements: z.array(SpecRequirement),
  brandPreference: z.string(),
  maxAgeYears: z.number().nullable(),
  minEmission: z.enum(leastEmissions).nullable(),
  qty: z.number(),
  planStart: z.string(),
  planEnd: z.string(),
  rentUnit: z.enum(rentUnits),
  estQuantity: z.number().nullable(),
  shiftMode: z.enum(shiftModes),
  remark: z.string(),
})
export type DemandItem = z.infer<typeof DemandItem>

export const DemandCard = z.object({
  id: z.number(),
  demandCode: z.string().nullable(),
  demandType: z.enum(demandTypes),
  title: z.string(),
  projectName: z.string(),
  companyName: z.string(),
  provinceId: z.number().nullable(),
  cityId: z.number().nullable(),
  regionName: z.string(),
  regionNameEn: z.string(),
  status: z.enum(demandStatuses),
  sealed: z.boolean(),
  urgent: z.boolean(),
  method: z.enum(demandMethods),
  quoteDeadline: z.string().nullable(),
  publishTime: z.string().nullable(),
  planStart: z.string().nullable(),
  planEnd: z.string().nullable(),
  items: z.array(
    DemandItem.pick({
      id: true,
      fatherCategoryId: true,
      categoryId: true,
      categoryName: true,
      categoryNameEn: true,
      qty: true,
      planStart: true,
      planEnd: true,
    }),
  ),
})
export type DemandCard = z.infer<typeof DemandCard>

/** A demand on a list of those who see it as their own; visitors and lessors do not learn how many have quoted. */
export const OwnDemandCard = DemandCard.extend({ quoteCount: z.number() })

/** A row of the own list: the sum of the award and what it saves on the mean of the quotes, null where they are equal, and since when a decision is awaited. */
const OwnDemandRow = OwnDemandCard.extend({
  net: YuanOut.nullable(),
  saved: YuanOut.nullable(),
  waitingSince: z.string().nullable(),
})
export type OwnDemandRow = z.output<typeof OwnDemandRow>

const status = z.union([z.literal('').transform(() => undefined), z.enum(demandStatuses)]).optional()

/** Only those that wait for this person to do that. */
const todo = z.union([z.literal('').transform(() => undefined), z.enum(demandTodos)]).optional()

export const DemandFilter = z.object({
  ...paging(10),
  exact,
  demandCode: optionalText(40),
  keyword: optionalText(40),
  status,
  provinceId: optionalId,
  cityId: optionalId,
  categoryId: optionalId,
  fatherCategoryId: optionalId,
  demandType: z.union([z.literal('').transform(() => undefined), z.enum(demandTypes)]).optional(),
  /** The hire touches this period. */
  planFrom: z.union([z.literal('').transform(() => undefined), Day]).optional(),
  planTo: z.union([z.literal('').transform(() => undefined), Day]).optional(),
})

export const listPublicDemands = {
  method: 'GET',
  url: '/business/leasingDemand/firstPageList',
  summary: 'The public demand library',
  access: 'public',
  form: 'list',
  shared: true,
  query: DemandFilter,
  answer: DemandCard,
} as const satisfies Endpoint

const AttachedFile = z.object({ fileId: z.string(), name: z.string(), size: z.number() })

/** What a demand says beyond its card, each in the column of its name. */
export const DemandTerms = z.object({
  address: z.string(),
  projectType: z.string(),
  lowEmissionZone: z.boolean(),
  clarifyDeadline: z.string().nullable(),
  minQuotes: z.number(),
  payment: Payment,
  fuelBy: Side,
  operatorBy: Side,
  transportBy: Side,
  erectionBy: Side,
  lodgingBy: Side,
  terms: z.string(),
})

/** Everything but budget, ceilings and contacts. */
export const PublicDemand = DemandCard.extend({
  ...DemandTerms.shape,
  items: z.array(DemandItem),
  attachments: z.array(AttachedFile),
  winners: z.array(z.object({ companyName: z.string(), lineNo: z.number(), qty: z.number() })),
})
export type PublicDemand = z.infer<typeof PublicDemand>

export const getPublicDemand = {
  method: 'GET',
  url: '/business/leasingDemand/firstPageList/:id',
  summary: 'A published demand; without a token the address, the terms and the attachments are left out',
  access: 'public',
  form: 'data',
  shared: true,
  params: z.object({ id: Id }),
  /** `isOwn`: the demand is of the reader's own unit, or of one below it. */
  answer: PublicDemand.extend({ isOwn: z.boolean() }),
} as const satisfies Endpoint

export const lookAtContact = {
  method: 'GET',
  url: '/business/leasingDemand/:id/contact',
  summary: 'The contact of a demand; every look is recorded, and their number a day is limited (setting "limits")',
  access: 'contact:look',
  transaction: 'call',
  form: 'data',
  params: z.object({ id: Id }),
  answer: z.object({ contactName: z.string(), contactPhone: z.string() }),
} as const satisfies Endpoint

export const ownDemandSorts = ['publishTime', 'quoteDeadline', 'quoteCount', 'net'] as const
/** All filters but the status, by which the list is counted. */
const besidesStatus = {
  deptId: optionalId,
  projectName: optionalText(40),
  demandCode: optionalText(40),
  /** Only those that are not decided: waiting for their approval, open for quotes or judged. */
  open: z.enum(['', yesNo.yes]).default(''),
  /** Only those whose quotes have been opened. */
  opened: z.enum(['', yesNo.yes]).default(''),
  todo,
}
const ownDemandFilter = { status, ...besidesStatus }

export const listOwnDemands = {
  method: 'GET',
  url: '/business/leasingDemand/list',
  summary: 'The demands of the own departments, with counts for each status',
  access: 'demand:view',
  form: 'list',
  query: z.object({ ...paging(), ...sorting(ownDemandSorts), ...ownDemandFilter }),
  answer: OwnDemandRow,
} as const satisfies Endpoint

export const exportOwnDemands = {
  method: 'GET',
  url: '/business/leasingDemand/export',
  summary: 'The filtered list of the own demands as a workbook, 10,000 rows at most',
  access: 'demand:view',
  limit: 10,
  form: 'file',
  query: z.object({ ...sorting(ownDemandSorts), ...ownDemandFilter }),
  answer: z.null(),
} as const satisfies Endpoint

export const countOwnDemands = {
  method: 'GET',
  url: '/business/leasingDemand/counts',
  summary: 'How many demands of the own list stand in each status, under its other filters',
  access: 'demand:view',
  form: 'data',
  query: z.object(besidesStatus),
  answer: z.record(z.string(), z.number()),
} as const satisfies Endpoint

export const draftSorts = ['updateTime'] as const

export const listDrafts = {
  method: 'GET',
  url: '/business/leasingDemand/draftList',
  summary: 'Drafts of the own departments',
  access: 'demand:edit',
  form: 'list',
  query: z.object({ ...paging(), ...sorting(draftSorts), projectName: optionalText(40) }),
  answer: z.object({
    id: z.number(),
    title: z.string(),
    projectName: z.string(),
    itemCount: z.number(),
    updateTime: z.string(),
    version: z.number(),
  }),
} as const satisfies Endpoint

export const getDraft = {
  method: 'GET',
  url: '/business/leasingDemand/draft/:id',
  summary: 'A draft as it was typed',
  access: 'demand:edit',
  form: 'data',
  params: z.object({ id: Id }),
  answer: z.object({ id: z.number(), version: z.number(), form: DraftForm }),
} as const satisfies Endpoint

export const saveDraft = {
  method: 'POST',
  url: '/business/leasingDemand/draft',
  summary: 'Keep a half-typed demand; with an id the draft is replaced if nobody saved it meanwhile',
  access: 'demand:edit',
  form: 'data',
  body: z
    .object({ id: Id.optional(), version: z.number().int().optional(), deptId: Id, form: DraftForm })
    .transform(({ id, version, ...draft }, context) => {
      if (id === undefined) return draft
      if (version !== undefined) return { ...draft, id, version }
      context.addIssue({ code: 'custom', path: ['version'], message: 'required' })
      return z.NEVER
    }),
  answer: z.object({ id: z.number(), version: z.number() }),
} as const satisfies Endpoint

export const deleteDraft = {
  method: 'DELETE',
  url: '/business/leasingDemand/draft/:id',
  summary: 'Throw a draft away',
  access: 'demand:edit',
  form: 'data',
  params: z.object({ id: Id }),
  answer: z.null(),
} as const satisfies Endpoint

export const deleteDrafts = {
  method: 'PUT',
  url: '/business/leasingDemand/draft/deleteBatch',
  summary: 'Throw several drafts away; each by itself, so that one that is gone does not stop the others',
  access: 'demand:edit',
  transaction: 'own',
  form: 'data',
  body: z.object({ ids: batchIds }),
  answer: BatchAnswer,
} as const satisfies Endpoint

export const publishDemand = {
  method: 'POST',
  url: '/business/leasingDemand',
  summary:
    'Publish a demand, from a draft or a rejected one where draftId is given, if nobody saved it since that version; submitted for approval where the unit wants that',
  access: 'demand:edit',
  form: 'data',
  body: PublishInput,
  answer: z.object({ id: z.number(), demandCode: z.string(), status: z.enum(demandStatuses) }),
} as const satisfies Endpoint

const Link = z.object({ id: z.number(), demandCode: z.string().nullable(), title: z.string() })

/** The decision about an idle machine of the group when the demand was published. */
const InternalCheck = z.object({
  machineId: z.number(),
  name: z.string(),
  /** Demands of earlier versions name a machine in Chinese only. */
  nameEn: z.string().optional(),
  deptName: z.string(),
  distanceKm: z.number().nullable(),
  take: z.boolean(),
  reason: z.string(),
})

/** A proposed award that waits for the approval of the unit above. */
const AwardRequest = z.object({
  id: z.number(),
  who: z.string(),
  requestTime: z.string(),
  net: YuanOut,
  status: z.enum(awardRequestStatuses),
  reason: z.string(),
  lines: z.array(z.object({ demandItemId: z.number(), quoteLineId: z.number(), qty: z.number(), reason: z.string() })),
})

/**
 * What only the own departments read of a demand, each in the column of its name. A field of the form is among these until `DemandTerms` shows it to
 * lessors.
 */
export const OwnTerms = z.object({
  ...answerFields(DemandInput, [
    ...DemandCard.keyof().options,
    ...DemandTerms.keyof().options,
    'budgetLimit',
    'sourceId',
    'internalAnswers',
    'invitedCompanyIds',
    'attachmentIds',
  ]),
  quoteCount: z.number(),
  /** How many lessors have heard of it; null where that is not known. */
  notifiedCount: z.number().nullable(),
  internalCheck: z.array(InternalCheck),
  statusReason: z.string(),
  revision: z.number(),
  version: z.number(),
  openTime: z.string().nullable(),
})

export const OwnDemand = PublicDemand.extend({
  ...OwnTerms.shape,
  budgetLimit: YuanOut.nullable(),
  /** Whether the viewer approves for the unit above. */
  mayApprove: z.boolean(),
  /** Whether too few quotes were confirmed at the deadline, so that the owner extends it, opens with a reason or ends the demand. */
  isToldShort: z.boolean(),
  /** Whether a unit above approves demands, so that the viewer may not change what it decided on (decision 60). */
  isDecidedAbove: z.boolean(),
  awardRequest: AwardRequest.nullable(),
  /** When the clock lets the demand fail unless it is decided; null before the opening, while an award waits for approval, and after the decision. */
  decisionEnds: z.string().nullable(),
  /** Null before the award, and for an award from before there were contracts. */
  contracts: AwardContracts.nullable(),
  /** Whether lines or quantities are left that may be published again. */
  hasRest: z.boolean(),
  source: Link.nullable(),
  /** Demands that publish the lines again which this one did not award. */
  followers: z.array(Link.extend({ status: z.enum(demandStatuses) })),
  invited: z.array(z.object({ companyId: z.number(), companyName: z.string() })),
  ceilings: z.record(z.string(), YuanOut),
  events: z.array(
    z.object({ id: z.number(), at: z.string(), move: z.string(), who: z.string(), note: z.string(), toStatus: z.string().nullable() }),
  ),
})
export type OwnDemand = z.output<typeof OwnDemand>

export const getOwnDemand = {
  method: 'GET',
  url: '/business/leasingDemand/:id',
  summary: 'An own demand with its timeline',
  access: 'demand:view',
  form: 'data',
  params: z.object({ id: Id }),
  answer: OwnDemand,
} as const satisfies Endpoint
