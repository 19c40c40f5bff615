import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { logout } from '#shared/account/contract.ts'
import { ApiError, call } from './api.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import { paths } from '#shared/paths.ts'
import { useSite, useSiteName } from './site.ts'
import { clearSession, roleIn, setLeaving, useSession } from './session.ts'
import { useLanguage, useText } from './text.tsx'
import { useThrottle } from '../ui/throttle.ts'
import { Link } from '../ui/link.tsx'

const tabs = ['home', 'demand', 'equipment', 'supplier', 'notice', 'aboutus', 'contact'] as const
const addresses = {
  home: '/',
  demand: '/demand',
  equipment: '/equipment',
  supplier: '/supplier',
  notice: '/notice',
  aboutus: '/aboutus',
  contact: '/contact',
}

const isActive = (pathname: string, address: string) =>
  address === '/' ? pathname === '/' : pathname === address || pathname.startsWith(`${address}/`)

/** The first page of the workbench for a role; null if the role has none. */
export function workbenchHome(role: ReturnType<typeof roleIn>): string | null {
  if (role === 'leaser') return paths.market()
  if (role === 'operator' || role === 'auditor') return paths.admin
  return role === 'leaseholder' || role === 'projectUser' ? paths.ownDemands() : null
}

export function useLogout(): () => void {
  const navigate = useNavigate()
  return useThrottle(() => {
    void call(logout, {}).then(
      () => {
        setLeaving(true)
        clearSession()
        void navigate(paths.home)
      },
      // The client has shown the refusal as a toast. The session stays.
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error
      },
    )
  })
}

export function SiteHeader() {
  const text = useText()
  const { locale, setLocale } = useLanguage()
  const { pathname, key } = useLocation()
  const session = useSession()
  const name = useSiteName()
  const home = workbenchHome(roleIn(session))
  const leave = useLogout()
  const [opened, setOpened] = useState('')
  const links = tabs.map((tab) => (
    <Link key={tab} to={addresses[tab]} aria-current={isActive(pathname, addresses[tab]) ? 'page' : undefined}>
      {text.site.nav[tab]}
    </Link>
  ))
  const language = (place: string) => (
    <button
      type="button"
      className={`link ${place}`}
      lang={locale === 'zh-CN' ? 'en' : 'zh-CN'}
      onClick={() => void setLocale(locale === 'zh-CN' ? 'en-US' : 'zh-CN')}
    >
      {text.site.action.language}
    </button>
  )
  return (
    <header className="site-header">
      <div className="wrap">
        <Link className="brand" to="/">
          <img src="/favicon.svg" alt="" width="36" height="36" />
          {name}
        </Link>
        <nav className="site-nav" aria-label={name}>
          {links}
        </nav>
        <div className="site-tools">
          {language('language-wide')}
          {session.token ? (
            <>
              <Link
                key="messages"
                className="icon-button"
                to={paths.messages}
                aria-label={`${text.site.action.messages} ${session.unread}`}
                style={{ position: 'relative' }}
              >
                <svg viewBox="0 0 24 24" aria-hidden="true">
                  <path d="M6 16V11a6 6 0 1112 0v5l2 2H4zM10 21h4" />
                </svg>
                {session.unread > 0 && (
                  <span className="badge" style={{ position: 'absolute', top: 2, right: 0 }}>
                    {session.unread > 99 ? '99+' : session.unread}
                  </span>
                )}
              </Link>
              <Link key="own" className="button button-small" to={home ?? paths.personal}>
                {home ? text.site.action.workbench : text.site.action.personal}
              </Link>
            </>
          ) : (
            <Link key="login" className="button button-primary button-small" to={paths.login()}>
              {text.site.action.login}
            </Link>
          )}
          <details className="menu" open={opened === key} onToggle={(event) => setOpened(event.currentTarget.open ? key : '')}>
            <summary className="icon-button" aria-label={text.site.action.menu}>
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d="M4 7h16M4 12h16M4 17h16" />
              </svg>
            </summary>
            <nav className="menu-panel" aria-label={text.site.action.menu}>
              {links}
              {language('language-narrow')}
              {session.token && (
                <>
                  <Link to={paths.personal}>{text.site.action.personal}</Link>
                  <button type="button" className="link" onClick={leave}>
                    {text.site.action.logout}
                  </button>
                </>
              )}
            </nav>
          </details>
        </div>
      </div>
    </header>
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
            © {new Date().getFullYear()} {site.company || name} {footer.rights}
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
