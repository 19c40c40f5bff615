import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { Answered, Endpoint } from '#shared/endpoint.ts'
import { call } from './api.ts'
import { ListPages } from './list-pages.tsx'
import { useSiteName } from './site.ts'
import { Empty, Head, Skeleton } from '../ui/parts.tsx'

export type Column<Row> = {
  label: string
  cell: (row: Row) => ReactNode
  /** Figures: right-aligned, tabular. */
  num?: boolean
  /** On a phone it stands over the whole card, without its label. */
  whole?: boolean
}

/** A list whose filters are in the address. */
export function useList<E extends Endpoint & { form: 'list' }>(endpoint: E, pageSize: number, more: Record<string, unknown> = {}) {
  const [params] = useSearchParams()
  const query = { ...Object.fromEntries(params), ...more, pageSize }
  return useQuery({
    queryKey: [endpoint.url, query],
    queryFn: () => call(endpoint, { query } as never) as Promise<Answered<E>>,
    placeholderData: (before) => before,
  })
}

/** A list page: title, what it is for, filters, and a table that becomes cards on a phone; loading, empty and paged. */
export function ListFrame<Row>({
  title,
  lead,
  actions,
  filters,
  list,
  columns,
  keyOf,
  empty,
  pageSize,
}: {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  filters?: ReactNode
  list: Pick<UseQueryResult<{ total: number; rows: Row[] }>, 'isPending' | 'data'>
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string | number
  empty: string
  pageSize: number
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
      {list.isPending ? (
        <Skeleton />
      ) : list.data?.rows.length ? (
        <RowTable rows={list.data.rows} columns={columns} keyOf={keyOf} />
      ) : (
        <div className="panel">
          <Empty title={empty} />
        </div>
      )}
      <ListPages total={list.data?.total ?? 0} pageSize={pageSize} />
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
            {columns.map(({ label, num }) => (
              <th key={label} className={num ? 'num right' : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ label, cell, num, whole }) => (
                <td key={label} {...(whole ? { className: 'whole' } : { 'data-label': label, className: num ? 'num right' : undefined })}>
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
