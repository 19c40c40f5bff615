import type { CostAssumptions, CostStep, LandedCost } from '#shared/quote/landed-cost.ts'
import { money, moneyOfFen } from '../../app/format.ts'
import { useText } from '../../app/text.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { arithmetic } from './cost-arithmetic.ts'

/** Shows the addends of a landed cost: what is paid, its sum, and below that the VAT that is taken from it. */
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
  const row = (step: CostStep) => (
    <tr key={step.part}>
      <td>
        {words.part[step.part]}
        {step.atMinimum && <span className="small faint"> {words.minimum}</span>}
        <span className="small soft block">{arithmetic(text, step)}</span>
      </td>
      <td className="right num">{moneyOfFen(step.fen)}</td>
    </tr>
  )
  return (
    <Dialog open={cost !== null} onClose={onClose} title={title} closeLabel={text.site.action.close} wide>
      {cost && (
        <>
          <div className="scroll-x" tabIndex={0}>
            <table className="table">
              <tbody>
                {cost.steps.filter(({ part }) => part !== 'vat').map(row)}
                <tr>
                  <td>{words.gross}</td>
                  <td className="right num">{moneyOfFen(cost.grossFen)}</td>
                </tr>
                {cost.steps.filter(({ part }) => part === 'vat').map(row)}
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
