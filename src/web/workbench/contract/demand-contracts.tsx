import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { AwardContracts } from '#shared/award/award-contracts.ts'
import { toMoment } from '#shared/calendar.ts'
import { draftContracts, moveContractDue } from '#shared/contract/moves.ts'
import { contractStatus, lapseDays } from '#shared/contract/rules.ts'
import type { OwnDemand } from '#shared/demand/contract.ts'
import { paths } from '#shared/paths.ts'
import { call } from '../../app/api.ts'
import { ConfirmDialog } from '../../app/confirm-dialog.tsx'
import { minute } from '../../app/format.ts'
import { mayIn, useSession } from '../../app/session.ts'
import { useText } from '../../app/text.tsx'
import { useDraftFields } from '../../app/use-draft-fields.ts'
import { TextareaField, TextField } from '../../ui/form-fields.tsx'
import { Link } from '../../ui/link.tsx'
import { Tag } from '../../ui/parts.tsx'
import { toast } from '../../ui/toast.tsx'
import { contractTone } from '../../contract/contract-tone.ts'
import { closeOutdated, refreshContracts, refreshRefused } from './contract-calls.ts'

/** Whether the lessor waits for their contract. */
export const isUnsent = ({ contract }: AwardContracts['lessors'][number]) => contract === null || contract.status === contractStatus.draft

/** The contracts that the award waits for: made now instead of by the clock, given more time once, and a link to each. */
export function DemandContracts({ demand: { id, contracts } }: { demand: OwnDemand }) {
  const text = useText()
  const words = text.contract.pages.award
  const session = useSession()
  const [isMoving, setMoving] = useState(false)
  const draft = useMutation({
    mutationFn: () => call(draftContracts, { params: { id } }),
    onSuccess: ({ ids }) => {
      toast('success', words.drafted(ids.length))
      return refreshContracts()
    },
    onError: refreshRefused,
  })
  if (!contracts || contracts.lessors.length === 0) return null
  const { due, isDueMoved, lessors } = contracts
  const mayEdit = mayIn(session, 'contract:make')
  const waits = lessors.some(isUnsent)
  return (
    <section className="panel stack">
      <div className="row between">
        <h2>{words.title}</h2>
        {mayEdit && (
          <p className="row no-print">
            {lessors.some(({ contract }) => contract === null) && (
              <button type="button" className="button button-primary" aria-disabled={draft.isPending} onClick={() => draft.mutate()}>
                {words.draft}
              </button>
            )}
            {waits && !isDueMoved && due !== null && due > toMoment(new Date()) && (
              <button type="button" className="button" onClick={() => setMoving(true)}>
                {words.move}
              </button>
            )}
          </p>
        )}
      </div>
      {waits && due === null && <p className="soft">{words.neverDue}</p>}
      <ul className="stack">
        {lessors.map((lessor) => {
          const { companyId, companyName, acceptedAt, contract, lapsesAt } = lessor
          const lapse = isUnsent(lessor) ? words.due : text.contract.pages.lapsesAt
          return (
            <li key={companyId} className="row between">
              <span>
                <strong>{companyName}</strong>
                <span className="small soft block">
                  {acceptedAt ? words.accepted(minute(acceptedAt)) : contract ? words.notAccepted : words.waiting}
                </span>
                {lapsesAt && <span className="small soft block">{lapse(minute(lapsesAt))}</span>}
              </span>
              {contract ? (
                <span className="row">
                  <Tag tone={contractTone[contract.status]}>{text.contract.status[contract.status]}</Tag>
                  <Link to={paths.contract(contract.id)}>{words.open(contract.contractCode)}</Link>
                </span>
              ) : (
                <span className="soft">{words.none}</span>
              )}
            </li>
          )
        })}
      </ul>
      {isMoving && <MoveDue demandId={id} onClose={() => setMoving(false)} />}
    </section>
  )
}

function MoveDue({ demandId, onClose }: { demandId: number; onClose: () => void }) {
  const text = useText()
  const words = text.contract.pages.award
  const form = useDraftFields(moveContractDue.body, { days: '7', reason: '' }, `contract-due-${demandId}`)
  const days = form.values.days.trim() === '' ? Number.NaN : Number(form.values.days)
  const send = async (body: { days: number; reason: string }) => {
    const { contractDue } = await call(moveContractDue, { params: { id: demandId }, body })
    toast('success', words.moved(minute(contractDue)))
    onClose()
    await refreshContracts()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.move}
      kind="info"
      action={words.move}
      busy={form.busy}
      onConfirm={() => void form.submit(send, { days }, () => closeOutdated(onClose))}
    >
      <p>{words.moveAsk}</p>
      <TextField
        label={words.days}
        required
        type="number"
        numeric
        min="1"
        max={String(lapseDays.extension)}
        value={form.values.days}
        onChange={form.set('days')}
        error={form.errors.days}
      />
      <TextareaField
        label={text.contract.pages.reason}
        required
        maxLength={500}
        value={form.values.reason}
        onChange={form.set('reason')}
        error={form.errors.reason}
      />
    </ConfirmDialog>
  )
}
