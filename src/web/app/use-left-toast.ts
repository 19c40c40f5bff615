import { useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { toast } from '../ui/toast.tsx'
import { useText } from './text.tsx'
import { useLatest } from './use-latest.ts'

/**
 * Returns what says that the text of a form that was left is still there, and leads back. `address` is that of the form, from the one it had;
 * `ready` resolves once it may be opened again.
 */
export function useLeftToast() {
  const { draft: words } = useText().site
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const latest = useLatest({ words, navigate, current: pathname + search })
  return useCallback(
    (address = (current: string) => current, ready: () => Promise<unknown> = () => Promise.resolve()) => {
      const { words: said, navigate: go, current } = latest()
      // Where the page has put something else in the place of the form, there is no way back.
      if (address(current) === location.pathname + location.search) return
      toast('info', said.left, { label: said.goOn, run: () => void ready().then(() => go(address(current))) })
    },
    [latest],
  )
}
