// npm test: installs what is missing, then checks everything. The last line counts what passed and what failed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './chromium.mjs'
import { projectNode, root } from './node.mjs'
import { build, install } from './prepare.mjs'

const start = Date.now()
install()
const node = projectNode()
const bin = (name) => join(root, 'node_modules', name)
// Tools that start "node" themselves must find the project's.
const env = { ...process.env, PATH: `${join(node, '..')}:${process.env.PATH}` }
let passed = 0
let failed = 0
let skipped = 0

function step(title, args) {
  const began = Date.now()
  const { status } = spawnSync(node, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env })
  if (status === 0) passed++
  else failed++
  console.log(`${status === 0 ? 'ok' : 'FAILED'}  ${title} (${secondsSince(began)} s)`)
}

step('route types', [bin('@react-router/dev/bin.cjs'), 'typegen'])
step('types', [bin('typescript/bin/tsc'), '--noEmit'])
step('lint', [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings', 'src', 'db', 'test', 'scripts'])
step('format', [bin('oxfmt/bin/oxfmt'), '--check', '.'])
audit()
build()
chromium()

const folder = mkdtempSync(join(tmpdir(), 'zhujitong-report-'))
const report = join(folder, 'report.json')
spawnSync(node, [bin('vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { ...env, FORCE_COLOR: '0' },
})
if (existsSync(report)) {
  const result = JSON.parse(readFileSync(report, 'utf8'))
  passed += result.numPassedTests
  // A file that could not even be loaded has no tests to fail.
  const unloaded = result.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  ).length
  failed += result.numFailedTests + unloaded
  skipped += result.numPendingTests + result.numTodoTests
} else failed++
rmSync(folder, { recursive: true, force: true })

console.log(`time: ${secondsSince(start)} s`)
console.log(`total: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exit(failed > 0 ? 1 : 0)

function secondsSince(began) {
  return ((Date.now() - began) / 1000).toFixed(1)
}

/** Known vulnerabilities of the dependencies. Some registries do not offer this list. */
function audit() {
  const { status, stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--audit-level=high'], { cwd: root, encoding: 'utf8' })
  if (status === 0) passed++
  else if (/audit endpoint returned an error|ENOTFOUND|ECONNREFUSED|ETIMEDOUT/.test(stderr)) {
    skipped++
    console.log('skipped  audit of dependencies: the registry has no list of weaknesses')
    return
  } else failed++
  console.log(`${status === 0 ? 'ok' : 'FAILED'}  audit of dependencies\n${status === 0 ? '' : stdout}`)
}

/** The journeys need a Chromium and a font with Chinese letters; Debian's packages have both. The headless shell suffices. */
function chromium() {
  if (findChromium()) return
  console.log('Installing Chromium…')
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const apt = (...args) => {
    const [command, ...rest] = [...sudo, 'apt-get', ...args]
    spawnSync(command, rest, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  }
  apt('update', '-qq')
  for (const name of ['chromium-headless-shell', 'chromium'])
    if (!findChromium()) apt('install', '-y', '-qq', '--no-install-recommends', name, 'fonts-noto-cjk')
}
