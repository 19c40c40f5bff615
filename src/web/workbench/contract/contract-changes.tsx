import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  approveContractChange,
  askChangeApproval,
  listContractChanges,
  printContractChange,
  rejectContractChange,
  type ContractChange,
} from '#shared/contract/changes.ts'
import type { Contract } from '#shared/contract/contract.ts'
import { changeStatus, contractApproval, type ChangeHindrance, type ChangeStatus } from '#shared/contract/rules.ts'
import { paths } from '#shared/paths.ts'
import { call } from '../../app/api.ts'
import { minute } from '../../app/format.ts'
import { Loaded } from '../../app/list-frame.tsx'
import { useText } from '../../app/text.tsx'
import { useConfirm, type Confirmation } from '../../app/use-confirm.tsx'
import { PdfButton } from '../../file/pdf-button.tsx'
import { Link } from '../../ui/link.tsx'
import { Empty, Tag, type Tone } from '../../ui/parts.tsx'
import { useAmendmentWords } from './amendment-words.ts'
import { callsOfContracts } from './contract-calls.ts'
import { ConfirmChange, EndChange } from './contract-change-answer.tsx'
import { AboveCeiling, ChangeSummary } from './contract-change-summary.tsx'

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

export function ChangeCard({ change, contract, onAnswer }: CardProps) {
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
        <div className="row gap-8">
          <Tag tone={changeTone[change.status]}>
            {change.status === changeStatus.sent && contract.side !== null && change.side !== contract.side
              ? words.toConfirm
              : words.changeStatus[change.status]}
          </Tag>
          <PdfButton of={printContractChange} id={change.id} />
        </div>
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
      {change.hindrances.map((one) => (
        <p key={one} className="notice notice-warn">
          {hindranceIn(amendment, change.side === contract.side)[one]}
        </p>
      ))}
      {may.includes('refuse') && change.hindrances.length === 0 && !contract.signs && (
        <p className="small soft">{amendment.confirmBySigner}</p>
      )}
    </article>
  )
}

/** Why it is not confirmed now, in the words for the side that proposed it or for the other one. */
const hindranceIn = (words: ReturnType<typeof useAmendmentWords>, isOwn: boolean): Record<ChangeHindrance, string> => ({
  overdue: isOwn ? words.overdueOwn : words.overdueOther,
  contractOver: words.contractOver,
  proposerUncertified: isOwn ? words.uncertifiedOwn : words.uncertifiedOther,
  readerUncertified: words.uncertifiedReader,
})

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
