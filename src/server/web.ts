import { randomBytes } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createRequestHandler, type ServerBuild } from 'react-router'
import type { Endpoint } from '#shared/endpoint.ts'
import type { Api } from './http/api.ts'
import type { Locale } from './http/locale.ts'
import type { Services } from './services.ts'

const buildFolder = fileURLToPath(new URL('../../build/', import.meta.url))

/** Runs a call in-process as a visitor: pages rendered on the server go through the same door as everybody. */
export type Send = (endpoint: Endpoint, input: { params?: unknown; query?: unknown }) => Promise<Record<string, unknown>>

export type Pages = { render(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> }

type Entry = { visitContext(visit: { send: Send; locale: Locale; nonce: string; site: unknown; origin: string }): unknown }

export async function loadPages(services: Services, api: () => Api): Promise<Pages | undefined> {
  const file = join(buildFolder, 'server/index.js')
  if (!existsSync(file)) return undefined
  const build = (await import(pathToFileURL(file).href)) as ServerBuild
  const handler = createRequestHandler(build, 'production')
  const entry = build.entry.module as unknown as Entry

  return {
    async render(request, reply) {
      const locale: Locale = /(?:^|;\s*)locale=en-US/.test(request.headers.cookie ?? '') ? 'en-US' : 'zh-CN'
      const origin = services.config.publicUrl ?? `${request.protocol}://${request.host}`
      const nonce = randomBytes(16).toString('base64')
      const send: Send = async (endpoint, input) => {
        const route = api().routes.find((one) => one.endpoint.url === endpoint.url && one.endpoint.method === endpoint.method)
        if (!route) throw new Error(`no such call: ${endpoint.url}`)
        const outcome = await api().run(route, input, {
          actor: null,
          hadToken: false,
          token: null,
          address: request.ip,
          agent: '',
          locale,
          log: request.log,
        })
        return 'body' in outcome ? outcome.body : {}
      }
      const context = entry.visitContext({ send, locale, nonce, site: services.config.site, origin })
      const response = await handler(
        new Request(new URL(request.url, origin), { method: 'GET', headers: { accept: String(request.headers.accept ?? '') } }),
        context as never,
      )
      void reply.code(response.status)
      for (const [name, value] of response.headers) void reply.header(name, value)
      if (response.headers.get('content-type')?.startsWith('text/html'))
        void reply.header('content-security-policy', policy(nonce)).header('vary', 'cookie')
      return reply.send(request.method === 'HEAD' ? '' : Buffer.from(await response.arrayBuffer()))
    },
  }
}

function policy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    // The component library of the private areas writes its styles at run time.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "connect-src 'self' ws: wss:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Static files of the build, precompressed where the browser takes it, for a year: their names carry a hash. */
export async function pages(server: FastifyInstance, { config }: Services, web: Pages): Promise<void> {
  const client = join(buildFolder, 'client')
  await server.register(fastifyStatic, {
    root: join(client, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
  })
  server.get('/favicon.svg', (_, reply) =>
    reply
      .type('image/svg+xml')
      .header('cache-control', 'public, max-age=86400')
      .send(createReadStream(join(client, 'favicon.svg'))),
  )
  server.get('/robots.txt', (request, reply) =>
    reply.type('text/plain').send(
      [
        'User-agent: *',
        ...['/personal', '/workbench', '/admin', '/login', '/register', '/updatepassword'].map((path) => `Disallow: ${path}`),
        // Pictures of machines are under the API; nothing else of it is for crawlers.
        'Allow: /prod-api/file/',
        'Disallow: /prod-api/',
        `Sitemap: ${config.publicUrl ?? `${request.protocol}://${request.host}`}/sitemap.xml`,
        '',
      ].join('\n'),
    ),
  )
  server.get('/*', (request, reply) => web.render(request, reply))
}

export const buildStamp = (): string => (existsSync(join(buildFolder, 'stamp')) ? readFileSync(join(buildFolder, 'stamp'), 'utf8') : '')
