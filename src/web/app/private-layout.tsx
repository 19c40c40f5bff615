import { Fragment, useEffect, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { QueryClientProvider } from '@tanstack/react-query'
import { mayOpen } from '#shared/account/rules.ts'
import { paths, setupAddress, setupPath } from '#shared/paths.ts'
import { roleIn, useSession } from './session.ts'
import { queries } from './queries.ts'
import { SiteHeader } from './shell.tsx'
import { isCurrent, SideMenu, type MenuGroup } from './side-menu.tsx'
import { useSiteName } from './site.ts'
import { useText } from './text.tsx'
import { PlaceTitle } from '../ui/page-title.tsx'
import { Skeleton } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import './private-layout.css'
import '../ui/private-form.css'
import '../ui/private-page.css'
import '../ui/private-file.css'
import '../ui/private-grid.css'

/** The frame of the private areas: the menu at the side, on a phone above the page. It is shown to people who have signed in. */
export function PrivateLayout({ title, groups, children }: { title: string; groups: readonly MenuGroup[]; children: ReactNode }) {
  const session = useSession()
  const navigate = useNavigate()
  const site = useSiteName()
  const { closed } = useText().site.error
  const { pathname, search } = useLocation()
  const path = pathname.replace(/\/$/, '')
  const role = roleIn(session)
  const allowed = session.info === null || mayOpen(role, path)
  useEffect(() => {
    if (allowed) return
    toast('warning', closed)
    void navigate(paths.home, { replace: true })
  }, [allowed, closed, navigate])
  // What is still to be set up comes before anything else.
  const setup = session.info?.setup ?? null
  const first = setup ? setupPath[setup] : path
  const elsewhere = path !== first
  const step = setup ?? 'password'
  useEffect(() => {
    if (elsewhere) void navigate(setupAddress(step, pathname + search), { replace: true })
  }, [elsewhere, step, pathname, search, navigate])
  // Most pages here have a form, so the code that checks forms is fetched ahead.
  useEffect(() => {
    const later = setTimeout(() => void import('#shared/fields.ts').catch(() => undefined), 3000)
    return () => clearTimeout(later)
  }, [])
  const open = session.token !== null && session.info !== null && allowed && !elsewhere
  const place = groups.flatMap(({ entries }) => entries).find((entry) => isCurrent(entry, path))
  return (
    <QueryClientProvider client={queries}>
      <SiteHeader />
      <div className="private wrap">
        <SideMenu title={title} groups={groups} />
        <main id="main">
          <PlaceTitle title={`${place?.label ?? title} - ${site}`}>
            {open ? <Fragment key={session.token}>{children}</Fragment> : <Skeleton rows={5} />}
          </PlaceTitle>
        </main>
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
