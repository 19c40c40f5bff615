import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answered } from '#shared/endpoint.ts'
import { listPickablePeople, type personnelTypes } from '#shared/person/contract.ts'
import { comma } from '#shared/text/punctuation.ts'
import { call } from '../app/api.ts'
import { Loaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SearchInput } from '../ui/form-fields.tsx'
import { Empty } from '../ui/parts.tsx'
import './people-picker.css'

const pageSize = 5

export type PickedPerson = Answered<typeof listPickablePeople>['rows'][number]

/** `contractId`: only those who may be named for that contract. `besideId`: the person for whom a colleague is picked. */
type PickerProps = {
  type: (typeof personnelTypes)[number]
  contractId?: number | undefined
  besideId?: number | undefined
  onPick: (person: PickedPerson) => void
}

/**
 * A button beside a field for a person's name: it opens the people of the own organisation, and `onPick` gets the chosen one. `about` names the
 * field to screen readers where several pickers stand together.
 */
export function PeoplePicker({ about, onPick, ...filter }: PickerProps & { about?: string }) {
  const text = useText()
  const words = text.organization.picker
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="link" onClick={() => setOpen(true)}>
        {words.pick}
        {about && <span className="visually-hidden">: {about}</span>}
      </button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={words.pick} closeLabel={text.site.action.close}>
        <PeopleList
          {...filter}
          onPick={(person) => {
            setOpen(false)
            onPick(person)
          }}
        />
      </Dialog>
    </>
  )
}

function PeopleList({ type, contractId, besideId, onPick }: PickerProps) {
  const text = useText()
  const words = text.organization.picker
  const [typed, setTyped] = useState('')
  const [pageNum, setPageNum] = useState(1)
  const query = { type, name: typed.trim(), pageNum, pageSize, ...(contractId && { contractId }), ...(besideId && { besideId }) }
  const found = useQuery({
    queryKey: [listPickablePeople.url, query],
    queryFn: () => call(listPickablePeople, { query }),
    placeholderData: (before) => before,
  })
  const last = Math.max(1, Math.ceil((found.data?.total ?? 0) / pageSize))
  const turn = (label: string, to: number) => (
    <button type="button" className="link" disabled={to < 1 || to > last} onClick={() => setPageNum(to)}>
      {label}
    </button>
  )
  return (
    <>
      <SearchInput
        label={words.search}
        value={typed}
        onChange={(name) => {
          setTyped(name)
          setPageNum(1)
        }}
      />
      <Loaded query={found} rows={pageSize}>
        {({ rows, total }) =>
          rows.length === 0 ? (
            <Empty title={words.none} />
          ) : (
            <>
              <ul className="settings">
                {rows.map((person) => (
                  <li key={person.userId}>
                    <button type="button" className="person-option" onClick={() => onPick(person)}>
                      <strong>{person.name}</strong>
                      <span className="num">{person.phonenumber}</span>
                      <span className="small soft">{person.deptNames.join(comma(text))}</span>
                    </button>
                  </li>
                ))}
              </ul>
              <p className="row between small">
                <span className="soft">{text.site.common.total(total)}</span>
                {last > 1 && (
                  <span className="row gap-8">
                    {turn(text.site.common.previous, pageNum - 1)}
                    <span className="num">
                      {pageNum} / {last}
                    </span>
                    {turn(text.site.common.next, pageNum + 1)}
                  </span>
                )}
              </p>
            </>
          )
        }
      </Loaded>
    </>
  )
}
