import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { allowedValues } from '../scripts/write-tables.ts'

test.each([
  ["CHECK ((status = ANY (ARRAY['0'::text, '10'::text])))", { column: 'status', values: ["'0'", "'10'"] }],
  ['CHECK ((tax_rate = ANY (ARRAY[13, 0, -1])))', { column: 'tax_rate', values: ['13', '0', '-1'] }],
  ["CHECK ((kind = 'don''t'::text))", { column: 'kind', values: ["'don''t'"] }],
  ["CHECK ((shelf_status <> '1'::text))", null],
  ['CHECK (((is_lot) OR (total_qty = 1)))', null],
  ["CHECK (((status = 'a'::text) OR (reason <> 'b'::text)))", null],
  ['CHECK (((level >= 1) AND (level <= 3)))', null],
])('a constraint that lists the values of one column becomes a union: %s', (definition, expected) => {
  expect(allowedValues(definition)).toEqual(expected)
})

/** Code of the product, without tests, texts and the types of the tables. */
const isCode = (path: string) => /\.tsx?$/.test(path) && !/\.test\.ts$|^shared\/text\/|tables\.generated\.ts$/.test(path)

test('a column that no code names is listed among what a later version may delete, and each column of that list exists', () => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const snake = (word: string) => word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const tables = read('src/server/db/tables.generated.ts').matchAll(/^ {2}(\w+): \{\n((?: {4}.*\n)+)/gm)
  const columns = [...tables].flatMap(([, table = '', lines = '']) =>
    [...lines.matchAll(/^ {4}(\w+)\??:/gm)].map(([, name = '']) => ({ name, column: `${snake(table)}.${snake(name)}` })),
  )
  const code = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(isCode)
  const named = new Set(code.flatMap((path) => read(join('src', path)).match(/\w+/g) ?? []))
  const unnamed = columns.filter(({ name }) => !named.has(name) && !named.has(snake(name))).map(({ column }) => column)
  const [, list = ''] = /^## What a later version may delete\n([^]*?)^## /m.exec(read('docs/operations.md')) ?? []
  const listed = [...list.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].flatMap(([, column = '']) => column)
  expect(unnamed).toContain('account.failed_logins')
  expect(listed).toEqual(expect.arrayContaining(unnamed))
  expect(columns.map(({ column }) => column)).toEqual(expect.arrayContaining(listed))
})
