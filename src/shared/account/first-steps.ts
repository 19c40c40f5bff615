import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import type { Role } from './rules.ts'

const firstSteps = ['certify', 'machine', 'shelf', 'quote', 'project', 'person', 'demand', 'award'] as const
export type FirstStep = (typeof firstSteps)[number]

/** What somebody of this role does once to get going, in its order. The people of the platform have no such list. */
export function firstStepsOf(role: Role | null): readonly FirstStep[] {
  switch (role) {
    case null:
      return ['certify']
    case 'leaser':
      return ['certify', 'machine', 'shelf', 'quote']
    case 'leaseholder':
      return ['certify', 'project', 'person', 'demand']
    case 'projectUser':
      return ['certify', 'demand', 'award']
    default:
      return []
  }
}

export const getFirstSteps = {
  method: 'GET',
  url: '/system/user/firstSteps',
  summary: 'What the person does to get going, by kind of user, and which of it is done',
  access: 'account',
  form: 'data',
  answer: z.array(z.object({ step: z.enum(firstSteps), done: z.boolean() })),
} as const satisfies Endpoint
