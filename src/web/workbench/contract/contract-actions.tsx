import { useState } from 'react'
import type { Contract, ContractAction } from '#shared/contract/contract.ts'
import { approveContract, askContractApproval, recallContract, rejectContract, voidContract } from '#shared/contract/moves.ts'
import { contractSource } from '#shared/contract/rules.ts'
import { contractStatusOf } from '#shared/contract/status-text.ts'
import { paths } from '#shared/paths.ts'
import { call } from '../../app/api.ts'
import { answersChange, recallQuestion, replacesScan } from './contract-status.ts'
import { mayIn, useSession } from '../../app/session.ts'
import { useText } from '../../app/text.tsx'
import { useConfirm, type Confirmation } from '../../app/use-confirm.tsx'
import { reserveBarHeight } from '../../ui/bar-height.ts'
import { Link } from '../../ui/link.tsx'
import { Popup } from '../../ui/popup.tsx'
import { callsOfContracts } from './contract-calls.ts'
import { NoticeDialog } from './contract-notice-dialog.tsx'
import { PersonsDialog } from './contract-persons.tsx'
import { ReturnDialog } from './contract-return.tsx'
import { MatchScanDialog, ScanDialog } from './contract-scan.tsx'
import { SignDialog } from './contract-sign.tsx'

const primary: readonly ContractAction[] = ['approve', 'send', 'confirm', 'ask', 'matchScan', 'scan']
const dangerous: readonly ContractAction[] = ['void', 'reject', 'return', 'notice']
/** What a phone shows beside the main one, the first that is possible, else one that ends nothing. */
const beside: readonly ContractAction[] = ['edit', 'return', 'reject', 'recall', 'change']

type Props = { contract: Contract; isNew: boolean; /** The page shows the amendments, so nothing leads there. */ showsChanges: boolean }

/** The bar of what this person may do with the contract now, the way on last, where the thumb is. */
export function ContractActions({ contract, isNew, showsChanges }: Props) {
  const text = useText()
  const words = text.contract
  const [dialog, setDialog] = useState<ContractAction | null>(null)
  /** Of the first text that came since the page was opened, or that was read anew since; undefined until one has come. */
  const [readHash, setReadHash] = useState<string | null>()
  if (readHash === undefined && isNew) setReadHash(contract.textHash)
  const asked = useConfirm(...callsOfContracts)
  const questions = useQuestions(contract)
  /** While a call runs, its dialog may be closed and another one opened, which stays. */
  const close = () => setDialog((now) => (now === dialog ? null : now))
  const open = (action: ContractAction) => {
    const question = questions[action]
    if (question) asked.confirm(question)
    else setDialog(action)
  }
  const answers = answersChange(contract)
  const main = answers
    ? undefined
    : primary.find((action) => contract.may.includes(action) && !(action === 'scan' && replacesScan(contract)))
  const others = contract.may.filter((action) => action !== main)
  // A phone has room for two; the others are in a menu there.
  const second = beside.find((action) => others.includes(action)) ?? others.find((action) => !dangerous.includes(action)) ?? others[0]
  const rest = others.filter((action) => action !== second)
  return (
    <>
      {contract.may.length > 0 && (
        <div ref={reserveBarHeight} className="action-bar contract-bar no-print" role="group" aria-label={words.pages.actions}>
          <span className="small soft contract-bar-status">{contractStatusOf(text, contract)}</span>
          <span className="row">
            {[...others, ...(main ? [main] : [])].map((action) => (
              <ActionButton
                key={action}
                action={action}
                contract={contract}
                className={`${action === main ? 'button-primary' : dangerous.includes(action) ? 'button-danger' : ''} ${rest.includes(action) ? 'contract-rest' : ''}`}
                onOpen={() => open(action)}
              />
            ))}
            {answers && !showsChanges && (
              <Link className="button button-primary" to={paths.contract(contract.id, 'changes')} preventScrollReset>
                {words.pages.toChange}
              </Link>
            )}
            {rest.length > 0 && <RestMenu actions={rest} contract={contract} onOpen={open} />}
          </span>
        </div>
      )}
      {(dialog === 'send' || dialog === 'confirm') && (
        <SignDialog contract={contract} kind={dialog} readHash={readHash} onRead={setReadHash} onClose={close} />
      )}
      {dialog === 'return' && <ReturnDialog contract={contract} onClose={close} />}
      {dialog === 'scan' && <ScanDialog contract={contract} onClose={close} />}
      {dialog === 'matchScan' && <MatchScanDialog contract={contract} onClose={close} />}
      {dialog === 'notice' && <NoticeDialog contract={contract} onClose={close} />}
      {dialog === 'persons' && <PersonsDialog contract={contract} onClose={close} />}
      {asked.dialog}
    </>
  )
}

