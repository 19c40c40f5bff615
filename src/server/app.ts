import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Server as Listener } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import websocket from '@fastify/websocket'
import Fastify, { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Endpoint } from '#shared/endpoint.ts'
import { fileLimits } from '#shared/file/rules.ts'
import { findAccountOfDevice } from './account/devices.ts'
import { findActor } from './actor/actor.ts'
import { hashToken } from './actor/hash.ts'
import type { Caller } from './deed.ts'
import type { Api, Outcome, Route } from './api.ts'
import { isHost, ofApi, originOf, readablePath, unreadablePath } from './http/address.ts'
import { answerShared, sendAnswer, sendJson } from './http/answer-cache.ts'
import { edgeBounds, type EdgeBounds } from './http/bounds.ts'
import { addressOf, limitStore, ofAccount, tokenOf } from './http/limits.ts'
import { localeOf, textOf } from './http/locale.ts'
import { describeError } from './http/logged-error.ts'
import { metrics } from './http/metrics.ts'
import { boundNesting } from './http/nesting.ts'
import { docsPage, openApi } from './http/openapi.ts'
import { answerClientError } from './http/raw-answer.ts'
import { retrySeconds } from './http/refusal.ts'
import { securityText } from './http/security-text.ts'
import { shedding } from './http/shedding.ts'
import { UnreadAnswers } from './http/unread-answers.ts'
import { receiverOf } from './http/uploads.ts'
import { messageSocket } from './message/socket.ts'
import { readFor } from './reader/reader.ts'
import { buildApi } from './routes.ts'
import type { Services } from './services.ts'
import { sitemap } from './search/sitemap.ts'
import { pages, type Pages } from './web.ts'

const base = '/prod-api'
const bodyLimit = 1024 * 1024
/** How long the head of a request may take. */
const headMs = 15_000

type App = {
  server: FastifyInstance
  api: Api
  /**
   * Fails /readyz while still serving. Halfway through `ms`, stops accepting connections and sends `Connection: close` on open ones, so a load
   * balancer has already stopped routing here.
   */
  drain(ms: number): Promise<void>
  /** Ends the server. Answers under way and websockets that are not done after `closingMs` are cut off. */
  close(): Promise<void>
}

/** How far the process is on its way to its end. */
type Ending = { draining: boolean; leaving: boolean }

/** `bounds`: what differs from the usual ones. */
export async function buildApp(services: Services, web?: Pages, bounds: Partial<EdgeBounds> = {}): Promise<App> {
  const ending: Ending = { draining: false, leaving: false }
  const edge = { ...edgeBounds, ...bounds }
  const server = createServerOf(services, ending, edge)
  const api = buildApi(services)
  await protect(server, services)
  metrics(server, services)
  refuseUnreadable(server)
  shedding(server, edge)
  boundNesting(server)
  logAnswers(server)
  answerErrors(server)

  for (const route of api.routes) if (!route.endpoint.upload) addRoute(server, services, api, route)
  // In a scope of their own, because the form parser would otherwise run for every call.
  await server.register(async (uploads) => {
    await uploads.register(multipart, {
      limits: { fileSize: fileLimits.attachment, fieldSize: 1024, files: 1, fields: 5, headerPairs: 20 },
    })
    for (const route of api.routes) if (route.endpoint.upload) addRoute(uploads, services, api, route)
  })
  messageSocket(server, services, edge, [`/schedule/websocket`, `${base}/schedule/websocket`])
  serveProbes(server, services, ending)
  serveDocuments(server, services, api)
  if (web) await pages(server, services, web, api)

  server.setNotFoundHandler(async (request, reply) => {
    if (web && !ofApi.test(request.url) && (request.method === 'GET' || request.method === 'HEAD')) return web.render(request, reply)
    return reply.code(404).send({ code: 404, msg: textOf(localeOf(request.headers['accept-language'])).refusal.route_unknown, data: null })
  })
  return {
    server,
    api,
    drain: async (ms) => {
      ending.draining = true
      if (ms === 0) return
      await pause(ms / 2)
      ending.leaving = true
      // The listener only: the server's own close would end open connections while a request is on its way to them.
      Listener.prototype.close.call(server.server)
      await pause(ms / 2)
    },
    close: async () => {
      const cutOff = setTimeout(() => {
        for (const socket of server.websocketServer.clients) socket.terminate()
        server.server.closeAllConnections()
      }, edge.closingMs)
      await server.close()
      clearTimeout(cutOff)
    },
  }
}

