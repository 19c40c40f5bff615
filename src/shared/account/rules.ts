export const roles = ['leaseholder', 'projectUser', 'leaser', 'operator', 'auditor'] as const
export type Role = (typeof roles)[number]

/** What a role may do (domain matrix). The server refuses what is not here; the pages do not offer it. */
export const permissions = [
  'demand:view',
  'demand:edit',
  'demand:award',
  'demand:export',
  'quote:edit',
  'equipment:edit',
  'contact:look',
  'file:upload',
  'admin:view',
] as const
export type Permission = (typeof permissions)[number]

export const permissionsOf: Record<Role, readonly Permission[]> = {
  leaseholder: ['demand:view', 'demand:edit', 'demand:award', 'demand:export', 'contact:look', 'file:upload'],
  projectUser: ['demand:view', 'demand:edit', 'demand:award', 'demand:export', 'contact:look', 'file:upload'],
  leaser: ['quote:edit', 'equipment:edit', 'contact:look', 'file:upload'],
  operator: ['demand:view', 'demand:export', 'contact:look', 'admin:view', 'file:upload'],
  auditor: ['demand:view', 'demand:export'],
}

/** userType on the wire: "1" ordinary, "2" lessee organisation, "3" project department, "4" lessor, "8" auditor, "9" operator. */
export function roleOf(userType: string, auditStatus: string): Role | null {
  switch (userType) {
    case '9':
      return 'operator'
    case '8':
      return 'auditor'
  }
  if (auditStatus !== '2') return null
  switch (userType) {
    case '2':
      return 'leaseholder'
    case '3':
      return 'projectUser'
    case '4':
      return 'leaser'
  }
  return null
}

const closedTo: Record<string, readonly string[]> = {
  leaseholder: ['/workbench/cequipment', '/workbench/crequirement'],
  projectUser: ['/workbench/cequipment', '/workbench/crequirement', '/workbench/organization'],
  leaser: ['/workbench/organization', '/workbench/requirement', '/workbench/statistics'],
}
const closedToNoRole = ['/workbench/cequipment', '/workbench/crequirement', '/workbench/organization']

/** The specification's table of workbench paths that a role may not open (it is then led home). */
export function mayOpen(role: Role | null, path: string): boolean {
  const closed = (role && closedTo[role]) ?? closedToNoRole
  return !closed.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
}

const guarded = ['/personal', '/workbench', '/demand/detail', '/equipment/detail', '/supplier/detail']

/** Paths that lead to /login when no token is stored. */
export function needsLogin(path: string): boolean {
  return guarded.some((part) => path.includes(part))
}

/** Password: 8–20 characters, three of the four kinds. */
export function isStrongPassword(password: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z0-9]/].filter((kind) => kind.test(password)).length
  return password.length >= 8 && password.length <= 20 && kinds >= 3
}

/** Five wrong passwords lock the account, and the address, for ten minutes. */
export const loginRules = { failures: 5, lockMinutes: 10, captchaAfter: 2, addressFailures: 20, sessionMinutes: 720 } as const
