import { clauseWordsOf } from '#shared/text/clause-words.ts'
import { useController, useFormContext } from 'react-hook-form'
import { bondKinds, maxExtra, maxExtras, stopKinds, venueKinds, type ClauseKey } from '#shared/contract/clauses.ts'
import { useText } from '../../app/text.tsx'
import { SelectField, TextareaField, TextField } from '../../ui/form-fields.tsx'
import type { ClauseValues } from './contract-draft.ts'
import './contract.css'

/** Follows the form as it is typed. */
export type LiveClauses = {
  sentence: (key: ClauseKey) => string
  /** What is wrong with the value of a clause. */
  error: (key: ClauseKey) => string | undefined
  /** What the law forbids about it. */
  problems: (key: ClauseKey) => string[]
  /** What is unusual about it, and what the lessor wrote about it. */
  notes: (key: ClauseKey) => string[]
}

type Composite = 'stopRules' | 'nonCash' | 'bond' | 'venue' | 'extras'
type Simple = Exclude<ClauseKey, Composite>
type Clause = { live: LiveClauses }

/** The fields of clauses, for the form around them (`FormProvider`). Below each stands its sentence, or what is wrong with its value, and what the law forbids. */
export function ClauseFields({ keys, ...clause }: Clause & { keys: readonly ClauseKey[] }) {
  return (
    <div className="form-grid">
      {keys.map((key) => (
        <div
          key={key}
          className={key === 'stopRules' || key === 'extras' ? 'span-all stack' : 'stack'}
          data-problem={clause.live.problems(key).length > 0 ? '' : undefined}
        >
          <ClauseControl {...clause} clause={key} />
          {clause.live.notes(key).map((note) => (
            <p key={note} className="notice small">
              {note}
            </p>
          ))}
          {clause.live.problems(key).map((problem) => (
            <p key={problem} className="notice notice-warn small" role="alert" data-problem-text>
              {problem}
            </p>
          ))}
        </div>
      ))}
    </div>
  )
}

function ClauseControl({ clause, ...shared }: Clause & { clause: ClauseKey }) {
  switch (clause) {
    case 'stopRules':
      return <StopRules {...shared} />
    case 'nonCash':
      return <NonCash {...shared} />
    case 'bond':
      return <Bond {...shared} />
    case 'venue':
      return <Venue {...shared} />
    case 'extras':
      return <Extras {...shared} />
    default:
      return <SimpleClause {...shared} clause={clause} />
  }
}

const optional: readonly ClauseKey[] = ['hourCap', 'minUnits', 'minPerDay', 'fuelPrice', 'lateRate']
const withDecimals: readonly ClauseKey[] = ['minUnits', 'minPerDay', 'fuelPrice', 'deposit', 'lateRate']

/** A number, an amount, or one of several choices. */
function SimpleClause({ live, clause }: Clause & { clause: Simple }) {
  const form = useFormContext<ClauseValues>()
  const words = useText().contract
  const { field, fieldState } = useController({ control: form.control, name: `clauses.${clause}` })
  const { option, form: labels } = words.pages
  const choices = clause in option ? option[clause as keyof typeof option] : null
  const isYesNo = typeof field.value === 'boolean'
  const shared = {
    label: words.clause[clause],
    hint: [clause === 'lateRate' && labels.annual, live.sentence(clause)].filter(Boolean).join(' · '),
    error: live.error(clause) ?? fieldState.error?.message,
    value: String(field.value),
    onChange: (value: string) => {
      field.onChange(isYesNo ? value === 'true' : value)
      form.clearErrors(`clauses.${clause}`)
    },
  }
  if (choices) return <SelectField {...shared} options={Object.entries(choices)} />
  return (
    <TextField
      {...shared}
      numeric
      required={!optional.includes(clause)}
      inputMode={withDecimals.includes(clause) ? 'decimal' : 'numeric'}
      maxLength={12}
      {...(optional.includes(clause) && { placeholder: labels.none })}
    />
  )
}

