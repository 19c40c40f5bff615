import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { yuanOf } from '#shared/amount-text.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import { canMove, isAmong } from '#shared/lifecycle.ts'
import { paths } from '#shared/paths.ts'
import { getDemandForLessor } from '#shared/quote/contract.ts'
import { changeableQuotes, quoteMoves, quoteStatus } from '#shared/quote/rules.ts'
import { listQuestions } from '#shared/question/contract.ts'
import { call } from '../app/api.ts'
import { useFollow } from '../app/follow.ts'
import { colon } from '../app/colon.ts'
import { minute } from '../app/format.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { ChainPanel } from '../demand/chain-panel.tsx'
import { ContactLook } from '../demand/contact-look.tsx'
import { Countdown, DemandTag } from '../demand/demand-card.tsx'
import { Attachments, FactsSection, ItemsTable } from '../demand/demand-parts.tsx'
import { Questions } from '../question/questions.tsx'
import { Link } from '../ui/link.tsx'
import { Head, Tag } from '../ui/parts.tsx'
import { quoteTone } from './market-list-page.tsx'
import { QuoteForm } from './quote/quote-form.tsx'
import { grossOfQuote, lacksDeviation, type ForLessor } from './quote/quote-line.ts'
import { QuoteReceipt } from './quote/quote-standing.tsx'
import { QuoteView } from './quote/quote-view.tsx'
import { storedQuote } from './quote/use-quote-draft.ts'
import { WonPanel } from './quote/won-panel.tsx'
import './quote/quote.css'

/** The chain is shown from the opening on. */
const unopenedDemands = [demandStatus.draft, demandStatus.submitted, demandStatus.quoting]

export default function MarketDetailPage() {
  const text = useText()
  const [params] = useSearchParams()
  const id = params.get('id') ?? '0'
  const found = useQuery({
    queryKey: [getDemandForLessor.url, id],
    queryFn: () => call(getDemandForLessor, { params: { id } }),
    // Where no message arrives, the clock opens the demand at its deadline all the same.
    refetchInterval: ({ state }) => (state.data?.demand.status === demandStatus.quoting ? 60_000 : false),
  })
  useFollow('demand', getDemandForLessor, listQuestions)
  useFollow('contract', getDemandForLessor)
  if (!found.data) return <Unloaded queries={[found]} rows={5} back={<Link to={paths.market()}>{text.quote.title}</Link>} />
  return <MarketDetail key={id} found={found.data} />
}

function MarketDetail({ found }: { found: ForLessor }) {
  const text = useText()
  const site = useSiteName()
  const { demand, bar } = found
  // After a withdrawal the company may quote anew.
  const quote = found.quote && found.quote.status !== quoteStatus.withdrawn ? found.quote : null
  const editable = bar === null && quote !== null && canMove(quoteMoves, 'change', quote.status, 'lessor')
  // Also for want of a machine: whoever cannot deliver any more is the one who has to withdraw.
  const mayWithdraw = (bar === null || bar === 'no_machine') && quote !== null && canMove(quoteMoves, 'withdraw', quote.status, 'lessor')
  const accountId = useSession().info?.user.userId ?? 0
  // A change that was typed and not submitted goes on where it was.
  const [isChanging, setChanging] = useState(() => storedQuote(accountId, demand.id) !== undefined)
  const [round, setRound] = useState(0)
  const top = useRef<HTMLDivElement>(null)
  const justSent = useRef(false)
  const shownHash = quote?.sealHash
  useEffect(() => {
    if (!justSent.current || isChanging || shownHash === undefined) return
    justSent.current = false
    top.current?.focus({ preventScroll: true })
    top.current?.scrollIntoView({ block: 'start' })
  }, [shownHash, isChanging])
  const form = (
    <QuoteForm
      // The fields stand in the order of the demand's lines, so another revision of the demand opens the form anew with what was typed.
      key={`${found.quote?.id}-${found.quote?.version}-${round}-${found.revision}-${demand.items.map(({ id }) => id).join()}`}
      found={found}
      quote={quote}
      onStop={() => {
        setChanging(false)
        setRound(round + 1)
      }}
      onSubmitted={() => {
        // What was typed after the press is not in the quote, so the form stays open with it.
        const goesOn = storedQuote(accountId, demand.id) !== undefined
        justSent.current = !goesOn
        setChanging(goesOn)
      }}
    />
  )
  return (
    <div className="stack">
      <Head title={demand.title} site={site} index={false} />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.market()}>{text.quote.title}</Link> / <span className="num">{demand.demandCode}</span>
      </nav>
      <DemandHeader found={found} mayQuote={!bar && quote === null} />
      {quote && (
        <div ref={top} tabIndex={-1} className="quote-top">
          {quote.won ? (
            <WonPanel found={found} quote={quote} won={quote.won} />
          ) : (
            <QuoteReceipt
              quote={quote}
              sum={yuanOf(grossOfQuote(found, quote))}
              sealed={demand.sealed}
              editable={editable}
              mayWithdraw={mayWithdraw}
              minValidUntil={found.minValidUntil}
              lacksDeviation={lacksDeviation(quote, found.candidates)}
              demandRevision={found.revision}
              isUninvited={found.isUninvited}
              onChange={isChanging ? undefined : () => setChanging(true)}
            />
          )}
        </div>
      )}
      {editable && isChanging ? form : quote && <QuoteView found={found} quote={quote} />}
      <DemandSections found={found} />
      {bar && (quote === null || isAmong(quote.status, changeableQuotes)) && (
        <div className="notice notice-warn">
          {quote === null && <strong>{text.quote.barTitle}</strong>}
          <p>
            {text.quote.bar[bar]} {bar === 'no_machine' && <Link to={paths.addMachine}>{text.equipment.upload.title}</Link>}
          </p>
        </div>
      )}
      {quote && !isAmong(demand.status, unopenedDemands) && <ChainPanel demandId={demand.id} />}
      {!bar && quote === null && form}
    </div>
  )
}

