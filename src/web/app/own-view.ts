import { useEffect, useRef } from 'react'
import { useRevalidator } from 'react-router'
import { ApiError } from './api.ts'
import { roleIn, useSession } from './session.ts'

/** `isIncomplete`: the person who has signed in may see more, and that could not be loaded. */
export type Page = { asVisitor: boolean; isIncomplete?: boolean }

let visitorsPage: { page: Page; address: string } | undefined
const here = () => location.href.replace(/#.*/, '')

/** Whether an answer is about the page, such as that of a demand that was taken down since. One that failed, or that nginx refused for a while, is not. */
const isAboutPage = (error: unknown) => !(error instanceof ApiError) || [401, 403, 404, 422].includes(error.code)

/**
 * What `mayShowMore` loads in place of the page that the server has rendered: the visitor's page stays where no answer came, or one that says nothing
 * about the page.
 */
export async function ownPage<P extends object>({ url }: Pick<Request, 'url'>, loaded: Promise<P>): Promise<P & Page> {
  try {
    return { ...(await loaded), asVisitor: false }
  } catch (error) {
    if (isAboutPage(error) || visitorsPage?.address !== url || url !== here()) throw error
    return { ...(visitorsPage.page as P & Page), isIncomplete: true }
  }
}

/** From now on the page stays where it cannot be loaded again. Returns what stops that. */
export function keepPage(page: Page): () => void {
  visitorsPage = { page, address: here() }
  return () => void (visitorsPage = undefined)
}

/** Runs the handler when the network is back and when the page comes to the front. Returns what stops that. */
export function whenBack(handler: () => void): () => void {
  const whenSeen = () => {
    if (!document.hidden) handler()
  }
  addEventListener('online', handler)
  document.addEventListener('visibilitychange', whenSeen)
  return () => {
    removeEventListener('online', handler)
    document.removeEventListener('visibilitychange', whenSeen)
  }
}

/**
 * Loads a page again that the server has rendered for a visitor, as soon as `mayShowMore` says that the person who has signed in may see more of it,
 * and until that was loaded. The session is read only after the first paint, so until then the page has to match that of the visitor. `page`: the one
 * that is shown. One that was loaded for a person is loaded again once another one, or nobody, is signed in.
 */
export function useOwnView(mayShowMore: boolean, page?: Page): void {
  const { revalidate } = useRevalidator()
  const firstPage = useRef(page)
  const { token } = useSession()
  const loadedFor = useRef(token)
  useEffect(() => {
    if (loadedFor.current === token) return
    loadedFor.current = token
    if (page && !page.asVisitor) void revalidate()
  }, [token, page, revalidate])
  useEffect(() => {
    if (!mayShowMore) return
    const load = () => void revalidate()
    const forget = firstPage.current && keepPage(firstPage.current)
    const stop = whenBack(load)
    const later = setTimeout(load)
    return () => {
      clearTimeout(later)
      stop()
      forget?.()
    }
  }, [mayShowMore, revalidate])
}

/** `useOwnView` of a list of demands, which shows lessors what they are invited to. */
export function useOwnDemands(page: Page): void {
  const isLessor = roleIn(useSession()) === 'leaser'
  useOwnView(page.asVisitor && isLessor, page)
}
