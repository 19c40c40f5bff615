import type { FastifyInstance } from 'fastify'
import { findActor } from '../actor/actor.ts'
import type { Services } from '../services.ts'

/** A connection that says nothing for this long is gone (the client's heartbeat is 5 s). */
const silentMs = 30_000

/**
 * The websocket of the specification: the token travels as subprotocol and is echoed; a bad one is refused before
 * the upgrade. Heartbeats are answered in the form they come in.
 */
export function messageSocket(server: FastifyInstance, { db, clock, hub }: Services, urls: readonly string[]): void {
  for (const url of urls) {
    server.route({
      method: 'GET',
      url,
      preValidation: async (request, reply) => {
        const token = request.headers['sec-websocket-protocol']?.split(',')[0]?.trim()
        const actor = token ? await findActor({ db, now: clock.now() }, token) : null
        if (!request.ws || !token || !actor) return reply.code(401).send({ code: 401, msg: 'token' })
        Object.assign(request, { socketOf: { accountId: actor.accountId, token } })
      },
      handler: (_, reply) => reply.code(426).send({ code: 426, msg: 'websocket' }),
      wsHandler: (socket, request) => {
        const { accountId, token } = (request as unknown as { socketOf: { accountId: number; token: string } }).socketOf
        const leave = hub.add(accountId, token, socket)
        let timer = setTimeout(() => socket.terminate(), silentMs)
        socket.on('message', (data: Buffer) => {
          clearTimeout(timer)
          timer = setTimeout(() => socket.terminate(), silentMs)
          const text = data.toString()
          if (text === 'ping') socket.send('pong')
          else if (/^\s*\{\s*"type"\s*:\s*"ping"/.test(text)) socket.send('{"type":"pong"}')
        })
        socket.on('close', () => {
          clearTimeout(timer)
          leave()
        })
        socket.on('error', () => socket.terminate())
      },
    })
  }
}
