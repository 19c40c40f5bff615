import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import type { RegionNode } from '#shared/region/contract.ts'
import type { UnderstoodPart } from '#shared/search/contract.ts'
import { named } from '../app/format.ts'
import { useText } from '../app/text.tsx'
import { Link } from '../ui/link.tsx'

/** A filter that is set, and the address of the list without it. */
export type ActiveFilter = { label: string; to: string }

/** The address of a list with some of its filters changed, from its first page on. Null removes a filter. */
export function withFilters(search: string, change: Record<string, string | null>): string {
  const next = new URLSearchParams(search)
  next.delete('pageNum')
  for (const [key, value] of Object.entries(change))
    if (value) next.set(key, value)
    else next.delete(key)
  return next.size > 0 ? `?${next}` : '?'
}

/** The parts that a search was understood as, each removed by a link. `name` is the search's own filter. */
export function useUnderstood(parts: readonly UnderstoodPart[], name: 'name' | 'keyword'): ActiveFilter[] {
  const { search } = useText()
  const address = useLocation().search
  return parts.map(({ kind, label, rest }) => ({
    label: kind === 'size' ? search.about(label) : label,
    to: withFilters(address, { [name]: rest || null }),
  }))
}

/** Makes the chips of a list: `without` gives that of one filter by its names, and `region` holds those of the province and the city. */
export function useChips(query: Record<string, string>, { provinces, cities }: Record<'provinces' | 'cities', readonly RegionNode[]>) {
  const text = useText()
  const address = useLocation().search
  const without = (label: string, ...names: string[]): ActiveFilter => ({
    label,
    to: withFilters(address, Object.fromEntries(names.map((name) => [name, null]))),
  })
  const nameOf = (regions: readonly RegionNode[], code: string) => {
    const region = regions.find((one) => String(one.code) === code)
    return region ? named(text, region) : code
  }
  const { provinceId, cityId } = query
  const region = [
    ...(provinceId ? [without(nameOf(provinces, provinceId), 'provinceId', 'cityId')] : []),
    ...(cityId ? [without(nameOf(cities, cityId), 'cityId')] : []),
  ]
  return { without, region }
}

/** The filters that are set, as chips that remove them. `understood` stand first, because people have to see how they were understood. */
export function ActiveFilters({ understood = [], filters }: { understood?: readonly ActiveFilter[]; filters: readonly ActiveFilter[] }) {
  const { search } = useText()
  const { pathname } = useLocation()
  if (understood.length + filters.length === 0) return null
  return (
    <div className="active-filters">
      {[
        { title: search.understood, chips: understood },
        { title: search.active, chips: filters },
      ].map(
        ({ title, chips }) =>
          chips.length > 0 && (
            <ul key={title} aria-label={title}>
              <li className="small soft" aria-hidden="true">
                {title}
              </li>
              {chips.map(({ label, to }) => (
                <li key={to}>
                  <Link className="filter-chip num" to={to} preventScrollReset rel="nofollow" aria-label={search.remove(label)}>
                    {label}
                    <span aria-hidden="true">×</span>
                  </Link>
                </li>
              ))}
            </ul>
          ),
      )}
      <Link className="small" to={pathname} preventScrollReset>
        {search.clear}
      </Link>
    </div>
  )
}

/** Conditions that few people need, folded away until one of them is set. */
export function MoreFilters({ open, children }: { open: boolean; children: ReactNode }) {
  const { search } = useText()
  return (
    <details className="more-filters" open={open}>
      <summary>{search.more}</summary>
      <div className="filter-grid">{children}</div>
    </details>
  )
}

export const pageSizes = [20, 50, 100] as const

/** The rows of a page as the address asks for them, if it is one of the sizes offered. */
export const pageSizeOf = (query: Readonly<Record<string, string>>): number =>
  pageSizes.find((size) => String(size) === query.pageSize) ?? pageSizes[0]

/** Chooses how many rows a page has. */
export function PageSizes({ size, total }: { size: number; total: number }) {
  const { search } = useText()
  const address = useLocation().search
  if (total <= pageSizes[0]) return null
  return (
    <nav className="page-sizes small" aria-label={search.pageSize}>
      <span className="soft" aria-hidden="true">
        {search.pageSize}
      </span>
      {pageSizes.map((one) => (
        <Link
          key={one}
          className="num"
          to={withFilters(address, { pageSize: one === pageSizes[0] ? null : String(one) })}
          aria-current={one === size ? 'true' : undefined}
        >
          {one}
        </Link>
      ))}
    </nav>
  )
}
