import { useMutation } from '@tanstack/react-query'
import { nameContractPersons } from '#shared/contract/moves.ts'
import { contractTasks, type ContractTask } from '#shared/contract/rules.ts'
import { ApiError, call } from '../../app/api.ts'
import { ConfirmDialog } from '../../app/confirm-dialog.tsx'
import { useText } from '../../app/text.tsx'
import { useDialogDraft } from '../../app/use-dialog-draft.ts'
import { PeoplePicker } from '../../person/people-picker.tsx'
import { toast } from '../../ui/toast.tsx'
import { refreshContracts, type AboutContract } from './contract-calls.ts'
import '../../ui/combobox.css'

/** Of one task, as many as the input of the call takes for all four. */
const maxOfTask = 10

type Named = { accountId: number; name: string }

/** Names colleagues for the tasks of the own side. */
export function PersonsDialog({ contract, onClose }: AboutContract) {
  const text = useText()
  const words = text.contract
  const { pages } = words
  const namedFor = (task: ContractTask): Named[] =>
    contract.persons.filter((one) => one.side === contract.side && one.task === task).map(({ accountId, name }) => ({ accountId, name }))
  const [named, setNamed, forget] = useDialogDraft<Record<ContractTask, Named[]>>(`contract-persons-${contract.id}`, {
    signer: namedFor('signer'),
    acceptor: namedFor('acceptor'),
    logger: namedFor('logger'),
    settler: namedFor('settler'),
  })
  const save = useMutation({
    mutationFn: () => {
      const persons = contractTasks.flatMap((task) => named[task].map(({ accountId }) => ({ task, accountId })))
      return call(nameContractPersons, { params: { id: contract.id }, body: { persons } })
    },
    onSuccess: () => {
      forget()
      toast('success', pages.named)
      onClose()
      return refreshContracts()
    },
    onError: (problem) => {
      if (!(problem instanceof ApiError)) throw problem
      void refreshContracts()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.action.persons}
      kind="info"
      action={text.site.common.save}
      busy={save.isPending}
      onConfirm={() => save.mutate()}
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
