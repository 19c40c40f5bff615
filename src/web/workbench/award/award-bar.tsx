import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fenOf } from '#shared/amount-text.ts'
import { findShortPick } from '#shared/award/allot.ts'
import { AwardInput, awardDemand } from '#shared/award/contract.ts'
import {
  costOf,
  passesOverCheaper,
  usualLoseReason,
  type LoseReason,
  type Offer,
  type Pick,
  loseReasons as allLoseReasons,
} from '#shared/award/rules.ts'
import type { OwnDemand } from '#shared/demand/contract.ts'
import { quoteStatus } from '#shared/quote/rules.ts'
import { call, maySendAgain } from '../../app/api.ts'
import { Term } from '../../app/term.tsx'
import { ConfirmDialog } from '../../app/confirm-dialog.tsx'
import { colon } from '../../app/colon.ts'
import { moneyOfFen } from '../../app/format.ts'
import { useText } from '../../app/text.tsx'
import { reserveBarHeight } from '../../ui/bar-height.ts'
import { TextField } from '../../ui/form-fields.tsx'
import { Tag } from '../../ui/parts.tsx'
import { useThrottle } from '../../ui/throttle.ts'
import { toast } from '../../ui/toast.tsx'
import { OverBudget } from './award-result.tsx'
import type { Compared, ComparedQuote } from './compared.ts'
import { refreshOwnDemands } from '../demand/own-demands.ts'
import { withReasons } from './use-picks.ts'

/** The bar that stays below the comparison while offers are chosen, and the dialog that awards them. */
export function AwardBar({
  demand,
  compared,
  picks,
  offers,
  reasons,
  onReason,
  loseReasons,
  onLoseReasons,
  onAwarded,
}: {
  demand: OwnDemand
  compared: Compared
  picks: readonly Pick[]
  offers: readonly Offer[]
  reasons: Record<number, string>
  onReason: (quoteLineId: number, reason: string) => void
  /** By the id of the quote. */
  loseReasons: Record<string, LoseReason>
  onLoseReasons: (reasons: Record<string, LoseReason>) => void
  onAwarded: () => void
}) {
  const text = useText()
  const words = text.quote.compare
  const [isConfirming, setConfirming] = useState(false)
  const companies = new Set(picks.map(({ quoteLineId }) => offers.find((offer) => offer.quoteLineId === quoteLineId)?.companyId))
  const machines = picks.reduce((sum, { qty }) => sum + qty, 0)
  const chosenFor = (item: { id: number }) =>
    picks.filter(({ demandItemId }) => demandItemId === item.id).reduce((sum, { qty }) => sum + qty, 0)
  const crowded = demand.items.find((item) => chosenFor(item) > item.qty)
  const rest = demand.items.reduce((sum, item) => sum + Math.max(0, item.qty - chosenFor(item)), 0)
  const losers = losersOf(compared, picks)
  const opened = compared.quotes.flatMap(openedOffers)
  const reasonOf = ({ id }: ComparedQuote): LoseReason => loseReasons[id] ?? usualLoseReason(id, picks, opened)
  const marked = new Set(compared.quotes.flatMap(({ lines }) => lines.filter(({ overCeiling }) => overCeiling).map(({ id }) => id)))
  const needReason = picks.filter((pick) => marked.has(pick.quoteLineId) || passesOverCheaper(pick, picks, offers))
  const short = findShortPick(picks, demand.items, compared.quotes)
  const missing = needReason.some(({ quoteLineId }) => !reasons[quoteLineId]?.trim())
  const award = useMutation({
    mutationFn: (body: AwardInput) => call(awardDemand, { params: { id: demand.id }, body }),
    onSuccess: ({ awardId }) => {
      setConfirming(false)
      onAwarded()
      toast('success', awardId === null ? text.demand.own.awardSent : words.awarded)
      return refreshOwnDemands()
    },
    onError: (error) => {
      if (maySendAgain(error)) return
      setConfirming(false)
      void refreshOwnDemands()
    },
  })
  const confirm = useThrottle(() => award.mutate(AwardInput.parse({ lines: withReasons(picks, reasons), loseReasons })))
  return (
    <div ref={reserveBarHeight} className="action-bar no-print">
      <div>
        <p className="row award-lines" {...(demand.items.length > 3 && { tabIndex: 0 })}>
          {demand.items.map((item) => (
            <span key={item.id} className="small soft">
              {text.demand.line(item.lineNo)}
              {colon(text)}
              {words.picked(chosenFor(item), item.qty)}
            </span>
          ))}
        </p>
        <p>
          {text.quote.cost.landedNet} <Term name="net" label={text.quote.cost.landedNet} />{' '}
          <strong className="num">{moneyOfFen(costOf(picks, offers))}</strong> {text.site.common.yuan}
        </p>
        <OverBudget demand={demand} quotes={compared.quotes} picks={picks} />
        {short && (
          <p className="small field-error" role="alert">
            {text.demand.line(demand.items.find(({ id }) => id === short.demandItemId)?.lineNo ?? 0)}
            {colon(text)}
            {words.shared}
          </p>
        )}
        {crowded && (
          <p className="small field-error" role="alert">
            {text.demand.line(crowded.lineNo)}
            {colon(text)}
            {words.tooMany}
          </p>
        )}
      </div>
      <button
        type="button"
        className="button button-primary"
        disabled={short !== undefined || crowded !== undefined}
        onClick={() => setConfirming(true)}
      >
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
        <p>{words.awardAsk(companies.size, machines, moneyOfFen(costOf(picks, offers)))}</p>
        {rest > 0 && <p>{words.awardRest(rest)}</p>}
        {picks.map((pick) => (
          <ReasonField
            key={pick.quoteLineId}
            label={`${text.demand.line(demand.items.find(({ id }) => id === pick.demandItemId)?.lineNo ?? 0)}${colon(text)}${lessorOf(compared, pick.quoteLineId)} ×${pick.qty}`}
            needed={needReason.includes(pick)}
            value={reasons[pick.quoteLineId] ?? ''}
            onChange={(reason) => onReason(pick.quoteLineId, reason)}
          />
        ))}
        <Losers losers={losers} reasonOf={reasonOf} onReasons={onLoseReasons} />
      </ConfirmDialog>
    </div>
  )
}

