import { expect, test } from 'vitest'
import type { Dept } from '#shared/dept/contract.ts'
import { enableStatus } from '#shared/rules.ts'
import { inTheWayOfOff } from './unit-list-page.tsx'

const unit = (deptId: number, parentId: number | null, more: Partial<Dept> = {}) =>
  ({ dept: { deptId, parentId, status: enableStatus.enabled, openDemands: 0, ...more } as Dept, level: 0 }) as const

test('what keeps a unit from being disabled is known before anybody confirms it', () => {
  const units = [unit(1, null), unit(2, 1), unit(3, 1, { status: enableStatus.disabled }), unit(4, 2, { openDemands: 1 }), unit(5, 3)]
  expect(units.map(({ dept }) => inTheWayOfOff(dept, units))).toEqual([
    'dept_has_children',
    'dept_has_children',
    'dept_has_children',
    'dept_has_demands',
    null,
  ])
  expect(inTheWayOfOff(unit(6, 1).dept, units)).toBeNull()
})
