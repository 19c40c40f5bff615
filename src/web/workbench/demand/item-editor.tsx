import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { daysBetween } from '#shared/calendar.ts'
import type { Category } from '#shared/category/contract.ts'
import { needsQuantity, startsBeforeAward } from '#shared/demand/rules.ts'
import { leastEmissions } from '#shared/equipment/rules.ts'
import { mainParam } from '#shared/main-param.ts'
import { colon } from '../../app/colon.ts'
import { ControlField, DateField, MoneyField, NumberField, SelectField, TextField } from '../../app/form.tsx'
import { Fold } from '../../app/fold.tsx'
import { labelOf, money } from '../../app/format.ts'
import { useCategories } from '../../category/category-tree.ts'
import { useText } from '../../app/text.tsx'
import { unitsOf, type DemandFormState, type ItemForm } from './draft.ts'
import { CategoryPicker } from '../../category/pickers.tsx'
import './demand-form.css'

type Line = { form: DemandFormState; index: number }

/** Edits one line of a demand. */
export function ItemEditor({
  form,
  index,
  listed,
  onCopy,
  onRemove,
}: Line & {
  /** The ceiling in the organisation's list, in yuan. */
  listed: string | null
  onCopy: () => void
  onRemove: (() => void) | null
}) {
  const text = useText()
  const words = text.demand.form
  const at = `items.${index}` as const
  const item = useWatch({ control: form.control, name: at })
  const quoteDeadline = useWatch({ control: form.control, name: 'quoteDeadline' })
  const categories = useCategories()
  const category = item.categoryId === null ? undefined : categories.get(item.categoryId)
  const days = item.planStart && item.planEnd > item.planStart ? daysBetween(item.planStart, item.planEnd) : null
  const pickCategory = (categoryId: number, fatherCategoryId: number, size: string) => {
    const picked = categories.get(categoryId)
    const [rentUnit = 'M'] = unitsOf(picked)
    const main = mainParam(picked?.params)
    const specs: ItemForm['specs'] = main && size ? { [main.key]: { rule: 'ge', value: size } } : {}
    const estQuantity = rentUnit === item.rentUnit ? item.estQuantity : ''
    form.setValue(at, { ...item, categoryId, fatherCategoryId, specs, rentUnit, estQuantity }, { shouldDirty: true })
    form.clearErrors([`${at}.categoryId`, `${at}.fatherCategoryId`, `${at}.specs`, `${at}.rentUnit`])
  }
  return (
    <section className="line-editor" aria-label={text.demand.line(index + 1)}>
      <header>
        <h3>{text.demand.line(index + 1)}</h3>
        <p className="row">
          <button type="button" className="link" onClick={onCopy}>
            {words.copyLine}
          </button>
          {onRemove && (
            <button type="button" className="link" onClick={onRemove}>
              {words.removeLine}
            </button>
          )}
        </p>
      </header>
      <div className="form-grid">
        <ControlField form={form} name={`${at}.categoryId`} label={words.category} required>
          {(control) => (
            <CategoryPicker id={control.id} value={item.categoryId} invalid={control['aria-invalid'] === true} onChange={pickCategory} />
          )}
        </ControlField>
        <NumberField form={form} name={`${at}.qty`} label={words.qty} required inputMode="numeric" min="1" max="999" />
        <DateField
          form={form}
          name={`${at}.planStart`}
          label={words.start}
          hint={startsBeforeAward(item, quoteDeadline) ? words.startEarly : undefined}
          presets="start"
          required
        />
        <DateField
          form={form}
          name={`${at}.planEnd`}
          label={words.end}
          hint={days === null ? undefined : words.days(days)}
          min={item.planStart}
          since={item.planStart}
          presets="period"
          required
        />
        <SelectField
          form={form}
          name={`${at}.rentUnit`}
          label={words.rentUnit}
          term="shift"
          required
          options={unitsOf(category).map((unit) => [unit, text.equipment.unit[unit]])}
        />
        {needsQuantity(item.rentUnit) && (
          <NumberField
            form={form}
            name={`${at}.estQuantity`}
            label={words.estQuantity(text.equipment.unitShort[item.rentUnit])}
            required
            inputMode="decimal"
            min="0"
          />
        )}
        <SelectField form={form} name={`${at}.shiftMode`} label={words.shift} options={Object.entries(text.demand.shift)} />
        <MoneyField
          form={form}
          name={`${at}.priceCeiling`}
          label={words.ceiling}
          term="ceiling"
          hint={listed === null ? words.ceilingHint : text.ceiling.fromList(money(listed))}
          maxLength={12}
        />
      </div>
      {category && category.params.length > 0 && <SpecFields key={category.id} form={form} index={index} params={category.params} />}
      <MoreItemFields form={form} index={index} />
    </section>
  )
}

