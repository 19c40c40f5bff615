import { landingOf } from '#shared/account/landing.ts'
import { paths } from '#shared/paths.ts'
import { roleIn, useSession } from './session.ts'
import { useSiteName } from './site.ts'
import { useText } from './text.tsx'
import { Head } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

/** What an address shows that has no page: a drawing, two sentences, a search and the ways on. The frame around it stays. */
export function NotFound() {
  const text = useText()
  const session = useSession()
  const name = useSiteName()
  const { title, text: words, home, panel, search, links } = text.site.notFound
  const { nav, help, common } = text.site
  const ways = [
    [paths.demands(), nav.demand],
    [paths.equipment(), nav.equipment],
    [paths.lessors, nav.lessor],
    [paths.articleHome, nav.article],
    [paths.helpHome, help.title],
    [paths.contact, nav.contact],
  ] as const
  return (
    <div className="empty not-found">
      <Head title={title} site={name} index={false} />
      <svg viewBox="0 0 160 72" aria-hidden="true">
        <path d="M12 60H148M36 60V22M44 60V22M36 22l4-10 4 10M36 34l8 8M44 34l-8 8M26 22h84v4H26zM92 26v12" />
        <path className="dimension" d="M92 46V60M86 46h12M86 60h12" />
      </svg>
      <h1>{title}</h1>
      <p>{words}</p>
      <form role="search" action={paths.equipment()} className="row">
        <input className="input" name="name" type="search" aria-label={search} placeholder={search} />
        <button type="submit" className="button">
          {common.search}
        </button>
      </form>
      <nav aria-label={links}>
        <ul className="row">
          {ways.map(([to, label]) => (
            <li key={to}>
              <Link to={to}>{label}</Link>
            </li>
          ))}
        </ul>
      </nav>
      <Link className="button button-primary" to={session.info ? landingOf(roleIn(session)) : paths.home}>
        {session.info ? panel : home}
      </Link>
    </div>
  )
}
