import { Outlet } from 'react-router'
import { CompareBar } from '../equipment/compare-basket.tsx'
import { SiteFooter, SiteHeader } from '../app/shell.tsx'

export default function DefaultLayout() {
  return (
    <>
      <SiteHeader />
      <main id="main">
        <Outlet />
      </main>
      <CompareBar />
      <SiteFooter />
    </>
  )
}
