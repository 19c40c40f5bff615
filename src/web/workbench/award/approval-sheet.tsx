import { createPortal } from 'react-dom'
import { awardRequestStatus, type Pick } from '#shared/award/rules.ts'
import { toMoment } from '#shared/calendar.ts'
import type { OwnDemand } from '#shared/demand/contract.ts'
import { machinesText } from '#shared/machines-text.ts'
import { termsOfLine } from '#shared/quote/line-terms.ts'
import { colon } from '../../app/colon.ts'
import { minute, money, moneyOfFen, named } from '../../app/format.ts'
import { useText } from '../../app/text.tsx'
import { Deviations, otherDutiesIn } from './compare-offer.tsx'
import { cellAboveLowest, netOf, netOfPick, type Cell, type Compared } from './compared.ts'
import type { ReasonedPick } from './use-picks.ts'

/**
 * The sheet that is printed in place of the page of an opened demand: A4 across, every offer with its figures, the award or the choice so far,
 * and boxes for signatures. It lies beside the page, so that nothing else of the page is printed.
 */
export function ApprovalSheet({
  demand,
  compared,
  cells,
  picks,
}: {
  demand: OwnDemand
  compared: Compared
  cells: readonly Cell[]
  /** What is chosen on the page and not awarded yet. */
  picks: readonly ReasonedPick[]
}) {
  const text = useText()
  const words = text.quote.sheet
  const { assumptions, quotes, award } = compared
  const request = demand.awardRequest?.status === awardRequestStatus.waiting ? demand.awardRequest : null
  const chosen = award?.lines ?? request?.lines ?? picks
  const { basics } = words
  const facts: [string, string][] = [
    [basics.project, demand.projectName],
    [basics.title, demand.title],
    [basics.code, demand.demandCode ?? ''],
    [basics.method, text.demand.method[demand.method]],
    ...(demand.methodReason ? [[text.demand.methodReason, demand.methodReason] as [string, string]] : []),
    [basics.deadline, minute(demand.quoteDeadline)],
    [basics.opened, minute(demand.openTime)],
    [basics.quotes, String(quotes.length)],
  ]
  return createPortal(
    <section className="print-sheet approval-sheet">
      <h1>{words.title}</h1>
      <dl>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>
              {label}
              {colon(text)}
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {demand.items.map((item) => (
        <SheetLine
          key={item.id}
          item={item}
          ceiling={demand.ceilings[item.id]}
          cells={cells.filter(({ line }) => line.demandItemId === item.id)}
          chosen={chosen}
        />
      ))}
      <p className="sheet-basis">
        {words.basis(money(assumptions.dieselFenPerLitre / 100, true), money(assumptions.operatorMonthFen / 100))}
      </p>
      <SheetResult demand={demand} cells={cells} chosen={chosen} isAwarded={award !== null} />
      <table className="sheet-boxes">
        <tbody>
          <tr>
            {words.boxes.map((box) => (
              <td key={box}>
                <strong>{box}</strong>
                <span>{words.sign}</span>
                <span>{words.date}</span>
              </td>
            ))}
          </tr>
        </tbody>
      </table>
      <p className="sheet-foot">{words.printed(minute(toMoment(new Date())))}</p>
    </section>,
    document.body,
  )
}

type LineProps = { item: OwnDemand['items'][number]; ceiling: string | undefined; cells: readonly Cell[]; chosen: readonly Pick[] }

/** The offers of one line of the demand. */
export function SheetLine({ item, ceiling, cells, chosen }: LineProps) {
  const text = useText()
  const words = text.quote.sheet
  const { columns } = words
  const ranked = cells.toSorted((a, b) => netOf(a) - netOf(b))
  return (
    <section className="sheet-line">
      <h2>
        {words.lineTitle(item.lineNo, named(text, item), item.qty, item.planStart, text.list.endDay(item.planEnd))}
        {ceiling && <span> {words.ceiling(money(ceiling), text.equipment.unit[item.rentUnit])}</span>}
      </h2>
      {ranked.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <table>
          <thead>
            <tr>
              {Object.entries(columns).map(([key, label]) => (
                <th key={key} className={`sheet-${key}`}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ranked.map((cell, rank) => {
              const { quote, line, cost } = cell
              const above = cellAboveLowest(cell, cells)
              const qty = chosen.find(({ quoteLineId }) => quoteLineId === line.id)?.qty
              return (
                <tr key={line.id} className={qty ? 'sheet-chosen' : ''}>
                  <td>{rank + 1}</td>
                  <td className="sheet-lessor">
                    {quote.companyName}
                    {line.overCeiling && <em> {text.quote.compare.overCeiling}</em>}
                    {cell.otherDuties.length > 0 && <span className="block">{otherDutiesIn(text, cell)}</span>}
                    {line.deviation && (
                      <span className="block">
                        {text.quote.compare.deviation}
                        {colon(text)}
                        {line.deviation}
                      </span>
                    )}
                  </td>
                  <td className="sheet-machine">
                    {line.machines.map((machine) => (
                      <span key={machine.equipmentId} className="block">
                        {machinesText(text, [machine])}
                        <Deviations machine={machine} />
                      </span>
                    ))}
                  </td>
                  <td className="sheet-num">
                    {money(line.unitPrice, true)}
                    <br />
                    {text.equipment.unit[line.rentUnit]} {line.taxRate}%<span className="offer-terms">{termsOfLine(text, line)}</span>
                  </td>
                  <td className="sheet-num">{moneyOfFen(cost.rentFen)}</td>
                  <td className="sheet-num">{moneyOfFen(cost.grossFen)}</td>
                  <td className="sheet-num">
                    <strong>{moneyOfFen(cost.netFen)}</strong>
                  </td>
                  <td className="sheet-num">
                    {above === null ? '–' : above.fen > 0 ? `+${moneyOfFen(above.fen)}` : text.quote.compare.cheapest}
                  </td>
                  <td className="sheet-num">{line.earliestEntry}</td>
                  <td className="sheet-num">{qty ? `✓ ×${qty}` : ''}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** The award with its reasons, or the choice so far. */
export function SheetResult({
  demand,
  cells,
  chosen,
  isAwarded,
}: {
  demand: { items: OwnDemand['items'] }
  cells: readonly Cell[]
  chosen: readonly (ReasonedPick & { net?: string })[]
  isAwarded: boolean
}) {
  const text = useText()
  const words = text.quote.sheet
  const rows = chosen.flatMap((pick) => {
    const cell = cells.find(({ line }) => line.id === pick.quoteLineId)
    const item = demand.items.find(({ id }) => id === pick.demandItemId)
    return cell && item ? [{ pick, cell, item, netFen: netOfPick(pick, cell) }] : []
  })
  return (
    <section className="sheet-result">
      <h2>{words.result}</h2>
      {rows.length === 0 ? (
        <p>{isAwarded ? text.quote.compare.awardGone : words.resultOpen}</p>
      ) : (
        <>
          <ul>
            {rows.map(({ pick, cell, item, netFen }) => (
              <li key={pick.quoteLineId}>
                {words.resultLine(item.lineNo, cell.quote.companyName, pick.qty, moneyOfFen(netFen))}
                {pick.reason && words.resultReason(pick.reason)}
              </li>
            ))}
          </ul>
          <p>
            <strong>{words.total(moneyOfFen(rows.reduce((sum, { netFen }) => sum + netFen, 0)))}</strong>
          </p>
        </>
      )}
    </section>
  )
}
