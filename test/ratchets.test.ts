import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listedRatchets, longFunctions, lowered, measureRatchets, type Measures } from '../scripts/write-ratchets.ts'

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

test('a function is measured from its first line to its last, and only one beyond the limit of its file is found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zhujitong-measured-'))
  const functionOf = (name: string, lines: number) =>
    [`function ${name}() {`, ...Array.from({ length: lines - 2 }, () => '  //'), '}\n'].join('\n')
  try {
    writeFileSync(join(folder, 'rule.ts'), functionOf('fits', 80) + functionOf('exceeds', 81))
    writeFileSync(join(folder, 'page.tsx'), functionOf('Fits', 120) + functionOf('Exceeds', 121))
    expect(longFunctions(folder, '.')).toEqual({ 'page.tsx Exceeds': 121, 'rule.ts exceeds': 81 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
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
