import { Link, useLoaderData, useLocation, type LoaderFunctionArgs } from 'react-router'
import { listPublicEquipment } from '#shared/equipment/contract.ts'
import { call, type Caller } from '../api.ts'
import { FilterForm, RegionFilter, SelectFilter, TextFilter } from '../filter-form.tsx'
import { named } from '../format.ts'
import { ListPages } from '../list-pages.tsx'
import { paths } from '../paths.ts'
import { useRememberedFilters } from '../remember.ts'
import { useSiteName } from '../site.ts'
import { useText } from '../text.tsx'
import { Empty, Field, Head } from '../ui/parts.tsx'
import { callAsVisitor, queryOf } from '../visit.ts'
import { MachineCard } from '../cards.tsx'
import { loadFilters } from './reference.ts'

const pageSize = 12

async function load(caller: Caller, request: Request) {
  const query = queryOf(request)
  const [list, filters] = await Promise.all([
    caller(listPublicEquipment, { query: { ...query, pageSize } as never }),
    loadFilters(caller, query),
  ])
  return { list, filters, query }
}

export const loader = ({ context, request }: LoaderFunctionArgs) => load(callAsVisitor(context), request)
export const clientLoader = ({ request }: { request: Request }) => load(call, request)

export default function EquipmentListPage() {
  const { list, filters, query } = useLoaderData<typeof loader>()
  const text = useText()
  const site = useSiteName()
  const { search } = useLocation()
  useRememberedFilters('equipment')
  const withGroup = (group: number | null) => {
    const next = new URLSearchParams(search)
    for (const key of ['pageNum', 'categoryId', 'fatherCategoryId']) next.delete(key)
    if (group) next.set('fatherCategoryId', String(group))
    return `?${next}`
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
      <Head title={text.equipment.title} description={text.equipment.lead} site={site} />
      <header className="page-head">
        <h1>{text.equipment.title}</h1>
        <p className="num">{text.equipment.count(list.total)}</p>
        <p>{text.equipment.lead}</p>
      </header>
      <FilterForm chips={chips}>
        {query.fatherCategoryId && <input type="hidden" name="fatherCategoryId" value={query.fatherCategoryId} />}
        <TextFilter name="name" label={text.equipment.name} value={query.name} className="wide" />
        {filters.categories.length > 0 && (
          <SelectFilter
            name="categoryId"
            label={text.site.common.category}
            value={query.categoryId}
            all={text.site.common.unlimited}
            options={filters.categories.map((one) => [one.id, named(text, one)])}
          />
        )}
        <RegionFilter query={query} provinces={filters.provinces} cities={filters.cities} />
        <div className="field wide">
          <span className="legend">{text.equipment.price}</span>
          <div className="range-pair">
            <input
              className="input"
              name="beginPrice"
              type="number"
              min="0"
              inputMode="numeric"
              aria-label={`${text.equipment.price} ${text.equipment.priceFrom}`}
              placeholder={text.equipment.priceFrom}
              defaultValue={query.beginPrice}
            />
            <span aria-hidden="true">–</span>
            <input
              className="input"
              name="endPrice"
              type="number"
              min="0"
              inputMode="numeric"
              aria-label={`${text.equipment.price} ${text.equipment.priceTo}`}
              placeholder={text.equipment.priceTo}
              defaultValue={query.endPrice}
            />
          </div>
        </div>
        <div className="field wide">
          <span className="legend">{text.equipment.free}</span>
          <div className="range-pair">
            <input
              className="input"
              name="freeFrom"
              type="date"
              aria-label={`${text.equipment.free} ${text.equipment.from}`}
              defaultValue={query.freeFrom}
            />
            <span aria-hidden="true">–</span>
            <input
              className="input"
              name="freeTo"
              type="date"
              aria-label={`${text.equipment.free} ${text.equipment.to}`}
              defaultValue={query.freeTo}
            />
          </div>
        </div>
        <Field label={text.equipment.sort}>
          {(control) => (
            <select {...control} className="select" name="sort" defaultValue={query.sort ?? 'newest'}>
              {(['newest', 'priceUp', 'priceDown'] as const).map((sort) => (
                <option key={sort} value={sort}>
                  {text.equipment.sorts[sort]}
                </option>
              ))}
            </select>
          )}
        </Field>
      </FilterForm>
      {list.rows.length === 0 ? (
        <Empty
          title={text.site.common.empty}
          hint={text.site.common.emptyHint}
          action={<Link to={paths.equipment()}>{text.site.common.reset}</Link>}
        />
      ) : (
        <div className="cards">
          {list.rows.map((machine) => (
            <MachineCard key={machine.id} machine={machine} />
          ))}
        </div>
      )}
      <ListPages total={list.total} pageSize={pageSize} />
    </div>
  )
}