/** Title, state and deadline of the demand, with what became of the own quote. */
function DemandHeader({ found: { demand, revision, quote }, mayQuote }: { found: ForLessor; mayQuote: boolean }) {
  const text = useText()
  const state = text.demand.status[demand.status]
  const ownState = quote && text.quote.status[quote.status]
  return (
    <header className="panel">
      <div className="row between top">
        <div>
          <h1>{demand.title}</h1>
          <p className="row mt-8">
            <DemandTag status={demand.status} hasWinner={demand.winners.length > 0} />
            {revision > 1 && <Tag tone="amber">V{revision}</Tag>}
            <Tag tone={demand.sealed ? 'blue' : 'plain'}>{demand.sealed ? text.demand.sealed : text.demand.unsealed}</Tag>
            {ownState && ownState !== state && <Tag tone={quoteTone[quote.status]}>{ownState}</Tag>}
            {demand.lowEmissionZone && <Tag tone="amber">{text.demand.lowEmission}</Tag>}
          </p>
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
        </div>
      </div>
      {!quote?.won && (
        <div className="row mt-12">
          {mayQuote && (
            <a className="button" href="#quote">
              {text.quote.form.title}
            </a>
          )}
          <ContactLook key={demand.id} demandId={demand.id} />
        </div>
      )}
      {quote?.status === quoteStatus.lost && quote.loseReason && (
        <p className="soft">
          {text.quote.compare.loseReason}
          {colon(text)}
          {text.quote.compare.loseReasons[quote.loseReason]}
        </p>
      )}
    </header>
  )
}

/** The demand as it asks for quotes: its lines, terms, files, questions and changes. */
function DemandSections({ found: { demand, changes } }: { found: ForLessor }): ReactNode {
  const text = useText()
  return (
    <>
      <section className="panel">
        <h2>{text.demand.lines}</h2>
        <ItemsTable items={demand.items} />
      </section>
      <section className="panel stack">
        <h2>{text.demand.form.sections.duties}</h2>
        <FactsSection demand={demand} />
        {demand.terms && (
          <dl className="facts">
            <div className="span-all">
              <dt>{text.demand.terms}</dt>
              <dd className="pre-line">{demand.terms}</dd>
            </div>
          </dl>
        )}
      </section>
      <Attachments files={demand.attachments} />
      <Questions demand={demand} side="lessor" />
      {changes.length > 0 && (
        <section className="panel">
          <h2>{text.quote.form.changes}</h2>
          <ul>
            {changes.map((change) => (
              <li key={change.at}>
                <span className="num faint small">{minute(change.at)}</span> {change.note}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
