import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { daysBetween, toMoment } from '#shared/calendar.ts'
import { landedCost } from '#shared/quote/landed-cost.ts'
import { changeQuote, confirmQuote, giveUpQuote, QuoteInput, submitQuote, withdrawQuote } from '#shared/quote/contract.ts'
import { canMove } from '#shared/lifecycle.ts'
import { quoteMoves } from '#shared/quote/rules.ts'
import { call } from '../app/api.ts'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { TextareaField } from '../ui/form-fields.tsx'
import { fen } from '../app/format.ts'
import { queries } from '../app/queries.ts'
import { useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { Field } from '../ui/parts.tsx'
import { useThrottle } from '../ui/throttle.ts'
import { toast } from '../ui/toast.tsx'
import { useForm } from '../app/use-form.ts'
import { blankLine, lineFrom, lineInput, type ForLessor, type LineForm } from './quote-line.ts'
import { QuoteLineEditor } from './quote-line-editor.tsx'

/** The own quote: new, changed until the deadline, or as it was submitted. */
export function QuoteForm({ found }: { found: ForLessor }) {
  const { demand, bar, candidates, ceilings, minValidUntil } = found
  const text = useText()
  const words = text.quote.form
  const session = useSession()
  // A quote that was withdrawn is a good start for the next one.
  const quote = found.quote && found.quote.status !== '2' ? found.quote : null
  const editable = bar === null && (quote === null || canMove(quoteMoves, 'change', quote.status, 'lessor'))
  const [lines, setLines] = useState<Record<number, LineForm>>(() =>
    Object.fromEntries(
      demand.items.map((item) => {
        const kept = found.quote?.lines.find(({ demandItemId }) => demandItemId === item.id)
        return [
          item.id,
          kept
            ? lineFrom(kept)
            : {
                ...blankLine(item, candidates[item.id] ?? [], demand),
                included: found.quote === null && (candidates[item.id]?.length ?? 0) > 0,
              },
        ]
      }),
    ),
  )
  const [head, setHead] = useState({
    contactName: found.quote?.contactName ?? session.info?.user.name ?? '',
    contactPhone: found.quote?.contactPhone ?? session.info?.user.phonenumber ?? '',
    validUntil: found.quote?.validUntil ?? minValidUntil,
    note: found.quote?.note ?? '',
  })
  const [asking, setAsking] = useState(false)
  const form = useForm(QuoteInput)
  const included = demand.items.filter((item) => lines[item.id]?.included)
  const indexOf = (itemId: number) => included.findIndex(({ id }) => id === itemId)

  const done = (message: string) => {
    toast('success', message)
    return queries.invalidateQueries()
  }
  const send = useMutation({
    mutationFn: async () => {
      const body = {
        demandId: demand.id,
        ...head,
        lines: included.flatMap((item) => (lines[item.id] ? [lineInput(item.id, lines[item.id] as LineForm)] : [])),
      }
      if (!form.check(body)) return false
      await (quote
        ? call(changeQuote, { body: { ...body, id: quote.id, version: quote.version } as never })
        : call(submitQuote, { body: body as never }))
      return true
    },
    onSuccess: (sent) => sent && done(quote ? words.changed : words.submitted),
    onError: form.refused,
  })
  const withdraw = useMutation({
    mutationFn: () => call(withdrawQuote, { params: { id: quote?.id ?? 0 } }),
    onSuccess: () => {
      setAsking(false)
      return done(words.withdrawn)
    },
    onError: form.refused,
  })
  const confirm = useMutation({
    mutationFn: () => call(confirmQuote, { params: { id: quote?.id ?? 0 }, body: { version: quote?.version ?? 0 } }),
    onSuccess: () => done(words.confirmed),
    onError: form.refused,
  })
  const [reason, setReason] = useState('')
  const [leaving, setLeaving] = useState(false)
  const leave = useMutation({
    mutationFn: () => call(giveUpQuote, { params: { id: quote?.id ?? 0 }, body: { reason } }),
    onSuccess: () => {
      setLeaving(false)
      return done(words.givenUp)
    },
    onError: form.refused,
  })
  const submit = useThrottle(() => send.mutate())

  const total = included.reduce((sum, item) => {
    const line = lines[item.id]
    if (!line) return sum
    const qty = line.machines.reduce((n, machine) => n + machine.qty, 0)
    const amount = (value: string) => Math.round(Number(value || 0) * 100)
    const cost = landedCost(
      { ...item, litresPerShift: 0, operatorWanted: false },
      {
        qty,
        unitPriceFen: amount(line.unitPrice),
        rentUnit: line.rentUnit,
        includesOperator: true,
        includesFuel: true,
        entryFeeFen: amount(line.entryFee),
        exitFeeFen: amount(line.exitFee),
        erectionFeeFen: amount(line.erectionFee),
        inspectionFeeFen: amount(line.inspectionFee),
        otherFeeFen: amount(line.otherFee),
        taxRate: line.taxRate,
        invoiceKind: line.invoiceKind,
        minRentDays: Number(line.minRentDays || 0),
      },
      { dieselFenPerLitre: 0, operatorMonthFen: 0 },
      daysBetween(item.planStart, item.planEnd),
    )
    return sum + cost.grossFen
  }, 0)

  return (
    <form
      noValidate
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <section className="panel stack">
        <h2>{quote ? words.change : words.title}</h2>
        {quote && (
          <div className="notice">
            <p>
              <span className="num">{quote.quoteCode}</span> · <span className="num">{quote.submitTime}</span>
            </p>
            <p className="small">
              {words.receipt} <span className="faint">{words.receiptHint}</span>
            </p>
            <p className="hash">{quote.sealHash}</p>
          </div>
        )}
        {quote?.status === '3' && editable && (
          <div className="notice notice-warn row between" role="status">
            <span>{words.confirmHint}</span>
            <button
              type="button"
              className="button button-primary button-small"
              disabled={confirm.isPending}
              onClick={() => confirm.mutate()}
            >
              {words.confirm}
            </button>
          </div>
        )}
        {quote?.status === '6' && quote.giveUpUntil && quote.giveUpUntil > toMoment(new Date()) && (
          <p>
            <button type="button" className="button button-danger button-small" onClick={() => setLeaving(true)}>
              {words.giveUp}
            </button>
          </p>
        )}
        {form.errors.lines && <p className="field-error">{form.errors.lines}</p>}
        {demand.items.map((item) => {
          const line = lines[item.id]
          if (!line) return null
          return (
            <QuoteLineEditor
              key={item.id}
              item={item}
              line={line}
              candidates={candidates[item.id] ?? []}
              ceiling={ceilings[item.id]}
              disabled={!editable}
              errors={Object.fromEntries(
                Object.entries(form.errors).flatMap(([key, message]) => {
                  const prefix = `lines.${indexOf(item.id)}.`
                  return key.startsWith(prefix) ? [[key.slice(prefix.length), message]] : []
                }),
              )}
              onChange={(change) => {
                setLines((before) => ({ ...before, [item.id]: { ...(before[item.id] as LineForm), ...change } }))
                for (const key of Object.keys(change)) form.clear(`lines.${indexOf(item.id)}.${key}`)
              }}
            />
          )
        })}
      </section>
      <section className="panel form-grid">
        <Field label={words.contactName} error={form.errors.contactName} required>
          {(control) => (
            <input
              {...control}
              className="input"
              disabled={!editable}
              maxLength={20}
              value={head.contactName}
              onChange={(event) => setHead({ ...head, contactName: event.target.value })}
            />
          )}
        </Field>
        <Field label={words.contactPhone} error={form.errors.contactPhone} required>
          {(control) => (
            <input
              {...control}
              className="input"
              type="tel"
              disabled={!editable}
              maxLength={20}
              value={head.contactPhone}
              onChange={(event) => setHead({ ...head, contactPhone: event.target.value })}
            />
          )}
        </Field>
        <Field label={words.validUntil} error={form.errors.validUntil} hint={words.validHint} required>
          {(control) => (
            <input
              {...control}
              className="input"
              type="date"
              disabled={!editable}
              min={minValidUntil}
              value={head.validUntil}
              onChange={(event) => setHead({ ...head, validUntil: event.target.value })}
            />
          )}
        </Field>
        <Field label={words.note} error={form.errors.note} className="span-all">
          {(control) => (
            <textarea
              {...control}
              className="textarea"
              disabled={!editable}
              maxLength={1000}
              value={head.note}
              onChange={(event) => setHead({ ...head, note: event.target.value })}
            />
          )}
        </Field>
      </section>
      {editable && (
        <div className="action-bar">
          <p>
            {text.quote.cost.gross} <strong className="num">{fen(total)}</strong> {text.site.common.yuan}
          </p>
          <p className="row">
            {quote && (
              <button type="button" className="button button-danger" onClick={() => setAsking(true)}>
                {words.withdraw}
              </button>
            )}
            <button type="submit" className="button button-primary" disabled={send.isPending}>
              {quote ? words.resubmit : words.submit}
            </button>
          </p>
        </div>
      )}
      <ConfirmDialog
        open={leaving}
        onClose={() => setLeaving(false)}
        title={words.giveUp}
        action={words.giveUp}
        busy={leave.isPending}
        onConfirm={() => form.checkPart(giveUpQuote.body, { reason }) && leave.mutate()}
      >
        <p>{words.giveUpAsk((quote?.giveUpUntil ?? '').slice(0, 16))}</p>
        <TextareaField
          label={text.demand.own.reason}
          required
          maxLength={500}
          value={reason}
          onChange={(value) => {
            setReason(value)
            form.clear('reason')
          }}
          error={form.errors.reason}
        />
      </ConfirmDialog>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={words.withdraw}
        action={words.withdraw}
        busy={withdraw.isPending}
        onConfirm={() => withdraw.mutate()}
      >
        <p>{words.withdrawAsk}</p>
      </ConfirmDialog>
    </form>
  )
}
