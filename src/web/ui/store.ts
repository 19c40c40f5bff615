import { useSyncExternalStore } from 'react'

/** Holds a value outside of components. On the server and during hydration, `use` returns the initial value. A listener is given the value of before. */
export function createStore<Value>(initial: Value) {
  let value = initial
  const listeners = new Set<(before: Value) => void>()
  const get = () => value
  const set = (next: Value) => {
    const before = value
    value = next
    for (const listener of listeners) listener(before)
  }
  const subscribe = (listener: (before: Value) => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const use = () => useSyncExternalStore(subscribe, get, () => initial)
  return { get, set, use, subscribe }
}
