import { getCategoryTree, type CategoryGroup } from '#shared/category/contract.ts'
import { getRegionTree, type RegionNode } from '#shared/region/contract.ts'
import type { Caller } from '../api.ts'

export type Named = { id: number; name: string; nameEn: string }

/** What the filters of a public list need, small enough to travel with the page. */
export async function loadFilters(
  call: Caller,
  query: Record<string, string>,
): Promise<{ provinces: RegionNode[]; cities: RegionNode[]; groups: Named[]; categories: Named[] }> {
  const [provinces, cities, tree] = await Promise.all([
    call(getRegionTree, { query: { level: 1 } }),
    /^\d{6}$/.test(query.provinceId ?? '') ? call(getRegionTree, { query: { parent: Number(query.provinceId) } }) : Promise.resolve([]),
    call(getCategoryTree, {}),
  ])
  const named = ({ id, name, nameEn }: Named): Named => ({ id, name, nameEn })
  return { provinces, cities, groups: tree.map(named), categories: categoriesOf(tree, query) }
}

function categoriesOf(tree: readonly CategoryGroup[], query: Record<string, string>): Named[] {
  const group = tree.find(
    ({ id, children }) => String(id) === query.fatherCategoryId || children.some((child) => String(child.id) === query.categoryId),
  )
  return (group?.children ?? []).map(({ id, name, nameEn }) => ({ id, name, nameEn }))
}
