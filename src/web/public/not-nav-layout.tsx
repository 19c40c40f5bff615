import { Outlet } from 'react-router'
import { paths } from '#shared/paths.ts'
import { useSiteName } from '../app/site.ts'
import { Link } from '../ui/link.tsx'

/** The layout of texts to read and print: the name of the site and no navigation. */
export default function NotNavLayout() {
  const name = useSiteName()
  return (
    <>
      <header className="site-header">
        <div className="wrap">
          <Link className="brand" to={paths.home}>
            <img src="/favicon.svg" alt="" width="36" height="36" />
            {name}
          </Link>
        </div>
      </header>
      <main id="main" className="wrap page">
        <Outlet />
      </main>
    </>
  )
}
