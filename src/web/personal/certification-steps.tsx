import { useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { documentsOf, type CertificationKind } from '#shared/certification/rules.ts'
import { colon } from '../app/colon.ts'
import { FormBar, SaveFailed } from '../app/form-bar.tsx'
import { useText } from '../app/text.tsx'
import { focusFirst, useFirstField } from '../app/use-form.ts'
import type { LocalDraftOf } from '../app/use-local-draft.ts'
import type { StoredDraftState } from '../app/use-stored-draft.ts'
import { CertificationFacts, namesOf, sectionsOf } from '../certification/certification-fields.tsx'
import { FileThumbnail } from '../file/private-file.tsx'
import { SubmitForm } from '../ui/form-fields.tsx'
import { CertificationInput } from './certification-inputs.tsx'
import { uploadedIn, type CertificationFormState } from './certification-values.ts'
import { DocumentUploads } from './document-uploads.tsx'

/** The steps of a certification: its sections, its documents, and a summary of both. */
export function CertificationSteps<B>({
  kind,
  form,
  rejection,
  isChange,
  draft,
  stored,
  handIn,
}: {
  kind: CertificationKind
  form: CertificationFormState<B>
  /** The reason for rejecting the certification as a whole; empty if there is none. */
  rejection: string
  /** Of a certification in force. */
  isChange: boolean
  /** What this browser stores. */
  draft: LocalDraftOf
  /** What the server stores. */
  stored: StoredDraftState
  handIn: (onWrong: (names: readonly string[]) => void) => () => Promise<void>
}) {
  const { certification, locale } = useText()
  const [step, setStep] = useState(0)
  useFirstField(step)
  const top = useRef<HTMLDivElement>(null)
  const sections = sectionsOf[kind]
  const section = sections[step]
  const paperStep = sections.length
  const lastStep = sections.length + 1
  const namesAt = [
    ...sections.map(({ fields }) => fields.flatMap(namesOf).map((name) => `form.${name}` as const)),
    documentsOf[kind].map((document) => `documents.${document}` as const),
  ]
  const go = (to: number) => {
    setStep(to)
    requestAnimationFrame(() => top.current?.scrollIntoView({ block: 'start' }))
  }
  /** Goes to a later step only if the steps before it have no errors. */
  const next = async () => {
    if (await form.trigger(namesAt[step])) go(step + 1)
    else focusFirst()
  }
  const submit = () =>
    handIn(([wrong]) => {
      if (wrong === undefined) return
      const at = namesAt.findIndex((names) => names.some((name) => name === wrong))
      go(Math.max(0, at))
    })()
  // What is typed after the form was sent would neither be handed in nor be a draft, so no way leads back to the fields meanwhile.
  const isSending = step === lastStep && form.formState.isSubmitting
  return (
    <SubmitForm onSubmit={() => void (step === lastStep ? submit() : next())}>
      <div ref={top} className="below-header" inert={isSending}>
        {rejection && (
          <p className="notice notice-warn" role="status">
            {certification.reasonLabel}
            {colon({ locale })}
            {rejection}
          </p>
        )}
        <Stepper kind={kind} step={step} onGo={go} />
      </div>
      {section && (
        <section className="panel">
          <h2>{certification.steps[section.step]}</h2>
          <div className="form-grid">
            {section.fields.map((spec) => (
              <CertificationInput key={spec.name} form={form} spec={spec} />
            ))}
          </div>
        </section>
      )}
      {step === paperStep && (
        <section className="panel stack">
          <div>
            <h2>{certification.steps.papers}</h2>
            <p className="small soft">
              {certification.documentHints[kind]} {certification.uploadHint}
            </p>
          </div>
          <DocumentUploads kind={kind} form={form} documents={documentsOf[kind]} folds />
        </section>
      )}
      {step === lastStep && (
        <div className="stack" inert={isSending}>
          {isChange && <p className="notice">{certification.changeStays}</p>}
          <Overview kind={kind} form={form} onEdit={go} />
        </div>
      )}
      <FormBar
        draft={draft}
        errors={form.errorCount}
        status={
          stored.kind === 'failed' ? (
            <SaveFailed words={certification.saveFailed} why={stored.why} />
          ) : (
            stored.kind === 'saved' && <span className="faint">{certification.saved(stored.at)}</span>
          )
        }
      >
        {step > 0 && (
          <button key={`back-${step}`} type="button" className="button" aria-disabled={isSending} onClick={() => go(step - 1)}>
            {certification.previous}
          </button>
        )}
        {/* Each step has a button of its own, so pressing through the steps is no repeated press. */}
        <button key={`on-${step}`} type="submit" className="button button-primary" aria-disabled={form.formState.isSubmitting}>
          {step === lastStep ? certification.submit : certification.next}
        </button>
      </FormBar>
    </SubmitForm>
  )
}

function Stepper({ kind, step, onGo }: { kind: CertificationKind; step: number; onGo: (step: number) => void }) {
  const { certification } = useText()
  return (
    <ol className="stepper" aria-label={certification.kinds[kind]}>
      {[...sectionsOf[kind].map((one) => one.step), 'papers' as const, 'confirm' as const].map((name, index) => (
        <li key={name} aria-current={index === step ? 'step' : undefined} className={index < step ? 'done' : ''}>
          <button type="button" disabled={index > step} onClick={() => onGo(index)}>
            <span className="num">{index + 1}</span>
            {certification.steps[name]}
          </button>
        </li>
      ))}
    </ol>
  )
}

/** The summary of everything that will be submitted. Each part leads back to the step that edits it. */
function Overview<B>({ kind, form, onEdit }: { kind: CertificationKind; form: CertificationFormState<B>; onEdit: (step: number) => void }) {
  const text = useText()
  const { certification } = text
  const [typed, documents] = useWatch({ control: form.control, name: ['form', 'documents'] })
  return (
    <>
      <CertificationFacts kind={kind} form={typed} parentName={String(typed.parentLabel ?? '')} onEdit={onEdit} />
      <section className="panel">
        <div className="row between">
          <h2>{certification.steps.papers}</h2>
          <button type="button" className="link" onClick={() => onEdit(sectionsOf[kind].length)}>
            {text.site.common.edit}
            <span className="visually-hidden">: {certification.steps.papers}</span>
          </button>
        </div>
        <ul className="papers">
          {uploadedIn(documents).map((document) => {
            const label = certification.documents[document]
            const { fileId = '', mime = '' } = documents[document] ?? {}
            return (
              <li key={document} className="paper">
                <strong>{label}</strong>
                <FileThumbnail fileId={fileId} mime={mime} label={label} />
              </li>
            )
          })}
        </ul>
      </section>
    </>
  )
}
