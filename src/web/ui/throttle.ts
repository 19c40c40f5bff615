import { useCallback, useRef } from 'react'

/** Ignores repeated clicks within `ms` (specification 9: 1000 by default). */
export function useThrottle<A extends unknown[]>(run: (...args: A) => void, ms = 1000): (...args: A) => void {
  const last = useRef(-Infinity)
  return useCallback(
    (...args: A) => {
      const now = performance.now()
      if (now - last.current < ms) return
      last.current = now
      run(...args)
    },
    [run, ms],
  )
}
