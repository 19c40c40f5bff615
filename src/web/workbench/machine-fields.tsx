import type { Category } from '#shared/category/contract.ts'
import { emissionStages } from '#shared/equipment/rules.ts'
import { CheckField, SelectField, TextareaField, TextField } from '../ui/form-fields.tsx'
import { PlacePicker } from '../region/place-picker.tsx'
import { useText } from '../app/text.tsx'
import { Field } from '../ui/parts.tsx'
import type { Errors } from '../app/use-form.ts'
import type { MachineForm } from './machine-form.ts'
import { CategoryPicker } from './pickers.tsx'

type Props = {
  values: MachineForm
  errors: Errors
  set: (change: Partial<MachineForm>) => void
  category: Category | undefined
}

type TextName = {
  [K in keyof MachineForm]: MachineForm[K] extends string ? K : never
}[keyof MachineForm]

/** A named line of text of the form. */
function Line({
  name,
  parts,
  ...rest
}: {
  name: TextName
  parts: Props
  required?: boolean
  maxLength?: number
  hint?: string
  type?: 'date'
}) {
  const { upload } = useText().equipment
  return (
    <TextField
      label={upload.fields[name as 'name']}
      value={parts.values[name]}
      onChange={(value) => parts.set({ [name]: value })}
      error={parts.errors[name]}
      {...rest}
    />
  )
}

export function BasicFields(parts: Props) {
  const text = useText()
  const words = text.equipment.upload
  const { values, errors, set } = parts
  return (
    <div className="form-grid">
      <Field label={words.fields.categoryId} error={errors.categoryId ?? errors.fatherCategoryId} required className="span-all">
        {(control) => (
          <CategoryPicker
            id={control.id}
            value={values.categoryId}
            invalid={Boolean(errors.categoryId)}
            onChange={(categoryId, fatherCategoryId) => set({ categoryId, fatherCategoryId })}
          />
        )}
      </Field>
      <Line name="brand" parts={parts} required maxLength={40} />
      <Line name="model" parts={parts} required maxLength={40} />
      <Line name="name" parts={parts} maxLength={60} hint={words.nameHint} />
      <Line name="outFactoryDate" parts={parts} required type="date" />
      <Line name="manufacturer" parts={parts} maxLength={60} />
      <TextField
        label={words.fields.workHours}
        inputMode="decimal"
        value={values.workHours}
        onChange={(workHours) => set({ workHours })}
        error={errors.workHours}
      />
      <SelectField
        label={words.fields.ownership}
        value={values.ownership}
        onChange={(ownership) => set({ ownership: ownership as 'own' })}
        options={Object.entries(words.ownerships)}
      />
      <TextField
        label={words.fields.originalValue}
        inputMode="decimal"
        value={values.originalValue}
        onChange={(originalValue) => set({ originalValue })}
        error={errors.originalValue}
      />
      <div className="span-all">
        <CheckField label={words.fields.isLot} value={values.isLot} onChange={(isLot) => set({ isLot })} />
      </div>
      {values.isLot && (
        <TextField
          label={words.fields.totalQty}
          inputMode="numeric"
          required
          value={values.totalQty}
          onChange={(totalQty) => set({ totalQty })}
          error={errors.totalQty}
        />
      )}
    </div>
  )
}

export function SpecFields({ values, errors, set, category }: Props) {
  const text = useText()
  return (
    <div className="form-grid">
      {category?.params.map((param) => {
        const label = text.locale === 'zh-CN' ? param.label : param.labelEn
        return (
          <TextField
            key={param.key}
            label={param.unit ? `${label} (${param.unit})` : label}
            required={param.main}
            inputMode={param.type === 'number' ? 'decimal' : 'text'}
            maxLength={60}
            value={values.specs[param.key] ?? ''}
            onChange={(value) => set({ specs: { ...values.specs, [param.key]: value } })}
            error={errors[`specs.${param.key}`]}
          />
        )
      })}
    </div>
  )
}

export function IdentityFields(parts: Props) {
  const text = useText()
  const words = text.equipment.upload
  const { values, errors, set, category } = parts
  const flags = category?.flags
  return (
    <div className="form-grid">
      <Line name="factoryNo" parts={parts} maxLength={30} required={flags?.specialEquipment === true || flags?.erection === true} />
      <SelectField
        label={words.fields.emissionStage}
        required={flags?.nonRoad === true}
        value={values.emissionStage}
        onChange={(stage) => set({ emissionStage: stage as '3' })}
        options={emissionStages.map((stage) => [stage, text.equipment.emission[stage]])}
        error={errors.emissionStage}
      />
      {flags?.nonRoad && <Line name="envCode" parts={parts} maxLength={20} required={values.emissionStage !== 'electric'} />}
      {flags?.roadVehicle && (
        <>
          <Line name="plateNo" parts={parts} maxLength={8} required />
          <Line name="vin" parts={parts} maxLength={17} required />
        </>
      )}
      {flags?.specialEquipment && (
        <>
          <Line name="deviceCode" parts={parts} maxLength={40} />
          <Line name="registrationNo" parts={parts} maxLength={40} required />
          <Line name="registrationOffice" parts={parts} maxLength={60} />
        </>
      )}
      {flags?.buildingLifting && (
        <>
          <Line name="filingNo" parts={parts} maxLength={40} required />
          <Line name="filingOffice" parts={parts} maxLength={60} />
        </>
      )}
    </div>
  )
}

export function PlaceFields(parts: Props) {
  const { values, errors, set } = parts
  return (
    <div className="form-grid">
      <PlacePicker value={values} onChange={set} error={errors.cityId ?? errors.provinceId} />
      <Line name="yardAddress" parts={parts} maxLength={100} />
    </div>
  )
}

export function MoreFields(parts: Props) {
  const words = useText().equipment.upload
  const { values, errors, set } = parts
  return (
    <div className="form-grid">
      <fieldset className="span-all row" style={{ gap: 24 }}>
        <legend className="legend">{words.fields.rentCycles}</legend>
        {(['short', 'month', 'year'] as const).map((cycle) => (
          <CheckField
            key={cycle}
            label={words.cycles[cycle] ?? cycle}
            value={values.rentCycles.includes(cycle)}
            onChange={(on) => set({ rentCycles: on ? [...values.rentCycles, cycle] : values.rentCycles.filter((one) => one !== cycle) })}
          />
        ))}
      </fieldset>
      <Line name="transportNote" parts={parts} maxLength={200} />
      <TextareaField
        label={words.fields.description}
        maxLength={2000}
        value={values.description}
        onChange={(description) => set({ description })}
        error={errors.description}
      />
    </div>
  )
}
