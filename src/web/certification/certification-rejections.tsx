// What a reviewer reads field by field and paper by paper, and marks with a reason.
import { useId } from 'react'
import { dayOf } from '#shared/calendar.ts'
import type { CertificationReview } from '#shared/certification/contract.ts'
import { certificationStatus, paperStatus } from '#shared/certification/rules.ts'
import { useText } from '../app/text.tsx'
import { FileThumbnail } from '../file/private-file.tsx'
import { Tag } from '../ui/parts.tsx'
import { sectionsOf, useFieldWords } from './certification-fields.tsx'
import './certification-review.css'

export type Reasons = Readonly<Record<string, string>>

/** Which fields or documents are rejected and why; `missing` are those whose reason the schema refused. */
type Rejections = { reasons: Reasons; set: (key: string, reason: string | null) => void; missing: ReadonlySet<string> }

/** The reasons with another one, or without the field or document that is no longer rejected. */
export function withReason(all: Reasons, key: string, why: string | null): Reasons {
  if (why !== null) return { ...all, [key]: why }
  const { [key]: _, ...rest } = all
  return rest
}

/** The fields of a certification, each with what was passed where it differs, and with `rejections` to mark it. */
export function ReviewedFields({ found, rejections }: { found: CertificationReview; rejections: Rejections | null }) {
  const { certification } = useText()
  const words = useFieldWords()
  return sectionsOf[found.kind].map(({ step, fields }) => (
    <section key={step} className="panel">
      <h2>{certification.steps[step]}</h2>
      <dl className="judged">
        {fields.map((spec) => {
          const value = words(spec, found.form, found.parentName)
          const before = found.passedForm ? words(spec, found.passedForm, found.parentName) : value
          return (
            <div key={spec.name}>
              <dt>{certification.fields[spec.name]}</dt>
              <dd>
                {value}
                {before !== value && <span className="small changed">{certification.review.changed(before)}</span>}
              </dd>
              {rejections && (
                <dd>
                  <Reason name={spec.name} label={certification.fields[spec.name] ?? spec.name} rejections={rejections} />
                </dd>
              )}
            </div>
          )
        })}
      </dl>
    </section>
  ))
}

export function ReviewedDocuments({
  documents,
  rejections,
}: {
  documents: CertificationReview['documents']
  rejections: Rejections | null
}) {
  const { certification } = useText()
  const today = dayOf(new Date())
  return (
    <section className="panel">
      <h2>{certification.steps.papers}</h2>
      <ul className="papers">
        {documents.map(({ kind, fileId, mime, status, validTo, reason }) => (
          <li key={kind} className="paper">
            <div className="row between">
              <strong>{certification.documents[kind]}</strong>
              {status === paperStatus.passed && <Tag tone="good">{certification.accepted}</Tag>}
              {status === paperStatus.rejected && <Tag tone="bad">{certification.sentBack}</Tag>}
            </div>
            <FileThumbnail fileId={fileId} mime={mime} label={certification.documents[kind]} />
            {validTo && (
              <span className="small soft num">
                {certification.validTo(validTo)}{' '}
                {validTo < today && <Tag tone="bad">{certification.status[certificationStatus.expired]}</Tag>}
              </span>
            )}
            {reason && <span className="small field-error">{reason}</span>}
            {rejections && <Reason name={kind} label={certification.documents[kind]} rejections={rejections} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Marks a field or a document as rejected, with a reason from the list or in the reviewer's own words. */
function Reason({ name, label, rejections }: { name: string; label: string; rejections: Rejections }) {
  const text = useText()
  const { review } = text.certification
  const usual = useId()
  const value = rejections.reasons[name]
  const isRejected = value !== undefined
  return (
    <div className="reason">
      <label className="check">
        <input type="checkbox" checked={isRejected} onChange={(event) => rejections.set(name, event.target.checked ? '' : null)} />
        {review.reject}
        <span className="visually-hidden">: {label}</span>
      </label>
      {isRejected && (
        <>
          <input
            className="input"
            list={usual}
            aria-label={review.whyField(label)}
            aria-invalid={rejections.missing.has(name) || undefined}
            placeholder={review.reasons[0]}
            maxLength={200}
            value={value}
            onChange={(event) => rejections.set(name, event.target.value)}
          />
          <datalist id={usual}>
            {review.reasons.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
          {rejections.missing.has(name) && <p className="field-error">{text.rule.codes.reason_needed}</p>}
        </>
      )}
    </div>
  )
}
