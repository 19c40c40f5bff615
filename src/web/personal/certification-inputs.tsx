import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listParentUnits } from '#shared/certification/contract.ts'
import { getRegionTree } from '#shared/region/contract.ts'
import { call } from '../app/api.ts'
import type { FieldSpec, FormValues } from '../certification/certification-fields.tsx'
import { CheckField, SelectField, TextareaField, TextField } from '../ui/form-fields.tsx'
import { named } from '../app/format.ts'
import { PlacePicker } from '../region/place-picker.tsx'
import { useCategoryTree } from '../category/category-tree.ts'
import { useText } from '../app/text.tsx'
import type { Errors } from '../app/use-form.ts'

type Props = { spec: FieldSpec; values: FormValues; set: (change: FormValues) => void; errors: Errors; note?: string | undefined }

/** One field of a certification by its kind; `note` is why the reviewer sent it back. */
export function CertificationInput({ spec, values, set, errors, note }: Props) {
  const text = useText()
  const { certification } = text
  const { name, kind, required = false } = spec
  const label = certification.fields[name] ?? name
  const error = errors[`form.${name}`] ?? note
  const hint = (certification.hints as Record<string, string>)[name]
  const value = values[name]
  const written = value === null || value === undefined ? '' : String(value)
  const change = (next: unknown) => set({ [name]: next })
  switch (kind) {
    case 'area':
      return (
        <TextareaField label={label} error={error} hint={hint} required={required} value={written} onChange={change} maxLength={1000} />
      )
    case 'choice':
      return (
        <SelectField
          label={label}
          error={error}
          required={required}
          value={written}
          onChange={change}
          blank=""
          options={Object.entries(spec.choices?.(text) ?? {})}
        />
      )
    case 'flag':
      return (
        <div className="span-all">
          <CheckField label={label} value={value === true} onChange={change} />
        </div>
      )
    case 'place':
      return (
        <PlacePicker
          value={{
            provinceId: (values.provinceId as number | null) ?? null,
            cityId: (values.cityId as number | null) ?? null,
            districtId: (values.districtId as number | null) ?? null,
          }}
          onChange={(place) => set(place)}
          error={errors['form.provinceId'] ?? errors['form.cityId'] ?? note}
        />
      )
    case 'categories':
      return <CategoryChecks label={label} error={error} hint={hint} value={(value as number[] | undefined) ?? []} onChange={change} />
    case 'provinces':
      return <ProvinceChecks label={label} error={error} hint={hint} value={(value as number[] | undefined) ?? []} onChange={change} />
    case 'parent':
      return <ParentUnit values={values} set={set} errors={errors} note={note} />
    default:
      return (
        <TextField
          label={label}
          error={error}
          hint={hint}
          required={required}
          type={kind === 'date' ? 'date' : kind === 'tel' ? 'tel' : 'text'}
          {...(kind === 'number' && { inputMode: 'decimal' as const })}
          {...(name === 'creditCode' && { maxLength: 22 })}
          value={written}
          onChange={change}
        />
      )
  }
}

type ChecksProps = {
  label: string
  error: string | undefined
  hint: string | undefined
  value: number[]
  onChange: (value: number[]) => void
}

const toggled = (list: number[], one: number) => (list.includes(one) ? list.filter((id) => id !== one) : [...list, one])

function Checks({ label, error, hint, children }: Pick<ChecksProps, 'label' | 'error' | 'hint'> & { children: React.ReactNode }) {
  return (
    <fieldset className={`checks span-all ${error ? 'field-bad' : ''}`}>
      <legend className="legend">
        {label}
        <span className="field-required" aria-hidden="true">
          *
        </span>
      </legend>
      {(error ?? hint) && <p className={error ? 'field-error' : 'field-hint'}>{error ?? hint}</p>}
      {children}
    </fieldset>
  )
}

