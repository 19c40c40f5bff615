import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id } from '../fields.ts'
import { contractStatuses, contractTasks } from './rules.ts'

const params = z.object({ id: Id })

/** A contract that has not ended, with the tasks that one person is named for. */
const NamedContract = z.object({
  id: z.number(),
  contractCode: z.string(),
  title: z.string(),
  status: z.enum(contractStatuses),
  tasks: z.array(z.enum(contractTasks)),
})
export type NamedContract = z.output<typeof NamedContract>

export const listTasksOf = {
  method: 'GET',
  url: '/business/contract/tasks/:id',
  summary: 'The contracts that have not ended and for which a person of the own organisation is named, with their tasks',
  access: 'user:edit',
  admin: true,
  form: 'data',
  params,
  answer: z.array(NamedContract),
} as const satisfies Endpoint

export const handOverTasks = {
  method: 'PUT',
  url: '/business/contract/tasks/:id',
  summary: 'Name a colleague in the place of a person for all their tasks, before that person leaves; the other sides are told',
  access: 'user:edit',
  admin: true,
  form: 'data',
  params,
  body: z.object({ toAccountId: Id }),
  answer: z.object({ contracts: z.number() }),
} as const satisfies Endpoint

export const listMyTasks = {
  method: 'GET',
  url: '/business/contract/tasks/mine',
  summary: 'The contracts that have not ended and for which the person is named, with their tasks',
  access: 'contract:edit',
  form: 'data',
  answer: z.array(NamedContract),
} as const satisfies Endpoint

export const handOverMyTasks = {
  method: 'PUT',
  url: '/business/contract/tasks/mine',
  summary: 'Name a colleague in the own place for all tasks of contracts; the other sides are told',
  access: 'contract:edit',
  limit: 30,
  form: 'data',
  body: z.object({ toAccountId: Id }),
  answer: z.object({ contracts: z.number() }),
} as const satisfies Endpoint
