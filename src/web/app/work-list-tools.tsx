import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { exportLimit } from '#shared/rules.ts'
import type { WorkList } from '#shared/saved-view/contract.ts'
import { pageSizeOf, pageSizes, shortcutsOn, switchShortcuts, withParam } from './list-settings.ts'
import { SavedViews } from './saved-views.tsx'
import { useText } from './text.tsx'
import type { WorkColumn } from './work-table.tsx'
import { CheckField } from '../ui/form-fields.tsx'
import { Popup } from '../ui/popup.tsx'
import { toast } from '../ui/toast.tsx'

/** The tools above a list: views, columns, page size and export. A phone shows the sorting, as headings are hidden there, and opens the others. */
export function WorkListTools<Row>({
  name,
  columns,
  hidden,
  onHide,
  usualSize,
  total,
  exported,
}: {
  name: WorkList
  columns: readonly WorkColumn<Row>[]
  hidden: ReadonlySet<string>
  onHide: (hidden: readonly string[] | null) => void
  usualSize: number
  /** Rows of the filtered list; a workbook holds no more than `exportLimit`. */
  total: number
  exported: (() => Promise<void>) | undefined
}) {
  const { list } = useText()
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const download = useMutation({
    mutationFn: async () => exported?.(),
    onSuccess: () => total > exportLimit && toast('warning', list.exportCut(exportLimit, total)),
  })
  const go = (to: string) => void navigate(to, { preventScrollReset: true })
  const sortable = columns.filter(({ sort }) => sort !== undefined)
  const [isOpen, setOpen] = useState(false)
  const sheet = useId()
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
      <button
        type="button"
        className="button button-small work-tools-open"
        aria-expanded={isOpen}
        aria-controls={sheet}
        onClick={() => setOpen(!isOpen)}
      >
        {list.tools}
      </button>
      <div id={sheet} className="work-tools-sheet row gap-8" data-open={isOpen || undefined}>
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
          <button
            type="button"
            className="button button-small"
            aria-disabled={download.isPending}
            aria-busy={download.isPending}
            onClick={() => download.mutate()}
          >
            {download.isPending ? list.exporting : list.export}
          </button>
        )}
      </div>
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
