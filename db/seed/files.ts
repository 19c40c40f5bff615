import { createHash, randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { DB } from '#server/db/tables.generated.ts'
import type { Services } from '#server/services.ts'
import type { Picture } from './pictures.ts'

type File = Pick<Insertable<DB['file']>, 'name' | 'purpose' | 'accountId' | 'companyId' | 'createTime'> & { picture: Picture }

/** As many files are written at once. */
const batch = 16

/** Stores pictures with their thumbnails as an upload does, and answers their ids in the same order. */
export async function storeFiles({ db, storage }: Pick<Services, 'db' | 'storage'>, files: readonly File[]): Promise<string[]> {
  const ids = files.map(() => randomUUID())
  for (let at = 0; at < files.length; at += batch) {
    const part = files.slice(at, at + batch)
    await Promise.all(
      part.flatMap(({ picture }, step) => [
        storage.put(ids[at + step] ?? '', picture.full),
        storage.put(`${ids[at + step]}-thumb`, picture.thumb),
      ]),
    )
  }
  if (files.length > 0)
    await db
      .insertInto('file')
      .values(
        files.map(({ picture, ...file }, at) => ({
          ...file,
          id: ids[at] ?? '',
          size: picture.full.length,
          mime: picture.mime,
          sha256: createHash('sha256').update(picture.full).digest(),
          hasThumbnail: true,
        })),
      )
      .execute()
  return ids
}
