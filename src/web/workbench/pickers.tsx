import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useMemo, useState } from 'react'
import { listSuppliers } from '#shared/company/contract.ts'
import { call } from '../app/api.ts'
import { named } from '../app/format.ts'
import { useCategoryTree } from '../category/category-tree.ts'
import { useText } from '../app/text.tsx'

/** Finds a category by its name, its common names and, in English, its English name. */
export function CategoryPicker({
  id,
  value,
  onChange,
  invalid,
}: {
  id: string
  value: number | null
  onChange: (categoryId: number, fatherCategoryId: number) => void
  invalid: boolean
}) {
  const text = useText()
  const tree = useCategoryTree()
  const options = useMemo(
    () =>
      tree.map((group) => ({
        label: named(text, group),
        title: group.name,
        options: group.children.map((category) => ({
          value: category.id,
          label: named(text, category),
          father: group.id,
          words: `${category.name} ${category.alias.join(' ')} ${category.nameEn}`.toLowerCase(),
        })),
      })),
    [tree, text],
  )
  return (
    <Select
      id={id}
      showSearch={{
        filterOption: (input, option) => ((option as { words?: string } | undefined)?.words ?? '').includes(input.toLowerCase()),
      }}
      value={value}
      placeholder={text.demand.form.categoryHint}
      aria-label={text.demand.form.category}
      options={options}
      {...(invalid && { status: 'error' as const })}
      onChange={(categoryId: number) => {
        const father = tree.find((group) => group.children.some((child) => child.id === categoryId))
        if (father) onChange(categoryId, father.id)
      }}
    />
  )
}

type Company = { value: number; label: string }

export function CompanyPicker({ id, value, onChange }: { id: string; value: Company[]; onChange: (companies: Company[]) => void }) {
  const text = useText()
  const [words, setWords] = useState('')
  const found = useQuery({
    queryKey: [listSuppliers.url, words],
    queryFn: () => call(listSuppliers, { query: { enterpriseName: words, pageSize: 20 } }),
  })
  return (
    <Select
      id={id}
      mode="multiple"
      labelInValue
      showSearch={{ filterOption: false, onSearch: setWords }}
      value={value}
      placeholder={text.demand.form.inviteHint}
      aria-label={text.demand.form.invite}
      options={found.data?.rows.map((company) => ({ value: company.id, label: company.enterpriseName })) ?? []}
      onChange={(companies: Company[]) => onChange(companies.map(({ value: companyId, label }) => ({ value: companyId, label })))}
    />
  )
}