function createServerOf({ config, answerCache }: Services, ending: Ending, bounds: EdgeBounds): FastifyInstance {
  const unread = new UnreadAnswers(bounds)
  const server = Fastify({
    bodyLimit,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    logger: {
      level: config.logLevel,
      serializers: {
        err: describeError,
        req: (request: FastifyRequest) => ({ method: request.method, path: request.url.split('?')[0] }),
      },
    },
    logController: new LogController({ disableRequestLogging: true }),
    // An id of any length is answered by the call it is for; Node bounds the whole address.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 65_536 },
    rewriteUrl: ({ url = '/' }) => readablePath(url),
    clientErrorHandler: answerClientError,
    // The largest file at the slowest rate that is allowed; the bounds of bodies end slower ones.
    requestTimeout: headMs + bounds.bodyMs + Math.ceil((fileLimits.attachment + bodyLimit) / bounds.bodyBytesPerSecond) * 1000,
    trustProxy: config.publicUrl !== undefined && config.trustedProxies,
    forceCloseConnections: 'idle',
    // A request that arrives while the process ends was sent before the balancer knew: it is answered.
    return503OnClosing: false,
    serverFactory: (handler, options) => {
      const answer = (request: IncomingMessage, response: ServerResponse) => {
        if (ending.leaving) response.setHeader('connection', 'close')
        // Without a socket, this answer waits behind another one.
        if (response.socket && answerCache.answerAtOnce(request, response)) return
        if (unread.admit(request, response)) handler(request, response)
      }
      // Node's own refusals have neither headers nor a body, so a missing Host is refused by us, and an Expect that nobody knows is no reason.
      const timeouts = { headersTimeout: headMs, connectionsCheckingInterval: 5000 }
      const listener = createServer({ ...options, ...timeouts, requireHostHeader: false }, answer).on('checkExpectation', answer)
      unread.watch(listener)
      return listener
    },
  })
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id)
    done()
  })
  return server
}

async function protect(server: FastifyInstance, services: Services): Promise<void> {
  await server.register(helmet, {
    // Answers of the API may not do anything in a browser. Pages carry their own policy, with the hashes of their scripts (web.ts).
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'style-src': ["'unsafe-inline'"], 'frame-ancestors': ["'none'"] },
    },
    strictTransportSecurity: services.config.publicUrl?.startsWith('https') ? { maxAge: 31_536_000 } : false,
  })
  await server.register(websocket, {
    options: { maxPayload: 4096, autoPong: false, handleProtocols: (offered: Set<string>) => [...offered][0] ?? false },
  })
  // Without its database the limit counts nobody, and the call itself answers that the database is unavailable.
  await server.register(rateLimit, { global: false, keyGenerator: visitorOf(services), store: limitStore(services), skipOnError: true })
}

/** Refuses a request without a valid Host header, or with a path that cannot be decoded, before any call sees it. */
function refuseUnreadable(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (isHost(request.headers.host, request.raw.httpVersion) && request.url !== unreadablePath) return done()
    const { bad_request: msg } = textOf(localeOf(request.headers['accept-language'])).refusal
    void reply.code(400).header('cache-control', 'no-store').send({ code: 400, msg, data: null })
  })
}

/**
 * Whose public calls are counted together: those of an address, but for the devices that an account has signed in from, which count together. A
 * neighbour behind the same address cannot use up their calls, and whoever signs in with many ids of devices has no more of them.
 */
const visitorOf =
  ({ db, secret }: Services) =>
  async (request: FastifyRequest): Promise<string> => {
    const device = deviceIn(request)
    // Without the database nobody is recognised.
    const accountId = device === undefined ? null : await findAccountOfDevice(db, secret, device).catch(() => null)
    return accountId === null ? addressOf(request) : `visitor ${accountId}`
  }

/**
 * Whose calls are counted together where one has to sign in: those of an account, from however many sessions and however its token is spelled. A token
 * that opens no session makes no other caller of an address, or anybody could make one up for every try.
 */
const callerOf =
  ({ db, clock }: Services) =>
  async (request: FastifyRequest): Promise<string> => {
    const token = tokenOf(request.headers.authorization)
    // Without the database nobody is recognised.
    const accountId = token === null ? null : await findAccount(db, token, clock.now()).catch(() => null)
    return accountId === null ? addressOf(request) : ofAccount(accountId)
  }

/** The same of a call whose caller is known by now. */
const callerNameOf = (request: FastifyRequest, { actor }: Caller): string => (actor ? ofAccount(actor.accountId) : addressOf(request))

async function findAccount(db: Services['db'], token: string, now: Date): Promise<number | null> {
  const session = await db
    .selectFrom('session')
    .where('tokenHash', '=', hashToken(token))
    .where('expiresAt', '>', now.toISOString())
    .select('accountId')
    .executeTakeFirst()
  return session?.accountId ?? null
}

