import type { OwnDemand } from '#shared/demand/contract.ts'
import { outcomeOf } from '#shared/quote/lowest.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { colon } from '../../app/colon.ts'
import { minute, moneyOfFen, named } from '../../app/format.ts'
import { useText } from '../../app/text.tsx'
import { Tag } from '../../ui/parts.tsx'
import { deliverableQty, rankLessors, type Cell, type Compared, type ComparedQuote } from './compared.ts'

type Items = OwnDemand['items']

/** All offers in one table: a row for each lessor, a column for each line, and the totals at the end. Offers of a part come last. */
export function CompareLessors({
  items,
  quotes,
  cells,
  award,
  onShow,
}: {
  items: Items
  quotes: readonly ComparedQuote[]
  cells: readonly Cell[]
  award: Compared['award']
  onShow: (cell: Cell) => void
}) {
  const text = useText()
  const words = text.quote.compare
  const rows = rankLessors(items, quotes, cells)
  return (
    <div className="scroll-x" tabIndex={0}>
      <table className="table lessors-table cards-on-phone">
        <thead>
          <tr>
            <th>{words.lessor}</th>
            {items.map((item) => (
              <th key={item.id} className="right">
                {titleOf(text, item)}
                {cells.some(({ line }) => line.demandItemId === item.id && line.isOver) && (
                  <p>
                    <Tag tone="bad">{words.lineOver}</Tag>
                  </p>
                )}
              </th>
            ))}
            <th className="right">
              {words.total}
              <br />
              <span className="small">{text.quote.cost.landedNet}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ quote, own, netFen, missing, isWhole, isLowest }) => (
            <tr key={quote.id} className={isLowest ? 'best' : ''}>
              <td className="whole">
                <strong>{quote.companyName}</strong>
                <p className="row gap-6">
                  {isWhole ? (
                    <Tag tone="good">{words.whole}</Tag>
                  ) : (
                    <Tag tone="warn">{missing > 0 ? words.missing(missing) : words.coverage(own.length, items.length)}</Tag>
                  )}
                  {isLowest && <Tag tone="blue">{words.cheapest}</Tag>}
                </p>
                <p className="small soft num">
                  {quote.quoteCode} · {minute(quote.submitTime)}
                </p>
                {quote.note && <p className="small soft">{quote.note}</p>}
              </td>
              {items.map((item) => (
                <LineCell
                  key={item.id}
                  item={item}
                  cell={own.find(({ line }) => line.demandItemId === item.id)}
                  award={award}
                  onShow={onShow}
                />
              ))}
              <td data-label={words.total} className="right num">
                <div>
                  {isWhole ? <strong>{moneyOfFen(netFen)}</strong> : <span className="faint">{moneyOfFen(netFen)}</span>}
                  {missing > 0 && <p className="small field-error">{words.missing(missing)}</p>}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const titleOf = (text: Text, item: Items[number]): string => `${item.lineNo}. ${named(text, item)} ×${item.qty}`

function LineCell({
  item,
  cell,
  award,
  onShow,
}: {
  item: Items[number]
  cell: Cell | undefined
  award: Compared['award']
  onShow: (cell: Cell) => void
}) {
  const text = useText()
  const words = text.quote.compare
  if (!cell)
    return (
      <td data-label={titleOf(text, item)} className="right">
        <span className="faint">{words.notOffered}</span>
      </td>
    )
  const outcome = outcomeOf(cell.quote, cell.line, award)
  return (
    <td data-label={titleOf(text, item)} className="right num">
      <div>
        <button
          type="button"
          className="figure-button"
          aria-label={`${cell.quote.companyName} ${moneyOfFen(cell.cost.netFen)}${colon(text)}${text.quote.cost.open}`}
          onClick={() => onShow(cell)}
        >
          {moneyOfFen(cell.cost.netFen)}
        </button>
        {deliverableQty(cell) < item.qty && <p className="small field-error">{words.offered(deliverableQty(cell), item.qty)}</p>}
        {outcome !== null && outcome.won > 0 && (
          <p>
            <Tag tone="good">{words.lineWon(outcome.won)}</Tag>
          </p>
        )}
      </div>
    </td>
  )
}
