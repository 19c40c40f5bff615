import type { OwnDemand } from '#shared/demand/contract.ts'
import { fen, minute } from '../app/format.ts'
import { useText } from '../app/text.tsx'
import type { Cell, ComparedQuote } from './compared.ts'

/** All offers in one table: a row for each lessor, a column for each line, and the totals at the end. */
export function CompareLessors({
  items,
  quotes,
  cells,
  onShow,
}: {
  items: OwnDemand['items']
  quotes: readonly ComparedQuote[]
  cells: readonly Cell[]
  onShow: (cell: Cell) => void
}) {
  const text = useText()
  const words = text.quote.compare
  const rows = quotes
    .map((quote) => {
      const own = cells.filter((cell) => cell.quote.id === quote.id)
      return { quote, own, net: own.reduce((sum, { cost }) => sum + cost.netFen, 0) }
    })
    .toSorted((a, b) => b.own.length - a.own.length || a.net - b.net)
  return (
    <div className="scroll-x" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th>{words.lessor}</th>
            {items.map((item) => (
              <th key={item.id} className="right">
                {text.demand.line(item.lineNo)} ×{item.qty}
              </th>
            ))}
            <th className="right">{words.total}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ quote, own, net }) => (
            <tr key={quote.id}>
              <td>
                <strong>{quote.companyName}</strong>
                <p className="small soft">
                  <span className="num">{quote.quoteCode}</span> · {words.coverage(own.length, items.length)}
                </p>
                <p className="small faint num">{minute(quote.submitTime)}</p>
                {quote.note && <p className="small soft">{quote.note}</p>}
              </td>
              {items.map((item) => {
                const cell = own.find(({ line }) => line.demandItemId === item.id)
                return (
                  <td key={item.id} className="right num">
                    {cell ? (
                      <>
                        <button
                          type="button"
                          className="figure-button"
                          aria-label={`${quote.companyName} ${fen(cell.cost.netFen)}: ${text.quote.cost.open}`}
                          onClick={() => onShow(cell)}
                        >
                          {fen(cell.cost.netFen)}
                        </button>
                        {cell.line.qty < item.qty && <p className="small soft">{words.offered(cell.line.qty, item.qty)}</p>}
                      </>
                    ) : (
                      <span className="faint">{words.notOffered}</span>
                    )}
                  </td>
                )
              })}
              <td className="right num">
                <strong>{fen(net)}</strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
