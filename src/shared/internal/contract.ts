import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { emissionStages } from '../equipment/rules.ts'
import { Day, Id, line, optionalId, paging, paragraph, yuan, YuanOut } from '../fields.ts'
import { internalStatuses, transferSides, transferStatuses, transferTodos } from './rules.ts'
import { yesNo } from '../rules.ts'

const params = z.object({ id: Id })

export const InternalMachineInput = z
  .object({
    deptId: Id,
    fatherCategoryId: Id,
    categoryId: Id,
    name: line(2, 60),
    brand: paragraph(40).default(''),
    model: paragraph(40).default(''),
    /** Of the main parameter. */
    mainValue: z.number().positive().max(9_999_999).nullable().default(null),
    emissionStage: z.enum(emissionStages).default('none'),
    provinceId: Id,
    cityId: Id,
    place: paragraph(100).default(''),
    /** For a month; null is free of charge. */
    innerPrice: yuan({ min: 1 }).nullable().default(null),
    freeFrom: Day,
    freeTo: Day,
    note: paragraph(500).default(''),
  })
  .refine(({ freeFrom, freeTo }) => freeFrom < freeTo, { path: ['freeTo'], error: 'ends_before_start' })
export type InternalMachineInput = z.output<typeof InternalMachineInput>

const InternalMachine = z.object({
  id: z.number(),
  deptId: z.number(),
  deptName: z.string(),
  fatherCategoryId: z.number(),
  categoryId: z.number(),
  categoryName: z.string(),
  categoryNameEn: z.string(),
  name: z.string(),
  brand: z.string(),
  brandEn: z.string(),
  model: z.string(),
  mainValue: z.number().nullable(),
  emissionStage: z.enum(emissionStages),
  provinceId: z.number(),
  cityId: z.number(),
  regionName: z.string(),
  regionNameEn: z.string(),
  place: z.string(),
  innerPrice: YuanOut.nullable(),
  freeFrom: z.string(),
  freeTo: z.string(),
  note: z.string(),
  status: z.enum(internalStatuses),
  version: z.number(),
  /** Whether the viewer may change it: it belongs to their unit or one below. */
  mine: z.boolean(),
})
export type InternalMachine = z.output<typeof InternalMachine>

export const listInternal = {
  method: 'GET',
  url: '/business/internal/list',
  summary: 'Idle machines of the group',
  access: 'internal:view',
  form: 'list',
  query: z.object({ ...paging(), categoryId: optionalId, mine: z.enum(['', yesNo.yes]).default('') }),
  answer: InternalMachine,
} as const satisfies Endpoint

export const saveInternal = {
  method: 'POST',
  url: '/business/internal',
  summary: 'Offer an idle machine to the group, or change an offer',
  access: 'internal:offer',
  form: 'data',
  body: InternalMachineInput.safeExtend({ id: Id.optional(), version: z.number().int().optional() }),
  answer: z.object({ id: z.number() }),
} as const satisfies Endpoint

export const removeInternal = {
  method: 'DELETE',
  url: '/business/internal/:id',
  summary: 'Offer it no more',
  access: 'internal:offer',
  form: 'data',
  params,
  answer: z.null(),
} as const satisfies Endpoint

/** An idle machine of the group that fits a line, with what it would save. */
export const InternalMatch = z.object({
  lineNo: z.number(),
  machine: InternalMachine,
  distanceKm: z.number().nullable(),
  transport: YuanOut.nullable(),
  /** Over the hire: outside rent (median of the market) less inner price and transport; null where nothing compares. */
  saving: YuanOut.nullable(),
})
export type InternalMatch = z.output<typeof InternalMatch>

const MatchLine = z.object({
  categoryId: Id,
  mainRule: z.enum(['ge', 'le', 'eq']).nullable().default(null),
  mainValue: z.number().nullable().default(null),
  minEmission: z.string().max(10).nullable().default(null),
  planStart: Day,
  planEnd: Day,
})
export type MatchLine = z.output<typeof MatchLine>

export const matchInternal = {
  method: 'POST',
  url: '/business/internal/match',
  summary: 'Idle machines of the group for the lines of a demand about to be published',
  access: 'demand:edit',
  readsOnly: true,
  form: 'data',
  body: z.object({ deptId: Id, cityId: Id, items: z.array(MatchLine).min(1).max(20) }),
  answer: z.array(InternalMatch),
} as const satisfies Endpoint

const Transfer = z.object({
  id: z.number(),
  transferCode: z.string(),
  machineName: z.string(),
  machineNameEn: z.string(),
  categoryName: z.string(),
  categoryNameEn: z.string(),
  fromDeptName: z.string(),
  toDeptName: z.string(),
  demandId: z.number().nullable(),
  from: z.string(),
  to: z.string(),
  transportBy: z.enum(transferSides),
  transport: YuanOut,
  innerPrice: YuanOut.nullable(),
  status: z.enum(transferStatuses),
  note: z.string(),
  reason: z.string(),
  createTime: z.string(),
  may: z.object({ agree: z.boolean(), receive: z.boolean(), withdraw: z.boolean() }),
})
export type Transfer = z.output<typeof Transfer>

export const listTransfers = {
  method: 'GET',
  url: '/business/internal/transfer',
  summary: 'Transfers from and to the own departments',
  access: 'internal:view',
  form: 'list',
  query: z.object({ ...paging(), todo: z.union([z.literal('').transform(() => undefined), z.enum(transferTodos)]).optional() }),
  answer: Transfer,
} as const satisfies Endpoint

export const askTransfer = {
  method: 'POST',
  url: '/business/internal/transfer',
  summary: 'Ask for an idle machine',
  access: 'internal:view',
  form: 'data',
  body: z
    .object({ machineId: Id, deptId: Id, from: Day, to: Day, note: paragraph(500).default('') })
    .refine(({ from, to }) => from < to, { path: ['to'], error: 'ends_before_start' }),
  answer: z.object({ id: z.number() }),
} as const satisfies Endpoint

export const agreeTransfer = {
  method: 'PUT',
  url: '/business/internal/transfer/:id/agree',
  summary: 'The giving unit agrees: the machine is taken for the period',
  access: 'internal:offer',
  form: 'data',
  params,
  body: z.object({ transportBy: z.enum(transferSides).default('to'), transport: yuan().default(0) }),
  answer: z.null(),
} as const satisfies Endpoint

export const refuseTransfer = {
  method: 'PUT',
  url: '/business/internal/transfer/:id/refuse',
  summary: 'The giving unit refuses, with a reason',
  access: 'internal:offer',
  form: 'data',
  params,
  body: z.object({ reason: line(2, 500) }),
  answer: z.null(),
} as const satisfies Endpoint

export const receiveTransfer = {
  method: 'PUT',
  url: '/business/internal/transfer/:id/receive',
  summary: 'The taking unit confirms: done',
  access: 'internal:view',
  form: 'data',
  params,
  answer: z.null(),
} as const satisfies Endpoint

export const withdrawTransfer = {
  method: 'PUT',
  url: '/business/internal/transfer/:id/withdraw',
  summary: 'The taking unit takes its request back',
  access: 'internal:view',
  form: 'data',
  params,
  answer: z.null(),
} as const satisfies Endpoint
