import { useQuery } from '@tanstack/react-query'
import { lookUpCeilings } from '#shared/ceiling/contract.ts'
import type { Category } from '#shared/category/contract.ts'
import { call } from '../app/api.ts'
import type { DemandForm, ItemForm } from './draft.ts'

/** The main parameter that a line asks for, where it is one number. */
export function mainOf(item: ItemForm, categories: ReadonlyMap<number, Category>) {
  const main = item.categoryId === null ? undefined : categories.get(item.categoryId)?.params.find((param) => param.main)
  const spec = main ? item.specs[main.key] : undefined
  const fixed = spec && spec.rule !== 'in' && spec.value.trim() !== '' && Number.isFinite(Number(spec.value))
  return { mainRule: fixed ? spec.rule : null, mainValue: fixed ? Number(spec.value) : null }
}

/** Lines that say what, and when: only these can be matched or have a ceiling. */
export const isWhole = (item: ItemForm) => item.categoryId !== null && item.planStart !== '' && item.planEnd > item.planStart

/** What the organisation's list of ceilings says for each line; null where it says nothing. */
export function useCeilings(values: DemandForm, categories: ReadonlyMap<number, Category>): (string | null)[] {
  const whole = values.items.filter(isWhole)
  const body = {
    deptId: values.deptId,
    provinceId: values.provinceId,
    operatorBy: values.operatorBy,
    fuelBy: values.fuelBy,
    items: whole.map((item) => ({
      categoryId: item.categoryId,
      mainValue: mainOf(item, categories).mainValue,
      rentUnit: item.rentUnit,
      shiftMode: item.shiftMode,
      planStart: item.planStart,
      planEnd: item.planEnd,
    })),
  }
  const found = useQuery({
    queryKey: [lookUpCeilings.url, body],
    queryFn: () => call(lookUpCeilings, { body: body as never }, true),
    enabled: whole.length > 0 && values.deptId !== null && values.provinceId !== null,
    staleTime: 60_000,
    placeholderData: (before) => before,
  })
  return values.items.map((item) => (isWhole(item) ? (found.data?.[whole.indexOf(item)] ?? null) : null))
}
