import { expect, test } from 'vitest'
import { listedRatchets, lowered, measureRatchets, type Measures } from '../scripts/write-ratchets.ts'

const found = measureRatchets()
const listed = listedRatchets()

/** What is there and not listed or worse than its entry, and what is listed to no purpose. */
const slipped = (measures: Measures, entries: Measures) => ({
  worse: Object.entries(measures).filter(([entry, measure]) => measure > (entries[entry] ?? 0)),
  done: Object.keys(entries).filter((entry) => !(entry in measures)),
})
const nothing = { worse: [], done: [] }

test('functions have at most 80 lines, those of components 120', () => {
  expect(slipped(found.functions, listed.functions)).toEqual(nothing)
})

test('style sheets have at most 400 lines', () => {
  expect(slipped(found.styles, listed.styles)).toEqual(nothing)
})

test('the list follows what shrinks, leaves or moves, and takes in nothing else', () => {
  const entries = { 'src/a.ts f': 100, 'src/b.ts g': 90, 'src/c.ts h': 120 }
  expect(lowered({ 'src/a.ts f': 95, 'src/b.ts g': 99, 'src/d/c.ts h': 118, 'src/e.ts new': 200 }, entries)).toEqual({
    'src/a.ts f': 95,
    'src/b.ts g': 90,
    'src/d/c.ts h': 118,
  })
})
