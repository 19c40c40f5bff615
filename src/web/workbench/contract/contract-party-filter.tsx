import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { listContractParties } from '#shared/contract/contract.ts'
import { call } from '../../app/api.ts'
import { useText } from '../../app/text.tsx'
import { MultiCombobox } from '../../ui/combobox.tsx'
import { Field } from '../../ui/parts.tsx'

/** Filters a list of contracts by the company on the other side: one of those that there are contracts with. A choice filters at once. */
export function PartyFilter({ label, value }: { label: string; value: string | undefined }) {
  const text = useText()
  const { common } = text.site
  const [typed, setTyped] = useState('')
  const chosen = value ?? ''
  const input = useRef<HTMLInputElement>(null)
  const found = useQuery({
    queryKey: [listContractParties.url, typed, chosen],
    queryFn: () => call(listContractParties, { query: { keyword: typed, companyId: chosen } }),
    placeholderData: (before) => before,
  })
  const options = (found.data ?? []).map(({ companyId, companyName }) => ({ value: companyId, label: companyName }))
  const current = options.filter((option) => String(option.value) === chosen)
  const choose = (next: string) => {
    if (!input.current) return
    input.current.value = next
    input.current.form?.requestSubmit()
  }
  return (
    <Field label={label} className="wide">
      {({ id }) => (
        <>
          <MultiCombobox
            id={id}
            label={label}
            placeholder={text.contract.pages.partyHint}
            none={found.isError ? common.failed : common.empty}
            remove={common.delete}
            max={1}
            values={current}
            options={options}
            onSearch={setTyped}
            onChange={(parties) => choose(parties.map((party) => String(party.value)).join(''))}
          />
          <input ref={input} type="hidden" name="companyId" defaultValue={chosen} />
        </>
      )}
    </Field>
  )
}
