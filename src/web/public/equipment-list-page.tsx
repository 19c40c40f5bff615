import type { ReactElement } from 'react'
import { useLoaderData, useLocation, type LoaderFunctionArgs } from 'react-router'
import { listBrands, listPublicEquipment } from '#shared/equipment/contract.ts'
import { paths } from '#shared/paths.ts'
import { DateRangeFilter } from '../app/date-field.tsx'
import { call, type Caller } from '../app/api.ts'
import type { Count } from '../app/filter-count.ts'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { labelOf, named } from '../app/format.ts'
import { Counted, ListPages } from '../app/list-pages.tsx'
import { useRememberedFilters } from '../app/remember.ts'
import { RestoredFilters } from '../app/restored-filters.tsx'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { callAsVisitor, filtersOf, queryOf, refusePageBeyondEnd } from '../app/visit.ts'
import { MachineCard } from '../equipment/machine-card.tsx'
import { machineLine, machineRow } from '../equipment/machine-row.ts'
import { SaveSearch } from '../favourite/save-search.tsx'
import { RegionFilter } from '../region/region-filter.tsx'
import { Link } from '../ui/link.tsx'
import { Empty, Head } from '../ui/parts.tsx'
import {
  ActiveFilters,
  MoreFilters,
  PageSizes,
  pageSizeOf,
  useChips,
  useUnderstood,
  withFilters,
  type ActiveFilter,
} from './active-filters.tsx'
import { MachineTable, MachineTools } from './machine-table.tsx'
import { loadFilters, loadUnderstood, refuseEmptyFilters, type NamedReference, type Param } from './reference.ts'

async function load(caller: Caller, request: Request) {
  const query = filtersOf(request)
  const chosen = queryOf(request, listPublicEquipment)
  const { fatherCategoryId, categoryId } = chosen
  const pageSize = pageSizeOf(query)
  const [list, { tree, ...filters }, brands, understood] = await Promise.all([
    caller(listPublicEquipment, { query: { ...chosen, pageSize } }),
    loadFilters(caller, query),
    caller(listBrands, { query: { fatherCategoryId, categoryId } }),
    loadUnderstood(caller, query.name),
  ])
  const { rows, total, capped } = list
  refusePageBeyondEnd(request, { rows, total, pageSize })
  const asTable = query.view === 'table'
  return {
    total,
    capped,
    pageSize,
    cards: asTable ? [] : rows.map((row) => machineRow(row, tree)),
    lines: asTable ? rows.map((row) => machineLine(row, tree)) : [],
    filters,
    brands,
    understood,
    query,
  }
}

export const loader = ({ context, request }: LoaderFunctionArgs) => {
  refuseEmptyFilters(request)
  return load(callAsVisitor(context), request)
}
export const clientLoader = ({ request }: { request: Request }) => load(call, request)

