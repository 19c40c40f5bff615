import { createContext, data, type RouterContextProvider } from 'react-router'
import type { Answered, Call, Endpoint } from '#shared/endpoint.ts'
import type { Caller } from './api.ts'

export type Site = { name: string; nameEn: string; company: string; icp: string; phone: string }
export type Visit = {
  send: (endpoint: Endpoint, input: { params?: unknown; query?: unknown }) => Promise<Record<string, unknown>>
  locale: 'zh-CN' | 'en-US'
  site: Site
  /** https://example.cn, for addresses that must be whole. */
  origin: string
  /** The page, once it is rendered: the body of a Response would turn its text into bytes and back. */
  html?: string
}

export const visitKey = createContext<Visit>()

/** The server's own way to call: in-process, as a visitor. A refusal becomes the page's status. */
export function callAsVisitor(context: Readonly<RouterContextProvider>): Caller {
  const { send } = context.get(visitKey)
  return async (endpoint, input) => {
    const body = await send(endpoint, input as never)
    if (body.code !== 200) throw data(null, { status: body.code === 404 || body.code === 422 ? 404 : 503 })
    return (endpoint.form === 'list' ? { total: body.total, rows: body.rows, capped: body.capped } : body.data) as Answered<
      typeof endpoint
    > as never
  }
}

/** What an address filters by, as it is written there. */
export function filtersOf(source: Request | URLSearchParams): Record<string, string> {
  const params = source instanceof URLSearchParams ? source : new URL(source.url).searchParams
  return Object.fromEntries([...params].filter(([, value]) => value !== ''))
}

/**
 * What an address filters by, as the query of a call. The schemas of queries are not part of the browser's build: the server leaves out names
 * that the call does not have and refuses values that it does not take.
 */
export const queryOf = <E extends Endpoint>(source: Request | URLSearchParams, _endpoint: E): Call<E>['query'] =>
  filtersOf(source) as Call<E>['query']
