import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Refusal } from '../http/refusal.ts'

/** Throws a refusal for an infected file, and for one that could not be scanned. */
export type Scan = (content: Uint8Array) => Promise<void>

export type ScannerAddress = { path: string } | { host: string; port: number }

/** Where clamd listens: `unix:/run/clamav/clamd.ctl` or `tcp://clamav:3310`. Undefined for any other text. */
export function scannerAddress(text: string): ScannerAddress | undefined {
  const [, path] = /^unix:(\/.+)$/.exec(text) ?? []
  if (path) return { path }
  const [, host, port] = /^tcp:\/\/\[?([\w.:-]+?)\]?:(\d{1,5})$/.exec(text) ?? []
  return host && port ? { host, port: Number(port) } : undefined
}

const patienceMs = 20_000
const chunkBytes = 64 * 1024
const longestAnswer = 4096

/**
 * Scans with clamd by its command INSTREAM (clamd(8)). A daemon that is away, slow, or answers anything but "OK" or "FOUND" lets nothing through:
 * the file is refused until it can be scanned.
 */
export function clamdScan(address: ScannerAddress, writeLine: (line: string) => void, timeoutMs = patienceMs): Scan {
  return async (content) => {
    let answer = ''
    try {
      answer = await ask(address, content, timeoutMs)
      if (!/^stream: (OK|.+ FOUND)$/.test(answer)) throw new Error(`clamd answered ${JSON.stringify(answer)}`)
    } catch (error) {
      writeLine(`A file could not be scanned for viruses: ${String(error)}`)
      throw new Refusal('file_unchecked')
    }
    if (answer.endsWith(' FOUND')) throw new Refusal('file_infected')
  }
}

async function ask(address: ScannerAddress, content: Uint8Array, timeoutMs: number): Promise<string> {
  const socket = connect(address)
  const signal = AbortSignal.timeout(timeoutMs)
  // An error before the answer is thrown by its loop; one after it changes nothing.
  socket.on('error', () => undefined)
  signal.addEventListener('abort', () => socket.destroy(signal.reason as Error))
  try {
    await once(socket, 'connect', { signal })
    const [answer] = await Promise.all([readAnswer(socket), send(socket, content)])
    return answer
  } finally {
    socket.destroy()
  }
}

/** Each chunk follows its length in four bytes, the largest first; a length of zero ends the stream. */
async function send(socket: Socket, content: Uint8Array): Promise<void> {
  socket.write('zINSTREAM\0')
  for (let from = 0; from < content.length && socket.writable; from += chunkBytes) {
    const chunk = content.subarray(from, from + chunkBytes)
    socket.write(lengthOf(chunk.length))
    // The daemon may answer before the end, for example that a stream is too long.
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
  }
  if (socket.writable) socket.write(lengthOf(0))
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes)
  return length
}

/** The answer ends with a zero byte. */
async function readAnswer(socket: Socket): Promise<string> {
  let answer = ''
  for await (const chunk of socket) {
    answer += String(chunk)
    const end = answer.indexOf('\0')
    if (end !== -1) return answer.slice(0, end)
    if (answer.length > longestAnswer) break
  }
  throw new Error('clamd gave no answer')
}
