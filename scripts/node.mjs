import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * With what the server is run: on a machine with much memory Node would keep a hundred megabytes for what lives shortly, to no use; and little
 * of that outlives its request, so that helpers of its collection cost more in waiting for one another than they do.
 */
export const serverFlags = ['--max-semi-space-size=16', '--no-parallel-scavenge']

/** The Node that comes with the project (it runs TypeScript); the caller's own where that is new enough. */
export function projectNode() {
  const own = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  if (existsSync(own)) return own
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  console.error(`This machine (${process.platform} ${process.arch}) needs Node 24 or newer.`)
  process.exit(1)
}
