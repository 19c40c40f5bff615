import { useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router'
import { listViews } from './visit.ts'

/** Whether the document has shown a list. Its first page comes like a way back, and is none. */
let hasShownList = false

/**
 * Remembers the filters and the page of a list, which live in the address. An address with a query is stored; a bare address is replaced by
 * the stored one, and where that has a filter, the state of the location says `restored`, so that the page can tell (`RestoredFilters`). Whoever goes
 * back or forward to a bare address has seen the whole list there, and finds it again. Signing out deletes what is stored.
 * `unshown` names a filter without a field, such as the company whose rows a link shows: it is not remembered, because nobody would see it.
 */
export function useRememberedFilters(
  list:
    | 'demand'
    | 'equipment'
    | 'lessor'
    | 'notice'
    | 'ownDemand'
    | 'draft'
    | 'ownEquipment'
    | 'contract'
    | 'market'
    | 'people'
    | 'blacklist'
    | 'statistics'
    | 'companies'
    | 'accounts'
    | 'articles'
    | 'audit',
  unshown?: string,
): void {
  const { pathname, search } = useLocation()
  const type = useNavigationType()
  const navigate = useNavigate()
  const arrived = useRef(false)
  useEffect(() => {
    const key = `list:${list}`
    const stored = localStorage.getItem(key)
    const first = !arrived.current
    arrived.current = true
    const isReturn = type === NavigationType.Pop && hasShownList
    hasShownList = true
    if (first && search === '' && stored && !isReturn) {
      void navigate(pathname + stored, { replace: true, ...(isNarrowed(stored) && { state: { restored: true } }) })
      return
    }
    const shown = unshown ? searchWithout(search, unshown) : search
    if (shown) localStorage.setItem(key, shown)
    else localStorage.removeItem(key)
  }, [list, unshown, pathname, search, type, navigate])
}

/** Whether a query has a filter. A page, an order or a field that was left empty is none. */
export const isNarrowed = (search: string): boolean =>
  [...new URLSearchParams(search)].some(([name, value]) => value !== '' && !listViews.includes(name))

/** The query of an address without this name, and without the page, which belongs to other rows. */
export function searchWithout(search: string, name: string): string {
  const params = new URLSearchParams(search)
  if (!params.has(name)) return search
  params.delete(name)
  params.delete('pageNum')
  return params.size > 0 ? `?${params}` : ''
}
