import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { connect } from '#server/db/connect.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { seedReference } from '#db/seed/reference.ts'
import { castDatabase, insertCast, type Cast } from './cast.ts'
import { makeOnce } from './template-db.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    template: string
    /** The ids and tokens of the people in `castDatabase`. */
    cast: Cast
  }
}

/** One PostgreSQL for the run, with a template database, and one that has the cast as well, which most test files copy. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'zhujitong-test-'))
  // The cluster is thrown away afterwards, so nothing has to survive a power cut.
  const more = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']
  const embedded = await startEmbedded(folder, () => undefined, { more, practice: true })
  await migrate(embedded.url)
  const { db } = connect(embedded.url)
  await seedReference(db)
  await db.destroy()
  project.provide('template', embedded.url)
  await makeOnce(embedded.url, castDatabase, async (url) => {
    const { db: own } = connect(url, 1)
    project.provide('cast', await insertCast(own))
    await own.destroy()
  })
  return async () => {
    await embedded.stop()
    rmSync(folder, { recursive: true, force: true })
    rmSync(join(tmpdir(), `zhujitong-demo-files-${new URL(embedded.url).port}`), { recursive: true, force: true })
  }
}
