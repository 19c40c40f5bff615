import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { nameContractPersons } from '#shared/contract/moves.ts'
import { contractTasks, type ContractTask } from '#shared/contract/rules.ts'
import { ApiError, call } from '../app/api.ts'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { useText } from '../app/text.tsx'
import { MultiCombobox, type Choice } from '../ui/combobox.tsx'
import { Field } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { refreshContracts, type AboutContract } from './contract-calls.ts'

/** Of one task, as many as the input of the call takes for all four. */
const maxOfTask = 10

/** Names colleagues for the tasks of the own side. */
export function PersonsDialog({ contract, onClose }: AboutContract) {
  const text = useText()
  const words = text.contract
  const { pages } = words
  const namedFor = (task: ContractTask): Choice[] =>
    contract.persons
      .filter((one) => one.side === contract.side && one.task === task)
      .map(({ accountId, name }) => ({ value: accountId, label: name }))
  const [named, setNamed] = useState<Record<ContractTask, readonly Choice[]>>(() => ({
    signer: namedFor('signer'),
    acceptor: namedFor('acceptor'),
    logger: namedFor('logger'),
    settler: namedFor('settler'),
  }))
  const save = useMutation({
    mutationFn: () => {
      const persons = contractTasks.flatMap((task) => named[task].map(({ value }) => ({ task, accountId: value })))
      return call(nameContractPersons, { params: { id: contract.id }, body: { persons } })
    },
    onSuccess: () => {
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
        <Field key={task} label={words.task[task]}>
          {({ id }) => (
            <MultiCombobox
              id={id}
              label={words.task[task]}
              placeholder={pages.namePeople}
              none={text.site.common.empty}
              remove={text.site.common.delete}
              max={maxOfTask}
              values={named[task]}
              options={contract.colleagues.map(({ accountId, name }) => ({ value: accountId, label: name }))}
              onChange={(next) => setNamed({ ...named, [task]: next })}
            />
          )}
        </Field>
      ))}
    </ConfirmDialog>
  )
}
