import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  approveContractChange,
  askChangeApproval,
  confirmContractChange,
  listContractChanges,
  recallContractChange,
  refuseContractChange,
  rejectContractChange,
  stopContractChange,
  TakenDays,
  TakenMachine,
  type ContractChange,
} from '#shared/contract/changes.ts'
import type { Contract } from '#shared/contract/contract.ts'
import { changeStatus, contractApproval, type ChangeStatus } from '#shared/contract/rules.ts'
import { paths } from '#shared/paths.ts'
import { ApiError, call } from '../../app/api.ts'
import { ConfirmDialog } from '../../app/confirm-dialog.tsx'
import { minute } from '../../app/format.ts'
import { Loaded } from '../../app/list-frame.tsx'
import { useText } from '../../app/text.tsx'
import { useConfirm, type Confirmation } from '../../app/use-confirm.tsx'
import { useDraftFields } from '../../app/use-draft-fields.ts'
import { TextareaField } from '../../ui/form-fields.tsx'
import { Link } from '../../ui/link.tsx'
import { Empty, Tag, type Tone } from '../../ui/parts.tsx'
import { toast } from '../../ui/toast.tsx'
import { useAmendmentWords } from './amendment-words.ts'
import { callsOfContracts, refreshContracts } from './contract-calls.ts'
import { SimilarMachines } from './contract-change-similar.tsx'
import { ChangeSummary } from './contract-change-summary.tsx'

const changeTone: Record<ChangeStatus, Tone> = {
  [changeStatus.draft]: 'plain',
  [changeStatus.sent]: 'amber',
  [changeStatus.inForce]: 'good',
  [changeStatus.refused]: 'bad',
  [changeStatus.withdrawn]: 'plain',
  [changeStatus.stopped]: 'bad',
}

const answers = ['recall', 'stop', 'refuse', 'confirm'] as const
type Answer = (typeof answers)[number]
const answerButton = { recall: '', stop: 'button-danger', refuse: 'button-danger', confirm: 'button-primary' } satisfies Record<
  Answer,
  string
>

