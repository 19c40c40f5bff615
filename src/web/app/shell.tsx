import { useEffect, useRef, useState, type ComponentType, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { workbenchHome } from '#shared/account/landing.ts'
import { dayOf } from '#shared/calendar.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import { paths } from '#shared/paths.ts'
import { LanguageButton } from './language-button.tsx'
import { useSite, useSiteName } from './site.ts'
import { roleIn, useSession } from './session.ts'
import { useText } from './text.tsx'
import { setTheme } from './theme.ts'
import { Link } from '../ui/link.tsx'
import { useLeave } from '../ui/use-leave.ts'

const tabs = [
  ['home', paths.home],
  ['demand', paths.demands()],
  ['equipment', paths.equipment()],
  ['lessor', paths.lessors],
  ['article', paths.articleHome],
  ['aboutus', paths.about],
  ['contact', paths.contact],
] as const

const isActive = (pathname: string, address: string) =>
  address === paths.home ? pathname === paths.home : pathname === address || pathname.startsWith(`${address}/`)

export function SiteHeader() {
  const text = useText()
  const { pathname, key } = useLocation()
  const session = useSession()
  const name = useSiteName()
  const [opened, setOpened] = useState<string | null>(null)
  const menu = useRef<HTMLDetailsElement>(null)
  useLeave(menu, opened === key, setOpened)
  const links = tabs.map(([tab, address]) => (
    <Link key={tab} to={address} aria-current={isActive(pathname, address) ? 'page' : undefined}>
      {text.site.nav[tab]}
    </Link>
  ))
  return (
    <header className="site-header" data-signed-in={session.token ? true : undefined}>
      <div className="wrap">
        <Link className="brand" to={paths.home}>
          {/* Low, because otherwise it is fetched before the first photo of a list. */}
          <img src="/favicon.svg" alt="" width="36" height="36" fetchPriority="low" />
          <span>{name}</span>
        </Link>
        <nav className="site-nav" aria-label={name}>
          {links}
        </nav>
        <div className="site-tools">
          {session.token ? <OwnTools /> : <VisitorTools />}
          <details ref={menu} className="menu" open={opened === key} onToggle={(event) => setOpened(event.currentTarget.open ? key : null)}>
            <summary className="icon-button" aria-label={text.site.action.menu}>
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d="M4 7h16M4 12h16M4 17h16" />
              </svg>
            </summary>
            <nav className="menu-panel" aria-label={text.site.action.menu}>
              {links}
              {!session.token && (
                <>
                  <Link className="language-narrow" to={paths.register}>
                    {text.site.action.register}
                  </Link>
                  <LanguageButton className="link language-narrow" />
                </>
              )}
            </nav>
          </details>
        </div>
      </div>
    </header>
  )
}

const isDark = () => {
  const { theme } = document.documentElement.dataset
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
}

function VisitorTools() {
  const { action } = useText().site
  return (
    <>
      <LanguageButton className="link language-wide" />
      <button
        type="button"
        className="icon-button theme-button"
        aria-label={action.theme}
        onClick={() => setTheme(isDark() ? 'light' : 'dark')}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M12 4a8 8 0 100 16zM12 4a8 8 0 010 16" />
          <path d="M12 4v16a8 8 0 000-16z" fill="currentColor" />
        </svg>
      </button>
      <Link className="link language-wide" to={paths.register}>
        {action.register}
      </Link>
      <Link className="button button-primary button-small" to={paths.login()}>
        {action.login}
      </Link>
    </>
  )
}

/**
 * The tools of somebody who has signed in. Their code is fetched once there is a session; until then, and where it cannot be fetched, the way to
 * their own pages is there.
 */
function OwnTools() {
  const { action } = useText().site
  const session = useSession()
  const home = workbenchHome(roleIn(session))
  const [tools, setTools] = useState<{ OwnButtons: ComponentType } | null>(null)
  useEffect(() => {
    import('./own-buttons.tsx').then(setTools, () => undefined)
  }, [])
  return (
    <>
      <Link className="button button-small" to={home ?? paths.personal}>
        {home ? action.workbench : action.personal}
      </Link>
      {tools && <tools.OwnButtons />}
    </>
  )
}

/** The frame of public pages: header, page and footer. `bar` stands above the footer. */
export function PublicFrame({ bar, children }: { bar?: ReactNode; children: ReactNode }) {
  return (
    <>
      <SiteHeader />
      <main id="main">{children}</main>
      {bar}
      <SiteFooter />
    </>
  )
}

export function SiteFooter() {
  const text = useText()
  const site = useSite()
  const name = useSiteName()
  const { footer } = text.site
  return (
    <footer className="site-footer">
      <div className="wrap">
        <div>
          <h2>{name}</h2>
          <p className="small">{text.site.slogan}</p>
          {site.phone && (
            <p className="small">
              {footer.phone} <a href={`tel:${site.phone}`}>{site.phone}</a>
              {site.hours && ` (${site.hours})`}
            </p>
          )}
          {site.address && <p className="small">{site.address}</p>}
        </div>
        <nav aria-label={footer.renter}>
          <h2>{footer.renter}</h2>
          <ul>
            <li>
              <Link to={paths.addDemand()}>{footer.post}</Link>
            </li>
            <li>
              <Link to={paths.ownDemandsIn(demandStatus.reviewing)}>{footer.compare}</Link>
            </li>
          </ul>
        </nav>
        <nav aria-label={footer.lessor}>
          <h2>{footer.lessor}</h2>
          <ul>
            <li>
              <Link to={paths.market()}>{footer.quote}</Link>
            </li>
            <li>
              <Link to={paths.ownMachines}>{footer.fleet}</Link>
            </li>
          </ul>
        </nav>
        <nav aria-label={footer.service}>
          <h2>{footer.service}</h2>
          <ul>
            <li>
              <Link to={paths.helpHome}>{footer.help}</Link>
            </li>
            <li>
              <Link to={paths.help('faq')}>{footer.faq}</Link>
            </li>
            <li>
              <Link to={paths.rules}>{footer.rules}</Link>
            </li>
          </ul>
        </nav>
        <nav aria-label={footer.platform}>
          <h2>{footer.platform}</h2>
          <ul>
            <li>
              <Link to={paths.about}>{text.site.nav.aboutus}</Link>
            </li>
            <li>
              <Link to={paths.contact}>{text.site.nav.contact}</Link>
            </li>
            <li>
              <Link to={paths.terms}>{footer.terms}</Link>
            </li>
            <li>
              <Link to={paths.privacy}>{footer.privacy}</Link>
            </li>
            {site.apiDocs && (
              <li>
                <a href="/prod-api/docs">{footer.api}</a>
              </li>
            )}
          </ul>
        </nav>
        <p className="legal">
          <span>
            © {dayOf(new Date()).slice(0, 4)} {footer.rights(site.company || name)}
          </span>
          {site.icp && <a href="https://beian.miit.gov.cn/">{site.icp}</a>}
          {site.police && (
            <a href={`https://beian.mps.gov.cn/#/query/webSearch?code=${site.police.replaceAll(/\D/g, '')}`}>{site.police}</a>
          )}
        </p>
      </div>
    </footer>
  )
}
