// npm test: installs what is missing, then checks everything. The last line counts what passed and what failed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './chromium.mjs'
import { projectNode, root } from './node.mjs'
import { install } from './prepare.mjs'

const start = Date.now()
install()
const node = projectNode()
const bin = (name) => join(root, 'node_modules', name)
// Tools that start "node" themselves must find the project's.
const env = { ...process.env, PATH: `${join(node, '..')}:${process.env.PATH}` }
const gb = 2 ** 30
// Measured before anything else runs: the linter takes 3 GB beside the first tests.
const freeMemory = process.availableMemory?.() ?? freemem()
const failedSteps = []
let passed = 0
let failed = 0
let skipped = 0

/** Runs a command and prints what it said once it has ended, so that steps at the same time do not mix their lines. */
function run(command, args, more = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...env, ...more } })
    const said = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr']) child[stream].on('data', (data) => (said[stream] += data))
    child.on('error', (error) => done({ ...said, status: 1, stderr: error.message }))
    child.on('close', (status) => done({ ...said, status }))
  })
}

async function step(title, args, more) {
  const began = Date.now()
  const { status, stdout, stderr } = await run(node, args, more)
  if (status === 0) passed++
  else {
    failed++
    failedSteps.push(title)
  }
  console.log(`${stdout}${stderr}${status === 0 ? 'ok' : 'FAILED'}  ${title} (${secondsSince(began)} s)`)
  return status === 0
}

const configs = readdirSync(root).filter((name) => name.endsWith('.config.ts'))
const checked = ['src', 'db', 'test', 'scripts', ...configs]

await step('route types', [bin('@react-router/dev/bin.cjs'), 'typegen'])
// Side by side, because most of them use one core or wait for the network; the tests begin as soon as they have their pages and their browser.
const browser = chromium()
const checks = Promise.all([
  // The linter's type-aware rules need the program of the compiler, so it reports what that finds as well: one pass instead of two.
  // Its memory is collected less often than by itself, and it has one thread for its own rules: each saves an eighth of the work.
  step('types and lint', [bin('oxlint/bin/oxlint'), '--type-aware', '--type-check', '--deny-warnings', '--threads=1', ...checked], {
    GOGC: '800',
  }),
  step('format', [bin('oxfmt/bin/oxfmt'), '--check', '.']),
  audit(),
])
const built = await step('pages', [join(root, 'scripts/build.mjs')])
await browser
// Without pages no journey can begin.
if (!built) {
  await checks
  end()
}

const folder = mkdtempSync(join(fastFolder() ?? tmpdir(), 'zhujitong-tests-'))
const compiled = join(folder, 'compiled')
mkdirSync(compiled)
// For the users that PostgreSQL and the product change to, as the folder of the system is.
for (const path of [folder, compiled]) chmodSync(path, 0o1777)
const report = join(folder, 'report.json')
const tests = spawn(
  node,
  [
    bin('vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=./test/failures-at-once.ts',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ],
  {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // Hundreds of processes and threads load the same modules: each is compiled once.
    env: { ...env, FORCE_COLOR: '0', TMPDIR: folder, NODE_COMPILE_CACHE: compiled },
  },
)
const [ended] = await once(tests, 'close').catch((error) => [error])
await checks
if (existsSync(report)) {
  const result = JSON.parse(readFileSync(report, 'utf8'))
  passed += result.numPassedTests
  // A file that could not even be loaded has no tests to fail.
  const unloaded = result.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  ).length
  const failedTests = result.numFailedTests + unloaded
  failed += failedTests
  // An error outside of all tests: nobody else would count it.
  if (ended !== 0 && failedTests === 0) failed++
  skipped += result.numPendingTests + result.numTodoTests
} else failed++
// A browser that ends with its worker may still write.
rmSync(folder, { recursive: true, force: true, maxRetries: 5 })

end()

function end() {
  // What a step said stands among the lines of the tests.
  for (const title of failedSteps) console.log(`FAILED  ${title}`)
  console.log(`time: ${secondsSince(start)} s`)
  console.log(`total: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  process.exit(failed > 0 ? 1 : 0)
}

/**
 * The folder of shared memory, where there is plenty. Each test file gets a database of its own, 1,500 small files that a disk takes
 * 0.7 s to create: two minutes of a run.
 */
function fastFolder() {
  const memory = '/dev/shm'
  if (process.env.TMPDIR || !existsSync(memory) || freeMemory < 8 * gb) return undefined
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize < 6 * gb ? undefined : memory
}

function secondsSince(began) {
  return ((Date.now() - began) / 1000).toFixed(1)
}

/** Known vulnerabilities of the dependencies. Some registries do not offer this list. */
async function audit() {
  const { status, stdout, stderr } = await run('npm', ['audit', '--omit=dev', '--audit-level=high'])
  if (status === 0) passed++
  else if (/audit endpoint returned an error|ENOTFOUND|ECONNREFUSED|ETIMEDOUT/.test(stderr)) {
    skipped++
    console.log('skipped  audit of dependencies: the registry has no list of weaknesses')
    return
  } else failed++
  console.log(`${status === 0 ? 'ok' : 'FAILED'}  audit of dependencies\n${status === 0 ? '' : stdout}`)
}

/** The journeys need a Chromium and a font with Chinese letters; Debian's packages have both. The headless shell suffices. */
async function chromium() {
  const hasFont = (await run('fc-list', [':lang=zh'])).stdout !== ''
  if (findChromium() && hasFont) return
  console.log('Installing Chromium and a font…')
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const apt = async (...args) => {
    const [command, ...rest] = [...sudo, 'apt-get', ...args]
    const { status, stderr } = await run(command, rest, { DEBIAN_FRONTEND: 'noninteractive' })
    if (status !== 0) console.log(stderr)
  }
  const installPackage = (name) => apt('install', '-y', '-qq', '--no-install-recommends', name)
  await apt('update', '-qq')
  for (const name of ['chromium-headless-shell', 'chromium']) if (!findChromium()) await installPackage(name)
  if (!hasFont) await installPackage('fonts-noto-cjk')
}
