import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { roleIn, useSession } from './session.ts'

/**
 * Loads a page again that the server has rendered for a visitor, as soon as `mayShowMore` says that the person who has signed in may see more of it.
 * The session is read only after the first paint, so until then the page has to match that of the visitor.
 */
export function useOwnView(mayShowMore: boolean): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (!mayShowMore) return
    const later = setTimeout(() => void revalidate())
    return () => clearTimeout(later)
  }, [mayShowMore, revalidate])
}

/** `useOwnView` of a list of demands, which shows lessors what they are invited to. `asVisitor`: the server has rendered it. */
export function useOwnDemands(asVisitor: boolean): void {
  const isLessor = roleIn(useSession()) === 'leaser'
  useOwnView(asVisitor && isLessor)
}
