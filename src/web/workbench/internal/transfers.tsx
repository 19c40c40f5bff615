import { useState } from 'react'
import { useSearchParams } from 'react-router'
import {
  agreeTransfer,
  listInternal,
  listTransfers,
  receiveTransfer,
  refuseTransfer,
  withdrawTransfer,
  type Transfer,
} from '#shared/internal/contract.ts'
import { transferSides, type TransferSide, transferStatus, transferTodos } from '#shared/internal/rules.ts'
import { paths } from '#shared/paths.ts'
import { nameIn } from '#shared/text/name-in.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { call } from '../../app/api.ts'
import { ConfirmDialog } from '../../app/confirm-dialog.tsx'
import { colon } from '../../app/colon.ts'
import { money } from '../../app/format.ts'
import { ListBody, ListTotal, LazyOtherProject, useList } from '../../app/list-frame.tsx'
import { MoneyField } from '../../app/money-field.tsx'
import { Period } from '../../app/period.tsx'
import { invalidate } from '../../app/queries.ts'
import { useText } from '../../app/text.tsx'
import { TodoChip } from '../../app/todo-chip.tsx'
import { useConfirm } from '../../app/use-confirm.tsx'
import { useDraftFields } from '../../app/use-draft-fields.ts'
import { SelectField, TextareaField } from '../../ui/form-fields.tsx'
import { Link } from '../../ui/link.tsx'
import { Tag, type Tone } from '../../ui/parts.tsx'
import { toast } from '../../ui/toast.tsx'

const pageSize = 10
const transferTone: Record<Transfer['status'], Tone> = {
  [transferStatus.asked]: 'warn',
  [transferStatus.agreed]: 'amber',
  [transferStatus.received]: 'good',
  [transferStatus.refused]: 'bad',
  [transferStatus.withdrawn]: 'plain',
}

const machineOf = (text: Text, { machineName, machineNameEn }: Transfer) => nameIn(text, machineName, machineNameEn)

/** The transfers of the own units, with the moves that each waits for. */
export function Transfers() {
  const text = useText()
  const words = text.internal
  const [answering, setAnswering] = useState<Answering | null>(null)
  const { confirm, dialog } = useConfirm(listInternal, listTransfers)
  const list = useList(listTransfers, pageSize)
  const [params] = useSearchParams()
  const move = (transfer: Transfer, last: 'receive' | 'withdraw') =>
    confirm({
      title: words[last],
      question: { receive: words.receiveAsk, withdraw: words.withdrawAsk }[last],
      subject: machineOf(text, transfer),
      harmless: last === 'receive',
      run: () => call(last === 'receive' ? receiveTransfer : withdrawTransfer, { params: { id: transfer.id } }),
      done: () => ({ receive: words.received, withdraw: words.withdrawn })[last],
    })
  return (
    <>
      <LazyOtherProject list />
      <TodoChip kind={transferTodos.find((todo) => todo === params.get('todo'))} />
      <p>
        <ListTotal list={list} />
      </p>
      <ListBody list={list} empty={words.emptyTransfers} pageSize={pageSize}>
        {(transfers) => (
          <ul className="stack">
            {transfers.map((transfer) => (
              <TransferItem
                key={transfer.id}
                transfer={transfer}
                onAnswer={(answer) => setAnswering({ transfer, answer })}
                onMove={(last) => move(transfer, last)}
              />
            ))}
          </ul>
        )}
      </ListBody>
      {answering && (
        <AnswerDialog
          key={`${answering.answer}-${answering.transfer.id}`}
          {...answering}
          // While a call runs, its dialog may be closed and another one opened, which stays.
          onClose={() => setAnswering((now) => (now === answering ? null : now))}
        />
      )}
      {dialog}
    </>
  )
}

type Answering = { transfer: Transfer; answer: 'agree' | 'refuse' }

const blankAnswer: { transportBy: TransferSide; transport: string; reason: string } = { transportBy: 'to', transport: '', reason: '' }

