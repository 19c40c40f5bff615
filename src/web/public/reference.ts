import { redirect } from 'react-router'
import { getCategoryTree, type Category, type CategoryGroup } from '#shared/category/contract.ts'
import { getRegionTree, type RegionNode } from '#shared/region/contract.ts'
import { understandSearch, type UnderstoodPart } from '#shared/search/contract.ts'
import type { Caller } from '../app/api.ts'
import { filtersOf } from '../app/visit.ts'
import { categoriesOf, type Categories } from '../equipment/machine-row.ts'

export type Param = Category['params'][number]
export type NamedReference = { id: number; name: string; nameEn: string }

/**
 * Sends an address with empty filters or a stray city, which a form without a script makes, to the address without them. For loaders of the server.
 */
export function refuseEmptyFilters(request: Request): void {
  const { pathname, searchParams } = new URL(request.url)
  const filled = new URLSearchParams(filtersOf(searchParams))
  if ([...searchParams.keys()].every((name) => filled.has(name))) return
  throw redirect(filled.size > 0 ? `${pathname}?${filled}` : pathname)
}

/** The parts that the words of a list's search are understood as; none without words. */
export const loadUnderstood = (call: Caller, words: string | undefined): Promise<UnderstoodPart[]> =>
  words?.trim() ? call(understandSearch, { query: { keyword: words.trim().slice(0, 40) } }) : Promise.resolve([])

/** The choices of the filters of a public list, reduced because the page carries them. */
export async function loadFilters(
  call: Caller,
  query: Record<string, string>,
): Promise<{
  provinces: RegionNode[]
  cities: RegionNode[]
  nearCities: RegionNode[]
  groups: NamedReference[]
  categories: NamedReference[]
  /** Of the categories. */
  groupId: number | null
  /** The numeric parameters of the chosen category, the main one first. */
  params: Param[]
  /** Of the rows, not of the filters: they stay on the server. */
  tree: Categories
}> {
  const citiesOf = (province: string | undefined) =>
    /^\d{6}$/.test(province ?? '') ? call(getRegionTree, { query: { parent: Number(province) } }) : Promise.resolve([])
  const [provinces, cities, nearCities, tree] = await Promise.all([
    call(getRegionTree, { query: { level: 1 } }),
    citiesOf(query.provinceId),
    citiesOf(query.nearProvinceId),
    call(getCategoryTree, {}),
  ])
  const chosen = tree.flatMap(({ children }) => children).find(({ id }) => String(id) === query.categoryId)
  const named = ({ id, name, nameEn }: NamedReference): NamedReference => ({ id, name, nameEn })
  const params = (chosen?.params ?? [])
    .filter(({ type }) => type === 'number')
    .toSorted((a, b) => Number(b.main) - Number(a.main))
    .slice(0, 4)
  return {
    provinces,
    cities,
    nearCities,
    groups: tree.map(named),
    ...categoriesBeside(tree, query),
    params,
    tree: categoriesOf(tree),
  }
}

function categoriesBeside(
  tree: readonly CategoryGroup[],
  query: Record<string, string>,
): { categories: NamedReference[]; groupId: number | null } {
  const group = tree.find(
    ({ id, children }) => String(id) === query.fatherCategoryId || children.some((child) => String(child.id) === query.categoryId),
  )
  return { categories: (group?.children ?? []).map(({ id, name, nameEn }) => ({ id, name, nameEn })), groupId: group?.id ?? null }
}
