import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { toMoment } from '#shared/calendar.ts'
import { getOwnDemand, type OwnDemand } from '#shared/demand/contract.ts'
import { takeDemandDown } from '#shared/demand/moves.ts'
import { exportApply, exportEvidence } from '#shared/opening/contract.ts'
import { canMoveDemand, isShort, openWait } from '#shared/demand/guards.ts'
import { decisionDays, demandStatus, type DemandStatus, isOpened, isWithoutWinner, type DemandMove } from '#shared/demand/rules.ts'
import { listQuestions } from '#shared/question/contract.ts'
import { call, download } from '../app/api.ts'
import { useFollow } from '../app/follow.ts'
import { ChainPanel } from '../demand/chain-panel.tsx'
import { useConfirm } from '../app/use-confirm.tsx'
import { colon } from '../app/colon.ts'
import { minute, money } from '../app/format.ts'
import { paths } from '#shared/paths.ts'
import { nameIn } from '#shared/text/name-in.ts'
import { awardRequestStatus } from '#shared/award/rules.ts'
import { comma } from '#shared/text/punctuation.ts'
import { ContactLook } from '../demand/contact-look.tsx'
import { Countdown, DemandTag } from '../demand/demand-card.tsx'
import { Attachments, FactsSection, ItemsTable } from '../demand/demand-parts.tsx'
import { Questions } from '../question/questions.tsx'
import { useSiteName } from '../app/site.ts'
import { mayIn, useSession } from '../app/session.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { Timeline } from '../app/timeline.tsx'
import { FoldedActions } from '../ui/folded-actions.tsx'
import { Head, Tag } from '../ui/parts.tsx'
import { Compare } from './award/compare.tsx'
import { DemandMoveDialog, type ConfirmedMove } from './demand/demand-move-dialog.tsx'
import { StatusNotice, type MoveButton } from './demand/demand-status-notice.tsx'
import { Link } from '../ui/link.tsx'
import { ApprovalFacts } from './award/approval-facts.tsx'
import { DemandContracts } from './contract/demand-contracts.tsx'
import { callsOfOwnDemands } from './demand/own-demands.ts'
import { OwnerTerms } from './demand/owner-terms.tsx'

export default function OwnDemandDetailPage() {
  const text = useText()
  const [params] = useSearchParams()
  const id = params.get('id') ?? '0'
  const demand = useQuery({
    queryKey: [getOwnDemand.url, id],
    queryFn: () => call(getOwnDemand, { params: { id } }),
    // The clock opens the demand at its deadline, and the open page has to show it.
    refetchInterval: ({ state }) => (state.data?.status === demandStatus.quoting ? 10_000 : false),
  })
  useFollow('demand', ...callsOfOwnDemands, listQuestions)
  useFollow('contract', getOwnDemand)
  if (!demand.data)
    return (
      <Unloaded
        queries={[demand]}
        rows={5}
        missing={text.demand.own.notYours}
        back={<Link to={paths.ownDemands()}>{text.demand.own.list}</Link>}
      />
    )
  return <DemandDetail key={id} demand={demand.data} />
}

function DemandTags({ demand }: { demand: OwnDemand }) {
  const { demand: words } = useText()
  return (
    <p className="row mt-8">
      <DemandTag status={demand.status} hasWinner={demand.winners.length > 0} />
      <Tag>{words.type[demand.demandType]}</Tag>
      <Tag tone={demand.sealed ? 'blue' : 'plain'}>{demand.sealed ? words.sealed : words.unsealed}</Tag>
      {demand.lowEmissionZone && <Tag tone="amber">{words.lowEmission}</Tag>}
      {demand.revision > 1 && <Tag tone="amber">V{demand.revision}</Tag>}
    </p>
  )
}

