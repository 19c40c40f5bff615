import type { OwnDemand } from '#shared/demand/contract.ts'
import type { CostOffer } from '#shared/quote/landed-cost.ts'
import type { Pick } from '#shared/award/rules.ts'
import { fen, money, named } from '../app/format.ts'
import { useText } from '../app/text.tsx'
import { OfferedMachines, OfferTags } from './compare-offer.tsx'
import type { Cell, ComparedLine } from './compared.ts'

/** All offers of one line, the cheapest for a machine first. Every total opens its arithmetic. */
export function CompareLine({
  item,
  cells,
  ceiling,
  picks,
  breakEven,
  onPick,
  onShow,
}: {
  item: OwnDemand['items'][number]
  cells: readonly Cell[]
  ceiling: string | undefined
  /** Null if nothing can be chosen. */
  picks: readonly Pick[] | null
  breakEven: (a: CostOffer, b: CostOffer) => number | null
  onPick: (line: ComparedLine, qty: number) => void
  onShow: (cell: Cell) => void
}) {
  const text = useText()
  const words = text.quote.compare
  const ranked = cells.toSorted((a, b) => a.cost.netFen / a.line.qty - b.cost.netFen / b.line.qty)
  const [first, second] = ranked
  const turn = first && second ? breakEven(first.offer, second.offer) : null
  // Past the break-even day the cheaper offer is the one that gains with a longer hire; before it, the other one gains.
  const gains = first && turn !== null && first.cost.days >= turn ? first : second
  const loses = gains === first ? second : first
  const earliest = cells.map(({ line }) => line.earliestEntry).toSorted()[0]
  return (
    <section>
      <h3 className="mb-8">
        {item.lineNo}. {named(text, item)} ×{item.qty}{' '}
        <span className="small soft num">
          {item.planStart} – {item.planEnd}
        </span>
        {ceiling && (
          <span className="small faint num">
            {' '}
            · {text.demand.form.ceiling} {money(ceiling)}
          </span>
        )}
      </h3>
      {ranked.length === 0 ? (
        <p className="soft">{words.notOffered}</p>
      ) : (
        <div className="scroll-x" tabIndex={0}>
          <table className="table cards-on-phone">
            <thead>
              <tr>
                <th>{words.lessor}</th>
                <th className="right">{words.rate}</th>
                <th className="right">{text.quote.cost.net}</th>
                <th className="right">{text.quote.cost.perMonth}</th>
                <th>{words.entry}</th>
                <th>{words.machine}</th>
                {picks && <th>{words.awardQty}</th>}
              </tr>
            </thead>
            <tbody>
              {ranked.map((cell, rank) => (
                <OfferRow
                  key={cell.line.id}
                  cell={cell}
                  item={item}
                  isCheapest={rank === 0}
                  isEarliest={cell.line.earliestEntry === earliest}
                  picked={picks ? (picks.find(({ quoteLineId }) => quoteLineId === cell.line.id)?.qty ?? 0) : null}
                  onPick={onPick}
                  onShow={onShow}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {turn !== null && gains && loses && (
        <p className="small soft">{words.breakEven(loses.quote.companyName, gains.quote.companyName, turn)}</p>
      )}
    </section>
  )
}

/** One offer with its figures. `picked` is the awarded quantity, or null if nothing can be chosen. */
function OfferRow({
  cell,
  item,
  isCheapest,
  isEarliest,
  picked,
  onPick,
  onShow,
}: {
  cell: Cell
  item: OwnDemand['items'][number]
  isCheapest: boolean
  isEarliest: boolean
  picked: number | null
  onPick: (line: ComparedLine, qty: number) => void
  onShow: (cell: Cell) => void
}) {
  const text = useText()
  const words = text.quote.compare
  const { quote, line, cost } = cell
  return (
    <tr className={isCheapest ? 'best' : ''}>
      <td className="whole">
        <strong>{quote.companyName}</strong>
        <OfferTags cell={cell} isCheapest={isCheapest} isEarliest={isEarliest} />
        {line.deviation && (
          <p className="small">
            {words.deviation}: {line.deviation}
          </p>
        )}
        {line.overCeiling && line.ceilingReason && <p className="small soft">{line.ceilingReason}</p>}
      </td>
      <td data-label={words.rate} className="right num">
        <span>
          {money(line.unitPrice, true)}
          <br />
          <span className="small soft">
            {text.equipment.unit[line.rentUnit]} · {line.taxRate}%
            <br />
            {line.includesOperator ? text.equipment.withOperator : text.equipment.bare} ·{' '}
            {line.includesFuel ? text.equipment.fuelBy.lessor : text.equipment.fuelBy.lessee}
          </span>
        </span>
      </td>
      <td data-label={text.quote.cost.net} className="right num">
        <span>
          <button
            type="button"
            className="figure-button"
            aria-label={`${quote.companyName} ${fen(cost.netFen)}: ${text.quote.cost.open}`}
            onClick={() => onShow(cell)}
          >
            {fen(cost.netFen)}
          </button>
          <br />
          <span className="small soft">
            {text.quote.cost.gross} {fen(cost.grossFen)}
          </span>
        </span>
      </td>
      <td data-label={text.quote.cost.perMonth} className="right num">
        {fen(cost.perMachineMonthFen)}
      </td>
      <td data-label={words.entry} className="num">
        {line.earliestEntry}
      </td>
      <td className="whole small">
        <OfferedMachines line={line} wanted={item.qty} />
      </td>
      {picked !== null && (
        <td data-label={words.awardQty}>
          <input
            className="input pick num"
            type="number"
            min="0"
            max={Math.min(line.availableQty, item.qty)}
            aria-label={`${quote.companyName}: ${words.awardQty}`}
            disabled={!cell.choosable}
            value={picked}
            onChange={(event) => onPick(line, Math.max(0, Math.min(line.availableQty, item.qty, Number(event.target.value) || 0)))}
          />
        </td>
      )}
    </tr>
  )
}
