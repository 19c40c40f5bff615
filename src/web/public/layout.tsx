import { Outlet } from 'react-router'
import { CompareBar } from '../equipment/compare-basket.tsx'
import { RouteProblem } from '../app/route-problem.tsx'
import { PublicFrame } from '../app/shell.tsx'

export default function DefaultLayout() {
  return (
    <PublicFrame bar={<CompareBar />}>
      <Outlet />
    </PublicFrame>
  )
}

export function ErrorBoundary() {
  return (
    <PublicFrame>
      <div className="wrap page">
        <RouteProblem />
      </div>
    </PublicFrame>
  )
}
