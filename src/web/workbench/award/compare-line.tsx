import type { Pick } from '#shared/award/rules.ts'
import type { OwnDemand } from '#shared/demand/contract.ts'
import type { CostOffer } from '#shared/quote/landed-cost.ts'
import { termsOfLine } from '#shared/quote/line-terms.ts'
import { outcomeOf } from '#shared/quote/lowest.ts'
import { colon } from '../../app/colon.ts'
import { money, moneyOfFen, named, number } from '../../app/format.ts'
import { Period } from '../../app/period.tsx'
import { useText } from '../../app/text.tsx'
import { Tag } from '../../ui/parts.tsx'
import { OfferedMachines, OfferTags } from './compare-offer.tsx'
import {
  againstCeiling,
  cellAboveLowest,
  cheapestStanding,
  isEarliest,
  netOf,
  type Cell,
  type Compared,
  type ComparedLine,
} from './compared.ts'
import { CostBar, CostLegend } from './cost-bar.tsx'

type Item = OwnDemand['items'][number]

/** All offers of one line, the cheapest for a machine first. Every total opens its arithmetic. */
export function CompareLine({
  item,
  cells,
  ceiling,
  award,
  picks,
  breakEven,
  onPick,
  onShow,
}: {
  item: Item
  cells: readonly Cell[]
  ceiling: string | undefined
  award: Compared['award']
  /** Null if nothing can be chosen. */
  picks: readonly Pick[] | null
  breakEven: (a: CostOffer, b: CostOffer) => number | null
  onPick: (line: ComparedLine, qty: number) => void
  onShow: (cell: Cell) => void
}) {
  const text = useText()
  const words = text.quote.compare
  const ranked = cells.toSorted((a, b) => netOf(a) - netOf(b))
  const [first, second] = cheapestStanding(cells)
  const turn = first && second ? breakEven(first.offer, second.offer) : null
  // Past the break-even day the cheaper offer is the one that gains with a longer hire; before it, the other one gains.
  const gains = first && turn !== null && first.cost.days >= turn ? first : second
  const loses = gains === first ? second : first
  return (
    <section>
      <h3 className="mb-8">
        {item.lineNo}. {named(text, item)} ×{item.qty}{' '}
        <span className="small soft">
          <Period from={item.planStart} to={item.planEnd} />
        </span>
        {ceiling && (
          <span className="small soft num"> · {text.quote.sheet.ceiling(money(ceiling), text.equipment.unit[item.rentUnit])}</span>
        )}{' '}
        {cells.some(({ line }) => line.isOver) && <Tag tone="bad">{words.lineOver}</Tag>}
      </h3>
      {ranked.length === 0 ? (
        <p className="soft">{words.notOffered}</p>
      ) : (
        <div className="scroll-x" tabIndex={0}>
          <table className="table compare-table">
            <thead>
              <tr>
                <th>{words.lessor}</th>
                <th>{words.machine}</th>
                <th className="right">{words.rate}</th>
                <th className="right">{text.quote.cost.landedNet}</th>
                <th className="right">{words.againstLowest}</th>
                <th className="right">{text.quote.cost.perMonth}</th>
                <th>{words.entry}</th>
                {picks && <th>{item.qty === 1 ? words.award : words.awardQty}</th>}
              </tr>
            </thead>
            <tbody>
              {ranked.map((cell) => (
                <OfferRow
                  key={cell.line.id}
                  cell={cell}
                  cells={cells}
                  item={item}
                  ceiling={ceiling}
                  award={award}
                  picked={picks ? (picks.find(({ quoteLineId }) => quoteLineId === cell.line.id)?.qty ?? 0) : null}
                  onPick={onPick}
                  onShow={onShow}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {ranked.length > 0 && <CostLegend costs={ranked.map(({ cost }) => cost)} />}
      {turn !== null && gains && loses && (
        <p className="small soft">{words.breakEven(gains.quote.companyName, loses.quote.companyName, turn)}</p>
      )}
    </section>
  )
}

type RowProps = {
  cell: Cell
  /** The offers of the same line. */
  cells: readonly Cell[]
  item: Item
  ceiling: string | undefined
  award: Compared['award']
  /** The awarded quantity, or null if nothing can be chosen. */
  picked: number | null
  onPick: (line: ComparedLine, qty: number) => void
  onShow: (cell: Cell) => void
}

/** One offer with its figures; those that are the best of the line are marked. */
function OfferRow({ cell, cells, item, ceiling, award, picked, onPick, onShow }: RowProps) {
  const text = useText()
  const words = text.quote.compare
  const { quote, line, cost } = cell
  const above = cellAboveLowest(cell, cells)
  const isLowest = above?.fen === 0
  const outcome = outcomeOf(quote, line, award)
  const isFirst = isEarliest(cell, cells, item)
  const largestFen = Math.max(...cells.map((one) => one.cost.grossFen))
  const hasWon = outcome !== null && outcome.won > 0
  return (
    <tr className={hasWon || (award === null && isLowest) ? 'best' : ''}>
      <td className="whole">
        <strong>{quote.companyName}</strong>
        <OfferTags cell={cell} isCheapest={isLowest} isEarliest={isFirst} outcome={outcome} />
        {line.deviation && (
          <p className="small">
            {words.deviation}
            {colon(text)}
            {line.deviation}
          </p>
        )}
        {line.overCeiling && line.ceilingReason && <p className="small soft">{line.ceilingReason}</p>}
      </td>
      <td className="whole small">
        <OfferedMachines line={line} wanted={item.qty} />
      </td>
      <td data-label={words.rate} className="right num">
        <span>
          {money(line.unitPrice, true)}
          <br />
          <span className="small soft">
            {text.equipment.unit[line.rentUnit]} · {line.taxRate}%<span className="offer-terms">{termsOfLine(text, line)}</span>
            {line.includesOperator ? text.equipment.withOperator : text.equipment.bare} ·{' '}
            {line.includesFuel ? text.equipment.fuelBy.lessor : text.equipment.fuelBy[line.fuelledQty > 0 ? 'lessee' : 'none']}
          </span>
          <CeilingDifference cell={cell} item={item} ceiling={ceiling} />
        </span>
      </td>
      <td data-label={text.quote.cost.landedNet} className="right num">
        <span>
          <button
            type="button"
            className={`figure-button${isLowest ? ' best-value' : ''}`}
            aria-label={`${quote.companyName} ${moneyOfFen(cost.netFen)}${colon(text)}${text.quote.cost.open}`}
            onClick={() => onShow(cell)}
          >
            {moneyOfFen(cost.netFen)}
          </button>
          <br />
          <span className="small soft">
            {text.quote.cost.gross} {moneyOfFen(cost.grossFen)}
            <br />
            {text.quote.cost.rent} {moneyOfFen(cost.rentFen)}
          </span>
          <CostBar cost={cost} largestFen={largestFen} />
        </span>
      </td>
      <td data-label={words.againstLowest} className="right num">
        {isLowest ? (
          <span className="best-value">{words.cheapest}</span>
        ) : above ? (
          <span>
            +{moneyOfFen(above.fen)}
            <br />
            <span className="small soft">+{number(above.share * 100, 1)}%</span>
          </span>
        ) : (
          <span className="soft">–</span>
        )}
      </td>
      <td data-label={text.quote.cost.perMonth} className="right num">
        {moneyOfFen(cost.perMachineMonthFen)}
      </td>
      <td data-label={words.entry} className={`num${isFirst ? ' best-value' : ''}`}>
        {line.earliestEntry}
      </td>
      {picked !== null && (
        <td data-label={item.qty === 1 ? undefined : words.awardQty} className={item.qty === 1 ? 'whole' : undefined}>
          <Choice cell={cell} item={item} picked={picked} onPick={onPick} />
        </td>
      )}
    </tr>
  )
}

function CeilingDifference({ cell, item, ceiling }: { cell: Cell; item: Item; ceiling: string | undefined }) {
  const words = useText().quote.compare
  const difference = againstCeiling(cell, { ceiling, rentUnit: item.rentUnit })
  if (difference === null) return null
  return (
    <>
      <br />
      <span className={`small ${difference > 0 ? 'field-error' : 'soft'}`}>
        {words.againstCeiling}{' '}
        {difference === 0
          ? words.atCeiling
          : difference > 0
            ? words.ceilingAbove(moneyOfFen(difference))
            : words.ceilingBelow(moneyOfFen(-difference))}
      </span>
    </>
  )
}

/** Chooses an offer: a button where one machine is wanted, else how many of them. */
function Choice({ cell, item, picked, onPick }: { cell: Cell; item: Item; picked: number; onPick: RowProps['onPick'] }) {
  const text = useText()
  const words = text.quote.compare
  const { quote, line } = cell
  const most = Math.min(line.availableQty, item.qty)
  if (item.qty === 1)
    return (
      <button
        type="button"
        className={`button button-small${picked > 0 ? ' button-primary' : ''}`}
        aria-label={`${picked > 0 ? words.chosen : words.choose}${colon(text)}${quote.companyName}`}
        aria-pressed={picked > 0}
        disabled={!cell.choosable}
        onClick={() => onPick(line, picked > 0 ? 0 : 1)}
      >
        {picked > 0 ? words.chosen : words.choose}
      </button>
    )
  return (
    <input
      className="input pick num"
      type="number"
      min="0"
      max={most}
      aria-label={`${quote.companyName}${colon(text)}${words.awardQty}`}
      disabled={!cell.choosable}
      value={picked}
      onChange={(event) => onPick(line, Math.max(0, Math.min(most, Number(event.target.value) || 0)))}
    />
  )
}
