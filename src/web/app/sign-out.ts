import { useNavigate } from 'react-router'
import { logout } from '#shared/account/contract.ts'
import { paths } from '#shared/paths.ts'
import { ApiError, call } from './api.ts'
import { mayLeaveFor } from './leave-guards.ts'
import { clearSession, setLeaving } from './session.ts'
import { useThrottle } from '../ui/throttle.ts'

export function useLogout(): () => void {
  const navigate = useNavigate()
  return useThrottle(() => void signOut((to) => void navigate(to), paths.home))
}

/**
 * Ends the session on the server and then here, and goes to the target. A page whose content would be lost asks before that. A refusal, which the
 * client shows as a toast, leaves everything as it was.
 */
export async function signOut(goTo: (path: string) => void, target: string): Promise<void> {
  if (!(await mayLeaveFor(target))) return
  try {
    await call(logout, {})
  } catch (error) {
    if (error instanceof ApiError) return
    throw error
  }
  setLeaving(true)
  clearSession()
  goTo(target)
}
