import { paths } from '../paths.ts'
import type { Role } from './rules.ts'

/** Where somebody starts who came for no page in particular: their work panel, the console, or the certification of a newcomer. */
export function landingOf(role: Role | null): string {
  if (role === 'operator' || role === 'auditor') return paths.admin
  return role === null ? paths.certification : paths.personal
}

/** The first page of the workbench for a role; null if the role has none. */
export function workbenchHome(role: Role | null): string | null {
  if (role === 'leaser') return paths.market()
  if (role === 'operator' || role === 'auditor') return paths.admin
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
