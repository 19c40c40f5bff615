import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, line } from '../fields.ts'

/** The lists that remember the columns and the views of a person. */
const workLists = [
  'ownDemand',
  'draft',
  'ownEquipment',
  'contract',
  'people',
  'blacklist',
  'ceiling',
  'companies',
  'accounts',
  'equipmentReview',
  'certificationReview',
  'articles',
  'contacts',
  'cancellations',
  'outbox',
  'audit',
] as const
export type WorkList = (typeof workLists)[number]

/** Views of one list of one account. */
export const maxViews = 20

const ViewInput = z.object({
  list: z.enum(workLists),
  name: line(1, 40),
  /** The query part of the list's address, without the question mark and the page. */
  query: z.string().max(600),
  /** The columns that do not show. */
  hidden: z.array(z.string().max(40)).max(30).default([]),
})

export const SavedView = z.object({ id: z.number(), name: z.string(), query: z.string(), hidden: z.array(z.string()) })
export type SavedView = z.output<typeof SavedView>

export const listViews = {
  method: 'GET',
  url: '/system/savedView/list',
  summary: 'The own views of a list, by name',
  access: 'account',
  form: 'data',
  query: z.object({ list: z.enum(workLists) }),
  answer: z.array(SavedView),
} as const satisfies Endpoint

export const saveView = {
  method: 'POST',
  url: '/system/savedView',
  summary:
    'Save the filters, the sorting and the columns of a list under a name, in place of an own view of that name; at most 20 for each list',
  access: 'account',
  form: 'data',
  body: ViewInput,
  answer: z.object({ id: z.number() }),
} as const satisfies Endpoint

export const deleteView = {
  method: 'DELETE',
  url: '/system/savedView/:id',
  summary: 'Delete an own view',
  access: 'account',
  form: 'data',
  params: z.object({ id: Id }),
  answer: z.null(),
} as const satisfies Endpoint
