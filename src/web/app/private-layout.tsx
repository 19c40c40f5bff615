import { Fragment, useEffect, useRef, type ReactNode } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'
import { QueryClientProvider } from '@tanstack/react-query'
import { mayOpen } from '#shared/account/rules.ts'
import { paths, setupPath } from '#shared/paths.ts'
import { roleIn, useSession } from './session.ts'
import { ProjectSwitch } from './project-switch.tsx'
import { queries } from './queries.ts'
import { SiteHeader, useLogout } from './shell.tsx'
import { useText } from './text.tsx'
import { Skeleton } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'
import './private-layout.css'
import '../ui/private-form.css'
import '../ui/private-page.css'
import '../ui/private-file.css'
import '../ui/private-grid.css'
import '../ui/private-viewer.css'
import '../ui/private-editor.css'

/** An entry with a `group` starts the group of that name, which the following entries join. */
export type MenuItem = { to: string; label: string; badge?: number; group?: string; active?: (path: string) => boolean }

/** The frame of the private areas: the menu at the side, on a phone above the page. It is shown to people who have signed in. */
export function PrivateLayout({ title, items, children }: { title: string; items: readonly MenuItem[]; children?: ReactNode }) {
  const text = useText()
  const session = useSession()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const leave = useLogout()
  const path = pathname.replace(/\/$/, '')
  const role = roleIn(session)
  const allowed = session.info === null || mayOpen(role, path)
  useEffect(() => {
    if (!allowed) void navigate(paths.home, { replace: true })
  }, [allowed, navigate])
  // What is still to be set up comes before anything else; a password that is too old at least before what is not about the account.
  const setup = session.info?.setup ?? null
  const isExpired = session.info?.isPasswordExpired === true && !path.startsWith(paths.safety)
  const first = setup ? setupPath[setup] : isExpired ? paths.changePassword : path
  const elsewhere = path !== first
  useEffect(() => {
    if (elsewhere) void navigate(first, { replace: true })
  }, [elsewhere, first, navigate])
  // In a long menu the entry of this page is scrolled into view.
  const menu = useRef<HTMLElement>(null)
  useEffect(() => {
    const aside = menu.current
    const current = aside?.querySelector<HTMLElement>('[aria-current]')
    const strip = aside?.querySelector('nav')
    if (!aside || !strip || !current) return
    // On a phone the menu scrolls sideways.
    if (strip.scrollWidth > strip.clientWidth) strip.scrollLeft = current.offsetLeft - strip.clientWidth / 2
    if (aside.scrollHeight <= aside.clientHeight) return
    const hidden = current.offsetTop + current.offsetHeight - aside.scrollTop - aside.clientHeight
    if (hidden > 0 || current.offsetTop < aside.scrollTop) aside.scrollTop = current.offsetTop - aside.clientHeight / 2
  }, [path, items.length])
  // Most pages here have a form, so the code that checks forms is fetched ahead.
  useEffect(() => {
    const later = setTimeout(() => void import('#shared/fields.ts').catch(() => undefined), 3000)
    return () => clearTimeout(later)
  }, [])
  const open = session.token !== null && session.info !== null && allowed && !elsewhere
  return (
    <QueryClientProvider client={queries}>
      <SiteHeader />
      <div className="private wrap">
        <aside ref={menu}>
          <nav aria-label={title}>
            <p className="private-title">{title}</p>
            {items.map(({ to, label, badge, group, active }) => (
              <Fragment key={to}>
                {group && <p className="private-group">{group}</p>}
                <Link to={to} aria-current={(active ?? ((at: string) => at === to.split('?')[0]))(path) ? 'page' : undefined}>
                  {label}
                  {badge ? <span className="badge">{badge}</span> : null}
                </Link>
              </Fragment>
            ))}
          </nav>
          {session.info && (
            <div className="private-me small">
              <p>
                <strong>{session.info.user.nickName}</strong>
              </p>
              {session.info.user.deptList.length > 1 ? <ProjectSwitch /> : <p className="soft">{session.info.user.dept.name}</p>}
              <p className="row">
                <Link to={paths.personal}>{text.site.action.personal}</Link>
                <button type="button" className="link" onClick={leave}>
                  {text.site.action.logout}
                </button>
              </p>
            </div>
          )}
        </aside>
        <main id="main">{open ? (children ?? <Outlet />) : <Skeleton rows={5} />}</main>
      </div>
    </QueryClientProvider>
  )
}

/** The frame while the script of the area is loading; the site header works already. */
export function PrivateFallback() {
  return (
    <>
      <SiteHeader />
      <div className="private wrap">
        <aside className="private-waiting">
          <Skeleton rows={6} />
        </aside>
        <main id="main">
          <Skeleton rows={5} />
        </main>
      </div>
    </>
  )
}
