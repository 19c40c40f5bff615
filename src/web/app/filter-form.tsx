import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { Form, useLocation, useNavigate } from 'react-router'
import { useFilterCount, type Count } from './filter-count.ts'
import { countText } from './format.ts'
import { useText } from './text.tsx'
import { filtersOf, listViews } from './visit.ts'
import { Field } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

type FilterFormProps = {
  children: ReactNode
  /** Hidden fields that choose a view of the list: they are counted as no filter, and resetting the filters leaves them. */
  views?: readonly string[]
  chips?: ReactNode
  /** What the list has now, by its unit, and what it would have with filters that are only typed. A phone shows it in the button. */
  counted?: { unit: 'machine' | 'company' | 'item'; now: Count; count: (filters: URLSearchParams) => Promise<Count> }
}

const isWide = () => window.matchMedia('(min-width: 641px)').matches

/** The filters of a list as a plain GET form, which works without a script. The script leaves empty fields out of the address. */
export function FilterForm({ children, views = [], chips, counted }: FilterFormProps) {
  const text = useText()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const { found, ask, forget } = useFilterCount(search, counted?.count)
  useEffect(() => setOpen(isWide()), [])
  /** The field that was used last: the form is made anew for each address. */
  const used = useRef<string>(null)
  useEffect(() => {
    const field = used.current && form.current?.elements.namedItem(used.current)
    used.current = null
    if (field instanceof HTMLElement) field.focus({ preventScroll: true })
  }, [search])
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    // A select sends the form past the browser's own check.
    if (!form.current?.reportValidity()) return
    const query = filtersIn(form.current)
    used.current = form.current.querySelector(':focus')?.getAttribute('name') ?? null
    forget()
    // On a phone the filters cover the list that the button promises.
    if (event && counted) setOpen(isWide())
    // The order and the length of the list are no filters: they stay unless the form has a field of its own for them.
    const before = new URLSearchParams(search)
    for (const name of ['sort', 'pageSize']) {
      const value = before.get(name)
      if (value && !form.current.elements.namedItem(name)) query.set(name, value)
    }
    const next = query.toString()
    void navigate(pathname + (next ? `?${next}` : ''), { preventScrollReset: true })
  }
  const set = Object.entries(filtersOf(new URLSearchParams(search)))
  const active = set.filter(([name]) => ![...listViews, ...views].includes(name)).length
  const view = new URLSearchParams(set.filter(([name]) => views.includes(name))).toString()
  return (
    <details className="filter" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {text.site.common.filters}
        {active > 0 && ` (${active})`}
      </summary>
      {chips}
      <Form
        ref={form}
        method="get"
        key={search}
        onSubmit={submit}
        onChange={(event) => {
          // A choice filters at once; typed text waits for Enter. The selects of a calendar have no name and filter nothing.
          if (event.target instanceof HTMLSelectElement && event.target.name) submit()
          else ask(filtersIn(event.currentTarget))
        }}
        role="search"
      >
        <div className="filter-grid">
          {children}
          <div className="row wide">
            <button type="submit" className="button button-primary button-small">
              {counted ? <ShowButton unit={counted.unit} count={found ?? counted.now} /> : text.site.common.search}
            </button>
            <Link className="button button-small" to={pathname + (view && `?${view}`)} preventScrollReset>
              {text.site.common.reset}
            </Link>
            {counted && (
              <span role="status" className="small soft num filter-wide">
                {found && rowsOf(found, text.site.common.units[counted.unit])}
              </span>
            )}
          </div>
        </div>
      </Form>
    </details>
  )
}

/** The filters that are set in a form. */
function filtersIn(form: HTMLFormElement): URLSearchParams {
  const fields = [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value.trim() : ''])
  return new URLSearchParams(filtersOf(new URLSearchParams(fields)))
}

const rowsOf = (count: Count, unitOf: (n: number) => string) => `${countText(count)} ${unitOf(count.total)}`

/** The words of the button: a phone, whose list stands below the fold, says how many rows the button shows. */
function ShowButton({ unit, count }: { unit: 'machine' | 'company' | 'item'; count: Count }) {
  const { site, search } = useText()
  return (
    <>
      <span className="filter-wide">{site.common.search}</span>
      <span className="filter-narrow num">{search.show(rowsOf(count, site.common.units[unit]))}</span>
    </>
  )
}

export function TextFilter({
  name,
  label,
  value,
  placeholder,
  type = 'search',
  className,
}: {
  name: string
  label: string
  value: string | undefined
  placeholder?: string
  type?: string
  className?: string
}) {
  return (
    <Field label={label} {...(className && { className })}>
      {(control) => (
        <input {...control} className="input" name={name} type={type} defaultValue={value} placeholder={placeholder} maxLength={40} />
      )}
    </Field>
  )
}

export function SelectFilter({
  name,
  label,
  value,
  options,
  all,
}: {
  name: string
  label: string
  value: string | undefined
  options: readonly (readonly [value: string | number, label: string])[]
  all?: string
}) {
  return (
    <Field label={label}>
      {(control) => (
        <select {...control} className="select" name={name} defaultValue={value ?? ''}>
          {all !== undefined && <option value="">{all}</option>}
          {options.map(([option, words]) => (
            <option key={option} value={option}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