export default function EquipmentListPage() {
  const { total, capped, pageSize, cards, lines, filters, brands, understood, query } = useLoaderData<typeof loader>()
  const text = useText()
  const { equipment } = text
  const site = useSiteName()
  const address = useLocation().search
  useRememberedFilters('equipment')
  const chosen = [...filters.categories, ...filters.groups].find(({ id }) => String(id) === (query.categoryId ?? query.fatherCategoryId))
  const asTable = query.view === 'table'
  const understoodParts = useUnderstood(understood, 'name')
  const active = useActiveFilters({ query, filters, brands })
  return (
    <div className="wrap page">
      <Head
        title={chosen ? `${named(text, chosen)} · ${equipment.title}` : equipment.title}
        description={chosen ? `${named(text, chosen)} · ${equipment.count(total)} ${equipment.lead}` : equipment.lead}
        site={site}
      />
      <header className="page-head">
        <h1>{equipment.title}</h1>
        <Counted list={{ total, capped }} words={equipment.count} />
        <p>{equipment.lead}</p>
      </header>
      <RestoredFilters />
      <EquipmentFilters
        chips={<CategoryChips query={query} filters={filters} />}
        now={{ total, capped }}
        query={query}
        filters={filters}
        brands={brands}
      />
      <ActiveFilters understood={understoodParts} filters={active} />
      {query.sort === 'distance' && !query.nearCityId && (
        <p className="notice" role="status">
          {equipment.nearHint}
        </p>
      )}
      <div className="row between list-tools">
        <SaveSearch list="equipment" suggestion={[query.name, chosen && named(text, chosen)].filter(Boolean).join(' ')} />
        <PageSizes size={pageSize} total={total} />
        <nav className="views" aria-label={equipment.viewLabel}>
          {(['cards', 'table'] as const).map((view) => (
            <Link
              key={view}
              to={withFilters(address, { view: view === 'table' ? 'table' : null })}
              preventScrollReset
              aria-current={asTable === (view === 'table') ? 'true' : undefined}
            >
              {equipment.views[view]}
            </Link>
          ))}
        </nav>
      </div>
      {cards.length + lines.length === 0 ? (
        <Empty
          title={text.site.common.empty}
          hint={text.site.common.emptyHint}
          action={<Link to={paths.equipment()}>{text.site.common.reset}</Link>}
        />
      ) : asTable ? (
        <MachineTable machines={lines} params={filters.params} sort={query.sort} />
      ) : (
        <div className="cards">
          {cards.map((machine, at) => (
            // A phone shows two at first.
            <MachineCard key={machine.id} machine={machine} extra={<MachineTools machine={machine} />} isFirst={at < 2} />
          ))}
        </div>
      )}
      <ListPages total={total} capped={capped} pageSize={pageSize} />
    </div>
  )
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>
type Chosen = Pick<Loaded, 'query' | 'filters'>

/** The groups and, under the chosen one, its categories. */
function CategoryChips({ query, filters }: Chosen) {
  const text = useText()
  const address = useLocation().search
  // Parameters and brands belong to the category that was chosen before.
  const reset = Object.fromEntries([...Object.keys(query).filter((key) => key.startsWith('spec_')), 'brand'].map((key) => [key, null]))
  const groupId = filters.categories.length > 0 ? filters.groupId : null
  const chips = (choices: readonly NamedReference[], chosen: number | null, all: string, to: (id: number | null) => string) => (
    <div className="chips">
      <Link to={to(null)} preventScrollReset aria-current={chosen === null ? 'true' : undefined}>
        {all}
      </Link>
      {choices.map((one) => (
        <Link key={one.id} to={to(one.id)} preventScrollReset aria-current={chosen === one.id ? 'true' : undefined}>
          {named(text, one)}
        </Link>
      ))}
    </div>
  )
  return (
    <>
      {chips(filters.groups, groupId, text.site.common.all, (id) =>
        withFilters(address, { ...reset, categoryId: null, fatherCategoryId: id === null ? null : String(id) }),
      )}
      {groupId !== null &&
        chips(filters.categories, Number(query.categoryId) || null, text.site.common.unlimited, (id) =>
          withFilters(address, { ...reset, fatherCategoryId: String(groupId), categoryId: id === null ? null : String(id) }),
        )}
    </>
  )
}

/** The filters that are set beside the categories and the words, which have chips of their own. */
function useActiveFilters({ query, filters, brands }: Pick<Loaded, 'query' | 'filters' | 'brands'>): ActiveFilter[] {
  const text = useText()
  const { search, equipment, locale } = text
  const { without, region } = useChips(query, filters)
  const range = (label: string, min: string | undefined, max: string | undefined) =>
    [label, min && search.from(min), max && search.upTo(max)].filter(Boolean).join(' ')
  const known = brands.find(({ brand }) => brand === query.brand)
  const { brand, beginPrice, endPrice, freeFrom, freeTo } = query
  return [
    ...(brand ? [without(known ? named(text, { name: brand, nameEn: known.brandEn }) : brand, 'brand')] : []),
    ...region,
    ...filters.params.flatMap(({ key, label, labelEn, unit }) => {
      const [min, max] = [query[`spec_${key}_min`], query[`spec_${key}_max`]]
      if (!min && !max) return []
      const name = labelOf({ locale }, { label, labelEn })
      return [without(`${range(name, min, max)} ${unit}`.trim(), `spec_${key}_min`, `spec_${key}_max`)]
    }),
    ...(beginPrice || endPrice ? [without(range(equipment.price, beginPrice, endPrice), 'beginPrice', 'endPrice')] : []),
    ...(freeFrom && freeTo ? [without(search.free(freeFrom, freeTo), 'freeFrom', 'freeTo')] : []),
  ]
}

function EquipmentFilters({ chips, now, query, filters, brands }: Chosen & Pick<Loaded, 'brands'> & { chips: ReactElement; now: Count }) {
  const text = useText()
  const { equipment } = text
  const [main, ...further] = filters.params
  const isSet = (name: string) => Boolean(query[name])
  const furtherSet = further.some(({ key }) => isSet(`spec_${key}_min`) || isSet(`spec_${key}_max`))
  return (
    <FilterForm
      views={['view']}
      chips={chips}
      counted={{
        unit: 'machine',
        now,
        count: (filters) => call(listPublicEquipment, { query: { ...queryOf(filters, listPublicEquipment), pageSize: 1 } }, true),
      }}
    >
      {(['fatherCategoryId', 'categoryId', 'view', 'pageSize'] as const).map(
        (name) => query[name] && <input key={name} type="hidden" name={name} value={query[name]} />,
      )}
      <TextFilter name="name" label={equipment.name} value={query.name} className="wide" />
      <SelectFilter
        name="brand"
        label={equipment.brand}
        value={query.brand}
        all={text.site.common.unlimited}
        options={brands.map(({ brand, brandEn, count }) => [brand, `${named(text, { name: brand, nameEn: brandEn })} (${count})`])}
      />
      <RegionFilter query={query} provinces={filters.provinces} cities={filters.cities} />
      {main && <SpecFilter param={main} query={query} />}
      <SelectFilter
        name="sort"
        label={equipment.sort}
        value={query.sort ?? 'newest'}
        options={[
          ...(['newest', 'priceUp', 'priceDown'] as const),
          ...(main ? (['sizeUp', 'sizeDown', 'youngest'] as const) : []),
          'distance' as const,
        ].map((sort) => [sort, equipment.sorts[sort]])}
      />
      {query.sort === 'distance' && (
        <RegionFilter query={query} provinces={filters.provinces} cities={filters.nearCities} near={equipment.near} />
      )}
      <MoreFilters open={furtherSet || ['beginPrice', 'endPrice', 'freeFrom', 'freeTo'].some(isSet)}>
        {further.map((param) => (
          <SpecFilter key={param.key} param={param} query={query} />
        ))}
        <Range label={equipment.price} names={['beginPrice', 'endPrice']} words={[equipment.priceFrom, equipment.priceTo]} query={query} />
        <DateRangeFilter
          label={equipment.free}
          names={['freeFrom', 'freeTo']}
          words={[equipment.from, equipment.to]}
          values={[query.freeFrom, query.freeTo]}
        />
      </MoreFilters>
    </FilterForm>
  )
}

function Range({
  label,
  names,
  words,
  query,
}: {
  label: string
  names: readonly [string, string]
  words: readonly [string, string]
  query: Record<string, string>
}) {
  return (
    <div className="field wide">
      <span className="legend">{label}</span>
      <div className="range-pair">
        {names.map((name, index) => [
          index === 1 && (
            <span key="dash" aria-hidden="true">
              –
            </span>
          ),
          <input
            key={name}
            className="input"
            name={name}
            type="number"
            min={0}
            max={9_999_999}
            step="any"
            inputMode="decimal"
            aria-label={`${label} ${words[index]}`}
            placeholder={words[index]}
            defaultValue={query[name]}
          />,
        ])}
      </div>
    </div>
  )
}

function SpecFilter({ param, query }: { param: Param; query: Record<string, string> }) {
  const text = useText()
  const name = labelOf(text, param)
  return (
    <Range
      label={param.unit ? `${name} (${param.unit})` : name}
      names={[`spec_${param.key}_min`, `spec_${param.key}_max`]}
      words={[text.equipment.specFrom, text.equipment.specTo]}
      query={query}
    />
  )
}
