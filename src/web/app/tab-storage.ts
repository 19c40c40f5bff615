// What this tab stores until it is closed. A browser may refuse to store, and then the page goes on without it.

/** Reads a stored value; undefined where nothing readable is there. */
export function readTab(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '') as unknown
  } catch {
    return undefined
  }
}

/** Stores a value, or forgets it where it is undefined; false if the browser refuses to. */
export function writeTab(key: string, value: unknown): boolean {
  try {
    if (value === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}
