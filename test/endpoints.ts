import type { Endpoint } from '#shared/endpoint.ts'

/** A call as tables of tests name it. */
export const nameOf = ({ method, url }: Endpoint) => `${method} ${url}`

/** The role that a person of the cast has. */
export const roleKey = {
  lessee: 'leaseholder',
  strangerAdmin: 'leaseholder',
  project: 'projectUser',
  otherProject: 'projectUser',
  stranger: 'projectUser',
  lessor: 'leaser',
  lessor2: 'leaser',
  driver: 'driver',
  operator: 'operator',
  auditor: 'auditor',
  otherAuditor: 'auditor',
} as const
