import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  formOf,
  listOwnCertifications,
  saveCertificationDraft,
  submitDept,
  submitLease,
  submitRentout,
} from '#shared/certification/contract.ts'
import type { Certification } from '#shared/certification/contract.ts'
import {
  documentsOf,
  fieldsToMend,
  missingDocuments,
  type CertificationDocument,
  type CertificationKind,
} from '#shared/certification/rules.ts'
import { fieldErrors } from '#shared/text/validation.ts'
import { ApiError, call } from '../app/api.ts'
import { CertificationFacts, namesOf, sectionsOf, type FormValues } from '../certification/certification-fields.tsx'
import { refetchUser } from '../app/socket.ts'
import { useText } from '../app/text.tsx'
import { toast } from '../ui/toast.tsx'
import type { Errors } from '../app/use-form.ts'
import { CertificationInput } from './certification-inputs.tsx'
import { PaperUpload, type Paper } from './paper-upload.tsx'

type Papers = Partial<Record<CertificationDocument, Paper>>

const endpoints = { rentout: submitRentout, lease: submitLease, dept: submitDept } as const

const blanks: Record<CertificationKind, FormValues> = {
  rentout: { entityType: '1', taxpayerType: 'general', mainCategories: [], serviceRegions: [], insured: false, ownErection: false },
  lease: {
    entityType: '1',
    taxpayerType: 'general',
    groupName: '',
    parentCompany: '',
    invoiceBank: '',
    invoiceAccount: '',
    invoicePhone: '',
  },
  dept: { parentDeptId: null, parentName: '', parentCreditCode: '', lowEmissionZone: false },
}

/** Every field with something in it, so that the schema says "please fill in" and not "wrong type". */
function startValues(kind: CertificationKind, found: Certification | undefined): FormValues {
  const empty = Object.fromEntries(
    sectionsOf[kind].flatMap(({ fields }) => fields.flatMap((spec) => (spec.kind === 'place' ? [] : [[spec.name, '']]))),
  )
  const place = { provinceId: null, cityId: null, districtId: null }
  return { ...empty, ...place, ...blanks[kind], ...found?.form, ...(found?.parentName && { parentLabel: found.parentName }) }
}

function startPapers(found: Certification | undefined): Papers {
  return Object.fromEntries(
    (found?.documents ?? []).map(({ kind, fileId, name, mime, validTo, status, reason }) => [
      kind,
      { fileId, name, mime, validTo: validTo ?? '', status: found?.status === '2' ? '0' : status, reason },
    ]),
  )
}

