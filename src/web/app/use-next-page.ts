import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, type NavigateOptions } from 'react-router'

/**
 * Returns what leads from a form to the page that follows once it was sent. Whoever has left the form before the answer stays where they are. A form
 * that another rendering has replaced meanwhile still has its address.
 */
export function useNextPage(): (to: string, options?: NavigateOptions) => Promise<void> {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  return async (to, options) => {
    if (isOpen.current || location.pathname + location.search === pathname + search) await navigate(to, options)
  }
}
