import { useLoaderData, useLocation, type LoaderFunctionArgs } from 'react-router'
import { listPublicDemands } from '#shared/demand/contract.ts'
import { demandType, publicStatuses } from '#shared/demand/rules.ts'
import { DateRangeFilter } from '../app/date-field.tsx'
import { call, type Caller } from '../app/api.ts'
import { FavouriteButton } from '../favourite/favourites.tsx'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { RegionFilter } from '../region/region-filter.tsx'
import { named } from '../app/format.ts'
import { paths } from '#shared/paths.ts'
import { IncompletePage } from '../app/incomplete-page.tsx'
import { ownPage, useOwnDemands } from '../app/own-view.ts'
import { useRememberedFilters } from '../app/remember.ts'
import { RestoredFilters } from '../app/restored-filters.tsx'
import { demandRow } from '../demand/demand-row.ts'
import { SaveSearch } from '../favourite/save-search.tsx'
import { roleIn, useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Empty, Head } from '../ui/parts.tsx'
import { callAsVisitor, filtersOf, queryOf, refusePageBeyondEnd } from '../app/visit.ts'
import { DemandListItem } from '../demand/demand-card.tsx'
import { Counted, ListPages } from '../app/list-pages.tsx'
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
import { loadFilters, loadUnderstood, refuseEmptyFilters } from './reference.ts'
import { Link } from '../ui/link.tsx'
import { Tabs } from '../ui/tabs.tsx'

async function load(caller: Caller, request: Request) {
  const query = filtersOf(request)
  const pageSize = pageSizeOf(query)
  const [{ rows, total, capped }, { provinces, cities, groups }, understood] = await Promise.all([
    caller(listPublicDemands, { query: { ...queryOf(request, listPublicDemands), pageSize } }),
    loadFilters(caller, query),
    loadUnderstood(caller, query.keyword),
  ])
  refusePageBeyondEnd(request, { rows, total, pageSize })
  return { list: { rows: rows.map(demandRow), total, capped }, pageSize, filters: { provinces, cities, groups }, understood, query }
}

export const loader = async ({ context, request }: LoaderFunctionArgs) => {
  refuseEmptyFilters(request)
  return { ...(await load(callAsVisitor(context), request)), asVisitor: true }
}
export const clientLoader = ({ request }: { request: Request }) => ownPage(request, load(call, request))

export default function DemandListPage() {
  const page = useLoaderData<typeof loader>()
  const { list, pageSize, filters, understood, query } = page
  const text = useText()
  const site = useSiteName()
  const { search } = useLocation()
  useRememberedFilters('demand')
  useOwnDemands(page)
  const isLessor = roleIn(useSession()) === 'leaser'
  const withChange = (name: string, value: string | null) => withFilters(search, { [name]: value })
  const understoodParts = useUnderstood(understood, 'keyword')
  const active = useActiveFilters(query, filters)
  const chips = (
    <div className="chips">
      {([null, ...publicStatuses] as const).map((status) => (
        <Link
          key={status ?? 'all'}
          to={withChange('status', status)}
          preventScrollReset
          aria-current={(query.status ?? null) === status ? 'true' : undefined}
        >
          {status ? text.demand.status[status] : text.site.common.all}
        </Link>
      ))}
    </div>
  )
  return (
    <div className="wrap page">
      <Head title={text.demand.title} description={text.demand.lead} site={site} />
      <header className="page-head">
        <h1>{text.demand.title}</h1>
        <Counted list={list} words={text.demand.count} />
        <p>{text.demand.lead}</p>
      </header>
      <Tabs
        label={text.demand.typeLabel}
        tabs={[null, demandType.public, demandType.invited].map((type) => ({
          to: withChange('demandType', type),
          label: type ? text.demand.type[type] : text.site.common.all,
          current: (query.demandType ?? null) === type,
        }))}
      />
      <RestoredFilters />
      <FilterForm
        chips={chips}
        counted={{
          unit: 'item',
          now: list,
          count: (filters) => call(listPublicDemands, { query: { ...queryOf(filters, listPublicDemands), pageSize: 1 } }, true),
        }}
      >
        {query.demandType && <input type="hidden" name="demandType" value={query.demandType} />}
        {query.status && <input type="hidden" name="status" value={query.status} />}
        {query.pageSize && <input type="hidden" name="pageSize" value={query.pageSize} />}
        <TextFilter
          name="keyword"
          label={text.demand.keyword}
          value={query.keyword}
          placeholder={text.demand.keywordHint}
          className="wide"
        />
        <RegionFilter query={query} provinces={filters.provinces} cities={filters.cities} />
        <SelectFilter
          name="fatherCategoryId"
          label={text.site.common.category}
          value={query.fatherCategoryId}
          all={text.site.common.unlimited}
          options={filters.groups.map((group) => [group.id, named(text, group)])}
        />
        <MoreFilters open={Boolean(query.demandCode || query.planFrom || query.planTo)}>
          <TextFilter name="demandCode" label={text.demand.code} value={query.demandCode} />
          <DateRangeFilter
            label={text.demand.within}
            names={['planFrom', 'planTo']}
            words={[text.equipment.from, text.equipment.to]}
            values={[query.planFrom, query.planTo]}
          />
        </MoreFilters>
      </FilterForm>
      <ActiveFilters understood={understoodParts} filters={active} />
      <IncompletePage page={page} />
      <div className="row list-tools">
        <SaveSearch list="demand" suggestion={query.keyword ?? ''} />
        <PageSizes size={pageSize} total={list.total} />
      </div>
      {list.rows.length === 0 ? (
        <Empty
          title={text.site.common.empty}
          hint={query.demandType === demandType.invited && !isLessor ? text.demand.invitedHint : text.site.common.emptyHint}
          action={<Link to={paths.demands()}>{text.site.common.reset}</Link>}
        />
      ) : (
        <div className="stack">
          {list.rows.map((demand) => (
            <DemandListItem
              key={demand.id}
              demand={demand}
              extra={<FavouriteButton bizType="demand" bizId={demand.id} name={demand.title} />}
            />
          ))}
        </div>
      )}
      <ListPages total={list.total} capped={list.capped} pageSize={pageSize} />
    </div>
  )
}

/** The filters that are set beside type, state and words, which are shown by themselves. */
function useActiveFilters(
  query: Record<string, string>,
  filters: ReturnType<typeof useLoaderData<typeof loader>>['filters'],
): ActiveFilter[] {
  const text = useText()
  const { without, region } = useChips(query, filters)
  const { fatherCategoryId, demandCode, planFrom, planTo } = query
  const group = filters.groups.find(({ id }) => String(id) === fatherCategoryId)
  return [
    ...region,
    ...(group ? [without(named(text, group), 'fatherCategoryId')] : []),
    ...(demandCode ? [without(demandCode, 'demandCode')] : []),
    ...(planFrom || planTo ? [without(text.search.within(planFrom ?? '', planTo ?? ''), 'planFrom', 'planTo')] : []),
  ]
}
