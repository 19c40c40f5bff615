// Compares what a visit downloads with its bound, and fails the build when a page exceeds it. Sizes are those of the .br files.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './node.mjs'

const kb = 1024
/** First visit of a public page, without and with a form that checks what is typed; of the workbench; what one more screen may add. The editor of articles comes with its own library, the form of an amendment with the clauses of the whole contract, and the one that adds positions with what it shares with that. */
const bounds = { public: 135 * kb, form: 154 * kb, workbench: 187 * kb, screen: 63 * kb, charts: 180 * kb }
const exceptions = {
  'admin/article-edit-page': 135 * kb,
  'workbench/contract-page': 68 * kb,
  'workbench/contract-change-page': 79 * kb,
  'workbench/contract-add-page': 68 * kb,
}

const client = join(root, 'build/client')
const assets = readdirSync(join(client, 'assets'))
const file = assets.find((name) => /^manifest-.*\.js$/.test(name))
const { entry, routes } = JSON.parse(
  readFileSync(join(client, 'assets', file), 'utf8')
    .replace(/^window\.__reactRouterManifest=/, '')
    .replace(/;?\s*$/, ''),
)
const sizeOf = (path) => statSync(join(client, existsSync(join(client, `${path}.br`)) ? `${path}.br` : path)).size
/** The largest of some files: every page fetches the words of one language, the private areas a second part of them (decision 48). */
const largest = (names) => {
  const sizes = assets.filter((name) => names.test(name)).map((name) => sizeOf(`assets/${name}`))
  if (sizes.length === 0) throw new Error(`no file of the build is named like ${names}`)
  return Math.max(...sizes)
}
const words = largest(/^(zh-cn|en)-(?!private).*\.js$/)
const privateWords = largest(/^(zh-cn|en)-private-.*\.js$/)
const filesOf = (id) => {
  const files = new Set([entry.module, ...entry.imports])
  for (let route = routes[id]; route; route = routes[route.parentId])
    for (const path of [route.module, ...(route.imports ?? [])]) files.add(path)
  return files
}
const sum = (files) => [...files].reduce((total, path) => total + sizeOf(path), 0)
/** The page of the entry: its files need not be fetched again. */
const firstOf = { workbench: 'workbench/demand-list-page', admin: 'admin/home-page', personal: 'personal/panel-page' }

/** The private areas fetch the schema library while the first screen is being read. */
const checking = new Set(
  assets
    .filter((name) => /^fields-.*\.js$/.test(name))
    .flatMap((name) => [
      name,
      ...[...readFileSync(join(client, 'assets', name), 'utf8').matchAll(/from"\.\/([^"]+)"/g)].map(([, other]) => other),
    ])
    .map((name) => `/assets/${name}`),
)
/** Pages whose form checks what is typed, so that they bring the schema library. */
const formPages = ['contact', 'login', 'register', 'reset-password'].map((name) => `public/${name}-page`)

const over = []
for (const id of Object.keys(routes).filter((name) => name.endsWith('-page') && !name.startsWith('public/gallery'))) {
  const area = id.split('/')[0]
  const [size, bound] =
    area === 'public'
      ? [sum(filesOf(id)) + words, formPages.includes(id) ? bounds.form : bounds.public]
      : [sum([...filesOf(id)].filter((path) => !filesOf(firstOf[area]).has(path) && !checking.has(path))), exceptions[id] ?? bounds.screen]
  if (size > bound) over.push(`${id}: ${(size / kb).toFixed(0)} KB, ${(bound / kb).toFixed(0)} KB allowed`)
}
const first = sum(filesOf('workbench/demand-list-page')) + words + privateWords
if (first > bounds.workbench)
  over.push(`the workbench's first page: ${(first / kb).toFixed(0)} KB, ${(bounds.workbench / kb).toFixed(0)} KB allowed`)
const home = sum(filesOf('public/home-page')) + words

/** What is fetched when the first chart comes into view: its module and all that this imports beyond a page with a chart. */
const chartFiles = new Set()
const visitChart = (name) => {
  if (chartFiles.has(name) || filesOf('workbench/statistics-page').has(`/assets/${name}`)) return
  chartFiles.add(name)
  for (const [, other] of readFileSync(join(client, 'assets', name), 'utf8').matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g))
    visitChart(other)
}
visitChart(assets.find((name) => /^chart-engine-.*\.js$/.test(name)))
const charts = sum([...chartFiles].map((name) => `/assets/${name}`))
if (charts > bounds.charts) over.push(`the charts: ${(charts / kb).toFixed(0)} KB, ${(bounds.charts / kb).toFixed(0)} KB allowed`)
console.log(
  `Script of a first visit, compressed: home ${(home / kb).toFixed(0)} KB, workbench ${(first / kb).toFixed(0)} KB; a chart ${(charts / kb).toFixed(0)} KB.`,
)
if (over.length > 0) {
  console.error(`Pages beyond their budget:\n  ${over.join('\n  ')}`)
  process.exit(1)
}
