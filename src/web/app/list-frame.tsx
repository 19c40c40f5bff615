import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState, type ComponentProps, type ReactNode } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import type { z } from 'zod'
import type { Answered, Call, Endpoint, Rows } from '#shared/endpoint.ts'
import { ApiError, call } from './api.ts'
import { colon } from './colon.ts'
import { countText } from './format.ts'
import { ListPages } from './list-pages.tsx'
import { pageSizeOf } from './list-settings.ts'
import { RestoredFilters } from './restored-filters.tsx'
import { useSiteName } from './site.ts'
import { useText } from './text.tsx'
import { listViews, queryOf } from './visit.ts'
import { Link } from '../ui/link.tsx'
import { Empty, Head, Skeleton } from '../ui/parts.tsx'
import { Tabs, type Tab } from '../ui/tabs.tsx'
import { repeatMs } from '../ui/throttle.ts'
import './list-frame.css'

const OtherProject = lazy(async () => ({ default: (await import('./project-switch.tsx')).OtherProject }))

export type Column<Row> = {
  label: string
  cell: (row: Row) => ReactNode
  /** Aligns figures to the right, with digits of one width. */
  num?: boolean
  /** Classes of the cell. */
  className?: string
  /** On a phone the cell takes the width of the card and shows no label. */
  whole?: boolean
  /** The column holds buttons; its label is read by screen readers only. */
  buttons?: boolean
}

type Loading<Data> = Pick<UseQueryResult<Data>, 'data' | 'isError' | 'error' | 'fetchStatus'> & { refetch: () => unknown }
type ListOf<Row> = Loading<Rows<Row>>

/** Loads a list whose filters and page are in the address. A page beyond its end is replaced by the last one. A change of `beside` loads it again. */
export function useList<E extends Endpoint & { form: 'list'; query: z.ZodObject }>(
  endpoint: E,
  pageSize: number,
  more: Partial<z.input<E['query']>> = {},
  beside: readonly unknown[] = [],
) {
  const [params, setParams] = useSearchParams()
  const { state } = useLocation()
  const size = pageSizeOf(params, pageSize)
  const query = { ...queryOf(params, endpoint), ...more, pageSize: size }
  const list = useQuery({
    queryKey: [endpoint.url, query, ...beside],
    queryFn: (): Promise<Answered<E>> => call(endpoint, { query } as Call<E>),
    placeholderData: (before) => (isBeyondEnd(before as Rows<unknown> | undefined) ? undefined : before),
  })
  // The last row of the page was dealt with, or the address was remembered: the words for an empty list would deny the other pages.
  const page = Number(params.get('pageNum')) || 1
  const found = list.data as Rows<unknown> | undefined
  const last = found && isBeyondEnd(found) ? Math.ceil(found.total / size) : page
  const isLeaving = page > last
  useEffect(() => {
    if (!isLeaving) return
    const next = new URLSearchParams(params)
    next.set('pageNum', String(last))
    setParams(next, { replace: true, state })
  }, [isLeaving, last, params, setParams, state])
  return isLeaving ? { ...list, data: undefined } : list
}

/** Whether a page of a list has no rows although the list has some. */
const isBeyondEnd = (page: Rows<unknown> | undefined): boolean => page !== undefined && page.rows.length === 0 && page.total > 0

/** Shows the answer of a call, and `Unloaded` until it is there. */
export function Loaded<Data>({
  query,
  children,
  ...unloaded
}: Omit<Parameters<typeof Unloaded>[0], 'queries'> & { query: Loading<Data>; children: (data: Data) => ReactNode }) {
  return query.data === undefined ? <Unloaded queries={[query]} {...unloaded} /> : children(query.data)
}

/** Loads `OtherProject` when needed: only people of several departments see it. */
export const LazyOtherProject = (props: ComponentProps<typeof OtherProject>) => (
  <Suspense>
    <OtherProject {...props} />
  </Suspense>
)

/**
 * Stands in the place of answers that are not there: they are loading, the browser is offline, a call has failed and can be repeated, or the
 * server knows no such record. A failed call is never mistaken for an empty list or a missing record.
 */
