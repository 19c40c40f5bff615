import type { Strategy } from '#shared/award/rules.ts'
import { daysBetween } from '#shared/calendar.ts'
import { colon } from '../../app/colon.ts'
import { useText } from '../../app/text.tsx'

const views = ['line', 'lessor'] as const

export function CompareHead({ view, onView }: { view: (typeof views)[number]; onView: (view: (typeof views)[number]) => void }) {
  const text = useText()
  const words = text.quote.compare
  return (
    <div className="row between no-print">
      <h2>{words.title}</h2>
      <div className="row" role="group" aria-label={words.title}>
        {views.map((one) => (
          <button
            key={one}
            type="button"
            className={`button button-small${view === one ? ' button-primary' : ''}`}
            aria-pressed={view === one}
            onClick={() => onView(one)}
          >
            {one === 'line' ? words.byLine : words.byLessor}
          </button>
        ))}
      </div>
    </div>
  )
}

const shares = { least: 10, plan: 100, most: 200 } as const

/** The duration for which the costs are shown, and the strategies that propose an award. */
export function CompareTools({
  items,
  percent,
  onPercent,
  onStrategy,
}: {
  items: readonly { planStart: string; planEnd: string }[]
  percent: number
  onPercent: (percent: number) => void
  onStrategy: ((strategy: Strategy) => void) | null
}) {
  const text = useText()
  const words = text.quote.compare
  const planned = new Set(items.map(({ planStart, planEnd }) => daysBetween(planStart, planEnd)))
  const [days = 0] = planned
  // Lines of different lengths have no scale in days in common.
  const labelOf = (share: number) => (planned.size === 1 ? words.durationDays(Math.max(1, Math.round((days * share) / 100))) : `${share}%`)
  const shown =
    percent === shares.plan ? `${words.durationPlan} ${planned.size === 1 ? words.durationDays(days) : ''}`.trim() : labelOf(percent)
  return (
    <div className="row between no-print">
      <label className="small duration">
        {words.duration}
        {colon(text)}
        <strong className="num">{shown}</strong> <span className="faint">{words.durationHint}</span>
        <input
          type="range"
          min={shares.least}
          max={shares.most}
          step="5"
          list="durations"
          aria-valuetext={shown}
          value={percent}
          onChange={(event) => onPercent(Number(event.target.value))}
        />
        <span className="duration-scale num" aria-hidden="true">
          <span>{labelOf(shares.least)}</span>
          <span>{words.durationPlan}</span>
          <span>{labelOf(shares.most)}</span>
        </span>
        <datalist id="durations">
          <option value={shares.plan} />
        </datalist>
      </label>
      {onStrategy && (
        <div className="row" role="group" aria-label={words.strategyHint}>
          {(['lowestLine', 'lowestLessor', 'earliest'] as const).map((strategy) => (
            <button key={strategy} type="button" className="button button-small" onClick={() => onStrategy(strategy)}>
              {words.strategy[strategy]}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
