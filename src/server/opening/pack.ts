import { createHash, type Hash } from 'node:crypto'
import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import type { Storage } from '../outside/storage.ts'

/** One file of an evidence pack. `isPacked`: its format is compressed already. */
export type PackFile = { path: string; content: Uint8Array | AsyncIterable<Uint8Array>; isPacked?: boolean }

export const textFile = (path: string, content: string): PackFile => ({ path, content: strToU8(content) })

/**
 * Reads stored files one after the other, so that a pack never holds more than a part of one. `paths` gets the path of each, with a word behind that of a
 * file that the storage lacks, so nobody takes the pack for complete.
 */
export async function* storedFiles(
  storage: Storage,
  files: readonly { fileId: string; name: string }[],
  { folder, missing, paths }: { folder: string; missing: string; paths: string[] },
): AsyncGenerator<PackFile> {
  for (const { fileId, name } of files) {
    const path = `${folder}/${fileId.slice(0, 8)}-${name}`
    const stored = await storage.open(fileId)
    paths.push(stored ? path : `${path} (${missing})`)
    if (stored) yield { path, content: stored.chunks, isPacked: true }
  }
}

/** Passes the files on and adds `manifest.sha256`, which `sha256sum -c` reads. */
export async function* withManifest(files: AsyncIterable<PackFile>): AsyncGenerator<PackFile> {
  const lines: [path: string, line: string][] = []
  for await (const file of files) {
    const hash = createHash('sha256')
    yield { ...file, content: hashed(file.content, hash) }
    lines.push([file.path, `${hash.digest('hex')}  ${file.path}\n`])
  }
  const sorted = lines.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line)
  yield textFile('manifest.sha256', sorted.join(''))
}

export async function* inFolder(folder: string, files: AsyncIterable<PackFile>): AsyncGenerator<PackFile> {
  for await (const file of files) yield { ...file, path: `${folder}/${file.path}` }
}

/** Zips the files while they are read: what is held is one chunk, however large the pack. */
export async function* zipped(files: AsyncIterable<PackFile>): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    ready.push(chunk)
  })
  const taken = () => {
    const chunks = ready
    ready = []
    return chunks
  }
  for await (const { path, content, isPacked } of files) {
    const entry = isPacked ? new ZipPassThrough(path) : new ZipDeflate(path, { level: 6 })
    zip.add(entry)
    for await (const chunk of chunksOf(content)) {
      entry.push(chunk)
      yield* taken()
    }
    entry.push(new Uint8Array(0), true)
    yield* taken()
  }
  zip.end()
  yield* taken()
}

async function* hashed(content: PackFile['content'], hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunksOf(content)) {
    hash.update(chunk)
    yield chunk
  }
}

const chunksOf = (content: PackFile['content']) => (content instanceof Uint8Array ? [content] : content)
