import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { en } from '#shared/text/en.ts'
import { joinedWords, privateWords, privacyOf, withoutPrivateWords } from '#shared/text/private-words.ts'
import { zhCn } from '#shared/text/zh-cn.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const filesOf = (path: string, statement: RegExp) =>
  [...read(path).matchAll(statement)]
    .map(([, from = '']) => (from.startsWith('.') ? join(dirname(path), from) : from.replace(/^#/, 'src/')))
    .filter((file) => /\.tsx?$/.test(file) && existsSync(join(root, file)))

/** The modules that a file brings to the browser at once. */
const importsAtOnce = (path: string) => filesOf(path, /^(?:import|export)\s+(?!type\s)(?:[\w\s{},*]+?\s+from\s+)?'([^']+)'/gm)

/** Also those that it fetches later, such as a dialog that somebody opens, unless it fetches the private words with them. */
const importsWithoutWords = (path: string) => [
  ...importsAtOnce(path),
  ...(read(path).includes('loadPrivateWords()') ? [] : filesOf(path, /\bimport\('([^']+)'\)/g)),
]

function reachedFrom(pages: readonly string[], importsOf = importsAtOnce): Set<string> {
  const reached = new Set<string>()
  const follow = (path: string) => {
    if (reached.has(path)) return
    reached.add(path)
    for (const next of importsOf(path)) follow(next)
  }
  for (const page of pages) follow(page)
  return reached
}

/** Ways to read a group of words: by its path, or by taking it out of its parent. */
function usesOf(code: string, path: string): boolean {
  const at = path.lastIndexOf('.')
  const [parent, name] = [path.slice(0, Math.max(at, 0)), path.slice(at + 1)]
  const source = String.raw`(?:useText\(\)|\btext)${parent && `\\.${parent.replaceAll('.', String.raw`\.`)}`}`
  const whole = privacyOf(path) === 'whole'
  const read = new RegExp(String.raw`${source}\.${name}\b${whole ? '' : String.raw`(?!\.\w)`}`)
  return read.test(code) || new RegExp(String.raw`\{[^{}]*\b${name}\b[^{}]*\} = ${source}(?![.\w])`).test(code)
}

const privateUses = (path: string) => privateWords.filter((group) => usesOf(read(path), group)).map((group) => `${path}: ${group}`)

test('public pages use no words of the private areas, and what they fetch later brings these words with it', () => {
  const pages = execFileSync('git', ['ls-files', 'src/web/public/*.tsx', 'src/web/app/shell.tsx'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path && !path.endsWith('gallery-page.tsx'))
  const modules = [...reachedFrom(pages)].filter((path) => path.startsWith('src/web/'))
  expect(modules).toContain('src/web/demand/demand-parts.tsx')
  expect(modules.flatMap(privateUses)).toEqual([])
  const later = [...reachedFrom(pages, importsWithoutWords)].filter((path) => path.startsWith('src/web/'))
  expect(later).toContain('src/web/app/palette-button.tsx')
  expect(later.flatMap(privateUses)).toEqual([])
  // The check finds both ways of reading.
  expect(usesOf('const { own } = useText().demand', 'demand.own') && usesOf('text.demand.own.title', 'demand.own')).toBe(true)
})

test('the two halves of a catalogue make the whole, and the public one has nothing of the private areas', () => {
  for (const text of [zhCn, en]) {
    const open = withoutPrivateWords(text)
    expect(joinedWords(open, text)).toEqual(text)
    for (const group of ['admin', 'blacklist', 'refusal'] as const) expect(open).not.toHaveProperty(group)
    expect(open.demand).not.toHaveProperty('own')
    expect(Object.keys(open.demand.form).toSorted()).toEqual(['invoice', 'sections', 'specs'])
    expect(open.site).toEqual(text.site)
  }
})

test('each rule that the server refuses a field with has a sentence in both languages', () => {
  const files = execFileSync('git', ['ls-files', 'src/server/*.ts'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path && !path.endsWith('.test.ts'))
  const named = files.flatMap((path) => [...read(path).matchAll(/refuseField\(\[[^\]]*\], '(\w+)'\)|\brule: '(\w+)'/g)])
  const rules = new Set(named.map(([, refused, listed]) => refused ?? listed ?? ''))
  expect(rules).toContain('person_unknown')
  // The rule `format` is the sentence for whatever has none of its own.
  const wordless = [...rules].filter((rule) => rule !== 'format' && ![zhCn, en].every((text) => text.rule.codes[rule]))
  expect(wordless).toEqual([])
})
