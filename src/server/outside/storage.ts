import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export type Storage = {
  put(key: string, content: Uint8Array): Promise<void>
  get(key: string): Promise<Uint8Array | null>
  delete(key: string): Promise<void>
}

/** Files under a folder; written beside and renamed, so that half a file is never read. */
export function folderStorage(folder: string): Storage {
  const path = (key: string) => join(folder, key.slice(0, 2), key)
  return {
    async put(key, content) {
      await mkdir(dirname(path(key)), { recursive: true })
      await writeFile(`${path(key)}.part`, content)
      await rename(`${path(key)}.part`, path(key))
    },
    async get(key) {
      try {
        return await readFile(path(key))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    delete: (key) => rm(path(key), { force: true }),
  }
}
