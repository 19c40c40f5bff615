import { expect, test } from 'vitest'
import { narrow, selectGroup, selectTab } from './selection.ts'

test('a group of the report opens all its demands, also after a figure was opened, and closes at the second choice', () => {
  const figure = new URLSearchParams('from=2026-01-01&by=month&figure=cancelled&pageNum=3')
  const group = selectGroup(figure, { key: '2026-11', name: '2026-11' })
  expect(group).toBe('?from=2026-01-01&by=month&key=2026-11&keyName=2026-11')
  expect(selectGroup(new URLSearchParams(group), { key: '2026-11', name: '2026-11' })).toBe('?from=2026-01-01&by=month')
  expect(selectTab(figure, 'unit')).toBe('?from=2026-01-01&by=unit')
})

test('the report opens into a unit with all below it, but not into the unit that it has already', () => {
  const own = 7
  const whole = new URLSearchParams('by=unit&key=7&keyName=华拓&pageNum=2')
  expect(narrow(whole, { key: '7', name: 'A' }, own)).toBeNull()
  const below = narrow(whole, { key: '8', name: 'B' }, own)
  expect(below).toBe('?by=unit&deptId=8&deptName=B')
  expect(narrow(new URLSearchParams(below ?? ''), { key: '8', name: 'B' }, own)).toBeNull()
  expect(narrow(new URLSearchParams(below ?? ''), { key: '9', name: 'C' }, own)).toBe('?by=unit&deptId=9&deptName=C')
  // The platform's people have no unit.
  expect(narrow(whole, { key: '7', name: 'A' }, null)).toBe('?by=unit&deptId=7&deptName=A')
})
