import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { getDemandForLessor } from '#shared/quote/contract.ts'
import { call } from '../app/api.ts'
import { ChainPanel } from '../demand/chain-panel.tsx'
import { minute } from '../app/format.ts'
import { paths } from '#shared/paths.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { quoteStatus } from '#shared/quote/rules.ts'
import { ContactLook } from '../demand/contact-look.tsx'
import { Countdown, demandTone } from '../demand/demand-card.tsx'
import { Attachments, DemandFacts, ItemsTable } from '../demand/demand-parts.tsx'
import { Questions } from '../question/questions.tsx'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Empty, Head, Skeleton, Tag } from '../ui/parts.tsx'
import { quoteTone } from './market-list-page.tsx'
import { QuoteForm } from './quote-form.tsx'
import { Link } from '../ui/link.tsx'

/** The chain is shown from the opening on. */
const unopenedDemands = [demandStatus.draft, demandStatus.submitted, demandStatus.quoting]

export default function MarketDetailPage() {
  const text = useText()
  const site = useSiteName()
  const [params] = useSearchParams()
  const id = params.get('id') ?? '0'
  const found = useQuery({ queryKey: [getDemandForLessor.url, id], queryFn: () => call(getDemandForLessor, { params: { id } }) })
  if (found.isPending) return <Skeleton rows={5} />
  if (found.isError) return <Empty title={text.refusal.not_found} action={<Link to={paths.market()}>{text.quote.title}</Link>} />
  const { demand, bar, quote } = found.data
  return (
    <div className="stack">
      <Head title={demand.title} site={site} index={false} />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.market()}>{text.quote.title}</Link> / <span className="num">{demand.demandCode}</span>
      </nav>
      <header className="panel">
        <div className="row between" style={{ alignItems: 'flex-start' }}>
          <div>
            <h1>{demand.title}</h1>
            <p className="row mt-8">
              <Tag tone={demandTone[demand.status]}>{text.demand.status[demand.status]}</Tag>
              {found.data.revision > 1 && <Tag tone="amber">V{found.data.revision}</Tag>}
              <Tag tone={demand.sealed ? 'blue' : 'plain'}>{demand.sealed ? text.demand.sealed : text.demand.unsealed}</Tag>
              {quote && <Tag tone={quoteTone[quote.status]}>{text.quote.status[quote.status]}</Tag>}
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
        <p className="mt-12">
          <ContactLook demandId={demand.id} />
        </p>
        {quote?.status === quoteStatus.lost && quote.loseReason && (
          <p className="soft">
            {text.quote.compare.loseReason}: {text.quote.compare.loseReasons[quote.loseReason]}
          </p>
        )}
      </header>
      <section className="panel">
        <h2>{text.demand.lines}</h2>
        <ItemsTable items={demand.items} />
      </section>
      <section className="panel">
        <h2>{text.demand.form.sections.duties}</h2>
        <DemandFacts demand={demand} />
        {demand.terms && <p className="soft pre-line">{demand.terms}</p>}
      </section>
      <Attachments files={demand.attachments} />
      <Questions demand={demand} side="lessor" />
      {found.data.changes.length > 0 && (
        <section className="panel">
          <h2>{text.quote.form.changes}</h2>
          <ul>
            {found.data.changes.map((change) => (
              <li key={change.at}>
                <span className="num faint small">{minute(change.at)}</span> {change.note}
              </li>
            ))}
          </ul>
        </section>
      )}
      {bar ? (
        <div className="notice notice-warn">
          <strong>{text.quote.barTitle}</strong>
          <p>{text.quote.bar[bar]}</p>
        </div>
      ) : null}
      {quote && !isAmong(demand.status, unopenedDemands) && <ChainPanel demandId={demand.id} />}
      {(!bar || quote) && <QuoteForm key={`${quote?.id}-${quote?.version}`} found={found.data} />}
    </div>
  )
}
