import { useEffect, useRef, useState, type ReactNode } from 'react'
import {
  Links,
  NavigationType,
  Outlet,
  ScrollRestoration,
  useLoaderData,
  useLocation,
  useNavigate,
  useNavigation,
  useNavigationType,
  type LoaderFunctionArgs,
} from 'react-router'
import { logout } from '#shared/account/contract.ts'
import { needsLogin } from '#shared/account/rules.ts'
import { call, ignoreShown, whenSetupIsOpen, whenSignedOut } from './app/api.ts'
import { adoptEarlyInput } from './app/early-input.ts'
import { DocumentScripts, InlineStyle, ThemeProgram } from './app/document-context.tsx'
import { paths, setupAddress, setupPath } from '#shared/paths.ts'
import { RouteProblem } from './app/route-problem.tsx'
import {
  clearSession,
  getSession,
  isLeaving,
  loadSession,
  rememberNavigation,
  setEndReason,
  setLeaving,
  useSession,
} from './app/session.ts'
import { PublicFrame } from './app/shell.tsx'
import { refetchUnread, refetchUser } from './app/refetch.ts'
import { loadTheme } from './app/theme.ts'
import type { Pushed } from './app/news.ts'
import { loadPrivateWords, useLanguage, useText } from './app/text.tsx'
import { focusOn } from './ui/focus-on.ts'
import { ignoreRepeats } from './ui/throttle.ts'
import { toast, Toasts } from './ui/toast.tsx'
import { visitKey } from './app/visit.ts'
import type { Site } from '#shared/site.ts'

export function loader({ context }: LoaderFunctionArgs): { site: Site; origin: string } {
  const { site, origin } = context.get(visitKey)
  return { site, origin }
}

// The names of the site do not change during a visit.
export const shouldRevalidate = () => false

export function Layout({ children }: { children: ReactNode }) {
  const { locale } = useLanguage()
  useEffect(loadTheme, [])
  return (
    <html lang={locale} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#0b1f45" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <ThemeProgram />
        <InlineStyle />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <DocumentScripts />
      </body>
    </html>
  )
}

export default function Root() {
  useLoaderData<typeof loader>()
  const text = useText()
  const navigation = useNavigation()
  const online = useOnline()
  const ready = useStart()
  useGuard(ready)
  useAnchors()
  useHeadingFocus()
  useLinks()
  return (
    <>
      <a className="skip" href="#main">
        {text.site.action.skip}
      </a>
      {navigation.state !== 'idle' && <div className="progress" role="progressbar" aria-label={text.site.common.loading} />}
      {!online && (
        <div className="offline" role="status">
          {text.site.common.offline}
        </div>
      )}
      <Toasts closeLabel={text.site.action.close} />
      <Outlet />
    </>
  )
}

/** Starts the session (specification 4). An expired one is signed out with a toast; a valid one fetches the user and opens the websocket. */
function useStart(): boolean {
  const { token } = useSession()
  const text = useText()
  const navigate = useNavigate()
  const [ready, setReady] = useState(false)
  const atStart = useRef({ navigate, expired: text.site.error.expired })
  useEffect(() => {
    const stop = loadSession()
    const { token: stored, expiresTime } = getSession()
    if (stored && expiresTime <= Date.now()) {
      toast('warning', atStart.current.expired)
      // The server may have deleted the session already, so a refusal does not matter.
      void call(logout, {}).catch(() => undefined)
      setEndReason(atStart.current.expired)
      clearSession()
      void atStart.current.navigate(paths.login(hereAfterSignIn()))
    }
    setReady(true)
    const stopIgnoring = ignoreRepeats(window)
    // The starter then repeats the clicks that came before hydration (app/document.ts).
    adoptEarlyInput(() => dispatchEvent(new Event('hydrated')))
    return () => {
      stop()
      stopIgnoring()
    }
  }, [])
  useEffect(() => {
    const pathHere = () => location.pathname.replace(/\/$/, '')
    whenSignedOut(() => {
      // Several calls may be refused, and whoever is signing out goes their own way.
      if (pathHere() !== paths.login() && !isLeaving()) void navigate(paths.login(hereAfterSignIn()))
    })
    whenSetupIsOpen((step) => {
      // The sign-in page goes on by itself. A call that is refused late finds the page of the setup open, with the address to go on to.
      const here = pathHere()
      if (here === paths.login() || here === setupPath[step]) return
      void navigate(setupAddress(step, location.pathname + location.search))
      // The page of the setup says why it is open.
      void refetchUser().catch(ignoreShown)
    })
  }, [navigate])
  useEffect(() => {
    if (!token) return
    let close = () => {}
    let ended = false
    // The page becomes interactive before these calls start.
    const later = setTimeout(() => {
      const user = refetchUser().catch(ignoreShown)
      void refetchUnread().catch(ignoreShown)
      // Visitors never open it, so its code is fetched for people who have signed in. It is refused while their setup is open, which `info` says.
      Promise.all([import('./app/socket.ts'), getSession().info ?? user]).then(
        ([{ openSocket }]) => {
          if (!ended) close = openSocket(announce)
        },
        // Without it the count of unread messages is fetched with each page that is loaded.
        () => undefined,
      )
    })
    return () => {
      ended = true
      clearTimeout(later)
      close()
    }
  }, [token])
  return ready
}

