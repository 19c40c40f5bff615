import { FormProvider, useWatch } from 'react-hook-form'
import { clauseKeys, clausesFrom, printedClauses, type ClauseFacts, type ClauseKey } from '#shared/contract/clauses.ts'
import type { Contract, Position } from '#shared/contract/contract.ts'
import type { LineTerms } from '#shared/contract/changes.ts'
import { taxRates } from '#shared/equipment/rules.ts'
import { clauseWordsOf } from '#shared/text/clause-words.ts'
import { nameIn } from '#shared/text/name-in.ts'
import { addDays } from '#shared/calendar.ts'
import { MarkedHeading } from '../../app/form-problems.tsx'
import { ControlField, DateField, MoneyField, SelectField } from '../../app/form.tsx'
import { money, number } from '../../app/format.ts'
import { Period } from '../../app/period.tsx'
import { useText } from '../../app/text.tsx'
import { MultiCombobox } from '../../ui/combobox.tsx'
import { CheckField } from '../../ui/form-fields.tsx'
import { useAmendmentWords } from './amendment-words.ts'
import { ClauseFields } from './contract-clauses.tsx'
import { priceAtTaxRate, rowsOf, withoutClauses, type ChangeFormState, type Proposal } from './contract-change-form.ts'
import { useLiveClauses } from './contract-live-clauses.ts'

type Rows = Proposal & { form: ChangeFormState; today: string }

/** The positions that may change: the ticked ones have a field for the new value beside the present one. */
export function PositionRows({ form, today, ...proposal }: Rows) {
  const words = useAmendmentWords()
  const lines = useWatch({ control: form.control, name: 'lines' })
  const rows = rowsOf(proposal)
  const error = form.errorAt('lines')
  const first = lines.find(({ chosen, value }) => chosen && value.trim() !== '')
  const others = lines.filter(({ chosen, value }) => chosen && value.trim() === '')
  return (
    <section className="panel">
      <MarkedHeading>{words.positions}</MarkedHeading>
      <fieldset className={`field ${error ? 'field-bad' : ''}`}>
        <legend className="visually-hidden">{words.positions}</legend>
        {rows.length === 0 && <p className="soft">{words.noPositions}</p>}
        {rows.length > 0 && proposal.kind !== 'quantity' && <p className="small soft">{words.positionsHint}</p>}
        {rows.length > 1 && (
          <CheckField
            label={words.all}
            value={lines.every(({ chosen }) => chosen)}
            onChange={(chosen) => form.change({ lines: lines.map((line) => ({ ...line, chosen })) })}
          />
        )}
        {rows.map((row, index) => (
          <PositionRow key={row.id} {...proposal} form={form} today={today} row={row} index={index} />
        ))}
        {proposal.kind !== 'quantity' && first && others.length > 0 && (
          <p>
            <button
              type="button"
              className="button button-small"
              onClick={() =>
                form.change({
                  lines: lines.map((line) => (line.chosen && line.value.trim() === '' ? { ...line, value: first.value } : line)),
                })
              }
            >
              {words.same}
            </button>
          </p>
        )}
        {error && (
          <p className="field-error" role="alert">
            {error}
          </p>
        )}
      </fieldset>
    </section>
  )
}

function PositionRow({ form, kind, contract, today, row, index }: Rows & { row: Position; index: number }) {
  const text = useText()
  const chosen = useWatch({ control: form.control, name: `lines.${index}.chosen` })
  const name = `${row.lineNo}. ${nameIn(text, row.name, row.nameEn)} ×${number(row.qty, 3)}`
  const error = form.errorAt(`lines.${index}.chosen`)
  return (
    <fieldset className={`line-editor ${error ? 'field-bad' : ''}`}>
      <legend className="visually-hidden">{name}</legend>
      <header>
        <CheckField
          label={name}
          hint={row.equipmentCode}
          value={chosen}
          onChange={(next) => {
            form.setValue(`lines.${index}.chosen`, next, { shouldDirty: true })
            form.clearErrors('lines')
          }}
        />
        <PresentValue kind={kind} row={row} />
      </header>
      {chosen && isLineKind(kind) && (
        <div className="form-grid">
          <NewValue form={form} kind={kind} contract={contract} today={today} row={row} index={index} />
        </div>
      )}
      {error && <p className="field-error">{error}</p>}
    </fieldset>
  )
}

const isLineKind = (kind: Proposal['kind']): kind is LineTerms['kind'] => ['extend', 'shorten', 'price', 'tax'].includes(kind)

