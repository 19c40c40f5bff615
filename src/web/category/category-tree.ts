import { useEffect } from 'react'
import { getCategoryTree, getCategoryVersion, type Category, type CategoryGroup } from '#shared/category/contract.ts'
import { call } from '../app/api.ts'
import { rememberTypelist } from '../app/session.ts'
import { createStore } from '../ui/store.ts'

const store = createStore<{ tree: CategoryGroup[]; categories: ReadonlyMap<number, Category>; failure: Error | null }>({
  tree: [],
  categories: new Map(),
  failure: null,
})
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
    if (now === version) {
      if (store.get().failure) store.set({ ...store.get(), failure: null })
      return
    }
    const answer = await call(getCategoryTree, {})
    version = now
    store.set({
      tree: answer,
      categories: new Map(answer.flatMap((group) => group.children).map((category) => [category.id, category])),
      failure: null,
    })
    rememberTypelist(
      now,
      answer.map(({ id, name, children }) => ({ id, name, children: children.map((child) => ({ id: child.id, name: child.name })) })),
    )
  } catch (error) {
    // A page that needs them says so and offers to try again; the next page loads them again anyway.
    checked = 0
    store.set({ ...store.get(), failure: error instanceof Error ? error : new Error(String(error)) })
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

/** The categories as an answer that can be loading or have failed, for a page that cannot do without them. */
export function useCategoryQuery() {
  const { tree, failure } = useCategoryStore()
  return {
    data: tree.length > 0 ? tree : undefined,
    isError: failure !== null,
    error: failure,
    fetchStatus: 'fetching' as const,
    refetch: load,
  }
}
