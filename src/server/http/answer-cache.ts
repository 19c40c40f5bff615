import { randomUUID } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, crc32, gzip, gzipSync, zstdCompressSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../deed.ts'
import type { Api, Route } from '../api.ts'
import { jsonBytes } from './json-bytes.ts'
import { localeOfCookie } from './locale.ts'

/**
 * A page is long and read by many, so it is worth pressing harder. An answer of a call is often asked once: at the
 * lowest quality a short one takes 30 µs, which is less than it takes to hand it to another thread. Level 3 of Zstandard, its default, takes
 * 2.5 times as long for an answer of 900 KB as level 1, which leaves 10.2 KB of it instead of 9.9.
 */
const qualities = { page: { zstd: 3, brotli: 4, gzip: 6 }, call: { zstd: 1, brotli: 1, gzip: 1 } }
type Quality = (typeof qualities)['page']
const shortBytes = 32 * 1024

const encoders = {
  // Takes 0.2 ms for the 79 KB of the home page, of which it leaves 22.0; Brotli takes 1 ms and leaves 20.5. So it comes first where both are accepted.
  // Without the length it clears tables for a body of any length, which takes longer than the rest.
  zstd: (body: Buffer, { zstd: level }: Quality) =>
    zstdCompressSync(body, { pledgedSrcSize: body.length, params: { [constants.ZSTD_c_compressionLevel]: level } }),
  br: (body: Buffer, { brotli }: Quality) => {
    // A window as large as the body finds as much as the default of 4 MB, which is allocated anew for every answer.
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: brotli,
      [constants.BROTLI_PARAM_LGWIN]: windowOf(body.length),
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    }
    return isQuick(body, brotli) ? brotliCompressSync(body, { params }) : promisify(brotliCompress)(body, { params })
  },
  gzip: (body: Buffer, { gzip: level }: Quality) => (isQuick(body, level) ? gzipSync(body, { level }) : promisify(gzip)(body, { level })),
}
type Encoding = keyof typeof encoders

const isQuick = (body: Buffer, quality: number): boolean => quality === 1 && body.length <= shortBytes

const windowOf = (length: number): number =>
  Math.min(Math.max(Math.ceil(Math.log2(length)), constants.BROTLI_MIN_WINDOW_BITS), constants.BROTLI_MAX_WINDOW_BITS)

/** An answer that is the same for everybody, ready to be sent again. */
type SharedAnswer = {
  status: number
  headers: Record<string, string>
  body: Buffer
  etag: string
  encoded: Map<Encoding, Buffer>
  /** Until when it may be sent again (performance.now()); 0: not cached. */
  until: number
  /** Of a call: the envelope, for the pages that are rendered here. */
  value: Record<string, unknown>
}

/** CRC32 suffices: a collision gains an attacker nothing. */
const etagOf = (body: Buffer): string => `W/"${body.length.toString(36)}-${crc32(body).toString(36)}"`

export const answerOf = (status: number, headers: Record<string, string>, body: Buffer, value = {}): SharedAnswer => ({
  status,
  headers,
  body,
  etag: etagOf(body),
  encoded: new Map(),
  until: 0,
  value,
})

/** The browser asks each time whether it is still so; a proxy may answer for a second. */
export const sharedForASecond = 'public, max-age=0, s-maxage=1, must-revalidate'

const mostBytes = 64 * 1024 * 1024

/**
 * Answers for visitors, held for about a second (decision 14): within that time every instance shows a write without being told, and this
 * process at once, since every write that may hold empties its cache (`src/server/api.ts`). Equal requests that come while one is being answered share its answer.
 */
export class AnswerCache {
  private readonly ms: number
  private readonly answers: LRUCache<string, SharedAnswer> | null
  private readonly ready: LRUCache<string, { answer: SharedAnswer; headers: OutgoingHttpHeaders }>
  private readonly figures = new LRUCache<string, Promise<object>>({ max: 200 })
  private readonly running = new Map<string, Promise<SharedAnswer>>()
  private purged = 0
  /** Answers that were sent before the framework ran. */
  sentAtOnce = 0

