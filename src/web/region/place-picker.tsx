import { useQuery } from '@tanstack/react-query'
import { getRegionTree } from '#shared/region/contract.ts'
import { call } from '../app/api.ts'
import { named } from '../app/format.ts'
import { UnloadedOptions } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { Field } from '../ui/parts.tsx'

type Place = { provinceId: number | null; cityId: number | null; districtId: number | null }

/** Picks province, city and district. Each choice fetches the next level. */
export function PlacePicker({
  value,
  onChange,
  error,
  disabled = false,
}: {
  value: Place
  onChange: (place: Place) => void
  error?: string | undefined
  disabled?: boolean
}) {
  const text = useText()
  const level = (parent: number | null, first = false) => ({
    queryKey: [getRegionTree.url, first ? 'provinces' : parent],
    queryFn: () => call(getRegionTree, { query: first ? { level: 1 } : { parent: parent ?? 0 } }),
    enabled: first || parent !== null,
    staleTime: Infinity,
  })
  const provinces = useQuery(level(null, true))
  const cities = useQuery(level(value.provinceId))
  const districts = useQuery(level(value.cityId))
  const choose = (event: { target: { value: string } }) => (event.target.value ? Number(event.target.value) : null)
  const parts = [
    {
      label: text.site.common.province,
      options: provinces.data,
      current: value.provinceId,
      required: true,
      set: (code: number | null) => onChange({ provinceId: code, cityId: null, districtId: null }),
    },
    {
      label: text.site.common.city,
      options: value.provinceId ? cities.data : [],
      current: value.cityId,
      required: true,
      set: (code: number | null) => onChange({ ...value, cityId: code, districtId: null }),
    },
    {
      label: text.site.common.district,
      options: value.cityId ? districts.data : [],
      current: value.districtId,
      required: false,
      set: (code: number | null) => onChange({ ...value, districtId: code }),
    },
  ]
  // The error stands beside the first choice that is missing, or else beside the city.
  const wrong = parts.find(({ required, current }) => required && current === null) ?? parts[1]
  return (
    <>
      {parts.map(({ label, options, current, required, set }, index) => (
        <Field
          key={label}
          label={label}
          required={required}
          error={error && parts[index] === wrong ? (current === null ? text.rule.choice : error) : undefined}
        >
          {(control) => (
            <select {...control} className="select" disabled={disabled} value={current ?? ''} onChange={(event) => set(choose(event))}>
              <option value="">{text.site.common.choose}</option>
              {options?.map((region) => (
                <option key={region.code} value={region.code}>
                  {named(text, region)}
                </option>
              ))}
            </select>
          )}
        </Field>
      ))}
      <UnloadedOptions queries={[provinces, cities, districts]} />
    </>
  )
}
