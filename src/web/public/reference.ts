import { getCategoryTree, type Category, type CategoryGroup } from '#shared/category/contract.ts'
import { getRegionTree, type RegionNode } from '#shared/region/contract.ts'
import type { Caller } from '../app/api.ts'

export type Param = Category['params'][number]
export type NamedReference = { id: number; name: string; nameEn: string }

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
  /** The numeric parameters of the chosen category, the main one first. */
  params: Param[]
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
  return { provinces, cities, nearCities, groups: tree.map(named), categories: categoriesOf(tree, query), params }
}

function categoriesOf(tree: readonly CategoryGroup[], query: Record<string, string>): NamedReference[] {
  const group = tree.find(
    ({ id, children }) => String(id) === query.fatherCategoryId || children.some((child) => String(child.id) === query.categoryId),
  )
  return (group?.children ?? []).map(({ id, name, nameEn }) => ({ id, name, nameEn }))
}
