import type { CostAssumptions, CostStep, LandedCost } from '#shared/quote/landed-cost.ts'
import { money, moneyOfFen, number } from '../../app/format.ts'
import { useText } from '../../app/text.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** Shows the addends of a landed cost. */
export function CostDialog({
  cost,
  title,
  assumptions,
  onClose,
}: {
  cost: LandedCost | null
  title: string
  assumptions: CostAssumptions
  onClose: () => void
}) {
  const text = useText()
  const words = text.quote.cost
  return (
    <Dialog open={cost !== null} onClose={onClose} title={title} closeLabel={text.site.action.close} wide>
      {cost && (
        <>
          <div className="scroll-x" tabIndex={0}>
            <table className="table">
              <tbody>
                {cost.steps.map((step) => (
                  <tr key={step.part}>
                    <td>
                      {words.part[step.part]}
                      {step.atMinimum && <span className="small faint"> {words.minimum}</span>}
                      <span className="small soft block">{arithmetic(text, step)}</span>
                    </td>
                    <td className="right num">{moneyOfFen(step.fen)}</td>
                  </tr>
                ))}
                <tr>
                  <td>{words.gross}</td>
                  <td className="right num">{moneyOfFen(cost.grossFen)}</td>
                </tr>
                <tr>
                  <td>
                    <strong>{words.net}</strong>
                  </td>
                  <td className="right num">
                    <strong>{moneyOfFen(cost.netFen)}</strong>
                  </td>
                </tr>
                <tr>
                  <td>{words.perMonth}</td>
                  <td className="right num">{moneyOfFen(cost.perMachineMonthFen)}</td>
                </tr>
              </tbody>
            </table>
          </div>
          <p className="small faint">
            {words.assumptions(money(assumptions.dieselFenPerLitre / 100, true), money(assumptions.operatorMonthFen / 100))}
          </p>
        </>
      )}
    </Dialog>
  )
}

function arithmetic(text: ReturnType<typeof useText>, step: CostStep): string {
  const words = text.quote.cost
  const [a = 0, b = 0, c = 0, d = 0] = step.factors
  const n = (value: number) => number(value, 2)
  const units = (count: number) => {
    if (step.unit === 'M') return words.months(n(count))
    if (step.unit === 'S') return words.shifts(n(count))
    return [n(count), step.unit && text.equipment[count === 1 ? 'unitOne' : 'unitShort'][step.unit]].join(' ')
  }
  switch (step.part) {
    case 'rent':
      return `${money(a, true)} × ${units(b)} × ${words.machines(n(c))}`
    case 'operator':
      return `${money(a, true)} × ${words.months(n(b))} × ${words.crews(n(c))} × ${words.machines(n(d))}`
    case 'fuel':
      return `${words.litres(n(a))} × ${words.shifts(n(b))} × ${money(c, true)} × ${words.machines(n(d))}`
    case 'vat':
      return `${money(a, true)} ÷ (1 + ${b}%) × ${b}%`
    default:
      return `${money(a, true)} × ${words.machines(n(b))}`
  }
}