  /** For `ms` milliseconds; 0 keeps nothing. */
  constructor(ms: number) {
    this.ms = ms
    const bounds = { ttl: Math.max(ms, 1), maxSize: mostBytes }
    // Visitors choose the keys, which hold whole addresses. The compressed forms are made later, and together are no longer than the body.
    this.ready = new LRUCache({ ...bounds, sizeCalculation: ({ answer: { body } }, key) => 2 * body.length + key.length + 2000 })
    this.answers = ms > 0 ? new LRUCache({ ...bounds, sizeCalculation: ({ body }, key) => 2 * body.length + key.length + 500 }) : null
  }

  /**
   * `keep` false: the answer goes to those who wait, but is not held (an error, a page that counts its views). `until`: the answer is made of
   * parts that are held no longer than that, so neither is it.
   */
  async get(key: string, make: () => Promise<{ answer: SharedAnswer; keep: boolean; until?: number }>): Promise<SharedAnswer> {
    const { answers } = this
    if (!answers) return (await make()).answer
    const found = answers.get(key)
    if (found) return found
    const asked = this.running.get(key)
    if (asked) return asked
    const running = make()
      .then(({ answer, keep, until = Infinity }) => {
        // Emptied meanwhile: what was read may be from before the write.
        if (!keep || this.running.get(key) !== running) return answer
        const now = performance.now()
        answer.until = Math.min(until, now + this.ms)
        if (answer.until > now) answers.set(key, answer, { ttl: answer.until - now })
        this.purge(now)
        return answer
      })
      .finally(() => {
        if (this.running.get(key) === running) this.running.delete(key)
      })
    this.running.set(key, running)
    return running
  }

  /**
   * A figure over everything: held a hundred times as long as it took, a minute at most. So on a small market it is always
   * of now, and on a large one it never costs more than a hundredth of the database. `ms`: held so long, whatever it took.
   */
  async figure<T extends object>(key: string, make: () => Promise<T>, { ms }: { ms?: number } = {}): Promise<T> {
    const found = this.figures.get(key) as Promise<T> | undefined
    if (found) return found
    const began = performance.now()
    const running = make()
    this.figures.set(key, running, { ttl: 5000 })
    try {
      await running
      const took = performance.now() - began
      if (this.ms > 0 && (ms || took > 20)) this.figures.set(key, running, { ttl: ms ?? Math.min(60_000, took * 100) })
      else this.figures.delete(key)
    } catch (error) {
      this.figures.delete(key)
      throw error
    }
    return running
  }

  /**
   * Answers a request in the same words as one within the last second, before Fastify sees it: the bench requires 15,000 home pages a second
   * (`test/load/reading.ts`). False: the request is Fastify's.
   */
  answerAtOnce(request: IncomingMessage, response: ServerResponse): boolean {
    const key = this.answers && requestKey(request)
    const found = key && this.ready.get(key)
    if (!found || found.answer.until < performance.now()) return false
    const { answer, headers } = found
    const id = randomUUID()
    if (request.headers['if-none-match']?.includes(answer.etag)) {
      this.sentAtOnce++
      response.writeHead(304, { ...headers, 'x-request-id': id }).end()
      return true
    }
    const encoding = encodingOf(request.headers['accept-encoding'], answer.body)
    const body = encoding ? answer.encoded.get(encoding) : answer.body
    if (!body) return false
    this.sentAtOnce++
    response.writeHead(answer.status, {
      ...headers,
      'x-request-id': id,
      ...(encoding && { 'content-encoding': encoding }),
      'content-length': body.length,
    })
    response.end(request.method === 'HEAD' ? undefined : body)
    return true
  }

  /** Remembers the headers that the answer was sent with. */
  sent(request: IncomingMessage, answer: SharedAnswer, reply: FastifyReply): void {
    if (answer.until === 0) return
    const key = requestKey(request)
    if (!key) return
    const { 'x-request-id': _, 'content-length': __, 'content-encoding': ___, ...same } = reply.getHeaders() as OutgoingHttpHeaders
    this.ready.set(key, { answer, headers: same })
  }

