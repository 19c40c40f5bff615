import { useEffect, useState, type ReactNode } from 'react'
import { paths } from '#shared/paths.ts'
import { demandStatus, isWithoutWinner, type DemandStatus } from '#shared/demand/rules.ts'
import { day, named, placeName, remaining } from '../app/format.ts'
import { Period } from '../app/period.tsx'
import { useText } from '../app/text.tsx'
import { Link } from '../ui/link.tsx'
import { Tag, type Tone } from '../ui/parts.tsx'
import type * as row from './demand-row.ts'

const demandTone: Record<DemandStatus, Tone> = {
  [demandStatus.draft]: 'plain',
  [demandStatus.submitted]: 'amber',
  [demandStatus.rejected]: 'bad',
  [demandStatus.quoting]: 'blue',
  [demandStatus.reviewing]: 'amber',
  [demandStatus.awarded]: 'good',
  [demandStatus.awardedPart]: 'good',
  [demandStatus.failed]: 'plain',
  [demandStatus.cancelled]: 'plain',
  [demandStatus.completed]: 'good',
}

/** The state of a demand. `hasWinner` is false where nobody is left of those that were awarded something. */
export function DemandTag({ status, hasWinner = true }: { status: DemandStatus; hasWinner?: boolean }) {
  const words = useText().demand
  if (isWithoutWinner(status, hasWinner)) return <Tag tone="warn">{words.noWinner}</Tag>
  return <Tag tone={demandTone[status]}>{words.status[status]}</Tag>
}

/** Counts down to a deadline. The server renders the deadline itself, after `label`, because its time would be stale in the browser. */
export function Countdown({ until, label = '' }: { until: string | null; label?: string }) {
  const text = useText()
  const [now, setNow] = useState<number | null>(null)
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  if (now === null) return <span className="num">{`${label} ${until?.slice(5, 16) ?? ''}`}</span>
  return <span className="num">{remaining(text, until, now) ?? text.demand.closed}</span>
}

/** `heading` fits the card into the outline of the page: h2 in a list, h3 inside a section. */
export function DemandListItem({
  demand,
  to,
  heading: Heading = 'h2',
  extra,
  foot,
}: {
  demand: row.DemandRow
  to?: string
  heading?: 'h2' | 'h3'
  /** Stands at the right edge. */
  extra?: ReactNode
  /** Stands below, inside the card. */
  foot?: ReactNode
}) {
  const text = useText()
  return (
    <article className="demand">
      <div>
        <Heading className="card-title">
          <Link to={to ?? paths.demand(demand.id)}>{demand.title}</Link>
          <DemandTag status={demand.status} />
          {demand.urgent && <Tag tone="bad">{text.demand.urgent}</Tag>}
        </Heading>
        <div className="demand-lines">
          {demand.items.map((item) => (
            <Tag key={item.id}>{`${named(text, item)} ×${item.qty}`}</Tag>
          ))}
        </div>
        <p className="small soft">
          {`${placeName(text, demand)} · ${demand.projectName} · `}
          <span className="num">{demand.demandCode}</span>
        </p>
      </div>
      <div className="demand-side small">
        {demand.status === demandStatus.quoting ? (
          <span className="demand-left">
            <Countdown until={demand.quoteDeadline} label={text.demand.deadline} />
          </span>
        ) : (
          <span className="soft num">{`${text.demand.deadline} ${day(demand.quoteDeadline)}`}</span>
        )}
        <span className="soft">
          <Period from={demand.planStart ?? ''} to={demand.planEnd ?? ''} />
        </span>
      </div>
      {extra && <div className="demand-extra">{extra}</div>}
      {foot && <div className="demand-foot small">{foot}</div>}
    </article>
  )
}
