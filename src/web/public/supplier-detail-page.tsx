import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { getCategoryTree } from '#shared/category/contract.ts'
import { getSupplier } from '#shared/company/contract.ts'
import { listPublicEquipment } from '#shared/equipment/contract.ts'
import { call, type Caller } from '../app/api.ts'
import { RecordChart } from '../company/record-chart.tsx'
import { FavouriteButton } from '../favourite/favourites.tsx'
import { named, number, placeName } from '../app/format.ts'
import { ListPages } from '../app/list-pages.tsx'
import { paths } from '#shared/paths.ts'
import { categoriesOf, machineRow } from '../equipment/machine-row.ts'
import { useOrigin, useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Head, Structured, Tag } from '../ui/parts.tsx'
import { callAsVisitor, filtersOf, refusePageBeyondEnd } from '../app/visit.ts'
import { gradeTone, MachineCard } from '../equipment/machine-card.tsx'
import { LessorContact } from '../company/lessor-contact.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 12

async function load(caller: Caller, request: Request) {
  const { id, pageNum, categoryId } = filtersOf(request)
  const [supplier, machines, tree] = await Promise.all([
    caller(getSupplier, { params: { id: id ?? '0' } }),
    caller(listPublicEquipment, { query: { companyId: id ?? '0', categoryId, pageNum, pageSize } }),
    caller(getCategoryTree, {}),
  ])
  refusePageBeyondEnd(request, { ...machines, pageSize })
  const categories = categoriesOf(tree)
  return {
    supplier,
    categoryId: Number(categoryId) || null,
    machines: { ...machines, rows: machines.rows.map((row) => machineRow(row, categories)) },
  }
}

export const loader = ({ context, request }: LoaderFunctionArgs) => load(callAsVisitor(context), request)
export const clientLoader = ({ request }: { request: Request }) => load(call, request)

export default function SupplierDetailPage() {
  const { supplier, categoryId, machines } = useLoaderData<typeof loader>()
  const text = useText()
  const site = useSiteName()
  const words = text.equipment.supplier
  const origin = useOrigin()
  const facts: [string, string][] = [
    [text.equipment.location, placeName(text, supplier)],
    [words.scale, words.scales[supplier.scaleType ?? ''] ?? text.site.common.none],
    [words.taxpayer, words.taxpayers[supplier.taxpayerType] ?? ''],
    [words.established, supplier.establishedOn ?? text.site.common.none],
    [words.certified, supplier.certifiedTo ?? text.site.common.none],
    [words.deals, number(supplier.dealCount)],
  ]
  const { invited, answered, quoted, won, withdrawn } = supplier.record
  const record: [string, string][] = [
    [words.response, invited === 0 ? text.site.common.none : words.of(answered, invited)],
    [words.quoted, number(quoted)],
    [words.won, number(won)],
    [words.winRate, quoted === 0 ? text.site.common.none : `${Math.round((won / quoted) * 100)}%`],
    [words.withdrawn, number(withdrawn)],
  ]
  return (
    <div className="wrap page stack">
      <Head title={supplier.enterpriseName} description={`${supplier.enterpriseName}, ${placeName(text, supplier)}`} site={site} />
      <Structured
        data={{
          '@type': 'LocalBusiness',
          name: supplier.enterpriseName,
          url: `${origin}${paths.supplier(supplier.id)}`,
          address: { '@type': 'PostalAddress', addressCountry: 'CN', addressRegion: supplier.regionName },
        }}
      />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.suppliers}>{words.title}</Link>
      </nav>
      <section className="panel stack">
        <div>
          <h1>{supplier.enterpriseName}</h1>
          <p className="row mt-8">
            <Tag tone="blue">{words.verified}</Tag>
            {supplier.grade && <Tag tone={gradeTone(supplier.grade)}>{text.equipment.grade(supplier.grade)}</Tag>}
            <span className="soft">{placeName(text, supplier)}</span>
          </p>
        </div>
        {supplier.intro && <p>{supplier.intro}</p>}
        {supplier.mainCategories.length > 0 && (
          <p className="row gap-6">
            <span className="small soft">{words.main}</span>
            {supplier.mainCategories.map((category) => (
              <Tag key={category.id}>{named(text, category)}</Tag>
            ))}
          </p>
        )}
        {supplier.serviceRegions.length > 0 && (
          <p className="row gap-6">
            <span className="small soft">{words.regions}</span>
            {supplier.serviceRegions.map((region) => (
              <Tag key={region.code}>{named(text, region)}</Tag>
            ))}
          </p>
        )}
      </section>
      <div className="detail">
        <aside className="panel stack detail-side" aria-label={words.facts}>
          <dl className="facts">
            {facts.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd className="num">{value}</dd>
              </div>
            ))}
          </dl>
          <Link className="button button-primary" to={paths.addDemand(`?invite=${supplier.id}`)}>
            {text.search.inviteLessor}
          </Link>
          <LessorContact key={supplier.id} companyId={supplier.id} />
          <p>
            <FavouriteButton bizType="supplier" bizId={supplier.id} name={supplier.enterpriseName} />
          </p>
        </aside>
        <div className="stack">
          <section className="panel">
            <h2>{words.record}</h2>
            <p className="small soft">{words.recordHint}</p>
            <dl className="facts mt-8">
              {record.map(([label, value]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd className="num">{value}</dd>
                </div>
              ))}
            </dl>
            {(invited > 0 || quoted > 0) && <RecordChart record={supplier.record} />}
          </section>
        </div>
      </div>
      <section>
        <h2 className="mt-8 mb-16">
          {words.all} <span className="small soft num">{text.equipment.count(supplier.equipmentCount)}</span>
        </h2>
        <FleetChips supplier={supplier} categoryId={categoryId} />
        <div className="cards">
          {machines.rows.map((machine) => (
            <MachineCard key={machine.id} heading="h3" machine={machine} to={paths.supplierMachine(machine.id)} />
          ))}
        </div>
        <ListPages total={machines.total} capped={machines.capped} pageSize={pageSize} />
      </section>
    </div>
  )
}

/** The categories of the fleet with their number; one of them narrows the machines below. */
function FleetChips({ supplier, categoryId }: Pick<ReturnType<typeof useLoaderData<typeof loader>>, 'supplier' | 'categoryId'>) {
  const text = useText()
  return (
    <nav className="chips" aria-label={text.equipment.supplier.fleet}>
      {[null, ...supplier.fleet].map((category) => (
        <Link
          key={category?.categoryId ?? 'all'}
          to={paths.supplier(supplier.id) + (category ? `&categoryId=${category.categoryId}` : '')}
          preventScrollReset
          aria-current={(category?.categoryId ?? null) === categoryId ? 'true' : undefined}
        >
          {category ? `${named(text, category)} ${number(category.count)}` : text.site.common.all}
        </Link>
      ))}
    </nav>
  )
}
