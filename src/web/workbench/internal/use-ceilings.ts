import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useWatch, type Control } from 'react-hook-form'
import { lookUpCeilings } from '#shared/ceiling/contract.ts'
import type { Category } from '#shared/category/contract.ts'
import { mainRequirement } from '#shared/demand/rules.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { mainParam } from '#shared/main-param.ts'
import { call } from '../../app/api.ts'
import { useCategories } from '../../category/category-tree.ts'
import type { DemandForm, ItemForm } from '../demand/draft.ts'

/** Returns the value that a line requires of the main parameter, if it is one number. */
function mainRequirementOf(item: ItemForm, categories: ReadonlyMap<number, Category>) {
  const main = item.categoryId === null ? undefined : mainParam(categories.get(item.categoryId)?.params)
  return mainRequirement(main && item.specs[main.key])
}

/** Whether a line has a category and dates. Other lines can neither be matched nor have a ceiling. */
export const isComplete = (item: ItemForm): item is ItemForm & { categoryId: number } =>
  item.categoryId !== null && item.planStart !== '' && item.planEnd > item.planStart

/** What of a complete line decides which machines fit it. */
export const matchedItem = (item: ItemForm & { categoryId: number }, categories: ReadonlyMap<number, Category>) => ({
  categoryId: item.categoryId,
  ...mainRequirementOf(item, categories),
  minEmission: item.minEmission || null,
  planStart: item.planStart,
  planEnd: item.planEnd,
})

/** Asks about what is typed. The answer before stays until the next one is there; `body` false: nothing can be asked yet. */
export const useLookup = <Body, Answer>({ url }: Endpoint, body: Body | false, ask: (body: Body) => Promise<Answer>) =>
  useQuery({
    queryKey: [url, body],
    queryFn: body ? () => ask(body) : skipToken,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })

/** Finds the ceiling of each line in the organisation's list; null if the list has none. */
export function useCeilings<B>(control: Control<DemandForm, unknown, B>): (string | null)[] {
  const categories = useCategories()
  const [deptId, provinceId, operatorBy, fuelBy, items] = useWatch({
    control,
    name: ['deptId', 'provinceId', 'operatorBy', 'fuelBy', 'items'],
  })
  const whole = items.filter(isComplete)
  const body = whole.length > 0 &&
    deptId !== null &&
    provinceId !== null && {
      deptId,
      provinceId,
      operatorBy,
      fuelBy,
      items: whole.map((item) => ({
        categoryId: item.categoryId,
        mainValue: mainRequirementOf(item, categories).mainValue,
        rentUnit: item.rentUnit,
        shiftMode: item.shiftMode,
        planStart: item.planStart,
        planEnd: item.planEnd,
      })),
    }
  const found = useLookup(lookUpCeilings, body, (asked) => call(lookUpCeilings, { body: asked }, true))
  return items.map((item) => (isComplete(item) ? (found.data?.[whole.indexOf(item)] ?? null) : null))
}
