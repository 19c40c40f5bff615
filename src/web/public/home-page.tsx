import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { listArticles } from '#shared/article/contract.ts'
import { articleTab } from '#shared/article/rules.ts'
import { getCategoryTree } from '#shared/category/contract.ts'
import { listLessors } from '#shared/company/contract.ts'
import { listPublicDemands } from '#shared/demand/contract.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import type { Answered } from '#shared/endpoint.ts'
import { listPublicEquipment, listStandardRents } from '#shared/equipment/contract.ts'
import { leastOfMarket, sizesAround, standardMachines } from '#shared/equipment/rents.ts'
import { getHomeFigures } from '#shared/statistics/contract.ts'
import { call, type Caller } from '../app/api.ts'
import { day, money, named, number, placeName } from '../app/format.ts'
import { paths } from '#shared/paths.ts'
import { demandRow } from '../demand/demand-row.ts'
import { categoriesOf, machineRow } from '../equipment/machine-row.ts'
import { lessorRow, type LessorRow } from '../company/lessor-row.ts'
import { IncompletePage } from '../app/incomplete-page.tsx'
import { ownPage, useOwnDemands } from '../app/own-view.ts'
import { useOrigin, useSite, useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { HeroDrawing, MachineIcon } from '../equipment/machine-drawing.tsx'
import { Head, Structured, Tag } from '../ui/parts.tsx'
import { callAsVisitor } from '../app/visit.ts'
import { DemandListItem } from '../demand/demand-card.tsx'
import { gradeTone, MachineCard } from '../equipment/machine-card.tsx'
import { SiteSearch } from './site-search.tsx'
import { Link } from '../ui/link.tsx'

const tiles = 12

async function load(caller: Caller) {
  const [figures, demands, machines, lessors, articles, notices, tree, rents] = await Promise.all([
    caller(getHomeFigures, {}),
    caller(listPublicDemands, { query: { status: demandStatus.quoting, pageSize: 5 } }),
    caller(listPublicEquipment, { query: { pageSize: 8 } }),
    caller(listLessors, { query: { pageSize: 4 } }),
    caller(listArticles, { query: { pageSize: 4 } }),
    caller(listArticles, { query: { tab: articleTab.notices, pageSize: 3 } }),
    caller(getCategoryTree, {}),
    caller(listStandardRents, {}),
  ])
  const categories = categoriesOf(tree)
  const { openDemands, machines: listed, lessors: certified, deals, machinesByGroup } = figures
  return {
    figures: { openDemands, machines: listed, lessors: certified, deals },
    demands: demands.rows.map(demandRow),
    machines: machines.rows.map((machine) => machineRow(machine, categories)),
    lessors: lessors.rows.map(lessorRow),
    articles: articles.rows.map(articleRow),
    notices: notices.rows.map(articleRow),
    // Whole rows of tiles: the groups that hardly anybody looks for are behind the link to all of them.
    groups: tree.slice(0, tiles).map(({ id, name, nameEn }) => ({ id, name, nameEn, machines: machinesByGroup[id] ?? 0 })),
    rents,
  }
}

const articleRow = ({ id, title, publishTime }: Answered<typeof listArticles>['rows'][number]) => ({ id, title, publishTime })

export const loader = async ({ context }: LoaderFunctionArgs) => ({ ...(await load(callAsVisitor(context))), asVisitor: true })
export const clientLoader = ({ request }: { request: Request }) => ownPage(request, load(call))

export default function HomePage() {
  const page = useLoaderData<typeof loader>()
  const { figures, demands, machines, lessors, articles, notices, groups, rents } = page
  const text = useText()
  const site = useSiteName()
  const { home, common } = text.site
  const { company, phone } = useSite()
  const origin = useOrigin()
  useOwnDemands(page)
  const units = { openDemands: common.units.item, machines: common.units.machine, lessors: common.units.company, deals: common.units.deal }
  return (
    <>
      <Head title={`${site} - ${text.site.tagline}`} description={text.site.lead} site={site} />
      <Structured
        data={{
          '@graph': [
            { '@type': 'Organization', name: company || site, url: origin, ...(phone && { telephone: phone }) },
            {
              '@type': 'WebSite',
              name: site,
              url: origin,
              potentialAction: {
                '@type': 'SearchAction',
                target: `${origin}/equipment?name={search_term_string}`,
                'query-input': 'required name=search_term_string',
              },
            },
          ],
        }}
      />
      <div className="hero">
        <div className="wrap">
          <div>
            <h1>{text.site.slogan}</h1>
            <p>{text.site.lead}</p>
            <SiteSearch />
            <p className="hero-words">
              {home.hot}
              {home.hotWords.map((word) => (
                <Link key={word} to={paths.equipment(`?name=${encodeURIComponent(word)}`)}>
                  {word}
                </Link>
              ))}
            </p>
          </div>
          <HeroDrawing />
        </div>
      </div>
      <div className="wrap">
        <dl className="figures">
          {(['openDemands', 'machines', 'lessors', 'deals'] as const).map((key) => (
            <div key={key}>
              <dt>{home.figures[key]}</dt>
              <dd className="num">
                {number(figures[key])}
                <small>{units[key](figures[key])}</small>
              </dd>
            </div>
          ))}
        </dl>

        <section className="section">
          <Section title={home.categories} hint={home.categoriesHint} to={paths.equipment()} />
          <div className="categories">
            {groups.map((group) => (
              <Link key={group.id} className="category" to={paths.equipment(`?fatherCategoryId=${group.id}`)}>
                <MachineIcon group={group.id} />
                <span>
                  <strong>{named(text, group)}</strong>
                  <span className="small soft num">{`${number(group.machines)} ${common.units.machine(group.machines)}`}</span>
                </span>
              </Link>
            ))}
          </div>
        </section>

        <Rents rents={rents} />

        <section className="section">
          <Section title={home.demands} hint={home.demandsHint} to={paths.demands()} />
          <IncompletePage page={page} />
          <div className="stack">
            {demands.map((demand) => (
              <DemandListItem key={demand.id} demand={demand} heading="h3" />
            ))}
          </div>
        </section>

        <section className="section">
          <Section title={home.fresh} hint={home.freshHint} to={paths.equipment()} />
          <div className="cards">
            {machines.map((machine) => (
              <MachineCard key={machine.id} heading="h3" machine={machine} />
            ))}
          </div>
        </section>

        <Steps />

        <div className="section grid-2 home-end">
          <div className="stack">
            <section>
              <Section title={home.news} to={paths.articleTab()} />
              <Articles articles={articles} />
            </section>
            {notices.length > 0 && (
              <section>
                <Section title={text.site.articles.tabs[articleTab.notices]} to={paths.articleTab(articleTab.notices)} />
                <Articles articles={notices} />
              </section>
            )}
          </div>
          <Lessors lessors={lessors} />
        </div>
      </div>
    </>
  )
}

/** The median rents of the machines that people of the trade compare everything with, each with the machines behind it. */
function Rents({ rents }: { rents: Answered<typeof listStandardRents> }) {
  const { search, equipment } = useText()
  const shown = standardMachines.flatMap((machine) => {
    const rent = rents.find(({ categoryId }) => categoryId === machine.categoryId)
    return rent ? { ...machine, ...rent } : []
  })
  if (shown.length === 0) return null
  return (
    <section className="section">
      <Section title={search.rents} hint={search.rentsHint(leastOfMarket)} to={paths.equipment('?view=table')} />
      <ul className="rents">
        {shown.map(({ categoryId, fatherCategoryId, key, size, withOperator, median, machines }) => {
          const { min, max } = sizesAround(size)
          const sizes = `&spec_${key}_min=${Number(min.toFixed(1))}&spec_${key}_max=${Number(max.toFixed(1))}`
          return (
            <li key={categoryId}>
              <Link to={paths.machinesOf(fatherCategoryId, categoryId) + sizes}>{search.ofMachine[categoryId]}</Link>
              <span className="price num">
                {money(median)} <small>{equipment.unit.M}</small>
              </span>
              <span className="small soft num">
                {`${withOperator ? equipment.withOperator : equipment.bare} · ${search.rentsOf(machines)}`}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** How a hire comes about on this site, in three steps. */
function Steps() {
  const { home } = useText().site
  return (
    <section className="section">
      <h2 className="mb-16">{home.steps}</h2>
      <ol className="steps">
        {(
          [
            ['step1', 'step1Text'],
            ['step2', 'step2Text'],
            ['step3', 'step3Text'],
          ] as const
        ).map(([title, words]) => (
          <li key={title}>
            <h3>{home[title]}</h3>
            <p className="soft">{home[words]}</p>
          </li>
        ))}
      </ol>
      <p className="formula">{home.dimension}</p>
      <p className="row centred mt-16">
        <Link className="button button-primary" to={paths.addDemand()}>
          {home.post}
        </Link>
        <Link className="button" to={paths.market()}>
          {home.offer}
        </Link>
      </p>
    </section>
  )
}

const Articles = ({ articles }: { articles: readonly ReturnType<typeof articleRow>[] }) => (
  <ul className="articles">
    {articles.map(({ id, title, publishTime }) => (
      <li key={id} className="row between">
        <Link to={paths.article(id)}>{title}</Link>
        <span className="small faint num">{day(publishTime)}</span>
      </li>
    ))}
  </ul>
)

function Lessors({ lessors }: { lessors: readonly LessorRow[] }) {
  const text = useText()
  const { home, common } = text.site
  return (
    <section>
      <Section title={home.lessors} to={paths.lessors} />
      <ul className="stack">
        {lessors.map((lessor) => (
          <li key={lessor.id} className="panel">
            <Link to={paths.lessor(lessor.id)}>{lessor.enterpriseName}</Link>
            <p className="small soft row">
              {placeName(text, lessor)}
              {lessor.grade && <Tag tone={gradeTone(lessor.grade)}>{text.equipment.grade(lessor.grade)}</Tag>}
              <span className="num">{`${number(lessor.equipmentCount)} ${common.units.machine(lessor.equipmentCount)}`}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Section({ title, hint, to }: { title: string; hint?: string; to: string }) {
  const text = useText()
  return (
    <div className="section-head">
      <div>
        <h2>{title}</h2>
        {hint && <p>{hint}</p>}
      </div>
      <Link to={to} aria-label={`${title}: ${text.site.common.more}`}>
        {text.site.common.more}
      </Link>
    </div>
  )
}
