import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  confirmContractChange,
  listContractChanges,
  recallContractChange,
  refuseContractChange,
  TakenDays,
  TakenMachine,
  type ContractChange,
} from '#shared/contract/changes.ts'
import type { Contract } from '#shared/contract/contract.ts'
import { changeStatus, type ChangeStatus } from '#shared/contract/rules.ts'
import { paths } from '#shared/paths.ts'
import { ApiError, call } from '../app/api.ts'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { minute } from '../app/format.ts'
import { Loaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { useKeptFields } from '../app/use-kept-fields.ts'
import { TextareaField } from '../ui/form-fields.tsx'
import { Link } from '../ui/link.tsx'
import { Empty, Tag, type Tone } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useAmendmentWords } from './amendment-words.ts'
import { refreshContracts } from './contract-calls.ts'
import { SimilarMachines } from './contract-change-similar.tsx'
import { ChangeSummary } from './contract-change-summary.tsx'

const changeTone: Record<ChangeStatus, Tone> = {
  [changeStatus.draft]: 'plain',
  [changeStatus.sent]: 'amber',
  [changeStatus.inForce]: 'good',
  [changeStatus.refused]: 'bad',
  [changeStatus.withdrawn]: 'plain',
}

const answers = ['recall', 'refuse', 'confirm'] as const
type Answer = (typeof answers)[number]
const answerButton = { recall: '', refuse: 'button-danger', confirm: 'button-primary' } satisfies Record<Answer, string>

/** The amendments of the contract, newest first, with what the reader may do with each. */
export function ContractChanges({ contract }: { contract: Contract }) {
  const words = useText().contract
  const amendment = useAmendmentWords()
  const found = useQuery({
    queryKey: [listContractChanges.url, contract.id],
    queryFn: () => call(listContractChanges, { params: { id: contract.id } }),
  })
  const [answering, setAnswering] = useState<{ change: ContractChange; answer: Answer } | null>(null)
  const close = () => setAnswering(null)
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
        <Tag tone={changeTone[change.status]}>{words.changeStatus[change.status]}</Tag>
      </header>
      <ChangeSummary change={change} contract={contract} />
      {change.answer !== '' && (
        <p className={change.status === changeStatus.refused ? 'notice notice-warn' : 'notice'}>
          <strong>{change.status === changeStatus.refused ? amendment.refusedWhy : amendment.recalledWhy}</strong> {change.answer}
        </p>
      )}
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
      {may.includes('refuse') && !change.isOverdue && !contract.signs && <p className="small soft">{amendment.confirmBySigner}</p>}
    </article>
  )
}

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

/** Refuses an amendment of the other side with a reason, or withdraws one of the own side. */
function EndChange({ change, contract, move, onClose }: Answering & { move: 'refuse' | 'recall' }) {
  const words = useText().contract
  const amendment = useAmendmentWords()
  const isRefusal = move === 'refuse'
  const schema = isRefusal ? refuseContractChange.body : recallContractChange.body
  const form = useKeptFields(schema, { answer: '' }, `contract-change-${move}-${change.id}`)
  const send = async () => {
    const input = { params: { id: change.id }, body: { answer: form.values.answer } }
    try {
      if (isRefusal) await call(refuseContractChange, input)
      else await call(recallContractChange, input)
    } catch (error) {
      // The other side or a colleague was faster, so the page shows what is so now.
      if (error instanceof ApiError && error.code === 409) {
        onClose()
        void refreshContracts()
      }
      throw error
    }
    toast('success', isRefusal ? amendment.refused : amendment.recalled)
    onClose()
    await refreshContracts()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={isRefusal ? amendment.refuseTitle : amendment.recallTitle}
      action={isRefusal ? amendment.refuse : amendment.recall}
      busy={form.busy}
      onConfirm={() => void form.submit(send)}
    >
      <p>{isRefusal ? amendment.refuseAsk : amendment.recallAsk}</p>
      <p className="soft">
        {words.changeKind[change.kind]} <span className="num">{change.changeCode}</span> · {contract.title}
      </p>
      <TextareaField
        label={isRefusal ? amendment.refusedWhy : amendment.recalledWhy}
        required={isRefusal}
        maxLength={500}
        value={form.values.answer}
        onChange={form.set('answer')}
        error={form.errors.answer}
      />
    </ConfirmDialog>
  )
}
