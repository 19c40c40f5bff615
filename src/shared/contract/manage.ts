import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, line, optionalId, optionalText, paging, sorting } from '../fields.ts'
import { contractSources, contractStatuses } from './rules.ts'

const none = z.literal('').transform(() => undefined)

/** A contract as the platform lists it: whose it is and how it stands, without prices. */
const WatchedContract = z.object({
  id: z.number(),
  contractCode: z.string(),
  title: z.string(),
  source: z.enum(contractSources),
  status: z.enum(contractStatuses),
  lesseeName: z.string(),
  deptName: z.string(),
  lessorName: z.string(),
  planStart: z.string(),
  planEnd: z.string(),
  createTime: z.string(),
  updateTime: z.string(),
})
type WatchedContract = z.output<typeof WatchedContract>

export const watchedSorts = ['planEnd', 'updateTime'] as const

/** All filters but the state, by which the list is counted. */
const besidesStatus = {
  /** Words of the title, the code or the name of a side. */
  keyword: optionalText(60),
  source: z.union([none, z.enum(contractSources)]).optional(),
  /** Either side. */
  companyId: optionalId,
}
const filters = { status: z.union([none, z.enum(contractStatuses)]).optional(), ...besidesStatus }

export const listAllContracts = {
  method: 'GET',
  url: '/system/contract/list',
  summary: 'Every contract without its prices, newest first unless another order is chosen, for the platform',
  access: 'contract:look',
  form: 'list',
  query: z.object({ ...paging(20), ...sorting(watchedSorts), ...filters }),
  answer: WatchedContract,
} as const satisfies Endpoint

export const countAllContracts = {
  method: 'GET',
  url: '/system/contract/counts',
  summary: 'How many contracts of the platform are in each state, under the other filters of the list',
  access: 'contract:look',
  form: 'data',
  query: z.object(besidesStatus),
  answer: z.partialRecord(z.enum(contractStatuses), z.number()),
} as const satisfies Endpoint

export const exportAllContracts = {
  method: 'GET',
  url: '/system/contract/export',
  summary: 'The filtered list as a workbook, without prices and bank accounts; the audit log records it',
  access: 'contract:look',
  limit: 10,
  form: 'file',
  query: z.object({ ...sorting(watchedSorts), ...filters }),
  answer: z.null(),
} as const satisfies Endpoint

export const lookAtContract = {
  method: 'POST',
  url: '/system/contract/:id/look',
  summary: 'State why the platform reads a contract: it may then be read for an hour. The reason is in the audit log and both sides see it',
  access: 'contract:look',
  limit: 30,
  audit: { action: 'contract.look', bizType: 'contract' },
  form: 'data',
  params: z.object({ id: Id }),
  body: z.object({ reason: line(2, 500) }),
  answer: z.object({ until: z.string() }),
} as const satisfies Endpoint
