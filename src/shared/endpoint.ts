import type { z } from 'zod'
import type { SetupStep } from './account/rules.ts'
import type { Permission } from './account/permissions.ts'
import type { AuditAction, AuditBizType } from './audit/rules.ts'

/** `public`: anybody. `account`: anybody signed in. Otherwise the permission that the caller's role must hold. */
type Access = 'public' | 'account' | Permission

/**
 * What the audit log records of a call: the action and the object, before and after. `id` and `reason` name the fields that hold them, where
 * they are not called so: the object's id stands in the path or body, or in the answer of a call that creates it; the reason in the body.
 */
export type Audit = { action: AuditAction; bizType: AuditBizType; id?: string; reason?: string }

/**
 * A call of the API as a plain object: the route, the typed browser client, the forms' validation, OpenAPI and the
 * access test are all read from it. `form` says how the answer travels: `data` in `{code,msg,data}`, `list` as
 * `{code,msg,total,rows}`, `top` with the fields both at the top level and under `data`, `file` as a download.
 */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path under `/prod-api`, parameters as `:name`. */
  url: `/${string}`
  summary: string
  access: Access
  /** Calls a minute, for a call that could be misused in numbers: for each account, or for each address where the access is public. */
  limit?: number
  form: 'data' | 'list' | 'top' | 'file'
  /** Only an administrator of an organisation may call it; operators may as well, where the access is theirs. */
  admin?: true
  /** Not for those who work for the platform: an operator or auditor has no business of this kind. */
  notStaff?: true
  /** Not for a lessor's driver, who has an account of their own and acts for nobody. */
  notDriver?: true
  /** Answered before anything else may be: to choose the own password, or to set up a second factor after that. */
  setup?: SetupStep
  /** The answer is the same for every visitor and counts nothing, so it may be cached for a second (decision 14). */
  shared?: true
  /** A call that stores nothing although it is no GET, such as a search whose filters are long: what visitors are shown stays as it is. */
  readsOnly?: true
  /** Takes one file, as the part `file` of multipart/form-data. */
  upload?: true
  /**
   * Every call but a GET runs in one transaction, with its idempotency key and its audit entry. `own`: something of it must survive its own
   * refusal (a counted failure), or it waits for something slow (a provider, a password hash, its turn); the handler opens its transactions itself.
   * `call`: a GET that records something runs in one, too.
   */
  transaction?: 'own' | 'call'
  audit?: Audit
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** Schema of the data, or of one row of a list. */
  answer: z.ZodType
}

type Part<E extends Endpoint, K extends 'params' | 'query' | 'body', Side extends 'in' | 'out'> = E[K] extends z.ZodType
  ? { [P in K]: Side extends 'in' ? z.input<E[K]> : z.output<E[K]> }
  : { [P in K]?: undefined }

/** What a caller passes. */
export type Call<E extends Endpoint> = Part<E, 'params', 'in'> & Part<E, 'query', 'in'> & Part<E, 'body', 'in'>
/** What a handler receives after validation. */
export type Received<E extends Endpoint> = Part<E, 'params', 'out'> & Part<E, 'query', 'out'> & Part<E, 'body', 'out'>

/** `capped`: there are more than `total`. Long lists are counted up to a bound; where the query has `exact`, it asks for the true number. */
export type Rows<T> = { total: number; rows: T[]; capped?: boolean }

/** What a handler returns. */
export type Returned<E extends Endpoint> = E['form'] extends 'list'
  ? Rows<z.input<E['answer']>>
  : E['form'] extends 'file'
    ? Download | StoredDownload
    : null extends z.input<E['answer']>
      ? z.input<E['answer']> | void
      : z.input<E['answer']>

/** What a caller gets. */
export type Answered<E extends Endpoint> = E['form'] extends 'list' ? Rows<z.output<E['answer']>> : z.output<E['answer']>

type Named = { name: string; mime: string; inline?: boolean; cache?: string }
export type Download = Named & { content: Uint8Array }
/** A stored file or a pack, which is read as fast as the caller takes it; `size` is null where it is not known before. */
export type StoredDownload = Named & { size: number | null; chunks: AsyncIterable<Uint8Array> }

export type FieldError = { field: string; message: string }
/** What a rule found wrong with a field: where it stands in the body, and the code of the rule's words (`rule.codes` of the texts). */
export type FieldProblem = { path: (string | number)[]; rule: string }
