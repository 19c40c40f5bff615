import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { approveAward, rejectAward } from '#shared/award/contract.ts'
import { toMoment } from '#shared/calendar.ts'
import type { OwnDemand } from '#shared/demand/contract.ts'
import { approveDemand, cancelDemand, extendDemand, failDemand, rejectDemand } from '#shared/demand/moves.ts'
import { openDemand } from '#shared/opening/contract.ts'
import { isShort } from '#shared/demand/rules.ts'
import { call } from '../app/api.ts'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { MomentField, TextareaField } from '../ui/form-fields.tsx'
import { useText } from '../app/text.tsx'
import { toast } from '../ui/toast.tsx'
import { useForm } from '../app/use-form.ts'
import { refreshOwnDemands } from './own-demands.ts'

export type Asking = 'approve' | 'reject' | 'extend' | 'open' | 'cancel' | 'fail' | 'awardApprove' | 'awardReject'

const schemas = {
  approve: approveDemand.body,
  reject: rejectDemand.body,
  extend: extendDemand.body,
  open: openDemand.body,
  cancel: cancelDemand.body,
  fail: failDemand.body,
  awardReject: rejectAward.body,
} as const

/** Every decision about a demand asks once more: what it does, with a reason or a time where one is due. */
export function DemandMoveDialog({ demand, asking, onClose }: { demand: OwnDemand; asking: Asking | null; onClose: () => void }) {
  const text = useText()
  const { own } = text.demand
  const [reason, setReason] = useState('')
  const [quoteDeadline, setDeadline] = useState('')
  const form = useForm(asking && asking !== 'awardApprove' ? schemas[asking] : openDemand.body)
  const short = isShort(demand, toMoment(new Date()))
  const withTime = asking === 'extend' || asking === 'approve'
  const withReason =
    asking !== null && (['reject', 'extend', 'cancel', 'fail', 'awardReject'].includes(asking) || (asking === 'open' && short))
  const [opened, setOpened] = useState<Asking | null>(null)
  // A dialog opens with the state of the demand at that moment.
  if (opened !== asking) {
    setOpened(asking)
    setReason('')
    setDeadline(demand.quoteDeadline ?? '')
    form.setErrors({})
  }

  const words: Record<Asking, { title: string; ask: string; done: string }> = {
    approve: { title: own.approve, ask: own.approveAsk, done: own.approved },
    reject: { title: own.reject, ask: own.rejectAsk, done: own.rejected },
    extend: { title: own.extend, ask: own.extendAsk, done: own.extended },
    open: { title: short ? own.openShort : own.openNow, ask: own.openAsk, done: own.opened },
    cancel: { title: own.cancel, ask: own.cancelAsk, done: own.cancelled },
    fail: { title: own.fail, ask: own.failAsk, done: own.failed },
    awardApprove: { title: own.awardApprove, ask: own.awardApproveAsk, done: text.quote.compare.awarded },
    awardReject: { title: own.awardReject, ask: own.awardRejectAsk, done: own.rejected },
  }
  const act = useMutation({
    mutationFn: async (move: Asking): Promise<unknown> => {
      const params = { id: demand.id }
      switch (move) {
        case 'approve':
          return call(approveDemand, { params, body: { quoteDeadline } })
        case 'reject':
          return call(rejectDemand, { params, body: { reason } })
        case 'extend':
          return call(extendDemand, { params, body: { quoteDeadline, reason } })
        case 'open':
          return call(openDemand, { params, body: { reason } })
        case 'cancel':
          return call(cancelDemand, { params, body: { reason } })
        case 'fail':
          return call(failDemand, { params, body: { reason } })
        case 'awardApprove':
          return call(approveAward, { params })
        case 'awardReject':
          return call(rejectAward, { params, body: { reason } })
      }
    },
    onSuccess: (_, move) => {
      toast('success', words[move].done)
      onClose()
      return refreshOwnDemands()
    },
    onError: (error) => {
      form.refused(error)
      void refreshOwnDemands()
    },
  })
  const confirm = () => {
    if (!asking) return
    if (asking !== 'awardApprove' && !form.check({ reason, quoteDeadline })) return
    act.mutate(asking)
  }
  const { title, ask } = asking ? words[asking] : { title: '', ask: '' }
  return (
    <ConfirmDialog
      open={asking !== null}
      onClose={onClose}
      title={title}
      kind={asking && ['cancel', 'fail', 'reject', 'awardReject'].includes(asking) ? 'warning' : 'info'}
      action={title}
      busy={act.isPending}
      onConfirm={confirm}
    >
      <p>{ask}</p>
      {withTime && (
        <MomentField label={text.demand.deadline} required value={quoteDeadline} onChange={setDeadline} error={form.errors.quoteDeadline} />
      )}
      {withReason && (
        <TextareaField label={own.reason} required value={reason} onChange={setReason} maxLength={500} error={form.errors.reason} />
      )}
    </ConfirmDialog>
  )
}
