// What is longer or looser than it should be stands in test/ratchets.json: it may shrink, and nothing joins it. `npm run ratchets` takes over
// what has shrunk, left or moved to another file; it raises nothing.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** By path, for functions by path and name. */
export type Measures = Record<string, number>
type Ratchets = { functions: Measures; styles: Measures }

const root = fileURLToPath(new URL('..', import.meta.url))
const list = join(root, 'test/ratchets.json')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

export const listedRatchets = () => JSON.parse(readFileSync(list, 'utf8')) as Ratchets

export const measureRatchets = (): Ratchets => ({
  functions: longFunctions(root, 'src', 'db', 'scripts'),
  styles: longStyles(),
})

const files = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '--', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(root, path)))

/** Functions of more than 80 plain lines, in .tsx of more than 120, in these folders of `cwd`. Tests and seeds are exempt. */
export function longFunctions(cwd: string, ...folders: string[]): Measures {
  const temporary = mkdtempSync(join(tmpdir(), 'zhujitong-ratchets-'))
  try {
    const config = join(temporary, 'oxlint.json')
    const limit = { max: 80, skipBlankLines: false, skipComments: false }
    writeFileSync(config, JSON.stringify({ categories: { correctness: 'off' }, rules: { 'max-lines-per-function': ['error', limit] } }))
    const oxlint = [join(root, 'node_modules/oxlint/bin/oxlint'), '-c', config, '-f', 'json', ...folders]
    const { stdout } = spawnSync(process.execPath, oxlint, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 })
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; message: string }[] }
    const found: Measures = {}
    for (const { filename, message } of diagnostics) {
      const lines = Number(/\((\d+)\)/.exec(message)?.[1])
      // A comparison with NaN would let every function pass.
      if (Number.isNaN(lines)) throw new Error(`oxlint does not say how long a function is: ${filename}: ${message}`)
      if (/\.test\.ts$|^db\/seed\//.test(filename) || (filename.endsWith('x') && lines <= 120)) continue
      const name = `${filename} ${/`(.+)`/.exec(message)?.[1] ?? 'without a name'}`
      found[name] = Math.max(lines, found[name] ?? 0)
    }
    return sorted(found)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Style sheets of more than 400 lines. */
function longStyles(): Measures {
  const sheets = files('src/*.css').map((path) => [path, read(path).split('\n').length - 1] as const)
  return Object.fromEntries(sheets.filter(([, lines]) => lines > 400))
}

const sorted = (measures: Measures): Measures => Object.fromEntries(Object.entries(measures).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** The entries for what is there now: none rises, and a new one is only that of a vanished one of the same name. */
export function lowered(found: Measures, entries: Measures): Measures {
  const name = (entry: string) => entry.split(/[/ ]/).at(-1)
  const vanished = Object.entries(entries).filter(([entry]) => !(entry in found))
  return Object.fromEntries(
    Object.entries(found).flatMap(([entry, measure]) => {
      const most = entries[entry] ?? vanished.find(([old, lines]) => name(old) === name(entry) && lines >= measure)?.[1]
      return most === undefined ? [] : [[entry, Math.min(measure, most)]]
    }),
  )
}

if (process.argv[1] === import.meta.filename) {
  const entries = listedRatchets()
  const found = measureRatchets()
  const now: Ratchets = {
    functions: lowered(found.functions, entries.functions),
    styles: lowered(found.styles, entries.styles),
  }
  writeFileSync(list, `${JSON.stringify(now, null, 2)}\n`)
}
