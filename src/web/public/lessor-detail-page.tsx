import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { getCategoryTree } from '#shared/category/contract.ts'
import { getLessor } from '#shared/company/contract.ts'
import { listPublicEquipment } from '#shared/equipment/contract.ts'
import { call, type Caller } from '../app/api.ts'
import { RecordChart } from '../company/record-chart.tsx'
import { FavouriteButton } from '../favourite/favourites.tsx'
import { named, number, placeName } from '../app/format.ts'
import { ListPages } from '../app/list-pages.tsx'
import { paths } from '#shared/paths.ts'
import { categoriesOf, machineRow } from '../equipment/machine-row.ts'
import { useOrigin, useSiteName } from '../app/site.ts'
import { mayIn, roleIn, useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { Head, Structured, Tag } from '../ui/parts.tsx'
import { callAsVisitor, filtersOf, refusePageBeyondEnd } from '../app/visit.ts'
import { gradeTone, MachineCard } from '../equipment/machine-card.tsx'
import { LessorContact } from '../company/lessor-contact.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 12

async function load(caller: Caller, request: Request) {
  const { id, pageNum, categoryId } = filtersOf(request)
  const [lessor, machines, tree] = await Promise.all([
    caller(getLessor, { params: { id: id ?? '0' } }),
    caller(listPublicEquipment, { query: { companyId: id ?? '0', categoryId, pageNum, pageSize } }),
    caller(getCategoryTree, {}),
  ])
  refusePageBeyondEnd(request, { ...machines, pageSize })
  const categories = categoriesOf(tree)
  return {
    lessor,
    categoryId: Number(categoryId) || null,
    machines: { ...machines, rows: machines.rows.map((row) => machineRow(row, categories)) },
  }
}

export const loader = ({ context, request }: LoaderFunctionArgs) => load(callAsVisitor(context), request)
export const clientLoader = ({ request }: { request: Request }) => load(call, request)

export default function LessorDetailPage() {
  const { lessor, categoryId, machines } = useLoaderData<typeof loader>()
  const text = useText()
  const session = useSession()
  const site = useSiteName()
  const words = text.equipment.lessors
  const origin = useOrigin()
  const facts: [string, string][] = [
    [text.equipment.location, placeName(text, lessor)],
    [words.scale, words.scales[lessor.scaleType ?? ''] ?? text.site.common.none],
    [words.taxpayer, words.taxpayers[lessor.taxpayerType] ?? ''],
    [words.established, lessor.establishedOn ?? text.site.common.none],
    [words.certified, lessor.certifiedTo ?? text.site.common.none],
    [words.deals, number(lessor.dealCount)],
  ]
  const { invited, answered, quoted, won, withdrawn } = lessor.record
  const record: [string, string][] = [
    [words.response, invited === 0 ? text.site.common.none : words.of(answered, invited)],
    [words.quoted, number(quoted)],
    [words.won, number(won)],
    [words.winRate, quoted === 0 ? text.site.common.none : `${Math.round((won / quoted) * 100)}%`],
    [words.withdrawn, number(withdrawn)],
  ]
  return (
    <div className="wrap page stack">
      <Head title={lessor.enterpriseName} description={`${lessor.enterpriseName} · ${placeName(text, lessor)}`} site={site} />
      <Structured
        data={{
          '@type': 'LocalBusiness',
          name: lessor.enterpriseName,
          url: `${origin}${paths.lessor(lessor.id)}`,
          address: { '@type': 'PostalAddress', addressCountry: 'CN', addressRegion: lessor.regionName },
        }}
      />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.lessors}>{words.title}</Link>
      </nav>
      <section className="panel stack">
        <div>
          <h1>{lessor.enterpriseName}</h1>
          <p className="row mt-8">
            <Tag tone="blue">{words.verified}</Tag>
            {lessor.grade && <Tag tone={gradeTone(lessor.grade)}>{text.equipment.grade(lessor.grade)}</Tag>}
            <span className="soft">{placeName(text, lessor)}</span>
          </p>
        </div>
        {lessor.intro && <p>{lessor.intro}</p>}
        {lessor.mainCategories.length > 0 && (
          <p className="row gap-6">
            <span className="small soft">{words.main}</span>
            {lessor.mainCategories.map((category) => (
              <Tag key={category.id}>{named(text, category)}</Tag>
            ))}
          </p>
        )}
        {lessor.serviceRegions.length > 0 && (
          <p className="row gap-6">
            <span className="small soft">{words.regions}</span>
            {lessor.serviceRegions.map((region) => (
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
          {(roleIn(session) === null || mayIn(session, 'demand:edit')) && (
            <Link className="button button-primary" to={paths.addDemand(`?invite=${lessor.id}`)}>
              {text.search.inviteLessor}
            </Link>
          )}
          <LessorContact key={lessor.id} companyId={lessor.id} />
          <p>
            <FavouriteButton bizType="supplier" bizId={lessor.id} name={lessor.enterpriseName} />
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
            {(invited > 0 || quoted > 0) && (
              <div className="mt-16">
                <RecordChart record={lessor.record} />
              </div>
            )}
          </section>
        </div>
      </div>
      <section>
        <h2 className="mt-8 mb-16">
          {words.all} <span className="small soft num">{text.equipment.count(lessor.equipmentCount)}</span>
        </h2>
        <FleetChips lessor={lessor} categoryId={categoryId} />
        <div className="cards">
          {machines.rows.map((machine) => (
            <MachineCard key={machine.id} heading="h3" machine={machine} to={paths.lessorMachine(machine.id)} />
          ))}
        </div>
        <ListPages total={machines.total} capped={machines.capped} pageSize={pageSize} />
      </section>
    </div>
  )
}

/** The categories of the fleet with their number; one of them narrows the machines below. */
function FleetChips({ lessor, categoryId }: Pick<ReturnType<typeof useLoaderData<typeof loader>>, 'lessor' | 'categoryId'>) {
  const text = useText()
  return (
    <nav className="chips" aria-label={text.equipment.lessors.fleet}>
      {[null, ...lessor.fleet].map((category) => (
        <Link
          key={category?.categoryId ?? 'all'}
          to={paths.lessor(lessor.id) + (category ? `&categoryId=${category.categoryId}` : '')}
          preventScrollReset
          aria-current={(category?.categoryId ?? null) === categoryId ? 'true' : undefined}
        >
          {category ? `${named(text, category)} ${number(category.count)}` : text.site.common.all}
        </Link>
      ))}
    </nav>
  )
}
