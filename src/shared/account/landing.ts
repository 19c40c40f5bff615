import { paths, safeRedirect } from '../paths.ts'
import { isOfConsole, mayOpen, type Role } from './rules.ts'

/** Where somebody starts who came for no page in particular: their work panel, the console, or the certification of a newcomer. */
export function landingOf(role: Role | null): string {
  if (isOfConsole(role)) return paths.admin
  return role === null ? paths.certification : paths.personal
}

/**
 * Where somebody goes who has just signed in or registered: the page they came for, or where they start. A newcomer who may not open it begins with
 * their certification; a page that is closed to a role leads it home by itself.
 */
export function goalOf(role: Role | null, wanted: string | null): string {
  if (!wanted) return landingOf(role)
  const goal = safeRedirect(wanted)
  return role === null && !mayOpen(role, goal.replace(/[?#].*/, '')) ? landingOf(role) : goal
}

/** The first page of the workbench for a role; null if the role has none. */
export function workbenchHome(role: Role | null): string | null {
  if (role === 'leaser') return paths.market()
  if (isOfConsole(role)) return paths.admin
  return role === 'leaseholder' || role === 'projectUser' ? paths.ownDemands() : null
}

/** The first page that a role may open below a parent of the workbench's menu; null for an address that is no parent. */
export function firstPageUnder(role: Role | null, path: string): string | null {
  const newcomer = role === null ? paths.certification : null
  switch (path.toLowerCase()) {
    case paths.workbench:
      return workbenchHome(role) ?? landingOf(role)
    case paths.organization:
      return newcomer ?? paths.units
    case paths.requirement:
      return newcomer ?? paths.ownDemands()
    default:
      return null
  }
}
