import type { SetupStep } from '#shared/account/rules.ts'
import type { Answered, Call, Endpoint, FieldError } from '#shared/endpoint.ts'
import { deviceId } from './device.ts'
import { clearSession, getSession, isCurrent, setEndReason } from './session.ts'
import { currentText, storedLocale } from './text.tsx'
import { saveFile } from '../ui/save-file.ts'
import { lastPressed } from '../ui/throttle.ts'
import { clearToasts, toast } from '../ui/toast.tsx'

/** A refusal of the server. A toast has shown it already; `fields` belong beside the fields of the form. */
export class ApiError extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
  get fields(): FieldError[] {
    return (this.data as { errors?: FieldError[] } | null)?.errors ?? []
  }
}

/** Lets a refusal go, which the call has shown itself. */
export function ignoreShown(error: unknown): void {
  if (!(error instanceof ApiError)) throw error
}

/** Whether a call may be sent again as it was: it got no answer, or the server failed. */
export const maySendAgain = (error: unknown): boolean => error instanceof ApiError && (error.code === 0 || error.code >= 500)

export type Caller = <E extends Endpoint>(endpoint: E, input: Call<E>) => Promise<Answered<E>>

type Envelope = { code?: number; msg?: string; message?: string; data?: unknown; total?: number; rows?: unknown[]; capped?: boolean }

const base = '/prod-api'

function address(endpoint: Endpoint, input: { params?: unknown; query?: unknown }): string {
  const params = (input.params ?? {}) as Record<string, unknown>
  const path = endpoint.url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries((input.query ?? {}) as Record<string, unknown>))
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  const text = query.toString()
  return base + path + (text ? `?${text}` : '')
}

function headers(): Record<string, string> {
  const { token } = getSession()
  return { 'accept-language': storedLocale(), ...(token && { authorization: token }) }
}

/** Runs when the server answers 401 to the session, or to somebody who has none. The root sets it, because only components can navigate. */
let onSignedOut: () => void = () => undefined
export function whenSignedOut(handler: () => void): void {
  onSignedOut = handler
}

/** What happens when a call is refused until the person has finished their setup; set by the root, which knows how to navigate. */
let onSetup: (step: SetupStep) => void = () => undefined
export function whenSetupIsOpen(handler: (step: SetupStep) => void): void {
  onSetup = handler
}

/** What happens after a write that the person made; set by what counts such things. */
let onWritten: () => void = () => undefined
export function whenWritten(handler: () => void): void {
  onWritten = handler
}

const send = (path: string, init: RequestInit, quiet = false): Promise<Response> =>
  checked(() => fetch(path, init), quiet, (init.method ?? 'GET') !== 'GET')

/**
 * Turns a failed connection or an HTTP error into a warning toast and an ApiError (specification 8). The toast of a write offers to press its
 * button again; what is read has its own place for that.
 */
async function checked(request: () => Promise<Response>, quiet: boolean, writes: boolean): Promise<Response> {
  const words = currentText()?.site.error
  const button = writes ? lastPressed() : null
  const warn = (message: string) => {
    if (quiet) return
    // What a dialog asked is asked anew once the dialog is gone.
    const again = button?.isConnected ? { label: currentText()?.site.common.retry ?? '', run: () => button.click() } : undefined
    toast('warning', message, again)
  }
  let response: Response
  try {
    const answer = await request()
    // What breaks off in its body is no answer either, so the body is read here.
    response = answer.ok && answer.body ? new Response(await answer.arrayBuffer(), answer) : answer
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    const message = messageOf(error)
    warn(message)
    throw new ApiError(0, message, null)
  }
  if (!response.ok) {
    const body = (await response.json().catch(() => null)) as Envelope | null
    const fixed: Record<number, string | undefined> = { 400: words?.http400, 404: words?.http404, 500: words?.http500 }
    const message = body?.msg || body?.message || fixed[response.status] || response.statusText || words?.unknownResponse || ''
    if (response.status >= 500) warn(message)
    else if (!quiet) toast('warning', message)
    throw new ApiError(response.status, message, null)
  }
  return response
}

/** Words a request that got no answer. A TypeError is a broken connection, whose message would be the browser's own, in its language. */
function messageOf(error: unknown): string {
  const site = currentText()?.site
  if (!navigator.onLine) return site?.common.offline ?? ''
  if (error instanceof TypeError) return site?.error.unreachable ?? ''
  return (error instanceof Error && error.message) || (site?.error.unknownRequest ?? '')
}

