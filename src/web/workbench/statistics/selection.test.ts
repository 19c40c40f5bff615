import { expect, test } from 'vitest'
import { selectGroup, selectTab } from './selection.ts'

test('a group of the report opens all its demands, also after a figure was opened, and closes at the second choice', () => {
  const figure = new URLSearchParams('from=2026-01-01&by=month&figure=cancelled&pageNum=3')
  const group = selectGroup(figure, { key: '2026-11', name: '2026-11' })
  expect(group).toBe('?from=2026-01-01&by=month&key=2026-11&keyName=2026-11')
  expect(selectGroup(new URLSearchParams(group), { key: '2026-11', name: '2026-11' })).toBe('?from=2026-01-01&by=month')
  expect(selectTab(figure, 'unit')).toBe('?from=2026-01-01&by=unit')
})