export function Unloaded({
  queries,
  rows,
  missing,
  back,
}: {
  queries: readonly Loading<unknown>[]
  /** Lines of the skeleton. */
  rows?: number
  /** Says that the record does not exist or is not the reader's. */
  missing?: string
  /** The way on from a record that does not exist, on the page of that record: the page is then called by `missing`. */
  back?: ReactNode
}) {
  const text = useText()
  const site = useSiteName()
  const { common } = text.site
  const failed = queries.filter(({ data, isError }) => data === undefined && isError)
  const error = failed[0]?.error
  if (error instanceof ApiError && (error.code === 404 || error.code === 422)) {
    const title = missing ?? text.refusal.not_found
    return (
      <div className="panel">
        {back !== undefined && <Head title={title} site={site} index={false} />}
        <Empty
          title={title}
          action={
            <>
              <LazyOtherProject />
              {back}
            </>
          }
          heading={back !== undefined}
        />
      </div>
    )
  }
  if (error)
    return (
      <div className="panel" role="alert">
        <Empty
          title={common.failed}
          hint={
            error instanceof ApiError
              ? [error.message, error.code > 0 && common.code(error.code)].filter(Boolean).join(' · ')
              : common.failedHint
          }
          action={
            <button
              type="button"
              className="button button-primary"
              onClick={() => {
                for (const query of failed) void query.refetch()
              }}
            >
              {common.retry}
            </button>
          }
        />
      </div>
    )
  if (queries.some(({ data, fetchStatus }) => data === undefined && fetchStatus === 'paused')) return <Empty title={common.offline} />
  return <Skeleton {...(rows !== undefined && { rows })} />
}

type Listed<Row> =
  /** A table whose rows become cards on a phone. */
  | { columns: readonly Column<Row>[]; keyOf: (row: Row) => string | number; children?: undefined }
  | { columns?: undefined; keyOf?: undefined; children: (rows: readonly Row[]) => ReactNode }

type ListBodyProps<Row> = Listed<Row> & {
  list: ListOf<Row>
  /** Said where the list has nothing although no filter is set. */
  empty: string
  emptyHint?: string | undefined
  /** The way to the first row. */
  emptyAction?: ReactNode
  /** Omitted for a list that comes whole. */
  pageSize?: number
}

/** The rows of a list and its pages, for a page with its own head. */
export function ListBody<Row>({ list, empty, emptyHint, emptyAction, pageSize, ...listed }: ListBodyProps<Row>) {
  const [params] = useSearchParams()
  return (
    <>
      <Loaded query={list}>
        {({ rows }) =>
          rows.length === 0 ? (
            <NothingListed empty={empty} emptyHint={emptyHint} emptyAction={emptyAction} />
          ) : listed.columns ? (
            <RowTable rows={rows} columns={listed.columns} keyOf={listed.keyOf} />
          ) : (
            listed.children(rows)
          )
        }
      </Loaded>
      {pageSize && <ListPages total={list.data?.total ?? 0} capped={list.data?.capped} pageSize={pageSizeOf(params, pageSize)} />}
    </>
  )
}

/** Stands in the place of the rows: nothing there yet, or nothing found, with each filter as a chip that removes it. */
export function NothingListed({ empty, emptyHint, emptyAction }: Pick<ListBodyProps<unknown>, 'empty' | 'emptyHint' | 'emptyAction'>) {
  const text = useText()
  const [params] = useSearchParams()
  const given = [...new Set([...params].filter(([name, value]) => value !== '' && !listViews.includes(name)).map(([name]) => name))]
  const chips = useFilterLabels(given)
  // A tab narrows the list where the filter form has a field for it; elsewhere it is a view.
  const names = given.filter((name) => name !== 'tab' || chips.some((chip) => chip.name === name))
  const without = (gone: readonly string[]) =>
    `?${new URLSearchParams([...params].filter(([name]) => !gone.includes(name) && name !== 'pageNum'))}`
  if (names.length === 0)
    return (
      <div className="panel">
        <Empty title={empty} {...(emptyHint && { hint: emptyHint })} action={emptyAction} />
      </div>
    )
  return (
    <div className="panel">
      <Empty
        title={text.site.common.empty}
        hint={text.site.common.emptyHint}
        action={
          <p className="row gap-8">
            {chips.map(({ name, label }) => (
              <Link key={name} className="button button-small" to={without([name])} aria-label={`${text.site.common.clear} ${label}`}>
                {label} ×
              </Link>
            ))}
            <Link className="link" to={without(names)}>
              {text.search.clear}
            </Link>
          </p>
        }
      />
    </div>
  )
}

