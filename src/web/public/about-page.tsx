import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { listArticles } from '#shared/article/contract.ts'
import { articleTab } from '#shared/article/rules.ts'
import { listLessors } from '#shared/company/contract.ts'
import { paths } from '#shared/paths.ts'
import { getHomeFigures } from '#shared/statistics/contract.ts'
import type { About } from '#shared/text/reading.ts'
import { call, type Caller } from '../app/api.ts'
import { day, money, number } from '../app/format.ts'
import { useSite, useSiteName } from '../app/site.ts'
import { storedLocale, useText, type Locale } from '../app/text.tsx'
import { callAsVisitor, visitKey } from '../app/visit.ts'
import { LessorCardView } from '../company/lessor-card.tsx'
import { MachineIcon } from '../equipment/machine-drawing.tsx'
import { Link } from '../ui/link.tsx'
import { Head } from '../ui/parts.tsx'
import css from './about.css?inline'
import { useFilled, useWordsIn } from './reading.tsx'

const shownLessors = 12

async function load(caller: Caller, locale: Locale) {
  const [{ about }, figures, lessors, articles] = await Promise.all([
    locale === 'en-US' ? import('#shared/text/en/reading/about.ts') : import('#shared/text/zh-cn/reading/about.ts'),
    caller(getHomeFigures, {}),
    caller(listLessors, { query: { pageSize: shownLessors } }),
    caller(listArticles, { query: { tab: articleTab.notices, pageSize: 5 } }),
  ])
  const { openDemands, machines, lessors: certified, deals } = figures
  return {
    about,
    locale,
    figures: { openDemands, machines, lessors: certified, deals },
    lessors: lessors.rows,
    articles: articles.rows.map(({ id, title, summary, publishTime }) => ({ id, title, summary, publishTime })),
  }
}

export const loader = ({ context }: LoaderFunctionArgs) => load(callAsVisitor(context), context.get(visitKey).locale)
export const clientLoader = () => load(call, storedLocale())

export default function AboutPage() {
  const { about, locale, figures, lessors, articles } = useLoaderData<typeof loader>()
  const { home } = useText().site
  const site = useSiteName()
  const fill = useFilled()
  useWordsIn(locale)
  const { brand, business } = about
  return (
    <div className="wrap about">
      <style href="about" precedence="page">
        {css}
      </style>
      <Head title={about.title} description={fill(about.lead)} site={site} />
      <header className="about-top">
        <h1>{about.title}</h1>
        <p>{fill(about.lead)}</p>
        <nav className="tabs" aria-label={about.title}>
          <Link to={`${paths.about}#ppln`}>{brand.title}</Link>
          <Link to={`${paths.about}#jyln`}>{business.title}</Link>
          <Link to={`${paths.about}#hxtd`}>{about.team.title}</Link>
        </nav>
        <dl className="figures">
          {(['openDemands', 'machines', 'lessors', 'deals'] as const).map((key) => (
            <div key={key}>
              <dt>{home.figures[key]}</dt>
              <dd className="num">{number(figures[key])}</dd>
            </div>
          ))}
        </dl>
        <div className="about-drawings" aria-hidden="true">
          {[100, 200, 300, 500].map((group) => (
            <MachineIcon key={group} group={group} />
          ))}
        </div>
      </header>
      {/* Without ids, because the browser and the router would scroll to the element; the specification wants fixed offsets (root.tsx). */}
      <section className="about-brand">
        <h2>{brand.title}</h2>
        {brand.paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <Bars brand={brand} />
      </section>
      <section className="about-business">
        <h2>{business.title}</h2>
        <ul className="about-points">
          {business.points.map(({ title, text }, index) => (
            <li key={title}>
              <div>
                <h3>{title}</h3>
                <p>{text}</p>
              </div>
              <MachineIcon group={[200, 600, 800][index] ?? 100} />
            </li>
          ))}
        </ul>
      </section>
      <Team about={about} lessors={lessors} articles={articles} />
    </div>
  )
}

/** What makes the landed cost of the example, each part as long as its sum. */
function Bars({ brand }: { brand: About['brand'] }) {
  const { yuan } = useText().site.common
  const total = brand.parts.reduce((sum, [, part]) => sum + part, 0)
  const longest = Math.max(total, ...brand.parts.map(([, part]) => part))
  const rows = [
    ...brand.parts.map(([label, part]) => ({ label, part, kind: part < 0 ? 'less' : '' })),
    { label: brand.landed, part: total, kind: 'sum' },
  ]
  return (
    <figure className="about-bars">
      <figcaption className="small soft">{brand.example}</figcaption>
      {rows.map(({ label, part, kind }) => (
        <p key={label} className={`small ${kind}`}>
          <span>{label}</span>
          <i style={{ width: `${(Math.abs(part) / longest) * 100}%` }} />
          <span className="num right">
            {money(part)} {yuan}
          </span>
        </p>
      ))}
    </figure>
  )
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

/** The team, the partners, and how to become one. */
function Team({ about, lessors, articles }: Pick<Loaded, 'about' | 'lessors' | 'articles'>) {
  const { team, partners, join, questions, contact } = about
  const text = useText()
  const site = useSite()
  return (
    <>
      <section>
        <h2>{team.title}</h2>
        <p>{team.lead}</p>
        <Cards points={team.roles} />
      </section>
      <section>
        <h2>{partners.title}</h2>
        <p>{partners.lead}</p>
        <div className="cards roomy">
          {lessors.map((company) => (
            <LessorCardView key={company.id} company={company} />
          ))}
        </div>
        <p>
          <Link to={paths.lessors}>{text.site.common.more}</Link>
        </p>
      </section>
      <section>
        <h2>{join.title}</h2>
        <Cards points={join.ways} />
      </section>
      <section>
        <h2>{questions.title}</h2>
        <Cards points={questions.points} />
      </section>
      <section>
        <h2>{about.news}</h2>
        <ul className="articles panel">
          {articles.map((article) => (
            <li key={article.id}>
              <div className="row between">
                <h3>
                  <Link to={paths.article(article.id)}>{article.title}</Link>
                </h3>
                <span className="small faint num">{day(article.publishTime)}</span>
              </div>
              <p className="small soft">{article.summary}</p>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>{contact.title}</h2>
        <p>{contact.text}</p>
        {site.phone && (
          <p>
            {text.site.footer.phone} <a href={`tel:${site.phone}`}>{site.phone}</a> {site.hours}
          </p>
        )}
        <p className="row">
          <Link className="button button-primary" to={paths.contact}>
            {contact.link}
          </Link>
          <Link className="button" to={paths.helpHome}>
            {contact.help}
          </Link>
        </p>
      </section>
    </>
  )
}

const Cards = ({ points }: { points: About['team']['roles'] }) => (
  <ul className="about-cards">
    {points.map(({ title, text }) => (
      <li key={title} className="panel">
        <h3>{title}</h3>
        <p className="small soft">{text}</p>
      </li>
    ))}
  </ul>
)
