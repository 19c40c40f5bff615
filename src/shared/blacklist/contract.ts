import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { machineNameParts } from '../equipment/name-parts.ts'
import { Day, Id, line, onlyTodo, optionalText, paging, paragraph, sorting } from '../fields.ts'
import { blacklistLevels, blacklistReasons, blacklistRules, blacklistStatuses, proposedReasons, subjectKinds } from './rules.ts'

const params = z.object({ id: Id })
/** What whoever decides has read; another version is refused. */
const version = z.number().int()
const Level = z.union(blacklistLevels.map((level) => z.literal(level)))
const files = z.array(z.uuid()).max(10)

export const BlacklistInput = z
  .object({
    subjectKind: z.enum(subjectKinds).default('company'),
    companyId: Id,
    equipmentId: Id.nullable().default(null),
    personName: paragraph(20).default(''),
    level: Level,
    /** Null for the whole platform, which the operator proposes. */
    scopeDeptId: Id.nullable(),
    reasonCode: z.enum(proposedReasons),
    facts: line(blacklistRules.factsMin, 4000),
    fromDay: Day,
    toDay: Day,
    evidenceIds: files.min(1),
  })
  .superRefine((input, context) => {
    if (input.subjectKind === 'machine' && input.equipmentId === null)
      context.addIssue({ code: 'custom', path: ['equipmentId'], message: 'required' })
    if (input.subjectKind === 'person' && input.personName.length < 2)
      context.addIssue({ code: 'custom', path: ['personName'], message: 'required' })
  })
export type BlacklistInput = z.output<typeof BlacklistInput>

const Entry = z.object({
  id: z.number(),
  blacklistCode: z.string(),
  subjectKind: z.enum(subjectKinds),
  companyId: z.number(),
  companyName: z.string(),
  subjectName: z.string(),
  subjectNameEn: z.string(),
  level: Level,
  scopeName: z.string(),
  reasonCode: z.enum(blacklistReasons),
  fromDay: z.string(),
  toDay: z.string(),
  status: z.enum(blacklistStatuses),
  createTime: z.string(),
})

const File = z.object({ fileId: z.string(), name: z.string(), mime: z.string(), part: z.enum(['evidence', 'answer', 'appeal']) })

export const BlacklistDetail = Entry.extend({
  equipmentId: z.number().nullable(),
  personName: z.string(),
  scopeDeptId: z.number().nullable(),
  facts: z.string(),
  emergency: z.boolean(),
  /** Hidden from the subject. */
  proposer: z.string(),
  answerUntil: z.string().nullable(),
  answer: z.string(),
  answerTime: z.string().nullable(),
  decideTime: z.string().nullable(),
  decideNote: z.string(),
  version: z.number(),
  files: z.array(File),
  appeals: z.array(
    z.object({
      id: z.number(),
      content: z.string(),
      appealTime: z.string(),
      upheld: z.boolean().nullable(),
      decideTime: z.string().nullable(),
      note: z.string(),
    }),
  ),
  events: z.array(z.object({ id: z.number(), at: z.string(), move: z.string(), who: z.string(), note: z.string() })),
  /** What the viewer may do now. */
  may: z.object({
    edit: z.boolean(),
    notify: z.boolean(),
    withdraw: z.boolean(),
    emergency: z.boolean(),
    decide: z.boolean(),
    drop: z.boolean(),
    answer: z.boolean(),
    appeal: z.boolean(),
    decideAppeal: z.boolean(),
    lift: z.boolean(),
  }),
  /** The first day on which the subject may appeal again; null when it may now, and for everybody else. */
  appealFrom: z.string().nullable(),
})
export type BlacklistDetail = z.output<typeof BlacklistDetail>

export const blacklistSorts = ['createTime', 'toDay'] as const
const blacklistFilter = {
  keyword: optionalText(40),
  status: z.union([z.literal('').transform(() => undefined), z.enum(blacklistStatuses)]).optional(),
  todo: onlyTodo,
}

export const listBlacklist = {
  method: 'GET',
  url: '/business/blacklist/list',
  summary: 'Entries that concern the viewer: of their scope, or, for a lessor, about itself',
  access: 'blacklist:view',
  form: 'list',
  query: z.object({ ...paging(), ...sorting(blacklistSorts), ...blacklistFilter }),
  answer: Entry,
} as const satisfies Endpoint

export const exportBlacklist = {
  method: 'GET',
  url: '/business/blacklist/export',
  summary: 'The filtered entries as a workbook, 10,000 rows at most',
  access: 'blacklist:view',
  limit: 10,
  form: 'file',
  query: z.object({ ...sorting(blacklistSorts), ...blacklistFilter }),
  answer: z.null(),
} as const satisfies Endpoint

export const getBlacklist = {
  method: 'GET',
  url: '/business/blacklist/:id',
  summary: 'An entry with facts, evidence, answer, appeals and what the viewer may do',
  access: 'blacklist:view',
  form: 'data',
  params,
  answer: BlacklistDetail,
} as const satisfies Endpoint

