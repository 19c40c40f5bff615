import type { ReactElement } from 'react'
import { useLoaderData, useLocation, type LoaderFunctionArgs } from 'react-router'
import { listBrands, listPublicEquipment } from '#shared/equipment/contract.ts'
import { call, type Caller } from '../app/api.ts'
import { MachineCard, PriceLine } from '../equipment/machine-card.tsx'
import { CompareToggle } from '../equipment/compare-basket.tsx'
import { FavouriteButton } from '../favourite/favourites.tsx'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { RegionFilter } from '../region/region-filter.tsx'
import { money, named } from '../app/format.ts'
import { Counted, ListPages } from '../app/list-pages.tsx'
import { paths } from '#shared/paths.ts'
import { rentStatus } from '#shared/equipment/rules.ts'
import { useRememberedFilters } from '../app/remember.ts'
import { machineLine, machineRow, type MachineLine, type MachineRow } from '../equipment/machine-row.ts'
import { SaveSearch } from '../favourite/save-search.tsx'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Empty, Head, Tag } from '../ui/parts.tsx'
import { callAsVisitor, filtersOf, queryOf } from '../app/visit.ts'
import { loadFilters, type Param } from './reference.ts'
import { Link } from '../ui/link.tsx'

const pageSize = 12

async function load(caller: Caller, request: Request) {
  const query = filtersOf(request)
  const chosen = queryOf(request, listPublicEquipment)
  const { fatherCategoryId, categoryId } = chosen
  const [list, filters, brands] = await Promise.all([
    caller(listPublicEquipment, { query: { ...chosen, pageSize } }),
    loadFilters(caller, query),
    caller(listBrands, { query: { fatherCategoryId, categoryId } }),
  ])
  const { rows, total, capped } = list
  const asTable = query.view === 'table'
  return {
    total,
    capped,
    cards: asTable ? [] : rows.map(machineRow),
    lines: asTable ? rows.map(machineLine) : [],
    filters,
    brands,
    query,
  }
}

export const loader = ({ context, request }: LoaderFunctionArgs) => load(callAsVisitor(context), request)
export const clientLoader = ({ request }: { request: Request }) => load(call, request)

