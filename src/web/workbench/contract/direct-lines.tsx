import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useFieldArray, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { TakenMachine } from '#shared/contract/changes.ts'
import { createDirectContract, firstFreeDay, listDirectMachines, type DirectMachine } from '#shared/contract/direct.ts'
import { maxPositions } from '#shared/contract/rules.ts'
import type { FieldError } from '#shared/endpoint.ts'
import { ruleWords } from '#shared/text/validation.ts'
import { ApiError, call } from '../../app/api.ts'
import { useCallForm, type CallForm } from '../../app/call-form.ts'
import { UnloadedOptions } from '../../app/list-frame.tsx'
import { MarkedHeading } from '../../app/form-problems.tsx'
import { useText } from '../../app/text.tsx'
import { toast } from '../../ui/toast.tsx'
import { directInputOf, fitDirectLine, nameInDirectForm, newDirectLine, type DirectForm } from './direct-contract.ts'
import { DirectLineEditor } from './direct-line-editor.tsx'

type Lessor = Pick<DirectForm, 'lessor' | 'deptId'>
type Source = { queryKey: readonly unknown[]; queryFn: () => Promise<DirectMachine[]>; enabled: boolean }

/** The machines of the chosen lessor, as they stand towards the chosen project. */
const machinesOfLessor = ({ lessor, deptId }: Lessor): Source => {
  const companyId = lessor[0]?.value
  return {
    queryKey: [listDirectMachines.url, companyId, deptId],
    queryFn: () => call(listDirectMachines, { params: { companyId: companyId ?? 0 }, query: { deptId: deptId ?? 0 } }),
    enabled: companyId !== undefined && deptId !== null,
  }
}

/** The form of a contract that a unit writes down itself, with the machines to choose from. */
export const useDirectForm = (initial: DirectForm) =>
  useLinesForm({
    schema: createDirectContract.body,
    initial,
    body: directInputOf,
    nameOf: nameInDirectForm,
    source: machinesOfLessor,
  })

type LinesForm<S> = {
  schema: S
  initial: DirectForm
  body: (typed: DirectForm) => unknown
  nameOf: (path: string) => string
  problems?: (typed: DirectForm) => readonly FieldError[]
  /** Where the machines to choose from are read. */
  source: (typed: Lessor) => Source
}

/** A form of positions with their machines. `taken` shows a refusal beside the machine that is let on these days; it gives false for any other. */
export function useLinesForm<S extends z.ZodType>({ schema, initial, body, nameOf, problems = () => [], source }: LinesForm<S>) {
  const text = useText()
  const words = text.contract.pages.direct
  const cache = useQueryClient()
  const takenAt = (index: number, freeFrom: string | null): FieldError => ({
    field: `lines.${index}.equipmentId`,
    message: freeFrom === null ? ruleWords(text, 'machine_taken') : words.taken(freeFrom),
  })
  const form = useCallForm({
    schema,
    values: initial,
    body: (typed) => body({ ...typed, lines: typed.lines.map((line) => fitDirectLine(line)) }),
    nameOf,
    problems: (typed) => [
      ...problems(typed),
      ...typed.lines.flatMap((line, index) => {
        const freeFrom = freeFromOf(cache.getQueryData<DirectMachine[]>(source(typed).queryKey) ?? [], line)
        return freeFrom === undefined || freeFrom === line.planStart ? [] : [takenAt(index, freeFrom)]
      }),
    ],
  })
  const [lessor, deptId] = useWatch({ control: form.control, name: ['lessor', 'deptId'] })
  const machines = useQuery(source({ lessor, deptId }))
  const taken = (error: unknown): boolean => {
    const { data } = TakenMachine.safeParse(error instanceof ApiError ? error.data : undefined)
    if (data?.index === undefined) return false
    // Somebody has let the machine since the list was read.
    void machines.refetch()
    const { field, message } = takenAt(data.index, data.freeFrom)
    form.setError(field as `lines.${number}.equipmentId`, { type: 'server', message })
    return true
  }
  const saving = (save: (body: z.input<S>) => Promise<void>) =>
    form.submitting((body) =>
      save(body).catch((error: unknown) => {
        if (!taken(error)) throw error
      }),
    )
  return { form, machines, saving, taken }
}

/** From when the machine of a line is free; undefined while the machine or its days are not chosen. */
function freeFromOf(machines: readonly DirectMachine[], { equipmentId, qty, planStart, planEnd }: DirectForm['lines'][number]) {
  const machine = machines.find(({ id }) => id === equipmentId)
  const units = Number(qty)
  if (!machine || !planStart || planEnd <= planStart || !Number.isInteger(units) || units < 1 || units > machine.totalQty) return undefined
  return firstFreeDay(machine, { qty: units, planStart, planEnd })
}

/** The machines, which can be added and removed. A removed line can be restored. `firstNo`: the number of the first of them. */
export function DirectLines<B>({
  form,
  machines,
  firstNo = 1,
}: {
  form: CallForm<DirectForm, B>
  machines: UseQueryResult<DirectMachine[]>
  firstNo?: number
}) {
  const text = useText()
  const words = text.demand.form
  const { fields, append, insert, remove } = useFieldArray({ control: form.control, name: 'lines', keyName: 'key' })
  const removeLine = (index: number) => {
    const line = form.getValues(`lines.${index}`)
    remove(index)
    toast('info', words.removedLine, { label: words.undo, run: () => insert(index, line) })
  }
  const addLine = () => {
    const { planStart, planEnd } = form.getValues(`lines.${fields.length - 1}`)
    append(newDirectLine({ planStart, planEnd }), { shouldFocus: false })
  }
  return (
    <section className="panel stack">
      <MarkedHeading>{text.contract.pages.direct.lines}</MarkedHeading>
      {fields.map(({ key }, index) => (
        <DirectLineEditor
          key={key}
          form={form}
          index={index}
          lineNo={firstNo + index}
          machines={machines.data ?? []}
          onRemove={fields.length > 1 ? () => removeLine(index) : null}
        />
      ))}
      <UnloadedOptions queries={[machines]} />
      <p>
        <button type="button" className="button" disabled={fields.length >= maxPositions} onClick={addLine}>
          + {words.addLine}
        </button>
      </p>
    </section>
  )
}
