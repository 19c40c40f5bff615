import { createWriteStream, readdirSync, rmSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import type { Scan } from '../outside/scanner.ts'
import { Refusal } from './refusal.ts'
import { Semaphore } from './semaphore.ts'

export type Upload = { name: string; content: Buffer }
/** Hands the file of the request to `use` once it is complete and was scanned. */
export type Receive = <T>(use: (file: Upload) => Promise<T>) => Promise<T>

/** Bytes of files that are scanned, decoded and stored at once, over all requests of the process: one photograph, or one larger file. */
const inMemory = new Semaphore({ total: 6 * 1024 * 1024, waiting: 100 })

/** Uploads of one caller that arrive at once; a browser opens six connections. */
const arrivingAtOnce = 8
const arriving = new Map<string, number>()

const folderPrefix = 'zhujitong-upload-'

/**
 * Deletes the uploads that killed processes have left, which may be identity documents. It is called before the first upload arrives, so a folder with
 * the number of this process is of an earlier one; in a container all have the same number.
 */
export function deleteAbandonedUploads(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = new RegExp(`^${folderPrefix}(\\d+)-`).exec(name) ?? []
    if (pid === undefined || (Number(pid) !== process.pid && isAlive(Number(pid)))) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // Another user's.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Receives the one file of a request. It arrives in a file that only this process may read, so a slow sender takes no memory; then it waits until
 * its bytes fit into those that the process has in hand. `callerOf`: whose uploads are counted together.
 */
export function receiverOf(request: FastifyRequest, scan: Scan | null, callerOf: () => string): Receive {
  return async (use) => {
    if (!request.isMultipart()) throw new Refusal('bad_request')
    const caller = callerOf()
    const before = arriving.get(caller) ?? 0
    if (before >= arrivingAtOnce) throw new Refusal('too_many')
    arriving.set(caller, before + 1)
    let folder: string | undefined
    try {
      // mkdtemp gives the folder mode 700.
      folder = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`))
      const path = join(folder, 'file')
      const name = await writePart(request, path)
      const { size } = await stat(path)
      return await inMemory.run(
        size,
        async () => {
          const content = await readFile(path)
          await scan?.(content)
          return use({ name, content })
        },
        caller,
      )
    } finally {
      const left = (arriving.get(caller) ?? 1) - 1
      if (left > 0) arriving.set(caller, left)
      else arriving.delete(caller)
      if (folder) await rm(folder, { recursive: true, force: true })
    }
  }
}

/** Writes the first file of the form, up to the limit of the parser. Answers its name. */
async function writePart(request: FastifyRequest, path: string): Promise<string> {
  const part = await request.file().catch(refuseForm)
  if (!part) throw new Refusal('bad_request')
  // A part that breaks off ends with an error of the parser; the disk's errors have a code of the system.
  await pipeline(part.file, createWriteStream(path, { mode: 0o600, flags: 'wx' })).catch(refuseForm)
  if (part.file.truncated) throw new Refusal('too_large')
  return part.filename ?? ''
}

function refuseForm(error: Error & { code?: string; statusCode?: number; syscall?: string }): never {
  if (error.syscall !== undefined || (error.statusCode !== undefined && error.statusCode !== 500)) throw error
  throw new Refusal('bad_request')
}
