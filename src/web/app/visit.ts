import { createContext, data, redirect, type RouterContextProvider } from 'react-router'
import type { Answered, Call, Endpoint } from '#shared/endpoint.ts'
import { isCityOf } from '#shared/region/rules.ts'
import type { Site } from '#shared/site.ts'
import type { Caller } from './api.ts'
import type { Locale } from './text.tsx'

export type Visit = {
  send: (endpoint: Endpoint, input: { params?: unknown; query?: unknown }) => Promise<Record<string, unknown>>
  locale: Locale
  site: Site
  /** The files of the words that the page shows, which it would ask for only once its scripts run. */
  words: readonly string[]
  /** The origin for absolute addresses, such as https://example.cn. */
  origin: string
  /** The rendered page. It does not travel in a Response, which would copy it through a stream. */
  html?: Buffer
}

export const visitKey = createContext<Visit>()

/** Calls the pipeline in-process, as a visitor. A refusal becomes the status of the page. */
export function callAsVisitor(context: Readonly<RouterContextProvider>): Caller {
  const { send } = context.get(visitKey)
  return async <E extends Endpoint>(endpoint: E, input: Call<E>): Promise<Answered<E>> => {
    const body = await send(endpoint, input)
    if (body.code !== 200) throw data(null, { status: body.code === 404 || body.code === 422 ? 404 : 503 })
    return (endpoint.form === 'list' ? { total: body.total, rows: body.rows, capped: body.capped } : body.data) as Answered<E>
  }
}

/**
 * The filters of an address or a form, as they are written there. Empty ones are left out, and so is a city of another province, which stays behind
 * when somebody chooses a province.
 */
export function filtersOf(source: Request | URLSearchParams): Record<string, string> {
  const params = source instanceof URLSearchParams ? source : new URL(source.url).searchParams
  const filters = Object.fromEntries([...params].filter(([, value]) => value !== ''))
  for (const [province, city] of [
    ['provinceId', 'cityId'],
    ['nearProvinceId', 'nearCityId'],
  ] as const)
    if (filters[province] && !isCityOf(Number(filters[province]), Number(filters[city]))) delete filters[city]
  return filters
}

/** The names in an address that choose how a list is shown and narrow nothing. */
export const listViews: readonly string[] = ['pageNum', 'pageSize', 'sort', 'exact', 'view', 'scope', 'dept', 'by']

/**
 * The filters of an address, typed as the query of a call. The browser's build has no schemas of queries, so the server drops unknown names and
 * refuses wrong values.
 */
export const queryOf = <E extends Endpoint>(source: Request | URLSearchParams, _endpoint: E): Call<E>['query'] =>
  filtersOf(source) as Call<E>['query']

/**
 * Sends an address whose page is beyond the end of its list to the last page: the page was remembered, or its rows are gone, and the words for an
 * empty list would deny the other pages.
 */
export function refusePageBeyondEnd(
  request: Request,
  { rows, total, pageSize }: { rows: readonly unknown[]; total: number; pageSize: number },
) {
  const { pathname, searchParams } = new URL(request.url)
  if (rows.length > 0 || total === 0) return
  searchParams.set('pageNum', String(Math.ceil(total / pageSize)))
  throw redirect(`${pathname}?${searchParams}`)
}
