import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { dayOf } from '#shared/calendar.ts'
import type { DemandItem } from '#shared/demand/contract.ts'
import { changeQuote, getDemandForLessor, listDemandsForLessor, QuoteInput, submitQuote, type OwnQuote } from '#shared/quote/contract.ts'
import { problemErrors } from '#shared/text/validation.ts'
import { ApiError, call } from '../../app/api.ts'
import { isConflict } from '../../app/outdated.ts'
import { DraftState, FormBar } from '../../app/form-bar.tsx'
import { useCallForm } from '../../app/call-form.ts'
import { AreaField, DateField, TextField } from '../../app/form.tsx'
import { colon } from '../../app/colon.ts'
import { moneyOfFen } from '../../app/format.ts'
import { invalidate } from '../../app/queries.ts'
import { useSession } from '../../app/session.ts'
import { useText } from '../../app/text.tsx'
import { useConfirm } from '../../app/use-confirm.tsx'
import { PeoplePicker } from '../../person/people-picker.tsx'
import { SubmitForm } from '../../ui/form-fields.tsx'
import { useThrottle } from '../../ui/throttle.ts'
import { toast } from '../../ui/toast.tsx'
import {
  grossFenOf,
  nameOfLine,
  openQuote,
  openTyped,
  validityProblems,
  type ForLessor,
  type QuoteBody,
  type QuoteFormState,
  type QuoteFormValues,
} from './quote-line.ts'
import { QuoteLineEditor } from './quote-line-editor.tsx'
import { QuoteReview } from './quote-review.tsx'
import { storedQuote, useQuoteDraft } from './use-quote-draft.ts'

/** The form of a new quote, or of a change of the submitted one before the deadline. What is typed stays in the browser until it is submitted. */
export function QuoteForm({
  found,
  quote,
  onStop,
  onSubmitted,
}: {
  found: ForLessor
  /** The quote that is changed; null for a new one. */
  quote: OwnQuote | null
  /** Ends the form without submitting it. What was typed has been dropped. */
  onStop: () => void
  onSubmitted: () => void
}) {
  const { demand, candidates, ceilings, minValidUntil } = found
  const text = useText()
  const words = text.quote.form
  const user = useSession().info?.user
  // What a withdrawn quote held is in a new one, too.
  const receipt = found.quote?.sealHash ?? null
  const [fresh] = useState(() => openQuote(found, { name: user?.name ?? '', phone: user?.phonenumber ?? '' }, dayOf(new Date())))
  const [typed, setTyped] = useState(() => openTyped(fresh, storedQuote(user?.userId ?? 0, demand.id), receipt))
  const [start] = useState(typed.kind === 'restored' ? typed.values : fresh)
  const form: QuoteFormState = useCallForm({
    schema: quote ? changeQuote.body : QuoteInput,
    values: start,
    body: (values) => ({
      ...values,
      demandRevision: found.revision,
      lines: values.lines.filter(({ included }) => included),
      ...(quote && { id: quote.id, version: quote.version }),
    }),
    nameOf: nameOfLine,
    problems: (typed) => problemErrors(text, validityProblems(typed, minValidUntil)),
  })
  const draft = useQuoteDraft(form, { accountId: user?.userId ?? 0, demandId: demand.id, found: typed.kind, receipt })
  const { check, review, close, submit, busy, unsent } = useSubmission(form, {
    quote,
    sealed: demand.sealed,
    done: draft.done,
    onSubmitted,
  })
  const { confirm, dialog } = useConfirm(getDemandForLessor)
  const discard = () =>
    confirm({
      title: words.discard,
      question: words.discardAsk,
      run: () => {
        draft.clear()
        onStop()
        return Promise.resolve()
      },
      done: () => words.discarded,
    })
  const accept = () => {
    if (typed.kind !== 'offered') return
    form.change(typed.values)
    setTyped({ ...typed, kind: 'restored' })
  }
  const { isDirty } = form.formState
  const stop = () => (isDirty || typed.kind === 'restored' ? discard() : onStop())
  const wrong = form.errorAt('lines')
  const action = quote ? words.resubmit : words.submit
  return (
    <>
      <SubmitForm onSubmit={() => void check()}>
        <section className="panel stack below-header" id="quote">
          <h2>{quote ? words.change : words.title}</h2>
          {(typed.kind === 'restored' || !isDirty) && <TypedNotice typed={typed} accept={accept} discard={discard} />}
          {wrong && <p className="field-error">{wrong}</p>}
          {demand.items.map((item, index) => (
            <QuoteLineEditor
              key={item.id}
              form={form}
              index={index}
              item={item}
              demand={demand}
              candidates={candidates[item.id] ?? []}
              ceiling={ceilings[item.id]}
            />
          ))}
        </section>
        <ContactFields form={form} minValidUntil={minValidUntil} />
        <FormBar
          errors={form.errorCount}
          status={
            <>
              {unsent && <Unsent reason={unsent} />}
              {draft.savedAt && <span className="faint">{words.draftSaved(draft.savedAt)}</span>}
            </>
          }
        >
          <span>
            {words.total}{' '}
            <strong className="num">
              <Total form={form} items={demand.items} />
            </strong>{' '}
            {text.site.common.yuan}
          </span>
          {quote && (
            <button type="button" className="button" onClick={stop}>
              {words.stopChange}
            </button>
          )}
          <button type="submit" className="button button-primary" aria-disabled={busy}>
            {unsent ? words.sendAgain : action}
          </button>
        </FormBar>
      </SubmitForm>
      <QuoteReview found={found} typed={review?.typed ?? null} busy={busy} action={words.reviewSubmit} onClose={close} onConfirm={submit} />
      {dialog}
    </>
  )
}

