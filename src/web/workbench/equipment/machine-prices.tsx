import { useFieldArray, useWatch } from 'react-hook-form'
import { fuelPayers, type RentUnit, rentUnits, taxRates } from '#shared/equipment/rules.ts'
import { DateField, CheckField, MoneyField, SelectField, TextField } from '../../app/form.tsx'
import { useText } from '../../app/text.tsx'
import { CheckField as PlainCheck } from '../../ui/form-fields.tsx'
import { newPrice, type MachineFormState } from './machine-form.ts'

const maxPrices = 4

/** One to four prices, each for another rent unit. */
export function MachinePrices({ form }: { form: MachineFormState }) {
  const words = useText().equipment.upload
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'prices', keyName: 'key' })
  const prices = useWatch({ control: form.control, name: 'prices' })
  const freeUnits = rentUnits.filter((unit) => !prices.some(({ rentUnit }) => rentUnit === unit))
  const [nextUnit] = freeUnits
  const error = form.errorAt('prices')
  return (
    <div className="stack">
      {error && <p className="field-error">{error}</p>}
      {fields.map(({ key }, index) => (
        <PriceFields key={key} form={form} index={index} freeUnits={freeUnits} onRemove={fields.length > 1 ? () => remove(index) : null} />
      ))}
      {fields.length < maxPrices && nextUnit && (
        <p>
          <button type="button" className="button" onClick={() => append(newPrice(nextUnit), { shouldFocus: false })}>
            + {words.addPrice}
          </button>
        </p>
      )}
    </div>
  )
}

function PriceFields({
  form,
  index,
  freeUnits,
  onRemove,
}: {
  form: MachineFormState
  index: number
  freeUnits: readonly RentUnit[]
  onRemove: (() => void) | null
}) {
  const text = useText()
  const words = text.equipment.upload
  const at = `prices.${index}` as const
  const { rentUnit, negotiable, withOperator } = useWatch({ control: form.control, name: at })
  return (
    <fieldset className="form-grid price-row">
      <legend className="legend">{text.equipment.unit[rentUnit]}</legend>
      <SelectField
        form={form}
        name={`${at}.rentUnit`}
        label={text.quote.form.rentUnit}
        term="shift"
        options={rentUnits.filter((unit) => unit === rentUnit || freeUnits.includes(unit)).map((unit) => [unit, text.equipment.unit[unit]])}
      />
      <MoneyField form={form} name={`${at}.price`} label={words.price} required={!negotiable} disabled={negotiable} maxLength={12} />
      <SelectField
        form={form}
        name={`${at}.taxRate`}
        label={text.quote.form.taxRate}
        options={taxRates.map((rate) => [String(rate), `${rate}%`])}
      />
      <SelectField
        form={form}
        name={`${at}.fuelBy`}
        label={text.demand.duties.fuelBy}
        options={fuelPayers.map((by) => [by, text.equipment.fuelBy[by]])}
      />
      <SelectField form={form} name={`${at}.shiftMode`} label={text.demand.form.shift} options={Object.entries(text.demand.shift)} />
      <TextField form={form} name={`${at}.minRentDays`} label={words.minRentDays} inputMode="numeric" maxLength={4} />
      <DateField form={form} name={`${at}.validTo`} label={words.priceValidTo} />
      <div className="span-all row gap-24">
        <CheckField form={form} name={`${at}.negotiable`} label={words.negotiable} />
        <PlainCheck
          label={text.equipment.withOperator}
          value={withOperator}
          onChange={(on) => {
            // A hire with a driver is taxed as a building service, which has another rate.
            form.setValue(`${at}.withOperator`, on, { shouldDirty: true })
            form.setValue(`${at}.taxRate`, on ? '9' : '13')
          }}
        />
        {onRemove && (
          <button type="button" className="link" onClick={onRemove}>
            {words.removePrice}
          </button>
        )}
      </div>
    </fieldset>
  )
}
