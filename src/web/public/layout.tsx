import { Outlet } from 'react-router'
import { SiteFooter, SiteHeader } from '../shell.tsx'

export default function DefaultLayout() {
  return (
    <>
      <SiteHeader />
      <main id="main">
        <Outlet />
      </main>
      <SiteFooter />
    </>
  )
}
