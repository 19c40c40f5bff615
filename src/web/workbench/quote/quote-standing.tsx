import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import {
  confirmQuote,
  getDemandForLessor,
  giveUpQuote,
  listDemandsForLessor,
  withdrawQuote,
  type OwnQuote,
} from '#shared/quote/contract.ts'
import { bindsTooShort, quoteStatus } from '#shared/quote/rules.ts'
import { call } from '../../app/api.ts'
import { copyText } from '../../app/copy-text.ts'
import { ConfirmDialog } from '../../app/confirm-dialog.tsx'
import { minute, money } from '../../app/format.ts'
import { isOutdated } from '../../app/outdated.ts'
import { invalidate } from '../../app/queries.ts'
import { useText } from '../../app/text.tsx'
import { useConfirm } from '../../app/use-confirm.tsx'
import { useDraftFields } from '../../app/use-draft-fields.ts'
import { TextareaField } from '../../ui/form-fields.tsx'
import { toast } from '../../ui/toast.tsx'

const refresh = () => invalidate(getDemandForLessor, listDemandsForLessor)

const done = (message: string) => {
  toast('success', message)
  return refresh()
}

/** The receipt of a submitted quote: its number, sum, validity and hash, and until the opening the actions on it. */
export function QuoteReceipt({
  quote,
  sum,
  sealed,
  editable,
  mayWithdraw,
  minValidUntil,
  lacksDeviation,
  demandRevision,
  isUninvited,
  onChange,
}: {
  quote: OwnQuote
  /** Invoiced for all lines, tax included, in yuan. */
  sum: string
  sealed: boolean
  editable: boolean
  mayWithdraw: boolean
  /** The day until which quotes of the demand must bind. */
  minValidUntil: string
  /** Whether a machine does not meet the demand any more, which the quote must name before it stands. */
  lacksDeviation: boolean
  /** The revision of the demand that the page shows. */
  demandRevision: number
  /** Whether the company cannot quote again once the quote is withdrawn. */
  isUninvited: boolean
  /** Undefined while the quote is being changed. */
  onChange: (() => void) | undefined
}) {
  const text = useText()
  const words = text.quote.form
  const isLive = quote.status === quoteStatus.quoted || quote.status === quoteStatus.toConfirm
  const title = isLive
    ? words.receiptTitle(sealed)
    : quote.status === quoteStatus.reviewing
      ? words.receiptOpened
      : text.quote.status[quote.status]
  return (
    <section className="panel receipt-panel stack" aria-label={words.receipt}>
      <div className="row between">
        <h2>{title}</h2>
        {(editable || mayWithdraw) && (
          <p className="row no-print">
            {editable && onChange && (
              <button type="button" className="button button-primary" onClick={onChange}>
                {words.change}
              </button>
            )}
            {mayWithdraw && <WithdrawQuote quote={quote} isUninvited={isUninvited} />}
          </p>
        )}
      </div>
      <dl className="facts">
        <div className="whole">
          <dt>{text.quote.export.columns.quoteCode}</dt>
          <dd className="num">{quote.quoteCode}</dd>
        </div>
        <div>
          <dt>{words.total}</dt>
          <dd>
            <strong className="num">{money(sum, true)}</strong> {text.site.common.yuan}
          </dd>
        </div>
        <div>
          <dt>{words.validUntil}</dt>
          <dd className="num">{quote.validUntil}</dd>
        </div>
        <div>
          <dt>{text.quote.export.columns.submitTime}</dt>
          <dd className="num">{minute(quote.submitTime)}</dd>
        </div>
      </dl>
      <div>
        <p className="small">
          {words.receipt} <span className="faint">{words.receiptHint}</span>{' '}
          <button type="button" className="link no-print" onClick={() => void copyText(quote.sealHash, words)}>
            {words.copy}
          </button>
        </p>
        <p className="hash">{quote.sealHash}</p>
      </div>
      {quote.status === quoteStatus.toConfirm &&
        editable &&
        (bindsTooShort(quote, minValidUntil) || lacksDeviation ? (
          <p className="notice notice-warn" role="status">
            {lacksDeviation ? words.nameDeviation : words.bindLonger(minValidUntil)}
          </p>
        ) : (
          <ConfirmUnchanged quote={quote} demandRevision={demandRevision} />
        ))}
    </section>
  )
}

/** Stands by the quote after the demand was amended. */
function ConfirmUnchanged({ quote, demandRevision }: { quote: OwnQuote; demandRevision: number }) {
  const words = useText().quote.form
  const confirm = useMutation({
    mutationFn: () => call(confirmQuote, { params: { id: quote.id }, body: { version: quote.version, demandRevision } }),
    onSuccess: () => done(words.confirmed),
    onError: (error) => (isOutdated(error) ? refresh() : undefined),
  })
  return (
    <div className="notice notice-warn row between" role="status">
      <span>{words.confirmHint}</span>
      <button
        type="button"
        className="button button-primary button-small"
        aria-disabled={confirm.isPending}
        onClick={() => confirm.mutate()}
      >
        {words.confirm}
      </button>
    </div>
  )
}

/** Gives an award up with a reason, until a moment, or without blame where there is none. */
export function GiveUp({ quoteId, until }: { quoteId: number; until: string | null }) {
  const text = useText()
  const words = text.quote.form
  const [isConfirming, setConfirming] = useState(false)
  const form = useDraftFields(giveUpQuote.body, { reason: '' }, `give-up-${quoteId}`)
  const outdated = () => {
    setConfirming(false)
    void refresh()
  }
  const send = async (body: { reason: string }) => {
    await call(giveUpQuote, { params: { id: quoteId }, body })
    setConfirming(false)
    await done(words.givenUp)
  }
  return (
    <p className="no-print">
      <button type="button" className="link" onClick={() => setConfirming(true)}>
        {words.giveUp}
      </button>
      <ConfirmDialog
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={words.giveUp}
        action={words.giveUp}
        busy={form.busy}
        onConfirm={() => void form.submit(send, {}, outdated)}
      >
        <p>{until === null ? words.leaveAsk : words.giveUpAsk(minute(until))}</p>
        <TextareaField
          label={text.demand.own.reason}
          required
          maxLength={500}
          value={form.values.reason}
          onChange={form.set('reason')}
          error={form.errors.reason}
        />
      </ConfirmDialog>
    </p>
  )
}

/** Withdraws the quote before the deadline. */
function WithdrawQuote({ quote, isUninvited }: { quote: OwnQuote; isUninvited: boolean }) {
  const words = useText().quote.form
  const { confirm, dialog } = useConfirm(getDemandForLessor, listDemandsForLessor)
  const withdraw = () =>
    confirm({
      title: words.withdraw,
      question: isUninvited ? words.withdrawAskUninvited : words.withdrawAsk,
      run: () => call(withdrawQuote, { params: { id: quote.id } }),
      done: () => words.withdrawn,
    })
  return (
    <>
      <button type="button" className="button button-danger" onClick={withdraw}>
        {words.withdraw}
      </button>
      {dialog}
    </>
  )
}
