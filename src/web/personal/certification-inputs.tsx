import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { listParentUnits } from '#shared/certification/contract.ts'
import { districtOfCreditCode } from '#shared/company/rules.ts'
import { parentOf } from '#shared/region/rules.ts'
import { getRegionTree, type RegionNode } from '#shared/region/contract.ts'
import { DateField } from '../app/date-field.tsx'
import { call } from '../app/api.ts'
import { queries } from '../app/queries.ts'
import type { FieldSpec, FormValues } from '../certification/certification-fields.tsx'
import { CheckField, SelectField, TextField, TextareaField } from '../ui/form-fields.tsx'
import { PlacePicker } from '../region/place-picker.tsx'
import { UnloadedOptions } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { CategoryChecks, ProvinceChecks, type ChecksProps } from './certification-checks.tsx'
import { servedFrom, type CertificationFormState } from './certification-values.ts'

type Props<B> = { form: CertificationFormState<B>; spec: FieldSpec; note?: string | undefined }

/** Sets fields of the certification and clears their errors. */
function change<B>(form: CertificationFormState<B>, next: FormValues): void {
  for (const [name, value] of Object.entries(next)) {
    form.setValue(`form.${name}`, value, { shouldDirty: true })
    form.clearErrors(`form.${name}`)
  }
}

/** Fills in the place where the company is registered, unless one was chosen. A district that has been dissolved since is left out. */
async function presumePlace<B>(form: CertificationFormState<B>, creditCode: string): Promise<void> {
  const district = districtOfCreditCode(creditCode.trim().toUpperCase())
  const isFree = () => form.getValues('form.provinceId') === null
  if (district === null || !isFree()) return
  const [provinceId, cityId] = [parentOf(parentOf(district) ?? 0), parentOf(district)]
  const [cities, districts] = await Promise.all([provinceId, cityId].map((code) => childrenOf(code ?? 0)))
  if (!cities?.some(({ code }) => code === cityId) || !isFree()) return
  const districtId = districts?.some(({ code }) => code === district) ? district : null
  change(form, { provinceId, cityId, districtId, ...servedFrom(provinceId, form.getValues('form')) })
}

/** The regions directly below, from the answers that the place picker reads as well; none where they cannot be fetched. */
const childrenOf = (parent: number): Promise<RegionNode[]> =>
  queries
    .fetchQuery({
      queryKey: [getRegionTree.url, parent],
      queryFn: () => call(getRegionTree, { query: { parent } }, true),
      staleTime: Infinity,
    })
    .catch(() => [])

const regionIn = (value: unknown): number | null => (typeof value === 'number' ? value : null)
const idsIn = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : [])

/** The control of one field. `note` is the reviewer's reason for sending it back. */
export function CertificationInput<B>({ form, spec, note }: Props<B>) {
  const text = useText()
  const { certification } = text
  const { name, kind, required = false } = spec
  const value = useWatch({ control: form.control, name: `form.${name}` })
  const written = value === null || value === undefined ? '' : String(value)
  const field = {
    label: certification.fields[name] ?? name,
    error: form.errorAt(`form.${name}`) ?? note,
    hint: (certification.hints as Record<string, string | undefined>)[name],
  }
  const set = (next: unknown) => change(form, { [name]: next })
  switch (kind) {
    case 'area':
      return <TextareaField {...field} required={required} value={written} onChange={set} maxLength={1000} />
    case 'choice':
      return (
        <SelectField
          {...field}
          required={required}
          value={written}
          onChange={set}
          blank={text.site.common.choose}
          options={Object.entries(spec.choices?.(text) ?? {})}
        />
      )
    case 'flag':
      return (
        <div className="span-all">
          <CheckField label={field.label} value={value === true} onChange={set} />
        </div>
      )
    case 'place':
      return <Place form={form} note={note} />
    case 'categories':
      return <CategoryChecks {...field} value={idsIn(value)} onChange={set} />
    case 'provinces':
      return <ProvinceChecks {...field} value={idsIn(value)} onChange={set} own={regionIn(form.getValues('form.provinceId'))} />
    case 'parent':
      return <ParentUnit form={form} note={note} />
    case 'company':
      return <KnownCompany {...field} value={written} onChange={set} />
    case 'date':
      return <DateField {...field} required={required} value={written} onChange={set} />
    default:
      return (
        <TextField
          {...field}
          required={required}
          type={kind === 'tel' ? 'tel' : 'text'}
          {...(kind === 'number' && { inputMode: 'decimal' as const })}
          {...(name === 'creditCode' && { maxLength: 22 })}
          value={written}
          onChange={(next) => {
            set(next)
            if (name === 'creditCode') void presumePlace(form, next)
          }}
        />
      )
  }
}

