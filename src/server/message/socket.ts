import type { WebSocket } from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findActor } from '../actor/actor.ts'
import type { EdgeBounds } from '../http/bounds.ts'
import type { Services } from '../services.ts'

/** Whom the upgrade was granted to. */
const owners = new WeakMap<FastifyRequest, { accountId: number; token: string }>()

/**
 * The websocket of the specification: the token travels as subprotocol and is echoed; a bad one is refused before
 * the upgrade, and so is the page of another site. Heartbeats are answered in the form they come in.
 */
export function messageSocket(server: FastifyInstance, services: Services, bounds: EdgeBounds, urls: readonly string[]): void {
  const { db, clock, hub, config } = services
  // The library would accept a websocket at every other address as well, for anybody, and close it afterwards.
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.ws || urls.includes(request.routeOptions.url ?? '')) return done()
    void reply.code(404).send({ code: 404, msg: 'websocket' })
  })
  for (const url of urls) {
    server.route({
      method: 'GET',
      url,
      preValidation: async (request, reply) => {
        if (!fromOwnSite(request, config.publicUrl)) return reply.code(403).send({ code: 403, msg: 'origin' })
        const token = request.headers['sec-websocket-protocol']?.split(',')[0]?.trim()
        const actor = token ? await findActor({ db, now: clock.now(), isDemo: config.demo }, token) : null
        if (!request.ws || !token || !actor || actor.setup) return reply.code(401).send({ code: 401, msg: 'token' })
        owners.set(request, { accountId: actor.accountId, token })
      },
      handler: (_, reply) => reply.code(426).send({ code: 426, msg: 'websocket' }),
      wsHandler: (socket, request) => {
        const owner = owners.get(request)
        const leave = owner && hub.add(owner.accountId, owner.token, socket)
        if (leave) converse(socket, { hub, bounds, leave })
        else socket.close(1013, 'too many')
      },
    })
  }
  const timer = setInterval(() => {
    hub.closeEnded(db, clock.now()).catch((error: unknown) => server.log.warn({ err: error }, 'sessions of websockets are not checked'))
  }, bounds.sessionCheckMs).unref()
  server.addHook('onClose', (_, done) => {
    clearInterval(timer)
    done()
  })
}

/** A browser names the site of the page that connects; other clients name none. */
function fromOwnSite({ headers: { origin, host } }: FastifyRequest, publicUrl: string | undefined): boolean {
  if (origin === undefined) return true
  const from = URL.parse(origin)?.host
  return from !== undefined && (from === host || from === (publicUrl && new URL(publicUrl).host))
}

type Desk = { hub: Services['hub']; bounds: EdgeBounds; leave: () => void }

function converse(socket: WebSocket, { hub, bounds, leave }: Desk): void {
  const silence = setTimeout(() => socket.terminate(), bounds.socketSilentMs)
  let second = 0
  let frames = 0
  /** Ends a client that sends without a pause, before anything is done for it. */
  const onFrame = (answer: () => void) => {
    if (socket.readyState !== socket.OPEN) return
    const now = Math.floor(performance.now() / 1000)
    frames = now === second ? frames + 1 : 1
    second = now
    silence.refresh()
    if (frames > bounds.socketFramesPerSecond) socket.terminate()
    else answer()
  }
  socket.on('message', (data: Buffer) =>
    onFrame(() => {
      const text = data.toString()
      if (text === 'ping') hub.send(socket, 'pong')
      else if (/^\s*\{\s*"type"\s*:\s*"ping"/.test(text)) hub.send(socket, '{"type":"pong"}')
    }),
  )
  // Answered here and not by the library, which would answer millions to a client that reads none.
  socket.on('ping', () => onFrame(() => socket.pong()))
  socket.on('pong', () => onFrame(() => undefined))
  socket.on('close', () => {
    clearTimeout(silence)
    leave()
  })
  socket.on('error', () => socket.terminate())
}
