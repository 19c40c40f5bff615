import { Outlet } from 'react-router'
import { CompareBar } from '../compare-basket.tsx'
import { SiteFooter, SiteHeader } from '../shell.tsx'

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
