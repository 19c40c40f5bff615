import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, paragraph } from '../fields.ts'
import { ChainLink, ChainReceipt } from './chain.ts'

const params = z.object({ id: Id })

export const openDemand = {
  method: 'PUT',
  url: '/business/leasingDemand/:id/open',
  summary:
    'Open the quotes: before the deadline where they are not sealed and were not changed lately; after it where too few quoted. Too few need a reason',
  access: 'demand:edit',
  form: 'data',
  params,
  body: z.object({ reason: paragraph(500).default('') }),
  answer: z.null(),
} as const satisfies Endpoint

export const exportApply = {
  method: 'GET',
  url: '/business/leasingDemand/exportApply',
  summary: 'All quotes of a demand as a workbook, after the opening',
  access: 'demand:export',
  limit: 20,
  form: 'file',
  query: z.object({ id: Id }),
  answer: z.null(),
} as const satisfies Endpoint

export const getChain = {
  method: 'GET',
  url: '/business/leasingDemand/:id/chain',
  summary: 'Everything that happened to a demand as a chain of hashes: for those who see the demand, and for its lessors after the opening',
  access: 'account',
  form: 'data',
  params,
  answer: z.object({ links: z.array(ChainLink), receipts: z.array(ChainReceipt) }),
} as const satisfies Endpoint

export const exportEvidence = {
  method: 'GET',
  url: '/business/leasingDemand/:id/evidence',
  summary: 'The evidence pack of an opened demand: readable pages, offers, files, the chain, and a manifest of SHA-256',
  access: 'demand:export',
  limit: 10,
  form: 'file',
  params,
  // Reads files from the storage and packs them, so only its audit entry is written in a transaction.
  transaction: 'own',
  answer: z.null(),
} as const satisfies Endpoint
