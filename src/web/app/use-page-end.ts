import { useEffect } from 'react'
import { beforeSessionEnds } from './session.ts'

/**
 * Stores a form also where the pause after the last change is not over when the page ends, or the session by itself. Signing out stores nothing.
 * `store` must not change between two renderings; null where nothing is to be stored.
 */
export function usePageEnd(store: (() => void) | null): void {
  useEffect(() => {
    if (!store) return
    addEventListener('pagehide', store)
    const stop = beforeSessionEnds(store)
    return () => {
      removeEventListener('pagehide', store)
      stop()
    }
  }, [store])
}
