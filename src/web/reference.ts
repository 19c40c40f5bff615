import { useSyncExternalStore } from 'react'
import { getCategoryTree, type Category, type CategoryGroup } from '#shared/category/contract.ts'
import { call } from './api.ts'
import { rememberTypelist } from './session.ts'

let tree: CategoryGroup[] = []
let categories: ReadonlyMap<number, Category> = new Map()
let asked = false
const listeners = new Set<() => void>()

/** Fetched once for each page load; kept in local storage as typelist too, for clients that read it there. */
function ask(): void {
  if (asked) return
  asked = true
  call(getCategoryTree, {}).then(
    (answer) => {
      tree = answer
      categories = new Map(answer.flatMap((group) => group.children).map((category) => [category.id, category]))
      rememberTypelist(
        '1',
        answer.map(({ id, name, children }) => ({ id, name, children: children.map((child) => ({ id: child.id, name: child.name })) })),
      )
      for (const listener of listeners) listener()
    },
    () => {
      asked = false
    },
  )
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  ask()
  return () => listeners.delete(listener)
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
