import { useEffect, useRef } from 'react'
import { useLatest } from './use-latest.ts'

/**
 * Keeps what a visitor types into a public form until it is sent or the tab is closed: a reload, a wrong click or the way to the terms and back
 * loses nothing. `values` must hold no password and no code. Returns a function that forgets them.
 */
export function useTabDraft<V extends Record<string, string>>(name: string, values: V, restore: (stored: Partial<V>) => void): () => void {
  const key = `draft:${name}`
  const latest = useLatest({ values, restore })
  const start = useRef<string | null>(null)
  const typed = JSON.stringify(values)
  useEffect(() => {
    if (start.current === null) {
      start.current = JSON.stringify(latest().values)
      const stored = read(key)
      if (stored) latest().restore(stored as Partial<V>)
    } else write(key, typed === start.current ? null : typed)
  }, [key, typed, latest])
  return () => write(key, null)
}

// A browser that stores nothing keeps the page as it is.
function read(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

function write(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  } catch {
    // See above.
  }
}