/** Machine classes by their group; those of the chosen ones are open. */
function CategoryChecks({ label, error, hint, value, onChange }: ChecksProps) {
  const text = useText()
  const tree = useCategoryTree()
  return (
    <Checks label={label} error={error} hint={hint}>
      <div className="check-groups">
        {tree.map((group) => {
          const chosen = group.children.filter(({ id }) => value.includes(id)).length
          return (
            <details key={group.id} open={chosen > 0}>
              <summary>
                {named(text, group)}
                {chosen > 0 && <span className="badge">{chosen}</span>}
              </summary>
              <div className="check-grid">
                {group.children.map((category) => (
                  <label key={category.id} className="check">
                    <input type="checkbox" checked={value.includes(category.id)} onChange={() => onChange(toggled(value, category.id))} />
                    {named(text, category)}
                  </label>
                ))}
              </div>
            </details>
          )
        })}
      </div>
    </Checks>
  )
}

function ProvinceChecks({ label, error, hint, value, onChange }: ChecksProps) {
  const provinces = useQuery({
    queryKey: [getRegionTree.url, 'provinces'],
    queryFn: () => call(getRegionTree, { query: { level: 1 } }),
    staleTime: Infinity,
  })
  return (
    <Checks label={label} error={error} hint={hint}>
      <div className="check-grid">
        {provinces.data?.map(({ code, name }) => (
          <label key={code} className="check">
            <input type="checkbox" checked={value.includes(code)} onChange={() => onChange(toggled(value, code))} />
            {name}
          </label>
        ))}
      </div>
    </Checks>
  )
}

/** Finds the certified unit above by its exact name or code; one that is not here is typed in. */
function ParentUnit({ values, set, errors, note }: Omit<Props, 'spec'>) {
  const { certification } = useText()
  const [keyword, setKeyword] = useState('')
  const [asked, setAsked] = useState('')
  const [manual, setManual] = useState(values.parentDeptId === null && Boolean(values.parentName))
  const found = useQuery({
    queryKey: [listParentUnits.url, asked],
    queryFn: () => call(listParentUnits, { query: { keyword: asked } }),
    enabled: asked.length >= 4,
  })
  const units = found.data ?? []
  return (
    <div className="span-all stack">
      <div className="row" style={{ alignItems: 'end' }}>
        <div style={{ flex: '1 1 280px' }}>
          <TextField
            label={certification.fields.parentDeptId ?? ''}
            hint={certification.hints.parent}
            error={errors['form.parentDeptId'] ?? note}
            required={!manual}
            value={keyword}
            onChange={setKeyword}
          />
        </div>
        <button type="button" className="button" onClick={() => setAsked(keyword.trim())} disabled={keyword.trim().length < 4}>
          {certification.findParent}
        </button>
      </div>
      {asked && found.data && units.length === 0 && (
        <p className="notice notice-warn" role="status">
          {certification.parentNotFound}
        </p>
      )}
      {(units.length > 0 || typeof values.parentDeptId === 'number') && !manual && (
        <div className="stack" style={{ gap: 6 }} role="radiogroup" aria-label={certification.fields.parentDeptId}>
          {(units.length > 0
            ? units
            : [{ deptId: Number(values.parentDeptId), deptName: String(values.parentLabel ?? ''), enterpriseName: '' }]
          )
            .filter(({ deptName }) => deptName !== '')
            .map((unit) => (
              <label key={unit.deptId} className="check">
                <input
                  type="radio"
                  name="parentDeptId"
                  checked={values.parentDeptId === unit.deptId}
                  onChange={() => set({ parentDeptId: unit.deptId, parentLabel: unit.deptName, parentName: '', parentCreditCode: '' })}
                />
                {unit.deptName}
              </label>
            ))}
        </div>
      )}
      <CheckField
        label={certification.parentManual}
        value={manual}
        onChange={(on) => {
          setManual(on)
          if (on) set({ parentDeptId: null, parentLabel: '' })
        }}
      />
      {manual && (
        <div className="form-grid">
          <TextField
            label={certification.fields.parentName ?? ''}
            error={errors['form.parentName']}
            required
            value={String(values.parentName ?? '')}
            onChange={(parentName) => set({ parentName, parentDeptId: null })}
          />
          <TextField
            label={certification.fields.parentCreditCode ?? ''}
            error={errors['form.parentCreditCode']}
            required
            maxLength={22}
            value={String(values.parentCreditCode ?? '')}
            onChange={(parentCreditCode) => set({ parentCreditCode, parentDeptId: null })}
          />
        </div>
      )}
    </div>
  )
}
