import { expect, test } from 'vitest'
import { jsonBytes } from './json-bytes.ts'

test('an answer in pieces has the bytes of JSON at once, however long it is', () => {
  const row = { name: '装载机', at: new Date(0), none: undefined, nothing: null, specs: { 'ratedLoad"': 5 }, list: [[], {}, [1, '😀']] }
  const values = [
    null,
    'text',
    5,
    [],
    {},
    { none: undefined },
    [undefined, row],
    row,
    { code: 200, data: { ...row, rows: Array.from({ length: 3000 }, () => row) }, empty: { rows: [] } },
    { long: '很'.repeat(100_000) },
    Object.assign(Object.create(null) as object, row),
  ]
  for (const value of values) expect(jsonBytes(value).equals(Buffer.from(JSON.stringify(value)))).toBe(true)
})
