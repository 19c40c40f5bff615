import type { z } from 'zod'
import type { Param } from '#shared/category/input.ts'
import { addCategory, editCategory, type ManagedCategory } from '#shared/category/manage.ts'
import { rentUnits, type RentUnit } from '#shared/equipment/rules.ts'
import { enableStatus } from '#shared/rules.ts'
import { call } from '../app/api.ts'
import { DraftNote } from '../app/form-bar.tsx'
import { CheckField, SelectField, SubmitForm, TextField } from '../ui/form-fields.tsx'
import { named } from '../app/format.ts'
import { isOutdated } from '../app/outdated.ts'
import { useText } from '../app/text.tsx'
import { useValuesDraft } from '../app/use-local-draft.ts'
import { toast } from '../ui/toast.tsx'
import { useFields } from '../app/use-form.ts'

const noFlags = { specialEquipment: false, buildingLifting: false, nonRoad: false, roadVehicle: false, erection: false }
const blankParam: Param = { key: '', label: '', labelEn: '', unit: '', main: false, type: 'number' }

const initialOf = (category: ManagedCategory | null, parentId: number) => ({
  parentId: category?.parentId ?? parentId,
  name: category?.name ?? '',
  nameEn: category?.nameEn ?? '',
  aliasText: category?.alias.join(', ') ?? '',
  core: category?.core ?? false,
  status: category?.status ?? enableStatus.enabled,
  params: category?.params ?? [],
  flags: category?.flags ?? noFlags,
  priceUnits: category?.priceUnits ?? (['M'] as RentUnit[]),
  operatorCert: category?.operatorCert ?? '',
  litresPerShift: String(category?.litresPerShift ?? 0),
})

const aliasesOf = (typed: string) =>
  typed
    .split(/[,，]/)
    .map((alias) => alias.trim())
    .filter(Boolean)

export function CategoryForm({
  category,
  parentId,
  groups,
  onDone,
}: {
  category: ManagedCategory | null
  parentId: number
  groups: readonly ManagedCategory[]
  onDone: () => void
}) {
  const text = useText()
  const words = text.admin.categories
  const form = useFields(category ? editCategory.body : addCategory.body, initialOf(category, parentId))
  const { values, set, errors } = form
  const draft = useValuesDraft(`category-${category?.id ?? `new-${parentId}`}`, values, form.setValues, { quiet: true })
  const isGroup = values.parentId === 0
  const send = async (body: z.input<typeof addCategory.body> | z.input<typeof editCategory.body>) => {
    let id = category?.id
    try {
      if ('version' in body) await call(editCategory, { body })
      else id = (await call(addCategory, { body })).id
    } catch (error) {
      // Somebody else has changed the category, so the page shows how it is now; what was typed stays a draft.
      if (category && isOutdated(error)) onDone()
      throw error
    }
    draft.saved(values, {
      name: `category-${id}`,
      convert: (typed) => ({ ...typed, aliasText: aliasesOf(typed.aliasText).join(', ') }),
    })
    toast('success', words.saved)
    onDone()
  }
  return (
    <SubmitForm
      onSubmit={() =>
        void form.submit(send, {
          alias: aliasesOf(values.aliasText),
          litresPerShift: Number(values.litresPerShift),
          priceUnits: isGroup ? [] : values.priceUnits,
          ...(category && { id: category.id, version: category.version }),
        })
      }
    >
      <div className="form-grid">
        <TextField label={words.name} required value={values.name} onChange={set('name')} error={errors.name} maxLength={30} />
        <TextField label={words.nameEn} required value={values.nameEn} onChange={set('nameEn')} error={errors.nameEn} maxLength={60} />
        {!isGroup && (
          <SelectField
            label={words.group}
            value={String(values.parentId)}
            onChange={(value) => set('parentId')(Number(value))}
            error={errors.parentId}
            options={groups.map((group) => [String(group.id), named(text, group)])}
          />
        )}
        <TextField
          label={words.alias}
          hint={words.aliasHint}
          value={values.aliasText}
          onChange={(value) => {
            set('aliasText')(value)
            form.clear('alias')
          }}
          error={Object.entries(errors).find(([path]) => path.split('.')[0] === 'alias')?.[1]}
        />
        {!isGroup && (
          <>
            <TextField
              label={words.operatorCert}
              value={values.operatorCert}
              onChange={set('operatorCert')}
              error={errors.operatorCert}
              maxLength={60}
            />
            <TextField
              label={words.litres}
              inputMode="decimal"
              value={values.litresPerShift}
              onChange={set('litresPerShift')}
              error={errors.litresPerShift}
            />
          </>
        )}
      </div>
      {!isGroup && (
        <>
          <UnitsAndFlags
            priceUnits={values.priceUnits}
            flags={values.flags}
            error={errors.priceUnits}
            onUnits={set('priceUnits')}
            onFlags={set('flags')}
          />
          <Params params={values.params} errors={errors} onChange={set('params')} />
          <CheckField label={words.core} value={values.core} onChange={set('core')} />
        </>
      )}
      {category && (
        <>
          <CheckField
            label={words.isOff}
            value={values.status === enableStatus.disabled}
            onChange={(off) => set('status')(off ? enableStatus.disabled : enableStatus.enabled)}
          />
          <p className="small soft">{words.offHint}</p>
        </>
      )}
      <DraftNote draft={draft} />
      <p>
        <button type="submit" className="button button-primary" aria-disabled={form.busy}>
          {text.site.common.save}
        </button>
      </p>
    </SubmitForm>
  )
}

