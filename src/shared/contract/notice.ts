// A side gives notice that it ends a contract (单方解除通知). The platform passes it on and keeps it; it judges nothing.
import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, line } from '../fields.ts'
import { contractSides } from './rules.ts'

/** Files of one notice. */
export const maxNoticeFiles = 5

export const ContractNotice = z.object({
  id: z.number(),
  side: z.enum(contractSides),
  at: z.string(),
  reason: z.string(),
  files: z.array(z.object({ id: z.string(), name: z.string(), size: z.number(), mime: z.string() })),
})
export type ContractNotice = z.output<typeof ContractNotice>

export const giveContractNotice = {
  method: 'POST',
  url: '/business/contract/:id/notice',
  summary: 'Give notice that the own side ends the contract, with a reason and files; it stays in the chain and changes nothing by itself',
  access: 'contract:edit',
  limit: 10,
  form: 'data',
  params: z.object({ id: Id }),
  body: z.object({ reason: line(2, 500), fileIds: z.array(z.uuid()).max(maxNoticeFiles).default([]) }),
  answer: z.object({ id: z.number() }),
} as const satisfies Endpoint
