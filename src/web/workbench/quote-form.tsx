import { useWatch } from 'react-hook-form'
import type { DemandItem } from '#shared/demand/contract.ts'
import { canMove } from '#shared/lifecycle.ts'
import { changeQuote, getDemandForLessor, listDemandsForLessor, QuoteInput, submitQuote } from '#shared/quote/contract.ts'
import { quoteMoves, quoteStatus } from '#shared/quote/rules.ts'
import { call } from '../app/api.ts'
import { useContractForm } from '../app/contract-form.ts'
import { AreaField, DateField, TextField } from '../app/form.tsx'
import { fen } from '../app/format.ts'
import { invalidate } from '../app/queries.ts'
import { useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { SubmitForm } from '../ui/form-fields.tsx'
import { useThrottle } from '../ui/throttle.ts'
import { toast } from '../ui/toast.tsx'
import { grossFenOf, nameOfLine, openQuote, type ForLessor, type QuoteFormState } from './quote-line.ts'
import { QuoteLineEditor } from './quote-line-editor.tsx'
import { QuoteStanding, WithdrawQuote } from './quote-standing.tsx'

/** The company's quote: a new one, a change of one before the deadline, or the submitted one to read. */
export function QuoteForm({ found }: { found: ForLessor }) {
  const { demand, bar, candidates, ceilings, minValidUntil } = found
  const text = useText()
  const words = text.quote.form
  const user = useSession().info?.user
  // After a withdrawal the company may quote anew.
  const quote = found.quote && found.quote.status !== quoteStatus.withdrawn ? found.quote : null
  const editable = bar === null && (quote === null || canMove(quoteMoves, 'change', quote.status, 'lessor'))
  const form: QuoteFormState = useContractForm({
    schema: quote ? changeQuote.body : QuoteInput,
    values: openQuote(found, { name: user?.name ?? '', phone: user?.phonenumber ?? '' }),
    body: (typed) => ({
      ...typed,
      lines: typed.lines.filter(({ included }) => included),
      ...(quote && { id: quote.id, version: quote.version }),
    }),
    nameOf: nameOfLine,
  })
  const submit = useThrottle(
    form.submitting(async (body) => {
      await ('version' in body ? call(changeQuote, { body }) : call(submitQuote, { body }))
      toast('success', quote ? words.changed : words.submitted)
      await invalidate(getDemandForLessor, listDemandsForLessor)
    }),
  )
  const wrong = form.errorAt('lines')
  return (
    <SubmitForm onSubmit={submit}>
      <section className="panel stack">
        <h2>{quote ? words.change : words.title}</h2>
        {quote && <QuoteStanding quote={quote} editable={editable} />}
        {wrong && <p className="field-error">{wrong}</p>}
        {demand.items.map((item, index) => (
          <QuoteLineEditor
            key={item.id}
            form={form}
            index={index}
            item={item}
            candidates={candidates[item.id] ?? []}
            ceiling={ceilings[item.id]}
            disabled={!editable}
          />
        ))}
      </section>
      <section className="panel form-grid">
        <TextField form={form} name="contactName" label={words.contactName} required maxLength={20} disabled={!editable} />
        <TextField form={form} name="contactPhone" label={words.contactPhone} type="tel" required maxLength={20} disabled={!editable} />
        <DateField
          form={form}
          name="validUntil"
          label={words.validUntil}
          hint={words.validHint}
          required
          min={minValidUntil}
          disabled={!editable}
        />
        <AreaField form={form} name="note" label={words.note} maxLength={1000} disabled={!editable} />
      </section>
      {editable && (
        <div className="action-bar">
          <p>
            {text.quote.cost.gross}{' '}
            <strong className="num">
              <Total form={form} items={demand.items} />
            </strong>{' '}
            {text.site.common.yuan}
          </p>
          <p className="row">
            {quote && <WithdrawQuote quote={quote} />}
            <button type="submit" className="button button-primary" disabled={form.formState.isSubmitting}>
              {quote ? words.resubmit : words.submit}
            </button>
          </p>
        </div>
      )}
    </SubmitForm>
  )
}

function Total({ form, items }: { form: QuoteFormState; items: readonly DemandItem[] }) {
  const lines = useWatch({ control: form.control, name: 'lines' })
  return fen(
    items.reduce((sum, item, index) => {
      const line = lines[index]
      return line?.included ? sum + grossFenOf(item, line) : sum
    }, 0),
  )
}
