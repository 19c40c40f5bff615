import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listMyTasks } from '#shared/contract/tasks.ts'
import { call } from '../app/api.ts'
import { mayIn, useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { HandOverDialog, TaskList } from '../person/hand-over.tsx'

/** The contracts that the person is named for, with a press that hands all of them to a colleague. Without such there is nothing to show. */
export function OwnTasks() {
  const words = useText().contract.pages.handOver
  const may = mayIn(useSession(), 'contract:edit')
  const [isOpen, setOpen] = useState(false)
  // It stands beside the reasons that hold a person, which have their own error state; without an answer it stays away.
  const { data: contracts = [] } = useQuery({ queryKey: [listMyTasks.url], queryFn: () => call(listMyTasks, {}, true), enabled: may })
  if (contracts.length === 0) return null
  return (
    <div className="stack gap-8 mt-12">
      <p className="row between">
        <strong>{words.myLead}</strong>
        <button type="button" className="button button-small" onClick={() => setOpen(true)}>
          {words.action}
        </button>
      </p>
      <TaskList contracts={contracts} />
      {isOpen && <HandOverDialog person="me" onClose={() => setOpen(false)} />}
    </div>
  )
}
