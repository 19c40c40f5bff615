import { paths } from '#shared/paths.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Head } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

/** The page for an unknown address: a drawing, two sentences and a link home. */
export function NotFound() {
  const text = useText()
  const name = useSiteName()
  const { title, text: words, home } = text.site.notFound
  return (
    <main className="wrap page" id="main">
      <Head title={title} site={name} index={false} />
      <div className="empty">
        <svg viewBox="0 0 160 72" aria-hidden="true">
          <path d="M12 60H148M36 60V22M44 60V22M36 22l4-10 4 10M36 34l8 8M44 34l-8 8M26 22h84v4H26zM92 26v12" />
          <path className="dimension" d="M92 46V60M86 46h12M86 60h12" />
        </svg>
        <h1>{title}</h1>
        <p>{words}</p>
        <Link className="button button-primary" to={paths.home}>
          {home}
        </Link>
      </div>
    </main>
  )
}

export default NotFound
