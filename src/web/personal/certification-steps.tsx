import { useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { documentsOf, type CertificationKind } from '#shared/certification/rules.ts'
import { useText } from '../app/text.tsx'
import { focusFirst } from '../app/use-form.ts'
import { CertificationFacts, namesOf, sectionsOf } from '../certification/certification-fields.tsx'
import { SubmitForm } from '../ui/form-fields.tsx'
import { CertificationInput } from './certification-inputs.tsx'
import { uploadedIn, type CertificationFormState } from './certification-values.ts'
import { DocumentUploads } from './document-uploads.tsx'

/** The steps of a certification: its sections, its documents, and a summary of both. */
export function CertificationSteps<B>({
  kind,
  form,
  rejection,
  savedAt,
  handIn,
}: {
  kind: CertificationKind
  form: CertificationFormState<B>
  /** The reason for rejecting the certification as a whole; empty if there is none. */
  rejection: string
  savedAt: string
  handIn: (onWrong: (names: readonly string[]) => void) => () => Promise<void>
}) {
  const { certification } = useText()
  const [step, setStep] = useState(0)
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
  return (
    <SubmitForm onSubmit={() => void (step === lastStep ? submit() : next())}>
      <div ref={top} style={{ scrollMarginTop: 90 }}>
        {rejection && (
          <p className="notice notice-warn" role="status">
            {certification.reasonLabel}: {rejection}
          </p>
        )}
        <ol className="stepper" aria-label={certification.kinds[kind]}>
          {[...sections.map((one) => one.step), 'papers' as const, 'confirm' as const].map((name, index) => (
            <li key={name} aria-current={index === step ? 'step' : undefined} className={index < step ? 'done' : ''}>
              <button type="button" disabled={index > step} onClick={() => go(index)}>
                <span className="num">{index + 1}</span>
                {certification.steps[name]}
              </button>
            </li>
          ))}
        </ol>
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
          <DocumentUploads kind={kind} form={form} documents={documentsOf[kind]} />
        </section>
      )}
      {step === lastStep && <Overview kind={kind} form={form} />}
      <div className="action-bar">
        <span className="small faint">{savedAt && certification.saved(savedAt)}</span>
        <span className="row">
          {step > 0 && (
            <button type="button" className="button" onClick={() => go(step - 1)}>
              {certification.previous}
            </button>
          )}
          <button type="submit" className="button button-primary" disabled={form.formState.isSubmitting}>
            {step === lastStep ? certification.submit : certification.next}
          </button>
        </span>
      </div>
    </SubmitForm>
  )
}

/** The summary of everything that will be submitted. */
function Overview<B>({ kind, form }: { kind: CertificationKind; form: CertificationFormState<B> }) {
  const { certification } = useText()
  const [typed, documents] = useWatch({ control: form.control, name: ['form', 'documents'] })
  return (
    <>
      <CertificationFacts kind={kind} form={typed} parentName={String(typed.parentLabel ?? '')} />
      <section className="panel">
        <h2>{certification.steps.papers}</h2>
        <ul className="row">
          {uploadedIn(documents).map((document) => (
            <li key={document} className="tag">
              {certification.documents[document]}
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
