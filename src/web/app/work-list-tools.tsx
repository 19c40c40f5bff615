import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { WorkList } from '#shared/saved-view/contract.ts'
import { pageSizeOf, pageSizes, shortcutsOn, switchShortcuts, withParam } from './list-settings.ts'
import { SavedViews } from './saved-views.tsx'
import { useText } from './text.tsx'
import type { WorkColumn } from './work-table.tsx'
import { CheckField } from '../ui/form-fields.tsx'
import { Popup } from '../ui/popup.tsx'

/** The tools above a list: views, columns, page size and export; on a phone, where headings are hidden, the sorting as well. */
export function WorkListTools<Row>({
  name,
  columns,
  hidden,
  onHide,
  usualSize,
  exported,
}: {
  name: WorkList
  columns: readonly WorkColumn<Row>[]
  hidden: ReadonlySet<string>
  onHide: (hidden: readonly string[] | null) => void
  usualSize: number
  exported: (() => Promise<void>) | undefined
}) {
  const { list } = useText()
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const download = useMutation({ mutationFn: async () => exported?.() })
  const go = (to: string) => void navigate(to, { preventScrollReset: true })
  const sortable = columns.filter(({ sort }) => sort !== undefined)
  return (
    <div className="work-tools row gap-8">
      {sortable.length > 0 && (
        <select
          className="select work-sort-phone"
          aria-label={list.sortBy}
          value={params.get('sort') ?? ''}
          onChange={(event) => go(withParam(params, 'sort', event.target.value))}
        >
          <option value="">{list.usualOrder}</option>
          {sortable.flatMap(({ sort = '', label }) => [
            <option key={sort} value={sort}>
              {list.sortUp(label)}
            </option>,
            <option key={`-${sort}`} value={`-${sort}`}>
              {list.sortDown(label)}
            </option>,
          ])}
        </select>
      )}
      <SavedViews name={name} hidden={hidden} onHide={onHide} />
      <ColumnChoice columns={columns} hidden={hidden} onHide={onHide} />
      <select
        className="select work-size"
        aria-label={list.pageSize}
        value={pageSizeOf(params, usualSize)}
        onChange={(event) => go(withParam(params, 'pageSize', event.target.value))}
      >
        {pageSizes.map((size) => (
          <option key={size} value={size}>
            {list.perPage(size)}
          </option>
        ))}
      </select>
      {exported && (
        <button type="button" className="button button-small" disabled={download.isPending} onClick={() => download.mutate()}>
          {download.isPending ? list.exporting : list.export}
        </button>
      )}
    </div>
  )
}

function ColumnChoice<Row>({
  columns,
  hidden,
  onHide,
}: {
  columns: readonly WorkColumn<Row>[]
  hidden: ReadonlySet<string>
  onHide: (hidden: readonly string[] | null) => void
}) {
  const { list } = useText()
  const [keys, setKeys] = useState(shortcutsOn)
  return (
    <Popup label={list.columns} button={list.columns}>
      {() => (
        <div className="stack gap-4">
          {columns.slice(1).map(({ id, label }) => (
            <CheckField
              key={id}
              label={label}
              value={!hidden.has(id)}
              onChange={(on) => onHide(on ? [...hidden].filter((one) => one !== id) : [...hidden, id])}
            />
          ))}
          <button type="button" className="link" onClick={() => onHide(null)}>
            {list.columnsReset}
          </button>
          <hr />
          <CheckField
            label={list.shortcuts}
            hint={list.shortcutsHint}
            value={keys}
            onChange={(on) => {
              switchShortcuts(on)
              setKeys(on)
            }}
          />
        </div>
      )}
    </Popup>
  )
}
