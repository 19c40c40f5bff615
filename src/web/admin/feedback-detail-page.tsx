import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { answerFeedback, finishFeedback, getFeedback, listAllFeedback } from '#shared/feedback/contract.ts'
import { mayMove } from '#shared/feedback/rules.ts'
import { call } from '../app/api.ts'
import { colon } from '../app/colon.ts'
import { DraftNote } from '../app/form-bar.tsx'
import { useConfirm } from '../app/use-confirm.tsx'
import { FeedbackThread } from '../feedback/feedback-parts.tsx'
import { TextareaField, SubmitForm } from '../ui/form-fields.tsx'
import { paths } from '#shared/paths.ts'
import { useSiteName } from '../app/site.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { useSentText } from '../app/use-sent-text.ts'
import { Head } from '../ui/parts.tsx'
import { useFirstField } from '../app/use-form.ts'
import { Link } from '../ui/link.tsx'

export default function AdminFeedbackDetailPage() {
  const [params] = useSearchParams()
  const id = Number(params.get('id')) || 0
  return <AdminFeedbackDetail key={id} id={id} />
}

function AdminFeedbackDetail({ id }: { id: number }) {
  const text = useText()
  const { feedback } = text.personal
  const site = useSiteName()
  const found = useQuery({ queryKey: [getFeedback.url, id], queryFn: () => call(getFeedback, { params: { id } }) })
  const seen = found.data?.replies.length ?? 0
  const { input, draft, busy, submit } = useSentText(answerFeedback.body, {
    name: `feedback-reply-${id}`,
    field: 'content',
    beside: { seen },
    send: (content) => call(answerFeedback, { params: { id }, body: { content, seen } }),
    done: feedback.replied,
    changes: [getFeedback, listAllFeedback],
  })
  const { confirm, dialog } = useConfirm(getFeedback, listAllFeedback)
  useFirstField(found.data !== undefined)
  return (
    <div className="stack">
      <Head title={found.data?.title ?? feedback.all} site={site} index={false} />
      <p className="small">
        <Link to={paths.adminFeedback()}>{feedback.all}</Link>
      </p>
      {!found.data ? (
        <Unloaded queries={[found]} />
      ) : (
        <>
          <h1>{found.data.title}</h1>
          <p className="soft">
            {feedback.author}
            {colon(text)}
            {found.data.author}
          </p>
          <FeedbackThread found={found.data} ours="operator" />
          {mayMove('answer', found.data.status, 'operator') && (
            <SubmitForm className="panel stack" onSubmit={submit}>
              <TextareaField label={feedback.reply} required maxLength={1000} {...input} />
              <DraftNote draft={draft} />
              <p className="row">
                <button type="submit" className="button button-primary" aria-disabled={busy}>
                  {feedback.reply}
                </button>
                <button
                  type="button"
                  className="button"
                  onClick={() =>
                    confirm({
                      title: feedback.finish,
                      question: feedback.finishAsk,
                      harmless: true,
                      run: () => call(finishFeedback, { params: { id }, body: { seen } }),
                      done: () => feedback.finished,
                    })
                  }
                >
                  {feedback.finish}
                </button>
                {dialog}
              </p>
            </SubmitForm>
          )}
        </>
      )}
    </div>
  )
}