/** The rent while a machine stands by agreement: by kind the days without rent in a year, and the share of the rent after them. */
function StopRules({ live }: Clause) {
  const form = useFormContext<ClauseValues>()
  const text = useText()
  const words = text.contract
  const { stopKinds: kinds } = clauseWordsOf(text)
  const { form: labels } = words.pages
  const error = live.error('stopRules')
  return (
    <fieldset className={`field ${error ? 'field-bad' : ''}`}>
      <legend>{words.clause.stopRules}</legend>
      <div className="scroll-x" tabIndex={0}>
        <table className="table cards-on-phone stop-rules">
          <thead>
            <tr>
              <th>{labels.stopKind}</th>
              <th>{labels.freeDays}</th>
              <th>{labels.rate}</th>
            </tr>
          </thead>
          <tbody>
            {stopKinds.map((kind) => (
              <tr key={kind}>
                <td className="whole capital">{kinds[kind]}</td>
                {(['freeDays', 'rate'] as const).map((part) => (
                  <td key={part} data-label={labels[part]}>
                    <input
                      {...form.register(`clauses.stopRules.${kind}.${part}`)}
                      className="input num"
                      inputMode="numeric"
                      maxLength={3}
                      aria-label={`${kinds[kind]} ${labels[part]}`}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={error ? 'field-error' : 'field-hint'}>{error ?? live.sentence('stopRules')}</p>
    </fieldset>
  )
}

/** A field inside a clause of several parts. */
function Part({ name, label, error }: { name: PartName; label: string; error?: string | undefined }) {
  const { field } = useController<ClauseValues, PartName>({ name })
  return (
    <TextField
      label={label}
      numeric
      required
      inputMode="numeric"
      maxLength={3}
      value={field.value}
      onChange={field.onChange}
      error={error}
    />
  )
}
type PartName = 'clauses.nonCash.share' | 'clauses.nonCash.months' | 'clauses.bond.share'

function NonCash({ live }: Clause) {
  const form = useFormContext<ClauseValues>()
  const words = useText().contract
  const { form: labels, nonCash } = words.pages
  const { hasNonCash } = form.getValues()
  const error = live.error('nonCash')
  return (
    <>
      <SelectField
        label={words.clause.nonCash}
        hint={error ? '' : live.sentence('nonCash')}
        value={hasNonCash ? 'agreed' : 'none'}
        onChange={(choice) => form.setValue('hasNonCash', choice === 'agreed', { shouldDirty: true })}
        options={[
          ['none', nonCash.none],
          ['agreed', nonCash.agreed],
        ]}
      />
      {hasNonCash && (
        <div className="range-pair">
          <Part name="clauses.nonCash.share" label={labels.share} error={error} />
          <span aria-hidden="true" />
          <Part name="clauses.nonCash.months" label={labels.months} />
        </div>
      )}
    </>
  )
}

function Bond({ live }: Clause) {
  const form = useFormContext<ClauseValues>()
  const words = useText().contract
  const { form: labels, bond } = words.pages
  const { hasBond, clauses } = form.getValues()
  const error = live.error('bond')
  return (
    <>
      <SelectField
        label={words.clause.bond}
        hint={error ? '' : live.sentence('bond')}
        value={hasBond ? clauses.bond.kind : 'none'}
        onChange={(choice) => {
          const kind = bondKinds.find((one) => one === choice)
          form.setValue('hasBond', kind !== undefined, { shouldDirty: true })
          if (kind) form.setValue('clauses.bond.kind', kind, { shouldDirty: true })
        }}
        options={(['none', ...bondKinds] as const).map((kind) => [kind, bond[kind]])}
      />
      {hasBond && <Part name="clauses.bond.share" label={labels.share} error={error} />}
    </>
  )
}

function Venue({ live }: Clause) {
  const form = useFormContext<ClauseValues>()
  const words = useText().contract
  const { form: labels, venue } = words.pages
  const kind = useController({ control: form.control, name: 'clauses.venue.kind' })
  const name = useController({ control: form.control, name: 'clauses.venue.name' })
  return (
    <>
      <SelectField
        label={words.clause.venue}
        hint={live.sentence('venue')}
        value={kind.field.value}
        onChange={kind.field.onChange}
        options={venueKinds.map((one) => [one, venue[one]])}
      />
      {kind.field.value === 'arbitration' && (
        <TextField
          label={labels.arbitration}
          required
          maxLength={60}
          value={name.field.value}
          onChange={name.field.onChange}
          error={live.error('venue')}
        />
      )}
    </>
  )
}

/** Other terms, which hold no money. */
function Extras({ live }: Clause) {
  const form = useFormContext<ClauseValues>()
  const words = useText().contract
  const { form: labels, remove } = words.pages
  const { clauses } = form.getValues()
  const { field } = useController({ control: form.control, name: 'clauses.extras' })
  const error = live.error('extras')
  return (
    <fieldset className="field">
      <legend>{words.clause.extras}</legend>
      {clauses.extras.map((extra, index) => (
        <div key={index} className="stack gap-4">
          <TextareaField
            label={labels.extra(index + 1)}
            required
            maxLength={maxExtra}
            value={extra}
            onChange={(next) => field.onChange(clauses.extras.with(index, next))}
            error={extra.trim() === '' ? error : undefined}
          />
          <p>
            <button type="button" className="link" onClick={() => field.onChange(clauses.extras.filter((_, at) => at !== index))}>
              {remove}
              <span className="visually-hidden">: {labels.extra(index + 1)}</span>
            </button>
          </p>
        </div>
      ))}
      <p className="field-hint pre-line">{live.sentence('extras')}</p>
      <p>
        <button
          type="button"
          className="button button-small"
          disabled={clauses.extras.length >= maxExtras}
          onClick={() => field.onChange([...clauses.extras, ''])}
        >
          {labels.addExtra}
        </button>
      </p>
    </fieldset>
  )
}
