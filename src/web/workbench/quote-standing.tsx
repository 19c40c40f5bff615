import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { toMoment } from '#shared/calendar.ts'
import {
  confirmQuote,
  getDemandForLessor,
  giveUpQuote,
  listDemandsForLessor,
  withdrawQuote,
  type OwnQuote,
} from '#shared/quote/contract.ts'
import { quoteStatus } from '#shared/quote/rules.ts'
import { call } from '../app/api.ts'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { invalidate } from '../app/queries.ts'
import { useText } from '../app/text.tsx'
import { useFields } from '../app/use-form.ts'
import { TextareaField } from '../ui/form-fields.tsx'
import { toast } from '../ui/toast.tsx'

const done = (message: string) => {
  toast('success', message)
  return invalidate(getDemandForLessor, listDemandsForLessor)
}

/** The receipt of a submitted quote, its state and the actions of that state. */
export function QuoteStanding({ quote, editable }: { quote: OwnQuote; editable: boolean }) {
  const words = useText().quote.form
  const confirm = useMutation({
    mutationFn: () => call(confirmQuote, { params: { id: quote.id }, body: { version: quote.version } }),
    onSuccess: () => done(words.confirmed),
  })
  return (
    <>
      <div className="notice">
        <p>
          <span className="num">{quote.quoteCode}</span> · <span className="num">{quote.submitTime}</span>
        </p>
        <p className="small">
          {words.receipt} <span className="faint">{words.receiptHint}</span>
        </p>
        <p className="hash">{quote.sealHash}</p>
      </div>
      {quote.status === quoteStatus.toConfirm && editable && (
        <div className="notice notice-warn row between" role="status">
          <span>{words.confirmHint}</span>
          <button
            type="button"
            className="button button-primary button-small"
            disabled={confirm.isPending}
            onClick={() => confirm.mutate()}
          >
            {words.confirm}
          </button>
        </div>
      )}
      {quote.status === quoteStatus.won && quote.giveUpUntil && quote.giveUpUntil > toMoment(new Date()) && (
        <GiveUp quoteId={quote.id} until={quote.giveUpUntil} />
      )}
    </>
  )
}

/** Gives up an award, with a reason. */
function GiveUp({ quoteId, until }: { quoteId: number; until: string }) {
  const text = useText()
  const words = text.quote.form
  const [isConfirming, setConfirming] = useState(false)
  const form = useFields(giveUpQuote.body, { reason: '' })
  const send = async (body: { reason: string }) => {
    await call(giveUpQuote, { params: { id: quoteId }, body })
    setConfirming(false)
    await done(words.givenUp)
  }
  return (
    <p>
      <button type="button" className="button button-danger button-small" onClick={() => setConfirming(true)}>
        {words.giveUp}
      </button>
      <ConfirmDialog
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={words.giveUp}
        action={words.giveUp}
        busy={form.busy}
        onConfirm={() => void form.submit(send)}
      >
        <p>{words.giveUpAsk(until.slice(0, 16))}</p>
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
export function WithdrawQuote({ quote }: { quote: OwnQuote }) {
  const words = useText().quote.form
  const [isConfirming, setConfirming] = useState(false)
  const withdraw = useMutation({
    mutationFn: () => call(withdrawQuote, { params: { id: quote.id } }),
    onSuccess: () => {
      setConfirming(false)
      return done(words.withdrawn)
    },
  })
  return (
    <>
      <button type="button" className="button button-danger" onClick={() => setConfirming(true)}>
        {words.withdraw}
      </button>
      <ConfirmDialog
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={words.withdraw}
        action={words.withdraw}
        busy={withdraw.isPending}
        onConfirm={() => withdraw.mutate()}
      >
        <p>{words.withdrawAsk}</p>
      </ConfirmDialog>
    </>
  )
}
