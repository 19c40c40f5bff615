// Installs and builds what is missing or older than the sources. Runs on Node 20 with nothing installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectNode, root } from './node.mjs'

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (error || status !== 0) {
    console.error(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}.`)
    process.exit(1)
  }
}

/**
 * Installs node_modules from package-lock.json. `npm ci` would refuse a lock file without the optional binaries of platforms that the
 * registry does not have.
 */
export function install() {
  const stamp = join(root, 'node_modules/.installed')
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('Installing packages…')
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'])
  writeFileSync(stamp, wanted)
}

const isBuilt = (folder, name) =>
  folder === 'public' ? statSync(join(root, folder, name)).isFile() : /\.(ts|tsx|mjs|css|svg)$/.test(name) && !name.includes('.test.')

/** Builds the pages for browser and server when a source has changed. */
export function build() {
  const stamp = join(root, 'build/stamp')
  const hash = createHash('sha256').update(process.env.GALLERY ?? '')
  for (const folder of ['src/web', 'src/shared', 'public', 'scripts'])
    for (const name of readdirSync(join(root, folder), { recursive: true }).toSorted()) {
      const path = join(root, folder, name)
      if (isBuilt(folder, name)) hash.update(name).update(readFileSync(path))
    }
  for (const name of ['package-lock.json', 'vite.config.ts', 'react-router.config.ts']) hash.update(readFileSync(join(root, name)))
  const wanted = hash.digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('Building the pages…')
  run(projectNode(), [join(root, 'node_modules/@react-router/dev/bin.cjs'), 'build'])
  run(projectNode(), [join(root, 'scripts/compress.mjs')])
  run(projectNode(), [join(root, 'scripts/budget.mjs')])
  run(projectNode(), [join(root, 'scripts/fonts.mjs')])
  mkdirSync(join(root, 'build'), { recursive: true })
  writeFileSync(stamp, wanted)
}