const losersOf = ({ quotes }: Compared, picks: readonly Pick[]) =>
  quotes.filter(
    (quote) => quote.status === quoteStatus.reviewing && !picks.some(({ quoteLineId }) => quote.lines.some(({ id }) => id === quoteLineId)),
  )

const openedOffers = ({ id, lines }: ComparedQuote) =>
  lines.map(({ id: quoteLineId, demandItemId, qty, netCost }) => ({ quoteLineId, quoteId: id, demandItemId, qty, netFen: fenOf(netCost) }))

const lessorOf = ({ quotes }: Compared, quoteLineId: number): string =>
  quotes.find((quote) => quote.lines.some(({ id }) => id === quoteLineId))?.companyName ?? ''

type ReasonProps = { label: string; needed: boolean; value: string; onChange: (reason: string) => void }

/** Why this offer is chosen; required where a cheaper one is passed over or the price is above its ceiling. */
function ReasonField({ label, needed, value, onChange }: ReasonProps) {
  const words = useText().quote.compare
  return (
    <TextField
      label={`${label} · ${words.awardReason}`}
      required={needed}
      maxLength={500}
      hint={needed ? words.awardReasonHint : undefined}
      value={value}
      onChange={onChange}
    />
  )
}

type LosersProps = {
  losers: readonly ComparedQuote[]
  reasonOf: (quote: ComparedQuote) => LoseReason
  onReasons: (reasons: Record<string, LoseReason>) => void
}

/** The lessors who win nothing, each with the reason that they will read; one select sets it for all of them. */
function Losers({ losers, reasonOf, onReasons }: LosersProps) {
  const text = useText()
  const words = text.quote.compare
  const [first] = losers
  const common = first && losers.every((quote) => reasonOf(quote) === reasonOf(first)) ? reasonOf(first) : ''
  const select = (label: string, value: LoseReason | '', onChange: (reason: LoseReason) => void) => (
    <select
      className="select lose-reason"
      aria-label={label}
      value={value}
      onChange={({ target }) => {
        const reason = allLoseReasons.find((one) => one === target.value)
        if (reason) onChange(reason)
      }}
    >
      {value === '' && <option value="">{text.site.common.choose}</option>}
      {allLoseReasons.map((reason) => (
        <option key={reason} value={reason}>
          {words.loseReasons[reason]}
        </option>
      ))}
    </select>
  )
  return (
    <>
      {losers.length > 1 && (
        <label className="row between">
          <strong className="small">{words.loseReasonAll}</strong>
          {select(words.loseReasonAll, common, (reason) => onReasons(Object.fromEntries(losers.map(({ id }) => [id, reason]))))}
        </label>
      )}
      {losers.map((quote) => (
        <label key={quote.id} className="row between">
          <span className="small">
            {quote.companyName} <Tag>{text.quote.status[quoteStatus.lost]}</Tag>
          </span>
          {select(`${quote.companyName}${colon(text)}${words.loseReason}`, reasonOf(quote), (reason) => onReasons({ [quote.id]: reason }))}
        </label>
      ))}
    </>
  )
}
