import { sql } from 'kysely'
import { dayMs } from '#shared/calendar.ts'
import { fileLimits } from '#shared/file/rules.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { deleteFiles, isAttached } from '../upload/attached.ts'

/** Uploads younger than this moment may still be attached. */
export const unusedSince = (now: Date): string => new Date(now.getTime() - fileLimits.unusedDays * dayMs).toISOString()

/**
 * Whether a `file` has not been attached to anything, or is a picture that no article has: it got its purpose with the upload, and nobody but an editor
 * reads it. A draft of a demand names files before they are attached, in a form of any shape; every other draft attaches them. The index `file_untaken`
 * holds the files of these purposes.
 */
const isUnused = sql<boolean>`((file.purpose is null or file.purpose = 'article') and not ${isAttached} and not exists (select from demand
  where demand.company_id = file.company_id and demand.draft is not null and strpos(demand.draft::text, file.id::text) > 0))`

const batch = 100

const unusedFiles: Queue<{ key: string }> = {
  job: 'cleaning',
  batch,
  find: (db, now, ready) =>
    db
      .selectFrom('file')
      .where('createTime', '<', unusedSince(now))
      .where(isUnused)
      .where(ready(sql`file.id::text`))
      .limit(batch)
      .select(sql<string>`file.id::text`.as('key'))
      .execute(),
  async run({ db, storage }, { key }) {
    const { numDeletedRows } = await db.deleteFrom('file').where('id', '=', key).where(isUnused).executeTakeFirst()
    // Before the commit: where the storage refuses, it is tried again.
    if (numDeletedRows > 0n) await deleteFiles(storage, [key])
    return numDeletedRows > 0n
  },
}

/** Deletes the uploads that nobody attached to anything for so long. Gives how many. */
export const deleteUnusedFiles = (services: Services, signal?: AbortSignal) => workThrough(services, unusedFiles, signal)
