import { useEffect, useRef } from 'react'
import { useRevalidator } from 'react-router'
import { maySendAgain } from './api.ts'
import { roleIn, useSession } from './session.ts'

type Page = { asVisitor: boolean }

/** The page of the visitor, while it is loaded again. */
let shown: { page: Page; address: string } | undefined
const here = () => location.href.replace(/#.*/, '')

/**
 * What `mayShowMore` loads in place of the page that the server has rendered: the visitor's page stays where that got no answer or the server failed.
 * A refusal is shown, such as that of a demand that was taken down since.
 */
export async function ownPage<P extends object>({ url }: Pick<Request, 'url'>, loaded: Promise<P>): Promise<P & Page> {
  try {
    return { ...(await loaded), asVisitor: false }
  } catch (error) {
    if (!maySendAgain(error) || shown?.address !== url || url !== here()) throw error
    return shown.page as P & Page
  }
}

/** From now on the page stays where it cannot be loaded again. Returns what stops that. */
export function keepPage(page: Page): () => void {
  shown = { page, address: here() }
  return () => void (shown = undefined)
}

/**
 * Loads a page again that the server has rendered for a visitor, as soon as `mayShowMore` says that the person who has signed in may see more of it.
 * The session is read only after the first paint, so until then the page has to match that of the visitor. `page`: the one that is shown.
 */
export function useOwnView(mayShowMore: boolean, page?: Page): void {
  const { revalidate } = useRevalidator()
  const visitors = useRef(page)
  useEffect(() => {
    if (!mayShowMore) return
    const forget = visitors.current && keepPage(visitors.current)
    const later = setTimeout(() => void revalidate())
    return () => {
      clearTimeout(later)
      forget?.()
    }
  }, [mayShowMore, revalidate])
}

/** `useOwnView` of a list of demands, which shows lessors what they are invited to. */
export function useOwnDemands(page: Page): void {
  const isLessor = roleIn(useSession()) === 'leaser'
  useOwnView(page.asVisitor && isLessor, page)
}
