import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { askAgain, closeFeedback, getFeedback, listOwnFeedback } from '#shared/feedback/contract.ts'
import { mayMove } from '#shared/feedback/rules.ts'
import { call } from '../app/api.ts'
import { DraftNote } from '../app/form-bar.tsx'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { FeedbackThread } from '../feedback/feedback-parts.tsx'
import { TextareaField, SubmitForm } from '../ui/form-fields.tsx'
import { isOutdated } from '../app/outdated.ts'
import { invalidate } from '../app/queries.ts'
import { paths } from '#shared/paths.ts'
import { useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { useSentText } from '../app/use-sent-text.ts'
import { Head } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { Link } from '../ui/link.tsx'

export default function FeedbackDetailPage() {
  const [params] = useSearchParams()
  const id = Number(params.get('id')) || 0
  return <FeedbackDetail key={id} id={id} />
}

function FeedbackDetail({ id }: { id: number }) {
  const text = useText()
  const { feedback } = text.personal
  const site = useSiteName()
  const { messageChanges } = useSession()
  const [closing, setClosing] = useState(false)
  const [stars, setStars] = useState<number | null>(null)
  const { input, draft, busy, submit } = useSentText(askAgain.body, {
    name: `feedback-${id}`,
    field: 'content',
    send: (content) => call(askAgain, { params: { id }, body: { content } }),
    done: feedback.asked,
    changes: [getFeedback, listOwnFeedback],
  })
  // An answer comes with a message: `messageChanges` in the key then refetches the thread.
  const found = useQuery({
    queryKey: [getFeedback.url, id, messageChanges],
    queryFn: () => call(getFeedback, { params: { id } }),
    placeholderData: (before) => before,
  })
  const isAnswered = found.data?.replies.some(({ byOperator }) => byOperator)
  const refresh = () => invalidate(getFeedback, listOwnFeedback)
  const close = useMutation({
    mutationFn: () => call(closeFeedback, { params: { id }, body: { satisfaction: stars } }),
    onSuccess: () => {
      setClosing(false)
      toast('success', feedback.closed)
      return refresh()
    },
    onError: (error) => {
      if (!isOutdated(error)) return undefined
      setClosing(false)
      return refresh()
    },
  })
  return (
    <div className="stack">
      <Head title={found.data?.title ?? feedback.title} site={site} index={false} />
      <p className="small">
        <Link to={paths.feedback}>{feedback.title}</Link>
      </p>
      {!found.data ? (
        <Unloaded queries={[found]} />
      ) : (
        <>
          <h1>{found.data.title}</h1>
          <FeedbackThread found={found.data} ours="person" />
          {mayMove('ask', found.data.status, 'person') && (
            <SubmitForm className="panel stack" onSubmit={submit}>
              <TextareaField label={feedback.ask} maxLength={1000} {...input} />
              <DraftNote draft={draft} />
              <p className="row">
                <button type="submit" className="button button-primary" aria-disabled={busy}>
                  {feedback.send}
                </button>
                <button type="button" className="button" onClick={() => setClosing(true)}>
                  {feedback.close}
                </button>
              </p>
            </SubmitForm>
          )}
        </>
      )}
      <ConfirmDialog
        open={closing}
        onClose={() => setClosing(false)}
        title={feedback.close}
        kind="info"
        action={feedback.close}
        busy={close.isPending}
        onConfirm={() => close.mutate()}
      >
        <p>{isAnswered ? feedback.closeAsk : feedback.closeUnanswered}</p>
        {isAnswered && (
          <div className="row" role="radiogroup" aria-label={feedback.closeAsk}>
            {[1, 2, 3, 4, 5].map((n) => (
              <label key={n} className="check">
                <input type="radio" name="stars" checked={stars === n} onChange={() => setStars(n)} />
                {feedback.stars(n)}
              </label>
            ))}
          </div>
        )}
      </ConfirmDialog>
    </div>
  )
}
