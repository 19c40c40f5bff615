import { Link, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { listSuppliers } from '#shared/company/contract.ts'
import { call, type Caller } from '../api.ts'
import { FilterForm, RegionFilter, TextFilter } from '../filter-form.tsx'
import { named, number } from '../format.ts'
import { ListPages } from '../list-pages.tsx'
import { paths } from '../paths.ts'
import { useRememberedFilters } from '../remember.ts'
import { useSiteName } from '../site.ts'
import { useText } from '../text.tsx'
import { Empty, Head, Tag } from '../ui/parts.tsx'
import { callAsVisitor, queryOf } from '../visit.ts'
import { loadFilters } from './reference.ts'

const pageSize = 12

async function load(caller: Caller, request: Request) {
  const query = queryOf(request)
  const [list, filters] = await Promise.all([caller(listSuppliers, { query: { ...query, pageSize } as never }), loadFilters(caller, query)])
  return { list, filters: { provinces: filters.provinces, cities: filters.cities }, query }
}

export const loader = ({ context, request }: LoaderFunctionArgs) => load(callAsVisitor(context), request)
export const clientLoader = ({ request }: { request: Request }) => load(call, request)

export default function SupplierListPage() {
  const { list, filters, query } = useLoaderData<typeof loader>()
  const text = useText()
  const site = useSiteName()
  useRememberedFilters('lessor')
  const { supplier } = text.equipment
  return (
    <div className="wrap page">
      <Head title={supplier.title} description={supplier.lead} site={site} />
      <header className="page-head">
        <h1>{supplier.title}</h1>
        <p className="num">{supplier.count(list.total)}</p>
        <p>{supplier.lead}</p>
      </header>
      <FilterForm>
        <TextFilter name="enterpriseName" label={supplier.name} value={query.enterpriseName} className="wide" />
        <RegionFilter query={query} provinces={filters.provinces} cities={filters.cities} />
      </FilterForm>
      {list.rows.length === 0 ? (
        <Empty title={text.site.common.empty} hint={text.site.common.emptyHint} />
      ) : (
        <div className="cards roomy">
          {list.rows.map((company) => (
            <article key={company.id} className="card">
              <div className="card-body">
                <h2 className="card-title">
                  <Link to={paths.supplier(company.id)}>{company.enterpriseName}</Link>
                </h2>
                <p className="row" style={{ gap: 6 }}>
                  <Tag tone="blue">{supplier.verified}</Tag>
                  {company.grade && <Tag tone="good">{text.equipment.grade(company.grade)}</Tag>}
                </p>
                <p className="small soft">{company.regionName}</p>
                <p className="small">
                  {supplier.main}:{' '}
                  {company.mainCategories.map((category) => named(text, category)).join(text.locale === 'zh-CN' ? '、' : ', ') ||
                    text.site.common.none}
                </p>
                <p className="small soft num">
                  {supplier.machines} {number(company.equipmentCount)} · {supplier.deals} {number(company.dealCount)}
                </p>
              </div>
            </article>
          ))}
        </div>
      )}
      <ListPages total={list.total} pageSize={pageSize} />
    </div>
  )
}
