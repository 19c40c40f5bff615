import { lazy, Suspense, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { dayOf } from '#shared/calendar.ts'
import { ChangeInput, TakenDays } from '#shared/contract/changes.ts'
import { changesSum, contractSides, holdsAtOnce } from '#shared/contract/rules.ts'
import type { ApiError } from '../../app/api.ts'
import { useCallForm } from '../../app/call-form.ts'
import { FormBar } from '../../app/form-bar.tsx'
import { FormProblems, MarkedHeading } from '../../app/form-problems.tsx'
import { AreaField, DateField, MoneyField, SelectField, TextField } from '../../app/form.tsx'
import { useText } from '../../app/text.tsx'
import { focusFirst } from '../../app/use-form.ts'
import { useCallDraft } from '../../app/use-local-draft.ts'
import { SubmitForm } from '../../ui/form-fields.tsx'
import { toast } from '../../ui/toast.tsx'
import { bankDigits } from './bank-account.ts'
import { useAmendmentWords } from './amendment-words.ts'
import { ChangeHead, useLeaveSent } from './contract-change-head.tsx'
import { refreshContracts } from './contract-calls.ts'
import { ClausePicker, PositionRows } from './contract-change-fields.tsx'
import { firstDayOf } from './contract-addition.ts'
import {
  blankChange,
  carriedChange,
  changeBody,
  changeFieldOf,
  changeProblems,
  fromDayOf,
  rowsOf,
  termsSoFar,
  titleOf,
  versionOf,
  type ChangeForm,
  type ChangeFormState,
  type ChangeInputBody,
  type Proposal,
} from './contract-change-form.ts'
import { SimilarMachines } from './contract-change-similar.tsx'
import { amountsOf, SumChange } from './contract-sum-change.tsx'

const SendChangeDialog = lazy(async () => ({ default: (await import('./contract-change-send.tsx')).SendChangeDialog }))

/** Writes an amendment of one kind; it is shown as a whole before it is sent. */
export function ChangeEditor(proposal: Proposal) {
  const { contract, kind } = proposal
  const text = useText()
  const words = useAmendmentWords()
  const today = dayOf(new Date())
  const firstDay = firstDayOf(contract, kind, today)
  /** What is shown before it is sent, and what was typed for it. */
  const [ready, setReady] = useState<{ input: ChangeInputBody; typed: ChangeForm } | null>(null)
  const [similar, setSimilar] = useState<TakenDays['similar'] | null>(null)
  const facts = {
    smeRule: contract.smeRule,
    lprBp: contract.lprBp ?? contract.currentLprBp,
    planStart: contract.planStart,
    planEnd: contract.planEnd,
  }
  const form: ChangeFormState = useCallForm({
    schema: ChangeInput,
    values: blankChange(proposal, today),
    body: (typed) => changeBody(proposal, typed, today),
    nameOf: (path, typed) => changeFieldOf(proposal, typed, path),
    problems: (typed) => changeProblems(proposal, typed, { text, facts, today }),
  })
  const local = useCallDraft(form, `contract-change-${contract.id}-${kind}`, { version: versionOf(proposal), carry: carriedChange })
  const check = form.submitting(
    (body) => {
      setReady({ input: body, typed: structuredClone(form.getValues()) })
      setSimilar(null)
      return Promise.resolve()
    },
    () => toast('warning', text.refusal.invalid),
  )
  const leave = useLeaveSent(contract)
  const done = (sent: { waits: boolean }) => {
    // While it was sent, its dialog may have been closed and more typed, which stays a draft.
    if (ready) local.saved(ready.typed)
    return leave(sent)
  }
  /** Shows a refusal beside its fields: of days that are taken, beside the position; where somebody was faster, the page shows what is so now. */
  const refused = (error: ApiError) => {
    setReady((now) => (now === ready ? null : now))
    const taken = TakenDays.safeParse(error.data)
    const row = taken.success ? rowsOf(proposal).findIndex(({ lineNo }) => lineNo === taken.data.lineNo) : -1
    if (taken.success && row >= 0) {
      form.setError(`lines.${row}.value`, { type: 'server', message: words.taken(taken.data.takenFrom, taken.data.freeAgain) })
      setSimilar(taken.data.similar)
      focusFirst()
      return
    }
    form.refused(error)
    // A day that nobody typed is refused only where the page shows an older version.
    if (error.fields.length === 0 || (holdsAtOnce(kind) && error.fields.some(({ field }) => field === 'fromDay'))) void refreshContracts()
  }
  return (
    <>
      <SubmitForm onSubmit={() => void check()}>
        <ChangeHead contract={contract} title={titleOf(kind, text)} hint={words.hint[kind]} />
        <FormProblems />
        {changesSum(kind) && <PositionRows form={form} {...proposal} today={today} />}
        {similar && (
          <section className="notice notice-warn" role="status">
            <SimilarMachines similar={similar} />
          </section>
        )}
        {kind === 'clause' && <ClausePicker form={form} contract={contract} facts={facts} />}
        {kind === 'account' && <AccountFields form={form} {...proposal} />}
        {kind === 'terminate' && <PenaltyFields form={form} />}
        <section className="panel stack">
          {!holdsAtOnce(kind) && <MarkedHeading>{words.dayAndReason}</MarkedHeading>}
          <div className="form-grid">
            {kind === 'terminate' ? (
              <DateField form={form} name="lastDay" label={words.lastDay} hint={words.lastDayHint} required min={today} />
            ) : holdsAtOnce(kind) ? null : (
              <DateField
                form={form}
                name="fromDay"
                label={kind === 'account' ? words.dated : words.from}
                hint={kind === 'account' ? words.fromAccountHint : words.fromHint(firstDay === today ? '' : firstDay)}
                required
                min={firstDay}
              />
            )}
            <AreaField
              form={form}
              name="reason"
              label={words.reason}
              hint={words.reasonHint}
              required
              maxLength={500}
              className="span-all"
            />
          </div>
        </section>
        {changesSum(kind) && <SumPreview form={form} {...proposal} today={today} />}
        <FormBar draft={local} errors={form.errorCount}>
          <button type="submit" className="button button-primary" aria-disabled={form.formState.isSubmitting}>
            {words.next}
          </button>
        </FormBar>
      </SubmitForm>
      {ready && (
        <Suspense>
          <SendChangeDialog contract={contract} input={ready.input} onClose={() => setReady(null)} onSent={done} onRefused={refused} />
        </Suspense>
      )}
    </>
  )
}

/** The sum of the contract under what is typed so far. */
function SumPreview({ form, today, ...proposal }: Proposal & { form: ChangeFormState; today: string }) {
  const words = useAmendmentWords()
  useWatch({ control: form.control })
  const typed = form.getValues()
  const terms = termsSoFar(proposal, typed, today)
  return (
    <section className="panel">
      <h2>{words.sumPreview}</h2>
      <p role="status">
        <SumChange {...amountsOf(proposal.contract, terms, fromDayOf(proposal, typed, today))} />
      </p>
      <p className="small soft">{words.sumHint}</p>
    </section>
  )
}

/** Whether a side pays the other for the early end, and how much. */
function PenaltyFields({ form }: { form: ChangeFormState }) {
  const { contract } = useText()
  const words = useAmendmentWords()
  const payer = useWatch({ control: form.control, name: 'penaltyPayer' })
  return (
    <section className="panel stack">
      <MarkedHeading>{words.penalty}</MarkedHeading>
      <div className="form-grid">
        <SelectField
          form={form}
          name="penaltyPayer"
          label={words.penaltyPayer}
          blank={words.noPenalty}
          options={contractSides.map((side) => [side, contract.side[side]])}
        />
        {payer !== '' && <MoneyField form={form} name="penaltyAmount" label={words.penaltyAmount} required maxLength={12} />}
      </div>
    </section>
  )
}

function AccountFields({ form, contract }: Proposal & { form: ChangeFormState }) {
  const words = useAmendmentWords()
  const { pages } = useText().contract
  return (
    <section className="panel stack">
      <MarkedHeading>{words.accountNew}</MarkedHeading>
      <p>
        <span className="soft">{words.accountNow}</span> {contract.bankName}{' '}
        <span className="bank-account">{bankDigits(contract.bankAccount)}</span>
      </p>
      <div className="form-grid">
        <TextField form={form} name="bankName" label={pages.bankName} required maxLength={100} />
        <TextField form={form} name="bankAccount" label={pages.bankAccount} required inputMode="numeric" maxLength={40} />
      </div>
    </section>
  )
}
