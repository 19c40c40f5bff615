import type { OwnQuote } from '#shared/quote/contract.ts'
import { termsOfLine } from '#shared/quote/line-terms.ts'
import { feeNames } from '#shared/quote/rules.ts'
import { comma, semicolon } from '#shared/text/punctuation.ts'
import { colon } from '../../app/colon.ts'
import { money, moneyOfFen, named } from '../../app/format.ts'
import { RowTable } from '../../app/list-frame.tsx'
import { useText } from '../../app/text.tsx'
import { grossOfQuoteLine, machineNames, type ForLessor } from './quote-line.ts'

/** The submitted quote to read. */
export function QuoteView({ found, quote }: { found: ForLessor; quote: OwnQuote }) {
  const text = useText()
  const words = text.quote.form
  const { items } = found.demand
  const rows = quote.lines.flatMap((line) => {
    const item = items.find(({ id }) => id === line.demandItemId)
    return item ? [{ line, item }] : []
  })
  const feesOf = (line: OwnQuote['lines'][number]) =>
    feeNames.filter((name) => Number(line[name]) > 0).map((name) => `${words[name]} ${money(line[name], true)}`)
  return (
    <section className="panel stack" aria-label={words.details}>
      <h2>{words.details}</h2>
      <RowTable
        rows={rows}
        keyOf={({ line }) => line.demandItemId}
        columns={[
          {
            label: text.demand.lines,
            whole: true,
            cell: ({ line, item }) => (
              <>
                <strong>
                  {item.lineNo}. {named(text, item)} ×{line.machines.reduce((sum, { qty }) => sum + qty, 0)}
                </strong>
                <p className="small soft">{machineNames(text, line.machines, found).join(semicolon(text))}</p>
                {line.deviation && (
                  <p className="small">
                    {words.deviation}
                    {colon(text)}
                    {line.deviation}
                  </p>
                )}
              </>
            ),
          },
          {
            label: words.unitPrice,
            num: true,
            cell: ({ line }) => <span>{`${money(line.unitPrice, true)} ${text.equipment.unit[line.rentUnit]}`}</span>,
          },
          {
            label: words.taxTerms,
            cell: ({ line }) => <span>{`${line.taxRate}% · ${termsOfLine(text, line)}`}</span>,
          },
          {
            label: [text.demand.duties.operatorBy, text.demand.duties.fuelBy].join(comma(text)),
            cell: ({ line }) => (
              <span>
                {line.includesOperator ? text.equipment.withOperator : text.equipment.bare} ·{' '}
                {text.equipment.fuelBy[line.includesFuel ? 'lessor' : 'lessee']}
              </span>
            ),
          },
          { label: words.fees, cell: ({ line }) => <span className="small">{feesOf(line).join(semicolon(text)) || words.noFees}</span> },
          { label: words.earliestEntry, cell: ({ line }) => <span className="num">{line.earliestEntry}</span> },
          { label: words.lineSum, num: true, cell: ({ line, item }) => <strong>{moneyOfFen(grossOfQuoteLine(item, line))}</strong> },
        ]}
      />
      <dl className="facts">
        <div>
          <dt>{words.contactName}</dt>
          <dd>
            {quote.contactName} <span className="num">{quote.contactPhone}</span>
          </dd>
        </div>
        {quote.note && (
          <div>
            <dt>{words.note}</dt>
            <dd className="pre-line">{quote.note}</dd>
          </div>
        )}
      </dl>
    </section>
  )
}
