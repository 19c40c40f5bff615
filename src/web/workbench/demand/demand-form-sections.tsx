import { useEffect, useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { toMoment } from '#shared/calendar.ts'
import { leastQuotes } from '#shared/demand/guards.ts'
import { demandMethod, demandType as demandTypeOf, duties, offeredMethods } from '#shared/demand/rules.ts'
import { titleOfLines } from '#shared/text/hire-title.ts'
import type { TermName } from '#shared/text/terms.ts'
import { AreaField, CheckField, ControlField, MomentField, MoneyField, NumberField, SelectField, TextField } from '../../app/form.tsx'
import { useText } from '../../app/text.tsx'
import { useCategories } from '../../category/category-tree.ts'
import { PeoplePicker } from '../../person/people-picker.tsx'
import { PlacePicker } from '../../region/place-picker.tsx'
import { SelectField as PlainSelect } from '../../ui/form-fields.tsx'
import { deadlinePresets } from './deadline-presets.ts'
import { DemandAttachments } from './demand-attachments.tsx'
import { ofProject, type Project, type DemandFormState } from './draft.ts'
import { CompanyPicker } from '../../category/pickers.tsx'

type Section = {
  form: DemandFormState
  /** Project, type and seal of a published demand cannot change, because lessors have quoted on them. */
  fixed: boolean
}

export function BasicsSection({
  form,
  fixed,
  held,
  projects,
}: Section & {
  /** The deadline of a published demand, which only moves later. */
  held: string | null
  projects: readonly Project[]
}) {
  const text = useText()
  const words = text.demand.form
  const suggested = useTitle(form, projects, fixed)
  const [method, demandType, invited] = useWatch({ control: form.control, name: ['method', 'demandType', 'invited'] })
  return (
    <section className="panel stack">
      <h2>{words.sections.basics}</h2>
      <div className="form-grid">
        <ProjectField form={form} fixed={fixed} projects={projects} />
        <TextField
          form={form}
          name="title"
          label={words.titleField}
          hint={words.titleHint}
          required
          maxLength={60}
          className="span-all"
          beside={
            <button type="button" className="link" onClick={() => form.change({ title: suggested })}>
              {words.suggest}
            </button>
          }
        />
        <MomentField
          form={form}
          name="quoteDeadline"
          label={text.demand.deadline}
          hint={words.deadlineHint}
          {...deadlinePresets(held, toMoment(new Date()))}
          required
        />
        <MomentField form={form} name="clarifyDeadline" label={words.clarify} />
        <SelectField
          form={form}
          name="method"
          label={text.demand.methodLabel}
          term="enquiry"
          options={[...new Set([...offeredMethods, method])].map((one) => [one, text.demand.method[one]])}
        />
        {method === demandMethod.direct && (
          <TextField
            form={form}
            name="methodReason"
            label={text.demand.methodReason}
            hint={text.demand.methodReasonHint}
            required
            maxLength={200}
            className="span-all"
          />
        )}
        <NumberField
          form={form}
          name="minQuotes"
          label={text.demand.minQuotes}
          placeholder={String(leastQuotes({ method, demandType, invitedCompanyIds: invited }))}
          min="1"
          max="20"
        />
        <div className="span-all row gap-24">
          <CheckField form={form} name="sealed" label={text.demand.sealed} hint={text.demand.sealedHint} disabled={fixed} />
          <CheckField form={form} name="urgent" label={text.demand.urgent} />
          <CheckField form={form} name="lowEmissionZone" label={text.demand.lowEmission} />
        </div>
        <SiteFields form={form} />
        <TextField
          form={form}
          name="contactName"
          label={words.contactName}
          required
          maxLength={20}
          beside={
            <PeoplePicker
              type="contact"
              onPick={({ name, phonenumber }) => form.change({ contactName: name, contactPhone: phonenumber })}
            />
          }
        />
        <TextField form={form} name="contactPhone" label={words.contactPhone} type="tel" required maxLength={20} />
      </div>
    </section>
  )
}

/** Picks the project, which also fills in its site, its low-emission zone and its contact. */
function ProjectField({ form, fixed, projects }: Section & { projects: readonly Project[] }) {
  const deptId = useWatch({ control: form.control, name: 'deptId' })
  return (
    <PlainSelect
      label={useText().demand.own.dept}
      error={form.errorAt('deptId')}
      required
      className="span-all"
      disabled={fixed}
      value={String(deptId)}
      options={projects.map((project) => [String(project.deptId), project.projectName])}
      onChange={(id) => {
        const project = projects.find((one) => String(one.deptId) === id)
        if (project) form.change(ofProject(form.getValues(), project))
      }}
    />
  )
}

function SiteFields({ form }: { form: DemandFormState }) {
  const [provinceId, cityId, districtId] = useWatch({ control: form.control, name: ['provinceId', 'cityId', 'districtId'] })
  return (
    <>
      <PlacePicker
        value={{ provinceId, cityId, districtId }}
        onChange={form.change}
        error={form.errorAt('cityId') ?? form.errorAt('provinceId')}
      />
      <TextField form={form} name="address" label={useText().demand.form.address} required maxLength={100} />
    </>
  )
}

/** Suggests a title from the project and the lines. A new demand has it as its title until somebody types another. */
function useTitle(form: DemandFormState, projects: readonly Project[], fixed: boolean): string {
  const text = useText()
  const categories = useCategories()
  const [deptId, items] = useWatch({ control: form.control, name: ['deptId', 'items'] })
  const project = projects.find((one) => one.deptId === deptId)?.projectName ?? ''
  const lines = items.flatMap(({ categoryId, qty }) => {
    const category = categoryId === null ? undefined : categories.get(categoryId)
    return category ? [{ ...category, qty }] : []
  })
  const suggested = titleOfLines(project, lines, text)
  const followed = useRef<string | null>(null)
  const { change, getValues } = form
  const follows = !fixed && lines.length > 0
  useEffect(() => {
    // A title that was emptied by hand stays empty until the lines change.
    if (followed.current === suggested) return
    const title = getValues('title')
    const isOwn = title !== '' && title !== followed.current
    followed.current = suggested
    if (follows && !isOwn) change({ title: suggested })
  }, [suggested, follows, change, getValues])
  return suggested
}

/** The duties whose names are words of the trade. */
const termOfDuty: Partial<Record<(typeof duties)[number], TermName>> = { transportBy: 'transport', erectionBy: 'erection' }

export function DutiesSection({ form }: { form: DemandFormState }) {
  const text = useText()
  const words = text.demand.form
  return (
    <section className="panel stack">
      <h2>
        {words.sections.duties} <span className="small faint">{words.dutiesHint}</span>
      </h2>
      <div className="form-grid">
        {duties.map((duty) => (
          <SelectField
            key={duty}
            form={form}
            name={duty}
            label={text.demand.duties[duty]}
            term={termOfDuty[duty]}
            options={Object.entries(text.demand.side)}
          />
        ))}
        <SelectField form={form} name="payment.cycle" label={words.cycle} options={Object.entries(text.demand.cycles)} />
        <NumberField form={form} name="payment.ratio" label={words.ratio} min="0" max="100" />
        <NumberField form={form} name="payment.days" label={words.days60} hint={words.days60Hint} min="0" max="60" />
        <SelectField form={form} name="payment.invoice" label={words.invoice} options={Object.entries(text.demand.invoices)} />
      </div>
    </section>
  )
}

export function MoreSection({ form, fixed }: Section) {
  const text = useText()
  const words = text.demand.form
  const [demandType, invited] = useWatch({ control: form.control, name: ['demandType', 'invited'] })
  return (
    <section className="panel stack">
      <h2>{words.sections.more}</h2>
      <div className="form-grid">
        <SelectField
          form={form}
          name="demandType"
          label={text.demand.typeLabel}
          term="invited"
          disabled={fixed}
          options={[demandTypeOf.public, demandTypeOf.invited].map((type) => [type, text.demand.type[type]])}
        />
        <ControlField form={form} name="invited" label={words.invite} className="span-all" required={demandType === demandTypeOf.invited}>
          {(control) => <CompanyPicker id={control.id} value={invited} onChange={(companies) => form.change({ invited: companies })} />}
        </ControlField>
        <MoneyField form={form} name="budgetLimit" label={words.budget} hint={words.budgetHint} maxLength={14} />
        <div className="span-all">
          <CheckField form={form} name="showCeiling" label={words.showCeiling} />
        </div>
        <TextField
          form={form}
          name="internalReason"
          label={words.internal}
          hint={words.internalHint}
          maxLength={500}
          className="span-all"
        />
        <AreaField form={form} name="terms" label={text.demand.terms} maxLength={2000} />
        <DemandAttachments form={form} />
      </div>
    </section>
  )
}
