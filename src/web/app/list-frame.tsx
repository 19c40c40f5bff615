import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import type { Answered, Call, Endpoint, Rows } from '#shared/endpoint.ts'
import { call } from './api.ts'
import { ListPages } from './list-pages.tsx'
import { useSiteName } from './site.ts'
import { useText } from './text.tsx'
import { queryOf } from './visit.ts'
import { Empty, Head, Skeleton } from '../ui/parts.tsx'

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

type Loading<Data> = Pick<UseQueryResult<Data>, 'data' | 'isError' | 'fetchStatus' | 'refetch'>
type ListOf<Row> = Loading<Rows<Row>>

/** Loads a list whose filters and page are in the address. */
export function useList<E extends Endpoint & { form: 'list'; query: z.ZodObject }>(
  endpoint: E,
  pageSize: number,
  more: Partial<z.input<E['query']>> = {},
) {
  const [params] = useSearchParams()
  const query = { ...queryOf(params, endpoint), ...more, pageSize }
  return useQuery({
    queryKey: [endpoint.url, query],
    queryFn: (): Promise<Answered<E>> => call(endpoint, { query } as Call<E>),
    placeholderData: (before) => before,
  })
}

/**
 * Shows the answer of a call. Before that it shows that the call is loading, waits for the network or has failed and can be repeated, so a
 * failed call is never mistaken for an empty list.
 */
export function Loaded<Data>({ query, rows, children }: { query: Loading<Data>; rows?: number; children: (data: Data) => ReactNode }) {
  const { common } = useText().site
  if (query.data !== undefined) return children(query.data)
  if (query.isError)
    return (
      <Empty
        title={common.failed}
        hint={common.failedHint}
        action={
          <button type="button" className="button" onClick={() => void query.refetch()}>
            {common.retry}
          </button>
        }
      />
    )
  if (query.fetchStatus === 'paused') return <Empty title={common.offline} />
  return <Skeleton {...(rows !== undefined && { rows })} />
}

type Listed<Row> =
  /** A table whose rows become cards on a phone. */
  | { columns: readonly Column<Row>[]; keyOf: (row: Row) => string | number; children?: undefined }
  | { columns?: undefined; keyOf?: undefined; children: (rows: readonly Row[]) => ReactNode }

type ListBodyProps<Row> = Listed<Row> & {
  list: ListOf<Row>
  empty: string
  emptyHint?: string | undefined
  /** The way to the first row. */
  emptyAction?: ReactNode
  /** Omitted for a list that comes whole. */
  pageSize?: number
}

/** The rows of a list and its pages, for a page with its own head. */
export function ListBody<Row>({ list, empty, emptyHint, emptyAction, pageSize, ...listed }: ListBodyProps<Row>) {
  return (
    <>
      <Loaded query={list}>
        {({ rows }) =>
          rows.length === 0 ? (
            <div className="panel">
              <Empty title={empty} {...(emptyHint && { hint: emptyHint })} action={emptyAction} />
            </div>
          ) : listed.columns ? (
            <RowTable rows={rows} columns={listed.columns} keyOf={listed.keyOf} />
          ) : (
            listed.children(rows)
          )
        }
      </Loaded>
      {pageSize && <ListPages total={list.data?.total ?? 0} capped={list.data?.capped} pageSize={pageSize} />}
    </>
  )
}

/** A whole list page: title, lead, filters and rows. */
export function ListFrame<Row>({
  title,
  lead,
  actions,
  filters,
  ...body
}: ListBodyProps<Row> & {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  filters?: ReactNode
}) {
  const site = useSiteName()
  return (
    <div className="stack">
      <Head title={title} site={site} index={false} />
      <header className="row between">
        <div>
          <h1>{title}</h1>
          {lead && <p className="soft">{lead}</p>}
        </div>
        {actions}
      </header>
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
      <table className="table cards-on-phone">
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
                  className={`${whole ? 'whole' : ''} ${num ? 'num right' : ''} ${className}`.trim() || undefined}
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
