import { Link, useLoaderData, useLocation, type LoaderFunctionArgs } from 'react-router'
import { listPublicDemands } from '#shared/demand/contract.ts'
import { publicStatuses } from '#shared/demand/rules.ts'
import { call, type Caller } from '../api.ts'
import { FilterForm, RegionFilter, SelectFilter, TextFilter } from '../filter-form.tsx'
import { named } from '../format.ts'
import { paths } from '../paths.ts'
import { useRememberedFilters } from '../remember.ts'
import { useSiteName } from '../site.ts'
import { useText } from '../text.tsx'
import { Empty, Head } from '../ui/parts.tsx'
import { callAsVisitor, queryOf } from '../visit.ts'
import { DemandRow } from '../cards.tsx'
import { ListPages } from '../list-pages.tsx'
import { loadFilters } from './reference.ts'

const pageSize = 10

async function load(caller: Caller, request: Request) {
  const query = queryOf(request)
  const [list, filters] = await Promise.all([
    caller(listPublicDemands, { query: { ...query, pageSize } as never }),
    loadFilters(caller, query),
  ])
  return { list, filters, query }
}

export const loader = ({ context, request }: LoaderFunctionArgs) => load(callAsVisitor(context), request)
export const clientLoader = ({ request }: { request: Request }) => load(call, request)

export default function DemandListPage() {
  const { list, filters, query } = useLoaderData<typeof loader>()
  const text = useText()
  const site = useSiteName()
  const { search } = useLocation()
  useRememberedFilters('demand')
  const withStatus = (status: string | null) => {
    const next = new URLSearchParams(search)
    next.delete('pageNum')
    if (status) next.set('status', status)
    else next.delete('status')
    return `?${next}`
  }
  return (
    <div className="wrap page">
      <Head title={text.demand.title} description={text.demand.lead} site={site} />
      <header className="page-head">
        <h1>{text.demand.title}</h1>
        <p className="num">{text.demand.count(list.total)}</p>
        <p>{text.demand.lead}</p>
      </header>
      <nav className="tabs" aria-label={text.site.common.status}>
        <Link to={withStatus(null)} aria-current={query.status ? undefined : 'page'}>
          {text.site.common.all}
        </Link>
        {publicStatuses.map((status) => (
          <Link key={status} to={withStatus(status)} aria-current={query.status === status ? 'page' : undefined}>
            {text.demand.status[status]}
          </Link>
        ))}
      </nav>
      <FilterForm>
        {query.status && <input type="hidden" name="status" value={query.status} />}
        <TextFilter
          name="keyword"
          label={text.demand.keyword}
          value={query.keyword}
          placeholder={text.demand.keywordHint}
          className="wide"
        />
        <TextFilter name="demandCode" label={text.demand.code} value={query.demandCode} />
        <RegionFilter query={query} provinces={filters.provinces} cities={filters.cities} />
        <SelectFilter
          name="fatherCategoryId"
          label={text.site.common.category}
          value={query.fatherCategoryId}
          all={text.site.common.unlimited}
          options={filters.groups.map((group) => [group.id, named(text, group)])}
        />
      </FilterForm>
      {list.rows.length === 0 ? (
        <Empty
          title={text.site.common.empty}
          hint={text.site.common.emptyHint}
          action={<Link to={paths.demands()}>{text.site.common.reset}</Link>}
        />
      ) : (
        <div className="stack">
          {list.rows.map((demand) => (
            <DemandRow key={demand.id} demand={demand} />
          ))}
        </div>
      )}
      <ListPages total={list.total} pageSize={pageSize} />
    </div>
  )
}