/** The amendments of the contract, newest first, with what the reader may do with each. */
export function ContractChanges({ contract }: { contract: Contract }) {
  const words = useText().contract
  const amendment = useAmendmentWords()
  const found = useQuery({
    queryKey: [listContractChanges.url, contract.id],
    queryFn: () => call(listContractChanges, { params: { id: contract.id } }),
  })
  const [answering, setAnswering] = useState<{ change: ContractChange; answer: Answer } | null>(null)
  /** While a call runs, its dialog may be closed and that of another amendment opened, which stays. */
  const close = () => setAnswering((now) => (now === answering ? null : now))
  return (
    <>
      <Loaded query={found} rows={3}>
        {(changes) =>
          changes.length === 0 ? (
            <div className="panel">
              <Empty
                title={amendment.empty}
                hint={amendment.emptyHint}
                action={
                  contract.may.includes('change') && (
                    <Link className="button button-primary" to={paths.changeContract(contract.id)}>
                      {words.action.change}
                    </Link>
                  )
                }
              />
            </div>
          ) : (
            <ul className="stack" aria-label={amendment.list}>
              {changes.map((change) => (
                <li key={change.id}>
                  <ChangeCard change={change} contract={contract} onAnswer={(answer) => setAnswering({ change, answer })} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {answering?.answer === 'confirm' && <ConfirmChange {...answering} contract={contract} onClose={close} />}
      {answering && answering.answer !== 'confirm' && (
        <EndChange change={answering.change} move={answering.answer} contract={contract} onClose={close} />
      )}
    </>
  )
}

type CardProps = { change: ContractChange; contract: Contract; onAnswer: (answer: Answer) => void }

function ChangeCard({ change, contract, onAnswer }: CardProps) {
  const words = useText().contract
  const amendment = useAmendmentWords()
  const may = answers.filter((answer) => change.may.includes(answer))
  return (
    <article className="panel stack">
      <header className="row between">
        <div>
          <h2 className="card-title">
            {words.changeKind[change.kind]} <span className="small soft num">{change.changeCode}</span>
          </h2>
          <p className="small soft">
            {amendment.proposedBy(words.side[change.side])} <span className="num">{minute(change.createTime)}</span>
          </p>
        </div>
        <Tag tone={changeTone[change.status]}>
          {change.status === changeStatus.sent && contract.side !== null && change.side !== contract.side
            ? words.toConfirm
            : words.changeStatus[change.status]}
        </Tag>
      </header>
      <ChangeSummary change={change} contract={contract} />
      <AboveCeiling change={change} />
      {change.answer !== '' && (
        <p className={change.status === changeStatus.withdrawn ? 'notice' : 'notice notice-warn'}>
          <strong>{whyOf(change.status, amendment)}</strong> {change.answer}
        </p>
      )}
      {change.approval !== contractApproval.none && change.status !== changeStatus.inForce && (
        <p className={change.approval === contractApproval.returned ? 'notice notice-warn' : 'notice'}>
          <strong>{amendment.unit}</strong> {words.approval[change.approval]}
        </p>
      )}
      <UnitSteps change={change} />
      {may.length > 0 && (
        <p className="row">
          {may.map((answer) => (
            <button key={answer} type="button" className={`button ${answerButton[answer]}`} onClick={() => onAnswer(answer)}>
              {amendment[answer]}
            </button>
          ))}
        </p>
      )}
      {change.isOverdue && (
        <p className="notice notice-warn">{change.side === contract.side ? amendment.overdueOwn : amendment.overdueOther}</p>
      )}
      {change.outlivesContract && <p className="notice notice-warn">{amendment.contractOver}</p>}
      {may.includes('refuse') && !change.isOverdue && !change.outlivesContract && !contract.signs && (
        <p className="small soft">{amendment.confirmBySigner}</p>
      )}
    </article>
  )
}

/** Marks prices above the ceilings of the own organisation before they are approved or confirmed. */
function AboveCeiling({ change }: { change: ContractChange }) {
  const amendment = useAmendmentWords()
  if (change.aboveCeiling.length === 0) return null
  return <p className="notice notice-warn">{amendment.aboveCeiling(change.aboveCeiling.join(', '))}</p>
}

const unitSteps = ['ask', 'reject', 'approve'] as const

/** What the person may do with the approval of the unit above: ask for it, or decide. */
function UnitSteps({ change }: { change: ContractChange }) {
  const words = useText().contract
  const amendment = useAmendmentWords()
  const asked = useConfirm(...callsOfContracts)
  const params = { id: change.id }
  const isOwn = change.status === changeStatus.draft
  const subject = `${words.changeKind[change.kind]} ${change.changeCode}`
  const questions: Record<(typeof unitSteps)[number], Confirmation> = {
    ask: {
      title: words.action.ask,
      question: amendment.unitAsk,
      subject,
      harmless: true,
      run: () => call(askChangeApproval, { params }),
      done: () => amendment.unitAsked,
    },
    approve: {
      title: words.action.approve,
      question: isOwn ? amendment.unitApproveOwn : amendment.unitApprove,
      subject,
      harmless: true,
      run: () => call(approveContractChange, { params }),
      done: () => amendment.unitApproved,
    },
    reject: {
      title: words.action.reject,
      question: isOwn ? amendment.unitRejectOwn : amendment.unitReject,
      subject,
      note: { label: words.pages.reason, draft: `contract-change-reject-${change.id}` },
      run: (reason) => call(rejectContractChange, { params, body: { reason } }),
      done: () => amendment.unitRejected,
    },
  }
  const steps = unitSteps.filter((step) => change.may.includes(step))
  if (steps.length === 0) return asked.dialog
  return (
    <>
      <p className="row">
        {steps.map((step) => (
          <button
            key={step}
            type="button"
            className={`button ${step === 'reject' ? 'button-danger' : 'button-primary'}`}
            onClick={() => asked.confirm(questions[step])}
          >
            {words.action[step]}
          </button>
        ))}
      </p>
      {asked.dialog}
    </>
  )
}

const whyOf = (status: ChangeStatus, words: ReturnType<typeof useAmendmentWords>) =>
  status === changeStatus.refused ? words.refusedWhy : status === changeStatus.stopped ? words.stoppedWhy : words.recalledWhy

type Answering = { change: ContractChange; contract: Contract; onClose: () => void }

/** Confirms an amendment, with all that it says before the eyes. A refusal of the server stays in the dialog until the reader has read it. */
function ConfirmChange({ change, contract, onClose }: Answering) {
  const words = useText().contract
  const amendment = useAmendmentWords()
  const confirm = useMutation({
    mutationFn: () => call(confirmContractChange, { params: { id: change.id } }),
    onSuccess: () => {
      toast('success', amendment.confirmed)
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
  const { direct } = useText().contract.pages
  if (!(error instanceof ApiError)) return null
  const taken = TakenDays.safeParse(error.data)
  const machine = TakenMachine.safeParse(error.data)
  const reasons = machine.data?.freeFrom
    ? [`${words.takenAt(machine.data.lineNo)}: ${direct.taken(machine.data.freeFrom)}`]
    : taken.success
      ? [`${words.takenAt(taken.data.lineNo)}: ${words.taken(taken.data.takenFrom, taken.data.freeAgain)}`]
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
function EndChange({ change, contract, move, onClose }: Answering & { move: keyof typeof endings }) {
  const words = useText().contract
  const amendment = useAmendmentWords()
  const ending = endings[move]
  const form = useDraftFields(ending.schema, { answer: '' }, `contract-change-${move}-${change.id}`)
  const send = async () => {
    try {
      await call(ending.call, { params: { id: change.id }, body: { answer: form.values.answer } })
    } catch (error) {
      // The other side or a colleague was faster, so the page shows what is so now.
      if (error instanceof ApiError && error.code === 409) {
        onClose()
        void refreshContracts()
      }
      throw error
    }
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
      onConfirm={() => void form.submit(send)}
    >
      <p>{change.outlivesContract ? amendment.contractOver : amendment[ending.ask]}</p>
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
