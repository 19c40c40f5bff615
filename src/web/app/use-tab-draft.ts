import { useEffect, useRef } from 'react'
import { readTab, writeTab } from './tab-storage.ts'
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
      const stored = readTab(key)
      if (stored) latest().restore(stored as Partial<V>)
    } else writeTab(key, typed === start.current ? undefined : latest().values)
  }, [key, typed, latest])
  return () => void writeTab(key, undefined)
}
