import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { getCategoryTree } from '#shared/category/contract.ts'
import { getPublicDemand } from '#shared/demand/contract.ts'
import { listQuestions } from '#shared/question/contract.ts'
import type { Answered } from '#shared/endpoint.ts'
import { call, type Caller } from '../app/api.ts'
import { FavouriteButton } from '../favourite/favourites.tsx'
import { colon } from '../app/colon.ts'
import { minute, placeName } from '../app/format.ts'
import { paths } from '#shared/paths.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import { IncompletePage } from '../app/incomplete-page.tsx'
import { ownPage, useOwnView } from '../app/own-view.ts'
import { useOrigin, useSiteName } from '../app/site.ts'
import { roleIn, useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { Head, Tag } from '../ui/parts.tsx'
import { callAsVisitor, filtersOf } from '../app/visit.ts'
import { ContactLook } from '../demand/contact-look.tsx'
import { Countdown, DemandTag } from '../demand/demand-card.tsx'
import { Attachments, FactsSection, ItemsTable, type KnownParams } from '../demand/demand-parts.tsx'
import { categoriesOf } from '../equipment/machine-row.ts'
import { Link } from '../ui/link.tsx'
import { PrintSheet } from './print-sheet.tsx'

const load = async (caller: Caller, request: Request) => {
  const id = filtersOf(request).id ?? '0'
  const demand = await caller(getPublicDemand, { params: { id } })
  const [questions, tree] = await Promise.all([caller(listQuestions, { params: { demandId: id } }), caller(getCategoryTree, {})])
  const categories = categoriesOf(tree)
  const params: KnownParams = Object.fromEntries(
    demand.items.map(({ categoryId }) => [categoryId, categories.get(categoryId)?.params ?? []]),
  )
  return { demand, questions, params }
}

export const loader = async ({ context, request }: LoaderFunctionArgs) => ({
  ...(await load(callAsVisitor(context), request)),
  asVisitor: true,
})
export const clientLoader = ({ request }: { request: Request }) => ownPage(request, load(call, request))

export default function DemandDetailPage() {
  const page = useLoaderData<typeof loader>()
  const { demand, questions, params } = page
  const text = useText()
  const site = useSiteName()
  const session = useSession()
  const origin = useOrigin()
  useOwnView(page.asVisitor && session.token !== null, page)
  const role = roleIn(session)
  // Before the session is loaded, the page has to match the visitor's page from the server, which does not know whose demand it is.
  const isVisitors = !session.info || (page.asVisitor && role !== null && role !== 'leaser')
  const bar = isVisitors
    ? 'visitor'
    : role === null
      ? 'uncertified'
      : demand.isOwn
        ? 'own'
        : role !== 'leaser'
          ? 'notLessor'
          : demand.status === demandStatus.quoting
            ? 'open'
            : 'closed'
  return (
    <div className="wrap page stack">
      <Head
        title={demand.title}
        description={`${demand.title} · ${placeName(text, demand)} · ${demand.planStart} – ${text.list.endDay(demand.planEnd ?? '')}`}
        site={site}
        image={`/share/demand/${demand.id}.png`}
      />
      <div className="row between">
        <nav className="small" aria-label={text.site.common.breadcrumb}>
          <Link to={paths.demands()}>{text.demand.title}</Link> / <span className="num">{demand.demandCode}</span>
        </nav>
        <span className="row">
          <PrintSheet label={demand.title} address={origin + paths.demand(demand.id)} />
          <FavouriteButton bizType="demand" bizId={demand.id} name={demand.title} />
        </span>
      </div>
      <header className="panel">
        <div className="row between">
          <div>
            <h1>{demand.title}</h1>
            <p className="row mt-8">
              <DemandTag status={demand.status} hasWinner={demand.winners.length > 0} />
              <Tag>{text.demand.type[demand.demandType]}</Tag>
              <Tag tone={demand.sealed ? 'blue' : 'plain'}>{demand.sealed ? text.demand.sealed : text.demand.unsealed}</Tag>
              {demand.urgent && <Tag tone="bad">{text.demand.urgent}</Tag>}
              {demand.lowEmissionZone && <Tag tone="amber">{text.demand.lowEmission}</Tag>}
            </p>
          </div>
          <div className="right">
            <p className="soft">
              {text.demand.deadline} <span className="num">{minute(demand.quoteDeadline)}</span>
            </p>
            {demand.status === demandStatus.quoting && (
              <p className="demand-left">
                <Countdown until={demand.quoteDeadline} />
              </p>
            )}
          </div>
        </div>
        <p className="notice mt-16 no-print">{text.demand.quoteBars[bar]}</p>
        {/* The same height for everybody, because the session is read only after the first paint. */}
        <p className="row quote-row no-print">
          {bar === 'open' && (
            <Link className="button button-primary" to={paths.marketDemand(demand.id)}>
              {text.demand.quoteNow}
            </Link>
          )}
          {bar === 'visitor' && (
            <Link className="button button-primary" to={paths.login(paths.demand(demand.id))}>
              {text.demand.loginToSee}
            </Link>
          )}
          {bar === 'uncertified' && (
            <Link className="button" to={paths.certification}>
              {text.demand.certifyNow}
            </Link>
          )}
          {bar === 'own' ? (
            <Link className="button" to={paths.ownDemand(demand.id)}>
              {text.demand.seeOwn}
            </Link>
          ) : (
            <ContactLook key={demand.id} demandId={demand.id} />
          )}
        </p>
      </header>
      <IncompletePage page={page} />
      <section className="panel">
        <h2>{text.demand.lines}</h2>
        <ItemsTable items={demand.items} params={params} />
      </section>
      <section className="panel">
        <h2>{text.demand.form.sections.duties}</h2>
        <FactsSection demand={demand} />
        {demand.terms && (
          <>
            <h3 className="mt-16">{text.demand.terms}</h3>
            <p className="pre-line">{demand.terms}</p>
          </>
        )}
      </section>
      <Attachments files={demand.attachments} />
      {questions.length > 0 && <PublicQuestions questions={questions} />}
      {demand.winners.length > 0 && <Winners winners={demand.winners} />}
    </div>
  )
}

function PublicQuestions({ questions }: { questions: Answered<typeof listQuestions> }) {
  const text = useText()
  return (
    <section className="panel">
      <h2>{text.demand.question.title}</h2>
      <dl className="stack">
        {questions.map((question) => (
          <div key={question.id}>
            <dt>
              <strong>{question.content}</strong> <span className="small faint num">{minute(question.askTime)}</span>
            </dt>
            <dd className="pre-line">{question.answer || text.demand.question.waiting}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Winners({ winners }: { winners: Answered<typeof getPublicDemand>['winners'] }) {
  const text = useText()
  return (
    <section className="panel">
      <h2>{text.demand.winners}</h2>
      <ul>
        {winners.map((winner) => (
          <li key={`${winner.lineNo}-${winner.companyName}`}>
            {text.demand.line(winner.lineNo)}
            {colon(text)}
            {winner.companyName} ×{winner.qty}
          </li>
        ))}
      </ul>
    </section>
  )
}
