import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { listLessors } from '#shared/company/contract.ts'
import { mainSizeIn } from '#shared/search/size.ts'
import { call } from '../app/api.ts'
import { named } from '../app/format.ts'
import { UnloadedOptions } from '../app/list-frame.tsx'
import { useCategoryQuery } from './category-tree.ts'
import { useText } from '../app/text.tsx'
import { Combobox, MultiCombobox } from '../ui/combobox.tsx'

/** Picks a category. It is found by its name, its aliases and, on an English page, its English name. */
export function CategoryPicker({
  id,
  value,
  onChange,
  invalid,
}: {
  id: string
  value: number | null
  /** `size`: its main parameter, where the search held it; otherwise empty. */
  onChange: (categoryId: number, fatherCategoryId: number, size: string) => void
  invalid: boolean
}) {
  const text = useText()
  const categories = useCategoryQuery()
  const { data: tree } = categories
  const options = useMemo(
    () =>
      (tree ?? []).flatMap((group) =>
        group.children.map((category) => ({
          value: category.id,
          label: named(text, category),
          group: named(text, group),
          words: `${category.name} ${category.alias.join(' ')} ${category.nameEn}`.toLowerCase(),
        })),
      ),
    [tree, text],
  )
  return (
    <>
      <Combobox
        id={id}
        label={text.demand.form.category}
        placeholder={text.demand.form.categoryHint}
        none={tree ? text.site.common.empty : categories.isError ? text.site.common.failed : text.site.common.loading}
        invalid={invalid}
        value={value}
        options={options}
        onChange={(categoryId, typed) => {
          const father = tree?.find((group) => group.children.some((child) => child.id === categoryId))
          const category = father?.children.find((child) => child.id === categoryId)
          if (father && category) onChange(categoryId, father.id, String(mainSizeIn(typed, category) ?? ''))
        }}
      />
      <UnloadedOptions queries={[categories]} />
    </>
  )
}

type Company = { value: number; label: string }

/** Picks certified lessors by their names. `label` names the field to screen readers; without it the field invites lessors. */
export function CompanyPicker({
  id,
  label,
  invalid = false,
  value,
  onChange,
}: {
  id: string
  label?: string
  invalid?: boolean
  value: Company[]
  onChange: (companies: Company[]) => void
}) {
  const text = useText()
  const [typed, setTyped] = useState('')
  const found = useQuery({
    queryKey: [listLessors.url, typed],
    queryFn: () => call(listLessors, { query: { enterpriseName: typed, pageSize: 20 } }),
    placeholderData: (before) => before,
  })
  return (
    <MultiCombobox
      id={id}
      label={label ?? text.demand.form.invite}
      placeholder={text.demand.form.inviteHint}
      none={found.isError ? text.site.common.failed : text.site.common.empty}
      invalid={invalid}
      remove={text.site.common.delete}
      values={value}
      options={found.data?.rows.map((company) => ({ value: company.id, label: company.enterpriseName })) ?? []}
      onSearch={setTyped}
      onChange={(companies) => onChange(companies.map(({ value: companyId, label: name }) => ({ value: companyId, label: name })))}
    />
  )
}
