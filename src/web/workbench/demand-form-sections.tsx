import { useState, type ChangeEvent } from 'react'
import { duties } from '#shared/demand/rules.ts'
import { fileLimits, uploadFile } from '#shared/file/contract.ts'
import { ApiError, upload } from '../app/api.ts'
import { number } from '../app/format.ts'
import { useText } from '../app/text.tsx'
import { CheckField, MomentField } from '../ui/form-fields.tsx'
import { Field } from '../ui/parts.tsx'
import type { Errors } from '../app/use-form.ts'
import type { DemandForm, Project } from './draft.ts'
import { PlacePicker } from '../region/place-picker.tsx'
import { CompanyPicker } from './pickers.tsx'

type Props = { values: DemandForm; errors: Errors; change: (next: Partial<DemandForm>) => void }

export function BasicsSection({
  values,
  fixed,
  errors,
  projects,
  change,
  onProject,
  onSuggest,
}: Props & {
  /** Project, kind and seal stay once lessors have quoted on them. */
  fixed: boolean
  projects: readonly Project[]
  onProject: (project: Project) => void
  onSuggest: () => void
}) {
  const text = useText()
  const words = text.demand.form
  const set = (name: 'title' | 'address' | 'contactName' | 'contactPhone') => (event: ChangeEvent<HTMLInputElement>) =>
    change({ [name]: event.target.value })
  return (
    <section className="panel stack">
      <h2>{words.sections.basics}</h2>
      <div className="form-grid">
        <Field label={text.demand.own.dept} error={errors.deptId} required className="span-all">
          {(control) => (
            <select
              {...control}
              className="select"
              disabled={fixed}
              value={values.deptId ?? ''}
              onChange={(event) => {
                const project = projects.find(({ deptId }) => String(deptId) === event.target.value)
                if (project) onProject(project)
              }}
            >
              {projects.map((project) => (
                <option key={project.deptId} value={project.deptId}>
                  {project.projectName}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={words.titleField} error={errors.title} hint={words.titleHint} required className="span-all">
          {(control) => (
            <div className="row">
              <input
                {...control}
                className="input"
                style={{ flex: '1 1 240px' }}
                maxLength={60}
                value={values.title}
                onChange={set('title')}
              />
              <button type="button" className="link" style={{ flex: 'none' }} onClick={onSuggest}>
                {words.suggest}
              </button>
            </div>
          )}
        </Field>
        <MomentField
          label={text.demand.deadline}
          error={errors.quoteDeadline}
          hint={words.deadlineHint}
          required
          value={values.quoteDeadline}
          onChange={(quoteDeadline) => change({ quoteDeadline })}
        />
        <MomentField
          label={words.clarify}
          error={errors.clarifyDeadline}
          value={values.clarifyDeadline}
          onChange={(clarifyDeadline) => change({ clarifyDeadline })}
        />
        <Field label={text.demand.methodLabel}>
          {(control) => (
            <select
              {...control}
              className="select"
              value={values.method}
              onChange={(event) => change({ method: event.target.value as '1' })}
            >
              {(['1', '2', '3', '4'] as const).map((method) => (
                <option key={method} value={method}>
                  {text.demand.method[method]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={text.demand.minQuotes} error={errors.minQuotes}>
          {(control) => (
            <input
              {...control}
              className="input"
              type="number"
              min="1"
              max="20"
              value={values.minQuotes}
              onChange={(event) => change({ minQuotes: event.target.value })}
            />
          )}
        </Field>
        <div className="span-all row" style={{ gap: 24 }}>
          <label className="check">
            <input
              type="checkbox"
              disabled={fixed}
              checked={values.sealed}
              onChange={(event) => change({ sealed: event.target.checked })}
            />
            <span>
              {text.demand.sealed} <span className="small faint">{text.demand.sealedHint}</span>
            </span>
          </label>
          <label className="check">
            <input type="checkbox" checked={values.urgent} onChange={(event) => change({ urgent: event.target.checked })} />
            {text.demand.urgent}
          </label>
          <label className="check">
            <input
              type="checkbox"
              checked={values.lowEmissionZone}
              onChange={(event) => change({ lowEmissionZone: event.target.checked })}
            />
            {text.demand.lowEmission}
          </label>
        </div>
        <PlacePicker value={values} onChange={change} error={errors.cityId ?? errors.provinceId} />
        <Field label={words.address} error={errors.address} required>
          {(control) => <input {...control} className="input" maxLength={100} value={values.address} onChange={set('address')} />}
        </Field>
        <Field label={words.contactName} error={errors.contactName} required>
          {(control) => <input {...control} className="input" maxLength={20} value={values.contactName} onChange={set('contactName')} />}
        </Field>
        <Field label={words.contactPhone} error={errors.contactPhone} required>
          {(control) => (
            <input {...control} className="input" type="tel" maxLength={20} value={values.contactPhone} onChange={set('contactPhone')} />
          )}
        </Field>
      </div>
    </section>
  )
}

export function DutiesSection({ values, errors, change }: Props) {
  const text = useText()
  const words = text.demand.form
  return (
    <section className="panel stack">
      <h2>
        {words.sections.duties} <span className="small faint">{words.dutiesHint}</span>
      </h2>
      <div className="form-grid">
        {duties.map((duty) => (
          <Field key={duty} label={text.demand.duties[duty]}>
            {(control) => (
              <select {...control} className="select" value={values[duty]} onChange={(event) => change({ [duty]: event.target.value })}>
                <option value="lessor">{text.demand.side.lessor}</option>
                <option value="lessee">{text.demand.side.lessee}</option>
              </select>
            )}
          </Field>
        ))}
        <Field label={words.cycle}>
          {(control) => (
            <select
              {...control}
              className="select"
              value={values.cycle}
              onChange={(event) => change({ cycle: event.target.value as 'month' })}
            >
              {(['month', 'quarter', 'end'] as const).map((cycle) => (
                <option key={cycle} value={cycle}>
                  {text.demand.cycles[cycle]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={words.ratio} error={errors['payment.ratio']}>
          {(control) => (
            <input
              {...control}
              className="input"
              type="number"
              min="0"
              max="100"
              value={values.ratio}
              onChange={(event) => change({ ratio: event.target.value })}
            />
          )}
        </Field>
        <Field label={words.days60} error={errors['payment.days']} hint={words.days60Hint}>
          {(control) => (
            <input
              {...control}
              className="input"
              type="number"
              min="0"
              max="60"
              value={values.days}
              onChange={(event) => change({ days: event.target.value })}
            />
          )}
        </Field>
        <Field label={words.invoice}>
          {(control) => (
            <select
              {...control}
              className="select"
              value={values.invoice}
              onChange={(event) => change({ invoice: event.target.value as 'special' })}
            >
              <option value="special">{text.demand.invoices.special}</option>
              <option value="plain">{text.demand.invoices.plain}</option>
            </select>
          )}
        </Field>
      </div>
    </section>
  )
}

export function MoreSection({ values, errors, change, fixed }: Props & { fixed: boolean }) {
  const text = useText()
  const words = text.demand.form
  return (
    <section className="panel stack">
      <h2>{words.sections.more}</h2>
      <div className="form-grid">
        <Field label={text.demand.typeLabel}>
          {(control) => (
            <select
              {...control}
              className="select"
              disabled={fixed}
              value={values.demandType}
              onChange={(event) => change({ demandType: event.target.value as '1' })}
            >
              <option value="1">{text.demand.type['1']}</option>
              <option value="2">{text.demand.type['2']}</option>
            </select>
          )}
        </Field>
        <Field label={words.invite} error={errors.invitedCompanyIds} className="span-all" required={values.demandType === '2'}>
          {(control) => <CompanyPicker id={control.id} value={values.invited} onChange={(invited) => change({ invited })} />}
        </Field>
        <Field label={words.budget} error={errors.budgetLimit} hint={words.budgetHint}>
          {(control) => (
            <input
              {...control}
              className="input"
              type="number"
              min="0"
              step="0.01"
              value={values.budgetLimit}
              onChange={(event) => change({ budgetLimit: event.target.value })}
            />
          )}
        </Field>
        <div className="span-all">
          <CheckField label={words.showCeiling} value={values.showCeiling} onChange={(showCeiling) => change({ showCeiling })} />
        </div>
        <Field label={words.internal} error={errors.internalReason} hint={words.internalHint} className="span-all">
          {(control) => (
            <input
              {...control}
              className="input"
              maxLength={500}
              value={values.internalReason}
              onChange={(event) => change({ internalReason: event.target.value })}
            />
          )}
        </Field>
        <Field label={text.demand.terms} error={errors.terms} className="span-all">
          {(control) => (
            <textarea
              {...control}
              className="textarea"
              maxLength={2000}
              value={values.terms}
              onChange={(event) => change({ terms: event.target.value })}
            />
          )}
        </Field>
        <Uploads values={values} errors={errors} change={change} />
      </div>
    </section>
  )
}

function Uploads({ values, errors, change }: Props) {
  const text = useText()
  const [busy, setBusy] = useState(false)
  const add = async (files: readonly File[]) => {
    setBusy(true)
    const done = [...values.attachments]
    try {
      for (const file of files.slice(0, fileLimits.demandAttachments - done.length)) {
        const { fileId, name, size } = await upload<{ fileId: string; name: string; size: number }>(uploadFile, file)
        done.push({ fileId, name, size })
      }
    } catch (error) {
      // Told by a toast; what was uploaded before stays.
      if (!(error instanceof ApiError)) throw error
    } finally {
      change({ attachments: done })
      setBusy(false)
    }
  }
  return (
    <Field label={text.demand.attachments} error={errors.attachmentIds} hint={text.demand.form.attachHint} className="span-all">
      {(control) => (
        <div className="stack" style={{ gap: 8 }}>
          <label className="button" htmlFor={control.id} style={{ justifySelf: 'start' }}>
            {text.demand.form.attach}
          </label>
          <input
            {...control}
            className="visually-hidden"
            type="file"
            multiple
            disabled={busy || values.attachments.length >= fileLimits.demandAttachments}
            accept=".pdf,.docx,.xlsx,.jpg,.jpeg,.png,.webp,.zip"
            onChange={(event) => {
              void add([...(event.target.files ?? [])])
              event.target.value = ''
            }}
          />
          {busy && <p className="small soft">{text.site.common.loading}</p>}
          <ul>
            {values.attachments.map((file) => (
              <li key={file.fileId} className="row">
                {file.name} <span className="small faint num">{number(file.size / 1024)} KB</span>
                <button
                  type="button"
                  className="link"
                  onClick={() => change({ attachments: values.attachments.filter(({ fileId }) => fileId !== file.fileId) })}
                >
                  {text.site.common.delete}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Field>
  )
}
