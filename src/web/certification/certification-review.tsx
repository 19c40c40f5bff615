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
import { certificationStatus, type CertificationDocument } from '#shared/certification/rules.ts'
import { ApiError, call } from '../app/api.ts'
import { isOutdated } from '../app/outdated.ts'
import { CertificationHistory } from './certification-history.tsx'
import { ReviewedDocuments, ReviewedFields, withReason, type Reasons } from './certification-rejections.tsx'
import { certificationTone } from './certification-tone.ts'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { minute } from '../app/format.ts'
import { FileViewer } from '../file/file-viewer.tsx'
import { invalidate } from '../app/queries.ts'
import { queueSize, ReviewBar, useReviewQueue, type ReviewQueue } from '../app/review-bar.tsx'
import { useSiteName } from '../app/site.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { useValuesDraft, type LocalDraftOf } from '../app/use-local-draft.ts'
import { Head, Tag, type Tone } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useForm, useNewAnswer } from '../app/use-form.ts'
import { Link } from '../ui/link.tsx'
import './certification-review.css'

/** `to` is the address of another review, `back` that of their list. */
export function ReviewDetail({ back, to }: { back: string; to: (id: number) => string }) {
  const text = useText()
  const { certification } = text
  const site = useSiteName()
  const [params] = useSearchParams()
  const id = Number(params.get('id')) || 0
  const query = useQuery({
    queryKey: [getCertification.url, id, text.locale],
    queryFn: () => call(getCertification, { params: { id } }),
    staleTime: 0,
  })
  // Whoever opens it again sees what was handed in meanwhile, not what they decided.
  const found = useNewAnswer(query, id)
  return (
    <div className="stack">
      {found && <Head title={found.name} site={site} index={false} />}
      <p className="small">
        <Link to={back}>{certification.review.title}</Link>
      </p>
      {found ? (
        <OpenReview key={`${found.id} ${found.version}`} found={found} back={back} to={to} />
      ) : (
        <Unloaded queries={[{ ...query, data: found }]} rows={6} back={<Link to={back}>{certification.review.title}</Link>} />
      )}
    </div>
  )
}

function OpenReview({ found, back, to }: { found: CertificationReview; back: string; to: (id: number) => string }) {
  const { certification } = useText()
  const [fields, setFields] = useState<Reasons>({})
  const [documents, setDocuments] = useState<Reasons>({})
  const [reason, setReason] = useState('')
  const form = useForm(Rejection)
  const draft = useValuesDraft(
    `review-${found.id}`,
    { fields, documents, reason },
    (stored) => {
      setFields(stored.fields)
      setDocuments(stored.documents)
      setReason(stored.reason)
    },
    // Another version has other fields and documents, so the reviewer decides whether their reasons still hold.
    { quiet: true, version: String(found.version) },
  )
  const queue = useCertificationQueue({ id: found.id, back, to })
  const leave = () => {
    draft.done()
    return queue.leave()
  }
  const { pass, reject, revoke } = useDecisions(found, { reason, refused: form.refused, done: draft.done, leave })
  const sendBack = () => {
    const body = form.check({
      version: found.version,
      reason,
      fields: Object.entries(fields).map(([field, why]) => ({ field, reason: why })),
      documents: Object.entries(documents).map(([kind, why]) => ({ kind: kind as CertificationDocument, reason: why })),
    })
    if (body) reject.mutate(body)
  }
  const canDecide = found.mayDecide
  const missing = new Set(
    Object.keys(form.errors).flatMap((path) => {
      const [, list, index] = /^(fields|documents)\.(\d+)\./.exec(path) ?? []
      return list && index ? [Object.keys(list === 'fields' ? fields : documents)[Number(index)] ?? ''] : []
    }),
  )
  return (
    <>
      <ReviewHead found={found} />
      <div className="split">
        <div className="stack">
          <ReviewedFields
            found={found}
            rejections={canDecide ? { reasons: fields, missing, set: (key, why) => setFields((all) => withReason(all, key, why)) } : null}
          />
          <ReviewedDocuments
            documents={found.documents}
            rejections={
              canDecide ? { reasons: documents, missing, set: (key, why) => setDocuments((all) => withReason(all, key, why)) } : null
            }
          />
        </div>
        {found.documents.length > 0 && (
          <section className="panel split-side" aria-label={certification.steps.papers}>
            <FileViewer
              files={found.documents.map(({ kind, fileId, mime }) => ({ key: kind, label: certification.documents[kind], fileId, mime }))}
            />
          </section>
        )}
      </div>
      <CertificationHistory events={found.events} />
      {(canDecide || found.mayRevoke) && (
        <Decision
          found={found}
          queue={queue}
          draft={draft}
          reason={reason}
          error={form.errors.reason}
          onReason={(value) => {
            setReason(value)
            form.clear('reason')
          }}
          busy={pass.isPending || reject.isPending || revoke.isPending}
          onPass={() => pass.mutate()}
          onSendBack={sendBack}
          onRevoke={(onSettled) => revoke.mutate(undefined, { onSettled })}
        />
      )}
    </>
  )
}

