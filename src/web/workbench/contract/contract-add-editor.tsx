import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { dayOf } from '#shared/calendar.ts'
import { ChangeInput } from '#shared/contract/changes.ts'
import type { Contract } from '#shared/contract/contract.ts'
import { AddedPositions, listAddableMachines } from '#shared/contract/direct.ts'
import { paths } from '#shared/paths.ts'
import { call, type ApiError } from '../../app/api.ts'
import { FormBar } from '../../app/form-bar.tsx'
import { FormProblems } from '../../app/form-problems.tsx'
import { useSiteName } from '../../app/site.ts'
import { useText } from '../../app/text.tsx'
import { useFields } from '../../app/use-form.ts'
import { useContractDraft, useValuesDraft } from '../../app/use-local-draft.ts'
import { SubmitForm, TextareaField } from '../../ui/form-fields.tsx'
import { Link } from '../../ui/link.tsx'
import { Head } from '../../ui/parts.tsx'
import { toast } from '../../ui/toast.tsx'
import { useAmendmentWords } from './amendment-words.ts'
import { refreshContracts } from './contract-calls.ts'
import type { ChangeInputBody } from './contract-change-form.ts'
import { likeContract, newDirectLine } from './direct-contract.ts'
import { DirectLines, useLinesForm } from './direct-lines.tsx'

const SendChangeDialog = lazy(async () => ({ default: (await import('./contract-change-send.tsx')).SendChangeDialog }))

const Lines = z.object({ lines: AddedPositions })
const Reason = ChangeInput.pick({ reason: true })

/** Writes an amendment that adds positions. It holds from the first day of the earliest of them. */
export function AddPositionsEditor({ contract }: { contract: Contract }) {
  const text = useText()
  const words = useAmendmentWords()
  const site = useSiteName()
  const navigate = useNavigate()
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
  const done = async ({ waits }: { waits: boolean }) => {
    local.done()
    localReason.done()
    toast('success', waits ? words.sentToUnit : words.sent)
    // The page of the contract first: this one is locked as soon as it hears of the amendment.
    await navigate(paths.contract(contract.id, 'changes'))
    await refreshContracts()
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
        <Head title={words.add} site={site} index={false} />
        <nav className="small" aria-label={text.site.common.breadcrumb}>
          <Link to={paths.contracts()}>{text.contract.title}</Link> / <Link to={paths.contract(contract.id)}>{contract.contractCode}</Link>{' '}
          / <Link to={paths.changeContract(contract.id)}>{text.contract.action.change}</Link>
        </nav>
        <header>
          <h1>{words.add}</h1>
          <p className="small soft">
            {contract.title} · {contract.lessor.companyName}
          </p>
          <p>{words.addHint}</p>
        </header>
        <FormProblems />
        <DirectLines form={form} machines={machines} />
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
