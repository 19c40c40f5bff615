import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { handOverMyTasks, handOverTasks, listMyTasks, listTasksOf, type NamedContract } from '#shared/contract/tasks.ts'
import { checkCancellation } from '#shared/account/contract.ts'
import { paths } from '#shared/paths.ts'
import { comma } from '#shared/text/punctuation.ts'
import { ApiError, call } from '../app/api.ts'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { Loaded } from '../app/list-frame.tsx'
import { invalidate } from '../app/queries.ts'
import { useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { PeoplePicker, type PickedPerson } from './people-picker.tsx'
import { Link } from '../ui/link.tsx'
import { toast } from '../ui/toast.tsx'

/** The own tasks, or those of a colleague whom an administrator looks after, in contracts that have not ended; one press names a colleague for all of them. */
export function HandOverDialog({ person, onClose }: { person: { userId: number; name: string } | 'me'; onClose: () => void }) {
  const text = useText()
  const words = text.contract.pages.handOver
  const isMine = person === 'me'
  const ownId = useSession().info?.user.userId
  const params = { id: isMine ? 0 : person.userId }
  const [colleague, setColleague] = useState<PickedPerson | null>(null)
  const [error, setError] = useState<string>()
  const found = useQuery({
    queryKey: isMine ? [listMyTasks.url] : [listTasksOf.url, params.id],
    queryFn: () => (isMine ? call(listMyTasks, {}) : call(listTasksOf, { params })),
  })
  const save = useMutation({
    mutationFn: (toAccountId: number) =>
      isMine ? call(handOverMyTasks, { body: { toAccountId } }) : call(handOverTasks, { params, body: { toAccountId } }),
    onSuccess: ({ contracts }) => {
      toast('success', words.done(contracts))
      onClose()
      return invalidate(listTasksOf, listMyTasks, checkCancellation)
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
      busy={save.isPending || colleague === null}
      onConfirm={isIdle ? undefined : () => colleague && save.mutate(colleague.userId)}
    >
      <Loaded query={found}>
        {(contracts) => (
          <>
            <p>
              {isMine ? words[contracts.length > 0 ? 'myLead' : 'noneMine'] : (contracts.length > 0 ? words.lead : words.none)(person.name)}
            </p>
            <TaskList contracts={contracts} />
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
              besideId={isMine ? ownId : person.userId}
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

/** The contracts that somebody is named for, with their tasks. */
export function TaskList({ contracts }: { contracts: readonly NamedContract[] }) {
  const text = useText()
  return (
    <ul className="settings">
      {contracts.map(({ id, title, contractCode, tasks }) => (
        <li key={id}>
          <Link className="block" to={paths.contract(id, 'people')}>
            {title}
          </Link>
          <span className="small soft block">
            <span className="num">{contractCode}</span> · {tasks.map((task) => text.contract.task[task]).join(comma(text))}
          </span>
        </li>
      ))}
    </ul>
  )
}
