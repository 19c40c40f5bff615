import { daysBetween } from '#shared/calendar.ts'
import { needsQuantity } from '#shared/demand/rules.ts'
import type { RentUnit, SpecRule } from '#shared/equipment/rules.ts'
import { money } from '../app/format.ts'
import { useCategories } from '../category/category-tree.ts'
import { useText } from '../app/text.tsx'
import { Field } from '../ui/parts.tsx'
import type { Errors } from '../app/use-form.ts'
import type { ItemForm } from './draft.ts'
import { CategoryPicker } from './pickers.tsx'

/** One line of a demand. `errors` are keyed within the line. */
export function ItemEditor({
  item,
  index,
  errors,
  listed,
  onChange,
  onCopy,
  onRemove,
}: {
  item: ItemForm
  index: number
  errors: Errors
  /** What the organisation's list of ceilings says, yuan. */
  listed: string | null
  onChange: (change: Partial<ItemForm>) => void
  onCopy: () => void
  onRemove: (() => void) | null
}) {
  const text = useText()
  const { form } = text.demand
  const categories = useCategories()
  const category = item.categoryId === null ? undefined : categories.get(item.categoryId)
  const params = category?.params ?? []
  const units = (category?.priceUnits ?? ['M', 'D', 'S']) as RentUnit[]
  const days = item.planStart && item.planEnd && item.planEnd > item.planStart ? daysBetween(item.planStart, item.planEnd) : null
  const setSpec = (key: string, change: { rule?: SpecRule; value?: string }) => {
    const before = item.specs[key] ?? { rule: 'ge' as SpecRule, value: '' }
    onChange({ specs: { ...item.specs, [key]: { ...before, ...change } } })
  }
  const specError = errors.specRequirements ?? Object.entries(errors).find(([path]) => path.startsWith('specRequirements.'))?.[1]
  return (
    <section className="line-editor" aria-label={text.demand.line(index + 1)}>
      <header>
        <h3>{text.demand.line(index + 1)}</h3>
        <p className="row">
          <button type="button" className="link" onClick={onCopy}>
            {form.copyLine}
          </button>
          {onRemove && (
            <button type="button" className="link" onClick={onRemove}>
              {form.removeLine}
            </button>
          )}
        </p>
      </header>
      <div className="form-grid">
        <Field label={form.category} error={errors.categoryId} required>
          {(control) => (
            <CategoryPicker
              id={control.id}
              value={item.categoryId}
              invalid={Boolean(errors.categoryId)}
              onChange={(categoryId, fatherCategoryId) => {
                const first = categories.get(categoryId)?.priceUnits[0] as RentUnit | undefined
                onChange({ categoryId, fatherCategoryId, specs: {}, rentUnit: first ?? 'M' })
              }}
            />
          )}
        </Field>
        <Field label={form.qty} error={errors.qty} required>
          {(control) => (
            <input
              {...control}
              className="input"
              type="number"
              inputMode="numeric"
              min="1"
              max="999"
              value={item.qty}
              onChange={(event) => onChange({ qty: event.target.value })}
            />
          )}
        </Field>
        <Field label={form.start} error={errors.planStart} required>
          {(control) => (
            <input
              {...control}
              className="input"
              type="date"
              value={item.planStart}
              onChange={(event) => onChange({ planStart: event.target.value })}
            />
          )}
        </Field>
        <Field label={form.end} error={errors.planEnd} hint={days === null ? undefined : form.days(days)} required>
          {(control) => (
            <input
              {...control}
              className="input"
              type="date"
              value={item.planEnd}
              min={item.planStart}
              onChange={(event) => onChange({ planEnd: event.target.value })}
            />
          )}
        </Field>
        <Field label={form.rentUnit} error={errors.rentUnit} required>
          {(control) => (
            <select
              {...control}
              className="select"
              value={item.rentUnit}
              onChange={(event) => onChange({ rentUnit: event.target.value as RentUnit })}
            >
              {units.map((unit) => (
                <option key={unit} value={unit}>
                  {text.equipment.unit[unit]}
                </option>
              ))}
            </select>
          )}
        </Field>
        {needsQuantity(item.rentUnit) && (
          <Field label={form.estQuantity(text.equipment.unitShort[item.rentUnit])} error={errors.estQuantity} required>
            {(control) => (
              <input
                {...control}
                className="input"
                type="number"
                inputMode="decimal"
                min="0"
                value={item.estQuantity}
                onChange={(event) => onChange({ estQuantity: event.target.value })}
              />
            )}
          </Field>
        )}
        <Field label={form.shift}>
          {(control) => (
            <select
              {...control}
              className="select"
              value={item.shiftMode}
              onChange={(event) => onChange({ shiftMode: event.target.value as 'single' })}
            >
              <option value="single">{text.demand.shift.single}</option>
              <option value="double">{text.demand.shift.double}</option>
            </select>
          )}
        </Field>
        <Field
          label={form.ceiling}
          error={errors.priceCeiling}
          hint={listed === null ? form.ceilingHint : text.ceiling.fromList(money(listed))}
        >
          {(control) => (
            <input
              {...control}
              className="input"
              type="number"
              inputMode="decimal"
              min="0"
              step="0.01"
              value={item.priceCeiling}
              onChange={(event) => onChange({ priceCeiling: event.target.value })}
            />
          )}
        </Field>
      </div>
      {params.length > 0 && (
        <fieldset className={specError ? 'field field-bad' : 'field'} style={{ border: 0, margin: 0, padding: 0 }}>
          <legend className="legend">
            {form.specs} <span className="faint">{form.specsHint}</span>
          </legend>
          <div className="specs">
            {params.map((param) => {
              const label = `${text.locale === 'zh-CN' ? param.label : param.labelEn}${param.unit ? ` (${param.unit})` : ''}`
              const spec = item.specs[param.key]
              return (
                <div key={param.key} className="spec">
                  <span className="small">
                    {label}
                    {param.main && <span className="field-required">*</span>}
                  </span>
                  {param.type === 'number' ? (
                    <select
                      className="select"
                      aria-label={`${label}: ${form.specs}`}
                      value={spec?.rule ?? 'ge'}
                      onChange={(event) => setSpec(param.key, { rule: event.target.value as SpecRule })}
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
                    {...(param.main && specError && { 'aria-invalid': true as const })}
                    type={param.type === 'number' ? 'number' : 'text'}
                    step="any"
                    inputMode={param.type === 'number' ? 'decimal' : 'text'}
                    value={spec?.value ?? ''}
                    onChange={(event) =>
                      setSpec(param.key, { value: event.target.value, rule: spec?.rule ?? (param.type === 'number' ? 'ge' : 'in') })
                    }
                  />
                </div>
              )
            })}
          </div>
          {specError && <p className="field-error">{specError}</p>}
        </fieldset>
      )}
      <details open={Boolean(errors.maxAgeYears ?? errors.minEmission ?? errors.remark) || undefined}>
        <summary className="link" style={{ display: 'inline-block' }}>
          {form.sections.more}
        </summary>
        <div className="form-grid" style={{ marginTop: 12 }}>
          <Field label={form.maxAge} error={errors.maxAgeYears}>
            {(control) => (
              <input
                {...control}
                className="input"
                type="number"
                min="1"
                max="30"
                value={item.maxAgeYears}
                onChange={(event) => onChange({ maxAgeYears: event.target.value })}
              />
            )}
          </Field>
          <Field label={form.minEmission} error={errors.minEmission}>
            {(control) => (
              <select
                {...control}
                className="select"
                value={item.minEmission}
                onChange={(event) => onChange({ minEmission: event.target.value })}
              >
                <option value="">{text.site.common.unlimited}</option>
                {(['2', '3', '4', 'electric'] as const).map((stage) => (
                  <option key={stage} value={stage}>
                    {text.equipment.emission[stage]}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label={form.brand} error={errors.brandPreference}>
            {(control) => (
              <input
                {...control}
                className="input"
                maxLength={40}
                value={item.brandPreference}
                onChange={(event) => onChange({ brandPreference: event.target.value })}
              />
            )}
          </Field>
          <Field label={form.remark} error={errors.remark} className="span-all">
            {(control) => (
              <input
                {...control}
                className="input"
                maxLength={500}
                value={item.remark}
                onChange={(event) => onChange({ remark: event.target.value })}
              />
            )}
          </Field>
        </div>
      </details>
    </section>
  )
}
