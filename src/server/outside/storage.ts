import { chmodSync, mkdirSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { dayMs } from '#shared/calendar.ts'

type Opened = { size: number; chunks: AsyncIterable<Uint8Array> }

export type Storage = {
  put(key: string, content: Uint8Array): Promise<void>
  get(key: string): Promise<Uint8Array | null>
  /** For answers: a slow caller holds a few kilobytes instead of the whole file. */
  open(key: string): Promise<Opened | null>
  delete(key: string): Promise<void>
}

/**
 * Stores files in a folder that only its owner may enter. A file is written under a temporary name and renamed, so nobody reads half of it. It is on
 * the disk before its row is, so no power cut loses what an answer has acknowledged.
 */
export function folderStorage(folder: string): Storage {
  const path = (key: string) => join(folder, key.slice(0, 2), key)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // An older version let other users of the machine in.
  chmodSync(folder, 0o700)
  // Nobody waits for it, and what is gone meanwhile another process has removed.
  removeParts(folder).catch(() => undefined)
  return {
    async put(key, content) {
      const made = await mkdir(dirname(path(key)), { recursive: true, mode: 0o700 })
      const part = `${path(key)}.part`
      try {
        await writeFile(part, content, { mode: 0o600, flush: true })
        await rename(part, path(key))
      } catch (error) {
        // On a full disk what was written of it would keep the disk full.
        await rm(part, { force: true }).catch(() => undefined)
        throw error
      }
      await syncFolder(dirname(path(key)))
      if (made) await syncFolder(folder)
    },
    async get(key) {
      return readFile(path(key)).catch(absent)
    },
    async open(key) {
      const file = await open(path(key)).catch(absent)
      return file && { size: (await file.stat()).size, chunks: file.createReadStream() }
    },
    delete: (key) => rm(path(key), { force: true }),
  }
}

/** Removes what processes that died in the middle of a file have left. Younger ones may be written by another process at this moment. */
async function removeParts(folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.part')) continue
    const { mtimeMs } = await stat(join(folder, name))
    if (mtimeMs < Date.now() - dayMs) await rm(join(folder, name), { force: true })
  }
}

/** Writes the names in a folder to the disk. Windows cannot open a folder for that. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

/** The file store of this installation. */
export const storageOf = (config: { s3: S3 | undefined }, dataDir: string): Storage =>
  config.s3 ? s3Storage(config.s3) : folderStorage(join(dataDir, 'files'))

export type S3 = { endpoint: string; bucket: string; region: string; keyId: string; secret: string }

/** How often a request that failed on the way is repeated; repeating a put with the same key and bytes changes nothing. */
const retries = 3
const patienceMs = 20_000

/** Files in a bucket of an S3-compatible store, addressed by path (`endpoint/bucket/key`), signed with Signature Version 4. */
export function s3Storage({ endpoint, bucket, region, keyId, secret }: S3): Storage {
  const client = new AwsClient({ accessKeyId: keyId, secretAccessKey: secret, region, service: 's3', retries })
  const address = (key: string) => `${endpoint.replace(/\/$/, '')}/${bucket}/${key.slice(0, 2)}/${key}`
  const ask = async (method: string, key: string, body?: Uint8Array, signal = AbortSignal.timeout(patienceMs)) => {
    const response = await client.fetch(address(key), { method, ...(body && { body: new Uint8Array(body) }), signal })
    if (response.ok || response.status === 404) return response
    throw new Error(`the file store answered ${response.status} to ${method}`)
  }
  return {
    async put(key, content) {
      if (!(await ask('PUT', key, content)).ok) throw new Error(`the file store has no bucket ${bucket}`)
    },
    async get(key) {
      const response = await ask('GET', key)
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : null
    },
    async open(key) {
      const patience = new AbortController()
      const timer = setTimeout(() => patience.abort(), patienceMs)
      // Only the head of the answer has to come in time; how long the body takes is up to the caller.
      const response = await ask('GET', key, undefined, patience.signal).finally(() => clearTimeout(timer))
      if (!response.ok || !response.body) return null
      return { size: Number(response.headers.get('content-length')), chunks: response.body }
    },
    async delete(key) {
      await ask('DELETE', key)
    },
  }
}
