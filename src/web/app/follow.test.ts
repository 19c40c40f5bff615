import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const pages = fileURLToPath(new URL('../workbench/', import.meta.url))

/** The kinds of objects whose messages change what a page shows. More time for the contracts of an award is news of its demand. */
test.each([
  ['demand-list-page', ['demand']],
  ['demand-detail-page', ['demand', 'contract']],
  ['market-list-page', ['demand']],
  ['market-detail-page', ['demand', 'contract']],
  ['contract-list-page', ['contract', 'demand']],
  ['contract-page', ['contract', 'demand']],
  ['equipment-list-page', ['equipment']],
  ['blacklist-list-page', ['blacklist']],
  ['blacklist-detail-page', ['blacklist']],
  ['internal-page', ['transfer']],
])('an open %s is fetched again when news arrive that change it', (page, kinds) => {
  const source = readFileSync(`${pages}${page}.tsx`, 'utf8')
  expect([...new Set([...source.matchAll(/useFollow\('(\w+)',/g)].map(([, kind]) => kind))].toSorted()).toEqual(kinds.toSorted())
})
