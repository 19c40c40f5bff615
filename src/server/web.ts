import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router'
import type { Endpoint } from '#shared/endpoint.ts'
import { paths, privateAreas } from '#shared/paths.ts'
import type { Api } from './api.ts'
import { ofApi, originOf } from './http/address.ts'
import { answerOf, answerShared, sendAnswer, sharedForASecond } from './http/answer-cache.ts'
import { localeOfCookie, type Locale } from './http/locale.ts'
import type { Services } from './services.ts'
import { serveSharingPictures } from './sharing/serve.ts'

const buildFolder = fileURLToPath(new URL('../../build/', import.meta.url))

/** Whether a path, or the file of a route's module, lies in a private area. */
const privateArea = new RegExp(`^(?:${privateAreas.join('|')})(?![^/?.])`, 'i')
/** The manifest tells a page that is open already which routes there are. */
const forVisitorsOnly = (url: string) => !privateArea.test(url) && !url.startsWith('/__manifest')

/** Runs a call in-process as a visitor: pages rendered on the server go through the same door as everybody. */
type Send = (endpoint: Endpoint, input: { params?: unknown; query?: unknown }) => Promise<Record<string, unknown>>

export type Pages = { render(request: FastifyRequest, reply: FastifyReply): Promise<unknown> }

type Visit = { send: Send; locale: Locale; words: readonly string[]; site: unknown; origin: string; html?: Buffer }
/** Of a language: the files of the words of public pages, and of those that the private areas need as well (decision 48). */
type WordFiles = Record<Locale, { open: readonly string[]; whole: readonly string[] }>
type Entry = { visitContext(visit: Visit): RouterContextProvider; programsOfPages: string[] }

export async function loadPages(services: Services, api: () => Api): Promise<Pages | undefined> {
  const file = join(buildFolder, 'server/index.js')
  if (!existsSync(file)) return undefined
  const build = (await import(pathToFileURL(file).href)) as ServerBuild
  // The router tries every route for each page: those of the private areas only where one may be meant.
  const open = Object.entries(build.routes).filter(
    ([id, route]) => !privateArea.test(`/${route?.parentId ?? id}`) && !privateArea.test(`/${id}`),
  )
  const routes = Object.fromEntries(open)
  const forVisitors = createRequestHandler({ ...build, routes }, 'production')
  const forAll = createRequestHandler(build, 'production')
  const { visitContext, programsOfPages } = build.entry.module as unknown as Entry
  const entry = { visitContext, policyOf: policiesWith(programsOfPages), wordFiles: findWordFiles() }

  return {
    async render(request, reply) {
      const locale = localeOfCookie(request.headers.cookie)
      const origin = originOf(request, services.config.publicUrl)
      const handler = forVisitorsOnly(request.url) ? forVisitors : forAll
      const answer = () => page(handler, { services, api: api(), entry, request, locale, origin })
      return sendAnswer(
        services.answerCache,
        request,
        reply,
        await services.answerCache.get(['page', locale, origin, request.url].join('\n'), answer),
      )
    },
  }
}

function findWordFiles(): WordFiles {
  const names = readdirSync(join(buildFolder, 'client/assets')).filter((name) => name.endsWith('.js'))
  const filesOf = (language: string) => {
    const whole = names.filter((name) => name.startsWith(`${language}-`)).map((name) => `/assets/${name}`)
    return { open: whole.filter((path) => !path.startsWith(`/assets/${language}-private-`)), whole }
  }
  return { 'zh-CN': filesOf('zh-cn'), 'en-US': filesOf('en') }
}

type Handler = ReturnType<typeof createRequestHandler>

type Page = Pick<Entry, 'visitContext'> & { policyOf: (origin: string) => string; wordFiles: WordFiles }
type PageRequest = { services: Services; api: Api; entry: Page; request: FastifyRequest; locale: Locale; origin: string }

