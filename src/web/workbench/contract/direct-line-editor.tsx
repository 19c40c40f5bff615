import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { daysBetween } from '#shared/calendar.ts'
import { firstFreeDay, type DirectMachine } from '#shared/contract/direct.ts'
import { hasMinimumTerm, needsQuantity } from '#shared/demand/rules.ts'
import { taxRates } from '#shared/equipment/rules.ts'
import { feeNames, oddTaxRate } from '#shared/quote/rules.ts'
import type { CallForm } from '../../app/call-form.ts'
import { CheckField, ControlField, DateField, MoneyField, NumberField, SelectField, TextField } from '../../app/form.tsx'
import { machineName } from '../../app/format.ts'
import { Fold } from '../../app/fold.tsx'
import { useText } from '../../app/text.tsx'
import { useCategories } from '../../category/category-tree.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { withMachine, type DirectForm } from './direct-contract.ts'
import { unitsOf } from '../demand/draft.ts'

type Line<B> = { form: CallForm<DirectForm, B>; index: number }

/** Edits one position of a contract that a unit writes down itself: a machine of the lessor, its days and its rent. */
export function DirectLineEditor<B>({
  lineNo,
  machines,
  onRemove,
  ...line
}: Line<B> & { lineNo: number; machines: readonly DirectMachine[]; onRemove: (() => void) | null }) {
  const { form, index } = line
  const text = useText()
  const words = text.demand.form
  const { direct } = text.contract.pages
  const at = `lines.${index}` as const
  const { equipmentId, planStart, planEnd } = useWatch({ control: form.control, name: at })
  const machine = machines.find(({ id }) => id === equipmentId)
  const categories = useCategories()
  const options = useMachineOptions(machines, { planStart, planEnd })
  const days = planStart && planEnd > planStart ? daysBetween(planStart, planEnd) : null
  const pick = (id: number) => {
    const picked = machines.find((one) => one.id === id)
    if (!picked) return
    const typed = form.getValues(at)
    const category = categories.get(picked.categoryId)
    // While the categories are not there, nothing says that the machine is not let by the unit of the price.
    form.setValue(at, withMachine(typed, picked, category ? unitsOf(category) : [typed.rentUnit]), { shouldDirty: true })
    form.clearErrors([`${at}.equipmentId`, `${at}.qty`, `${at}.rentUnit`])
  }
  return (
    <section className="line-editor" aria-label={direct.line(lineNo)}>
      <header>
        <h3>{direct.line(lineNo)}</h3>
        {onRemove && (
          <button type="button" className="link" onClick={onRemove}>
            {words.removeLine}
          </button>
        )}
      </header>
      <div className="form-grid">
        <ControlField
          form={form}
          name={`${at}.equipmentId`}
          label={direct.machine}
          hint={machines.length === 0 ? direct.machineHint : undefined}
          required
          className="span-all"
        >
          {(control) => (
            <Combobox
              id={control.id}
              label={direct.machine}
              none={direct.noMachine}
              invalid={control['aria-invalid'] === true}
              value={equipmentId}
              options={options}
              onChange={pick}
            />
          )}
        </ControlField>
        {machine?.isLot && (
          <NumberField
            form={form}
            name={`${at}.qty`}
            label={words.qty}
            required
            inputMode="numeric"
            min="1"
            max={String(machine.totalQty)}
          />
        )}
        <DateField form={form} name={`${at}.planStart`} label={words.start} required />
        <DateField
          form={form}
          name={`${at}.planEnd`}
          label={words.end}
          hint={days === null ? undefined : words.days(days)}
          min={planStart}
          since={planStart}
          presets="period"
          required
        />
        <RentFields {...line} categoryId={machine?.categoryId} />
      </div>
      <FeeFields {...line} />
    </section>
  )
}

