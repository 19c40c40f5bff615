import { fenOf } from '#shared/amount-text.ts'
import type { OwnDemand } from '#shared/demand/contract.ts'
import { rentAtFen } from '#shared/demand/estimate.ts'
import { demandStatus, demandType } from '#shared/demand/rules.ts'
import { nameIn } from '#shared/text/name-in.ts'
import { colon } from '../../app/colon.ts'
import { money, moneyOfFen, named } from '../../app/format.ts'
import { RowTable } from '../../app/list-frame.tsx'
import { useText } from '../../app/text.tsx'

/** What the unit above decides on: the ceiling and the estimate of each line, the budget, and the idle machines of the group. */
export function ApprovalFacts({ demand }: { demand: OwnDemand }) {
  const text = useText()
  const words = text.demand.approval
  if (demand.status !== demandStatus.submitted || !demand.mayApprove) return null
  const rows = demand.items.map((item) => {
    const ceiling = demand.ceilings[String(item.id)] ?? null
    return { item, ceiling, estimateFen: ceiling === null ? null : rentAtFen(item, fenOf(ceiling)) }
  })
  const known = rows.flatMap(({ estimateFen }) => estimateFen ?? [])
  const totalFen = known.reduce((sum, one) => sum + one, 0)
  const budgetFen = demand.budgetLimit === null ? null : fenOf(demand.budgetLimit)
  return (
    <section className="stack" aria-label={words.title}>
      <h2>{words.title}</h2>
      <RowTable
        rows={rows}
        keyOf={({ item }) => item.id}
        columns={[
          { label: text.demand.lines, whole: true, cell: ({ item }) => `${named(text, item)} ×${item.qty}` },
          {
            label: words.ceiling,
            num: true,
            cell: ({ item, ceiling }) => (ceiling === null ? words.noCeiling : `${money(ceiling)} ${text.equipment.unit[item.rentUnit]}`),
          },
          {
            label: words.estimate,
            num: true,
            cell: ({ estimateFen }) => (estimateFen === null ? text.site.common.none : moneyOfFen(estimateFen)),
          },
        ]}
      />
      <ul className="panel stack gap-8">
        {known.length > 0 && (
          <li>
            {words.total(moneyOfFen(totalFen))}
            {known.length < rows.length && ` ${words.partial(rows.length - known.length)}`}
          </li>
        )}
        <li className={budgetFen !== null && totalFen > budgetFen ? 'field-error' : undefined}>
          {budgetFen === null
            ? words.noBudget
            : words.budget(moneyOfFen(budgetFen), totalFen > budgetFen ? moneyOfFen(totalFen - budgetFen) : '')}
        </li>
        <li>
          {demand.internalCheck.length > 0
            ? words.internal(demand.internalCheck.length)
            : demand.demandType === demandType.public
              ? words.noInternal
              : words.notChecked(text.demand.type[demand.demandType])}
        </li>
        {demand.internalCheck.map(({ machineId, name, nameEn = name, deptName, take, reason }) => (
          <li key={machineId} className="small soft">
            {nameIn(text, name, nameEn)} · {deptName}
            {colon(text)}
            {take ? text.internal.taken : reason}
          </li>
        ))}
      </ul>
    </section>
  )
}
