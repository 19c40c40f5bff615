import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { useSearchParams } from 'react-router'
import { isTyping, nextSort, shortcutsOn, withParam } from './list-settings.ts'
import type { Column } from './list-frame.tsx'
import { useText } from './text.tsx'
import { Link } from '../ui/link.tsx'
import { Popup } from '../ui/popup.tsx'

export type WorkColumn<Row> = Column<Row> & {
  id: string
  /** The name by which the server sorts. */
  sort?: string
  /** Shows only when somebody has chosen it. */
  extra?: true
  /** The total of the page under the column. */
  sum?: (rows: readonly Row[]) => ReactNode
}

export type RowAction = { label: string; danger?: boolean } & ({ to: string } | { run: () => void })

type Selection = { keys: ReadonlySet<string | number>; toggle: (keys: readonly (string | number)[], on: boolean) => void }

type WorkTableProps<Row> = {
  rows: readonly Row[]
  columns: readonly WorkColumn<Row>[]
  keyOf: (row: Row) => string | number
  /** The name of a row in the labels of its check box and its menu. */
  nameOf: (row: Row) => string
  /** The one action that shows in the row. */
  verb?: ((row: Row) => ReactNode) | undefined
  /** The others, behind one button. */
  menu?: ((row: Row) => RowAction[]) | undefined
  selection?: Selection | undefined
}

/** A table whose headings sort, whose rows can be selected and whose rows become cards on a phone. */
export function WorkTable<Row>({ rows, columns, keyOf, nameOf, verb, menu, selection }: WorkTableProps<Row>) {
  const text = useText()
  const { list } = text
  const body = useRef<HTMLTableSectionElement>(null)
  const keys = rows.map(keyOf)
  const sums = columns.map(({ sum }) => sum?.(rows))
  useListKeys(body, (at) => {
    const key = keys[at]
    if (key !== undefined) selection?.toggle([key], !selection.keys.has(key))
  })
  return (
    <div ref={markFitting} className="panel work-scroll" tabIndex={0}>
      <table className="table cards-on-phone work-table">
        <thead>
          <tr>
            {selection && (
              <th className="work-pick">
                <input
                  type="checkbox"
                  aria-label={list.selectPage}
                  checked={keys.every((key) => selection.keys.has(key))}
                  onChange={(event) => selection.toggle(keys, event.target.checked)}
                />
              </th>
            )}
            {columns.map((column) => (
              <Heading key={column.id} column={column} />
            ))}
            {(verb ?? menu) && (
              <th>
                <span className="visually-hidden">{text.site.common.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-row className={selection?.keys.has(keyOf(row)) ? 'work-picked' : undefined}>
              {selection && (
                <td className="work-pick">
                  <input
                    type="checkbox"
                    aria-label={list.select(nameOf(row))}
                    checked={selection.keys.has(keyOf(row))}
                    onChange={(event) => selection.toggle([keyOf(row)], event.target.checked)}
                  />
                </td>
              )}
              {columns.map(({ id, label, cell, num, className = '', whole, buttons }) => (
                <td
                  key={id}
                  className={`${whole ? 'whole' : ''} ${num ? 'num right' : ''} ${className}`.trim() || undefined}
                  data-label={whole || buttons ? undefined : label}
                >
                  {cell(row)}
                </td>
              ))}
              {(verb ?? menu) && (
                <td className="work-actions">
                  <RowActions name={nameOf(row)} verb={verb?.(row)} actions={menu?.(row) ?? []} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
        {sums.some(Boolean) && rows.length > 1 && (
          <tfoot>
            <tr>
              {selection && <td className="work-pick" />}
              {columns.map(({ id, label, sum, num, whole }, at) => (
                <td
                  key={id}
                  className={`${whole ? 'whole' : ''} ${num ? 'num right' : ''}`.trim() || undefined}
                  data-label={sum ? label : undefined}
                >
                  {at === 0 ? list.pageSum : sums[at]}
                </td>
              ))}
              {(verb ?? menu) && <td />}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}

/** Marks a panel while its table fits into it. The width inside the panel is rounded to whole pixels; that of the table is not. */
function markFitting(panel: HTMLElement | null): (() => void) | undefined {
  const table = panel?.firstElementChild
  if (!panel || !table) return undefined
  const observer = new ResizeObserver(() => panel.toggleAttribute('data-fits', table.getBoundingClientRect().width < panel.clientWidth + 1))
  observer.observe(panel)
  observer.observe(table)
  return () => observer.disconnect()
}

function Heading<Row>({ column: { label, num, buttons, sort } }: { column: WorkColumn<Row> }) {
  const [params] = useSearchParams()
  const current = params.get('sort') ?? ''
  const direction = sort === undefined ? undefined : current === sort ? 'ascending' : current === `-${sort}` ? 'descending' : undefined
  return (
    <th className={num ? 'num right' : undefined} scope="col" {...(direction && { 'aria-sort': direction })}>
      {buttons ? (
        <span className="visually-hidden">{label}</span>
      ) : sort === undefined ? (
        label
      ) : (
        <Link className="work-sort" to={withParam(params, 'sort', nextSort(current, sort, num === true))} preventScrollReset>
          {label}
          <svg viewBox="0 0 10 14" aria-hidden="true" data-direction={direction}>
            <path d="M1.5 5 5 1.5 8.5 5" />
            <path d="M1.5 9 5 12.5 8.5 9" />
          </svg>
        </Link>
      )}
    </th>
  )
}

function RowActions({ name, verb, actions }: { name: string; verb: ReactNode; actions: readonly RowAction[] }) {
  const { list } = useText()
  return (
    <span className="row gap-6">
      {verb}
      {actions.length > 0 && (
        <Popup menu label={list.moreFor(name)} className="icon-button work-more" button={<span aria-hidden="true">⋯</span>}>
          {(close) =>
            actions.map((action) =>
              'to' in action ? (
                <Link key={action.label} role="menuitem" to={action.to} onClick={close}>
                  {action.label}
                </Link>
              ) : (
                <button
                  key={action.label}
                  type="button"
                  role="menuitem"
                  className={action.danger ? 'popup-danger' : undefined}
                  onClick={() => {
                    close()
                    action.run()
                  }}
                >
                  {action.label}
                </button>
              ),
            )
          }
        </Popup>
      )}
    </span>
  )
}

/** J and K move the focus from row to row, X selects the row that has it. Enter follows the focused link by itself. */
function useListKeys(body: RefObject<HTMLElement | null>, toggle: (at: number) => void): void {
  const toggled = useRef(toggle)
  useEffect(() => {
    toggled.current = toggle
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTyping(event) || !shortcutsOn() || !body.current) return
      const rows = [...body.current.querySelectorAll<HTMLElement>('[data-row]')]
      const at = rows.findIndex((row) => row.contains(document.activeElement))
      const step = { j: 1, k: -1 }[event.key]
      if (event.key === 'x' && at !== -1) {
        event.preventDefault()
        toggled.current(at)
      } else if (step !== undefined && rows.length > 0) {
        event.preventDefault()
        const row = rows[Math.min(Math.max(at + step, 0), rows.length - 1)]
        row?.querySelector<HTMLElement>('a, button')?.focus()
        row?.scrollIntoView({ block: 'nearest' })
      }
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [body])
}
