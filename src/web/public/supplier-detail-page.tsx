import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { getSupplier } from '#shared/company/contract.ts'
import { listPublicEquipment } from '#shared/equipment/contract.ts'
import { call, type Caller } from '../app/api.ts'
import { RecordChart } from '../company/record-chart.tsx'
import { FavouriteButton } from '../favourite/favourites.tsx'
import { named, number } from '../app/format.ts'
import { ListPages } from '../app/list-pages.tsx'
import { paths } from '#shared/paths.ts'
import { machineRow } from '../equipment/machine-row.ts'
import { useOrigin, useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Head, Structured, Tag } from '../ui/parts.tsx'
import { callAsVisitor, filtersOf } from '../app/visit.ts'
import { MachineCard } from '../equipment/machine-card.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 12

async function load(caller: Caller, request: Request) {
  const { id, pageNum } = filtersOf(request)
  const [supplier, machines] = await Promise.all([
    caller(getSupplier, { params: { id: id ?? '0' } }),
    caller(listPublicEquipment, { query: { companyId: id ?? '0', pageNum, pageSize } }),
  ])
  return { supplier, machines: { ...machines, rows: machines.rows.map(machineRow) } }
}

export const loader = ({ context, request }: LoaderFunctionArgs) => load(callAsVisitor(context), request)
export const clientLoader = ({ request }: { request: Request }) => load(call, request)

export default function SupplierDetailPage() {
  const { supplier, machines } = useLoaderData<typeof loader>()
  const text = useText()
  const site = useSiteName()
  const words = text.equipment.supplier
  const origin = useOrigin()
  const facts: [string, string][] = [
    [text.equipment.location, supplier.regionName],
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
      <Head title={supplier.enterpriseName} description={`${supplier.enterpriseName}, ${supplier.regionName}`} site={site} />
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
      <div className="grid-2">
        <section className="panel stack">
          <div>
            <h1>{supplier.enterpriseName}</h1>
            <p className="row mt-8">
              <Tag tone="blue">{words.verified}</Tag>
              {supplier.grade && <Tag tone="good">{text.equipment.grade(supplier.grade)}</Tag>}
            </p>
          </div>
          <dl className="facts">
            {facts.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd className="num">{value}</dd>
              </div>
            ))}
          </dl>
          {supplier.intro && <p className="soft">{supplier.intro}</p>}
          {supplier.serviceRegions.length > 0 && (
            <p className="row gap-6">
              <span className="small soft">{words.regions}</span>
              {supplier.serviceRegions.map((region) => (
                <Tag key={region.code}>{region.name}</Tag>
              ))}
            </p>
          )}
          <p>
            <FavouriteButton bizType="supplier" bizId={supplier.id} name={supplier.enterpriseName} />
          </p>
        </section>
        <div className="stack">
          <section className="panel">
            <h2>{words.record}</h2>
            <p className="small soft">{words.recordHint}</p>
            <dl className="facts" style={{ marginTop: 10 }}>
              {record.map(([label, value]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd className="num">{value}</dd>
                </div>
              ))}
            </dl>
            <RecordChart record={supplier.record} />
          </section>
          <section className="panel">
            <h2>{words.fleet}</h2>
            <ul className="stack" style={{ gap: 6 }}>
              {supplier.fleet.map((category) => (
                <li key={category.categoryId} className="row between">
                  {named(text, category)}
                  <span className="num soft">
                    {number(category.count)} {text.site.common.units.machine}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        </div>
      </div>
      <section>
        <h2 style={{ margin: '8px 0 16px' }}>
          {words.all} <span className="small soft num">{text.equipment.count(machines.total)}</span>
        </h2>
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