function Place<B>({ form, note }: Omit<Props<B>, 'spec'>) {
  const [provinceId, cityId, districtId] = useWatch({
    control: form.control,
    name: ['form.provinceId', 'form.cityId', 'form.districtId'],
  })
  return (
    <PlacePicker
      value={{ provinceId: regionIn(provinceId), cityId: regionIn(cityId), districtId: regionIn(districtId) }}
      onChange={(place) => change(form, { ...place, ...servedFrom(place.provinceId, form.getValues('form')) })}
      error={form.errorAt('form.provinceId') ?? form.errorAt('form.cityId') ?? note}
    />
  )
}

/** The name of a company, typed or found: a credit code gives way to the name it belongs to, and a certified company is marked as such. */
function KnownCompany({
  value,
  onChange,
  ...field
}: Omit<ChecksProps, 'value' | 'onChange'> & { value: string; onChange: (value: string) => void }) {
  const { certification } = useText()
  const [asked, setAsked] = useState(value.trim())
  useEffect(() => {
    const timer = setTimeout(() => setAsked(value.trim()), 300)
    return () => clearTimeout(timer)
  }, [value])
  const found = useQuery({
    queryKey: [listParentUnits.url, asked],
    queryFn: () => call(listParentUnits, { query: { keyword: asked } }),
    enabled: asked.length >= 4,
  })
  const name = found.data?.[0]?.enterpriseName
  return (
    <TextField
      {...field}
      hint={name === value.trim() ? certification.companyKnown : certification.companyHint}
      maxLength={100}
      value={value}
      onChange={onChange}
      beside={
        name !== undefined &&
        name !== value.trim() && (
          <button type="button" className="link" onClick={() => onChange(name)}>
            {certification.takeCompany(name)}
          </button>
        )
      }
    />
  )
}

/** Finds the unit above by its exact name or credit code. A unit that is not on the platform is typed in. */
function ParentUnit<B>({ form, note }: Omit<Props<B>, 'spec'>) {
  const { certification } = useText()
  const values = useWatch({ control: form.control, name: 'form' })
  const set = (next: FormValues) => change(form, next)
  const [keyword, setKeyword] = useState('')
  const [asked, setAsked] = useState('')
  // No name is shorter, so nobody is asked.
  const isAsked = asked.length >= 4
  const [manual, setManual] = useState(values.parentDeptId === null && Boolean(values.parentName))
  const found = useQuery({
    queryKey: [listParentUnits.url, asked],
    queryFn: () => call(listParentUnits, { query: { keyword: asked } }),
    enabled: isAsked,
  })
  const units = found.data ?? []
  return (
    <div className="span-all stack">
      <TextField
        label={certification.fields.parentDeptId ?? ''}
        hint={certification.hints.parent}
        error={form.errorAt('form.parentDeptId') ?? (manual ? undefined : form.errorAt('form.parentName')) ?? note}
        required={!manual}
        value={keyword}
        onChange={setKeyword}
        beside={
          <button type="button" className="button" onClick={() => setAsked(keyword.trim())}>
            {certification.findParent}
          </button>
        }
      />
      <UnloadedOptions queries={[found]} />
      {asked && (!isAsked || found.data) && units.length === 0 && (
        <p className="notice notice-warn" role="status">
          {certification.parentNotFound}
        </p>
      )}
      {(units.length > 0 || typeof values.parentDeptId === 'number') && !manual && (
        <div className="stack gap-6" role="radiogroup" aria-label={certification.fields.parentDeptId}>
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
            error={form.errorAt('form.parentName')}
            required
            value={String(values.parentName ?? '')}
            onChange={(parentName) => set({ parentName, parentDeptId: null })}
          />
          <TextField
            label={certification.fields.parentCreditCode ?? ''}
            error={form.errorAt('form.parentCreditCode')}
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
