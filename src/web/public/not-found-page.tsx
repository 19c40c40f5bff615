import { paths } from '#shared/paths.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Head } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

/** The page for an unknown address: a drawing, a search that works without scripts, and the pages that people look for most. */
export function NotFound() {
  const text = useText()
  const name = useSiteName()
  const { nav, notFound, help, common } = text.site
  const links = [
    [paths.demands(), nav.demand],
    [paths.equipment(), nav.equipment],
    [paths.suppliers, nav.supplier],
    [paths.noticeHome, nav.notice],
    [paths.helpHome, help.title],
    [paths.contact, nav.contact],
  ] as const
  return (
    <main className="wrap page" id="main">
      <Head title={notFound.title} site={name} index={false} />
      <div className="empty">
        <svg viewBox="0 0 160 72" aria-hidden="true">
          <path d="M12 60H148M36 60V22M44 60V22M36 22l4-10 4 10M36 34l8 8M44 34l-8 8M26 22h84v4H26zM92 26v12" />
          <path className="dimension" d="M92 46V60M86 46h12M86 60h12" />
        </svg>
        <h1>{notFound.title}</h1>
        <p>{notFound.text}</p>
        <form action={paths.equipment()} className="row" role="search" style={{ justifyContent: 'center' }}>
          <input
            className="input"
            name="name"
            type="search"
            aria-label={notFound.search}
            placeholder={notFound.search}
            style={{ width: 260 }}
          />
          <button type="submit" className="button">
            {common.search}
          </button>
        </form>
        <nav aria-label={notFound.links}>
          <ul className="row" style={{ justifyContent: 'center', gap: '4px 20px' }}>
            {links.map(([to, label]) => (
              <li key={to}>
                <Link to={to}>{label}</Link>
              </li>
            ))}
          </ul>
        </nav>
        <Link className="button button-primary" to={paths.home}>
          {notFound.home}
        </Link>
      </div>
    </main>
  )
}

export default NotFound