function PresentValue({ kind, row }: { kind: Proposal['kind']; row: Position }) {
  const text = useText()
  const words = useAmendmentWords()
  const value =
    kind === 'price' ? (
      `${money(row.unitPrice, true)} ${text.equipment.unit[row.rentUnit]}`
    ) : kind === 'tax' ? (
      `${row.taxRate}%`
    ) : kind === 'quantity' ? (
      <Period from={row.planStart} to={row.planEnd} />
    ) : (
      words.until(row.planEnd)
    )
  return (
    <p>
      <span className="small soft">{words.before}</span> <span className="num">{value}</span>
    </p>
  )
}

type NewValueProps = Omit<Rows, 'kind'> & { kind: LineTerms['kind']; row: Position; index: number }

function NewValue({ form, kind, contract, today, row, index }: NewValueProps) {
  const { site, equipment } = useText()
  const words = useAmendmentWords()
  const shared = { form, name: `lines.${index}.value` as const, label: words.value[kind], required: true }
  const typed = useWatch({ control: form.control, name: shared.name })
  const taxRate = kind === 'tax' ? taxRates.find((rate) => String(rate) === typed) : undefined
  const priceFen = taxRate === undefined ? undefined : priceAtTaxRate(contract, row.id, taxRate)
  const pricedHint = priceFen === undefined ? undefined : words.taxedPrice(`${money(priceFen / 100, true)} ${equipment.unit[row.rentUnit]}`)
  switch (kind) {
    case 'extend':
      return <DateField {...shared} hint={words.untilHint} min={addDays(row.planEnd, 1)} since={row.planEnd} presets="period" />
    case 'shorten':
      return <DateField {...shared} hint={words.untilHint} min={row.planStart < today ? today : addDays(row.planStart, 1)} />
    case 'price':
      return <MoneyField {...shared} maxLength={12} />
    case 'tax':
      return (
        <SelectField
          {...shared}
          hint={pricedHint}
          blank={site.common.choose}
          options={taxRates.map((rate) => [String(rate), `${rate}%`])}
        />
      )
  }
}

type Picking = { form: ChangeFormState; contract: Contract; facts: ClauseFacts }

/** The clauses that change: each with its present sentence, its field, and the sentence that it makes. */
export function ClausePicker({ form, contract, facts }: Picking) {
  const text = useText()
  const words = text.contract
  const amendment = useAmendmentWords()
  const { sentences } = clauseWordsOf(text)
  const picked = useWatch({ control: form.control, name: 'picked' })
  const live = useLiveClauses(form, { stored: contract.clauses, facts, notes: () => [] })
  const stored = clausesFrom(contract.clauses)
  // Once the form was checked, what the law forbids stands beside the field, if the clause is a single field.
  const isBesideField = (key: ClauseKey) => !['extras', 'venue', 'nonCash'].includes(key) && form.errorAt(`clauses.${key}`) !== undefined
  const pick = (keys: readonly ClauseKey[]) => {
    const gone = picked.filter((key) => !keys.includes(key))
    form.change({ picked: [...keys], ...withoutClauses(form.getValues(), contract, gone) })
  }
  return (
    <section className="panel stack">
      <MarkedHeading>{amendment.clauses}</MarkedHeading>
      <ControlField form={form} name="picked" label={amendment.clauses} hint={amendment.clausesHint} required>
        {({ id }) => (
          <MultiCombobox
            id={id}
            label={amendment.clauses}
            placeholder={amendment.clausesPick}
            none={text.site.common.empty}
            invalid={form.errorAt('picked') !== undefined}
            remove={text.site.common.delete}
            values={picked.map((key) => ({ value: clauseKeys.indexOf(key), label: words.clause[key] }))}
            options={printedClauses.map((key) => ({ value: clauseKeys.indexOf(key), label: words.clause[key] }))}
            onChange={(next) => pick(next.flatMap(({ value }) => clauseKeys[value] ?? []))}
          />
        )}
      </ControlField>
      <FormProvider {...form}>
        {picked.map((key) => (
          <div key={key} className="line-editor">
            <p>
              <span className="small soft">{amendment.before}</span> <span className="pre-line">{sentences[key](stored)}</span>
            </p>
            <ClauseFields keys={[key]} live={{ ...live, problems: (one) => (isBesideField(one) ? [] : live.problems(one)) }} />
          </div>
        ))}
      </FormProvider>
    </section>
  )
}
