import { lazy, Suspense, useState } from 'react'
import { z } from 'zod'
import { dayOf } from '#shared/calendar.ts'
import { ChangeInput } from '#shared/contract/changes.ts'
import type { Contract } from '#shared/contract/contract.ts'
import { AddedPositions, listAddableMachines } from '#shared/contract/direct.ts'
import { call, type ApiError } from '../../app/api.ts'
import { FormBar } from '../../app/form-bar.tsx'
import { FormProblems } from '../../app/form-problems.tsx'
import { readForm } from '../../app/form-values.ts'
import { AreaField } from '../../app/form.tsx'
import { useText } from '../../app/text.tsx'
import { useCallDraft } from '../../app/use-local-draft.ts'
import { SubmitForm } from '../../ui/form-fields.tsx'
import { useAmendmentWords } from './amendment-words.ts'
import { ChangeHead, useLeaveSent } from './contract-change-head.tsx'
import { refreshContracts } from './contract-calls.ts'
import { additionOf, additionProblems, fieldOfAddition } from './contract-addition.ts'
import type { ChangeInputBody } from './contract-change-form.ts'
import { nextLineNo } from './contract-line.ts'
import { fitDirectLine, likeContract, newDirectLine, type DirectForm } from './direct-contract.ts'
import { DirectLines, useLinesForm } from './direct-lines.tsx'

const SendChangeDialog = lazy(async () => ({ default: (await import('./contract-change-send.tsx')).SendChangeDialog }))

const Additions = z.object({ lines: AddedPositions, reason: ChangeInput.shape.reason })

/** Writes an amendment that adds positions. */
export function AddPositionsEditor({ contract }: { contract: Contract }) {
  const text = useText()
  const words = useAmendmentWords()
  const today = dayOf(new Date())
  /** What is shown before it is sent, and what was typed for it. */
  const [ready, setReady] = useState<{ input: ChangeInputBody; typed: DirectForm } | null>(null)
  const { form, machines, saving, taken } = useLinesForm({
    schema: Additions,
    initial: { ...likeContract(contract), lines: [newDirectLine()] },
    body: ({ lines, reason }) => ({ reason, lines: lines.map(({ ceilingReason: _, ...line }) => line) }),
    nameOf: fieldOfAddition,
    problems: ({ lines }) => {
      const { data: added } = AddedPositions.safeParse(readForm(AddedPositions, lines.map(fitDirectLine)))
      return added ? additionProblems(contract, added, { text, today }) : []
    },
    source: () => ({
      queryKey: [listAddableMachines.url, contract.id],
      queryFn: () => call(listAddableMachines, { params: { id: contract.id } }),
      enabled: true,
    }),
  })
  const local = useCallDraft(form, `contract-add-${contract.id}`, { version: String(contract.revision) })
  const check = saving((additions) => {
    setReady({ input: additionOf(contract, additions, today), typed: structuredClone(form.getValues()) })
    return Promise.resolve()
  })
  const leave = useLeaveSent(contract)
  const done = (sent: { waits: boolean }) => {
    // While it was sent, its dialog may have been closed and more typed, which stays a draft.
    if (ready) local.saved(ready.typed)
    return leave(sent)
  }
  const refused = (error: ApiError) => {
    setReady((now) => (now === ready ? null : now))
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
          <AreaField form={form} name="reason" label={words.reason} hint={words.reasonHint} required maxLength={500} className="span-all" />
        </section>
        <FormBar draft={local} errors={form.errorCount}>
          <button type="submit" className="button button-primary" aria-disabled={form.formState.isSubmitting}>
            {words.next}
          </button>
        </FormBar>
      </SubmitForm>
      {ready && (
        <Suspense>
          <SendChangeDialog
            contract={contract}
            input={ready.input}
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
