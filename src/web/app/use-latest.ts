import { useCallback, useEffect, useRef } from 'react'

/** Returns what gives the value of the newest rendering, for what runs later: a timer, an answer, the end of the page. */
export function useLatest<T>(value: T): () => T {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return useCallback(() => latest.current, [])
}