function refused(body: Envelope, token: string | null, quiet = false): never {
  if (body.code === 401) {
    // A late answer to a token that has been discarded or exchanged must not sign anybody out.
    if (isCurrent(token)) {
      setEndReason(body.msg || (currentText()?.site.error.expired ?? ''))
      clearSession()
      onSignedOut()
    } else if (token === null && getSession().token === null) onSignedOut()
    throw new ApiError(401, body.msg ?? '', null)
  }
  const setup = (body.data as { setup?: SetupStep } | null | undefined)?.setup
  if (body.code === 403 && setup) onSetup(setup)
  const message = body.msg || currentText()?.site.error.unknown || ''
  // The message "false" asks for silence: background polls use it.
  if (body.msg !== 'false' && !quiet) {
    clearToasts()
    toast('error', message)
  }
  throw new ApiError(body.code ?? 500, message, body.data)
}

/** Idempotency keys of attempts whose outcome is unknown, so a repeated attempt creates nothing twice. */
const unsettled = new Map<string, string>()
const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Calls an endpoint for a page. `quiet` suppresses the toast of a call that fails in the background. */
export const call = async <E extends Endpoint>(endpoint: E, input: Call<E>, quiet = false): Promise<Answered<E>> => {
  const { token } = getSession()
  const body = 'body' in input && input.body !== undefined ? JSON.stringify(input.body) : undefined
  const path = address(endpoint, input)
  const attempt = endpoint.method === 'POST' && token ? `${path} ${body}` : ''
  const key = attempt && (unsettled.get(attempt) ?? newKey())
  if (attempt) unsettled.set(attempt, key)
  const response = await send(
    path,
    {
      method: endpoint.method,
      headers: {
        ...headers(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
        ...((endpoint.method !== 'GET' || endpoint.url === '/code') && { 'x-device': deviceId() }),
      },
      ...(body !== undefined && { body }),
    },
    quiet,
  )
  const envelope = (await response.json()) as Envelope
  unsettled.delete(attempt)
  if (envelope.code !== 200) refused(envelope, token, quiet)
  if (endpoint.method !== 'GET' && !quiet) onWritten()
  return (endpoint.form === 'list' ? { total: envelope.total, rows: envelope.rows, capped: envelope.capped } : envelope.data) as Answered<E>
}

export async function upload<T>(endpoint: Endpoint, file: File, onProgress?: (share: number) => void): Promise<T> {
  const { token } = getSession()
  const body = new FormData()
  body.append('file', file)
  const response = await checked(() => post(base + endpoint.url, body, onProgress), false, false)
  const envelope = (await response.json()) as Envelope
  if (envelope.code !== 200) refused(envelope, token)
  return envelope.data as T
}

/** Posts with XMLHttpRequest, because fetch reports no progress of an upload. The progress is a share of 1. */
function post(path: string, body: FormData, onProgress?: (share: number) => void): Promise<Response> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value)
    request.responseType = 'text'
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0))
    request.addEventListener('load', () =>
      done(
        new Response(request.responseText, {
          status: request.status,
          headers: { 'content-type': request.getResponseHeader('content-type') ?? '' },
        }),
      ),
    )
    request.addEventListener('error', () => fail(new TypeError()))
    request.send(body)
  })
}

/** Fetches a private file and returns its object URL. The caller revokes it with URL.revokeObjectURL. */
export async function privateFile(id: string, thumb: boolean, quiet = false): Promise<string> {
  const { token } = getSession()
  const response = await send(`${base}/file/${id}${thumb ? '?thumb=1' : ''}`, { headers: headers() }, quiet)
  if (response.headers.get('content-type')?.includes('application/json')) refused((await response.json()) as Envelope, token, quiet)
  return URL.createObjectURL(await response.blob())
}

/** Saves a file. Only an answer that is an envelope instead of a file is checked for its code. */
export async function download<E extends Endpoint>(endpoint: E, input: Call<E>): Promise<void> {
  const { token } = getSession()
  const response = await send(address(endpoint, input), { method: endpoint.method, headers: headers() })
  if (response.headers.get('content-type')?.includes('application/json')) refused((await response.json()) as Envelope, token)
  const name = decodeURIComponent(/filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'file')
  saveFile(name, await response.blob())
}
