import { useMutation } from '@tanstack/react-query'
import { dayOf } from '#shared/calendar.ts'
import { addBlock, getOwnEquipment, removeBlock, type OwnMachine } from '#shared/equipment/own.ts'
import { blockReasons } from '#shared/equipment/rules.ts'
import { listOwnEquipment } from '#shared/equipment/contract.ts'
import { isOutdated } from '../../app/outdated.ts'
import { focusBeside } from '../../ui/focus-beside.ts'
import { DateField } from '../../app/date-field.tsx'
import { call } from '../../app/api.ts'
import { Period } from '../../app/period.tsx'
import { SelectField, SubmitForm, TextField } from '../../ui/form-fields.tsx'
import { invalidate } from '../../app/queries.ts'
import { useText } from '../../app/text.tsx'
import { repeatMs } from '../../ui/throttle.ts'
import { toast } from '../../ui/toast.tsx'
import { useDraftFields } from '../../app/use-draft-fields.ts'

/** The bookings of a machine. The owner adds and removes the days of repair and own use. */
export function MachineCalendar({ machine }: { machine: OwnMachine }) {
  const text = useText()
  const words = text.equipment.upload
  const blank = { from: dayOf(new Date()), to: '', reason: 'repair' as 'repair' | 'own' | 'reserved', note: '', qty: 1 }
  const form = useDraftFields(addBlock.body, blank, `block-${machine.id}`)
  const refresh = () => invalidate(getOwnEquipment, listOwnEquipment)
  const free = useMutation({
    mutationFn: (blockId: string) => call(removeBlock, { params: { id: machine.id, blockId } }),
    onSuccess: () => {
      toast('success', words.unblocked)
      return refresh()
    },
    onError: (error) => (isOutdated(error) ? refresh() : undefined),
  })
  const add = () =>
    form.submit(
      async (body) => {
        await call(addBlock, { params: { id: machine.id }, body })
        toast('success', words.blocked)
        await refresh()
      },
      {},
      refresh,
    )
  return (
    <section className="panel stack">
      <h2>{words.sections.calendar}</h2>
      {machine.blocks.length === 0 && <p className="soft">{words.free}</p>}
      <ul className="stack gap-6">
        {machine.blocks.map((block) => (
          <li key={`${block.blockId}${block.from}${block.to}${block.reason}`} className="row">
            <Period from={block.from} to={block.to} />
            <span>{text.equipment.own.booked[block.reason]}</span>
            {machine.isLot && <span className="num">×{block.qty}</span>}
            <span className="soft small">{block.note}</span>
            {block.blockId && (
              <button
                type="button"
                className="link"
                data-repeat-ms={repeatMs}
                onClick={({ currentTarget }) => {
                  focusBeside(currentTarget)
                  free.mutate(block.blockId ?? '')
                }}
              >
                {words.unblock}
              </button>
            )}
          </li>
        ))}
      </ul>
      <SubmitForm className="form-grid" onSubmit={() => void add()}>
        <DateField label={words.blockFrom} required value={form.values.from} onChange={form.set('from')} error={form.errors.from} />
        <DateField
          label={words.blockTo}
          required
          value={form.values.to}
          since={form.values.from}
          onChange={form.set('to')}
          error={form.errors.to}
        />
        <SelectField
          label={words.blockReason}
          value={form.values.reason}
          onChange={form.set('reason')}
          options={blockReasons.map((reason) => [reason, text.equipment.own.booked[reason] ?? reason])}
        />
        {machine.isLot && (
          <TextField
            label={words.fields.totalQty}
            inputMode="numeric"
            value={String(form.values.qty)}
            onChange={(qty) => form.set('qty')(Number(qty) || 0)}
            error={form.errors.qty}
          />
        )}
        <TextField label={words.blockNote} maxLength={200} value={form.values.note} onChange={form.set('note')} />
        <p className="span-all">
          <button type="submit" className="button" aria-disabled={form.busy}>
            {words.block}
          </button>
        </p>
      </SubmitForm>
    </section>
  )
}