/** The machines by name, each with what keeps it from being chosen or with the day from which it is free. */
function useMachineOptions(machines: readonly DirectMachine[], { planStart, planEnd }: { planStart: string; planEnd: string }) {
  const text = useText()
  return useMemo(() => {
    const { direct } = text.contract.pages
    return machines.map((machine) => {
      const freeFrom = planStart && planEnd > planStart ? firstFreeDay(machine, { qty: 1, planStart, planEnd }) : planStart
      const label = `${machineName(text, machine)} ${machine.equipmentCode}${machine.isLot ? ` ×${machine.totalQty}` : ''}`
      const note = machine.bar ? direct.bar[machine.bar] : freeFrom && freeFrom !== planStart ? direct.freeFrom(freeFrom) : ''
      return {
        value: machine.id,
        label: note ? `${label} · ${note}` : label,
        words: `${label} ${machine.name} ${machine.model} ${machine.categoryNameEn}`.toLowerCase(),
      }
    })
  }, [machines, planStart, planEnd, text])
}

function RentFields<B>({ form, index, categoryId }: Line<B> & { categoryId: number | undefined }) {
  const text = useText()
  const words = text.quote.form
  const at = `lines.${index}` as const
  const { rentUnit, includesOperator, taxRate, ceilingReason } = useWatch({ control: form.control, name: at })
  const categories = useCategories()
  const units = new Set([...unitsOf(categoryId === undefined ? undefined : categories.get(categoryId)), rentUnit])
  return (
    <>
      <SelectField
        form={form}
        name={`${at}.rentUnit`}
        label={words.rentUnit}
        term="shift"
        required
        options={[...units].map((unit) => [unit, text.equipment.unit[unit]])}
      />
      <MoneyField
        form={form}
        name={`${at}.unitPrice`}
        label={text.quote.form.priceIn(text.equipment.unit[rentUnit] ?? '')}
        required
        maxLength={12}
      />
      {needsQuantity(rentUnit) && (
        <NumberField
          form={form}
          name={`${at}.estQuantity`}
          label={text.demand.form.estQuantity(text.equipment.unitShort[rentUnit])}
          required
          inputMode="decimal"
          min="0"
        />
      )}
      <SelectField form={form} name={`${at}.shiftMode`} label={text.demand.form.shift} options={Object.entries(text.demand.shift)} />
      <SelectField
        form={form}
        name={`${at}.taxRate`}
        label={words.taxRate}
        hint={oddTaxRate(includesOperator, Number(taxRate)) ? words.oddTax : undefined}
        options={taxRates.map((rate) => [String(rate), `${rate}%`])}
      />
      <SelectField form={form} name={`${at}.invoiceKind`} label={words.invoice} options={Object.entries(text.demand.invoices)} />
      <div className="row span-all gap-24">
        <CheckField form={form} name={`${at}.includesOperator`} label={words.includesOperator} />
        <CheckField form={form} name={`${at}.includesFuel`} label={words.includesFuel} />
      </div>
      {(ceilingReason !== '' || form.errorAt(`${at}.ceilingReason`) !== undefined) && (
        <TextField
          form={form}
          name={`${at}.ceilingReason`}
          label={words.ceilingReason}
          hint={text.contract.pages.direct.ceilingHint}
          required
          maxLength={500}
          className="span-all"
        />
      )}
    </>
  )
}

/** Fees and the minimum term, folded away: most contracts have a few of them. */
function FeeFields<B>({ form, index }: Line<B>) {
  const text = useText()
  const words = text.quote.form
  const at = `lines.${index}` as const
  const rentUnit = useWatch({ control: form.control, name: `${at}.rentUnit` })
  const names = [...feeNames, 'minRentDays' as const].map((name) => `${at}.${name}` as const)
  return (
    <Fold form={form} names={names} summary={text.contract.pages.direct.fees}>
      <div className="form-grid mt-8">
        {feeNames.map((fee) => (
          <MoneyField key={fee} form={form} name={`${at}.${fee}`} label={words[fee]} maxLength={12} />
        ))}
        {hasMinimumTerm(rentUnit) && (
          <NumberField
            form={form}
            name={`${at}.minRentDays`}
            label={words.minRentDays}
            term="minimum"
            inputMode="numeric"
            min="0"
            numeric
          />
        )}
      </div>
    </Fold>
  )
}
