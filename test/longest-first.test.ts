import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { longest, longestFirst } from './longest-first.ts'

const order = (...names: string[]) =>
  longestFirst(names.map((name) => ({ moduleId: `/project/${name}` }))).map(({ moduleId }) => moduleId.slice(9))

test('the longest files begin first, the others follow as they came', () => {
  expect(order('test/e2e/messages.e2e.ts', 'test/e2e/pages.e2e.ts', 'src/b.test.ts', 'test/e2e/console.e2e.ts', 'src/a.test.ts')).toEqual([
    'test/e2e/console.e2e.ts',
    'test/e2e/pages.e2e.ts',
    'test/e2e/messages.e2e.ts',
    'src/b.test.ts',
    'src/a.test.ts',
  ])
})

test('every file named as long is there', () => {
  expect(longest.filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)))).toEqual([])
})
