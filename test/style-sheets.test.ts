import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path && existsSync(join(root, path)))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('style sheets have at most 400 lines', () => {
  const sheets = files.filter((path) => path.endsWith('.css'))
  expect(sheets.length).toBeGreaterThan(20)
  expect(sheets.filter((path) => read(path).split('\n').length > 401)).toEqual([])
})

test('a style attribute sets only what is computed; constant styles stand in style sheets', () => {
  const isConstant = (style: string) => style.split(/,(?![^'(]*['),])/).every((one) => /^\s*\w+: ('[^'$]*'|\d+)\s*$/.test(one))
  const found = files
    .filter((path) => /^src\/web\/.*\.tsx$/.test(path))
    .flatMap((path) => [...read(path).matchAll(/style=\{\{ ([^{}]*) \}\}/g)].map(([, style = '']) => ({ path, style })))
  expect(found.filter(({ style }) => isConstant(style))).toEqual([])
})

test('a rule that one component alone uses stands beside it, not in the sheets of all', () => {
  // The classes of an element, with those of the expressions in it; a name that ends in '*' is made of what follows it.
  const classesOf = (code: string) =>
    [...code.matchAll(/\bclass(?:Name)?(?:=| = |: )("[^"]*"|'[^']*'|`[^`]*`|\{(?:[^{}]|\{[^{}]*\})*\})/gi)].flatMap(([, value = '']) =>
      [...value.replaceAll(/([\w-]+-)\$\{/g, '$1* ${').matchAll(/(["'`} ])([\w-]+\*?)(?=["'`$ ])/g)].map(([, , name = '']) => name),
    )
  const users = files.filter((path) => /^src\/web\/.*\.tsx$/.test(path)).map((path) => ({ path, names: classesOf(read(path)) }))
  const isShared = (name: string) => {
    const found = users.filter(({ names }) => names.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one)))
    return found.length > 1 || found.some(({ path }) => path.startsWith('src/web/ui/'))
  }
  // A sheet of single rules replaces style attributes. A class that a rule leaves out is not defined by it.
  const alone = files
    .filter((path) => /^src\/web\/ui\/.*\.css$/.test(path) && !path.endsWith('single.css'))
    .flatMap((path) => {
      const selectors = read(path).replaceAll(/\/\*[^]*?\*\/|\{[^{}]*\}|:not\([^)]*\)/g, ' ')
      return [...new Set([...selectors.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name))]
        .filter((name) => !isShared(name))
        .map((name) => `${path} .${name}`)
    })
  expect([isShared('panel'), isShared('dialog-warning'), isShared('thread')]).toEqual([true, true, false])
  expect(alone).toEqual([])
})
