import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusals } from '#shared/refusals.ts'
import type { EdgeBounds } from './bounds.ts'
import { addressOf } from './limits.ts'
import { localeOf, textOf } from './locale.ts'
import { rawAnswer } from './raw-answer.ts'
import { retrySeconds } from './refusal.ts'

/** Asked by machines that decide whether this process lives. */
const always = new Set(['/healthz', '/readyz', '/metrics'])

type Body = { address: string; since: number; bytesBefore: number }

/**
 * Under more than it can do, the process answers what it has begun and refuses the rest at once with 503 and Retry-After, instead of
 * letting everybody wait until nobody is served. A request is in hand from the end of its body to the beginning of its answer, so neither a slow
 * sender nor a slow reader takes the place of somebody else (decision 26).
 */
export function shedding(server: FastifyInstance, bounds: EdgeBounds): void {
  let inHand = 0
  const bodies = new Bodies(bounds)
  const releases = new WeakMap<IncomingMessage, () => void>()
  /** Whose body arrived when the process already had too much in hand. */
  const late = new WeakSet<IncomingMessage>()

  const begin = (request: IncomingMessage) => {
    if (inHand >= bounds.inHand) late.add(request)
    inHand++
    releases.set(request, () => {
      if (releases.delete(request)) inHand--
    })
  }

  server.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    if (always.has(request.url)) return done()
    if (inHand >= bounds.inHand) return void refuse(request, reply, 'unavailable')
    // The caller may go away before the answer begins.
    reply.raw.once('close', () => releases.get(raw)?.())
    if (bringsBody(raw)) {
      if (!bodies.admit(raw, addressOf(request))) return void refuse(request, reply, 'too_many')
      reply.raw.once('close', () => bodies.delete(raw))
      raw.once('end', () => {
        bodies.delete(raw)
        begin(raw)
      })
    } else begin(raw)
    done()
  })
  server.addHook('preValidation', (request, reply, done) => {
    if (late.has(request.raw)) return void refuse(request, reply, 'unavailable')
    done()
  })
  // A websocket that has been granted stays open for hours and asks for nothing.
  server.addHook('preHandler', ({ raw, ws }, _reply, done) => {
    if (ws) releases.get(raw)?.()
    done()
  })
  server.addHook('onSend', ({ raw }, reply, _payload, done) => {
    releases.get(raw)?.()
    // Answered before its body has come, which Node would otherwise wait for.
    if (!raw.complete && bringsBody(raw)) void reply.header('connection', 'close')
    done()
  })
  const timer = setInterval(() => bodies.endSlow(), bounds.checkMs).unref()
  server.addHook('onClose', (_, done) => {
    clearInterval(timer)
    done()
  })
}

/** The requests whose body is still arriving. */
class Bodies {
  private readonly bounds: EdgeBounds
  private readonly arriving = new Map<IncomingMessage, Body>()
  private readonly byAddress = new Map<string, number>()

  constructor(bounds: EdgeBounds) {
    this.bounds = bounds
  }

  /** False where too many bodies are arriving, over all or from this address. */
  admit(request: IncomingMessage, address: string): boolean {
    const ofAddress = this.byAddress.get(address) ?? 0
    if (this.arriving.size >= this.bounds.arriving || ofAddress >= this.bounds.arrivingFromAddress) return false
    this.byAddress.set(address, ofAddress + 1)
    this.arriving.set(request, { address, since: performance.now(), bytesBefore: request.socket.bytesRead })
    return true
  }

  delete(request: IncomingMessage): void {
    const body = this.arriving.get(request)
    if (!body) return
    this.arriving.delete(request)
    const left = (this.byAddress.get(body.address) ?? 1) - 1
    if (left > 0) this.byAddress.set(body.address, left)
    else this.byAddress.delete(body.address)
  }

  endSlow(): void {
    const { bodyMs, bodyBytesPerSecond } = this.bounds
    const now = performance.now()
    for (const [{ socket }, { since, bytesBefore }] of this.arriving) {
      const overdueMs = now - since - bodyMs
      if (overdueMs <= 0 || socket.bytesRead - bytesBefore >= (overdueMs / 1000) * bodyBytesPerSecond) continue
      socket.write(rawAnswer(408))
      socket.destroySoon()
    }
  }
}

const bringsBody = ({ method, headers }: IncomingMessage): boolean =>
  method !== 'GET' && method !== 'HEAD' && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

function refuse(request: FastifyRequest, reply: FastifyReply, code: 'unavailable' | 'too_many'): FastifyReply {
  const msg = textOf(localeOf(request.headers['accept-language'])).refusal[code]
  const { http } = refusals[code]
  return reply.code(http).header('retry-after', String(retrySeconds)).header('cache-control', 'no-store').send({ code: http, msg })
}