/** Words the filters that are set as the filter form of the page does. A filter without a field, such as a tab, has no chip. */
function useFilterLabels(names: readonly string[]): { name: string; label: string }[] {
  const { search } = useLocation()
  const text = useText()
  const [labels, setLabels] = useState<{ name: string; label: string }[]>([])
  const wanted = names.join(' ')
  useEffect(() => {
    setLabels(
      wanted.split(' ').flatMap((name) => {
        const field = document.querySelector<HTMLInputElement | HTMLSelectElement>(
          `main form [name="${CSS.escape(name)}"]:not([type=hidden])`,
        )
        const label = field?.labels?.[0]?.textContent
        if (!field || !label) return []
        const value = field instanceof HTMLSelectElement ? field.selectedOptions[0]?.textContent : field.value
        return [{ name, label: `${label}${colon(text)}${value ?? ''}` }]
      }),
    )
  }, [wanted, search, text])
  return labels
}

/** The same for the options of a field, in one line under it. */
export function UnloadedOptions({ queries }: { queries: readonly Loading<unknown>[] }) {
  const { common } = useText().site
  const failed = queries.filter(({ data, isError }) => data === undefined && isError)
  if (failed.length === 0) return null
  return (
    <p className="field-error span-all" role="alert">
      {common.failed}{' '}
      <button
        type="button"
        className="link"
        data-repeat-ms={repeatMs}
        onClick={() => {
          for (const query of failed) void query.refetch()
        }}
      >
        {common.retry}
      </button>
    </p>
  )
}

/** How many rows a list of pages has, beside its title; up to the bound that it is counted to. */
export function ListTotal({ list: { data } }: { list: ListOf<unknown> }) {
  const { list } = useText()
  return data && <span className="list-total num">{list.total(countText(data))}</span>
}

type ListHeadProps = {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  tabs?: readonly Tab[] | undefined
}

/** The head of a list page: title, total, lead, main actions, tabs, and whether its filters are those of the last visit. */
export function ListHead({ title, lead, actions, tabs, list }: ListHeadProps & { list: ListOf<unknown> | undefined }) {
  const site = useSiteName()
  return (
    <>
      <Head title={title} site={site} index={false} />
      <header className="row between">
        <div>
          <h1>
            {title} {list && <ListTotal list={list} />}
          </h1>
          {lead && <p className="soft">{lead}</p>}
        </div>
        {actions}
      </header>
      {tabs && <Tabs label={title} tabs={tabs} />}
      <RestoredFilters />
    </>
  )
}

/** A whole list page: title, lead, tabs, filters and rows. */
export function ListFrame<Row>({
  title,
  lead,
  actions,
  tabs,
  filters,
  ...body
}: ListBodyProps<Row> & ListHeadProps & { filters?: ReactNode }) {
  return (
    <div className="stack">
      <ListHead title={title} lead={lead} actions={actions} tabs={tabs} list={body.pageSize === undefined ? undefined : body.list} />
      {filters}
      <ListBody {...body} />
    </div>
  )
}

export function RowTable<Row>({
  rows,
  columns,
  keyOf,
}: {
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string | number
}) {
  return (
    <div className="panel scroll-x" tabIndex={0}>
      <table className="table cards-on-phone row-table">
        <thead>
          <tr>
            {columns.map(({ label, num, buttons }) => (
              <th key={label} className={num ? 'num right' : undefined}>
                {buttons ? <span className="visually-hidden">{label}</span> : label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ label, cell, num, className = '', whole, buttons }) => (
                <td
                  key={label}
                  className={
                    `${whole ? 'whole' : ''} ${num ? 'num right' : ''} ${buttons ? 'row-buttons' : ''} ${className}`.trim() || undefined
                  }
                  data-label={whole || buttons ? undefined : label}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
