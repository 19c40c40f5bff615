import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import type { Endpoint, Received, Returned, Rows } from '#shared/endpoint.ts'
import { refusals, type RefusalCode } from '#shared/refusals.ts'
import { fieldErrors } from '#shared/text/validation.ts'
import type { Actor } from '../account/actor.ts'
import type { Db } from '../db/connect.ts'
import { columnsChanged } from '../db/prepared-query.ts'
import type { Services } from '../services.ts'
import { textOf, type Locale } from './locale.ts'
import { once, requestHash, validKey } from './once.ts'
import { FieldRefusal, Refusal } from './refusal.ts'

/** Who asks, from where and in which language. */
export type Asking = {
  actor: Actor | null
  /** Whether a token came along, valid or not: tells 401 "expired" from 401 "missing". */
  hadToken: boolean
  token: string | null
  address: string
  agent: string
  locale: Locale
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>
  /** The client's key of a creating call that must not be done twice. */
  key?: string | undefined
  /** The raw request where a route reads a stream (uploads). */
  upload?: () => Promise<{ name: string; content: Buffer } | null>
}

export type Context<E extends Endpoint> = Services &
  Omit<Asking, 'actor'> & { actor: E['access'] extends 'public' ? Actor | null : Actor; now: Date }

type Handler<E extends Endpoint> = (input: Received<E>, context: Context<E>) => Promise<Returned<E>> | Returned<E>

type Part = 'params' | 'query' | 'body'
/** `asked`: what checks each part of a question. `answered`: makes of what the handler returns what may leave, all rows of a list at once. */
export type Route = { endpoint: Endpoint; handler: Handler<Endpoint>; asked: [Part, () => z.ZodType][]; answered: () => z.ZodType }

export type Outcome = { http: number; body: Record<string, unknown> } | { http: 200; download: Returned<Endpoint & { form: 'file' }> }

/** The one list of calls: HTTP, pages rendered on the server, OpenAPI and the access test all go through it. */
export class Api {
  readonly routes: Route[] = []
  private readonly byName = new Map<string, Route>()
  private readonly services: Services

  constructor(services: Services) {
    this.services = services
  }

  handle<E extends Endpoint>(endpoint: E, handler: Handler<E>): void {
    if (!endpoint.access) throw new Error(`${endpoint.method} ${endpoint.url} does not state who may call it`)
    const parts = (['params', 'query', 'body'] as const).flatMap((part) =>
      endpoint[part] ? [[part, compiled(endpoint[part])] as [Part, () => z.ZodType]] : [],
    )
    const answered = compiled(endpoint.form === 'list' ? z.array(endpoint.answer) : endpoint.answer)
    const route = { endpoint, handler: handler as unknown as Handler<Endpoint>, asked: parts, answered }
    this.routes.push(route)
    this.byName.set(`${endpoint.method} ${endpoint.url}`, route)
  }

  routeOf({ method, url }: Endpoint): Route | undefined {
    return this.byName.get(`${method} ${url}`)
  }

