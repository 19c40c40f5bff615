import { createHash, type Hash } from 'node:crypto'
import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import type { Storage } from '../outside/storage.ts'

/** One file of an evidence pack. `isPacked`: its format is compressed already. */
export type PackFile = { path: string; content: Uint8Array | AsyncIterable<Uint8Array>; isPacked?: boolean }

/** Bytes of stored files in one part of a pack: more is split. */
export const maxPartBytes = 500_000_000

/** The part of each file, from 1 on: as many as fit, in their order. A larger file has a part of its own. */
export function partsOf(sizes: readonly number[], maxBytes: number): number[] {
  let part = 1
  let bytes = 0
  return sizes.map((size) => {
    if (bytes > 0 && bytes + size > maxBytes) {
      part++
      bytes = 0
    }
    bytes += size
    return part
  })
}

/** Words for a stored file that lies in another part of the pack; null where it lies in this one. */
export type Elsewhere = (fileId: string) => string | null

/** A file of text that is written while it is read, so it is never whole in memory. */
export const streamedFile = (path: string, texts: AsyncIterable<string>): PackFile => ({ path, content: encoded(texts) })

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield strToU8(text)
}

/** An object as JSON, its lists element by element; one may be read while it is written. */
export async function* jsonParts(value: Readonly<Record<string, unknown>>): AsyncGenerator<string> {
  let before = '{\n'
  for (const [key, part] of Object.entries(value)) {
    yield `${before}${JSON.stringify(key)}: `
    before = ',\n'
    if (isList(part)) yield* listParts(part)
    else yield JSON.stringify(part)
  }
  yield '\n}'
}

async function* listParts(list: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const one of list) {
    yield `${before}${JSON.stringify(one)}`
    before = ',\n'
  }
  yield before === '[\n' ? '[]' : '\n]'
}

const isList = (part: unknown): part is Iterable<unknown> | AsyncIterable<unknown> =>
  typeof part === 'object' && part !== null && (Symbol.iterator in part || Symbol.asyncIterator in part)

export const textFile = (path: string, content: string): PackFile => ({ path, content: strToU8(content) })

/**
 * Reads stored files one after the other, so that a pack never holds more than a part of one. `paths` gets the path of each, with a word behind that of a
 * file that the storage lacks or that lies in another part, so nobody takes the pack for complete.
 */
export async function* storedFiles(
  storage: Storage,
  files: readonly { fileId: string; name: string }[],
  { folder, missing, paths, elsewhere }: { folder: string; missing: string; paths: string[]; elsewhere?: Elsewhere | undefined },
): AsyncGenerator<PackFile> {
  for (const { fileId, name } of files) {
    const path = `${folder}/${fileId.slice(0, 8)}-${name}`
    const other = elsewhere?.(fileId) ?? null
    if (other !== null) {
      paths.push(`${path} (${other})`)
      continue
    }
    const stored = await storage.open(fileId)
    paths.push(stored ? path : `${path} (${missing})`)
    if (stored) yield { path, content: stored.chunks, isPacked: true }
  }
}

/** Passes the files on and adds a manifest, which `sha256sum -c` reads. */
export async function* withManifest(files: AsyncIterable<PackFile>, name = 'manifest.sha256'): AsyncGenerator<PackFile> {
  const lines: [path: string, line: string][] = []
  for await (const file of files) {
    const hash = createHash('sha256')
    yield { ...file, content: hashed(file.content, hash) }
    lines.push([file.path, `${hash.digest('hex')}  ${file.path}\n`])
  }
  const sorted = lines.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line)
  yield textFile(name, sorted.join(''))
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
