import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, inject, test } from 'vitest'
import { refusals } from '#shared/refusals.ts'
import { auditFields } from '#shared/text/zh-cn/audit-fields.ts'
import { statePage } from '../scripts/write-states.ts'
import { writeTables } from '../scripts/write-tables.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path && existsSync(join(root, path)))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('every path named in a document exists', () => {
  const missing = files
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) =>
      [...read(path).matchAll(/`((?:src|db|test|docs|scripts)\/[\w./-]+)`/g)].map(([, mentioned = '']) => [path, mentioned]),
    )
    .filter(([, mentioned = '']) => !existsSync(join(root, mentioned)))
  expect(missing).toEqual([])
})

test('what a document names beside a path is found in that file', () => {
  const code = '`(?:src|db|test|scripts)/[\\w./-]+`'
  const beside = new RegExp(`((?:\`[\\w.]+\`(?:, | and )?)+)\\s+(?:of|in)\\s+(${code}(?: and\\s+${code})?)`, 'g')
  const spans = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span)
  const pairs = files
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) => [...read(path).matchAll(beside)])
    .flatMap(([, names = '', paths = '']) =>
      spans(paths).flatMap((path) => spans(names).map((name) => ({ path, name: name.split('.').at(-1) ?? name }))),
    )
  expect(pairs.length).toBeGreaterThan(50)
  expect(pairs.filter(({ path, name }) => !new RegExp(`\\b${name}\\b`).test(read(path)))).toEqual([])
})

