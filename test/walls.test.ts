import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

type Found = { code: string; line: number }

/** Runs the linter once with our configuration on these sources; what it finds in each, by its path. */
function lint(sources: readonly (readonly [path: string, source: string])[]): Map<string, Found[]> {
  const found = new Map<string, Found[]>(sources.map(([path]) => [path, []]))
  // A second source would take the place of the first.
  if (found.size < sources.length) throw new Error('two sources at one path')
  const folder = mkdtempSync(join(tmpdir(), 'zhujitong-walls-'))
  try {
    cpSync(join(root, 'oxlint.config.ts'), join(folder, 'oxlint.config.ts'))
    for (const [path, source] of sources) {
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      writeFileSync(join(folder, path), source)
    }
    const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), '-f', 'json', '.'], {
      cwd: folder,
      encoding: 'utf8',
    })
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { code: string; filename: string; labels: { span: { line: number } }[] }[]
    }
    for (const { code, filename, labels } of diagnostics) found.get(filename)?.push({ code, line: labels[0]?.span.line ?? 0 })
    return found
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Importing = readonly [path: string, imports: readonly string[]]

/** Of what each of these files would import, what the linter refuses. */
function refusedOf(files: readonly Importing[]): Map<string, string[]> {
  const source = (imports: readonly string[]) => imports.map((line, at) => `${line.replace('{ x', `{ x as x${at}`)}\n`).join('')
  const found = lint(files.map(([path, imports]) => [path, source(imports)]))
  return new Map(
    files.map(([path, imports]) => {
      const refused = found.get(path)?.filter(({ code }) => code.includes('no-restricted-imports'))
      return [path, imports.filter((_, at) => refused?.some(({ line }) => line === at + 1))]
    }),
  )
}
const from = (target: string) => `import { x } from '${target}'`
const routerLink = "import { Link } from 'react-router'"
const routerNavLink = "import { NavLink } from 'react-router'"
const notOfPages = ['kysely', 'pg', 'fastify', 'node:fs', '#server/app.ts', '#db/seed/demo.ts', '#test/world.ts'].map(from)
const links = [routerLink, routerNavLink]
const areas = ['public', 'personal', 'workbench', 'admin'] as const
const inAreas = areas.flatMap((area) => [`../${area}/layout.tsx`, `#web/${area}/layout.tsx`]).map(from)
const otherAreas = (own: string) => inAreas.filter((line) => !line.includes(`/${own}/`))
const rooms = ['../app/api.ts', '../demand/cards.tsx', '../ui/dialog.tsx', '#shared/fields.ts', 'react'].map(from)

const walled: Importing[] = [
  ['src/shared/a.ts', ['#server/app.ts', '../server/app.ts', '#web/app/api.ts', '../web/app/api.ts', 'node:fs', 'react'].map(from)],
  ['src/shared/demand/a.ts', ['kysely', 'pg', 'lru-cache', '../../server/app.ts', '../../web/app/api.ts'].map(from)],
  ['src/server/a.ts', ['#web/app/api.ts', '../web/app/api.ts', 'react', 'downshift', 'react-dom/server'].map(from)],
  ['src/server/demand/queries.ts', ['#web/app/api.ts', '../../web/app/api.ts', 'react', 'downshift'].map(from)],
  [
    'src/server/demand/routes.ts',
    [
      '../quote/routes.ts',
      '#server/quote/routes.ts',
      '#web/app/api.ts',
      '../../web/app/api.ts',
      'react',
      'downshift',
      'react-dom/server',
    ].map(from),
  ],
  ['src/web/root.tsx', [...notOfPages, ...links, from('../server/app.ts')]],
  ['src/web/demand/a.tsx', [...notOfPages, ...links, ...inAreas]],
  [
    'src/web/app/a.tsx',
    [...notOfPages, ...links, ...inAreas, ...['../demand/cards.tsx', '#web/unit/a.tsx', '../ui-parts/a.tsx'].map(from)],
  ],
  ...areas.map<Importing>((area) => [`src/web/${area}/a.tsx`, [...notOfPages, ...links, ...otherAreas(area), from('../../server/app.ts')]]),
  ['src/web/public/b.tsx', ['downshift', '../ui/combobox.tsx'].map(from)],
  ['src/web/ui/a.tsx', [...notOfPages, ...links, ...['../app/api.ts', '#shared/fields.ts', '#web/app/api.ts'].map(from)]],
]
const refusedByWalls = refusedOf(walled)

test.each(walled)('%s: the walls hold', (path, walls) => {
  expect(refusedByWalls.get(path)).toEqual(walls)
})

const open: Importing[] = [
  ['src/shared/demand/a.ts', ['../fields.ts', '#shared/fields.ts', 'zod'].map(from)],
  ['src/shared/demand/a.test.ts', ['./a.ts', 'vitest', 'fast-check'].map(from)],
  ['src/server/a.ts', ['#shared/fields.ts', 'kysely', 'pg', 'fastify', 'node:fs', 'react-router'].map(from)],
  ['src/server/demand/routes.ts', ['./queries.ts', '../quote/queries.ts', '../http/api.ts', '#shared/demand/contract.ts'].map(from)],
  ['src/server/routes.ts', ['./demand/routes.ts'].map(from)],
  ['src/web/root.tsx', ['./public/not-found-page.tsx', './app/text.tsx', 'react-router'].map(from)],
  ['src/web/app/a.tsx', ['./b.tsx', '../ui/dialog.tsx', '#shared/fields.ts', 'react'].map(from)],
  ...['demand', ...areas].map<Importing>((room) => [`src/web/${room}/a.tsx`, [...rooms, from('./b.tsx')]]),
  ['src/web/workbench/c.tsx', ['../ui/combobox.tsx', '../workbench/b.tsx'].map(from)],
  ['src/web/ui/a.tsx', ['./dialog.tsx', 'react', 'react-router'].map(from)],
]
const refusedAtDoors = refusedOf(open)

test.each(open)('%s: the doors are open', (path) => {
  expect(refusedAtDoors.get(path)).toEqual([])
})

const broken = [
  ['src/server/Thing.ts', 'export const a = 1\n', 'filename-case'],
  ['src/server/default.ts', 'export default 1\n', 'no-default-export'],
  ['src/server/barrel.ts', "export * from './other.ts'\n", 'no-barrel-file'],
  ['src/server/any.ts', 'export const a: any = 1\n', 'no-explicit-any'],
  ['src/server/long.ts', 'export {}\n'.repeat(401), 'max-lines'],
  ['src/shared/thing.ts', 'export const a = window\n', 'no-restricted-globals'],
] as const
const foundInBroken = lint(broken.map(([path, source]) => [path, source]))

test.each(broken)('%s: %j breaks %s', (path, _, rule) => {
  expect(foundInBroken.get(path)?.map(({ code }) => code)).toContainEqual(expect.stringContaining(rule))
})
