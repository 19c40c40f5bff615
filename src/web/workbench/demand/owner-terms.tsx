import type { OwnDemand } from '#shared/demand/contract.ts'
import { colon } from '../../app/colon.ts'
import { money } from '../../app/format.ts'
import { useText } from '../../app/text.tsx'

/** What lessors do not read of a demand's terms; the platform's people get no budget. */
export function OwnerTerms({ demand }: { demand: Pick<OwnDemand, 'methodReason' | 'internalReason' | 'budgetLimit'> }) {
  const text = useText()
  const budget = demand.budgetLimit && `${money(demand.budgetLimit)} ${text.site.common.yuan}`
  const terms: [label: string, value: string | null][] = [
    [text.demand.methodReason, demand.methodReason],
    [text.demand.form.internal, demand.internalReason],
    [text.demand.own.budget, budget],
  ]
  return terms.map(
    ([label, value]) =>
      value && (
        <p key={label} className="small soft">
          {label}
          {colon(text)}
          {value}
        </p>
      ),
  )
}
