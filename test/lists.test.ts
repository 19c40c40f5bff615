import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const filesUnder = (folder: string) =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', folder], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => /\.tsx?$/.test(path) && existsSync(join(root, path)))
const pages = filesUnder('src/web')
  .filter((path) => path.endsWith('.tsx') && !path.startsWith('src/web/app/') && !path.startsWith('src/web/public/'))
  .filter((path) => /<(WorkList|ListFrame|ListBody)\b|\buseList\(/.test(read(path)))

/** A list's own page, and the files beside it that its columns may stand in. */
const sourcesOf = (path: string) => [
  read(path),
  ...[...read(path).matchAll(/from '(\.\/[\w/-]+\.tsx?)'/g)].map(([, beside = '']) => read(join(dirname(path), beside))),
]

const personal = 'holds names and numbers of people, who are looked up one by one and not carried away'
const own = 'everybody reads a few of their own, in the order in which they came'

/** The private lists that do not sort or are no workbook, each with its reason. */
const exceptions: Record<string, { sort?: string; workbook?: string }> = {
  'src/web/admin/account-list-page.tsx': { workbook: personal },
  'src/web/admin/outbox-page.tsx': { workbook: personal },
  'src/web/admin/cancellation-list-page.tsx': { workbook: personal },
  'src/web/admin/contact-list-page.tsx': { workbook: personal },
  'src/web/admin/auditor-desk.tsx': {
    sort: 'the demands worth a check, the newest first',
    workbook: 'each of them has an evidence pack',
  },
  'src/web/admin/broadcast-page.tsx': {
    sort: 'the broadcasts of the operators, the newest first',
    workbook: 'a broadcast stands in the audit log',
  },
  'src/web/admin/feedback-list-page.tsx': { sort: 'what waits for an answer comes first', workbook: personal },
  'src/web/personal/feedback-list-page.tsx': { sort: own, workbook: own },
  'src/web/personal/messages-page.tsx': { sort: 'unread messages come first, then the newest', workbook: own },
  'src/web/personal/safety-page.tsx': { sort: own, workbook: own },
  'src/web/workbench/draft-list-page.tsx': { workbook: 'a draft is half-typed and nothing to report on' },
  'src/web/workbench/import-page.tsx': {
    sort: 'the imports of one company, the newest first',
    workbook: 'each of them is a workbook',
  },
  'src/web/workbench/internal-page.tsx': {
    sort: 'the idle machines of one group, the newest first',
    workbook: 'they are asked for here and change daily',
  },
  'src/web/workbench/internal/transfers.tsx': {
    sort: 'the transfers of one group, the newest first',
    workbook: 'they are answered here and change daily',
  },
  'src/web/workbench/market-list-page.tsx': {
    sort: 'the best match comes first',
    workbook: 'demands of others are quoted on one by one; what was quoted is a workbook of its demand',
  },
  'src/web/workbench/statistics-page.tsx': {
    sort: 'the demands behind a figure, the newest first',
    workbook: 'the page exports the whole report',
  },
  'src/web/workbench/unit-list-page.tsx': {
    sort: 'units stand below the unit that they belong to',
    workbook: 'the tree is seen whole on one page',
  },
}

test('every private list sorts and is a workbook, or a reason says why not', () => {
  expect(pages.length).toBeGreaterThan(20)
  const lacking = Object.fromEntries(
    pages.flatMap((path) => {
      const sorts = sourcesOf(path).some((source) => /\bsort: '/.test(source))
      const exports = /\bexported=|<WorkList[\s\S]*\bexported\b/.test(read(path))
      const missing = [...(sorts ? [] : ['sort']), ...(exports ? [] : ['workbook'])]
      return missing.length === 0 ? [] : [[path, missing]]
    }),
  )
  expect(lacking).toEqual(Object.fromEntries(Object.entries(exceptions).map(([path, reasons]) => [path, Object.keys(reasons)])))
})

test('every private list says how many rows it has', () => {
  expect(pages.filter((path) => !/<(WorkList|ListFrame|ListTotal)\b/.test(read(path)))).toEqual([])
})

test('the rows and the pages of a private list stand in its frame, which has words for an empty list', () => {
  expect(pages.filter((path) => /<ListPages\b/.test(read(path)) || !/<(WorkList|ListFrame|ListBody)\b/.test(read(path)))).toEqual([])
})

test('whoever asks for the rows of a list says how many they show: without it the rest would be lost from sight', () => {
  const lists = new Set(
    filesUnder('src/shared').flatMap((path) =>
      [...read(path).matchAll(/export const (\w+) = \{((?!\n\}).)*?form: 'list'/gs)].map(([, name = '']) => name),
    ),
  )
  expect(lists.size).toBeGreaterThan(30)
  const asks = (path: string) => [...read(path).matchAll(/\bcall\((\w+),/g)].some(([, name = '']) => lists.has(name))
  expect(filesUnder('src/web').filter((path) => asks(path) && !/\bpageSize\b/.test(read(path)))).toEqual([])
})

/** The kinds of objects whose messages change what a page shows. More time for the contracts of an award is news of its demand. */
test.each([
  ['demand-list-page', ['demand']],
  ['demand-detail-page', ['demand', 'contract']],
  ['market-list-page', ['demand']],
  ['market-detail-page', ['demand', 'contract']],
  ['contract-list-page', ['contract', 'demand']],
  ['contract-page', ['contract', 'demand']],
  ['equipment-list-page', ['equipment', 'company']],
  ['blacklist-list-page', ['blacklist']],
  ['blacklist-detail-page', ['blacklist']],
  ['internal-page', ['transfer']],
])('an open %s is fetched again when news arrive that change it', (page, kinds) => {
  const followed = [...read(`src/web/workbench/${page}.tsx`).matchAll(/useFollow\('(\w+)',/g)].map(([, kind]) => kind)
  expect(new Set(followed)).toEqual(new Set(kinds))
})
