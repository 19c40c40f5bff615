import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import {
  getCertification,
  listCertifications,
  passCertification,
  Rejection,
  rejectCertification,
  revokeCertification,
  type CertificationReview,
} from '#shared/certification/contract.ts'
import { certificationStatus, mayMove, paperStatus, type CertificationDocument } from '#shared/certification/rules.ts'
import { ApiError, call } from '../app/api.ts'
import { sectionsOf, useFieldWords } from './certification-fields.tsx'
import { certificationTone } from './certification-tone.ts'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { TextareaField } from '../ui/form-fields.tsx'
import { minute } from '../app/format.ts'
import { PaperView } from '../file/paper-parts.tsx'
import { PaperViewer } from '../file/paper-viewer.tsx'
import { invalidate } from '../app/queries.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Empty, Head, Skeleton, Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useForm } from '../app/use-form.ts'
import { Link } from '../ui/link.tsx'

export function ReviewDetail({ back }: { back: string }) {
  const text = useText()
  const { certification } = text
  const site = useSiteName()
  const [params] = useSearchParams()
  const id = Number(params.get('id')) || 0
  const found = useQuery({ queryKey: [getCertification.url, id], queryFn: () => call(getCertification, { params: { id } }) })
  return (
    <div className="stack">
      <Head title={found.data?.name ?? certification.review.title} site={site} index={false} />
      <p className="small">
        <Link to={back}>{certification.review.title}</Link>
      </p>
      {found.isPending ? (
        <Skeleton rows={6} />
      ) : found.data ? (
        <Judging key={found.data.version} found={found.data} />
      ) : (
        <div className="panel">
          <Empty title={text.refusal.not_found} action={<Link to={back}>{certification.review.title}</Link>} />
        </div>
      )}
    </div>
  )
}

type Reasons = Record<string, string>

