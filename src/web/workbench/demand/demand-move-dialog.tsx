import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { approveAward, rejectAward } from '#shared/award/contract.ts'
import { toMoment } from '#shared/calendar.ts'
import type { OwnDemand } from '#shared/demand/contract.ts'
import { approveDemand, cancelDemand, extendDemand, failDemand, rejectDemand } from '#shared/demand/moves.ts'
import { demandType, startsBeforeAward } from '#shared/demand/rules.ts'
import { openDemand } from '#shared/opening/contract.ts'
import { hasFewQuotes, isShort, lastChangeOf } from '#shared/demand/guards.ts'
import { call } from '../../app/api.ts'
import { isOutdated } from '../../app/outdated.ts'
import { ConfirmDialog } from '../../app/confirm-dialog.tsx'
import { DateField } from '../../app/date-field.tsx'
import { TextareaField } from '../../ui/form-fields.tsx'
import { useText } from '../../app/text.tsx'
import { toast } from '../../ui/toast.tsx'
import { useDialogDraft } from '../../app/use-dialog-draft.ts'
import { useForm } from '../../app/use-form.ts'
import { deadlinePresets } from './deadline-presets.ts'
import { refreshOwnDemands } from './own-demands.ts'

export type ConfirmedMove = 'approve' | 'reject' | 'extend' | 'open' | 'cancel' | 'fail' | 'awardApprove' | 'awardReject'

const schemas = {
  approve: approveDemand.body,
  reject: rejectDemand.body,
  extend: extendDemand.body,
  open: openDemand.body,
  cancel: cancelDemand.body,
  fail: failDemand.body,
  awardReject: rejectAward.body,
} as const

type DialogProps = {
  demand: OwnDemand
  pending: ConfirmedMove | null
  /** Gets the move whose dialog closes: while its call runs, that of another one may be opened, which stays. */
  onClose: (move: ConfirmedMove) => void
}

/** `version` and `requestId`: of the demand and its award as they were read. */
type Given = { version: number; requestId: number; quoteDeadline: string; reason: string }

/** `forgetTyped` forgets what was typed for this move, whichever is open by then. */
type Sent = { move: ConfirmedMove; given: Given; forgetTyped: () => void }

function sendMove(move: ConfirmedMove, id: number, { version, requestId, quoteDeadline, reason }: Given): Promise<unknown> {
  const params = { id }
  switch (move) {
    case 'approve':
      return call(approveDemand, { params, body: { version, quoteDeadline } })
    case 'reject':
      return call(rejectDemand, { params, body: { version, reason } })
    case 'extend':
      return call(extendDemand, { params, body: { quoteDeadline, reason } })
    case 'open':
      return call(openDemand, { params, body: { reason } })
    case 'cancel':
      return call(cancelDemand, { params, body: { reason } })
    case 'fail':
      return call(failDemand, { params, body: { reason } })
    case 'awardApprove':
      return call(approveAward, { params, body: { requestId } })
    case 'awardReject':
      return call(rejectAward, { params, body: { requestId, reason } })
  }
}

/** Confirms a move of a demand and takes the reason or the deadline that it needs. */
export function DemandMoveDialog({ demand, pending, onClose }: DialogProps) {
  const text = useText()
  const { own } = text.demand
  const [typed, setTyped, forget] = useDialogDraft(pending && `demand-${pending}-${demand.id}`, {
    reason: '',
    quoteDeadline: demand.quoteDeadline ?? '',
  })
  const { reason, quoteDeadline } = typed
  const form = useForm(pending && pending !== 'awardApprove' ? schemas[pending] : openDemand.body)
  const set = (change: Partial<typeof typed>) => {
    setTyped({ ...typed, ...change })
    for (const name of Object.keys(change)) form.clear(name)
  }
  const short = isShort(demand, toMoment(new Date()))
  const withTime = pending === 'extend' || pending === 'approve'
  const withReason =
    pending !== null &&
    (['reject', 'extend', 'cancel', 'fail', 'awardReject'].includes(pending) || (pending === 'open' && hasFewQuotes(demand)))
  const [opened, setOpened] = useState<ConfirmedMove | null>(null)
  const [{ version, requestId }, setRead] = useState({ version: 0, requestId: 0 })
  // Each dialog opens without the errors of the one before, and for the demand as the page shows it then.
  if (opened !== pending) {
    setOpened(pending)
    form.setErrors({})
    setRead({ version: demand.version, requestId: demand.awardRequest?.id ?? 0 })
  }

  const words: Record<ConfirmedMove, { title: string; question: string; done: string }> = {
    approve: { title: own.approve, question: own.approveAsk(demand.demandType === demandType.invited), done: own.approved },
    reject: { title: own.reject, question: own.rejectAsk, done: own.rejected },
    extend: { title: own.extend, question: own.extendAsk, done: own.extended },
    open: {
      title: short ? own.openShort : own.openNow,
      question: own.openAsk(demand.quoteCount, demand.minQuotes, {
        isToldShort: demand.isToldShort,
        isChanged: lastChangeOf(demand.events) !== null,
      }),
      done: own.opened,
    },
    cancel: { title: own.cancel, question: own.cancelAsk, done: own.cancelled },
    fail: { title: own.fail, question: own.failAsk, done: own.failed },
    awardApprove: { title: own.awardApprove, question: own.awardApproveAsk, done: text.quote.compare.awarded },
    awardReject: { title: own.awardReject, question: own.awardRejectAsk, done: own.rejected },
  }
  const act = useMutation({
    mutationFn: ({ move, given }: Sent) => sendMove(move, demand.id, given),
    onSuccess: (_, { move, forgetTyped }) => {
      forgetTyped()
      toast('success', words[move].done)
      onClose(move)
      return refreshOwnDemands()
    },
    onError: (error, { move }) => {
      // Another move may be open by now, whose fields are not those that were refused.
      if (move === pending) form.refused(error)
      if (!isOutdated(error)) return
      onClose(move)
      void refreshOwnDemands()
    },
  })
  const confirm = () => {
    if (!pending) return
    const given = { version, requestId, quoteDeadline, reason }
    if (pending !== 'awardApprove' && !form.check(given)) return
    act.mutate({ move: pending, given, forgetTyped: forget })
  }
  const isWarning =
    pending !== null && (['cancel', 'fail', 'reject', 'awardReject'].includes(pending) || (pending === 'open' && demand.quoteCount === 0))
  const { title, question } = pending ? words[pending] : { title: '', question: '' }
  return (
    <ConfirmDialog
      open={pending !== null}
      onClose={() => pending && onClose(pending)}
      title={title}
      kind={isWarning ? 'warning' : 'info'}
      action={title}
      busy={act.isPending}
      onConfirm={confirm}
    >
      <p>{question}</p>
      {withTime && (
        <DateField
          moment
          {...deadlinePresets(pending === 'extend' ? demand.quoteDeadline : null, toMoment(new Date()))}
          label={text.demand.deadline}
          hint={demand.items.some((item) => startsBeforeAward(item, quoteDeadline)) ? text.demand.form.startEarly : undefined}
          required
          value={quoteDeadline}
          onChange={(next) => set({ quoteDeadline: next })}
          error={form.errors.quoteDeadline}
        />
      )}
      {withReason && (
        <TextareaField
          label={own.reason}
          required
          value={reason}
          onChange={(next) => set({ reason: next })}
          maxLength={500}
          error={form.errors.reason}
        />
      )}
    </ConfirmDialog>
  )
}
