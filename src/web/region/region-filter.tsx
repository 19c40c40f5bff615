import type { RegionNode } from '#shared/region/contract.ts'
import { SelectFilter } from '../app/filter-form.tsx'
import { named } from '../app/format.ts'
import { useText } from '../app/text.tsx'

/** Filters by province and, once it is chosen, by city. */
export function RegionFilter({
  query,
  provinces,
  cities,
  near,
}: {
  query: Record<string, string>
  provinces: readonly RegionNode[]
  cities: readonly RegionNode[]
  /** Filters by nearness instead of location: the word for the labels and the prefix for the names of the filters. */
  near?: string
}) {
  const text = useText()
  const [province, city] = near ? ['nearProvinceId', 'nearCityId'] : ['provinceId', 'cityId']
  const label = (words: string) => (near ? `${near} · ${words}` : words)
  return (
    <>
      <SelectFilter
        name={province ?? ''}
        label={label(text.site.common.province)}
        value={query[province ?? '']}
        all={text.site.common.unlimited}
        options={provinces.map((region) => [region.code, named(text, region)])}
      />
      <SelectFilter
        name={city ?? ''}
        label={label(text.site.common.city)}
        value={query[city ?? '']}
        all={text.site.common.unlimited}
        options={cities.map((region) => [region.code, named(text, region)])}
      />
    </>
  )
}
