import { createContext, data, type RouterContextProvider } from 'react-router'
import type { Answered, Endpoint } from '#shared/endpoint.ts'
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

/** The query of an address as the calls take it. */
export function queryOf(request: Request): Record<string, string> {
  return Object.fromEntries([...new URL(request.url).searchParams].filter(([, value]) => value !== ''))
}
