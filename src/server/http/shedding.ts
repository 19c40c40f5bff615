import type { FastifyInstance } from 'fastify'
import { localeOf, textOf } from './locale.ts'

/** So many at once wait for an answer; the next is told to come again. With a few milliseconds each that is some seconds of work. */
const mostAtOnce = 400
/** Asked by machines that decide whether this process lives. */
const always = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Under more than it can do, the process answers what it has begun and refuses the rest at once with 503 and Retry-After, instead of
 * letting everybody wait until nobody is served.
 */
export function shedding(server: FastifyInstance): void {
  let atOnce = 0
  server.addHook('onRequest', (request, reply, done) => {
    // A websocket stays open for hours and asks for nothing.
    if (request.ws || always.has(request.url)) return done()
    if (atOnce >= mostAtOnce) {
      const { unavailable } = textOf(localeOf(request.headers['accept-language'])).refusal
      void reply.code(503).header('retry-after', '2').header('cache-control', 'no-store').send({ code: 503, msg: unavailable })
      return
    }
    atOnce++
    // Answered, or the caller went away.
    reply.raw.once('close', () => atOnce--)
    done()
  })
}