/** Steps for a first application or a change; only what was sent back after a rejection. */
export function CertificationForm({
  kind,
  found,
  onDone,
}: {
  kind: CertificationKind
  found: Certification | undefined
  onDone: () => void
}) {
  const text = useText()
  const { certification } = text
  const client = useQueryClient()
  const [values, setValues] = useState<FormValues>(() => startValues(kind, found))
  const [papers, setPapers] = useState<Papers>(() => startPapers(found))
  const [errors, setErrors] = useState<Errors>({})
  const [step, setStep] = useState(0)
  const [busy, setBusy] = useState(false)
  const top = useRef<HTMLDivElement>(null)

  const rejected = found?.status === '3'
  const fieldReasons = rejected ? found.fieldReasons : []
  const sentBack = (Object.keys(papers) as CertificationDocument[]).filter((one) =>
    found?.documents.some((paper) => paper.kind === one && paper.status === '2'),
  )
  const onlySome = rejected && (fieldReasons.length > 0 || sentBack.length > 0)
  const mendable = new Set(fieldsToMend(fieldReasons))
  const noteOf = (names: readonly string[]) => fieldReasons.find(({ field }) => names.includes(field))?.reason

  const savedAt = useAutosave(kind, values, papers, !found || ['0', '4', '6'].includes(found.status))

  const set = (change: FormValues) => {
    setValues((before) => ({ ...before, ...change }))
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([path]) => !Object.keys(change).some((name) => path === `form.${name}`))),
    )
  }
  const setPaper = (one: CertificationDocument) => (paper: Paper | undefined) => {
    setPapers(({ [one]: _, ...rest }) => (paper ? { ...rest, [one]: paper } : rest))
    setErrors(({ [`documents.${one}`]: _, ...rest }) => rest)
  }

  const problems = (): Errors => {
    const parsed = formOf[kind].safeParse(values, { reportInput: true })
    const wrong: Errors = {}
    if (!parsed.success) for (const { field, message } of fieldErrors(text, parsed.error.issues)) wrong[`form.${field}`] ??= message
    for (const one of missingDocuments(kind, values as { ownErection?: boolean }, new Set(Object.keys(papers))))
      wrong[`documents.${one}`] = text.rule.codes.document_missing ?? ''
    return wrong
  }
  const sections = sectionsOf[kind]
  const paperStep = sections.length
  const lastStep = sections.length + 1
  const stepNames = [
    ...sections.map((section) => certification.steps[section.step]),
    certification.steps.papers,
    certification.steps.confirm,
  ]
  const stepOf = (path: string) => {
    if (path.startsWith('documents')) return paperStep
    const name = path.replace(/^form\./, '')
    const at = sections.findIndex(({ fields }) => fields.some((spec) => namesOf(spec).includes(name)))
    return at < 0 ? 0 : at
  }
  const go = (to: number) => {
    setStep(to)
    requestAnimationFrame(() => top.current?.scrollIntoView({ block: 'start' }))
  }
  /** Forward only past what is right. */
  const next = () => {
    const here = Object.fromEntries(Object.entries(problems()).filter(([path]) => stepOf(path) === step))
    setErrors(here)
    if (Object.keys(here).length === 0) return go(step + 1)
    focusFirstBad()
  }
  const submit = async () => {
    const wrong = problems()
    setErrors(wrong)
    const [firstBad] = Object.keys(wrong)
    if (firstBad && !onlySome) {
      go(stepOf(firstBad))
      return focusFirstBad()
    }
    setBusy(true)
    try {
      const documents = Object.entries(papers).map(([one, paper]) => ({
        kind: one as CertificationDocument,
        fileId: paper.fileId,
        validTo: paper.validTo,
      }))
      await call(endpoints[kind], { body: { form: values, documents } as never })
      toast('success', certification.submitted)
      await refetchUser()
      await client.invalidateQueries({ queryKey: [listOwnCertifications.url] })
      onDone()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const told = Object.fromEntries(error.fields.map(({ field, message }) => [field, message]))
      setErrors(told)
      const [bad] = Object.keys(told)
      if (bad && !onlySome) go(stepOf(bad))
      focusFirstBad()
    } finally {
      setBusy(false)
    }
  }
  const uploads = (kinds: readonly CertificationDocument[]) => {
    const missing = missingDocuments(kind, values as { ownErection?: boolean }, new Set())
    return (
      <div className="papers">
        {kinds.map((one) => (
          <PaperUpload
            key={one}
            kind={one}
            paper={papers[one]}
            onChange={setPaper(one)}
            required={missing.includes(one)}
            error={errors[`documents.${one}`]}
          />
        ))}
      </div>
    )
  }

  if (onlySome) {
    const fields = sections.flatMap((section) => section.fields).filter((spec) => namesOf(spec).some((name) => mendable.has(name)))
    return (
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <p className="notice notice-warn" role="status">
          {found?.reason ? `${certification.reasonLabel}: ${found.reason} ` : ''}
          {certification.onlyRejected}
        </p>
        {fields.length > 0 && (
          <section className="panel">
            <div className="form-grid">
              {fields.map((spec) => (
                <CertificationInput key={spec.name} spec={spec} values={values} set={set} errors={errors} note={noteOf(namesOf(spec))} />
              ))}
            </div>
          </section>
        )}
        {sentBack.length > 0 && <section className="panel">{uploads(sentBack)}</section>}
        <p>
          <button type="submit" className="button button-primary" disabled={busy}>
            {certification.submit}
          </button>
        </p>
      </form>
    )
  }

  const section = sections[step]
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (step === lastStep) void submit()
        else next()
      }}
    >
      <div ref={top} style={{ scrollMarginTop: 90 }}>
        {rejected && found?.reason && (
          <p className="notice notice-warn" role="status">
            {certification.reasonLabel}: {found.reason}
          </p>
        )}
        <ol className="stepper" aria-label={certification.kinds[kind]}>
          {stepNames.map((name, index) => (
            <li key={name} aria-current={index === step ? 'step' : undefined} className={index < step ? 'done' : ''}>
              <button type="button" disabled={index > step} onClick={() => go(index)}>
                <span className="num">{index + 1}</span>
                {name}
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
              <CertificationInput key={spec.name} spec={spec} values={values} set={set} errors={errors} note={noteOf(namesOf(spec))} />
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
          {uploads(documentsOf[kind])}
        </section>
      )}
      {step === lastStep && (
        <>
          <CertificationFacts kind={kind} form={values} parentName={String(values.parentLabel ?? '')} />
          <section className="panel">
            <h2>{certification.steps.papers}</h2>
            <ul className="row">
              {(Object.keys(papers) as CertificationDocument[]).map((one) => (
                <li key={one} className="tag">
                  {certification.documents[one]}
                </li>
              ))}
            </ul>
          </section>
        </>
      )}
      <div className="action-bar">
        <span className="small faint">{savedAt && certification.saved(savedAt)}</span>
        <span className="row">
          {step > 0 && (
            <button type="button" className="button" onClick={() => go(step - 1)}>
              {certification.previous}
            </button>
          )}
          <button type="submit" className="button button-primary" disabled={busy}>
            {step === lastStep ? certification.submit : certification.next}
          </button>
        </span>
      </div>
    </form>
  )
}

function focusFirstBad(): void {
  setTimeout(() => document.querySelector<HTMLElement>('[aria-invalid=true], .field-bad input, .paper-bad button')?.focus(), 60)
}

/** Keeps what was typed on the server two seconds after the last change. The time it was last kept. */
function useAutosave(kind: CertificationKind, values: FormValues, papers: Papers, on: boolean): string {
  const [savedAt, setSavedAt] = useState('')
  const first = useRef(true)
  useEffect(() => {
    if (first.current) {
      first.current = false
      return
    }
    if (!on) return
    const timer = setTimeout(() => {
      const documents = Object.entries(papers).map(([one, paper]) => ({
        kind: one as CertificationDocument,
        fileId: paper.fileId,
        validTo: paper.validTo,
      }))
      call(saveCertificationDraft, { body: { kind, form: values, documents } }).then(
        () => setSavedAt(new Date().toTimeString().slice(0, 5)),
        (error: unknown) => {
          if (!(error instanceof ApiError)) throw error
        },
      )
    }, 2000)
    return () => clearTimeout(timer)
  }, [kind, values, papers, on])
  return savedAt
}
