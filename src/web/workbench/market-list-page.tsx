import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { demandStatus } from '#shared/demand/rules.ts'
import type { Answered } from '#shared/endpoint.ts'
import { listOwnEquipment } from '#shared/equipment/contract.ts'
import { shelfStatus } from '#shared/equipment/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { listDemandsForLessor, type Won } from '#shared/quote/contract.ts'
import { matchWeights, type MatchPart } from '#shared/quote/match.ts'
import { quoteStatus, type QuoteStatus } from '#shared/quote/rules.ts'
import { call } from '../app/api.ts'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { useFollow } from '../app/follow.ts'
import { machineName, money, named } from '../app/format.ts'
import { ListFrame, useList } from '../app/list-frame.tsx'
import { withParam } from '../app/list-settings.ts'
import { paths } from '#shared/paths.ts'
import { semicolon } from '#shared/text/punctuation.ts'
import { DemandListItem } from '../demand/demand-card.tsx'
import { useRememberedFilters } from '../app/remember.ts'
import { useText } from '../app/text.tsx'
import { filtersOf } from '../app/visit.ts'
import { Tag, type Tone } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'
import { missDetail } from './quote/miss-detail.ts'

const pageSize = 10
/** Scopes of demands that still take quotes. */
const openScopes = ['recommended', 'near', 'open'] as const
/** Scopes of demands that the lessor has quoted for, which are at different states. */
const quotedScopes = ['quoted', 'won', 'lost'] as const
const scopes = [...openScopes, ...quotedScopes] as const

const { quoting, reviewing, awarded, awardedPart, completed, failed, cancelled } = demandStatus
/** The states that a demand with quotes can have. */
const quotedStatuses = [quoting, reviewing, awarded, awardedPart, completed, failed, cancelled] as const

export const quoteTone: Record<QuoteStatus, Tone> = {
  [quoteStatus.quoted]: 'blue',
  [quoteStatus.withdrawn]: 'plain',
  [quoteStatus.toConfirm]: 'warn',
  [quoteStatus.reviewing]: 'amber',
  [quoteStatus.won]: 'good',
  [quoteStatus.givenUp]: 'plain',
  [quoteStatus.lost]: 'plain',
  [quoteStatus.lapsed]: 'plain',
  [quoteStatus.disqualified]: 'bad',
}

export default function MarketListPage() {
  const text = useText()
  const [params] = useSearchParams()
  useRememberedFilters('market')
  const query = filtersOf(params)
  const scope = scopes.find((one) => one === query.scope) ?? 'recommended'
  const list = useList(listDemandsForLessor, pageSize, { scope })
  useFollow('demand', listDemandsForLessor)
  const isRecommending = scope === 'recommended' || scope === 'near'
  const shelved = useQuery({
    queryKey: [listOwnEquipment.url, 'shelved'],
    queryFn: () => call(listOwnEquipment, { query: { pageSize: 1, shelfStatus: shelfStatus.on } }),
    enabled: isRecommending && list.data?.total === 0,
  })
  const hasNoMachine = isRecommending && shelved.data?.total === 0
  return (
    <ListFrame
      title={text.quote.title}
      tabs={scopes.map((one) => ({ to: addressIn(params, one), label: text.quote.scope[one], current: one === scope }))}
      filters={
        <>
          {text.quote.scopeHint[scope] && <p className="soft small">{text.quote.scopeHint[scope]}</p>}
          <FilterForm views={['scope']}>
            <input type="hidden" name="scope" value={scope} />
            <TextFilter name="projectName" label={text.demand.own.projectName} value={query.projectName} className="wide" />
            <TextFilter name="demandCode" label={text.demand.code} value={query.demandCode} />
            {isAmong(scope, quotedScopes) && (
              <SelectFilter
                name="status"
                label={text.site.common.status}
                value={query.status}
                all={text.site.common.unlimited}
                options={quotedStatuses.map((status) => [status, text.demand.status[status]])}
              />
            )}
          </FilterForm>
        </>
      }
      list={list}
      empty={hasNoMachine ? text.quote.noMachines : text.quote.empty[scope]}
      emptyHint={hasNoMachine ? text.quote.noMachinesHint : text.quote.emptyHint}
      {...(hasNoMachine && {
        emptyAction: (
          <Link className="button button-primary" to={paths.addMachine}>
            {text.equipment.upload.title}
          </Link>
        ),
      })}
      pageSize={pageSize}
    >
      {(demands) => (
        <div className="stack">
          {demands.map((demand) => (
            <DemandListItem
              key={demand.id}
              demand={demand}
              to={paths.marketDemand(demand.id)}
              foot={
                <>
                  {demand.myQuoteStatus && <Tag tone={quoteTone[demand.myQuoteStatus]}>{text.quote.status[demand.myQuoteStatus]}</Tag>}
                  {demand.won && <WonLines won={demand.won} />}
                  {isAmong(scope, openScopes) && demand.matching > 0 && <Tag tone="good">{text.quote.matching(demand.matching)}</Tag>}
                  {demand.best && <BestMatch best={demand.best} />}
                  {demand.bar && demand.status === quoting && <span className="soft">{text.quote.bar[demand.bar]}</span>}
                </>
              }
            />
          ))}
        </div>
      )}
    </ListFrame>
  )
}

/** The list with the same filters in another scope, without the state of demands where all have the same. */
function addressIn(params: URLSearchParams, scope: (typeof scopes)[number]): string {
  const next = new URLSearchParams(params)
  if (!isAmong(scope, quotedScopes)) next.delete('status')
  return withParam(next, 'scope', scope)
}

/** The lines that were won, with the sum of their contract and the next entry. */
function WonLines({ won }: { won: Won }) {
  const text = useText()
  const words = text.quote.won
  const lines = won.lines.map((line) => words.line(line.lineNo, named(text, line), line.qty)).join(text.locale === 'zh-CN' ? '、' : '; ')
  const [entry] = won.lines.map((line) => line.entry).toSorted((a, b) => a.localeCompare(b))
  return (
    <span>
      <strong>{words.short(lines, money(won.invoiced, true))}</strong>{' '}
      <span className="soft">
        {words.entry} <span className="num">{entry}</span>
      </span>
    </span>
  )
}

type MarketRow = Answered<typeof listDemandsForLessor>['rows'][number]

/** Explains the score of a recommended demand part by part, or names what the best machine lacks. */
function BestMatch({ best }: { best: NonNullable<MarketRow['best']> }) {
  const text = useText()
  const words = text.quote.match
  if (best.misses.length > 0)
    return (
      <span className="soft">
        {words.near(machineName(text, best), best.misses.length)} ·{' '}
        {best.misses
          .map((miss) => [text.quote.form.miss[miss.kind], missDetail(text, miss)].filter(Boolean).join(' '))
          .join(semicolon(text))}
      </span>
    )
  return (
    <details>
      <summary className="soft">{words.score(machineName(text, best), best.score)}</summary>
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