export default function EquipmentListPage() {
  const { total, capped, cards, lines, filters, brands, query } = useLoaderData<typeof loader>()
  const text = useText()
  const { equipment } = text
  const site = useSiteName()
  const { search } = useLocation()
  useRememberedFilters('equipment')
  const chosen = [...filters.categories, ...filters.groups].find(({ id }) => String(id) === (query.categoryId ?? query.fatherCategoryId))
  const asTable = query.view === 'table'
  const withChange = (change: Record<string, string | null>) => {
    const next = new URLSearchParams(search)
    for (const [key, value] of Object.entries(change))
      if (value === null) next.delete(key)
      else next.set(key, value)
    return `?${next}`
  }
  const withGroup = (group: number | null) => {
    const specs = Object.fromEntries(Object.keys(query).flatMap((key) => (key.startsWith('spec_') ? [[key, null]] : [])))
    return withChange({ ...specs, pageNum: null, categoryId: null, brand: null, fatherCategoryId: group ? String(group) : null })
  }
  const chips = (
    <div className="chips">
      <Link to={withGroup(null)} preventScrollReset aria-current={query.fatherCategoryId ? undefined : 'true'}>
        {text.site.common.all}
      </Link>
      {filters.groups.map((group) => (
        <Link
          key={group.id}
          to={withGroup(group.id)}
          preventScrollReset
          aria-current={query.fatherCategoryId === String(group.id) ? 'true' : undefined}
        >
          {named(text, group)}
        </Link>
      ))}
    </div>
  )
  return (
    <div className="wrap page">
      <Head
        title={chosen ? `${named(text, chosen)} · ${equipment.title}` : equipment.title}
        description={chosen ? `${named(text, chosen)}: ${equipment.count(total)} ${equipment.lead}` : equipment.lead}
        site={site}
      />
      <header className="page-head">
        <h1>{equipment.title}</h1>
        <Counted list={{ total, capped }} words={equipment.count} />
        <p>{equipment.lead}</p>
      </header>
      <EquipmentFilters chips={chips} query={query} filters={filters} brands={brands} />
      {query.sort === 'distance' && !query.nearCityId && (
        <p className="notice" role="status">
          {equipment.nearHint}
        </p>
      )}
      <div className="row between list-tools">
        <SaveSearch list="equipment" suggestion={[query.name, chosen && named(text, chosen)].filter(Boolean).join(' ')} />
        <nav className="views" aria-label={equipment.viewLabel}>
          {(['cards', 'table'] as const).map((view) => (
            <Link
              key={view}
              to={withChange({ view: view === 'table' ? 'table' : null })}
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
        <MachineTable machines={lines} params={filters.params} />
      ) : (
        <div className="cards">
          {cards.map((machine) => (
            <MachineCard key={machine.id} machine={machine} extra={<Tools machine={machine} />} />
          ))}
        </div>
      )}
      <ListPages total={total} capped={capped} pageSize={pageSize} />
    </div>
  )
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

function EquipmentFilters({ chips, query, filters, brands }: Pick<Loaded, 'query' | 'filters' | 'brands'> & { chips: ReactElement }) {
  const text = useText()
  const { equipment } = text
  return (
    <FilterForm chips={chips}>
      {query.fatherCategoryId && <input type="hidden" name="fatherCategoryId" value={query.fatherCategoryId} />}
      {query.view && <input type="hidden" name="view" value={query.view} />}
      <TextFilter name="name" label={equipment.name} value={query.name} className="wide" />
      {filters.categories.length > 0 && (
        <SelectFilter
          name="categoryId"
          label={text.site.common.category}
          value={query.categoryId}
          all={text.site.common.unlimited}
          options={filters.categories.map((one) => [one.id, named(text, one)])}
        />
      )}
      <SelectFilter
        name="brand"
        label={equipment.brand}
        value={query.brand}
        all={text.site.common.unlimited}
        options={brands.map(({ brand, count }) => [brand, `${brand} (${count})`])}
      />
      <RegionFilter query={query} provinces={filters.provinces} cities={filters.cities} />
      {filters.params.map((param) => (
        <SpecFilter key={param.key} param={param} query={query} />
      ))}
      <Range
        label={equipment.price}
        names={['beginPrice', 'endPrice']}
        words={[equipment.priceFrom, equipment.priceTo]}
        query={query}
        type="number"
      />
      <Range label={equipment.free} names={['freeFrom', 'freeTo']} words={[equipment.from, equipment.to]} query={query} type="date" />
      <SelectFilter
        name="sort"
        label={equipment.sort}
        value={query.sort ?? 'newest'}
        options={(['newest', 'priceUp', 'priceDown', 'distance'] as const).map((sort) => [sort, equipment.sorts[sort]])}
      />
      {query.sort === 'distance' && (
        <RegionFilter query={query} provinces={filters.provinces} cities={filters.nearCities} near={equipment.near} />
      )}
    </FilterForm>
  )
}

function Tools({ machine }: { machine: MachineRow }) {
  return (
    <>
      <CompareToggle id={machine.id} name={machine.name} />
      <FavouriteButton bizType="equipment" bizId={machine.id} name={machine.name} />
    </>
  )
}

function Range({
  label,
  names,
  words,
  query,
  type,
}: {
  label: string
  names: readonly [string, string]
  words: readonly [string, string]
  query: Record<string, string>
  type: 'number' | 'date'
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
            type={type}
            {...(type === 'number' && { min: 0, step: 'any', inputMode: 'decimal' as const })}
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
  const name = text.locale === 'zh-CN' ? param.label : param.labelEn
  return (
    <Range
      label={param.unit ? `${name} (${param.unit})` : name}
      names={[`spec_${param.key}_min`, `spec_${param.key}_max`]}
      words={[text.equipment.specFrom, text.equipment.specTo]}
      query={query}
      type="number"
    />
  )
}

function MachineTable({ machines, params }: { machines: readonly MachineLine[]; params: readonly Param[] }) {
  const text = useText()
  const { equipment } = text
  return (
    <div className="panel scroll-x" tabIndex={0}>
      <table className="table cards-on-phone">
        <thead>
          <tr>
            <th>{equipment.name}</th>
            {params.map((param) => (
              <th key={param.key} className="right">
                {text.locale === 'zh-CN' ? param.label : param.labelEn}
              </th>
            ))}
            <th>{equipment.made}</th>
            <th>{equipment.location}</th>
            <th className="right">{equipment.prices}</th>
            <th className="right">{equipment.price}</th>
            <th>
              <span className="visually-hidden">{equipment.compare.title}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {machines.map((machine) => (
            <tr key={machine.id}>
              <td className="whole">
                <Link to={paths.machine(machine.id)}>{machine.name}</Link>{' '}
                <Tag tone={machine.rentStatus === rentStatus.available ? 'good' : 'amber'}>{equipment.rentStatus[machine.rentStatus]}</Tag>
                <p className="small soft">{machine.companyName}</p>
              </td>
              {params.map((param) => (
                <td key={param.key} data-label={text.locale === 'zh-CN' ? param.label : param.labelEn} className="right num">
                  {machine.specs[param.key] === undefined ? text.site.common.none : `${machine.specs[param.key]} ${param.unit}`}
                </td>
              ))}
              <td data-label={equipment.made} className="num">
                {machine.outFactoryDate.slice(0, 7)}
              </td>
              <td data-label={equipment.location}>
                {machine.regionName}
                {machine.distanceKm !== null && <p className="small soft num">{equipment.distance(machine.distanceKm)}</p>}
              </td>
              <td data-label={equipment.prices} className="right">
                <PriceLine machine={machine} />
              </td>
              <td data-label={equipment.price} className="right num">
                {machine.monthPrice ? money(machine.monthPrice) : text.site.common.none}
              </td>
              <td className="whole">
                <span className="row gap-8">
                  <Tools machine={machine} />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
