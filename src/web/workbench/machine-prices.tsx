import { rentUnits, type RentUnit } from '#shared/equipment/rules.ts'
import { CheckField, SelectField, TextField } from '../ui/form-fields.tsx'
import { useText } from '../app/text.tsx'
import type { Errors } from '../app/use-form.ts'
import { blankPrice, type PriceForm } from './machine-form.ts'

/** One to four prices, each by its own unit. */
export function MachinePrices({
  prices,
  errors,
  onChange,
}: {
  prices: readonly PriceForm[]
  errors: Errors
  onChange: (prices: PriceForm[]) => void
}) {
  const text = useText()
  const words = text.equipment.upload
  const form = text.quote.form
  const set = (index: number, change: Partial<PriceForm>) => onChange(prices.map((one, at) => (at === index ? { ...one, ...change } : one)))
  const free = rentUnits.filter((unit) => !prices.some(({ rentUnit }) => rentUnit === unit))
  return (
    <div className="stack">
      {errors.prices && <p className="field-error">{errors.prices}</p>}
      {prices.map((price, index) => (
        <fieldset key={price.rentUnit} className="form-grid price-row">
          <legend className="legend">{text.equipment.unit[price.rentUnit]}</legend>
          <SelectField
            label={form.rentUnit}
            value={price.rentUnit}
            onChange={(rentUnit) => set(index, { rentUnit: rentUnit as RentUnit })}
            options={rentUnits
              .filter((unit) => unit === price.rentUnit || free.includes(unit))
              .map((unit) => [unit, text.equipment.unit[unit]])}
          />
          <TextField
            label={words.price}
            required={!price.negotiable}
            disabled={price.negotiable}
            inputMode="decimal"
            maxLength={12}
            value={price.price}
            onChange={(value) => set(index, { price: value })}
            error={errors[`prices.${index}.price`]}
          />
          <SelectField
            label={form.taxRate}
            value={String(price.taxRate)}
            onChange={(rate) => set(index, { taxRate: Number(rate) })}
            options={[13, 9, 6, 3, 1, 0].map((rate) => [String(rate), `${rate}%`])}
          />
          <SelectField
            label={text.demand.duties.fuelBy}
            value={price.fuelBy}
            onChange={(fuelBy) => set(index, { fuelBy: fuelBy as 'lessor' })}
            options={(['lessor', 'lessee', 'none'] as const).map((by) => [by, text.equipment.fuelBy[by]])}
          />
          <SelectField
            label={text.demand.form.shift}
            value={price.shiftMode}
            onChange={(shiftMode) => set(index, { shiftMode: shiftMode as 'single' })}
            options={(['single', 'double'] as const).map((mode) => [mode, text.demand.shift[mode] ?? mode])}
          />
          <TextField
            label={words.minRentDays}
            inputMode="numeric"
            maxLength={4}
            value={price.minRentDays}
            onChange={(minRentDays) => set(index, { minRentDays })}
            error={errors[`prices.${index}.minRentDays`]}
          />
          <TextField label={words.priceValidTo} type="date" value={price.validTo} onChange={(validTo) => set(index, { validTo })} />
          <div className="span-all row" style={{ gap: 24 }}>
            <CheckField label={words.negotiable} value={price.negotiable} onChange={(negotiable) => set(index, { negotiable })} />
            <CheckField
              label={text.equipment.withOperator}
              value={price.withOperator}
              onChange={(withOperator) => set(index, { withOperator, taxRate: withOperator ? 9 : 13 })}
            />
            {prices.length > 1 && (
              <button type="button" className="link" onClick={() => onChange(prices.filter((_, at) => at !== index))}>
                {words.removePrice}
              </button>
            )}
          </div>
        </fieldset>
      ))}
      {prices.length < 4 && free[0] && (
        <p>
          <button type="button" className="button" onClick={() => onChange([...prices, blankPrice(free[0])])}>
            + {words.addPrice}
          </button>
        </p>
      )}
    </div>
  )
}