export const listScopes = {
  method: 'GET',
  url: '/business/blacklist/scopes',
  summary: 'Departments for which the viewer may propose: their own, those below and those above',
  access: 'blacklist:propose',
  form: 'data',
  answer: z.array(z.object({ deptId: z.number(), deptName: z.string(), deptType: z.string() })),
} as const satisfies Endpoint

export const listMachinesOf = {
  method: 'GET',
  url: '/business/blacklist/machines/:companyId',
  summary: 'Machines of a lessor, to name one',
  access: 'blacklist:propose',
  form: 'data',
  params: z.object({ companyId: Id }),
  answer: z.array(z.object({ id: z.number(), ...machineNameParts, equipmentCode: z.string() })),
} as const satisfies Endpoint

export const proposeBlacklist = {
  method: 'POST',
  url: '/business/blacklist',
  summary: 'Write a proposal down; nothing happens until the subject is notified',
  access: 'blacklist:propose',
  form: 'data',
  audit: { action: 'blacklist.propose', bizType: 'blacklist' },
  body: BlacklistInput,
  answer: z.object({ id: z.number() }),
} as const satisfies Endpoint

export const editBlacklist = {
  method: 'PUT',
  url: '/business/blacklist',
  summary: 'Change an own proposal before the subject is notified',
  access: 'blacklist:propose',
  form: 'data',
  audit: { action: 'blacklist.edit', bizType: 'blacklist' },
  body: BlacklistInput.safeExtend({ id: Id, version: z.number().int() }),
  answer: z.null(),
} as const satisfies Endpoint

export const notifyBlacklist = {
  method: 'PUT',
  url: '/business/blacklist/:id/notify',
  summary: 'Send facts and evidence to the subject, who has seven days to answer',
  access: 'blacklist:propose',
  form: 'data',
  audit: { action: 'blacklist.notify', bizType: 'blacklist' },
  params,
  answer: z.null(),
} as const satisfies Endpoint

export const withdrawBlacklist = {
  method: 'PUT',
  url: '/business/blacklist/:id/withdraw',
  summary: 'Take an own proposal back',
  access: 'blacklist:propose',
  form: 'data',
  audit: { action: 'blacklist.withdraw', bizType: 'blacklist' },
  params,
  answer: z.null(),
} as const satisfies Endpoint

export const answerBlacklist = {
  method: 'PUT',
  url: '/business/blacklist/:id/answer',
  summary: 'What the subject says to it, until the hearing ends',
  access: 'blacklist:answer',
  form: 'data',
  params,
  body: z.object({ answer: line(2, 4000), fileIds: files.default([]) }),
  answer: z.null(),
} as const satisfies Endpoint

export const decideBlacklist = {
  method: 'PUT',
  url: '/business/blacklist/:id/decide',
  summary: 'After the answer or its term: it takes effect or is dropped. Never by the proposer',
  access: 'blacklist:decide',
  form: 'data',
  audit: { action: 'blacklist.decide', bizType: 'blacklist', reason: 'note' },
  params,
  body: z.object({ version, effective: z.boolean(), note: line(2, 1000) }),
  answer: z.null(),
} as const satisfies Endpoint

export const emergencyBlacklist = {
  method: 'PUT',
  url: '/business/blacklist/:id/emergency',
  summary: 'Accident or forgery: in force at once, the hearing follows within seven days',
  access: 'blacklist:decide',
  form: 'data',
  audit: { action: 'blacklist.emergency', bizType: 'blacklist', reason: 'note' },
  params,
  body: z.object({ version, note: line(2, 1000) }),
  answer: z.null(),
} as const satisfies Endpoint

export const appealBlacklist = {
  method: 'PUT',
  url: '/business/blacklist/:id/appeal',
  summary: 'The subject appeals, once in ninety days; the entry stays in force meanwhile',
  access: 'blacklist:answer',
  form: 'data',
  params,
  body: z.object({ content: line(10, 4000), fileIds: files.default([]) }),
  answer: z.null(),
} as const satisfies Endpoint

export const decideAppeal = {
  method: 'PUT',
  url: '/business/blacklist/:id/decideAppeal',
  summary: 'Uphold an appeal, which lifts the entry, or keep the entry',
  access: 'blacklist:decide',
  form: 'data',
  audit: { action: 'blacklist.decideAppeal', bizType: 'blacklist', reason: 'note' },
  params,
  body: z.object({ version, upheld: z.boolean(), note: line(2, 1000) }),
  answer: z.null(),
} as const satisfies Endpoint

export const liftBlacklist = {
  method: 'PUT',
  url: '/business/blacklist/:id/lift',
  summary: 'End an entry before its time, the harm being mended',
  access: 'blacklist:decide',
  form: 'data',
  audit: { action: 'blacklist.lift', bizType: 'blacklist', reason: 'note' },
  params,
  body: z.object({ version, note: line(2, 1000) }),
  answer: z.null(),
} as const satisfies Endpoint