/** The requirements by parameter: the main one and those that have a value, the others folded away. Those without a value are not sent. */
function SpecFields({ form, index, params }: Line & { params: Category['params'] }) {
  const text = useText()
  const words = text.demand.form
  const error = form.errorAt(`items.${index}.specs`)
  // Decided when the line is opened: a field that is typed into must not move.
  const [open] = useState(() => {
    const specs = form.getValues(`items.${index}.specs`)
    return params.filter(({ key, main }) => main || specs[key]?.value)
  })
  const others = params.filter((param) => !open.includes(param))
  const list = (shown: Category['params']) => (
    <div className="specs">
      {shown.map((param) => (
        <SpecField key={param.key} form={form} index={index} param={param} isWrong={param.main && error !== undefined} />
      ))}
    </div>
  )
  return (
    <fieldset className={error ? 'field field-bad' : 'field'}>
      <legend className="legend">
        {words.specs} <span className="faint">{words.specsHint}</span>
      </legend>
      {list(open)}
      {error && <p className="field-error">{error}</p>}
      {others.length > 0 && (
        <details className="more-fields">
          <summary>{words.moreSpecs(others.length)}</summary>
          {list(others)}
        </details>
      )}
    </fieldset>
  )
}

function SpecField({ form, index, param, isWrong }: Line & { param: Category['params'][number]; isWrong: boolean }) {
  const text = useText()
  const at = `items.${index}.specs` as const
  const specs = useWatch({ control: form.control, name: at })
  const isNumber = param.type === 'number'
  const spec = specs[param.key] ?? { rule: isNumber ? 'ge' : 'in', value: '' }
  const change = (next: Partial<typeof spec>) => {
    form.setValue(at, { ...specs, [param.key]: { ...spec, ...next } }, { shouldDirty: true })
    form.clearErrors(at)
  }
  const label = `${labelOf(text, param)}${param.unit ? ` (${param.unit})` : ''}`
  return (
    <div className="spec">
      <span className="small">
        {label}
        {param.main && <span className="field-required">*</span>}
      </span>
      {isNumber ? (
        <select
          className="select"
          aria-label={`${label}${colon(text)}${text.demand.form.specs}`}
          value={spec.rule}
          onChange={({ target }) => change({ rule: target.value === 'le' || target.value === 'eq' ? target.value : 'ge' })}
        >
          {(['ge', 'le', 'eq'] as const).map((rule) => (
            <option key={rule} value={rule}>
              {text.demand.spec[rule]}
            </option>
          ))}
        </select>
      ) : (
        <span className="soft">{text.demand.spec.in}</span>
      )}
      <input
        className="input"
        aria-label={label}
        {...(isWrong && { 'aria-invalid': true as const })}
        type={isNumber ? 'number' : 'text'}
        step="any"
        inputMode={isNumber ? 'decimal' : 'text'}
        value={spec.value}
        onChange={({ target }) => change({ value: target.value })}
      />
    </div>
  )
}

/** Age, emission, brand and remark. */
function MoreItemFields({ form, index }: Line) {
  const text = useText()
  const words = text.demand.form
  const at = `items.${index}` as const
  const names = (['maxAgeYears', 'minEmission', 'brandPreference', 'remark'] as const).map((name) => `${at}.${name}` as const)
  return (
    <Fold form={form} names={names} summary={words.sections.more} className="link summary-link">
      <div className="form-grid mt-12">
        <NumberField form={form} name={`${at}.maxAgeYears`} label={words.maxAge} min="1" max="30" />
        <SelectField
          form={form}
          name={`${at}.minEmission`}
          label={words.minEmission}
          term="emission"
          blank={text.site.common.unlimited}
          options={leastEmissions.map((stage) => [stage, text.equipment.emission[stage]])}
        />
        <TextField form={form} name={`${at}.brandPreference`} label={words.brand} maxLength={40} />
        <TextField form={form} name={`${at}.remark`} label={words.remark} maxLength={500} className="span-all" />
      </div>
    </Fold>
  )
}
