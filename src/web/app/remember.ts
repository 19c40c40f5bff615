import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'

/**
 * Filters and page of a list live in the address and are remembered: an address with a query wins and is kept,
 * a bare one brings back what was kept. Signing out forgets them all.
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
    const kept = localStorage.getItem(key)
    const first = !arrived.current
    arrived.current = true
    if (first && search === '' && kept) {
      void navigate(pathname + kept, { replace: true })
      return
    }
    if (search) localStorage.setItem(key, search)
    else localStorage.removeItem(key)
  }, [list, pathname, search, navigate])
}
