import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { listLessors } from '#shared/company/contract.ts'
import { paths } from '#shared/paths.ts'
import { call, type Caller } from '../app/api.ts'
import { LessorCardView } from '../company/lessor-card.tsx'
import { FavouriteButton } from '../favourite/favourites.tsx'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { RegionFilter } from '../region/region-filter.tsx'
import { named } from '../app/format.ts'
import { Counted, ListPages } from '../app/list-pages.tsx'
import { useRememberedFilters } from '../app/remember.ts'
import { RestoredFilters } from '../app/restored-filters.tsx'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Empty, Head } from '../ui/parts.tsx'
import { callAsVisitor, filtersOf, queryOf, refusePageBeyondEnd } from '../app/visit.ts'
import { Link } from '../ui/link.tsx'
import { ActiveFilters, useChips } from './active-filters.tsx'
import { loadFilters, refuseEmptyFilters } from './reference.ts'

const pageSize = 12

async function load(caller: Caller, request: Request) {
  const query = filtersOf(request)
  const [list, filters] = await Promise.all([
    caller(listLessors, { query: { ...queryOf(request, listLessors), pageSize } }),
    loadFilters(caller, query),
  ])
  refusePageBeyondEnd(request, { ...list, pageSize })
  return { list, filters: { provinces: filters.provinces, cities: filters.cities, groups: filters.groups }, query }
}

export const loader = ({ context, request }: LoaderFunctionArgs) => {
  refuseEmptyFilters(request)
  return load(callAsVisitor(context), request)
}
export const clientLoader = ({ request }: { request: Request }) => load(call, request)

export default function LessorListPage() {
  const { list, filters, query } = useLoaderData<typeof loader>()
  const text = useText()
  const site = useSiteName()
  useRememberedFilters('lessor')
  const { lessors } = text.equipment
  const { without, region } = useChips(query, filters)
  const { enterpriseName, fatherCategoryId } = query
  const group = filters.groups.find(({ id }) => String(id) === fatherCategoryId)
  const active = [
    ...(enterpriseName ? [without(enterpriseName, 'enterpriseName')] : []),
    ...region,
    ...(group ? [without(named(text, group), 'fatherCategoryId')] : []),
  ]
  return (
    <div className="wrap page">
      <Head title={lessors.title} description={lessors.lead} site={site} />
      <header className="page-head">
        <h1>{lessors.title}</h1>
        <Counted list={list} words={lessors.count} />
        <p>{lessors.lead}</p>
      </header>
      <RestoredFilters />
      <FilterForm
        counted={{
          unit: 'company',
          now: list,
          count: (filters) => call(listLessors, { query: { ...queryOf(filters, listLessors), pageSize: 1 } }, true),
        }}
      >
        <TextFilter name="enterpriseName" label={lessors.name} value={query.enterpriseName} className="wide" />
        <RegionFilter query={query} provinces={filters.provinces} cities={filters.cities} />
        <SelectFilter
          name="fatherCategoryId"
          label={text.site.common.category}
          value={query.fatherCategoryId}
          all={text.site.common.unlimited}
          options={filters.groups.map((group) => [group.id, named(text, group)])}
        />
      </FilterForm>
      <ActiveFilters filters={active} />
      {list.rows.length === 0 ? (
        <Empty
          title={text.site.common.empty}
          hint={text.site.common.emptyHint}
          action={<Link to={paths.lessors}>{text.site.common.reset}</Link>}
        />
      ) : (
        <div className="cards roomy">
          {list.rows.map((company) => (
            <LessorCardView
              key={company.id}
              company={company}
              extra={<FavouriteButton bizType="supplier" bizId={company.id} name={company.enterpriseName} />}
            />
          ))}
        </div>
      )}
      <ListPages total={list.total} capped={list.capped} pageSize={pageSize} />
    </div>
  )
}
