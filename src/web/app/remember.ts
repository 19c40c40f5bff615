import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'

/**
 * Remembers the filters and the page of a list, which live in the address. An address with a query is stored; a bare address is replaced by
 * the stored one, and the state of the location then says `restored`, so that the page can tell. Signing out deletes what is stored.
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
): void {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const arrived = useRef(false)
  useEffect(() => {
    const key = `list:${list}`
    const stored = localStorage.getItem(key)
    const first = !arrived.current
    arrived.current = true
    if (first && search === '' && stored) {
      void navigate(pathname + stored, { replace: true, state: { restored: true } })
      return
    }
    if (search) localStorage.setItem(key, search)
    else localStorage.removeItem(key)
  }, [list, pathname, search, navigate])
}
