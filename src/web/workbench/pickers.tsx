import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useMemo, useState } from 'react'
import { listSuppliers } from '#shared/company/contract.ts'
import { getRegionTree } from '#shared/region/contract.ts'
import { call } from '../api.ts'
import { named } from '../format.ts'
import { useCategoryTree } from '../reference.ts'
import { useText } from '../text.tsx'
import { Field } from '../ui/parts.tsx'

/** Finds a category by its name, its common names (挖机, 塔吊) and, in English, its English name. */
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

type Place = { provinceId: number | null; cityId: number | null; districtId: number | null }

/** Province, city, district: each choice fetches the next level. */
export function PlacePicker({ value, onChange, error }: { value: Place; onChange: (place: Place) => void; error?: string | undefined }) {
  const text = useText()
  const level = (parent: number | null, first = false) => ({
    queryKey: [getRegionTree.url, first ? 'provinces' : parent],
    queryFn: () => call(getRegionTree, { query: first ? { level: 1 } : { parent: parent ?? 0 } }),
    enabled: first || parent !== null,
    staleTime: Infinity,
  })
  const provinces = useQuery(level(null, true))
  const cities = useQuery(level(value.provinceId))
  const districts = useQuery(level(value.cityId))
  const choose = (event: { target: { value: string } }) => (event.target.value ? Number(event.target.value) : null)
  const parts = [
    {
      label: text.site.common.province,
      options: provinces.data,
      current: value.provinceId,
      required: true,
      set: (code: number | null) => onChange({ provinceId: code, cityId: null, districtId: null }),
    },
    {
      label: text.site.common.city,
      options: value.provinceId ? cities.data : [],
      current: value.cityId,
      required: true,
      set: (code: number | null) => onChange({ ...value, cityId: code, districtId: null }),
    },
    {
      label: text.site.common.district,
      options: value.cityId ? districts.data : [],
      current: value.districtId,
      required: false,
      set: (code: number | null) => onChange({ ...value, districtId: code }),
    },
  ]
  return (
    <>
      {parts.map(({ label, options, current, required, set }, index) => (
        <Field key={label} label={label} required={required} error={index === 1 ? error : undefined}>
          {(control) => (
            <select {...control} className="select" value={current ?? ''} onChange={(event) => set(choose(event))}>
              <option value="" />
              {options?.map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      ))}
    </>
  )
}
