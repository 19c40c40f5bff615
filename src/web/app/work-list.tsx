import { useEffect, useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { Call, Endpoint, Rows } from '#shared/endpoint.ts'
import type { WorkList as ListName } from '#shared/saved-view/contract.ts'
import { download } from './api.ts'
import { ListPages } from './list-pages.tsx'
import { ListHead, Loaded, NothingListed } from './list-frame.tsx'
import { pageSizeOf, useHiddenColumns } from './list-settings.ts'
import { SelectionBar, type BatchAction } from './selection-bar.tsx'
import { WorkListTools } from './work-list-tools.tsx'
import { WorkTable, type RowAction, type WorkColumn } from './work-table.tsx'
import type { Tab } from '../ui/tabs.tsx'
import './work-list.css'

type WorkListProps<Row> = {
  name: ListName
  title: string
  lead?: ReactNode
  actions?: ReactNode
  tabs?: readonly Tab[]
  filters?: ReactNode
  list: Parameters<typeof Loaded<Rows<Row>>>[0]['query']
  columns: readonly WorkColumn<Row>[]
  keyOf: (row: Row) => number
  nameOf: (row: Row) => string
  verb?: (row: Row) => ReactNode
  menu?: (row: Row) => RowAction[]
  /** Actions on the selected rows; without them rows cannot be selected. */
  batch?: readonly BatchAction<Row>[]
  /** Saves the filtered list as a workbook. */
  exported?: () => Promise<void>
  empty: string
  emptyHint?: string
  /** The way on where the list is empty. */
  emptyAction?: ReactNode
  pageSize: number
}

/** Saves the filtered and sorted list as a workbook. A failure has shown its toast already. */
export const exportList = <E extends Endpoint>(endpoint: E, query: Call<E>['query']): Promise<void> =>
  download(endpoint, { query } as Call<E>)

/** A whole list page of the private areas: title, total and main action, tabs with counts, filters, tools, and the rows. */
export function WorkList<Row>(props: WorkListProps<Row>) {
  const { name, title, lead, actions, tabs, filters, list, columns, exported } = props
  const [hidden, hide] = useHiddenColumns(
    name,
    columns.filter(({ extra }) => extra).map(({ id }) => id),
  )
  return (
    <div className="stack work-list">
      <ListHead title={title} lead={lead} actions={actions} tabs={tabs} list={list} />
      {filters}
      <WorkListTools
        name={name}
        columns={columns}
        hidden={hidden}
        onHide={hide}
        usualSize={props.pageSize}
        total={list.data?.total ?? 0}
        exported={exported}
      />
      <WorkRows {...props} columns={columns.filter(({ id }, at) => at === 0 || !hidden.has(id))} />
    </div>
  )
}

const none: ReadonlySet<string | number> = new Set()

function WorkRows<Row>({ list, columns, keyOf, nameOf, verb, menu, batch, empty, emptyHint, emptyAction, pageSize }: WorkListProps<Row>) {
  const [params] = useSearchParams()
  const [picked, setPicked] = useState(none)
  const address = params.toString()
  // Another page, order or filter shows other rows, and nobody acts on rows they do not see.
  useEffect(() => setPicked(none), [address])
  return (
    <>
      <Loaded query={list}>
        {({ rows }) => {
          const chosen = rows.filter((row) => picked.has(keyOf(row)))
          const toggle = (keys: readonly (string | number)[], on: boolean) =>
            setPicked(on ? new Set([...picked, ...keys]) : new Set([...picked].filter((key) => !keys.includes(key))))
          if (rows.length === 0) return <NothingListed empty={empty} emptyHint={emptyHint} emptyAction={emptyAction} />
          return (
            <>
              <WorkTable
                rows={rows}
                columns={columns}
                keyOf={keyOf}
                nameOf={nameOf}
                verb={verb}
                menu={menu}
                selection={batch && { keys: new Set(chosen.map(keyOf)), toggle }}
              />
              {batch && (
                <SelectionBar chosen={chosen} keyOf={keyOf} nameOf={nameOf} actions={batch} onLeft={(ids) => setPicked(new Set(ids))} />
              )}
            </>
          )
        }}
      </Loaded>
      <ListPages total={list.data?.total ?? 0} capped={list.data?.capped} pageSize={pageSizeOf(params, pageSize)} />
    </>
  )
}
