import { changeOf, pointsOf } from '#shared/statistics/period.ts'
import { Link } from '../ui/link.tsx'
import { Popup } from '../ui/popup.tsx'
import { Spark } from '../ui/spark.tsx'
import { useText } from './text.tsx'
import './term.css'
import './figure-tile.css'

type TileProps = {
  label: string
  value: number | null
  /** The same figure in the period before. */
  before?: number | null | undefined
  format: (value: number) => string
  /** How the figure is computed. */
  hint?: string | undefined
  /** Its course, the oldest first. */
  course?: readonly (number | null)[] | undefined
  /** The rows that the figure counts. */
  to?: string | undefined
  keepsScroll?: boolean
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)}%`

/** A figure with the same figure of the period before, its course, and a link to what it counts. */
export function FigureTile({ label, value, before, format, hint, course, to, keepsScroll = false }: TileProps) {
  const text = useText()
  const words = text.statistics
  const shown = value === null ? '—' : format(value)
  // A share is compared in points: a percentage of a percentage misleads.
  const isShare = format === percent
  const change = before === undefined ? null : isShare ? pointsOf(value, before) : changeOf(value, before)
  const rounded = change === null ? '0.0' : (Math.abs(change) * 100).toFixed(1)
  const amount = isShare ? words.points(rounded) : `${rounded}%`
  return (
    <div className="panel">
      <dt className="small soft label-line">
        {label}
        {hint && (
          <Popup label={text.demand.form.explain(label)} className="term" button={<span aria-hidden="true">?</span>}>
            {() => <p className="small">{hint}</p>}
          </Popup>
        )}
      </dt>
      <dd className="figure num">
        {to ? (
          <Link to={to} preventScrollReset={keepsScroll}>
            {shown}
          </Link>
        ) : (
          shown
        )}
      </dd>
      {before !== undefined && before !== null && (
        <dd className="figure-before small faint num">
          {words.before(format(before))}{' '}
          {change !== null && rounded !== '0.0' && (
            <span className="figure-change">
              <span aria-hidden="true">{change > 0 ? '▲' : '▼'}</span>{' '}
              <span className="visually-hidden">{words.change(`${change > 0 ? '+' : '−'}${amount}`)}</span>
              <span aria-hidden="true">{amount}</span>
            </span>
          )}
        </dd>
      )}
      {course && course.some((point) => point !== null) && (
        <dd>
          <Spark values={course} />
        </dd>
      )}
    </div>
  )
}
