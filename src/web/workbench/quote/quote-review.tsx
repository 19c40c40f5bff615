import { termsOfLine } from '#shared/quote/line-terms.ts'
import { comma, semicolon } from '#shared/text/punctuation.ts'
import { ConfirmDialog } from '../../app/confirm-dialog.tsx'
import { money, moneyOfFen, named } from '../../app/format.ts'
import { useText } from '../../app/text.tsx'
import { grossFenOf, machineNames, termsTyped, type ForLessor, type QuoteFormValues } from './quote-line.ts'

/** Shows what is about to bind the company, and submits it. */
export function QuoteReview({
  found,
  typed,
  busy,
  action,
  onClose,
  onConfirm,
}: {
  found: ForLessor
  /** Null while nothing is to be confirmed. */
  typed: QuoteFormValues | null
  busy: boolean
  action: string
  onClose: () => void
  onConfirm: () => void
}) {
  const text = useText()
  const words = text.quote.form
  const { demand } = found
  const lines = demand.items.flatMap((item, index) => {
    const line = typed?.lines[index]
    return line?.included ? [{ item, line, sum: grossFenOf(item, line) }] : []
  })
  const left = demand.items.filter((_, index) => typed && !typed.lines[index]?.included)
  const total = lines.reduce((sum, line) => sum + line.sum, 0)
  return (
    <ConfirmDialog
      open={typed !== null}
      onClose={onClose}
      title={words.review}
      kind="info"
      wide
      action={action}
      busy={busy}
      onConfirm={onConfirm}
    >
      <p>
        <strong>{demand.title}</strong>
      </p>
      <ul className="review-lines">
        {lines.map(({ item, line, sum }) => (
          <li key={item.id}>
            <p className="row between">
              <strong>
                {item.lineNo}. {named(text, item)} ×{line.machines.reduce((all, { qty }) => all + Number(qty), 0)}
              </strong>
              <strong className="num">{moneyOfFen(sum)}</strong>
            </p>
            <p className="small soft">
              {machineNames(
                text,
                line.machines.map(({ equipmentId, qty }) => ({ equipmentId: equipmentId ?? 0, qty: Number(qty) })),
                found,
              ).join(semicolon(text))}
            </p>
            <p className="small soft">
              {money(line.unitPrice, true)} {text.equipment.unit[line.rentUnit]} · {line.taxRate}% · {termsOfLine(text, termsTyped(line))} ·{' '}
              {line.includesOperator ? text.equipment.withOperator : text.equipment.bare} ·{' '}
              {text.equipment.fuelBy[line.includesFuel ? 'lessor' : 'lessee']} · {words.earliestEntry}{' '}
              <span className="unbroken">{line.earliestEntry}</span>
            </p>
          </li>
        ))}
      </ul>
      {left.length > 0 && (
        <p className="notice notice-warn">{words.notQuoted(left.map(({ lineNo }) => text.demand.line(lineNo)).join(comma(text)))}</p>
      )}
      <p className="row between">
        <span>{words.total}</span>
        <strong className="review-total num">
          {moneyOfFen(total)} {text.site.common.yuan}
        </strong>
      </p>
      <p className="small soft">
        {words.validUntil} <span className="num">{typed?.validUntil}</span> · {words.contactName} {typed?.contactName}{' '}
        <span className="num">{typed?.contactPhone}</span>
      </p>
      <p className="small soft">{demand.sealed ? words.reviewSealed : words.reviewOpen}</p>
    </ConfirmDialog>
  )
}
