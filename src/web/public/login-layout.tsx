import { Outlet } from 'react-router'
import { paths } from '#shared/paths.ts'
import { useEndReason } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { useLanguage, useText } from '../app/text.tsx'
import { Link } from '../ui/link.tsx'

export default function LoginLayout() {
  const text = useText()
  const { locale, setLocale } = useLanguage()
  const name = useSiteName()
  const reason = useEndReason()
  return (
    <div className="login-page">
      <div className="login-card stack">
        <header className="row between">
          <Link className="brand" to={paths.home}>
            <img src="/favicon.svg" alt="" width="36" height="36" />
            {name}
          </Link>
          <button type="button" className="link" onClick={() => void setLocale(locale === 'zh-CN' ? 'en-US' : 'zh-CN')}>
            {text.site.action.language}
          </button>
        </header>
        <main id="main" className="stack">
          {reason && (
            <p className="notice notice-warn" role="status">
              {reason} {text.account.backAfter}
            </p>
          )}
          <Outlet />
        </main>
      </div>
    </div>
  )
}