function logAnswers(server: FastifyInstance): void {
  server.addHook('onResponse', (request, reply, done) => {
    const level = reply.statusCode >= 500 ? 'warn' : 'debug'
    request.log[level](
      { method: request.method, path: request.url.split('?')[0], status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    )
    done()
  })
}

/** For machines that decide whether this process lives and gets requests. */
function serveProbes(server: FastifyInstance, { db }: Services, ending: Ending): void {
  server.get('/healthz', async () => ({ status: 'ok' }))
  server.get('/readyz', async (_, reply) => {
    if (ending.draining) return reply.code(503).send({ status: 'ending' })
    try {
      await sql`select 1`.execute(db)
      return { status: 'ok' }
    } catch {
      return reply.code(503).send({ status: 'database' })
    }
  })
}

function serveDocuments(server: FastifyInstance, services: Services, api: Api): void {
  const { site, publicUrl } = services.config
  if (site.apiDocs) {
    const endpoints = api.routes.map(({ endpoint }) => endpoint)
    // Made when they are first asked for, because they would make a start longer.
    let document: ReturnType<typeof openApi> | null = null
    let docs: string | null = null
    server.get(`${base}/openapi.json`, async () => (document ??= openApi(endpoints, site.name)))
    server.get(`${base}/docs`, (_, reply) => reply.type('text/html; charset=utf-8').send((docs ??= docsPage(endpoints, site.name))))
  }
  server.get('/.well-known/security.txt', (request, reply) =>
    reply.type('text/plain; charset=utf-8').send(securityText(services, originOf(request, publicUrl))),
  )
  const limited = { config: { rateLimit: { max: 30, timeWindow: '1 minute' } } }
  server.get('/sitemap.xml', limited, async (request, reply) =>
    reply.type('application/xml; charset=utf-8').send(await sitemap(services, originOf(request, publicUrl))),
  )
}

/** What the framework itself refuses, in the envelope of the API. */
function answerErrors(server: FastifyInstance): void {
  server.setErrorHandler(async (error: Error & { statusCode?: number; code?: string }, request, reply) => {
    const status = error.statusCode ?? 500
    const words = textOf(localeOf(request.headers['accept-language'])).refusal
    if (status >= 500) request.log.error({ err: error }, 'a request failed')
    const msg = status === 413 ? words.too_large : status === 429 ? words.too_many : status >= 500 ? words.internal : words.bad_request
    return reply.code(status).send({ code: status, msg, data: null })
  })
}

function addRoute(server: FastifyInstance, services: Services, api: Api, route: Route): void {
  const { endpoint } = route
  for (const prefix of [base, '']) {
    // Some proxies strip the prefix. Without it only what no page of ours is called.
    server.route({
      method: endpoint.method,
      url: prefix + endpoint.url,
      ...(endpoint.limit && {
        config: {
          rateLimit: {
            max: endpoint.limit,
            timeWindow: '1 minute',
            ...(endpoint.access !== 'public' && { keyGenerator: callerOf(services) }),
          },
        },
      }),
      handler: async (request, reply) => {
        const caller = callerIn(request, endpoint, services)
        try {
          // A database that is away is not a token that is wrong: nobody is signed out by an outage.
          if (caller.token)
            caller.actor = await findActor(
              { db: services.db, now: services.clock.now(), isDemo: services.config.demo, address: caller.address },
              caller.token,
            )
        } catch (error) {
          return answer(request, reply, api.refuse(error, caller))
        }
        const raw = { params: request.params, query: request.query, body: request.body }
        if (endpoint.shared && !caller.token)
          return sendAnswer(
            services.answerCache,
            request,
            reply,
            await answerShared(services.answerCache, request.url, { api, route, raw, caller }),
          )
        const outcome = await readFor(callerNameOf(request, caller), () => api.run(route, raw, caller))
        return answer(request, reply, outcome)
      },
    })
  }
}

async function answer(request: FastifyRequest, reply: FastifyReply, outcome: Outcome): Promise<FastifyReply> {
  if ('download' in outcome) {
    const { name, mime, inline, cache } = outcome.download
    reply
      .header('content-type', mime)
      .header('content-disposition', `${inline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(name)}`)
      .header('cache-control', cache ?? 'no-store')
      .header('x-content-type-options', 'nosniff')
    if ('content' in outcome.download) return reply.send(Buffer.from(outcome.download.content))
    if (outcome.download.size !== null) reply.header('content-length', outcome.download.size)
    return reply.send(streamOf(outcome.download.chunks))
  }
  if (outcome.http === 503) reply.header('retry-after', retrySeconds)
  return sendJson(request, reply.code(outcome.http).header('cache-control', 'no-store'), outcome.body)
}

/** A stream is sent as it is: ended before it is read, it closes its file. */
const streamOf = (chunks: AsyncIterable<Uint8Array>) => (chunks instanceof Readable ? chunks : Readable.from(chunks))

const headerOf = (request: FastifyRequest, name: string) => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

function deviceIn(request: FastifyRequest): string | undefined {
  const device = headerOf(request, 'x-device')
  return device && /^[\w-]{43}$/.test(device) ? device : undefined
}

function callerIn(request: FastifyRequest, endpoint: Endpoint, { scan, config }: Services): Caller {
  // Pictures and downloads are opened by the browser itself, which sends no header; a cookie would bring CSRF.
  const token = tokenOf(request.headers.authorization)
  const caller: Caller = {
    actor: null,
    hadToken: token !== null,
    token,
    address: request.ip,
    agent: request.headers['user-agent'] ?? '',
    device: deviceIn(request),
    locale: localeOf(request.headers['accept-language']),
    origin: originOf(request, config.publicUrl),
    log: request.log,
    key: headerOf(request, 'idempotency-key'),
  }
  if (endpoint.upload) caller.upload = receiverOf(request, scan, () => callerNameOf(request, caller))
  return caller
}
