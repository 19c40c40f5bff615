import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { pickCompanies } from '#shared/broadcast/contract.ts'
import { call } from '../app/api.ts'

/** Companies by a part of their name; those chosen keep their names. */
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
  const [words, setWords] = useState('')
  const found = useQuery({
    queryKey: [pickCompanies.url, words, value.join(',')],
    queryFn: () => call(pickCompanies, { query: { keyword: words, ids: value.join(',') } }),
    placeholderData: (before) => before,
  })
  return (
    <Select
      id={id}
      mode="multiple"
      {...(single && { maxCount: 1 })}
      aria-label={label}
      showSearch={{ filterOption: false, onSearch: setWords }}
      value={[...value]}
      options={found.data?.map((company) => ({ value: company.id, label: company.enterpriseName })) ?? []}
      onChange={(ids: number[]) => onChange(ids)}
    />
  )
}
