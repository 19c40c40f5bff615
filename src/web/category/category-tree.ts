import { useEffect } from 'react'
import { getCategoryTree, getCategoryVersion, type Category, type CategoryGroup } from '#shared/category/contract.ts'
import { call } from '../app/api.ts'
import { rememberTypelist } from '../app/session.ts'
import { createStore } from '../ui/store.ts'

const store = createStore<{ tree: CategoryGroup[]; categories: ReadonlyMap<number, Category> }>({ tree: [], categories: new Map() })
let version = ''
let checked = 0

/** How long a tree is taken to be the newest, milliseconds; after that a page that comes to the front checks. */
const freshFor = 60_000

/**
 * Fetched once for each page load and again when its version has changed; kept in local storage as typelist too, for
 * clients that read it there.
 */
async function load(): Promise<void> {
  if (Date.now() - checked < freshFor) return
  checked = Date.now()
  try {
    const now = await call(getCategoryVersion, {}, true)
    if (now === version) return
    const answer = await call(getCategoryTree, {})
    version = now
    store.set({ tree: answer, categories: new Map(answer.flatMap((group) => group.children).map((category) => [category.id, category])) })
    rememberTypelist(
      now,
      answer.map(({ id, name, children }) => ({ id, name, children: children.map((child) => ({ id: child.id, name: child.name })) })),
    )
  } catch {
    // Shown by the call itself; loaded again with the next page.
    checked = 0
  }
}

/** Loads, and checks again whenever the page comes to the front. */
function follow(): () => void {
  const whenSeen = () => {
    if (document.visibilityState === 'visible') void load()
  }
  void load()
  document.addEventListener('visibilitychange', whenSeen)
  return () => document.removeEventListener('visibilitychange', whenSeen)
}

function useCategoryStore() {
  useEffect(follow, [])
  return store.use()
}

export const useCategoryTree = (): CategoryGroup[] => useCategoryStore().tree
export const useCategories = (): ReadonlyMap<number, Category> => useCategoryStore().categories
