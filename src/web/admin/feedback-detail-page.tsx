import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { answerFeedback, finishFeedback, getFeedback, listAllFeedback } from '#shared/feedback/contract.ts'
import { mayMove } from '#shared/feedback/rules.ts'
import { call } from '../app/api.ts'
import { colon } from '../app/colon.ts'
import { DraftNote } from '../app/form-bar.tsx'
import { useConfirm } from '../app/use-confirm.tsx'
import { FeedbackThread } from '../feedback/feedback-parts.tsx'
import { TextareaField, SubmitForm } from '../ui/form-fields.tsx'
import { invalidate } from '../app/queries.ts'
import { paths } from '#shared/paths.ts'
import { useSiteName } from '../app/site.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { useValuesDraft } from '../app/use-local-draft.ts'
import { Head } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useFirstField, useForm } from '../app/use-form.ts'
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
  const [content, setContent] = useState('')
  const form = useForm(answerFeedback.body)
  const draft = useValuesDraft(`feedback-reply-${id}`, { content }, (stored) => setContent(stored.content))
  const { confirm, dialog } = useConfirm(getFeedback, listAllFeedback)
  const found = useQuery({ queryKey: [getFeedback.url, id], queryFn: () => call(getFeedback, { params: { id } }) })
  useFirstField(found.data !== undefined)
  const answer = useMutation({
    mutationFn: (body: { content: string }) => call(answerFeedback, { params: { id }, body }),
    onSuccess: (_, sent) => {
      // The next one may be typed while this one is sent.
      setContent((now) => (now === sent.content ? '' : now))
      draft.done({ content: '' }, sent)
      toast('success', feedback.replied)
      return invalidate(getFeedback, listAllFeedback)
    },
    onError: form.refused,
  })
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
            <SubmitForm
              className="panel stack"
              onSubmit={() => {
                const body = form.check({ content })
                if (body) answer.mutate(body)
              }}
            >
              <TextareaField
                label={feedback.reply}
                error={form.errors.content}
                required
                maxLength={1000}
                value={content}
                onChange={(value) => {
                  setContent(value)
                  form.clear('content')
                }}
              />
              <DraftNote draft={draft} />
              <p className="row">
                <button type="submit" className="button button-primary" aria-disabled={answer.isPending}>
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
                      run: () => call(finishFeedback, { params: { id } }),
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
