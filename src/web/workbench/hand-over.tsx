import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { handOverTasks, listTasksOf } from '#shared/contract/tasks.ts'
import { paths } from '#shared/paths.ts'
import type { Person } from '#shared/person/contract.ts'
import { ApiError, call } from '../app/api.ts'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { comma } from '../app/format.ts'
import { Loaded } from '../app/list-frame.tsx'
import { invalidate } from '../app/queries.ts'
import { useText } from '../app/text.tsx'
import { PeoplePicker, type PickedPerson } from '../person/people-picker.tsx'
import { Link } from '../ui/link.tsx'
import { toast } from '../ui/toast.tsx'

/** The tasks of a person in contracts that have not ended, and one press that names a colleague for all of them. */
export function HandOverDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const text = useText()
  const words = text.contract.pages.handOver
  const params = { id: person.userId }
  const [colleague, setColleague] = useState<PickedPerson | null>(null)
  const [error, setError] = useState<string>()
  const found = useQuery({ queryKey: [listTasksOf.url, person.userId], queryFn: () => call(listTasksOf, { params }) })
  const save = useMutation({
    mutationFn: (toAccountId: number) => call(handOverTasks, { params, body: { toAccountId } }),
    onSuccess: ({ contracts }) => {
      toast('success', words.done(contracts))
      onClose()
      return invalidate(listTasksOf)
    },
    onError: (problem) => {
      if (!(problem instanceof ApiError)) throw problem
      setError(problem.fields[0]?.message)
    },
  })
  const isIdle = !found.data || found.data.length === 0
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.action}
      kind="info"
      action={words.action}
      busy={save.isPending || isIdle || colleague === null}
      onConfirm={() => colleague && save.mutate(colleague.userId)}
    >
      <Loaded query={found}>
        {(contracts) => (
          <>
            <p>{contracts.length > 0 ? words.lead(person.name) : words.none(person.name)}</p>
            <ul className="settings">
              {contracts.map(({ id, title, contractCode, tasks }) => (
                <li key={id}>
                  <Link to={paths.contract(id, 'people')}>{title}</Link> <span className="small faint num">{contractCode}</span>
                  <span className="small soft block">{tasks.map((task) => text.contract.task[task]).join(comma(text))}</span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
      {!isIdle && (
        <div className={`field ${error ? 'field-bad' : ''}`}>
          <span className="legend">{words.to}</span>
          <p className="row gap-8">
            {colleague && <strong>{colleague.name}</strong>}
            <PeoplePicker
              type="signer"
              about={words.to}
              onPick={(picked) => {
                setColleague(picked)
                setError(undefined)
              }}
            />
          </p>
          {error && <p className="field-error">{error}</p>}
        </div>
      )}
    </ConfirmDialog>
  )
}
