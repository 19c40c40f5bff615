import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'

const demoKinds = ['operator', 'auditor', 'lessee', 'project', 'lessor', 'lessor2', 'driver', 'newcomer'] as const

/** Empty unless the database is a demo's own. */
export const getDemoSignIns = {
  method: 'GET',
  url: '/auth/demoSignIns',
  summary: 'The sign-ins of the demo market; empty in an operator’s own deployment',
  access: 'public',
  form: 'data',
  answer: z.object({ password: z.string(), accounts: z.array(z.object({ userName: z.string(), kind: z.enum(demoKinds) })) }),
} as const satisfies Endpoint