test('Chinese text is in the catalogues and the seeds, not in code', () => {
  // Message subjects are constants of the protocol; number plates (GA 36), the drives that people type, amounts in capitals and the text of a contract are Chinese by nature.
  const allowed =
    /^src\/shared\/(text\/|message\/(rules|kinds)\.ts|equipment\/(rules|upload)\.ts|contract\/(back-to-back|capital|clauses|text)\.ts)|\.test\.ts$/
  const code = files.filter((path) => /^src\/.*\.tsx?$/.test(path) && !allowed.test(path))
  const found = code.flatMap((path) =>
    read(path)
      .split('\n')
      .filter((line) => /[\u4e00-\u9fff]/.test(line.replace(/\/\/.*$|\/?\*.*$/, '')))
      .map((line) => `${path}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})

test('the generated table types match the migrations', async () => {
  expect(await writeTables(inject('template'))).toBe(read('src/server/db/tables.generated.ts'))
})

test('the state diagrams match the tables of moves', () => {
  expect(read('docs/states.md')).toBe(statePage())
})

test('the lock file names no download address and dependencies are pinned', () => {
  expect(read('package-lock.json')).not.toContain('"resolved"')
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >
  for (const version of Object.values({ ...dependencies, ...devDependencies })) expect(version).toMatch(/^\d/)
})

test('journeys are only in test/e2e, and no test is skipped or alone', () => {
  for (const path of files.filter((one) => one.endsWith('.e2e.ts'))) expect(path).toMatch(/^test\/e2e\//)
  for (const path of files.filter((one) => /\.(test|e2e)\.ts$/.test(one) && one !== 'test/repository.test.ts'))
    expect(read(path)).not.toMatch(/\b(test|describe|it)\.(only|skip|todo)\b/)
})

test('a condition is waited for with `expect.poll` or with a bound of its own, as a second is too short on a busy machine', () => {
  const waits = files
    .filter((path) => /\.(test|e2e)\.ts$/.test(path) && path !== 'test/repository.test.ts')
    // A call ends in its own line, or in the next one that is indented as little.
    .flatMap((path) =>
      [...read(path).matchAll(/^( *)\S.*\bvi\.wait(?:For|Until)\((?:.*\)|[^]*?\n\1\S.*)$/gm)].map(([wait]) => `${path}: ${wait}`),
    )
  expect(waits.length).toBeGreaterThan(3)
  expect(waits.filter((wait) => !/\btimeout: \d/.test(wait))).toEqual([])
})

test('[S9.5] a button without the looks of one that calls the server has its own time within which presses count as one', () => {
  const guarded = /type="submit"|data-repeat-ms|className=(?:"[^"]*(?<![-\w])button(?![-\w])|\{.*['`]button[ '`])/
  // What follows `void` is a promise. Those of these names stay in the browser.
  const calls = /\b(?:call|download|refetch|mutate)\(|\bvoid (?!(?:navigate|setLocale|copyText|make|save)\()/
  const buttons = files
    .filter((path) => /^src\/web\/.*\.tsx$/.test(path))
    // A tag ends in its own line, or in the next one that is indented as little.
    .flatMap((path) => [...read(path).matchAll(/^( *)\S*<button\b(?:.*[^=]>|[^]*?\n\1>)/gm)].map(([tag]) => `${path}: ${tag}`))
  expect(buttons.length).toBeGreaterThan(200)
  // A question that precedes the call has a guarded button of its own.
  expect(buttons.filter((tag) => calls.test(tag) && !guarded.test(tag) && !tag.includes('confirm({'))).toEqual([])
})

test('every word of the glossary’s identifiers is used', () => {
  const identifiers = [...read('docs/glossary.md').matchAll(/^\|[^|]+\|[^|]+\| `(\w+)`/gm)].map(([, identifier = '']) => identifier)
  expect(identifiers.length).toBeGreaterThan(30)
  const all = files
    .filter((path) => /^(src|db)\/.*\.(tsx?|sql)$/.test(path))
    .map(read)
    .join('\n')
  const snake = (word: string) => word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  expect(identifiers.filter((word) => !all.includes(word) && !all.includes(snake(word)))).toEqual([])
})

/** Where a file's imports lead that are still there when it runs; types are gone by then. */
function valueImports(path: string): string[] {
  const statements = read(path).matchAll(/^(?:import|export)\s+(?!type\s)(?:([\w\s{},*]+?)\s+from\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm)
  return [...statements]
    .filter(([, names]) => !names?.match(/^\{(?:\s*type\s+[^,}]+,?)+\s*\}$/))
    .map(([, , from = '', later = '']) => from || later)
    .filter((from) => /^\.|^#(?:server|shared|web)\//.test(from))
    .map((from) => (from.startsWith('.') ? join(dirname(path), from) : from.replace('#', 'src/')))
}

/** The arrows of the first circle among the folders, each with the import that draws it; none when they only look down. */
function circleOf(arrows: Map<string, Map<string, string>>): string[] {
  const clear = new Set<string>()
  const follow = (folder: string, way: readonly string[]): string[] => {
    if (clear.has(folder)) return []
    const start = way.indexOf(folder)
    if (start !== -1) return [...way.slice(start), folder].flatMap((to, index, ring) => arrows.get(ring[index - 1] ?? '')?.get(to) ?? [])
    for (const next of arrows.get(folder)?.keys() ?? []) {
      const circle = follow(next, [...way, folder])
      if (circle.length > 0) return circle
    }
    clear.add(folder)
    return []
  }
  return [...arrows.keys()].map((folder) => follow(folder, [])).find((circle) => circle.length > 0) ?? []
}

test.each([
  ['server', 'opening', 'quote'],
  ['shared', 'contract', 'quote'],
  ['web', 'workbench', 'app'],
])('the folders of src/%s only look down', (room, above, below) => {
  // A file that lies in no folder counts as one of its own.
  const folderOf = (path: string) => new RegExp(`^src/${room}/([^/]+)`).exec(path)?.[1]
  const arrows = new Map<string, Map<string, string>>()
  for (const path of files.filter((one) => /\.tsx?$/.test(one) && !one.endsWith('.test.ts'))) {
    const folder = folderOf(path)
    if (!folder) continue
    for (const target of valueImports(path)) {
      const to = folderOf(target)
      if (to && to !== folder) arrows.set(folder, (arrows.get(folder) ?? new Map<string, string>()).set(to, `${path} → ${target}`))
    }
  }
  expect(arrows.get(above)?.has(below)).toBe(true)
  expect(circleOf(arrows)).toEqual([])
})

test('the frame of the pages has no file of a noun', () => {
  const noNouns = ['app', 'ui', 'text', 'public', 'personal', 'workbench', 'admin']
  const folders = new Set(files.flatMap((path) => /^src\/(?:shared|web)\/([^/]+)\//.exec(path)?.[1] ?? []))
  const nouns = [...folders].filter((folder) => !noNouns.includes(folder))
  // The messages hang in the header of every area.
  const allowed = ['src/web/app/message-menu.tsx']
  const named = files.filter((path) => {
    const name = /^src\/web\/app\/([\w-]+)/.exec(path)?.[1]
    return name && nouns.some((noun) => name === noun || name.startsWith(`${noun}-`))
  })
  expect(named).toEqual(allowed)
})

test('nothing is cast to never, which hides every error', () => {
  expect(files.filter((path) => /\.tsx?$/.test(path) && /\bas\s+never\b/.test(read(path)))).toEqual([])
})

test('states have names: the digits of their values stand in the rules only', () => {
  const state = /(?:[sS]tatus|[uU]ser_?[tT]ype|[dD]ept_?[tT]ype|[dD]el_?[fF]lag|[aA]udit|demand_?[tT]ype)\b[^\n;]{0,24}?'\d+'/g
  const allowed = /(^|\/)rules\.ts$|\.test\.ts$|^src\/shared\/text\/|tables\.generated\.ts$/
  const places = files
    .filter((path) => /^(src|db)\/.*\.tsx?$/.test(path) && !allowed.test(path))
    .flatMap((path) => [...read(path).matchAll(state)].map(([found]) => `${path}: ${found}`))
  expect(places).toEqual([])
})

test('the sentences that the style calls wrong stand nowhere in the code', () => {
  const wrong = [...read('STYLE.md').matchAll(/^\| (.+?) \| .+ \|$/gm)].map(([, cell = '']) => cell.replaceAll(/^`|`$/g, ''))
  expect(wrong.length).toBeGreaterThan(6)
  const code = files.filter((path) => /^(src|db|test|scripts)\/.*\.tsx?$/.test(path) && path !== 'test/repository.test.ts').map(read)
  expect(wrong.filter((sentence) => sentence.length > 3 && code.some((text) => text.includes(sentence)))).toEqual([])
})

test('every decision that code or a document names is recorded', () => {
  const recorded = new Set(files.flatMap((path) => /^docs\/decisions\/(\d{4})-/.exec(path)?.[1] ?? []).map(Number))
  const named = files
    .filter((path) => /^(src|db|test|scripts|docs|build|deploy)\/|^[^/]+$/.test(path) && /\.(tsx?|md|sql|css|sh|ya?ml)$/.test(path))
    .flatMap((path) =>
      [...read(path).matchAll(/\bdecisions? (\d+)((?:,? (?:and )?\d+)*)/g)].flatMap(([, first = '', more = '']) =>
        [first, ...(more.match(/\d+/g) ?? [])].map((number) => ({ path, number: Number(number) })),
      ),
    )
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(({ number }) => !recorded.has(number))).toEqual([])
})

test('one condition says which lessors are certified', () => {
  const asked = files.filter(
    (path) =>
      /^src\/server\/.*\.ts$/.test(path) &&
      !path.endsWith('.test.ts') &&
      /lessor_?audit\b[^\n:]{0,20}=[^\n]{0,30}\.passed/i.test(read(path)),
  )
  expect(asked).toEqual(['src/server/public-lessors.ts'])
})

/** Code of the product, without tests and texts. */
const isCode = (path: string) => /^src\/(?!shared\/text\/).*\.tsx?$/.test(path) && !path.endsWith('.test.ts')

test('people are "they" in comments, titles and what is published', () => {
  const written = files.filter(
    (path) => /^(src\/(?!shared\/text\/)|db|test|scripts|docs)\/?.*\.(tsx?|css|sql|md)$/.test(path) && path !== 'test/repository.test.ts',
  )
  const lines = written.flatMap((path) =>
    read(path)
      .split('\n')
      .map((line) => `${path}: ${line.trim()}`),
  )
  expect(lines.filter((line) => /\b(?:he|him|his|she|hers?)\b/i.test(line))).toEqual([])
})

test('every refusal is thrown somewhere, and every word of the audit log names a column or a stored field', () => {
  const code = files.filter((path) => isCode(path) && path !== 'src/shared/refusals.ts').map(read)
  // nginx refuses an unknown address by itself, in these words (`test/deploy.test.ts`).
  const elsewhere = ['route_unknown']
  const unthrown = Object.keys(refusals).filter((name) => !elsewhere.includes(name) && !code.some((text) => text.includes(`'${name}'`)))
  expect(unthrown).toEqual([])
  const camel = (column: string) => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const named = Object.keys(auditFields).filter((column) => !code.some((text) => new RegExp(`\\b${camel(column)}\\b`).test(text)))
  expect(named).toEqual([])
})

/** The names that code uses of other files: those in the braces of its imports, behind a dot, or out of a module that is fetched later. */
const usedIn = (code: string): string[] => [
  ...[...code.matchAll(/^import\s+(?:type\s+)?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').flatMap((name) => /^\s*(?:type\s+)?(\w+)/.exec(name)?.[1] ?? []),
  ),
  ...[...code.matchAll(/\.(\w+)|\(\[?\{ (\w+) \}\]?\)/g)].map(([, behindDot = '', fetched = '']) => behindDot || fetched),
]

test('what only its own file uses is not exported', () => {
  // The words of a sentence, and what a file declares itself, are no use of another file's name.
  const example = "import { first, type Second as Other } from './a.ts'\n// The third is typed.\nconst fourth = all.fifth\n"
  const found = usedIn(example)
  expect(['first', 'Second', 'third', 'fourth', 'fifth'].filter((name) => found.includes(name))).toEqual(['first', 'Second', 'fifth'])
  // React Router calls what these export, and `src/server/web.ts` the entry.
  const framework = /^src\/web\/(root|entry\.server|.*(-page|layout))\.tsx$/
  const used = new Set(files.filter((path) => /\.tsx?$/.test(path)).flatMap((path) => usedIn(read(path))))
  const alone = files
    .filter((path) => isCode(path) && !framework.test(path))
    .flatMap((path) =>
      [...read(path).matchAll(/^export (?:async )?(?:function|const|class|type) (\w+)/gm)]
        .filter(([, name = '']) => !used.has(name))
        .map(([, name = '']) => `${path} ${name}`),
    )
  expect(alone).toEqual([])
})

test('no name is one of the words that name nothing', () => {
  const vague = 'kept|told|meant|things|say|hurry|room|asking'
  const declared = new RegExp(String.raw`\b(?:const|let|function|type|interface) (?:(?:${vague})\b|told\w)|\bsay: \(`, 'gi')
  const found = files
    .filter((path) => /^(src|db|test|scripts)\/(?!shared\/text\/).*\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
    .flatMap((path) => [...read(path).matchAll(declared)].map(([text]) => `${path}: ${text}`))
  expect(found).toEqual([])
})

test('an amount loses the word fen only in rows that a call answers as they are', () => {
  const answered = [
    'src/server/ceiling/queries.ts',
    'src/server/demand/queries.ts',
    'src/server/equipment/own.ts',
    'src/server/equipment/queries.ts',
    'src/server/internal/queries.ts',
    'src/server/statistics/exceptions.ts',
  ]
  const renaming = files.filter((path) => isCode(path) && /Fen as (?!\w*Fen\b)\w|\w_fen as "(?!\w*Fen")/.test(read(path)))
  expect(renaming).toEqual(answered)
})

test('every address of a page stands in paths.ts', () => {
  const allowed = ['src/shared/paths.ts', 'src/web/routes.ts', 'src/shared/account/rules.ts']
  const first = files.flatMap((path) => (path === 'src/web/routes.ts' ? [...read(path).matchAll(/route\('([a-z]+)/g)] : []))
  const areas = [...new Set(first.map(([, area = '']) => area))]
  expect(areas).toEqual(expect.arrayContaining(['demand', 'workbench', 'updatepassword']))
  const address = new RegExp(`(?:['"\`]/(?:${areas.join('|')})(?=[/?#'"\`])|\\bto="/)[^\\n'"\`]*`, 'g')
  const found = files
    .filter((path) => isCode(path) && !allowed.includes(path))
    .flatMap((path) => [...read(path).matchAll(address)].map(([text]) => `${path}: ${text}`))
  expect(found).toEqual([])
})

/** Files that open a transaction beside `transact` of src/server/deed.ts, each with its reason. */
const transactionReasons: Record<string, string> = {
  'db/seed/reference.ts': 'fills an empty database before there are services, also for the template of the tests',
}

test('transactions are opened in one place; a file that opens its own states why', () => {
  const opening = files.filter(
    (path) => /^(src|db)\/.*\.tsx?$/.test(path) && !path.endsWith('.test.ts') && /\.transaction\(/.test(read(path)),
  )
  const stated = [...Object.keys(transactionReasons), 'src/server/deed.ts']
  expect(opening.toSorted()).toEqual(stated.toSorted())
})

/** Calls of pages that are not shown through `Loaded`, `ListBody` or `Unloaded`, each with its reason. */
const unshownReasons: Record<string, string> = {
  'src/web/workbench/internal/internal-check.tsx found': 'helps while one types; publishing checks again and refuses',
  'src/web/workbench/dept-chip.tsx depts': 'the name in a chip, which says without it that the list is narrowed',
  'src/web/admin/company-chip.tsx found': 'the name in a chip, which says without it that the list is narrowed',
  'src/web/workbench/market-list-page.tsx shelved': 'chooses between two sentences about an empty list',
  'src/web/workbench/demand/match-preview.tsx found': 'a forecast beside the button, which is left out until it is there',
  'src/web/workbench/internal/use-ceilings.ts found': 'helps while one types; publishing checks again and refuses',
  'src/web/workbench/demand-list-page.tsx counts': 'numbers beside tabs, which are left out until they are there',
  'src/web/workbench/demand-list-page.tsx depts': 'a filter that appears where there is a choice',
  'src/web/contract/contract-tabs.ts counts': 'numbers beside tabs, which are left out until they are there',
  'src/web/workbench/contract-list-page.tsx depts': 'a filter that appears where there is a choice',
  'src/web/workbench/contract/contract-now.tsx contract': 'is shown through `Loaded` without the answer from before',
  'src/web/workbench/contract/contract-party-filter.tsx found': 'the list of the picker words the failure itself',
  'src/web/category/pickers.tsx found': 'the list of the picker words the failure itself',
  'src/web/admin/company-pick.tsx found': 'the list of the picker words the failure itself',
  'src/web/workbench/equipment-list-page.tsx counts': 'numbers beside tabs, which are left out until they are there',
  'src/web/workbench/equipment-list-page.tsx categories': 'a filter that offers only "all" until they are there',
  'src/web/app/menu-counts.ts panel': 'numbers beside the menu, which are left out until they are there',
  'src/web/app/menu-counts.ts overview': 'numbers beside the menu, which are left out until they are there',
  'src/web/admin/broadcast-page.tsx companies': 'names beside the number of companies, which stands there itself',
  'src/web/admin/equipment-review-page.tsx waiting': 'the way to the next one, which leads to the list until it is there',
  'src/web/certification/certification-review.tsx waiting': 'the way to the next one, which leads to the list until it is there',
  'src/web/certification/certification-fields.tsx regions': 'names of codes, which stand there themselves if the names fail',
  'src/web/app/first-steps.tsx steps': 'stands beside the tasks, which show that nothing answers',
  'src/web/personal/own-tasks.tsx contracts': 'stands beside the reasons that hold a person, which show that nothing answers',
  'src/web/workbench/statistics-page.tsx figuresBefore': 'a comparison beside the figures, which is left out until it is there',
  'src/web/workbench/statistics-page.tsx groupsBefore': 'a comparison beside the figures, which is left out until it is there',
}

test('a page shows each of its calls through one component, so a failed call never looks like an empty list', () => {
  const pages = files.filter((path) => /^src\/web\/(?!app\/list-frame).*\.tsx?$/.test(path)).map((path) => ({ path, code: read(path) }))
  // A hook that is nothing but a query is called like one.
  const own = pages.flatMap(({ code }) =>
    [...code.matchAll(/=>\s*useQuery\(/g)].flatMap(
      ({ index }) => [...code.slice(0, index).matchAll(/\bconst (\w+) = /g)].at(-1)?.[1] ?? [],
    ),
  )
  const hooks = ['useQuery', 'useList', ...own]
  expect(hooks).toEqual(expect.arrayContaining(['useLookup', 'useFigures']))
  const calls = pages.flatMap(({ path, code }) =>
    [...code.matchAll(new RegExp(String.raw`(=>\s*)?\b(?:${hooks.join('|')})(?:<[^>(]*>)?\(`, 'g'))]
      .filter(([, isWithinHook]) => !isWithinHook)
      .map(({ index }) => {
        const [, name, data] = /const (?:(\w+)|\{ data: (\w+)[^}]*\}) = $/.exec(code.slice(0, index)) ?? []
        return { code, name: name ?? data, call: `${path} ${name ?? data}` }
      }),
  )
  expect(calls.length).toBeGreaterThan(100)
  const unshown = calls.filter(
    ({ code, name }) => !name || !new RegExp(String.raw`\b(?:query|list)=\{${name}\}|(?:queries=\{|needed = )[^\n]*\b${name}\b`).test(code),
  )
  expect(unshown.map(({ call }) => call).toSorted()).toEqual(Object.keys(unshownReasons).toSorted())
})