/** Says that the form shows what was typed before, or offers it where a colleague has changed the quote since. */
function TypedNotice({ typed, accept, discard }: { typed: ReturnType<typeof openTyped>; accept: () => void; discard: () => void }) {
  const words = useText().quote.form
  if (typed.kind === 'none') return null
  if (typed.kind === 'offered')
    return (
      <p className="notice">
        <DraftState draft={{ state: { kind: 'offered', at: typed.at }, accept, discard }} />
      </p>
    )
  return (
    <p className="notice row between">
      <span>{words.restored}</span>
      <button type="button" className="link" onClick={discard}>
        {words.discard}
      </button>
    </p>
  )
}

/** Who answers for the quote, which may be a colleague, and how long it holds. */
function ContactFields({ form, minValidUntil }: { form: QuoteFormState } & Pick<ForLessor, 'minValidUntil'>) {
  const words = useText().quote.form
  return (
    <section className="panel form-grid">
      <TextField
        form={form}
        name="contactName"
        label={words.contactName}
        required
        maxLength={20}
        beside={
          <PeoplePicker type="contact" onPick={({ name, phonenumber }) => form.change({ contactName: name, contactPhone: phonenumber })} />
        }
      />
      <TextField form={form} name="contactPhone" label={words.contactPhone} type="tel" required maxLength={20} />
      <DateField form={form} name="validUntil" label={words.validUntil} hint={words.validHint} required min={minValidUntil} />
      <AreaField form={form} name="note" label={words.note} maxLength={1000} />
    </section>
  )
}

/** What happens with a form that is right: its sums are shown once more, then it is sent. `done` drops the draft of what was sent. */
function useSubmission(
  form: QuoteFormState,
  {
    quote,
    sealed,
    done,
    onSubmitted,
  }: { quote: OwnQuote | null; sealed: boolean; done: (sent: QuoteFormValues, sealHash: string) => void; onSubmitted: () => void },
) {
  const words = useText().quote.form
  const [review, setReview] = useState<{ body: QuoteBody; typed: QuoteFormValues } | null>(null)
  const [busy, setBusy] = useState(false)
  const [unsent, setUnsent] = useState('')
  const check = form.submitting((body) => {
    // What is typed while the call is under way is not sent with it.
    setReview({ body, typed: structuredClone(form.getValues()) })
    return Promise.resolve()
  })
  const send = async ({ body, typed }: { body: QuoteBody; typed: QuoteFormValues }) => {
    setBusy(true)
    setUnsent('')
    try {
      const { sealHash } = await ('version' in body ? call(changeQuote, { body }) : call(submitQuote, { body }))
      done(typed, sealHash)
      toast('success', quote ? words.changed : words.submitted(sealed))
      onSubmitted()
      await invalidate(getDemandForLessor, listDemandsForLessor)
    } catch (error) {
      // A refusal stands beside its field; a call that got no answer, or a refusal of the whole, stays above the button until it is sent again.
      if (error instanceof ApiError && error.fields.length === 0) setUnsent(error.message)
      form.refused(error)
      // Shows the demand as it is now.
      if (isConflict(error)) await invalidate(getDemandForLessor)
    } finally {
      setBusy(false)
      // While it was sent, the sums may have been closed and those of a changed quote opened, which stay.
      setReview((now) => (now === review ? null : now))
    }
  }
  const submit = useThrottle(() => {
    if (review) void send(review)
  })
  return { check, review, close: () => setReview(null), submit, busy, unsent }
}

/** Stays above the button until the offer is sent again. */
function Unsent({ reason }: { reason: string }) {
  const text = useText()
  const { notSent, notSentHint } = text.quote.form
  return (
    <p className="notice notice-warn" role="alert">
      <strong>
        {notSent}
        {colon(text)}
        {reason}
      </strong>{' '}
      {notSentHint}
    </p>
  )
}

function Total({ form, items }: { form: QuoteFormState; items: readonly DemandItem[] }) {
  const lines = useWatch({ control: form.control, name: 'lines' })
  return moneyOfFen(
    items.reduce((sum, item, index) => {
      const line = lines[index]
      return line?.included ? sum + grossFenOf(item, line) : sum
    }, 0),
  )
}
