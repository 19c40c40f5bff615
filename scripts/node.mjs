import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Flags of the server process, for the bar of 250 MB while idle. They cap the young generation at 16 MB and disable parallel scavenging: almost nothing outlives its request,
 * so additional threads of the collector only contend.
 */
export const serverFlags = ['--max-semi-space-size=16', '--no-parallel-scavenge']

/** Finds the Node that comes with the project, or the caller's own if that is new enough to run TypeScript. */
export function projectNode() {
  const own = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  if (existsSync(own)) return own
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  console.error(`This machine (${process.platform} ${process.arch}) needs Node 24 or newer.`)
  process.exit(1)
}
