import { useId, type ReactElement, type ReactNode } from 'react'
import { useLocation, useRouteLoaderData } from 'react-router'
import { Link } from './link.tsx'
import { useOwnTitle } from './page-title.tsx'

/** Reduces an address to what identifies its page: an article, a tab, a page of a list. Filters only change the view of a page. */
function canonicalAddress(pathname: string, search: string): string {
  const given = new URLSearchParams(search)
  const identifying = new URLSearchParams()
  for (const name of ['id', 'tab', 'pageNum']) {
    const value = given.get(name)
    if (value && !(['tab', 'pageNum'].includes(name) && value === '1')) identifying.set(name, value)
  }
  return (pathname === '/' ? '/' : pathname.replace(/\/$/, '')) + (identifying.size > 0 ? `?${identifying}` : '')
}

type HeadProps = {
  title: string
  description?: string
  site: string
  index?: boolean
  /** Of the page that is shared (Open Graph), and the picture that stands for it, as a path of this site. */
  type?: 'website' | 'article' | 'product'
  image?: string
  /** The address that search engines know the page by, where several lead to it; otherwise its own. */
  path?: string
}

/** The title, description and canonical address of a page. React moves them into the head, on the server too. A title that begins with the site's name stands alone. */
export function Head({ title, description, site, index = true, type = 'website', image = '/share/site.png', path }: HeadProps) {
  const { pathname, search } = useLocation()
  useOwnTitle()
  const origin = useRouteLoaderData<{ origin?: string }>('root')?.origin ?? ''
  const address = origin + (path ?? canonicalAddress(pathname, search))
  return (
    <>
      {index && <link rel="canonical" href={address} />}
      {index && <meta property="og:url" content={address} />}
      {index && <meta property="og:title" content={title} />}
      {index && <meta property="og:site_name" content={site} />}
      {index && <meta property="og:type" content={type} />}
      {index && <meta property="og:image" content={origin + image} />}
      {index && <meta name="twitter:card" content="summary_large_image" />}
      {index && description && <meta property="og:description" content={description.slice(0, 150)} />}
      <title>{title.startsWith(site) ? title : `${title} - ${site}`}</title>
      {description && <meta name="description" content={description.slice(0, 150)} />}
      {!index && <meta name="robots" content="noindex" />}
    </>
  )
}

/** Describes the page to search engines (schema.org as JSON-LD, which is data and never runs). */
export function Structured({ data }: { data: Record<string, unknown> }) {
  const json = JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', String.raw`\u003c`)
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />
}

export type Tone = 'plain' | 'blue' | 'amber' | 'good' | 'warn' | 'bad'

export function Tag({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`tag tag-${tone}`}>{children}</span>
}

/** The attributes that tie a control to its label, its hint and its error. */
export type Control = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true; 'aria-required'?: true }

/** A control with its label, hint and error, tied together for screen readers. */
export function Field({
  label,
  error,
  hint,
  required,
  className = '',
  tip,
  children,
}: {
  label: string
  error?: string | undefined
  hint?: string | undefined
  required?: boolean
  /** Stands beside the label, such as a button that explains it. */
  tip?: ReactNode
  className?: string
  children: (control: Control) => ReactElement
}) {
  const id = useId()
  const note = error ?? hint
  const name = (
    <label htmlFor={id}>
      {label}
      {required && (
        <span className="field-required" aria-hidden="true">
          *
        </span>
      )}
    </label>
  )
  return (
    <div className={`field ${error ? 'field-bad' : ''} ${className}`}>
      {tip ? (
        <div className="label-line">
          {name}
          {tip}
        </div>
      ) : (
        name
      )}
      {children({
        id,
        ...(note && { 'aria-describedby': `${id}-note` }),
        ...(error && { 'aria-invalid': true as const }),
        ...(required && { 'aria-required': true as const }),
      })}
      {note && (
        <p id={`${id}-note`} className={error ? 'field-error' : 'field-hint'}>
          {note}
        </p>
      )}
    </div>
  )
}

export function Empty({ title, hint, action, heading = false }: { title: string; hint?: string; action?: ReactNode; heading?: boolean }) {
  return (
    <div className="empty">
      <svg viewBox="0 0 160 72" aria-hidden="true">
        <path d="M12 60H148M30 60V34H58V60M70 60V20L98 34V60M110 60V44H130V60" />
        <path className="dimension" d="M30 68H130M30 64V72M130 64V72" />
      </svg>
      {heading ? <h1 className="empty-title">{title}</h1> : <p className="empty-title">{title}</p>}
      {hint && <p>{hint}</p>}
      {action}
    </div>
  )
}

export function Skeleton({ rows = 4 }: { rows?: number }) {
  return (
    <div className="skeleton" aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  )
}

/** The pages of a list as links, which can be opened in a tab, shared and reached with the back button. */
export function Pagination({
  page,
  pageSize,
  total,
  capped = false,
  to,
  labels,
}: {
  page: number
  pageSize: number
  total: number
  /** There are more rows than `total`, so the last page is unknown. */
  capped?: boolean | undefined
  to: (page: number) => string
  labels: { nav: string; page: (n: number) => string; previous: string; next: string }
}) {
  const last = Math.max(1, Math.ceil(total / pageSize))
  if (last === 1 && page === 1) return null
  const shown = [...new Set([1, page - 1, page, page + 1, ...(capped ? [] : [last])])]
    .filter((n) => n >= 1 && n <= last)
    .toSorted((a, b) => a - b)
  return (
    <nav className="pagination" aria-label={labels.nav}>
      {page > 1 && (
        <Link to={to(page - 1)} rel="prev">
          {labels.previous}
        </Link>
      )}
      {shown.map((n, index) => (
        <span key={n} className="pagination-slot">
          {index > 0 && n - (shown[index - 1] ?? 0) > 1 && <span aria-hidden="true">…</span>}
          <Link to={to(n)} aria-label={labels.page(n)} aria-current={n === page ? 'page' : undefined}>
            {n}
          </Link>
        </span>
      ))}
      {capped && <span aria-hidden="true">…</span>}
      {(capped || page < last) && (
        <Link to={to(page + 1)} rel="next">
          {labels.next}
        </Link>
      )}
    </nav>
  )
}
