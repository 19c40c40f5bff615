import { createContext, useCallback, useContext, useLayoutEffect, useState, type ReactNode } from 'react'

const Claim = createContext<(() => () => void) | null>(null)

/** Names the place of a page in the browser's title as long as the page states no title itself: it is loading, has failed, or is not there. */
export function PlaceTitle({ title, children }: { title: string; children: ReactNode }) {
  const [claims, setClaims] = useState(0)
  const claim = useCallback(() => {
    setClaims((before) => before + 1)
    return () => setClaims((before) => before - 1)
  }, [])
  return (
    <Claim value={claim}>
      {claims === 0 && <title>{title}</title>}
      {children}
    </Claim>
  )
}

/** Takes the title over from the place of the page. */
export function useOwnTitle(): void {
  const claim = useContext(Claim)
  useLayoutEffect(() => claim?.(), [claim])
}
