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
