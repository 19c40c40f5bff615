import { useSyncExternalStore } from 'react'

/** Holds a value outside of components. On the server and during hydration, `use` returns the initial value. */
export function createStore<Value>(initial: Value) {
  let value = initial
  const listeners = new Set<() => void>()
  const get = () => value
  const set = (next: Value) => {
    value = next
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const use = () => useSyncExternalStore(subscribe, get, () => initial)
  return { get, set, use, subscribe }
}
