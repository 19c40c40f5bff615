import { readFileSync } from 'node:fs'
import type { openWorld } from './world.ts'

/** Runs the statements of a migration once more, over rows as an earlier version left them. For those that change rows only. */
export async function runMigration({ services }: Awaited<ReturnType<typeof openWorld>>, name: string): Promise<void> {
  await services.pool.query(readFileSync(new URL(`../db/migrations/${name}`, import.meta.url), 'utf8'))
}