function Judging({ found }: { found: CertificationReview }) {
  const text = useText()
  const { certification } = text
  const { review } = certification
  const words = useFieldWords()
  const [fields, setFields] = useState<Reasons>({})
  const [papers, setPapers] = useState<Reasons>({})
  const [reason, setReason] = useState('')
  const [asking, setAsking] = useState<'pass' | 'revoke' | null>(null)
  const form = useForm(Rejection)
  const again = async () => {
    setAsking(null)
    await invalidate(getCertification, listCertifications)
  }
  const params = { id: found.id }
  const pass = useMutation({
    mutationFn: () => call(passCertification, { params, body: { version: found.version } }),
    onSuccess: () => toast('success', review.passed),
    onSettled: again,
  })
  const reject = useMutation({
    mutationFn: (body: Parameters<typeof call<typeof rejectCertification>>[1]['body']) => call(rejectCertification, { params, body }),
    onSuccess: async () => {
      toast('success', review.rejected)
      await again()
    },
    onError: form.refused,
  })
  const revoke = useMutation({
    mutationFn: () => call(revokeCertification, { params, body: { reason } }),
    onSuccess: async () => {
      toast('success', review.revoked)
      await again()
    },
    onError: (error) => {
      setAsking(null)
      if (!(error instanceof ApiError)) throw error
    },
  })
  const sendBack = () => {
    const body = form.check({
      version: found.version,
      reason,
      fields: Object.entries(fields).map(([field, why]) => ({ field, reason: why })),
      documents: Object.entries(papers).map(([kind, why]) => ({ kind: kind as CertificationDocument, reason: why })),
    })
    if (body) reject.mutate(body)
  }
  const judging = mayMove('pass', found.status, 'reviewer')
  const busy = pass.isPending || reject.isPending || revoke.isPending
  const reasonErrors = new Set(
    Object.keys(form.errors).flatMap((path) => {
      const [, list, index] = /^(fields|documents)\.(\d+)\./.exec(path) ?? []
      return list && index ? [Object.keys(list === 'fields' ? fields : papers)[Number(index)] ?? ''] : []
    }),
  )
  return (
    <>
      <div className="row between">
        <div>
          <h1>{found.name}</h1>
          <p className="soft num" style={{ whiteSpace: 'normal' }}>
            {certification.kinds[found.kind]} · {review.applicant} {found.applicant} {found.phonenumber} · {minute(found.submittedAt)}
          </p>
        </div>
        <Tag tone={certificationTone[found.status]}>{certification.status[found.status]}</Tag>
      </div>
      <ul className="checks-done">
        {found.checks.map((check) => (
          <li key={check.kind} className="panel">
            <Tag tone={{ good: 'good', look: 'warn', bad: 'bad' }[check.result] as 'good'}>{review.results[check.result]}</Tag>
            <span>
              {review.checks[check.kind]}
              {check.detail && <span className="small soft"> {check.detail}</span>}
            </span>
          </li>
        ))}
      </ul>
      <div className="split">
        <div className="stack">
          {sectionsOf[found.kind].map(({ step, fields: specs }) => (
            <section key={step} className="panel">
              <h2>{certification.steps[step]}</h2>
              <dl className="judged">
                {specs.map((spec) => {
                  const value = words(spec, found.form, found.parentName)
                  const before = found.passedForm ? words(spec, found.passedForm, found.parentName) : value
                  return (
                    <div key={spec.name}>
                      <dt>{certification.fields[spec.name]}</dt>
                      <dd>
                        {value}
                        {before !== value && <span className="small changed">{review.changed(before)}</span>}
                      </dd>
                      {judging && (
                        <dd>
                          <Reason
                            label={certification.fields[spec.name] ?? spec.name}
                            value={fields[spec.name]}
                            onChange={(why) => setFields((all) => withReason(all, spec.name, why))}
                            missing={reasonErrors.has(spec.name)}
                          />
                        </dd>
                      )}
                    </div>
                  )
                })}
              </dl>
            </section>
          ))}
          <section className="panel">
            <h2>{certification.steps.papers}</h2>
            <ul className="papers">
              {found.documents.map((paper) => (
                <li key={paper.kind} className="paper">
                  <div className="row between">
                    <strong>{certification.documents[paper.kind]}</strong>
                    {paper.status === paperStatus.passed && <Tag tone="good">{certification.accepted}</Tag>}
                    {paper.status === paperStatus.rejected && <Tag tone="bad">{certification.sentBack}</Tag>}
                  </div>
                  <PaperView fileId={paper.fileId} mime={paper.mime} label={certification.documents[paper.kind]} />
                  {paper.validTo && <span className="small soft num">{certification.validTo(paper.validTo)}</span>}
                  {paper.reason && <span className="small field-error">{paper.reason}</span>}
                  {judging && (
                    <Reason
                      label={certification.documents[paper.kind]}
                      value={papers[paper.kind]}
                      onChange={(why) => setPapers((all) => withReason(all, paper.kind, why))}
                      missing={reasonErrors.has(paper.kind)}
                    />
                  )}
                </li>
              ))}
            </ul>
          </section>
        </div>
        {found.documents.length > 0 && (
          <section className="panel split-side" aria-label={certification.steps.papers}>
            <PaperViewer
              papers={found.documents.map(({ kind, fileId, mime }) => ({ key: kind, label: certification.documents[kind], fileId, mime }))}
            />
          </section>
        )}
      </div>
      <section className="panel">
        <h2>{certification.timeline}</h2>
        <ol className="timeline">
          {found.events.map((event, index) => (
            <li key={index}>
              {certification.actions[event.action] ?? event.action} <span className="small faint num">{minute(event.at)}</span>
              {event.note && <p className="small soft">{event.note}</p>}
            </li>
          ))}
        </ol>
      </section>
      {(judging || mayMove('revoke', found.status, 'reviewer')) && (
        <section className="panel stack">
          <TextareaField
            label={review.overall}
            error={form.errors.reason && review.nothingMarked}
            maxLength={500}
            value={reason}
            onChange={(value) => {
              setReason(value)
              form.clear('reason')
            }}
          />
          <p className="row">
            {judging && (
              <>
                <button type="button" className="button button-primary" disabled={busy} onClick={() => setAsking('pass')}>
                  {review.pass}
                </button>
                <button type="button" className="button button-danger" disabled={busy} onClick={sendBack}>
                  {review.sendBack}
                </button>
              </>
            )}
            {found.status === certificationStatus.passed && (
              <button
                type="button"
                className="button button-danger"
                disabled={busy || reason.trim().length < 4}
                onClick={() => setAsking('revoke')}
              >
                {review.revoke}
              </button>
            )}
          </p>
        </section>
      )}
      <ConfirmDialog
        open={asking !== null}
        onClose={() => setAsking(null)}
        title={asking === 'revoke' ? review.revoke : review.pass}
        kind={asking === 'revoke' ? 'warning' : 'success'}
        action={asking === 'revoke' ? review.revoke : review.pass}
        busy={busy}
        onConfirm={() => (asking === 'revoke' ? revoke.mutate() : pass.mutate())}
      >
        <p>{asking === 'revoke' ? review.revokeAsk : review.passAsk}</p>
        <p className="soft">{found.name}</p>
      </ConfirmDialog>
    </>
  )
}

function withReason(all: Reasons, key: string, why: string | null): Reasons {
  if (why !== null) return { ...all, [key]: why }
  const { [key]: _, ...rest } = all
  return rest
}

/** Marks one thing as to be mended, with a reason of one's own or from the list. */
function Reason({
  label,
  value,
  onChange,
  missing,
}: {
  label: string
  value: string | undefined
  onChange: (why: string | null) => void
  missing: boolean
}) {
  const { review } = useText().certification
  const open = value !== undefined
  return (
    <div className="reason">
      <label className="check">
        <input type="checkbox" checked={open} onChange={(event) => onChange(event.target.checked ? '' : null)} />
        {review.reject}
        <span className="visually-hidden">: {label}</span>
      </label>
      {open && (
        <>
          <input
            className="input"
            style={{ minHeight: 40 }}
            list="reasons"
            aria-label={review.whyField(label)}
            aria-invalid={missing || undefined}
            placeholder={review.reasons[0]}
            maxLength={200}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id="reasons">
            {review.reasons.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </>
      )}
    </div>
  )
}
