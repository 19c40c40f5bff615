import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { awardRequestStatus, propose, type Strategy } from '#shared/award/rules.ts'
import { daysBetween } from '#shared/calendar.ts'
import type { OwnDemand } from '#shared/demand/contract.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import { compareQuotes } from '#shared/quote/contract.ts'
import { breakEvenDays, landedCost, type CostLine, type LandedCost } from '#shared/quote/landed-cost.ts'
import { isStanding, mayBeAwarded } from '#shared/quote/lowest.ts'
import { otherDuties } from '#shared/quote/rules.ts'
import { call } from '../../app/api.ts'
import { mayIn, useSession } from '../../app/session.ts'
import { Unloaded } from '../../app/list-frame.tsx'
import { useText } from '../../app/text.tsx'
import { Empty } from '../../ui/parts.tsx'
import { toast } from '../../ui/toast.tsx'
import { ApprovalSheet } from './approval-sheet.tsx'
import { AwardBar } from './award-bar.tsx'
import { AwardResult, Decision, OverBudget } from './award-result.tsx'
import { CompareLessors } from './compare-lessors.tsx'
import { CompareLine } from './compare-line.tsx'
import { CompareHead, CompareTools } from './compare-tools.tsx'
import { offerOf, standingOffers, type Cell, type Compared, type ComparedLine } from './compared.ts'
import { CostDialog } from './cost-dialog.tsx'
import { usePicks, withReasons } from './use-picks.ts'
import './compare.css'

export function Compare({ demand }: { demand: OwnDemand }) {
  const text = useText()
  const compared = useQuery({
    queryKey: [compareQuotes.url, demand.id, demand.version],
    queryFn: () => call(compareQuotes, { params: { demandId: demand.id } }),
  })
  if (!compared.data) return <Unloaded queries={[compared]} />
  if (compared.data.quotes.length === 0)
    return (
      <section className="panel">
        <Empty title={text.quote.compare.noQuotes} hint={text.quote.compare.noQuotesHint} />
      </section>
    )
  return <Matrix demand={demand} compared={compared.data} />
}

/** The facts of each line that its landed cost needs, by the line's id. */
function useCostLines(demand: OwnDemand, compared: Compared): ReadonlyMap<number, CostLine> {
  return useMemo(
    () =>
      new Map(
        demand.items.map((item) => [
          item.id,
          { ...item, litresPerShift: compared.litresPerShift[item.id] ?? 0, operatorWanted: compared.operatorWanted[item.id] ?? false },
        ]),
      ),
    [demand.items, compared],
  )
}

/** What every offered line costs when the hire lasts `share` percent of the planned days. */
function cellsOf(demand: OwnDemand, compared: Compared, costLines: ReturnType<typeof useCostLines>, share: number): Cell[] {
  return compared.quotes.flatMap((quote) =>
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
          choosable: mayBeAwarded(quote, line),
          isStanding: isStanding(quote, line),
          otherDuties: otherDuties(line, costLine, demand),
        },
      ]
    }),
  )
}

function Matrix({ demand, compared }: { demand: OwnDemand; compared: Compared }) {
  const text = useText()
  const words = text.quote.compare
  const session = useSession()
  const [view, setView] = useState<'line' | 'lessor'>('line')
  const [percent, setPercent] = useState(100)
  const [shown, setShown] = useState<{ cost: LandedCost; title: string } | null>(null)
  const waiting = demand.awardRequest?.status === awardRequestStatus.waiting ? demand.awardRequest : null
  const canAward = demand.status === demandStatus.reviewing && !waiting && mayIn(session, 'demand:award')
  const costLines = useCostLines(demand, compared)
  const cells = cellsOf(demand, compared, costLines, percent)
  // The award, the picks that need a reason and the printed sheet depend on the planned duration, whatever duration is shown.
  const planned = cellsOf(demand, compared, costLines, 100)
  const offers = standingOffers(planned)
  const { picks, setPicks, reasons, setReasons, loseReasons, setLoseReasons, done } = usePicks(canAward ? demand.id : null, offers)

  const choose = (strategy: Strategy) => {
    const next = propose(strategy, demand.items, offers)
    if (next.length === 0) toast('info', words.strategyNone)
    setPicks(next)
  }
  const setPick = (line: ComparedLine, qty: number) => {
    const isOnlyOne = demand.items.some(({ id, qty: wanted }) => id === line.demandItemId && wanted === 1)
    setPicks((before) => [
      ...before.filter(({ quoteLineId, demandItemId }) => (isOnlyOne ? demandItemId !== line.demandItemId : quoteLineId !== line.id)),
      ...(qty > 0 ? [{ demandItemId: line.demandItemId, quoteLineId: line.id, qty }] : []),
    ])
  }
  return (
    <section className="panel stack comparison" aria-label={words.title}>
      <CompareHead view={view} onView={setView} />
      {compared.quotes.length < demand.minQuotes && canAward && (
        <p className="notice notice-warn">{words.few(compared.quotes.length, demand.minQuotes)}</p>
      )}
      {compared.award && <Decision demand={demand} cells={planned} award={compared.award} mayMake={mayIn(session, 'contract:make')} />}
      {waiting && demand.status === demandStatus.reviewing && (
        <AwardResult
          demand={demand}
          cells={planned}
          who={waiting.who}
          at={waiting.requestTime}
          net={waiting.net}
          title={words.awardProposed}
          lines={waiting.lines}
        >
          <OverBudget demand={demand} quotes={compared.quotes} picks={waiting.lines} />
        </AwardResult>
      )}
      <CompareTools items={demand.items} percent={percent} onPercent={setPercent} onStrategy={canAward ? choose : null} />
      {view === 'lessor' ? (
        <CompareLessors
          items={demand.items}
          quotes={compared.quotes}
          cells={cells}
          award={compared.award}
          onShow={(cell) => {
            const lineNo = demand.items.find(({ id }) => id === cell.line.demandItemId)?.lineNo ?? 0
            setShown({ cost: cell.cost, title: `${cell.quote.companyName} · ${text.demand.line(lineNo)}` })
          }}
        />
      ) : (
        demand.items.map((item) => (
          <CompareLine
            key={item.id}
            item={item}
            cells={cells.filter(({ line }) => line.demandItemId === item.id)}
            ceiling={demand.ceilings[item.id]}
            award={compared.award}
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
          onAwarded={done}
          onReason={(id, reason) => setReasons((before) => ({ ...before, [id]: reason }))}
          loseReasons={loseReasons}
          onLoseReasons={(next) => setLoseReasons((before) => ({ ...before, ...next }))}
        />
      )}
      <CostDialog cost={shown?.cost ?? null} title={shown?.title ?? ''} assumptions={compared.assumptions} onClose={() => setShown(null)} />
      <ApprovalSheet demand={demand} compared={compared} cells={planned} picks={canAward ? withReasons(picks, reasons) : []} />
    </section>
  )
}
