import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { getContract, printContract, type Contract } from '#shared/contract/contract.ts'
import { contractApproval, contractSource, contractStatus, scanState } from '#shared/contract/rules.ts'
import { contractStatusOf, scanStatusOf } from '#shared/contract/status-text.ts'
import { paths } from '#shared/paths.ts'
import { ApiError, call } from '../app/api.ts'
import { bankDigits } from './contract/bank-account.ts'
import { contractTone } from '../contract/contract-tone.ts'
import { useFollow } from '../app/follow.ts'
import { minute, money, placeName } from '../app/format.ts'
import { withParam } from '../app/list-settings.ts'
import { Period } from '../app/period.tsx'
import { roleIn, useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { useNewAnswer } from '../app/use-form.ts'
import { Countdown } from '../demand/demand-card.tsx'
import { FactRows } from '../ui/facts.tsx'
import { Link } from '../ui/link.tsx'
import { Head, Tag } from '../ui/parts.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { useAmendmentWords } from './contract/amendment-words.ts'
import { ContractActions } from './contract/contract-actions.tsx'
import { callsOfContracts } from './contract/contract-calls.ts'
import { PenaltyWords } from './contract/contract-change-summary.tsx'
import { ContractChanges } from './contract/contract-changes.tsx'
import { ContractHistory, RecentSteps } from './contract/contract-history.tsx'
import { ContractLook } from './contract/contract-look.tsx'
import { ContractNotices } from './contract/contract-notices.tsx'
import { LoadedContract } from './contract/contract-now.tsx'
import { OwnFormList } from './contract/contract-own-form.tsx'
import { ClauseList, ContractText, PersonList, PositionTable, ScanList } from './contract/contract-parts.tsx'
import { PdfButton } from '../file/pdf-button.tsx'
import './contract/contract.css'

const tabs = ['lines', 'clauses', 'changes', 'people', 'text', 'history'] as const
type Tab = (typeof tabs)[number]

export default function ContractPage() {
  const [params] = useSearchParams()
  const id = params.get('id') ?? '0'
  const isOperator = roleIn(useSession()) === 'operator'
  const contract = useQuery({
    queryKey: [getContract.url, id],
    // An operator is asked for a reason instead.
    queryFn: () => call(getContract, { params: { id } }, isOperator),
    // Somebody who comes from the message about a change is shown the contract of before at first.
    staleTime: 0,
  })
  const isNew = useNewAnswer(contract, id) !== undefined
  useFollow('contract', ...callsOfContracts)
  // An extension of the time for the contracts is news of their demand.
  useFollow('demand', ...callsOfContracts)
  if (isOperator && contract.error instanceof ApiError && contract.error.code === 404) return <ContractLook id={id} />
  return <LoadedContract query={contract}>{(found) => <ContractDetail key={found.id} contract={found} isNew={isNew} />}</LoadedContract>
}

function ContractDetail({ contract, isNew }: { contract: Contract; isNew: boolean }) {
  const text = useText()
  const site = useSiteName()
  const isOperator = roleIn(useSession()) === 'operator'
  const [params] = useSearchParams()
  const tab = tabs.find((one) => one === params.get('tab')) ?? 'lines'
  return (
    <div className="stack contract-detail">
      <Head title={contract.title} site={site} index={false} />
      <div className="row between">
        <nav className="small" aria-label={text.site.common.breadcrumb}>
          <Link to={isOperator ? paths.allContracts() : paths.contracts()}>{text.contract.title}</Link> /{' '}
          <span className="num">{contract.contractCode}</span>
        </nav>
        <PdfButton of={printContract} id={contract.id} />
      </div>
      {isOperator && <p className="notice">{text.contract.record.look.reading}</p>}
      <ContractNotices contract={contract} />
      <div className="contract-columns stack">
        <div className="contract-side stack">
          <ContractHead contract={contract} />
          {tab !== 'history' && <RecentSteps contract={contract} />}
        </div>
        <div className="contract-main stack">
          <div>
            <ContractTabs current={tab} />
            <div className="stack">
              <TabContent tab={tab} contract={contract} revision={params.get('revision') ?? ''} />
            </div>
          </div>
        </div>
      </div>
      <ContractActions contract={contract} isNew={isNew} showsChanges={tab === 'changes'} />
    </div>
  )
}

/** The parts of the page, each with its own address; a phone chooses from a list. */
function ContractTabs({ current }: { current: Tab }) {
  const words = useText().contract.pages
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const besides = new URLSearchParams(params)
  besides.delete('revision')
  const addressOf = (one: Tab) => withParam(besides, 'tab', one === tabs[0] ? '' : one)
  return (
    <>
      <Tabs
        label={words.tabsLabel}
        className="contract-tabs"
        keepsScroll
        tabs={tabs.map((one) => ({ to: addressOf(one), label: words.tabs[one], current: one === current }))}
      />
      <div className="contract-tab-select no-print">
        <select
          className="select"
          aria-label={words.tabsLabel}
          value={current}
          onChange={(event) =>
            void navigate(addressOf(tabs.find((one) => one === event.target.value) ?? 'lines'), { preventScrollReset: true })
          }
        >
          {tabs.map((one) => (
            <option key={one} value={one}>
              {words.tabs[one]}
            </option>
          ))}
        </select>
      </div>
    </>
  )
}

/** `revision`: of the text; empty for the newest. */
function TabContent({ tab, contract, revision }: { tab: Tab; contract: Contract; revision: string }) {
  const words = useText().contract.pages
  switch (tab) {
    case 'lines':
      return (
        <>
          {contract.source === contractSource.direct && contract.may.includes('edit') && (
            <p className="no-print">
              <Link className="button button-small" to={paths.directPositions(contract.id)}>
                {words.direct.edit}
              </Link>
            </p>
          )}
          <PositionTable contract={contract} />
        </>
      )
    case 'clauses':
      return <ClauseList contract={contract} />
    case 'changes':
      return <ContractChanges contract={contract} />
    case 'people':
      return (
        <>
          <PersonList contract={contract} />
          <OwnFormList contract={contract} />
          <ScanList contract={contract} />
        </>
      )
    case 'text':
      return <ContractText contract={contract} revision={revision} />
    case 'history':
      return <ContractHistory contract={contract} />
  }
}

/** Title, state, sides, sum and dates. */
function ContractHead({ contract }: { contract: Contract }) {
  const text = useText()
  const words = text.contract
  const { pages } = words
  const amendment = useAmendmentWords()
  const scaleOf = (scale: Contract['scaleLessee']) => (scale ? words.scale[scale] : pages.form.scaleNone)
  const yuan = (amount: string) => `${money(amount, true)} ${text.site.common.yuan}`
  const facts: [string, ReactNode][] = [
    [words.side.lessee, `${contract.lessee.companyName} · ${contract.lessee.deptName}`],
    [words.side.lessor, contract.lessor.companyName],
    [
      words.amount,
      <Fragment key="amount">
        {yuan(contract.amount)} <span className="small soft">{pages.estimated}</span>
      </Fragment>,
    ],
    [pages.net, `${yuan(contract.net)} · ${pages.tax} ${yuan(contract.tax)}`],
    [pages.dates, <Period key="dates" from={contract.planStart} to={contract.planEnd} />],
    [pages.project, contract.projectName],
    [pages.place, [placeName(text, contract), contract.address].filter(Boolean).join(' ')],
    [pages.scales, `${words.side.lessee} ${scaleOf(contract.scaleLessee)} · ${words.side.lessor} ${scaleOf(contract.scaleLessor)}`],
    [pages.externalNo, contract.externalNo],
    [pages.sentAt, minute(contract.sentAt)],
    [pages.confirmedAt, minute(contract.confirmedAt)],
    [
      pages.account,
      contract.bankName && (
        <Fragment key="account">
          {contract.bankName} <span className="bank-account block">{bankDigits(contract.bankAccount)}</span>
        </Fragment>
      ),
    ],
    [pages.endReason, contract.endReason],
    [amendment.lastDay, contract.ending?.lastDay ?? ''],
    [amendment.penalty, contract.ending ? <PenaltyWords key="penalty" {...contract.ending} /> : ''],
  ]
  return (
    <header className="panel stack">
      <div className="row between top">
        <div>
          <h1>{contract.title}</h1>
          <p className="row mt-8">
            <Tag tone={contractTone[contract.status]}>{contractStatusOf(text, contract)}</Tag>
            <Tag>{words.source[contract.source]}</Tag>
            {contract.status === contractStatus.draft && contract.approval !== contractApproval.none && (
              <Tag tone={contract.approval === contractApproval.passed ? 'good' : 'amber'}>{words.approval[contract.approval]}</Tag>
            )}
            {contract.confirmedAt !== null && (contract.needsScan || contract.scanState !== scanState.none) && (
              <Tag tone={contract.scanState === scanState.matched ? 'good' : 'amber'}>{scanStatusOf(text, contract)}</Tag>
            )}
          </p>
        </div>
        {contract.lapsesAt && (
          <div>
            <p className="soft">{pages.lapsesAt(minute(contract.lapsesAt))}</p>
            <p className="demand-left">
              <Countdown until={contract.lapsesAt} />
            </p>
          </div>
        )}
      </div>
      <dl className="facts">
        <FactRows facts={facts} />
        {contract.demand && (
          <div>
            <dt>{pages.demand}</dt>
            <dd>
              <Link to={contract.side === 'lessor' ? paths.marketDemand(contract.demand.id) : paths.ownDemand(contract.demand.id)}>
                {contract.demand.title} <span className="num">{contract.demand.demandCode}</span>
              </Link>
            </dd>
          </div>
        )}
      </dl>
    </header>
  )
}
