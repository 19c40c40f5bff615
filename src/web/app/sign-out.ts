import { useNavigate } from 'react-router'
import { logout } from '#shared/account/contract.ts'
import { paths } from '#shared/paths.ts'
import { ApiError, call } from './api.ts'
import { clearSession, setLeaving } from './session.ts'
import { useThrottle } from '../ui/throttle.ts'

export function useLogout(): () => void {
  const navigate = useNavigate()
  return useThrottle(() => {
    void call(logout, {}).then(
      () => {
        setLeaving(true)
        clearSession()
        void navigate(paths.home)
      },
      // The client has shown the refusal as a toast. The session stays.
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error
      },
    )
  })
}
