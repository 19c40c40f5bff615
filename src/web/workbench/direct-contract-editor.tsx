import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useFieldArray, useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { companyScales } from '#shared/contract/clauses.ts'
import { createDirectContract, firstFreeDay, listDirectMachines, type DirectMachine } from '#shared/contract/direct.ts'
import { maxPositions } from '#shared/contract/rules.ts'
import type { FieldError } from '#shared/endpoint.ts'
import { paths } from '#shared/paths.ts'
import { ApiError, call } from '../app/api.ts'
import { useContractForm } from '../app/contract-form.ts'
import { FormBar } from '../app/form-bar.tsx'
import { ControlField, SelectField, TextField } from '../app/form.tsx'
import { invalidate } from '../app/queries.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { useContractDraft } from '../app/use-local-draft.ts'
import { UnloadedOptions } from '../app/list-frame.tsx'
import { PlacePicker } from '../region/place-picker.tsx'
import { SelectField as PlainSelect, SubmitForm } from '../ui/form-fields.tsx'
import { Link } from '../ui/link.tsx'
import { Head } from '../ui/parts.tsx'
import { useThrottle } from '../ui/throttle.ts'
import { toast } from '../ui/toast.tsx'
import { refreshContracts } from './contract-calls.ts'
import {
  directInputOf,
  nameInDirectForm,
  newDirectLine,
  ofDirectProject,
  type DirectForm,
  type DirectFormState,
  type DirectProject,
} from './direct-contract.ts'
import { DirectLineEditor } from './direct-line-editor.tsx'
import { CompanyPicker } from './pickers.tsx'

/** The form of a contract that was agreed elsewhere: project, lessor, machines and rents. Its clauses are edited once it is a draft. */
export function DirectContractEditor({
  initial,
  name,
  projects,
}: {
  initial: DirectForm
  /** Names the draft that this browser keeps. */
  name: string
  projects: readonly DirectProject[]
}) {
  const text = useText()
  const words = text.contract.pages.direct
  const site = useSiteName()
  const navigate = useNavigate()
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
  const local = useContractDraft(form, name)
  const machines = useMachines(form)
  const create = useThrottle(
    form.submitting(async (body) => {
      try {
        const { id } = await call(createDirectContract, { body })
        local.done()
        toast('success', words.saved)
        await refreshContracts()
        await navigate(paths.editContract(id))
      } catch (error) {
        const { index, freeFrom = null } = (error instanceof ApiError && (error.data as { index?: number; freeFrom?: string })) || {}
        if (index === undefined) throw error
        // Somebody has let the machine since the list was read.
        void invalidate(listDirectMachines)
        const { field, message } = takenAt(index, freeFrom)
        form.setError(field as `lines.${number}.equipmentId`, { type: 'server', message })
      }
    }),
  )
  return (
    <SubmitForm onSubmit={create}>
      <Head title={words.add} site={site} index={false} />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.contracts()}>{text.contract.title}</Link>
      </nav>
      <div>
        <h1>{words.add}</h1>
        <p className="soft">{words.lead}</p>
      </div>
      <Parties form={form} projects={projects} />
      <Lines form={form} machines={machines.data ?? []} />
      <UnloadedOptions queries={[machines]} />
      <FormBar draft={local} errors={form.errorCount}>
        <Link className="button" to={paths.contracts()}>
          {text.site.common.back}
        </Link>
        <button type="submit" className="button button-primary" disabled={form.formState.isSubmitting}>
          {words.save}
        </button>
      </FormBar>
    </SubmitForm>
  )
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

function Parties({ form, projects }: { form: DirectFormState; projects: readonly DirectProject[] }) {
  const text = useText()
  const { pages, name, scale, side } = text.contract
  const [deptId, lessor, provinceId, cityId, districtId] = useWatch({
    control: form.control,
    name: ['deptId', 'lessor', 'provinceId', 'cityId', 'districtId'],
  })
  return (
    <section className="panel stack">
      <h2>{pages.form.basics}</h2>
      <div className="form-grid">
        <TextField form={form} name="title" label={name} required maxLength={60} className="span-all" />
        <ControlField form={form} name="lessor" label={side.lessor} hint={pages.direct.lessorHint} required className="span-all">
          {(control) => (
            <CompanyPicker
              id={control.id}
              label={side.lessor}
              value={lessor}
              onChange={(next) => {
                const chosen = next.slice(-1)
                // Machines of another lessor cannot stay chosen.
                if (chosen[0]?.value !== lessor[0]?.value)
                  form.change({ lines: form.getValues('lines').map((line) => ({ ...line, equipmentId: null })) })
                form.change({ lessor: chosen })
              }}
            />
          )}
        </ControlField>
        <PlainSelect
          label={text.demand.own.dept}
          error={form.errorAt('deptId')}
          required
          value={String(deptId)}
          options={projects.map((project) => [String(project.deptId), project.projectName])}
          onChange={(id) => {
            const project = projects.find((one) => String(one.deptId) === id)
            if (project) form.change(ofDirectProject(project))
          }}
        />
        <TextField form={form} name="externalNo" label={pages.externalNo} maxLength={40} />
        <SelectField
          form={form}
          name="scaleLessee"
          label={pages.form.scaleLessee}
          hint={pages.form.scaleHint}
          blank={pages.form.scaleNone}
          options={companyScales.map((one) => [one, scale[one]])}
        />
        <PlacePicker
          value={{ provinceId, cityId, districtId }}
          onChange={form.change}
          error={form.errorAt('cityId') ?? form.errorAt('provinceId')}
        />
        <TextField form={form} name="address" label={text.demand.form.address} required maxLength={200} />
      </div>
    </section>
  )
}

/** The machines, which can be added and removed. A removed line can be restored. */
function Lines({ form, machines }: { form: DirectFormState; machines: readonly DirectMachine[] }) {
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
