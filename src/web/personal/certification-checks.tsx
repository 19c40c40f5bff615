import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Category } from '#shared/category/contract.ts'
import { areas, provincesIn, type Area } from '#shared/region/areas.ts'
import { getRegionTree } from '#shared/region/contract.ts'
import { call } from '../app/api.ts'
import { named } from '../app/format.ts'
import { UnloadedOptions } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { useCategoryQuery } from '../category/category-tree.ts'
import { SearchInput } from '../ui/form-fields.tsx'

export type ChecksProps = {
  label: string
  error: string | undefined
  hint: string | undefined
  value: number[]
  onChange: (value: number[]) => void
}

const toggled = (list: number[], one: number) => (list.includes(one) ? list.filter((id) => id !== one) : [...list, one])

function Checks({ label, error, hint, children }: Pick<ChecksProps, 'label' | 'error' | 'hint'> & { children: ReactNode }) {
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

/** The lower-case words by which a category is found. */
const wordsOf = ({ name, nameEn, alias }: Category) => [name, nameEn, ...alias].join(' ').toLowerCase()

/** Categories by their group, with a search. Groups with a chosen category are open. */
export function CategoryChecks({ label, error, hint, value, onChange }: ChecksProps) {
  const text = useText()
  const categories = useCategoryQuery()
  const tree = categories.data ?? []
  const [typed, setTyped] = useState('')
  const word = typed.trim().toLowerCase()
  const groups = tree
    .map((group) => ({
      ...group,
      children: group.children.filter((category) => word === '' || wordsOf(category).includes(word)),
    }))
    .filter(({ children }) => children.length > 0)
  return (
    <Checks label={label} error={error} hint={hint}>
      <SearchInput label={text.certification.findCategory} value={typed} onChange={setTyped} />
      <UnloadedOptions queries={[categories]} />
      {groups.length === 0 && tree.length > 0 && <p className="soft">{text.site.common.empty}</p>}
      <div className="check-groups">
        {groups.map((group) => (
          // A search opens what it finds.
          <CategoryGroup key={`${group.id}-${word !== ''}`} group={group} found={word !== ''} value={value} onChange={onChange} />
        ))}
      </div>
    </Checks>
  )
}

function CategoryGroup({
  group,
  found,
  value,
  onChange,
}: Pick<ChecksProps, 'value' | 'onChange'> & { group: { name: string; nameEn: string; children: readonly Category[] }; found: boolean }) {
  const text = useText()
  const chosen = group.children.filter(({ id }) => value.includes(id)).length
  // A group that was opened stays open when its last box is cleared.
  const [isOpened, setOpened] = useState(found)
  if (chosen > 0 && !isOpened) setOpened(true)
  return (
    <details open={isOpened}>
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
}

/** Provinces one by one, or many at a time: all, the own one, an area. */
export function ProvinceChecks({ label, error, hint, value, onChange, own }: ChecksProps & { own: number | null }) {
  const text = useText()
  const words = text.certification.regions
  const provinces = useQuery({
    queryKey: [getRegionTree.url, 'provinces'],
    queryFn: () => call(getRegionTree, { query: { level: 1 } }),
    staleTime: Infinity,
  })
  const codes = provinces.data?.map(({ code }) => code) ?? []
  const preset = (name: string, chosen: number[]) => (
    <button
      key={name}
      type="button"
      className="link"
      onClick={() => onChange(chosen.length === 0 || chosen.length === codes.length ? chosen : [...new Set([...value, ...chosen])])}
    >
      {name}
    </button>
  )
  return (
    <Checks label={label} error={error} hint={hint}>
      <UnloadedOptions queries={[provinces]} />
      <p className="row gap-8">
        {preset(words.all, codes)}
        {own !== null && preset(words.own, [own])}
        {(Object.keys(areas) as Area[]).map((area) => preset(words.areas[area], provincesIn(area, codes)))}
        {preset(words.none, [])}
      </p>
      <div className="check-grid">
        {provinces.data?.map((region) => (
          <label key={region.code} className="check">
            <input type="checkbox" checked={value.includes(region.code)} onChange={() => onChange(toggled(value, region.code))} />
            {named(text, region)}
          </label>
        ))}
      </div>
    </Checks>
  )
}