function DemandDetail({ demand }: { demand: OwnDemand }) {
  const text = useText()
  const { own } = text.demand
  const site = useSiteName()
  const session = useSession()
  const [pending, setPending] = useState<ConfirmedMove | null>(null)
  const mayEdit = mayIn(session, 'demand:edit')
  const opened = isOpened(demand)
  // Only the clock ends a demand, or sends one back, without words.
  const byClock: Partial<Record<DemandStatus, string>> = {
    [demandStatus.failed]: own.undecided(decisionDays),
    [demandStatus.rejected]: own.approvalOff,
  }
  const ending = demand.statusReason || byClock[demand.status]
  const button = (move: ConfirmedMove, label: string, tone = '') => (
    <button type="button" className={`button ${tone}`} onClick={() => setPending(move)}>
      {label}
    </button>
  )
  return (
    <div className="stack">
      <Head title={demand.title} site={site} index={false} />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.ownDemands()}>{own.list}</Link> / <span className="num">{demand.demandCode}</span>
      </nav>
      <header className="panel">
        <div className="row between top">
          <div>
            <h1>{demand.title}</h1>
            <DemandTags demand={demand} />
            {ending && (
              <p className="soft mt-8">
                {own.reason}
                {colon(text)}
                {ending}
              </p>
            )}
            <Relatives demand={demand} />
          </div>
          <div>
            <p className="soft">
              {text.demand.deadline} <span className="num">{minute(demand.quoteDeadline)}</span>
            </p>
            {demand.status === demandStatus.quoting && (
              <p className="demand-left">
                <Countdown until={demand.quoteDeadline} />
              </p>
            )}
            {demand.decisionEnds && (
              <>
                <p className="soft">
                  {own.decisionEnds} <span className="num">{minute(demand.decisionEnds)}</span>
                </p>
                <p className="demand-left">
                  <Countdown until={demand.decisionEnds} />
                </p>
              </>
            )}
          </div>
        </div>
        <MoveButtons demand={demand} button={button} />
      </header>

      <StatusNotice demand={demand} button={button} />
      <ApprovalFacts demand={demand} />
      <AwardWaiting demand={demand} button={button} />
      <DemandContracts demand={demand} />
      {opened && <Compare demand={demand} />}

      <TermsSection demand={demand} />
      <Attachments files={demand.attachments} />
      {demand.status !== demandStatus.submitted && demand.status !== demandStatus.rejected && (
        <Questions demand={demand} side={mayEdit ? 'owner' : 'reader'} />
      )}
      <section className="panel">
        <h2>{own.timeline}</h2>
        <Timeline
          steps={demand.events.map(({ id, move, at, who, note }) => ({
            key: id,
            title: text.demand.move[move] ?? move,
            at,
            note: [who === '' ? own.who.clock : who === '-' ? own.who.outside : who, note].filter(Boolean).join(' · '),
          }))}
        />
      </section>
      <ChainPanel demandId={demand.id} />
      <DemandMoveDialog demand={demand} pending={pending} onClose={(move) => setPending((now) => (now === move ? null : now))} />
    </div>
  )
}

/** The platform's people look at the contact, which is counted. */
function Contact({ demand }: { demand: OwnDemand }) {
  const text = useText()
  if (demand.contactPhone === '') return <ContactLook demandId={demand.id} />
  return (
    <>
      {text.demand.contact}
      {colon(text)}
      {demand.contactName} <span className="num">{demand.contactPhone}</span>
    </>
  )
}

/** Links to the demand that this one continues and to those that continue it. */
function Relatives({ demand }: { demand: OwnDemand }) {
  const text = useText()
  const { own } = text.demand
  const link = ({ id, demandCode, title }: NonNullable<OwnDemand['source']>) => (
    <Link key={id} to={paths.ownDemand(id)}>
      {title} <span className="num">{demandCode}</span>
    </Link>
  )
  return (
    <>
      {demand.source && (
        <p className="small">
          {own.source}
          {colon(text)}
          {link(demand.source)}
        </p>
      )}
      {demand.followers.length > 0 && (
        <p className="small row">
          {own.followers}
          {colon(text)}
          {demand.followers.map(link)}
        </p>
      )}
    </>
  )
}

/** An award request that waits for the unit above, or that it has rejected. */
function AwardWaiting({ demand, button }: { demand: OwnDemand; button: MoveButton }) {
  const { own } = useText().demand
  const request = demand.awardRequest
  if (!request || demand.status !== demandStatus.reviewing || request.status === awardRequestStatus.approved) return null
  if (request.status === awardRequestStatus.rejected) return <p className="notice notice-warn">{own.awardReturned(request.reason)}</p>
  return (
    <div className="notice row between" role="status">
      <span>{own.awardWaiting(request.who, money(request.net))}</span>
      {demand.mayApprove && (
        <span className="row no-print">
          {button('awardApprove', own.awardApprove, 'button-primary button-small')}
          {button('awardReject', own.awardReject, 'button-danger button-small')}
        </span>
      )}
    </div>
  )
}

