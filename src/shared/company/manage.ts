import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, line, optionalId, optionalText, paging, sorting } from '../fields.ts'
import { contractStatuses } from '../contract-status/rules.ts'
import { companyStatuses } from './rules.ts'

export const grades = ['A', 'B', 'C', 'D'] as const

const none = z.literal('').transform(() => undefined)
const params = z.object({ id: Id })
const reason = z.object({ reason: line(2, 500) })

/** A company as the platform's staff see it. `status` "1" is locked. */
const ManagedCompany = z.object({
  id: z.number(),
  enterpriseName: z.string(),
  creditCode: z.string(),
  isLessor: z.boolean(),
  isLessee: z.boolean(),
  lessorAudit: z.string(),
  lesseeAudit: z.string(),
  grade: z.enum(grades).nullable(),
  status: z.enum(companyStatuses),
  regionName: z.string(),
  regionNameEn: z.string(),
  people: z.number(),
  machines: z.number(),
  createTime: z.string(),
})
type ManagedCompany = z.infer<typeof ManagedCompany>

export const companySorts = ['enterpriseName', 'createTime'] as const
const companyFilter = {
  keyword: optionalText(60),
  kind: z.union([none, z.enum(['lessor', 'lessee'])]).optional(),
  grade: z.union([none, z.enum(grades)]).optional(),
  status: z.union([none, z.enum(companyStatuses)]).optional(),
  provinceId: optionalId,
}

export const listCompanies = {
  method: 'GET',
  url: '/system/company/list',
  summary: 'Every company, newest first',
  access: 'company:manage',
  form: 'list',
  query: z.object({ ...paging(20), ...sorting(companySorts), ...companyFilter }),
  answer: ManagedCompany,
} as const satisfies Endpoint

export const exportCompanies = {
  method: 'GET',
  url: '/system/company/export',
  summary: 'The filtered list of companies as a workbook, 10,000 rows at most; the audit log records it',
  access: 'company:manage',
  limit: 10,
  form: 'file',
  query: z.object({ ...sorting(companySorts), ...companyFilter }),
  answer: z.null(),
} as const satisfies Endpoint

export const getCompany = {
  method: 'GET',
  url: '/system/company/:id',
  summary: 'One company with what it does on the platform',
  access: 'company:manage',
  form: 'data',
  params,
  answer: ManagedCompany.extend({
    lockReason: z.string(),
    contactName: z.string(),
    contactPhone: z.string(),
    legalPerson: z.string(),
    address: z.string(),
    lessorValidTo: z.string().nullable(),
    /** Whether visitors see it as a lessor, with its machines. */
    isPublic: z.boolean(),
    onShelf: z.number(),
    demands: z.number(),
    quotes: z.number(),
    won: z.number(),
    restrictions: z.number(),
    /** The contracts that have not ended, of either side: how many, and the newest of them. */
    contractCount: z.number(),
    contracts: z.array(
      z.object({ id: z.number(), contractCode: z.string(), title: z.string(), status: z.enum(contractStatuses), otherName: z.string() }),
    ),
  }),
} as const satisfies Endpoint

export const gradeCompany = {
  method: 'PUT',
  url: '/system/company/:id/grade',
  summary: 'Set or take away the grade of a lessor, if it is still the one before',
  access: 'company:manage',
  audit: { action: 'company.grade', bizType: 'company' },
  form: 'data',
  params,
  body: z.object({ grade: z.enum(grades).nullable(), before: z.enum(grades).nullable(), reason: line(2, 500) }),
  answer: z.null(),
} as const satisfies Endpoint

export const lockCompany = {
  method: 'PUT',
  url: '/system/company/:id/lock',
  summary:
    'Nobody of the company signs in any more, its open pages sign out, its machines leave the shelf; refused unless the number of its contracts that have not ended is stated',
  access: 'company:manage',
  audit: { action: 'company.lock', bizType: 'company' },
  form: 'data',
  params,
  /** `contracts`: how many that have not ended whoever locks it was shown. */
  body: reason.extend({ contracts: z.number().int().min(0).default(0) }),
  answer: z.null(),
} as const satisfies Endpoint

export const unlockCompany = {
  method: 'PUT',
  url: '/system/company/:id/unlock',
  summary: 'Its people may sign in again; machines go back on the shelf by hand',
  access: 'company:manage',
  audit: { action: 'company.unlock', bizType: 'company' },
  form: 'data',
  params,
  body: reason,
  answer: z.null(),
} as const satisfies Endpoint
