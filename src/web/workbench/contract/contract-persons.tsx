import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Contract } from '#shared/contract/contract.ts'
import { nameContractPersons } from '#shared/contract/moves.ts'
import { contractTasks, type ContractTask } from '#shared/contract/rules.ts'
import { call } from '../../app/api.ts'
import { ConfirmDialog } from '../../app/confirm-dialog.tsx'
import { DraftNote } from '../../app/form-bar.tsx'
import { useText } from '../../app/text.tsx'
import { useValuesDraft } from '../../app/use-local-draft.ts'
import { PeoplePicker } from '../../person/people-picker.tsx'
import { toast } from '../../ui/toast.tsx'
import { refreshContracts, refreshRefused, type AboutContract } from './contract-calls.ts'
import '../../ui/combobox.css'

/** Of one task, as many as the input of the call takes for all four. */
const maxOfTask = 10

type Named = { accountId: number; name: string }

/** Names colleagues for the tasks of the own side. When a colleague names others meanwhile it starts anew from them, and offers what was chosen. */
export function PersonsDialog({ contract, onClose }: AboutContract) {
  const before = contract.persons.filter(({ side }) => side === contract.side)
  return <PersonsForm key={JSON.stringify(before)} contract={contract} before={before} onClose={onClose} />
}

function PersonsForm({ contract, before, onClose }: AboutContract & { before: Contract['persons'] }) {
  const text = useText()
  const words = text.contract
  const { pages } = words
  const namedFor = (task: ContractTask): Named[] =>
    before.filter((one) => one.task === task).map(({ accountId, name }) => ({ accountId, name }))
  const [named, setNamed] = useState<Record<ContractTask, Named[]>>({
    signer: namedFor('signer'),
    acceptor: namedFor('acceptor'),
    logger: namedFor('logger'),
    settler: namedFor('settler'),
  })
  const draft = useValuesDraft(`contract-persons-${contract.id}`, named, setNamed, { quiet: true })
  const save = useMutation({
    mutationFn: (sent: typeof named) => {
      const persons = contractTasks.flatMap((task) => sent[task].map(({ accountId }) => ({ task, accountId })))
      return call(nameContractPersons, {
        params: { id: contract.id },
        body: { persons, before: before.map(({ task, accountId }) => ({ task, accountId })) },
      })
    },
    onSuccess: (_, sent) => {
      // Who was named meanwhile stays a draft.
      draft.saved(sent)
      toast('success', pages.named)
      onClose()
      return refreshContracts()
    },
    onError: refreshRefused,
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.action.persons}
      kind="info"
      action={text.site.common.save}
      busy={save.isPending}
      onConfirm={() => save.mutate(named)}
    >
      <p className="small soft">{pages.peopleHint}</p>
      {contractTasks.map((task) => (
        <TaskField
          key={task}
          contractId={contract.id}
          task={task}
          named={named[task]}
          isLocked={task === 'signer' && !contract.namesSigners}
          onChange={(next) => setNamed({ ...named, [task]: next })}
        />
      ))}
      <DraftNote draft={draft} />
    </ConfirmDialog>
  )
}

type TaskProps = { contractId: number; task: ContractTask; named: Named[]; isLocked: boolean; onChange: (named: Named[]) => void }

/** Those named for one task, each with a button that removes them, and the picker for another. */
function TaskField({ contractId, task, named, isLocked, onChange }: TaskProps) {
  const text = useText()
  const label = text.contract.task[task]
  return (
    <fieldset className="field">
      <legend>{label}</legend>
      <p className="row gap-8">
        {named.map(({ accountId, name }) => (
          <span key={accountId} className="picker-chosen">
            {name}
            {!isLocked && (
              <button
                type="button"
                aria-label={`${text.site.common.delete} ${name}`}
                onClick={() => onChange(named.filter((one) => one.accountId !== accountId))}
              >
                ×
              </button>
            )}
          </span>
        ))}
        {!isLocked && named.length < maxOfTask && (
          <PeoplePicker
            type={task}
            contractId={contractId}
            about={label}
            onPick={({ userId, name }) => {
              if (!named.some((one) => one.accountId === userId)) onChange([...named, { accountId: userId, name }])
            }}
          />
        )}
      </p>
      {isLocked && <p className="small soft">{text.contract.pages.signersLocked}</p>}
    </fieldset>
  )
}
