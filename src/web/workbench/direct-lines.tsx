import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useFieldArray, useWatch } from 'react-hook-form'
import { createDirectContract, firstFreeDay, listDirectMachines, type DirectMachine } from '#shared/contract/direct.ts'
import { maxPositions } from '#shared/contract/rules.ts'
import type { FieldError } from '#shared/endpoint.ts'
import { ApiError, call } from '../app/api.ts'
import { useContractForm } from '../app/contract-form.ts'
import { invalidate } from '../app/queries.ts'
import { useText } from '../app/text.tsx'
import { toast } from '../ui/toast.tsx'
import {
  directInputOf,
  nameInDirectForm,
  newDirectLine,
  type DirectBody,
  type DirectForm,
  type DirectFormState,
} from './direct-contract.ts'
import { DirectLineEditor } from './direct-line-editor.tsx'

/** The form of a contract that a unit writes down itself, with the machines to choose from. `saving` shows beside a machine that it is let on these days. */
export function useDirectForm(initial: DirectForm) {
  const text = useText()
  const words = text.contract.pages.direct
  const cache = useQueryClient()
  const takenAt = (index: number, freeFrom: string | null): FieldError => ({
    field: `lines.${index}.equipmentId`,
    message: freeFrom === null ? (text.rule.codes.machine_taken ?? '') : words.taken(freeFrom),
  })
  const form: DirectFormState = useContractForm({
    schema: createDirectContract.body,
    values: initial,
    body: directInputOf,
    nameOf: nameInDirectForm,
    problems: (typed) =>
      typed.lines.flatMap((line, index) => {
        const freeFrom = freeFromOf(cache.getQueryData<DirectMachine[]>(machinesKey(typed)) ?? [], line)
        return freeFrom === undefined || freeFrom === line.planStart ? [] : [takenAt(index, freeFrom)]
      }),
  })
  const machines = useMachines(form)
  const saving = (save: (body: DirectBody) => Promise<void>) =>
    form.submitting(async (body) => {
      try {
        await save(body)
      } catch (error) {
        const { index, freeFrom = null } = (error instanceof ApiError && (error.data as { index?: number; freeFrom?: string } | null)) || {}
        if (index === undefined) throw error
        // Somebody has let the machine since the list was read.
        void invalidate(listDirectMachines)
        const { field, message } = takenAt(index, freeFrom)
        form.setError(field as `lines.${number}.equipmentId`, { type: 'server', message })
      }
    })
  return { form, machines, saving }
}

/** From when the machine of a line is free; undefined while the machine or its days are not chosen. */
function freeFromOf(machines: readonly DirectMachine[], { equipmentId, qty, planStart, planEnd }: DirectForm['lines'][number]) {
  const machine = machines.find(({ id }) => id === equipmentId)
  const units = Number(qty)
  if (!machine || !planStart || planEnd <= planStart || !Number.isInteger(units) || units < 1 || units > machine.totalQty) return undefined
  return firstFreeDay(machine, { qty: units, planStart, planEnd })
}

const machinesKey = ({ lessor, deptId }: Pick<DirectForm, 'lessor' | 'deptId'>) => [listDirectMachines.url, lessor[0]?.value, deptId]

/** The machines of the chosen lessor, as they stand towards the chosen project. */
function useMachines(form: DirectFormState) {
  const [lessor, deptId] = useWatch({ control: form.control, name: ['lessor', 'deptId'] })
  const companyId = lessor[0]?.value
  return useQuery({
    queryKey: machinesKey({ lessor, deptId }),
    queryFn: () => call(listDirectMachines, { params: { companyId: companyId ?? 0 }, query: { deptId: deptId ?? 0 } }),
    enabled: companyId !== undefined && deptId !== null,
  })
}

/** The machines, which can be added and removed. A removed line can be restored. */
export function DirectLines({ form, machines }: { form: DirectFormState; machines: readonly DirectMachine[] }) {
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
      <h2>{text.contract.pages.direct.lines}</h2>
      {fields.map(({ key }, index) => (
        <DirectLineEditor
          key={key}
          form={form}
          index={index}
          machines={machines}
          onRemove={fields.length > 1 ? () => removeLine(index) : null}
        />
      ))}
      <p>
        <button type="button" className="button" disabled={fields.length >= maxPositions} onClick={addLine}>
          + {words.addLine}
        </button>
      </p>
    </section>
  )
}
