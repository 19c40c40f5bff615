import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { pickAuditedCompanies, pickCompanies } from '#shared/broadcast/contract.ts'
import { call } from '../app/api.ts'
import { useText } from '../app/text.tsx'
import { MultiCombobox } from '../ui/combobox.tsx'

/**
 * Picks companies by a part of their name, with the call that lists those to choose from. The list holds the names of those that are chosen, because the
 * form stores ids only.
 */
export function CompanyPick({
  id,
  pick,
  label,
  value,
  onChange,
  single = false,
}: {
  id: string
  pick: typeof pickCompanies | typeof pickAuditedCompanies
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
    queryKey: [pick.url, typed, value.join(',')],
    queryFn: () => call(pick, { query: { keyword: typed, ids: value.join(',') } }),
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