/** Shows a message that has just arrived. */
function announce({ systemSubject, title, kind, params }: Pushed): void {
  // The words of messages are those of the private areas, which somebody on a public page may not have yet.
  void loadPrivateWords().then(({ messages, account }) => {
    const words = (kind && messages[kind].title(params ?? {})) ?? title ?? systemSubject
    if (words) toast('info', account.message.received(words))
  })
}

/** The pages of somebody who is about to sign in. They lead on to where they led before. */
const signInPages: readonly string[] = [paths.login(), paths.register, paths.resetPassword]

/** The page to come back to after signing in again; undefined for the home page, which nobody works on. */
function hereAfterSignIn(): string | undefined {
  const { pathname, search, hash } = location
  if (signInPages.includes(pathname.replace(/\/$/, ''))) return new URLSearchParams(search).get('redirect') ?? undefined
  return pathname === paths.home ? undefined : pathname + search + hash
}

/** Sends visitors from the private pages of the specification to the sign-in page, which leads back afterwards. */
function useGuard(ready: boolean): void {
  const { token } = useSession()
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (!ready) return
    if (!needsLogin(pathname)) setLeaving(false)
    if (!getSession().token && needsLogin(pathname)) {
      if (isLeaving()) return
      void navigate(paths.login(pathname + search + hash), { replace: true })
    } else if (token) rememberNavigation(pathname)
  }, [ready, token, pathname, search, hash, navigate])
}

/** Scroll offsets of the anchors of the page about us (specification 2). */
const anchors: Record<string, number> = { '#ppln': 560, '#jyln': 1060, '#hxtd': 1860 }

/** Whether the document was reloaded, or is back after one of another site: it stands where it was left. */
const isLoadedAgain = () =>
  performance.getEntriesByType('navigation').some((load) => ['reload', 'back_forward'].includes((load as PerformanceNavigationTiming).type))

/** Scrolls to an anchor that is opened or pressed. Whoever reloads, or goes back or forward, finds the page as they left it. */
function useAnchors(): void {
  const { pathname, hash, key } = useLocation()
  const type = useNavigationType()
  const isFirst = useRef(true)
  useEffect(() => {
    // An anchor typed into the address bar comes like a way back, but to an entry that has no state yet.
    const isReturn = type === NavigationType.Pop && (isFirst.current ? isLoadedAgain() : history.state !== null)
    isFirst.current = false
    const top = anchors[hash]
    if (pathname.replace(/\/$/, '') === paths.about && top !== undefined && !isReturn) window.scrollTo(0, top)
  }, [pathname, hash, key, type])
}

/**
 * Moves the focus to the heading of the page that has opened, so that a keyboard and a screen reader go on there: also to that of another record or of
 * another page of a list at the same path. A field of the page that took the focus keeps it; a link that was followed does not. Where the heading comes with the data, the page has the focus until then.
 */
function useHeadingFocus(): void {
  const { pathname, search } = useLocation()
  const type = useNavigationType()
  const params = new URLSearchParams(search)
  const record = `${params.get('id')} ${params.get('pageNum') ?? 1}`
  const shown = useRef({ pathname, record })
  /** Waits for the heading of the page that has opened last. */
  const awaited = useRef<MutationObserver>(null)
  useEffect(() => {
    const before = shown.current
    shown.current = { pathname, record }
    // An address that is replaced is still that of the same record: a draft has got its number.
    if (before.pathname === pathname && (before.record === record || type === NavigationType.Replace)) return
    awaited.current?.disconnect()
    const main = document.getElementById('main')
    const used = document.activeElement
    if (!main || document.querySelector('dialog[open]') || (main.contains(used) && !used?.matches('a:not([data-keeps-scroll])'))) return
    const heading = () => main.querySelector('h1')
    focusOn(heading() ?? main)
    if (heading()) return
    const arrival = new MutationObserver(() => {
      const arrived = heading()
      if (!arrived) return
      arrival.disconnect()
      if (document.activeElement === main || document.activeElement === document.body) focusOn(arrived)
    })
    arrival.observe(main, { childList: true, subtree: true })
    awaited.current = arrival
  }, [pathname, record, type])
}

/** Follows links to pages of this site without loading a new document, including links inside articles. */
function useLinks(): void {
  const navigate = useNavigate()
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      const anchor = event.target instanceof Element ? event.target.closest('a') : null
      if (!anchor?.getAttribute('href') || anchor.getAttribute('href')?.startsWith('#')) return
      if (anchor.origin !== location.origin || anchor.protocol !== location.protocol || anchor.pathname.startsWith('/prod-api/')) return
      if (anchor.hasAttribute('download') || (anchor.target && anchor.target !== '_self')) return
      event.preventDefault()
      void navigate(anchor.pathname + anchor.search + anchor.hash, {
        replace: 'replace' in anchor.dataset || anchor.href === location.href,
        preventScrollReset: 'keepsScroll' in anchor.dataset,
      })
    }
    window.addEventListener('click', follow)
    return () => window.removeEventListener('click', follow)
  }, [navigate])
}

function useOnline(): boolean {
  const [online, setOnline] = useState(true)
  useEffect(() => {
    const update = () => setOnline(navigator.onLine)
    update()
    window.addEventListener('online', update)
    window.addEventListener('offline', update)
    return () => {
      window.removeEventListener('online', update)
      window.removeEventListener('offline', update)
    }
  }, [])
  return online
}

export function ErrorBoundary() {
  return (
    <PublicFrame>
      <div className="wrap page">
        <RouteProblem />
      </div>
    </PublicFrame>
  )
}