/** The actions of a demand in its present state, for the owner, the unit above and the platform. */
function MoveButtons({ demand, button }: { demand: OwnDemand; button: MoveButton }) {
  const text = useText()
  const { own } = text.demand
  const session = useSession()
  const { confirm, dialog } = useConfirm(...callsOfOwnDemands)
  const mayEdit = mayIn(session, 'demand:edit')
  const mayAward = mayIn(session, 'demand:award')
  const opened = isOpened(demand)
  const now = toMoment(new Date())
  const can = (move: DemandMove) => canMoveDemand(demand, move, 'owner', now)
  return (
    <>
      <FoldedActions label={text.list.more}>
        {demand.status === demandStatus.submitted && demand.mayApprove && (
          <>
            {button('approve', own.approve, 'button-primary')}
            {button('reject', own.reject, 'button-danger in-sight')}
          </>
        )}
        {mayEdit && demand.status === demandStatus.rejected && (
          <Link className="button button-primary" to={paths.addDemand(`?revise=${demand.id}`)}>
            {own.edit}
          </Link>
        )}
        {mayEdit &&
          can('open') &&
          !isShort(demand, now) &&
          openWait(demand, now) === null &&
          button('open', own.openNow, demand.quoteCount >= demand.minQuotes ? 'button-primary' : '')}
        {mayEdit && can('amend') && (
          <Link className="button" to={paths.addDemand(`?amend=${demand.id}`)}>
            {own.amend}
          </Link>
        )}
        {mayEdit && can('extend') && !isShort(demand, now) && button('extend', own.extend)}
        {mayEdit && demand.hasRest && (
          <Link className="button button-primary" to={paths.addDemand(`?rest=${demand.id}`)} title={own.restHint}>
            {isWithoutWinner(demand.status, demand.winners.length > 0) ? own.republish : own.rest}
          </Link>
        )}
        {opened && mayIn(session, 'demand:export') && (
          <button
            type="button"
            className="button"
            onClick={() => void download(exportApply, { query: { id: demand.id } }).catch(() => undefined)}
          >
            {own.export}
          </button>
        )}
        {opened && mayIn(session, 'demand:export') && (
          <button
            type="button"
            className="button"
            title={text.admin.evidence.hint}
            onClick={() => void download(exportEvidence, { params: { id: demand.id } }).catch(() => undefined)}
          >
            {text.admin.evidence.action}
          </button>
        )}
        {mayIn(session, 'demand:takeDown') && canMoveDemand(demand, 'takeDown', 'operator', now) && (
          <button
            type="button"
            className="button button-danger"
            onClick={() =>
              confirm({
                title: text.admin.demands.takeDown,
                question: text.admin.demands.takeDownAsk,
                subject: demand.title,
                note: { label: text.admin.reason, draft: `demand-take-down-${demand.id}` },
                run: (reason) => call(takeDemandDown, { params: { id: demand.id }, body: { reason } }),
                done: () => text.admin.demands.takenDown,
              })
            }
          >
            {text.admin.demands.takeDown}
          </button>
        )}
        {mayEdit && (
          <Link className="button" to={paths.addDemand(`?copy=${demand.id}`)}>
            {own.copy}
          </Link>
        )}
        <button type="button" className="button" onClick={() => window.print()}>
          {opened && demand.quoteCount > 0 ? text.quote.sheet.print : text.site.common.print}
        </button>
        {mayAward && can('fail') && !isShort(demand, now) && button('fail', own.fail, 'button-danger')}
        {mayEdit && can('cancel') && button('cancel', own.cancel, 'button-danger')}
      </FoldedActions>
      {dialog}
    </>
  )
}

/** The lines and terms of a demand, with what only its owner sees. */
function TermsSection({ demand }: { demand: OwnDemand }) {
  const text = useText()
  const { own } = text.demand
  return (
    <>
      <section className="panel">
        <h2>{text.demand.lines}</h2>
        <ItemsTable items={demand.items} />
      </section>
      <section className="panel">
        <h2>{text.demand.form.sections.duties}</h2>
        <FactsSection demand={demand} />
        <p className="mt-12">
          <Contact demand={demand} />
        </p>
        {demand.invited.length > 0 && (
          <p>
            {own.invited}
            {colon(text)}
            {demand.invited.map(({ companyName }) => companyName).join(comma(text))}
          </p>
        )}
        <OwnerTerms demand={demand} />
        {demand.internalCheck.length > 0 && (
          <>
            <h3 className="mt-12">{text.internal.check}</h3>
            <ul className="small">
              {demand.internalCheck.map(({ machineId, name, nameEn = name, deptName, take, reason }) => (
                <li key={machineId}>
                  {nameIn(text, name, nameEn)} · {deptName}
                  {colon(text)}
                  {take ? text.internal.taken : reason}
                </li>
              ))}
            </ul>
          </>
        )}
        {demand.terms && (
          <dl className="facts mt-12">
            <div className="span-all">
              <dt>{text.demand.terms}</dt>
              <dd className="pre-line">{demand.terms}</dd>
            </div>
          </dl>
        )}
      </section>
    </>
  )
}
