import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { companyScales } from '#shared/contract/clauses.ts'
import { createDirectContract } from '#shared/contract/direct.ts'
import { paths } from '#shared/paths.ts'
import { call } from '../../app/api.ts'
import { FormBar } from '../../app/form-bar.tsx'
import { FormProblems, MarkedHeading } from '../../app/form-problems.tsx'
import { ControlField, SelectField, TextField } from '../../app/form.tsx'
import { useSiteName } from '../../app/site.ts'
import { useText } from '../../app/text.tsx'
import { nameOfNew, useCallDraft } from '../../app/use-local-draft.ts'
import { useNextPage } from '../../app/use-next-page.ts'
import { PlacePicker } from '../../region/place-picker.tsx'
import { SelectField as PlainSelect, SubmitForm } from '../../ui/form-fields.tsx'
import { Link } from '../../ui/link.tsx'
import { Head } from '../../ui/parts.tsx'
import { useThrottle } from '../../ui/throttle.ts'
import { toast } from '../../ui/toast.tsx'
import { refreshContracts } from './contract-calls.ts'
import { ofDirectProject, type DirectForm, type DirectFormState, type DirectProject } from './direct-contract.ts'
import { DirectLines, useDirectForm } from './direct-lines.tsx'
import { CompanyPicker } from '../../category/pickers.tsx'

/** The form of a contract that was agreed elsewhere: project, lessor, machines and rents. Its clauses are edited once it is a draft. */
export function DirectContractEditor({
  initial,
  copied,
  projects,
}: {
  initial: DirectForm
  /** The contract that it is like, as the address names it. */
  copied: string | null
  projects: readonly DirectProject[]
}) {
  const text = useText()
  const words = text.contract.pages.direct
  const site = useSiteName()
  const goOn = useNextPage()
  const { form, machines, saving } = useDirectForm(initial)
  const [name] = useState(() => `contract-${nameOfNew(`-${copied ?? ''}`)}`)
  const local = useCallDraft(form, name)
  const create = useThrottle(
    saving(async (body) => {
      const sent = structuredClone(form.getValues())
      const { id } = await call(createDirectContract, { body })
      // What was typed while the call was under way waits in the form of the positions.
      local.saved(sent, { name: `contract-positions-${id}`, address: paths.directPositions(id) })
      toast('success', words.saved)
      await refreshContracts()
      await goOn(paths.editContract(id))
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
      <FormProblems />
      <Parties form={form} projects={projects} />
      <DirectLines form={form} machines={machines} />
      <FormBar draft={local} errors={form.errorCount}>
        <Link className="button" to={paths.contracts()}>
          {text.site.common.back}
        </Link>
        <button type="submit" className="button button-primary" aria-disabled={form.formState.isSubmitting}>
          {words.save}
        </button>
      </FormBar>
    </SubmitForm>
  )
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
      <MarkedHeading>{pages.form.basics}</MarkedHeading>
      <div className="form-grid">
        <TextField form={form} name="title" label={name} required maxLength={60} className="span-all" />
        <ControlField form={form} name="lessor" label={side.lessor} hint={pages.direct.lessorHint} required className="span-all">
          {(control) => (
            <CompanyPicker
              id={control.id}
              label={side.lessor}
              invalid={form.errorAt('lessor') !== undefined}
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
