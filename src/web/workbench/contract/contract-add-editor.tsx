import { lazy, Suspense, useState } from 'react'
import { z } from 'zod'
import { dayOf } from '#shared/calendar.ts'
import { ChangeInput } from '#shared/contract/changes.ts'
import type { Contract } from '#shared/contract/contract.ts'
import { AddedPositions, listAddableMachines } from '#shared/contract/direct.ts'
import { call, type ApiError } from '../../app/api.ts'
import { FormBar } from '../../app/form-bar.tsx'
import { FormProblems } from '../../app/form-problems.tsx'
import { useText } from '../../app/text.tsx'
import { useFields } from '../../app/use-form.ts'
import { useContractDraft, useValuesDraft } from '../../app/use-local-draft.ts'
import { SubmitForm, TextareaField } from '../../ui/form-fields.tsx'
import { useAmendmentWords } from './amendment-words.ts'
import { ChangeHead, useLeaveSent } from './contract-change-head.tsx'
import { refreshContracts } from './contract-calls.ts'
import { nextLineNo, type ChangeInputBody } from './contract-change-form.ts'
import { likeContract, newDirectLine } from './direct-contract.ts'
import { DirectLines, useLinesForm } from './direct-lines.tsx'

const SendChangeDialog = lazy(async () => ({ default: (await import('./contract-change-send.tsx')).SendChangeDialog }))

const Lines = z.object({ lines: AddedPositions })
const Reason = ChangeInput.pick({ reason: true })

/** Writes an amendment that adds positions. It holds from the first day of the earliest of them. */
export function AddPositionsEditor({ contract }: { contract: Contract }) {
  const text = useText()
  const words = useAmendmentWords()
  const today = dayOf(new Date())
  const [ready, setReady] = useState<ChangeInputBody | null>(null)
  const reason = useFields(Reason, { reason: '' })
  const { form, machines, saving, taken } = useLinesForm({
    schema: Lines,
    initial: { ...likeContract(contract), lines: [newDirectLine()] },
    body: ({ lines }) => ({ lines: lines.map(({ ceilingReason: _, ...line }) => line) }),
    nameOf: (path) => path.replace('terms.added.', 'lines.').replace(/^fromDay$/, 'lines.0.planStart'),
    problems: ({ lines }) =>
      lines.flatMap(({ planStart }, index) => {
        const rule = planStart < today ? 'start_past' : planStart < (contract.since ?? '') ? 'before_version' : null
        return planStart && rule ? [{ field: `lines.${index}.planStart`, message: text.rule.codes[rule] ?? '' }] : []
      }),
    source: () => ({
      queryKey: [listAddableMachines.url, contract.id],
      queryFn: () => call(listAddableMachines, { params: { id: contract.id } }),
      enabled: true,
    }),
  })
  const local = useContractDraft(form, `contract-add-${contract.id}-${contract.revision}`)
  const localReason = useValuesDraft(`contract-add-reason-${contract.id}-${contract.revision}`, reason.values, reason.setValues, {
    quiet: true,
  })
  const check = saving(({ lines }) =>
    reason.submit(async (typed) => {
      const fromDay = lines.map(({ planStart }) => planStart).reduce((a, b) => (a < b ? a : b))
      setReady({ ...typed, fromDay, terms: { kind: 'quantity', lineIds: [], added: lines } })
      return Promise.resolve()
    }),
  )
  const leave = useLeaveSent(contract)
  const done = (sent: { waits: boolean }) => {
    local.done()
    localReason.done()
    return leave(sent)
  }
  const refused = (error: ApiError) => {
    setReady(null)
    if (taken(error)) return
    form.refused(error)
    if (error.fields.length === 0) void refreshContracts()
  }
  return (
    <>
      <SubmitForm onSubmit={() => void check()}>
        <ChangeHead contract={contract} title={words.add} hint={words.addHint} />
        <FormProblems />
        <DirectLines form={form} machines={machines} firstNo={nextLineNo(contract)} />
        <section className="panel stack">
          <TextareaField
            label={words.reason}
            hint={words.reasonHint}
            required
            maxLength={500}
            value={reason.values.reason}
            onChange={reason.set('reason')}
            error={reason.errors.reason}
          />
        </section>
        <FormBar draft={local} errors={form.errorCount}>
          <button type="submit" className="button button-primary" disabled={form.formState.isSubmitting}>
            {words.next}
          </button>
        </FormBar>
      </SubmitForm>
      {ready && (
        <Suspense>
          <SendChangeDialog
            contract={contract}
            input={ready}
            machines={machines.data ?? []}
            onClose={() => setReady(null)}
            onSent={done}
            onRefused={refused}
          />
        </Suspense>
      )}
    </>
  )
}
