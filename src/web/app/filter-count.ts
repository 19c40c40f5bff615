import { useEffect, useRef, useState } from 'react'
import { ApiError } from './api.ts'

/** How many rows a list has; `capped`: it has more. */
export type Count = { total: number; capped?: boolean | undefined }

/** Milliseconds after the last key. */
const pauseMs = 300

/**
 * Counts what filters would find that are typed and not sent yet, a moment after the last key. `found` is undefined until then, where the server
 * gives no count, and once the list itself has other filters (`search`).
 */
export function useFilterCount(search: string, count: ((filters: URLSearchParams) => Promise<Count>) | undefined) {
  const [found, setFound] = useState<Count & { search: string }>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(0)
  const forget = () => {
    clearTimeout(timer.current)
    latest.current++
    setFound(undefined)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const ask = (filters: URLSearchParams) => {
    if (!count) return
    clearTimeout(timer.current)
    const round = ++latest.current
    const show = (answer: Count | undefined) => {
      if (round === latest.current) setFound(answer && { ...answer, search })
    }
    timer.current = setTimeout(() => {
      count(filters).then(show, (problem: unknown) => {
        if (!(problem instanceof ApiError)) throw problem
        show(undefined)
      })
    }, pauseMs)
  }
  return { found: found?.search === search ? found : undefined, ask, forget }
}
