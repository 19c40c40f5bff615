import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pickCompanies } from '#shared/broadcast/contract.ts'
import { call } from '../app/api.ts'
import { useText } from '../app/text.tsx'
import { MultiCombobox } from '../ui/combobox.tsx'

/** Picks companies by a part of their name. The list holds the names of those that are chosen, because the form stores ids only. */
export function CompanyPick({
  id,
  label,
  value,
  onChange,
  single = false,
}: {
  id: string
  label: string
  value: readonly number[]
  onChange: (ids: number[]) => void
  single?: boolean
}) {
  const {
    site: { common },
    admin: { broadcasts },
  } = useText()
  const [typed, setTyped] = useState('')
  const found = useQuery({
    queryKey: [pickCompanies.url, typed, value.join(',')],
    queryFn: () => call(pickCompanies, { query: { keyword: typed, ids: value.join(',') } }),
    placeholderData: (before) => before,
  })
  const options = found.data?.map((company) => ({ value: company.id, label: company.enterpriseName })) ?? []
  return (
    <MultiCombobox
      id={id}
      label={label}
      placeholder={broadcasts.companiesHint}
      none={found.isError ? common.failed : common.empty}
      remove={common.delete}
      {...(single && { max: 1 })}
      values={value.map(
        (companyId) => options.find((option) => option.value === companyId) ?? { value: companyId, label: String(companyId) },
      )}
      options={options}
      onSearch={setTyped}
      onChange={(companies) => onChange(companies.map((company) => company.value))}
    />
  )
}
