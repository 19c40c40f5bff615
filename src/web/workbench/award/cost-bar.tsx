import { groupCost, type LandedCost } from '#shared/quote/landed-cost.ts'
import { semicolon } from '#shared/text/punctuation.ts'
import { colon } from '../../app/colon.ts'
import { moneyOfFen } from '../../app/format.ts'
import { useText } from '../../app/text.tsx'

/** The parts of a landed cost as one bar, as long as its share of the dearest offer of the line. The parts are in words for screen readers. */
export function CostBar({ cost, largestFen }: { cost: LandedCost; largestFen: number }) {
  const text = useText()
  const words = text.quote.cost
  const groups = groupCost(cost)
  const label = groups.map(({ group, fen: amount }) => `${words.group[group]} ${moneyOfFen(amount)}`).join(semicolon(text))
  return (
    <span className="cost-bar" role="img" aria-label={`${words.bar}${colon(text)}${label}`} title={label}>
      {groups.map(({ group, fen: amount }) => (
        <span key={group} className={`cost-${group}`} style={{ width: `${(100 * amount) / largestFen}%` }} />
      ))}
    </span>
  )
}

/** Which colour of the bars stands for which part. */
export function CostLegend({ costs }: { costs: readonly LandedCost[] }) {
  const words = useText().quote.cost
  const used = new Set(costs.flatMap((cost) => groupCost(cost).map(({ group }) => group)))
  return (
    <p className="row small soft cost-legend" aria-hidden="true">
      {(Object.keys(words.group) as (keyof typeof words.group)[])
        .filter((group) => used.has(group))
        .map((group) => (
          <span key={group}>
            <span className={`cost-swatch cost-${group}`} /> {words.group[group]}
          </span>
        ))}
    </p>
  )
}