  /** Validates, authorises, runs and wraps. Never throws. */
  async run(route: Route, raw: { params?: unknown; query?: unknown; body?: unknown }, asking: Asking): Promise<Outcome> {
    const { endpoint, handler } = route
    const text = textOf(asking.locale)
    try {
      const { actor } = asking
      if (endpoint.access !== 'public') {
        if (!actor) throw new Refusal(asking.hadToken ? 'token_invalid' : 'token_missing')
        if (endpoint.access !== 'account' && !actor.permissions.includes(endpoint.access)) throw new Refusal('forbidden')
      }
      const input: Record<string, unknown> = {}
      const problems: { field: string; message: string }[] = []
      for (const [part, schema] of route.asked) {
        const parsed = schema().safeParse(raw[part] ?? {}, { reportInput: true })
        if (parsed.success) input[part] = parsed.data
        // An id in the path that is no id at all is a thing that does not exist.
        else if (part === 'params') throw new Refusal('not_found')
        else problems.push(...fieldErrors(text, parsed.error.issues))
      }
      if (problems.length > 0) return invalid(problems, text.refusal.invalid)
      const now = this.services.clock.now()
      const deed = async (db: Db) => handler(input as Received<Endpoint>, { ...this.services, ...asking, db, now } as Context<Endpoint>)
      const { db } = this.services
      if (endpoint.form === 'file') return { http: 200, download: (await deed(db)) as never }
      const { replica } = this.services
      if (replica && endpoint.shared && !actor) {
        const answer = await deed(replica).catch((error: unknown) => {
          // What cannot be had from the copy is asked of the database itself.
          if (error instanceof Refusal) throw error
          asking.log.warn({ err: error }, 'the replica did not answer')
          return deed(db)
        })
        return { http: 200, body: wrap(route, answer, text.site.common) }
      }
      const { key } = asking
      if (!key || !actor || endpoint.method !== 'POST') return { http: 200, body: wrap(route, await deed(db), text.site.common) }
      if (!validKey.test(key)) throw new Refusal('bad_request')
      const hash = requestHash(endpoint.url, [raw.params, raw.query, raw.body])
      return await once(db, { accountId: actor.accountId, key, hash, now }, async (claimed) => {
        try {
          return { http: 200, body: wrap(route, await deed(claimed), text.site.common) }
        } catch (error) {
          return this.refuse(error, asking) as { http: number; body: Record<string, unknown> }
        }
      })
    } catch (error) {
      return this.refuse(error, asking)
    }
  }

  /** What an error becomes for the caller. */
  refuse(error: unknown, asking: Asking): Outcome {
    const text = textOf(asking.locale)
    if (error instanceof FieldRefusal)
      return invalid(
        error.problems.map(({ path, rule }) => ({ field: path.join('.'), message: text.rule.codes[rule] ?? text.rule.format })),
        text.refusal.invalid,
      )
    const code = error instanceof Refusal ? error.code : classify(error)
    if (code === 'internal') asking.log.error({ err: error }, 'a call failed')
    const { code: envelope, http = 200 } = refusals[code] as { code: number; http?: number }
    return { http, body: { code: envelope, msg: text.refusal[code], data: error instanceof Refusal ? error.data : null } }
  }
}

/** Compiled when the call is made for the first time: most are not made in the life of a process. */
function compiled(schema: z.ZodType): () => z.ZodType {
  let made: z.ZodType | undefined
  return () => (made ??= z.compile(schema))
}

function wrap({ endpoint, answered }: Route, answer: unknown, words: { done: string; listed: string }): Record<string, unknown> {
  if (endpoint.form === 'list') {
    const { total, rows, capped } = answer as Rows<unknown>
    return { code: 200, msg: words.listed, total, ...(capped && { capped }), rows: answered().parse(rows) }
  }
  const data = answered().parse(answer)
  // RuoYi clients read these fields at the top level, others under data.
  return endpoint.form === 'top' ? { code: 200, msg: words.done, data, ...(data as object) } : { code: 200, msg: words.done, data }
}

function invalid(errors: { field: string; message: string }[], general: string): Outcome {
  return { http: 200, body: { code: 422, msg: errors[0]?.message ?? general, data: { errors } } }
}

/** What an unexpected error means to the caller. The database's own checks are the last guard, not a crash. */
function classify(error: unknown): RefusalCode {
  const code = String((error as { code?: unknown }).code ?? '')
  const { statusCode } = error as { statusCode?: number }
  if (statusCode === 413) return 'too_large'
  if (statusCode !== undefined && statusCode < 500) return 'bad_request'
  if (code.startsWith('22') || code.startsWith('23')) return 'invalid'
  if (code === '40001' || code === '40P01' || code === '55P03' || columnsChanged(error)) return 'changed'
  const down =
    /^(08|57P|53)/.test(code) || ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOSPC', 'EDQUOT', 'EROFS', 'EIO'].includes(code)
  if (
    down ||
    /terminat|not queryable|timeout exceeded when trying to connect|Connection (ended|error)|been destroyed|after calling end on the pool/i.test(
      String((error as Error).message),
    )
  )
    return 'unavailable'
  return 'internal'
}
