// A cheap client, so that the server is what is measured: keep-alive sockets with one request at a time on each.
// Started by the bench as a process of its own: settings as JSON in, the measurement as JSON out.
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'

export type Load = {
  port: number
  connections: number
  seconds: number
  /** The requests that all connections together send in turn. */
  requests: { method?: string; path: string; headers?: Record<string, string>; body?: string }[]
  /** Each request once, then the end. */
  once?: boolean
  /** Pause between an answer and the next request of a connection. */
  pauseMs?: number
}
export type Measure = {
  rate: number
  mean: number
  p50: number
  p99: number
  worst: number
  answers: Record<string, number>
  bytes: number
}

/** A refusal is shorter than what the server compresses, so of compressed answers only one in so many is opened, after its time was taken. */
const openedOf = 16
const opening: Record<string, (body: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync }
/** What an answer with status 200 counts as: a call has the code of its envelope, a page none. */
const codeOf = (body: Buffer) => /^\{"code":(\d+)/.exec(body.toString('latin1', 0, 24))?.[1] ?? (body[0] === 0x7b ? 'no envelope' : '200')

const load = JSON.parse(readFileSync(0, 'utf8')) as Load
const { port, connections, seconds, once, pauseMs = 0 } = load
const written = load.requests.map(({ method = 'GET', path, headers = {}, body = '' }) =>
  Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${Object.entries({
      ...headers,
      ...(body && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n${body}`,
  ),
)
const times: number[] = []
const answers: Record<string, number> = {}
let bytes = 0
let next = 0
const began = performance.now()
const end = began + seconds * 1000

await Promise.all(Array.from({ length: connections }, () => ask()))
const took = (performance.now() - began) / 1000
times.sort((a, b) => a - b)
const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
const measure: Measure = {
  rate: times.length / took,
  mean: times.reduce((sum, time) => sum + time, 0) / times.length,
  p50: at(0.5),
  p99: at(0.99),
  worst: times.at(-1) ?? 0,
  answers,
  bytes: bytes / times.length,
}
process.stdout.write(JSON.stringify(measure))

/** One connection until the time is over. */
function ask(): Promise<void> {
  return new Promise((done, fail) => {
    let sent = 0
    let begun = Buffer.alloc(0)
    /** Bytes of the answer that are still to come; -1 before its head is there. */
    let left = -1
    let status = ''
    let length = 0
    let encoding = ''
    /** The body of an answer that is opened. */
    let parts: Buffer[] | null = null
    // Every answer is read into the same memory and only counted.
    const onread = {
      buffer: Buffer.alloc(65_536),
      callback: (size: number, memory: Uint8Array) => read(Buffer.from(memory.buffer, 0, size)),
    }
    const socket: Socket = connect({ port, host: '127.0.0.1', onread })
    const send = () => {
      const over = once ? next >= written.length : performance.now() > end
      if (over) {
        socket.end()
        return done()
      }
      sent = performance.now()
      socket.write(written[next++ % written.length] as Buffer)
    }
    socket.setNoDelay(true)
    socket.on('connect', send)
    socket.on('error', fail)
    function read(chunk: Buffer): boolean {
      if (left < 0) begin(chunk)
      else {
        left -= chunk.length
        parts?.push(Buffer.from(chunk))
      }
      if (left === 0) answered()
      return true
    }
    /** The head, and as much of the body as says whether it was done. */
    function begin(chunk: Buffer): void {
      const got = begun.length === 0 ? chunk : Buffer.concat([begun, chunk])
      const head = got.indexOf('\r\n\r\n') + 4
      // The answer is incomplete, so it is copied before its memory is overwritten.
      const wait = () => void (begun = Buffer.from(got))
      if (head < 4) return wait()
      const lines = got.toString('latin1', 0, head)
      status = lines.slice(9, 12)
      length = status === '304' ? 0 : Number(/content-length: (\d+)/i.exec(lines)?.[1])
      if (Number.isNaN(length)) return fail(new Error(`an answer without a length: ${lines}`))
      if (got.length < head + Math.min(length, 24)) return wait()
      encoding = status === '200' ? (/content-encoding: (\w+)/i.exec(lines)?.[1] ?? '') : ''
      if (encoding !== '') parts = times.length % openedOf === 0 ? [Buffer.from(got.subarray(head))] : null
      else if (status === '200') status = codeOf(got.subarray(head))
      left = head + length - got.length
      begun = Buffer.alloc(0)
    }
    function answered(): void {
      times.push(performance.now() - sent)
      bytes += length
      if (parts) status = codeOf(opening[encoding]?.(Buffer.concat(parts)) ?? Buffer.alloc(0))
      parts = null
      answers[status] = (answers[status] ?? 0) + 1
      left = -1
      if (pauseMs > 0) setTimeout(send, pauseMs)
      else send()
    }
  })
}
