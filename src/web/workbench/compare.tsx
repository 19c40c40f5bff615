import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { AwardInput, awardDemand } from '#shared/award/contract.ts'
import { awardRequestStatus, costOf, passesOverCheaper, propose, type Offer, type Pick, type Strategy } from '#shared/award/rules.ts'
import { daysBetween } from '#shared/calendar.ts'
import type { OwnDemand } from '#shared/demand/contract.ts'
import { breakEvenDays, landedCost, type CostLine, type LandedCost } from '#shared/quote/landed-cost.ts'
import { compareQuotes } from '#shared/quote/contract.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import { quoteStatus } from '#shared/quote/rules.ts'
import { call } from '../app/api.ts'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { fen, minute, money } from '../app/format.ts'
import { mayIn, useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { Empty, Skeleton, Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useThrottle } from '../ui/throttle.ts'
import { CompareLine } from './compare-line.tsx'
import { CompareLessors } from './compare-lessors.tsx'
import { offerOf, standingOffers, type Cell, type Compared, type ComparedLine } from './compared.ts'
import { CostDialog } from './cost-dialog.tsx'
import { refreshOwnDemands } from './own-demands.ts'

const lessorOf = ({ quotes }: Compared, quoteLineId: number): string =>
  quotes.find((quote) => quote.lines.some(({ id }) => id === quoteLineId))?.companyName ?? ''

export function Compare({ demand }: { demand: OwnDemand }) {
  const text = useText()
  const compared = useQuery({
    queryKey: [compareQuotes.url, demand.id, demand.version],
    queryFn: () => call(compareQuotes, { params: { demandId: demand.id } }),
  })
  if (compared.isPending) return <Skeleton rows={4} />
  if (!compared.data) return <Empty title={text.site.common.failed} />
  if (compared.data.quotes.length === 0)
    return (
      <section className="panel">
        <Empty title={text.quote.compare.noQuotes} hint={text.quote.compare.noQuotesHint} />
      </section>
    )
  return <Matrix demand={demand} compared={compared.data} />
}

function Matrix({ demand, compared }: { demand: OwnDemand; compared: Compared }) {
  const text = useText()
  const words = text.quote.compare
  const session = useSession()
  const [view, setView] = useState<'line' | 'supplier'>('line')
  const [percent, setPercent] = useState(100)
  const [picks, setPicks] = useState<Pick[]>([])
  const [reasons, setReasons] = useState<Record<number, string>>({})
  const [shown, setShown] = useState<{ cost: LandedCost; title: string } | null>(null)
  const waiting = demand.awardRequest?.status === awardRequestStatus.waiting ? demand.awardRequest : null
  const canAward = demand.status === demandStatus.reviewing && !waiting && mayIn(session, 'demand:award')

  const costLines = useMemo(
    () =>
      new Map<number, CostLine>(
        demand.items.map((item) => [
          item.id,
          { ...item, litresPerShift: compared.litresPerShift[item.id] ?? 0, operatorWanted: compared.operatorWanted[item.id] ?? false },
        ]),
      ),
    [demand.items, compared],
  )
  const cellsAt = (share: number): Cell[] =>
    compared.quotes.flatMap((quote) =>
      quote.lines.flatMap((line) => {
        const costLine = costLines.get(line.demandItemId)
        if (!costLine) return []
        const offer = offerOf(line)
        const days = Math.max(1, Math.round((daysBetween(costLine.planStart, costLine.planEnd) * share) / 100))
        return [
          {
            quote,
            line,
            offer,
            cost: landedCost(costLine, offer, compared.assumptions, days),
            choosable: quote.status === quoteStatus.reviewing && quote.bars.length === 0 && line.availableQty > 0,
          },
        ]
      }),
    )
  const cells = cellsAt(percent)
  // The award, and the picks that need a reason, depend on the planned duration, whatever duration is shown.
  const offers = standingOffers(cellsAt(100))

  const choose = (strategy: Strategy) => {
    const next = propose(strategy, demand.items, offers)
    if (next.length === 0) toast('info', words.strategyNone)
    setPicks(next)
  }
  const setPick = (line: ComparedLine, qty: number) =>
    setPicks((before) => [
      ...before.filter(({ quoteLineId }) => quoteLineId !== line.id),
      ...(qty > 0 ? [{ demandItemId: line.demandItemId, quoteLineId: line.id, qty }] : []),
    ])

  return (
    <section className="panel stack" aria-label={words.title}>
      <CompareHead view={view} onView={setView} />
      {compared.quotes.length < demand.minQuotes && canAward && (
        <p className="notice notice-warn">{words.few(compared.quotes.length, demand.minQuotes)}</p>
      )}
      {compared.award && <AwardSummary demand={demand} {...compared.award} title={words.awardTitle} />}
      {waiting && demand.status === demandStatus.reviewing && (
        <AwardSummary
          demand={demand}
          who={waiting.who}
          at={waiting.requestTime}
          net={waiting.net}
          title={words.awardProposed}
          lines={waiting.lines.map((line) => ({ ...line, companyName: lessorOf(compared, line.quoteLineId), net: null }))}
        />
      )}
      <CompareTools percent={percent} onPercent={setPercent} onStrategy={canAward ? choose : null} />
      {view === 'supplier' ? (
        <CompareLessors
          items={demand.items}
          quotes={compared.quotes}
          cells={cells}
          onShow={(cell) => setShown({ cost: cell.cost, title: `${cell.quote.companyName} · ${words.rate}` })}
        />
      ) : (
        demand.items.map((item) => (
          <CompareLine
            key={item.id}
            item={item}
            cells={cells.filter(({ line }) => line.demandItemId === item.id)}
            ceiling={demand.ceilings[item.id]}
            picks={canAward ? picks : null}
            breakEven={(a, b) => {
              const costLine = costLines.get(item.id)
              return costLine ? breakEvenDays(costLine, a, b, compared.assumptions) : null
            }}
            onPick={setPick}
            onShow={(cell) => setShown({ cost: cell.cost, title: `${cell.quote.companyName} · ${text.demand.line(item.lineNo)}` })}
          />
        ))
      )}
      {canAward && picks.length > 0 && (
        <AwardBar
          demand={demand}
          compared={compared}
          picks={picks}
          offers={offers}
          reasons={reasons}
          onReason={(id, reason) => setReasons((before) => ({ ...before, [id]: reason }))}
        />
      )}
      <CostDialog cost={shown?.cost ?? null} title={shown?.title ?? ''} assumptions={compared.assumptions} onClose={() => setShown(null)} />
    </section>
  )
}

function CompareHead({ view, onView }: { view: 'line' | 'supplier'; onView: (view: 'line' | 'supplier') => void }) {
  const words = useText().quote.compare
  return (
    <div className="row between">
      <h2>{words.title}</h2>
      <div className="row" role="group" aria-label={words.title}>
        {(['line', 'supplier'] as const).map((one) => (
          <button
            key={one}
            type="button"
            className={`button button-small${view === one ? ' button-primary' : ''}`}
            aria-pressed={view === one}
            onClick={() => onView(one)}
          >
            {one === 'line' ? words.byLine : words.bySupplier}
          </button>
        ))}
      </div>
    </div>
  )
}

/** The duration for which the costs are shown, and the strategies that propose an award. */
function CompareTools({
  percent,
  onPercent,
  onStrategy,
}: {
  percent: number
  onPercent: (percent: number) => void
  onStrategy: ((strategy: Strategy) => void) | null
}) {
  const words = useText().quote.compare
  return (
    <div className="row between no-print">
      <label style={{ flex: '1 1 260px', maxWidth: 420 }} className="small">
        {words.duration}: <strong className="num">{percent === 100 ? words.durationPlan : `${percent}%`}</strong>{' '}
        <span className="faint">{words.durationHint}</span>
        <input type="range" min="10" max="200" step="5" value={percent} onChange={(event) => onPercent(Number(event.target.value))} />
      </label>
      {onStrategy && (
        <div className="row" role="group" aria-label={words.strategyHint}>
          {(['lowestLine', 'lowestSupplier', 'earliest'] as const).map((strategy) => (
            <button key={strategy} type="button" className="button button-small" onClick={() => onStrategy(strategy)}>
              {words.strategy[strategy]}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

function AwardSummary({
  demand,
  title,
  who,
  at,
  net,
  lines,
}: {
  demand: OwnDemand
  title: string
  who: string
  at: string
  net: string
  lines: readonly { demandItemId: number; quoteLineId: number; companyName: string; qty: number; net: string | null; reason: string }[]
}) {
  const text = useText()
  return (
    <div className="notice">
      <p className="row between">
        <strong>{title}</strong>
        <span className="small">
          {who} · <span className="num">{minute(at)}</span> · {text.quote.cost.net} <strong className="num">{money(net, true)}</strong>
        </span>
      </p>
      <ul>
        {lines.map((line) => (
          <li key={`${line.demandItemId}-${line.quoteLineId}`} className="small">
            {text.demand.line(demand.items.find(({ id }) => id === line.demandItemId)?.lineNo ?? 0)}: {line.companyName} ×{line.qty}
            {line.net !== null && (
              <>
                {' '}
                · <span className="num">{money(line.net, true)}</span>
              </>
            )}
            {line.reason && ` · ${line.reason}`}
          </li>
        ))}
      </ul>
    </div>
  )
}

function AwardBar({
  demand,
  compared,
  picks,
  offers,
  reasons,
  onReason,
}: {
  demand: OwnDemand
  compared: Compared
  picks: readonly Pick[]
  offers: readonly Offer[]
  reasons: Record<number, string>
  onReason: (quoteLineId: number, reason: string) => void
}) {
  const text = useText()
  const words = text.quote.compare
  const [isConfirming, setConfirming] = useState(false)
  const [loseReasons, setLoseReasons] = useState<Record<string, 'price'>>({})
  const companies = new Set(picks.map(({ quoteLineId }) => offers.find((offer) => offer.quoteLineId === quoteLineId)?.companyId))
  const machines = picks.reduce((sum, { qty }) => sum + qty, 0)
  const losers = compared.quotes.filter(
    (quote) => quote.status === quoteStatus.reviewing && !picks.some(({ quoteLineId }) => quote.lines.some(({ id }) => id === quoteLineId)),
  )
  const marked = new Set(compared.quotes.flatMap(({ lines }) => lines.filter(({ overCeiling }) => overCeiling).map(({ id }) => id)))
  const needReason = picks.filter((pick) => marked.has(pick.quoteLineId) || passesOverCheaper(pick, picks, offers))
  const missing = needReason.some(({ quoteLineId }) => !reasons[quoteLineId]?.trim())
  const award = useMutation({
    mutationFn: () =>
      call(awardDemand, {
        params: { id: demand.id },
        body: AwardInput.parse({ lines: picks.map((pick) => ({ ...pick, reason: reasons[pick.quoteLineId] ?? '' })), loseReasons }),
      }),
    onSuccess: ({ awardId }) => {
      setConfirming(false)
      toast('success', awardId === null ? text.demand.own.awardSent : words.awarded)
      return refreshOwnDemands()
    },
    onError: () => {
      setConfirming(false)
      void refreshOwnDemands()
    },
  })
  const confirm = useThrottle(() => award.mutate())
  return (
    <div className="action-bar no-print">
      <div>
        <p>
          {demand.items.map((item) => (
            <span key={item.id} className="small soft" style={{ marginRight: 12 }}>
              {text.demand.line(item.lineNo)}{' '}
              {words.picked(
                picks.filter(({ demandItemId }) => demandItemId === item.id).reduce((sum, { qty }) => sum + qty, 0),
                item.qty,
              )}
            </span>
          ))}
        </p>
        <p>
          {text.quote.cost.net} <strong className="num">{fen(costOf(picks, offers))}</strong> {text.site.common.yuan}
        </p>
      </div>
      <button type="button" className="button button-primary" onClick={() => setConfirming(true)}>
        {words.award}
      </button>
      <ConfirmDialog
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={words.award}
        kind="info"
        wide
        action={words.award}
        busy={award.isPending || missing}
        onConfirm={confirm}
      >
        <p>{words.awardAsk(companies.size, machines, fen(costOf(picks, offers)))}</p>
        {picks.map((pick) => {
          const needed = needReason.includes(pick)
          const label = `${text.demand.line(demand.items.find(({ id }) => id === pick.demandItemId)?.lineNo ?? 0)}: ${lessorOf(compared, pick.quoteLineId)} ×${pick.qty}`
          return (
            <label key={pick.quoteLineId} className="field">
              <span className="legend">
                {label} · {words.awardReason}
                {needed && <span className="field-required">*</span>}
              </span>
              <input
                className="input"
                maxLength={500}
                value={reasons[pick.quoteLineId] ?? ''}
                onChange={(event) => onReason(pick.quoteLineId, event.target.value)}
              />
              {needed && <span className="field-hint">{words.awardReasonHint}</span>}
            </label>
          )
        })}
        {losers.map((quote) => (
          <label key={quote.id} className="row between">
            <span className="small">
              {quote.companyName} <Tag>{text.quote.status[quoteStatus.lost]}</Tag>
            </span>
            <select
              className="select"
              style={{ width: 160, minHeight: 36 }}
              aria-label={`${quote.companyName}: ${words.loseReason}`}
              value={loseReasons[quote.id] ?? 'price'}
              onChange={(event) => setLoseReasons((before) => ({ ...before, [quote.id]: event.target.value as 'price' }))}
            >
              {(['price', 'spec', 'time', 'papers', 'rating', 'other'] as const).map((reason) => (
                <option key={reason} value={reason}>
                  {words.loseReasons[reason]}
                </option>
              ))}
            </select>
          </label>
        ))}
      </ConfirmDialog>
    </div>
  )
}
