// Who may make which call. Pages ask the session and need none of it, so it stands apart from the rules that they fetch.
import { operatorDuties, type OperatorDuty, type Role } from './rules.ts'

const permissionsOfDuty = {
  certification: ['certification:review'],
  equipment: ['equipment:review', 'demand:takeDown'],
  content: ['article:edit', 'broadcast:send', 'feedback:answer', 'contact:handle'],
  // Whoever reads a contract states why, which both sides see.
  people: ['company:manage', 'account:manage', 'cancellation:decide', 'contract:look', 'contract:view'],
  blacklist: ['blacklist:propose', 'blacklist:decide'],
  settings: ['category:edit', 'setting:edit'],
  system: ['outbox:view', 'audit:view', 'system:view'],
} as const satisfies Record<OperatorDuty, readonly string[]>

const everyOperator = ['admin:view', 'demand:view', 'demand:export', 'contact:look', 'blacklist:view', 'statistics:view'] as const

const matrix = {
  leaseholder: [
    'demand:view',
    'demand:edit',
    'demand:approve',
    'demand:award',
    'demand:export',
    'contact:look',
    'blacklist:view',
    'blacklist:propose',
    'blacklist:decide',
    'statistics:view',
    'exceptions:view',
    'internal:view',
    'internal:offer',
    'ceiling:view',
    'ceiling:edit',
    'certification:review',
    'user:view',
    'user:edit',
    'user:pick',
    'dept:view',
    'dept:edit',
    'contract:view',
    'contract:make',
    'contract:edit',
    'contract:approve',
  ],
  projectUser: [
    'demand:view',
    'demand:edit',
    'demand:award',
    'demand:export',
    'contact:look',
    'blacklist:view',
    'blacklist:propose',
    'statistics:view',
    'exceptions:view',
    'internal:view',
    'ceiling:view',
    'user:pick',
    'contract:view',
    'contract:make',
    'contract:edit',
  ],
  leaser: [
    'quote:edit',
    'equipment:edit',
    'contact:look',
    'blacklist:view',
    'blacklist:answer',
    'user:view',
    'user:edit',
    'user:pick',
    'contract:view',
    'contract:make',
    'contract:edit',
  ],
  driver: [],
  operator: [...everyOperator, ...Object.values(permissionsOfDuty).flat(), 'staff:edit'],
  auditor: [
    'admin:view',
    'demand:view',
    'demand:export',
    'blacklist:view',
    'statistics:view',
    'exceptions:view',
    'audit:view',
    'contract:view',
  ],
} as const satisfies Record<Role, readonly string[]>

export type Permission = (typeof matrix)[Role][number]

/**
 * What a role may do (domain matrix). The server refuses what is not here; the pages do not offer it. For an operator this is the maximum;
 * `permissionsFor` narrows it to their duties.
 */
export const permissionsOf: Record<Role, readonly Permission[]> = matrix

/** Every permission that some role has. */
export const permissions = [...new Set(Object.values(matrix).flat())]

/** The permissions of an account: those of its role. An operator's follow from their duties; an administrator also manages the duties of others. */
export function permissionsFor(role: Role | null, duties: readonly string[], isAdmin: boolean): readonly Permission[] {
  if (role === null) return []
  if (role !== 'operator') return permissionsOf[role]
  const own = operatorDuties.filter((duty) => duties.includes(duty)).flatMap((duty) => permissionsOfDuty[duty])
  return [...everyOperator, ...own, ...(isAdmin ? ['staff:edit' as const] : [])]
}

/** What stays of a role whose certification has run out: the contracts in hand go on, and none is made or made longer. */
export const contractPermissions = [
  'contract:view',
  'contract:edit',
  'contract:approve',
  'user:pick',
] as const satisfies readonly Permission[]

/** The permissions of somebody whose certification has run out. */
export const permissionsLeft = (contractRole: Role | null): readonly Permission[] =>
  contractPermissions.filter((one) => contractRole !== null && permissionsOf[contractRole].includes(one))
