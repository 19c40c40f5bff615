import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What the linter says of one file at one place, under our configuration. */
function lint(path: string, source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'zhujitong-walls-'))
  try {
    cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), source)
    const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), '-f', 'json', '.'], {
      cwd: folder,
      encoding: 'utf8',
    })
    return stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
const importing = (target: string) => `import { x } from '${target}'\n\nexport const y = x\n`

test.each([
  ['src/shared/a.ts', '#server/app.ts'],
  ['src/shared/a.ts', '../web/app/api.ts'],
  ['src/shared/a.ts', 'node:fs'],
  ['src/shared/demand/a.ts', 'kysely'],
  ['src/server/a.ts', '#web/app/api.ts'],
  ['src/server/demand/queries.ts', '../../web/app/api.ts'],
  ['src/server/demand/routes.ts', '../quote/routes.ts'],
  ['src/web/a.ts', '#server/app.ts'],
  ['src/web/a.ts', '#db/seed/demo.ts'],
  ['src/web/a.ts', 'node:fs'],
  ['src/web/public/a.ts', 'antd'],
  ['src/web/public/a.ts', '../workbench/draft.ts'],
  ['src/web/workbench/a.ts', '../personal/layout.tsx'],
  ['src/web/personal/a.ts', '../public/layout.tsx'],
  ['src/web/ui/a.ts', '../app/api.ts'],
  ['src/web/ui/a.ts', '#shared/fields.ts'],
])('%s may not import %s', (path, target) => {
  expect(lint(path, importing(target))).toContain('no-restricted-imports')
})

test.each([
  ['src/shared/demand/a.ts', '../fields.ts'],
  ['src/server/demand/routes.ts', '../quote/queries.ts'],
  ['src/web/public/a.ts', '../app/api.ts'],
  ['src/web/workbench/a.ts', 'antd'],
  ['src/web/ui/a.ts', './dialog.tsx'],
])('%s may import %s', (path, target) => {
  expect(lint(path, importing(target))).not.toContain('no-restricted-imports')
})

test.each([
  ['src/server/Thing.ts', 'export const a = 1\n', 'filename-case'],
  ['src/server/thing.ts', 'export default 1\n', 'no-default-export'],
  ['src/server/thing.ts', "export * from './other.ts'\n", 'no-barrel-file'],
  ['src/server/thing.ts', 'export const a: any = 1\n', 'no-explicit-any'],
  ['src/server/thing.ts', 'export {}\n'.repeat(401), 'max-lines'],
  ['src/shared/thing.ts', 'export const a = window\n', 'no-restricted-globals'],
])('%s: %j breaks %s', (path, source, rule) => {
  expect(lint(path, source)).toContain(rule)
})
