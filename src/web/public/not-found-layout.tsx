import { Outlet } from 'react-router'
import { PublicFrame } from '../app/shell.tsx'

export default function NotFoundLayout() {
  return (
    <PublicFrame>
      <Outlet />
    </PublicFrame>
  )
}
