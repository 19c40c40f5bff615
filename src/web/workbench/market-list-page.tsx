import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { listDemandsForLessor } from '#shared/quote/contract.ts'
import { matchWeights, type MatchPart } from '#shared/quote/match.ts'
import type { QuoteStatus } from '#shared/quote/rules.ts'
import { call } from '../app/api.ts'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { ListPages } from '../app/list-pages.tsx'
import { paths } from '#shared/paths.ts'
import { DemandRow } from '../demand/demand-card.tsx'
import { useRememberedFilters } from '../app/remember.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Empty, Head, Skeleton, Tag, type Tone } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 10
const scopes = ['recommended', 'near', 'open', 'quoted', 'won', 'lost'] as const

export const quoteTone: Record<QuoteStatus, Tone> = {
  '1': 'blue',
  '2': 'plain',
  '3': 'warn',
  '4': 'amber',
  '6': 'good',
  '7': 'plain',
  '8': 'plain',
  '9': 'plain',
  '10': 'bad',
}

export default function MarketListPage() {
  const text = useText()
  const site = useSiteName()
  const [params] = useSearchParams()
  useRememberedFilters('market')
  const query = Object.fromEntries(params) as Record<string, string>
  const scope = scopes.find((one) => one === query.scope) ?? 'recommended'
  const list = useQuery({
    queryKey: [listDemandsForLessor.url, query],
    queryFn: () => call(listDemandsForLessor, { query: { ...query, scope, pageSize } as never }),
    placeholderData: (before) => before,
  })
  return (
    <div>
      <Head title={text.quote.title} site={site} index={false} />
      <h1 style={{ marginBottom: 12 }}>{text.quote.title}</h1>
      <nav className="tabs" aria-label={text.quote.title}>
        {scopes.map((one) => (
          <Link key={one} to={paths.marketIn(one)} aria-current={one === scope ? 'page' : undefined}>
            {text.quote.scope[one]}
          </Link>
        ))}
      </nav>
      {text.quote.scopeHint[scope] && (
        <p className="soft small" style={{ marginBottom: 12 }}>
          {text.quote.scopeHint[scope]}
        </p>
      )}
      <FilterForm>
        <input type="hidden" name="scope" value={scope} />
        <TextFilter name="projectName" label={text.demand.own.projectName} value={query.projectName} className="wide" />
        <TextFilter name="demandCode" label={text.demand.code} value={query.demandCode} />
        {['quoted', 'won', 'lost'].includes(scope) && (
          <SelectFilter
            name="status"
            label={text.site.common.status}
            value={query.status}
            all={text.site.common.unlimited}
            options={(['3', '4', '5', '6', '7', '8'] as const).map((status) => [status, text.demand.status[status]])}
          />
        )}
      </FilterForm>
      {list.isPending ? (
        <Skeleton />
      ) : list.data?.rows.length ? (
        <div className="stack">
          {list.data.rows.map((demand) => (
            <div key={demand.id}>
              <DemandRow demand={demand} to={paths.marketDemand(demand.id)} />
              <p className="row small" style={{ padding: '6px 4px' }}>
                {demand.myQuoteStatus && <Tag tone={quoteTone[demand.myQuoteStatus]}>{text.quote.status[demand.myQuoteStatus]}</Tag>}
                {demand.matching > 0 && <Tag tone="good">{text.quote.matching(demand.matching)}</Tag>}
                {demand.best && <Best best={demand.best} />}
                {demand.bar && demand.status === '3' && <span className="soft">{text.quote.bar[demand.bar]}</span>}
              </p>
            </div>
          ))}
        </div>
      ) : (
        <div className="panel">
          <Empty title={text.quote.empty[scope]} hint={text.quote.emptyHint} />
        </div>
      )}
      <ListPages total={list.data?.total ?? 0} pageSize={pageSize} />
    </div>
  )
}

type Row = Awaited<ReturnType<typeof fetchRows>>['rows'][number]
const fetchRows = () => call(listDemandsForLessor, { query: {} })

/** Why this demand is recommended, part by part, or what is missing for it. */
function Best({ best }: { best: NonNullable<Row['best']> }) {
  const text = useText()
  const words = text.quote.match
  if (best.misses.length > 0)
    return (
      <span className="soft">
        {words.near(best.name, best.misses.length)}(
        {best.misses
          .map(({ kind, detail }) => [text.quote.form.miss[kind], kind === 'papers' ? '' : detail].filter(Boolean).join(' '))
          .join('; ')}
        )
      </span>
    )
  return (
    <details>
      <summary className="soft">{words.score(best.name, best.score)}</summary>
      <ul className="row small" aria-label={words.why}>
        {(Object.keys(matchWeights) as MatchPart[]).map((part) => (
          <li key={part}>
            {words.parts[part]}{' '}
            <span className="num">
              {best.parts[part]}/{matchWeights[part]}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
