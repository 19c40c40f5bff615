import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { Form, useLocation, useNavigate } from 'react-router'
import { useText } from './text.tsx'
import { Field } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

/** The filters of a list as a plain GET form, which works without a script. The script leaves empty fields out of the address. */
export function FilterForm({ children, chips }: { children: ReactNode; chips?: ReactNode }) {
  const text = useText()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => setOpen(window.matchMedia('(min-width: 641px)').matches), [])
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (!form.current) return
    const query = new URLSearchParams()
    for (const [name, value] of new FormData(form.current))
      if (typeof value === 'string' && value.trim() !== '') query.set(name, value.trim())
    // The order and the length of the list are no filters: they stay unless the form has a field of its own for them.
    const before = new URLSearchParams(search)
    for (const name of ['sort', 'pageSize']) {
      const value = before.get(name)
      if (value && !form.current.elements.namedItem(name)) query.set(name, value)
    }
    const next = query.toString()
    void navigate(pathname + (next ? `?${next}` : ''), { preventScrollReset: true })
  }
  const active = [...new URLSearchParams(search).keys()].filter((key) => !['pageNum', 'pageSize', 'sort', 'exact'].includes(key)).length
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
        }}
        role="search"
      >
        <div className="filter-grid">
          {children}
          <div className="row wide">
            <button type="submit" className="button button-primary button-small">
              {text.site.common.search}
            </button>
            <Link className="button button-small" to={pathname} preventScrollReset>
              {text.site.common.reset}
            </Link>
          </div>
        </div>
      </Form>
    </details>
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
