import type { Endpoint } from '#shared/endpoint.ts'

/** A call as tables of tests name it. */
export const nameOf = ({ method, url }: Endpoint) => `${method} ${url}`

/** Ids that belong to nothing: a call that is allowed finds nothing, or is refused for what is missing. */
export const idsOfNothing = {
  id: '987654321',
  demandId: '987654321',
  dictType: 'none',
  blockId: '00000000-0000-4000-8000-000000000000',
  companyId: '987654321',
  seq: '987654321',
}

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
