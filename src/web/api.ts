import type { Answered, Call, Endpoint, FieldError } from '#shared/endpoint.ts'
import { clearSession, getSession } from './session.ts'
import { currentText, storedLocale } from './text.tsx'
import { clearToasts, toast } from './ui/toast.tsx'

/** A refusal of the server, already shown as a toast; `fields` go beside the fields. */
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

export type Caller = <E extends Endpoint>(endpoint: E, input: Call<E>) => Promise<Answered<E>>

type Envelope = { code?: number; msg?: string; message?: string; data?: unknown; total?: number; rows?: unknown[] }

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

/** What happens when the server says 401; set by the shell, which knows how to navigate. */
let onSignedOut: () => void = () => undefined
export function whenSignedOut(handler: () => void): void {
  onSignedOut = handler
}

async function send(path: string, init: RequestInit): Promise<Response> {
  const words = currentText()?.site.error
  let response: Response
  try {
    response = await fetch(path, init)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    const message = navigator.onLine
      ? (((error as Error).message || words?.unknownRequest) ?? '')
      : (currentText()?.site.common.offline ?? '')
    toast('warning', message)
    throw new ApiError(0, message, null)
  }
  if (!response.ok) {
    const body = (await response.json().catch(() => null)) as Envelope | null
    const fixed: Record<number, string | undefined> = { 400: words?.http400, 404: words?.http404, 500: words?.http500 }
    const message = body?.msg || body?.message || fixed[response.status] || response.statusText || words?.unknownResponse || ''
    toast('warning', message)
    throw new ApiError(response.status, message, null)
  }
  return response
}

function refused(body: Envelope): never {
  if (body.code === 401) {
    // Somebody who has just signed out himself is not to be led to the sign-in page by a late answer.
    if (getSession().token) {
      clearSession()
      onSignedOut()
    }
    throw new ApiError(401, body.msg ?? '', null)
  }
  const message = body.msg || currentText()?.site.error.unknown || ''
  // "false" means: fail silently, for background polls.
  if (body.msg !== 'false') {
    clearToasts()
    toast('error', message)
  }
  throw new ApiError(body.code ?? 500, message, body.data)
}

/** The typed client: every call of the pages goes through here. */
export const call: Caller = async (endpoint, input) => {
  const body = 'body' in input && input.body !== undefined ? JSON.stringify(input.body) : undefined
  const response = await send(address(endpoint, input as never), {
    method: endpoint.method,
    headers: { ...headers(), ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  })
  const envelope = (await response.json()) as Envelope
  if (envelope.code !== 200) refused(envelope)
  return (endpoint.form === 'list' ? { total: envelope.total, rows: envelope.rows } : envelope.data) as never
}

export async function upload<T>(endpoint: Endpoint, file: File): Promise<T> {
  const body = new FormData()
  body.append('file', file)
  const response = await send(base + endpoint.url, { method: 'POST', headers: headers(), body })
  const envelope = (await response.json()) as Envelope
  if (envelope.code !== 200) refused(envelope)
  return envelope.data as T
}

/** Downloads are exempt from the code check unless the server answers with an envelope instead of a file. */
export async function download<E extends Endpoint>(endpoint: E, input: Call<E>): Promise<void> {
  const response = await send(address(endpoint, input as never), { method: endpoint.method, headers: headers() })
  if (response.headers.get('content-type')?.includes('application/json')) refused((await response.json()) as Envelope)
  const name = decodeURIComponent(/filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'file')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await response.blob())
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
