// The dialogs in which a side answers an amendment.
import { useMutation } from '@tanstack/react-query'
import {
  confirmContractChange,
  recallContractChange,
  refuseContractChange,
  stopContractChange,
  TakenDays,
  TakenMachine,
  type ContractChange,
} from '#shared/contract/changes.ts'
import type { Contract } from '#shared/contract/contract.ts'
import { ApiError, call } from '../../app/api.ts'
import { ConfirmDialog } from '../../app/confirm-dialog.tsx'
import { colon } from '../../app/colon.ts'
import { useText } from '../../app/text.tsx'
import { useDraftFields } from '../../app/use-draft-fields.ts'
import { TextareaField } from '../../ui/form-fields.tsx'
import { toast } from '../../ui/toast.tsx'
import { useAmendmentWords } from './amendment-words.ts'
import { closeOutdated, refreshContracts, refreshRefused } from './contract-calls.ts'
import { SimilarMachines } from './contract-change-similar.tsx'
import { AboveCeiling, ChangeSummary } from './contract-change-summary.tsx'

type Answering = { change: ContractChange; contract: Contract; onClose: () => void }

/** Confirms an amendment, with all that it says before the eyes. A refusal of the server stays in the dialog until the reader has read it. */
export function ConfirmChange({ change, contract, onClose }: Answering) {
  const words = useText().contract
  const amendment = useAmendmentWords()
  const confirm = useMutation({
    mutationFn: () => call(confirmContractChange, { params: { id: change.id } }),
    onSuccess: () => {
      toast('success', amendment.confirmed)
      onClose()
      return refreshContracts()
    },
    onError: refreshRefused,
  })
  return (
    <ConfirmDialog
      open
      wide
      onClose={onClose}
      title={amendment.confirmTitle}
      kind={change.kind === 'terminate' ? 'warning' : 'info'}
      action={amendment.confirm}
      busy={confirm.isPending}
      onConfirm={() => confirm.mutate()}
    >
      <p>
        <strong>{words.changeKind[change.kind]}</strong> <span className="small soft num">{change.changeCode}</span>
      </p>
      <ChangeSummary change={change} contract={contract} />
      <AboveCeiling change={change} />
      {change.kind === 'account' && <p className="notice notice-warn">{amendment.accountWarn}</p>}
      <p>
        {change.kind === 'account'
          ? amendment.confirmAccount
          : change.kind === 'terminate'
            ? amendment.confirmTerminate
            : amendment.confirmAsk}
      </p>
      {confirm.error && <RefusalNote error={confirm.error} />}
    </ConfirmDialog>
  )
}

/** Why the amendment could not be confirmed: the days that somebody else has booked since, or the words of the server. */
function RefusalNote({ error }: { error: Error }) {
  const words = useAmendmentWords()
  const text = useText()
  const { direct } = text.contract.pages
  if (!(error instanceof ApiError)) return null
  const taken = TakenDays.safeParse(error.data)
  const machine = TakenMachine.safeParse(error.data)
  const reasons = machine.data?.freeFrom
    ? [`${words.takenAt(machine.data.lineNo)}${colon(text)}${direct.taken(machine.data.freeFrom)}`]
    : taken.success
      ? [`${words.takenAt(taken.data.lineNo)}${colon(text)}${words.taken(taken.data.takenFrom, taken.data.freeAgain)}`]
      : error.fields.length > 0
        ? error.fields.map(({ message }) => message)
        : [error.message]
  return (
    <div className="notice notice-warn" role="alert">
      <p>{reasons.join(' ')}</p>
      {taken.success && <SimilarMachines similar={taken.data.similar} />}
    </div>
  )
}

// The build for the browser leaves out a schema that is not read as `name.body`.
const endings = {
  refuse: {
    call: refuseContractChange,
    schema: refuseContractChange.body,
    title: 'refuseTitle',
    ask: 'refuseAsk',
    why: 'refusedWhy',
    done: 'refused',
    isReasonNeeded: true,
  },
  stop: {
    call: stopContractChange,
    schema: stopContractChange.body,
    title: 'stopTitle',
    ask: 'stopAsk',
    why: 'stoppedWhy',
    done: 'stopped',
    isReasonNeeded: true,
  },
  recall: {
    call: recallContractChange,
    schema: recallContractChange.body,
    title: 'recallTitle',
    ask: 'recallAsk',
    why: 'recalledWhy',
    done: 'recalled',
    isReasonNeeded: false,
  },
} as const

/** Refuses an amendment of the other side with a reason, withdraws one of the own side, or stops a bank account that waits its day. */
export function EndChange({ change, contract, move, onClose }: Answering & { move: keyof typeof endings }) {
  const words = useText().contract
  const amendment = useAmendmentWords()
  const ending = endings[move]
  const form = useDraftFields(ending.schema, { answer: '' }, `contract-change-${move}-${change.id}`)
  const send = async () => {
    await call(ending.call, { params: { id: change.id }, body: { answer: form.values.answer } })
    toast('success', amendment[ending.done])
    onClose()
    await refreshContracts()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={amendment[ending.title]}
      action={amendment[move]}
      busy={form.busy}
      onConfirm={() => void form.submit(send, {}, () => closeOutdated(onClose))}
    >
      <p>{change.hindrances.includes('contractOver') ? amendment.contractOver : amendment[ending.ask]}</p>
      <p className="soft">
        {words.changeKind[change.kind]} <span className="num">{change.changeCode}</span> · {contract.title}
      </p>
      <TextareaField
        label={amendment[ending.why]}
        required={ending.isReasonNeeded}
        maxLength={500}
        value={form.values.answer}
        onChange={form.set('answer')}
        error={form.errors.answer}
      />
    </ConfirmDialog>
  )
}