/** The releasing unit agrees and says who pays the transport, or refuses with a reason. */
function AnswerDialog({ transfer, answer, onClose }: Answering & { onClose: () => void }) {
  const text = useText()
  const words = text.internal
  const refuses = answer === 'refuse'
  const schema = refuses ? refuseTransfer.body : agreeTransfer.body
  const form = useDraftFields(schema, blankAnswer, `transfer-${answer}-${transfer.id}`)
  const { values, set, errors } = form
  const { transportBy, reason } = values
  const transport = values.transport || 0
  const closeAndRefetch = () => {
    onClose()
    return invalidate(listInternal, listTransfers)
  }
  const send = async () => {
    const params = { id: transfer.id }
    if (refuses) await call(refuseTransfer, { params, body: { reason } })
    else await call(agreeTransfer, { params, body: { transportBy, transport } })
    toast('success', refuses ? words.refused : words.agreed)
    await closeAndRefetch()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words[answer]}
      kind={refuses ? 'warning' : 'info'}
      action={words[answer]}
      busy={form.busy}
      onConfirm={() => void form.submit(send, { transport }, closeAndRefetch)}
    >
      <p>{machineOf(text, transfer)}</p>
      {refuses ? (
        <TextareaField label={words.reason} required maxLength={500} value={reason} onChange={set('reason')} error={errors.reason} />
      ) : (
        <>
          <SelectField
            label={words.transportBy}
            value={transportBy}
            onChange={set('transportBy')}
            options={transferSides.map((side) => [side, words.sides[side]])}
          />
          <MoneyField label={words.transport} value={values.transport} onChange={set('transport')} error={errors.transport} />
        </>
      )}
    </ConfirmDialog>
  )
}

/** One transfer with the moves that the person may make. Agreeing and refusing ask for details; the other moves are final and are asked about. */
export function TransferItem({
  transfer,
  onAnswer,
  onMove,
}: {
  transfer: Transfer
  onAnswer: (answer: 'agree' | 'refuse') => void
  onMove: (move: 'receive' | 'withdraw') => void
}) {
  const text = useText()
  const words = text.internal
  return (
    <li className="panel row between">
      <div>
        <p className="row">
          <strong>{machineOf(text, transfer)}</strong>
          <Tag tone={transferTone[transfer.status]}>{words.status[transfer.status]}</Tag>
        </p>
        <p className="small soft">
          <span className="num">{transfer.transferCode}</span> · {transfer.fromDeptName} → {transfer.toDeptName} ·{' '}
          <Period from={transfer.from} to={transfer.to} /> ·{' '}
          {transfer.innerPrice === null ? words.free : `${money(transfer.innerPrice)} ${text.equipment.unit.M}`}
          {Number(transfer.transport) > 0 && ` · ${words.transportPaid[transfer.transportBy](money(transfer.transport))}`}
        </p>
        {transfer.reason && (
          <p className="small">
            {words.reason}
            {colon(text)}
            {transfer.reason}
          </p>
        )}
        {transfer.demandId !== null && (
          <p className="small">
            <Link to={paths.ownDemand(transfer.demandId)}>{transfer.note}</Link>
          </p>
        )}
        {transfer.demandId === null && transfer.note && (
          <p className="small pre-line">
            {words.note}
            {colon(text)}
            {transfer.note}
          </p>
        )}
      </div>
      <p className="row">
        {transfer.may.agree && (
          <>
            <button type="button" className="button button-small button-primary" onClick={() => onAnswer('agree')}>
              {words.agree}
            </button>
            <button type="button" className="button button-small button-danger" onClick={() => onAnswer('refuse')}>
              {words.refuse}
            </button>
          </>
        )}
        {transfer.may.receive && (
          <button type="button" className="button button-small button-primary" onClick={() => onMove('receive')}>
            {words.receive}
          </button>
        )}
        {transfer.may.withdraw && (
          <button type="button" className="button button-small" onClick={() => onMove('withdraw')}>
            {words.withdraw}
          </button>
        )}
      </p>
    </li>
  )
}