/** The applications that wait for this reviewer, the longest waiting first. */
function useCertificationQueue({ id, back, to }: { id: number; back: string; to: (id: number) => string }) {
  const waiting = useQuery({
    queryKey: [listCertifications.url, 'queue'],
    queryFn: () => call(listCertifications, { query: { status: certificationStatus.inReview, pageSize: queueSize } }),
    placeholderData: (before) => before,
  })
  return useReviewQueue({ ids: waiting.data?.rows.map((row) => row.id) ?? [], id, to, list: back })
}

type Decided = { reason: string; refused: (error: unknown) => void; done: () => void; leave: () => Promise<void> }

/** The calls that end a review. Each of them refetches the review, which then has another version. */
function useDecisions(found: CertificationReview, { reason, refused, done, leave }: Decided) {
  const { review } = useText().certification
  const params = { id: found.id }
  const refresh = () => invalidate(getCertification, listCertifications)
  const pass = useMutation({
    mutationFn: () => call(passCertification, { params, body: { version: found.version } }),
    onSuccess: async () => {
      toast('success', review.passed)
      await leave()
    },
    onSettled: refresh,
  })
  const reject = useMutation({
    mutationFn: (body: Parameters<typeof call<typeof rejectCertification>>[1]['body']) => call(rejectCertification, { params, body }),
    onSuccess: async () => {
      toast('success', review.rejected)
      await leave()
      await refresh()
    },
    onError: async (error) => {
      refused(error)
      if (isOutdated(error)) await refresh()
    },
  })
  const revoke = useMutation({
    mutationFn: () => call(revokeCertification, { params, body: { reason } }),
    onSuccess: async () => {
      done()
      toast('success', review.revoked)
      await refresh()
    },
    onError: async (error) => {
      if (!(error instanceof ApiError)) throw error
      if (isOutdated(error)) await refresh()
    },
  })
  return { pass, reject, revoke }
}

/** The name, the applicant and the status, with the checks that the server has made. */
function ReviewHead({ found }: { found: CertificationReview }) {
  const { certification } = useText()
  const { review } = certification
  return (
    <>
      <div className="row between">
        <div>
          <h1>{found.name}</h1>
          <p className="soft num broken">
            {certification.kinds[found.kind]} · {review.applicant} {found.applicant} {found.phonenumber} ·{' '}
            <span className="unbroken">{minute(found.submittedAt)}</span>
          </p>
        </div>
        <Tag tone={certificationTone[found.status]}>{certification.status[found.status]}</Tag>
      </div>
      <ul className="checks-done">
        {found.checks.map((check) => (
          <li key={check.kind} className="panel">
            <Tag tone={checkTone[check.result]}>{review.results[check.result]}</Tag>
            <span>
              {review.checks[check.kind]}
              {check.detail && <span className="small soft"> {check.detail}</span>}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

const checkTone: Record<CertificationReview['checks'][number]['result'], Tone> = { good: 'good', look: 'warn', bad: 'bad' }

/** The overall reason and the decision. Revoking asks for a confirmation. */
function Decision({
  found,
  queue,
  draft,
  reason,
  error,
  onReason,
  busy,
  onPass,
  onSendBack,
  onRevoke,
}: {
  found: CertificationReview
  queue: ReviewQueue
  draft: LocalDraftOf
  reason: string
  error: string | undefined
  onReason: (reason: string) => void
  busy: boolean
  onPass: () => void
  onSendBack: () => void
  onRevoke: (onSettled: () => void) => void
}) {
  const { review } = useText().certification
  const [isRevoking, setRevoking] = useState(false)
  const revoking = useForm(revokeCertification.body)
  const change = (value: string) => {
    onReason(value)
    revoking.clear('reason')
  }
  const overall = { label: review.overall, usual: review.reasons, value: reason, draft, onChange: change }
  return (
    <>
      <ReviewBar
        name={found.name}
        since={found.mayDecide ? found.submittedAt : null}
        queue={queue}
        reason={{ ...overall, error: error ? review.nothingMarked : revoking.errors.reason }}
        {...(found.mayDecide && {
          pass: { label: review.pass, question: review.passAsk, run: onPass },
          sendBack: { label: review.sendBack, run: onSendBack },
        })}
        busy={busy}
      >
        {found.mayRevoke && !found.mayDecide && (
          <button
            type="button"
            className="button button-danger"
            aria-disabled={busy}
            onClick={() => setRevoking(revoking.check({ reason }) !== null)}
          >
            {review.revoke}
          </button>
        )}
      </ReviewBar>
      <ConfirmDialog
        open={isRevoking}
        onClose={() => setRevoking(false)}
        title={review.revoke}
        action={review.revoke}
        busy={busy}
        onConfirm={() => onRevoke(() => setRevoking(false))}
      >
        <p>{review.revokeAsk[found.kind]}</p>
        <p className="soft">{found.name}</p>
      </ConfirmDialog>
    </>
  )
}
