import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Day, Id, optionalText, paging, sorting } from '../fields.ts'
import { auditActions, auditBizTypes } from './rules.ts'

const AuditEntry = z.object({
  seq: z.number(),
  at: z.string(),
  who: z.string(),
  action: z.enum(auditActions),
  bizType: z.enum(auditBizTypes),
  bizId: z.string(),
  bizName: z.string(),
  reason: z.string(),
  address: z.string(),
})
type AuditEntry = z.infer<typeof AuditEntry>

const none = z.literal('').transform(() => undefined)
const filter = {
  who: optionalText(30),
  keyword: optionalText(60),
  action: z.union([none, z.enum(auditActions)]).optional(),
  bizType: z.union([none, z.enum(auditBizTypes)]).optional(),
  bizId: optionalText(60),
  from: z.union([none, Day]).optional(),
  to: z.union([none, Day]).optional(),
}
export const AuditFilter = z.object(filter)
export type AuditFilter = z.output<typeof AuditFilter>

export const auditSorts = ['at'] as const

export const listAudit = {
  method: 'GET',
  url: '/system/auditLog/list',
  summary: 'The audit log, newest first; an auditor sees what concerns their organisation',
  access: 'audit:view',
  form: 'list',
  query: z.object({ ...paging(20), ...sorting(auditSorts), ...filter }),
  answer: AuditEntry,
} as const satisfies Endpoint

const Values = z.record(z.string(), z.unknown()).nullable()

export const getAudit = {
  method: 'GET',
  url: '/system/auditLog/:seq',
  summary: 'One entry with what stood before and after, and its hash',
  access: 'audit:view',
  form: 'data',
  params: z.object({ seq: Id }),
  answer: AuditEntry.extend({ before: Values, after: Values, hash: z.string() }),
} as const satisfies Endpoint

export const verifyAudit = {
  method: 'GET',
  url: '/system/auditLog/verify',
  summary: 'Recomputes the hash of every entry; names the first one that does not fit',
  access: 'audit:view',
  limit: 10,
  form: 'data',
  answer: z.object({
    entries: z.number(),
    /** Hash of the last entry. Stored elsewhere, it shows later that nothing was cut off. */
    head: z.string(),
    broken: z.object({ seq: z.number(), at: z.string(), who: z.string(), action: z.string() }).nullable(),
  }),
} as const satisfies Endpoint

export const exportAudit = {
  method: 'GET',
  url: '/system/auditLog/export',
  summary: 'The filtered log as a workbook, 10,000 entries at most',
  access: 'audit:view',
  limit: 10,
  form: 'file',
  query: AuditFilter,
  answer: z.null(),
} as const satisfies Endpoint
