import { z } from 'zod'
import { contractPermissions } from '#shared/account/permissions.ts'
import { certifiedTypes, isStaff } from '#shared/account/rules.ts'
import type { Audit, Download, Endpoint, Received, Returned, Rows, StoredDownload } from '#shared/endpoint.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { refusals, type RefusalCode } from '#shared/refusals.ts'
import { fieldErrors, problemErrors } from '#shared/text/validation.ts'
import { withContracts, type Actor } from './actor/actor.ts'
import { keyedHash } from './actor/keyed-hash.ts'
import { audited } from './audit/log.ts'
import type { Tx } from './db/connect.ts'
import { columnsChanged } from './db/driver/preparing-client.ts'
import { transact, type Caller, type Context, type Deed, type Work } from './deed.ts'
import type { Services } from './services.ts'
import { textOf } from './http/locale.ts'
import { claimKey, findAnswer, replaceAnswer, validKey, type Claim } from './http/once.ts'
import { FieldRefusal, Refusal } from './http/refusal.ts'

type ActorOf<E extends Endpoint> = E['access'] extends 'public' ? Actor | null : Actor
type Transacted<E extends Endpoint> = E extends { transaction: 'own' }
  ? false
  : E extends { transaction: 'call' }
    ? true
    : E['method'] extends 'GET'
      ? false
      : true
/** A `Deed` and its caller for a write; a `Context` for a read and for a write with transactions of its own. */
type At<E extends Endpoint> = Transacted<E> extends true ? Work & Caller<ActorOf<E>> : Context<ActorOf<E>>

type Handler<E extends Endpoint> = (at: At<E>, input: Received<E>) => Promise<Returned<E>> | Returned<E>

type Part = 'params' | 'query' | 'body'
/** Takes the locks that come before that of the object which is audited, so that a call locks in the order of the others. */
type First<E extends Endpoint> = (at: At<E>, input: Received<E>) => Promise<unknown>
type AnyHandler = (at: (Work & Caller) | Context<Actor | null>, input: Received<Endpoint>) => unknown
/** `parts`: the schemas that check a request. `answer`: the schema of what leaves, for all rows of a list at once. */
export type Route = {
  endpoint: Endpoint
  handler: AnyHandler
  first: AnyHandler | undefined
  parts: [Part, () => z.ZodType][]
  answer: () => z.ZodType
}

/** `raw`: the request as it came, by which a repeated call is known. */
type WriteInput = { raw: object; input: Received<Endpoint>; now: Date }

export type Outcome = { http: number; body: Record<string, unknown> } | { http: 200; download: Download | StoredDownload }

/** The one list of calls: HTTP, pages rendered on the server, OpenAPI and the access test all go through it. */
export class Api {
  readonly routes: Route[] = []
  private readonly byName = new Map<string, Route>()
  private readonly services: Services

  constructor(services: Services) {
    this.services = services
  }

  handle<E extends Endpoint>(endpoint: E, handler: Handler<E>, first?: First<E>): void {
    if (!endpoint.access) throw new Error(`${endpoint.method} ${endpoint.url} does not state who may call it`)
    const route = { endpoint, handler: handler as unknown as AnyHandler, first: first as AnyHandler | undefined, ...schemasOf(endpoint) }
    this.routes.push(route)
    this.byName.set(`${endpoint.method} ${endpoint.url}`, route)
  }

  routeOf({ method, url }: Endpoint): Route | undefined {
    return this.byName.get(`${method} ${url}`)
  }

  /** Authorises, validates, runs and wraps. Never throws. */
  async run(route: Route, raw: { params?: unknown; query?: unknown; body?: unknown }, given: Caller): Promise<Outcome> {
    const { endpoint, handler } = route
    // Whoever has not finished their setup is a visitor to what is public.
    const asked = given.actor?.setup && endpoint.access === 'public' ? { ...given, actor: null } : given
    try {
      authorise(endpoint, asked)
      const caller = asked.actor && isAmong(endpoint.access, contractPermissions) ? { ...asked, actor: withContracts(asked.actor) } : asked
      const { input, problems } = received(route, raw, textOf(caller.locale))
      if (problems.length > 0) return invalid(problems, textOf(caller.locale).refusal.invalid)
      const now = this.services.clock.now()
      if (endpoint.method !== 'GET' || endpoint.transaction === 'call') return await this.write(route, caller, { raw, input, now })
      const context = { ...this.services, ...caller, now }
      const { replica } = this.services
      if (!replica || !endpoint.shared || caller.actor) return outcome(route, await handler(context, input), caller)
      try {
        return outcome(route, await handler({ ...context, db: replica }, input), caller)
      } catch (error) {
        if (error instanceof Refusal) throw error
        caller.log.warn({ err: error }, 'the replica did not answer; the database itself is asked')
        return outcome(route, await handler(context, input), caller)
      }
    } catch (error) {
      return this.refuse(error, asked)
    }
  }