  /** What is past its time goes now and then: without that it would stay until the bound is reached. */
  private purge(now: number): void {
    if (now - this.purged < 5000) return
    this.purged = now
    this.answers?.purgeStale()
    this.ready.purgeStale()
  }

  clear(): void {
    this.answers?.clear()
    this.ready.clear()
    this.running.clear()
  }
}

/**
 * What a visitor's question is made of; null for anybody else's. A line break separates the parts: a header cannot contain one, so nobody can word
 * theirs like somebody else's in another language.
 */
function requestKey({ method, url, headers }: IncomingMessage): string | null {
  if ((method !== 'GET' && method !== 'HEAD') || headers.authorization) return null
  return `${headers.host}\n${String(headers['x-forwarded-proto'])}\n${headers['accept-language'] ?? ''}\n${localeOfCookie(headers.cookie)}\n${url}`
}

const preferred: readonly (readonly [Encoding, RegExp])[] = [
  ['zstd', /\bzstd\b/],
  ['br', /\bbr\b/],
  ['gzip', /\bgzip\b/],
]

/** Small answers are sent as they are. */
function encodingOf(accepted: unknown, body: Buffer): Encoding | null {
  if (body.length < 1000) return null
  return preferred.find(([, name]) => name.test(String(accepted)))?.[0] ?? null
}

/**
 * JSON for one caller, compressed where the browser takes it. It holds no secret that a stranger could guess by the length (BREACH): the token
 * travels in a header, and no other site can make a call with it.
 */
export async function sendJson(request: FastifyRequest, reply: FastifyReply, value: unknown): Promise<FastifyReply> {
  const body = jsonBytes(value)
  void reply.header('content-type', 'application/json; charset=utf-8').header('vary', 'accept-encoding')
  const encoding = encodingOf(request.headers['accept-encoding'], body)
  if (!encoding) return reply.send(body)
  return reply.header('content-encoding', encoding).send(await encoders[encoding](body, qualities.call))
}

/** With its ETag, compressed once for all who take that, or 304. */
export async function sendAnswer(
  cache: AnswerCache,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: SharedAnswer,
): Promise<FastifyReply> {
  void reply.headers(answer.headers).header('etag', answer.etag)
  cache.sent(request.raw, answer, reply)
  if (answer.status === 200 && request.headers['if-none-match']?.includes(answer.etag)) return reply.code(304).send()
  void reply.code(answer.status)
  const encoding = encodingOf(request.headers['accept-encoding'], answer.body)
  if (!encoding) return reply.send(request.method === 'HEAD' ? '' : answer.body)
  const body = answer.encoded.get(encoding) ?? (await encoders[encoding](answer.body, qualityOf(answer)))
  answer.encoded.set(encoding, body)
  return reply.header('content-encoding', encoding).send(request.method === 'HEAD' ? '' : body)
}

const qualityOf = ({ headers }: SharedAnswer): Quality =>
  headers['content-type']?.startsWith('text/html') ? qualities.page : qualities.call

type Raw = { params?: unknown; query?: unknown; body?: unknown }
type SharedCall = { api: Api; route: Route; raw: Raw; caller: Caller }

/** Runs a call that is the same for every visitor, through the cache; `words`: its address, or whatever else tells it from other calls. */
export const answerShared = (cache: AnswerCache, words: string, { api, route, raw, caller }: SharedCall): Promise<SharedAnswer> =>
  cache.get(`${caller.locale}\n${words}`, async () => {
    const outcome = await api.run(route, raw, caller)
    if ('download' in outcome) throw new Error('a file is never shared')
    const keep = outcome.body.code === 200
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': keep ? sharedForASecond : 'no-store',
      vary: 'authorization, accept-language, accept-encoding',
    }
    return { keep, answer: answerOf(outcome.http, headers, Buffer.from(JSON.stringify(outcome.body)), outcome.body) }
  })