/** The parameters of a category, one of which is the main one. */
function Params({
  params,
  errors,
  onChange,
}: {
  params: readonly Param[]
  errors: Record<string, string>
  onChange: (params: Param[]) => void
}) {
  const words = useText().admin.categories
  const setParam = (index: number, change: Partial<Param>) =>
    onChange(params.map((param, at) => (at === index ? { ...param, ...change } : change.main ? { ...param, main: false } : param)))
  return (
    <fieldset className="field">
      <legend>{words.params}</legend>
      {errors.params && <p className="field-error">{errors.params}</p>}
      {params.map((param, index) => (
        <ParamFields
          key={index}
          param={param}
          errorOf={(name) => errors[`params.${index}.${name}`]}
          onChange={(change) => setParam(index, change)}
          onRemove={() => onChange(params.filter((_, at) => at !== index))}
        />
      ))}
      <p>
        <button type="button" className="button button-small" onClick={() => onChange([...params, blankParam])}>
          {words.addParam}
        </button>
      </p>
    </fieldset>
  )
}

/** One parameter of a category. */
function ParamFields({
  param,
  errorOf,
  onChange,
  onRemove,
}: {
  param: Param
  errorOf: (name: keyof Param) => string | undefined
  onChange: (change: Partial<Param>) => void
  onRemove: () => void
}) {
  const words = useText().admin.categories
  return (
    <div className="form-grid param-grid">
      <TextField
        label={words.paramKey}
        value={param.key}
        onChange={(value) => onChange({ key: value })}
        error={errorOf('key')}
        maxLength={30}
      />
      <TextField
        label={words.paramLabel}
        value={param.label}
        onChange={(value) => onChange({ label: value })}
        error={errorOf('label')}
        maxLength={20}
      />
      <TextField
        label={words.paramLabelEn}
        value={param.labelEn}
        onChange={(value) => onChange({ labelEn: value })}
        error={errorOf('labelEn')}
        maxLength={40}
      />
      <TextField
        label={words.paramUnit}
        value={param.unit}
        onChange={(value) => onChange({ unit: value })}
        error={errorOf('unit')}
        maxLength={12}
      />
      <SelectField
        label={words.paramType}
        value={param.type}
        onChange={(value) => onChange({ type: value === 'text' ? 'text' : 'number' })}
        options={Object.entries(words.paramTypes)}
      />
      <div className="row">
        <CheckField label={words.main} value={param.main} onChange={(main) => onChange({ main })} />
        <button type="button" className="link" onClick={onRemove}>
          {words.removeParam}
          <span className="visually-hidden"> {param.label}</span>
        </button>
      </div>
    </div>
  )
}

/** The rent units of a category and its legal properties, from which required documents follow. */
function UnitsAndFlags({
  priceUnits,
  flags,
  error,
  onUnits,
  onFlags,
}: {
  priceUnits: RentUnit[]
  flags: typeof noFlags
  error: string | undefined
  onUnits: (units: RentUnit[]) => void
  onFlags: (flags: typeof noFlags) => void
}) {
  const text = useText()
  const words = text.admin.categories
  return (
    <>
      <fieldset className="field">
        <legend>{words.priceUnits}</legend>
        <div className="duties">
          {rentUnits.map((unit) => (
            <CheckField
              key={unit}
              label={text.equipment.unit[unit]}
              value={priceUnits.includes(unit)}
              onChange={(on) => onUnits(on ? [...priceUnits, unit] : priceUnits.filter((one) => one !== unit))}
            />
          ))}
        </div>
        {error && <p className="field-error">{error}</p>}
      </fieldset>
      <fieldset className="field">
        <legend>{words.flags}</legend>
        <div className="duties">
          {(Object.keys(noFlags) as (keyof typeof noFlags)[]).map((flag) => (
            <CheckField key={flag} label={words.flag[flag]} value={flags[flag]} onChange={(on) => onFlags({ ...flags, [flag]: on })} />
          ))}
        </div>
      </fieldset>
    </>
  )
}