  /**
   * Runs a write, and empties the cache of what visitors are shown where something of it may hold. Refused calls must not: anybody can make them, and
   * each would have the pages made anew.
   */
  private async write(route: Route, caller: Caller, { raw, input, now }: WriteInput): Promise<Outcome> {
    const { endpoint } = route
    const claim = claimOf(route, raw, { ...caller, now, secret: this.services.secret })
    const isApart = endpoint.transaction === 'own'
    const clear = () => void (endpoint.method !== 'GET' && !endpoint.readsOnly && this.services.answerCache.clear())
    try {
      const done = await (isApart
        ? this.writeApart(route, { ...caller, now }, input, claim)
        : this.writeAtOnce(route, { ...caller, now }, input, claim))
      clear()
      return done
    } catch (error) {
      // A refusal rolls its transaction back, but a handler with several may have committed others before. After another error nobody knows.
      if (isApart || !(error instanceof Refusal || error instanceof FieldRefusal)) clear()
      throw error
    }
  }

  /** Runs a write in one transaction with its idempotency key and its audit entry. */
  private async writeAtOnce(
    route: Route,
    caller: Caller & { now: Date },
    input: Received<Endpoint>,
    claim: Claim | null,
  ): Promise<Outcome> {
    const { endpoint, handler, first } = route
    try {
      return await transact(this.services, caller, async (deed) => {
        await first?.(deed, input)
        const result = endpoint.audit
          ? await withAudit(endpoint.audit, deed, input, () => handler(deed, input))
          : await handler(deed, input)
        const done = outcome(route, result, caller)
        if (claim && 'body' in done && !(await claimKey(deed.db, claim, done.body))) throw new Refusal('changed')
        return done
      })
    } catch (error) {
      // Of a call that is made twice the first counts: the other has just been rolled back, and is answered the same.
      const before = claim && (await findAnswer(this.services.db, claim))
      if (before) return { http: 200, body: before }
      throw error
    }
  }

  /** Runs a write whose handler opens its transactions itself. Its key is stored at its end, unless the handler does so in a transaction. */
  private async writeApart(route: Route, caller: Caller & { now: Date }, input: Received<Endpoint>, claim: Claim | null): Promise<Outcome> {
    const { db } = this.services
    const before = claim && (await findAnswer(db, claim))
    if (before) return { http: 200, body: before }
    let isClaimed = false
    const claimAnswer = async (tx: Tx, result: unknown) => {
      const done = outcome(route, result, caller)
      if (claim && 'body' in done && !(await claimKey(tx, claim, done.body))) throw new Refusal('changed')
      isClaimed = true
    }
    try {
      const done = outcome(route, await route.handler({ ...this.services, ...caller, claimAnswer }, input), caller)
      if (claim && !isClaimed && 'body' in done) await claimKey(db, claim, done.body)
      return done
    } catch (error) {
      if (!claim) throw error
      const refused = this.refuse(error, caller)
      // What it wrote holds, but not all of the answer: its SMS was refused.
      if (isClaimed && error instanceof Refusal && 'body' in refused && (await replaceAnswer(db, claim, refused.body))) return refused
      const first = await findAnswer(db, claim)
      if (first) return { http: 200, body: first }
      throw error
    }
  }

  /** What an error becomes for the caller. */
  refuse(error: unknown, caller: Caller): Outcome {
    const text = textOf(caller.locale)
    if (error instanceof FieldRefusal) return invalid(problemErrors(text, error.problems), text.refusal.invalid)
    const code = error instanceof Refusal ? error.code : classify(error)
    if (code === 'internal') caller.log.error({ err: error }, 'a call failed')
    const { code: envelope, http = 200, field } = refusals[code] as { code: number; http?: number; field?: string }
    const data = error instanceof Refusal ? error.data : null
    // Words may name a value of the refusal: {until}.
    const msg = text.refusal[code].replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      String((data as Record<string, unknown> | null)?.[name] ?? ''),
    )
    const named = field && { errors: [{ field, message: msg }] }
    return { http, body: { code: envelope, msg, data: named ? { ...(data as object | null), ...named } : data } }
  }
}

type Schemas = Pick<Route, 'parts' | 'answer'>
const schemasOfCall = new WeakMap<Endpoint, Schemas>()

/** What checks a call, compiled once in a process however many apps it has; tests have one for each file. */
function schemasOf(endpoint: Endpoint): Schemas {
  const known = schemasOfCall.get(endpoint)
  if (known) return known
  const parts = (['params', 'query', 'body'] as const).flatMap((part) =>
    endpoint[part] ? [[part, compiled(endpoint[part])] as Schemas['parts'][number]] : [],
  )
  const schemas = { parts, answer: compiled(endpoint.form === 'list' ? z.array(endpoint.answer) : endpoint.answer) }
  schemasOfCall.set(endpoint, schemas)
  return schemas
}

/** Compiled when the call is made for the first time: most are not made in the life of a process. */
function compiled(schema: z.ZodType): () => z.ZodType {
  let made: z.ZodType | undefined
  return () => (made ??= z.compile(schema))
}

