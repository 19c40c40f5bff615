import { useSyncExternalStore } from 'react'
import { getCategoryTree, getCategoryVersion, type Category, type CategoryGroup } from '#shared/category/contract.ts'
import { call } from '../app/api.ts'
import { rememberTypelist } from '../app/session.ts'

let tree: CategoryGroup[] = []
let categories: ReadonlyMap<number, Category> = new Map()
let version = ''
let checked = 0
const listeners = new Set<() => void>()

/** How long a tree is taken to be the newest, milliseconds; after that a page that comes to the front asks. */
const freshFor = 60_000

/**
 * Fetched once for each page load and again when its version has changed; kept in local storage as typelist too, for
 * clients that read it there.
 */
async function ask(): Promise<void> {
  if (Date.now() - checked < freshFor) return
  checked = Date.now()
  try {
    const now = await call(getCategoryVersion, {}, true)
    if (now === version) return
    const answer = await call(getCategoryTree, {})
    version = now
    tree = answer
    categories = new Map(answer.flatMap((group) => group.children).map((category) => [category.id, category]))
    rememberTypelist(
      now,
      answer.map(({ id, name, children }) => ({ id, name, children: children.map((child) => ({ id: child.id, name: child.name })) })),
    )
    for (const listener of listeners) listener()
  } catch {
    // Shown by the call itself; asked again with the next page.
    checked = 0
  }
}

const whenSeen = () => {
  if (document.visibilityState === 'visible') void ask()
}

const subscribe = (listener: () => void) => {
  if (listeners.size === 0) document.addEventListener('visibilitychange', whenSeen)
  listeners.add(listener)
  void ask()
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) document.removeEventListener('visibilitychange', whenSeen)
  }
}
const noTree: CategoryGroup[] = []
const noCategories: ReadonlyMap<number, Category> = new Map()

export const useCategoryTree = (): CategoryGroup[] =>
  useSyncExternalStore(
    subscribe,
    () => tree,
    () => noTree,
  )
export const useCategories = (): ReadonlyMap<number, Category> =>
  useSyncExternalStore(
    subscribe,
    () => categories,
    () => noCategories,
  )