/** A page as a visitor sees it; cached when everything in it may be. */
async function page(handler: Handler, { services, api, entry, request, locale, origin }: PageRequest) {
  let shared = true
  let until = Infinity
  const caller = { actor: null, hadToken: false, token: null, address: request.ip, agent: '', locale, log: request.log }
  const send: Send = async (endpoint, input) => {
    const route = api.routeOf(endpoint)
    if (!route) throw new Error(`no such call: ${endpoint.url}`)
    if (endpoint.shared) {
      const words = `${endpoint.url} ${JSON.stringify(input)}`
      const part = await answerShared(services.answerCache, words, { api, route, raw: input, caller })
      until = Math.min(until, part.until)
      return part.value
    }
    shared = false
    const outcome = await api.run(route, input, caller)
    return 'body' in outcome ? outcome.body : {}
  }
  const words = entry.wordFiles[locale][privateArea.test(request.url) ? 'whole' : 'open']
  const visit: Visit = { send, locale, words, site: services.config.site, origin }
  const response = await handler(
    // Put together as text: a path that begins with two slashes would otherwise name another host.
    new Request(origin + request.url, { method: 'GET' }),
    entry.visitContext(visit),
  )
  const { html } = visit
  const body = html ?? Buffer.from(await response.arrayBuffer())
  const keep = shared && response.status < 400
  const headers: Record<string, string> = {
    ...Object.fromEntries(response.headers),
    'cache-control': keep ? sharedForASecond : 'no-store',
    vary: 'cookie, accept-encoding',
  }
  if (html !== undefined) headers['content-security-policy'] = entry.policyOf(origin)
  return { keep, until, answer: answerOf(response.status, headers, body) }
}

/**
 * Gives the policy of a page at an origin. It allows just the programs that the build names, each by its hash, so a script that got into a page some
 * other way does not run, and websockets to this origin only. Not by a nonce: a cached page, or one confirmed with 304, would carry the nonce of
 * somebody else's visit (decision 15).
 */
export function policiesWith(programs: readonly string[]): (origin: string) => string {
  const hashes = programs.map((program) => `'sha256-${createHash('sha256').update(program).digest('base64')}'`)
  const policyOf = (origin: string) => [
    "default-src 'self'",
    `script-src 'self' ${hashes.join(' ')}`,
    // The style sheets of a page stand in its head, and bars and indents have style attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    // Some browsers do not count websockets of the origin as 'self'.
    `connect-src 'self' ${origin.replace(/^http/, 'ws')}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  return (origin) => policyOf(origin).join('; ')
}

/** Icons of the site, for browsers and home screens. */
const icons = {
  'favicon.svg': 'image/svg+xml',
  'favicon.ico': 'image/x-icon',
  'apple-touch-icon.png': 'image/png',
  'icon-192.png': 'image/png',
  'icon-512.png': 'image/png',
}

/** What a phone needs to put the site on its home screen. */
const manifestOf = (name: string) => ({
  name,
  short_name: name,
  lang: 'zh-CN',
  start_url: '/',
  display: 'standalone',
  background_color: '#f4f6fa',
  theme_color: '#0b1f45',
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
    { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
  ],
})

/** Static files of the build, precompressed where the browser takes it, for a year: their names carry a hash. */
export async function pages(server: FastifyInstance, { config }: Services, web: Pages, api: Api): Promise<void> {
  const client = join(buildFolder, 'client')
  await server.register(fastifyStatic, {
    root: join(client, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
  })
  for (const [name, type] of Object.entries(icons))
    server.get(`/${name}`, (_, reply) =>
      reply
        .type(type)
        .header('cache-control', 'public, max-age=86400')
        .send(createReadStream(join(client, name))),
    )
  server.get('/manifest.webmanifest', (_, reply) =>
    reply
      .type('application/manifest+json')
      .header('cache-control', 'public, max-age=86400')
      .send(JSON.stringify(manifestOf(config.site.name))),
  )
  serveSharingPictures(server, { client, api })
  server.get('/robots.txt', (request, reply) =>
    reply.type('text/plain').send(
      [
        'User-agent: *',
        ...[...privateAreas, paths.login(), paths.register, paths.resetPassword].map((path) => `Disallow: ${path}`),
        // Pictures of machines are under the API; nothing else of it is for crawlers.
        'Allow: /prod-api/file/',
        'Disallow: /prod-api/',
        `Sitemap: ${originOf(request, config.publicUrl)}/sitemap.xml`,
        '',
      ].join('\n'),
    ),
  )
  server.get('/*', (request, reply) => (ofApi.test(request.url) ? reply.callNotFound() : web.render(request, reply)))
}