/** Comes before the validation of the input: whoever may not call learns nothing of what the call would say. */
function authorise({ access, setup, admin, notStaff, notDriver }: Endpoint, { actor, hadToken }: Caller): void {
  if (access === 'public') return
  if (!actor) throw new Refusal(hadToken ? 'token_invalid' : 'token_missing')
  if (actor.setup && setup !== 'password' && setup !== actor.setup)
    throw new Refusal(actor.setup === 'password' ? 'password_first' : 'factor_first', { setup: actor.setup })
  if (access !== 'account' && !actor.permissions.includes(access))
    throw new Refusal(actor.role === null && isAmong(actor.userType, certifiedTypes) ? 'not_certified' : 'forbidden')
  if (admin && !actor.isAdmin && actor.role !== 'operator') throw new Refusal('forbidden')
  if (notStaff && isStaff(actor.userType)) throw new Refusal('forbidden')
  if (notDriver && actor.role === 'driver') throw new Refusal('forbidden')
}

function received({ parts }: Route, raw: Partial<Record<Part, unknown>>, text: ReturnType<typeof textOf>) {
  const input: Partial<Record<Part, unknown>> = {}
  const problems: { field: string; message: string }[] = []
  for (const [part, schema] of parts) {
    const parsed = schema().safeParse(raw[part] ?? {}, { reportInput: true })
    if (parsed.success) input[part] = parsed.data
    // An id in the path that is no id belongs to no object.
    else if (part === 'params') throw new Refusal('not_found')
    else problems.push(...fieldErrors(text, parsed.error.issues))
  }
  return { input: input as Received<Endpoint>, problems }
}

/**
 * The idempotency key of a creating call by somebody who has signed in. What anybody may call has none: its answer may be a token, which must not be
 * stored. A file is no part of what is compared, so an upload has none either.
 */
function claimOf(
  { endpoint }: Route,
  raw: Partial<Record<Part, unknown>>,
  { key, actor, now, secret }: Pick<Caller, 'key' | 'actor'> & { now: Date; secret: string },
): Claim | null {
  if (!key || !actor || endpoint.method !== 'POST' || endpoint.access === 'public') return null
  if (endpoint.form === 'file' || endpoint.upload) return null
  if (!validKey.test(key)) throw new Refusal('bad_request')
  const request = JSON.stringify([endpoint.url, raw.params, raw.query, raw.body])
  return { accountId: actor.accountId, key, hash: keyedHash(secret, 'request', request), now }
}

async function withAudit<T>(audit: Audit, deed: Deed<Actor | null>, input: Received<Endpoint>, run: () => Promise<T> | T): Promise<T> {
  const { actor } = deed
  if (!actor) throw new Refusal('token_missing')
  const { action, bizType, id = 'id', reason = 'reason' } = audit
  const fields: Record<string, unknown> = { ...(input.body as object | undefined), ...(input.params as object | undefined) }
  const about = { action, bizType, id: fields[id] as number | string, reason: String(fields[reason] ?? '') }
  return audited(deed, actor, about, async () => run())
}

function outcome({ endpoint, answer }: Route, result: unknown, { locale }: Caller): Outcome {
  const words = textOf(locale).site.common
  if (endpoint.form === 'file') return { http: 200, download: result as Download | StoredDownload }
  if (endpoint.form === 'list') {
    const { total, rows, capped } = result as Rows<unknown>
    return { http: 200, body: { code: 200, msg: words.listed, total, ...(capped && { capped }), rows: answer().parse(rows) } }
  }
  const data = answer().parse(result ?? null)
  // RuoYi clients read these fields at the top level, others under data.
  return { http: 200, body: { code: 200, msg: words.done, data, ...(endpoint.form === 'top' && (data as object)) } }
}

function invalid(errors: { field: string; message: string }[], general: string): Outcome {
  return { http: 200, body: { code: 422, msg: errors[0]?.message ?? general, data: { errors } } }
}

/** What an unexpected error means to the caller. The database's own checks are the last guard, not a crash. */
function classify(error: unknown): RefusalCode {
  const code = String((error as { code?: unknown }).code ?? '')
  const { statusCode, syscall } = error as { statusCode?: number; syscall?: string }
  if (statusCode === 413) return 'too_large'
  if (statusCode !== undefined && statusCode < 500) return 'bad_request'
  if (code.startsWith('22') || code.startsWith('23')) return 'invalid'
  // The database ended a statement that took too long; its transaction is rolled back.
  if (code === '57014') return 'slow'
  if (code === '40001' || code === '40P01' || code === '55P03' || columnsChanged(error)) return 'changed'
  const down =
    /^(08|57P|53)/.test(code) ||
    // The socket of a database that is being started again is away for a moment.
    (code === 'ENOENT' && syscall === 'connect') ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOSPC', 'EDQUOT', 'EROFS', 'EIO'].includes(code)
  if (
    down ||
    /terminat|not queryable|timeout exceeded when trying to connect|Connection (ended|error)|been destroyed|after calling end on the pool/i.test(
      String((error as Error).message),
    )
  )
    return 'unavailable'
  return 'internal'
}
