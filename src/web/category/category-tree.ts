import { useEffect } from 'react'
import { getCategoryTree, getCategoryVersion, type Category, type CategoryGroup } from '#shared/category/contract.ts'
import { call } from '../app/api.ts'
import { rememberTypelist } from '../app/session.ts'
import { createStore } from '../ui/store.ts'

const store = createStore<{ tree: CategoryGroup[]; categories: ReadonlyMap<number, Category> }>({ tree: [], categories: new Map() })
let version = ''
let checked = 0

/** Milliseconds for which a tree counts as current. After that, a page that comes to the front checks its version. */
const freshFor = 60_000

/**
 * The categories. They are fetched once for each page load and again when their version has changed. They are also written to local storage as
 * `typelist`, which the specification names.
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
    // The call has shown the failure; the next page loads them again.
    checked = 0
  }
}

/** Loads the categories and checks their version whenever the page comes to the front. */
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