const pathOf = (action: ContractAction, id: number) =>
  action === 'edit' ? paths.editContract(id) : action === 'change' ? paths.changeContract(id) : null

/** The name of an action; another scan is called so. */
const useLabelOf = (contract: Contract) => {
  const { action: words, pages } = useText().contract
  return (action: ContractAction) => (action === 'scan' && replacesScan(contract) ? pages.scanAgain : words[action])
}

type ButtonProps = { action: ContractAction; contract: Contract; className: string; onOpen: () => void }

function ActionButton({ action, contract, className, onOpen }: ButtonProps) {
  const labelOf = useLabelOf(contract)
  const path = pathOf(action, contract.id)
  return path ? (
    <Link className={`button ${className}`} to={path}>
      {labelOf(action)}
    </Link>
  ) : (
    <button type="button" className={`button ${className}`} onClick={onOpen}>
      {labelOf(action)}
    </button>
  )
}

type RestProps = { actions: readonly ContractAction[]; contract: Contract; onOpen: (action: ContractAction) => void }

/** The actions for which the bar of a phone has no room. */
function RestMenu({ actions, contract, onOpen }: RestProps) {
  const { contract: words } = useText()
  const labelOf = useLabelOf(contract)
  return (
    <Popup menu label={words.pages.more} className="button contract-more" button={<span aria-hidden="true">⋯</span>}>
      {(close) =>
        actions.map((action) => {
          const path = pathOf(action, contract.id)
          return path ? (
            <Link key={action} role="menuitem" to={path} onClick={close}>
              {labelOf(action)}
            </Link>
          ) : (
            <button
              key={action}
              type="button"
              role="menuitem"
              className={dangerous.includes(action) ? 'popup-danger' : undefined}
              onClick={() => {
                close()
                onOpen(action)
              }}
            >
              {labelOf(action)}
            </button>
          )
        })
      }
    </Popup>
  )
}

/** The moves that need no more than an answer, and perhaps a reason. */
function useQuestions(contract: Contract): Partial<Record<ContractAction, Confirmation>> {
  const text = useText()
  const { contract: words } = text
  const { pages } = words
  const { id, version, title, contractCode, source } = contract
  const makes = mayIn(useSession(), 'contract:make')
  const params = { id }
  const subject = `${title} ${contractCode}`
  const note = { label: pages.reason }
  return {
    ask: {
      title: words.action.ask,
      question: pages.askAsk,
      subject,
      harmless: true,
      run: () => call(askContractApproval, { params }),
      done: () => pages.asked,
    },
    approve: {
      title: words.action.approve,
      question: pages.approveAsk,
      subject,
      harmless: true,
      run: () => call(approveContract, { params, body: { version } }),
      done: () => pages.approved,
    },
    reject: {
      title: words.action.reject,
      question: pages.rejectAsk,
      subject,
      note: { ...note, draft: `contract-reject-${id}` },
      run: (reason) => call(rejectContract, { params, body: { version, reason } }),
      done: () => pages.rejected,
    },
    recall: {
      title: words.action.recall,
      question: recallQuestion(text, contract, makes),
      subject,
      run: () => call(recallContract, { params }),
      done: () => pages.recalled,
    },
    void: {
      title: words.action.void,
      question: source === contractSource.direct ? pages.voidAskDirect : pages.voidAsk,
      subject,
      note: { ...note, draft: `contract-void-${id}` },
      run: (reason) => call(voidContract, { params, body: { reason, version } }),
      done: () => pages.voided,
    },
  }
}
