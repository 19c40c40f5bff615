import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Flags of the server process, for the bar of 250 MB while idle. They cap the young generation at 16 MB and disable parallel scavenging: almost nothing outlives its request,
 * so additional threads of the collector only contend. So does marking, which takes one thread: with more, all requests stand still for as long as it lasts (p99 of quotes 82
 * ms rather than 51 on two cores). The old generation is collected when it has grown by half: by itself it may grow to three times of what is used, and V8 keeps those pages
 * afterwards (31 KB for each of 10,000 websockets rather than 11).
 */
export const serverFlags = ['--max-semi-space-size=16', '--no-parallel-scavenge', '--v8-pool-size=1', '--heap-growing-percent=50']

/**
 * The environment of the server process: glibc returns the memory of a file as soon as it is freed. By itself it raises these thresholds with the
 * first large block that is freed, and keeps such blocks from then on (decision 36).
 */
export const serverEnvironment = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }

/** Finds the Node that comes with the project, or the caller's own if that is new enough to run TypeScript. */
export function projectNode() {
  const own = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  if (existsSync(own)) return own
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  console.error(`This machine (${process.platform} ${process.arch}) needs Node 24 or newer.`)
  process.exit(1)
}
