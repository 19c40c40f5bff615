import { useCallback, useEffect } from 'react'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { ApiError } from './api.ts'
import { NotFound } from './not-found.tsx'
import { useOwnView } from './own-view.ts'
import { useSession } from './session.ts'
import { useText } from './text.tsx'
import { Empty } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'

/** A broken connection: a call without an answer, or a script of the page that could not be fetched (scripts/failed-screen.mjs). */
const isUnreached = (error: unknown) =>
  error instanceof ApiError ? error.code === 0 : error instanceof Error && brokenImport.test(error.message)

/** The words of Chromium, Firefox and Safari for a script, a style sheet or a call that could not be fetched. */
const brokenImport = /dynamically imported module|module script failed|Unable to preload|Failed to fetch|NetworkError|Load failed/

const isMissing = (error: unknown) =>
  (isRouteErrorResponse(error) && error.status === 404) || (error instanceof ApiError && error.code === 404)

/** Stands in the place of a page that could not be shown, inside the frame that stays. */
export function RouteProblem() {
  const error = useRouteError()
  const { site } = useText()
  const unreached = isUnreached(error)
  // Loads the document only when the server answers; otherwise the browser would show an error page of its own.
  const reload = useCallback(
    () =>
      fetch('/readyz', { cache: 'no-store' }).then(
        () => location.reload(),
        () => toast('warning', site.error.stillUnreached),
      ),
    [site],
  )
  useEffect(() => {
    if (!unreached) return
    const again = () => void reload()
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [unreached, reload])
  useReloadAfterRelease(unreached && !(error instanceof ApiError))
  // The document answers as to a visitor. Whoever has signed in may see what it lacks: a lessor may be invited to the demand.
  const { token } = useSession()
  useOwnView(token !== null && isRouteErrorResponse(error) && error.status === 404)
  if (isMissing(error)) return <NotFound />
  const title = unreached ? site.error.unreached : site.error.crashed
  return (
    <>
      <title>{title}</title>
      <Empty
        title={title}
        hint={unreached ? site.error.unreachedHint : site.common.failedHint}
        action={
          <button type="button" className="button button-primary" onClick={() => void reload()}>
            {site.common.retry}
          </button>
        }
      />
    </>
  )
}

/**
 * A release replaces the scripts, so those that an open page names are gone. The document then names the new ones: it is loaded once by itself,
 * but not again within half a minute.
 */
function useReloadAfterRelease(unreached: boolean): void {
  useEffect(() => {
    if (!unreached || !navigator.onLine) return
    const last = Number(sessionStorage.getItem('reloaded'))
    if (Date.now() - last < 30_000) return
    void fetch('/readyz', { cache: 'no-store' }).then(
      () => {
        sessionStorage.setItem('reloaded', String(Date.now()))
        location.reload()
      },
      () => undefined,
    )
  }, [unreached])
}
