import { useSearchParams } from 'react-router'
import { listOwnFeedback } from '#shared/feedback/contract.ts'
import { FeedbackRows, feedbackTabs } from '../feedback/feedback-rows.tsx'
import { ListFrame, useList } from '../app/list-frame.tsx'
import { paths } from '#shared/paths.ts'
import { useText } from '../app/text.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 10

export default function FeedbackListPage() {
  const text = useText()
  const { feedback } = text.personal
  const [params] = useSearchParams()
  const list = useList(listOwnFeedback, pageSize)
  return (
    <ListFrame
      title={feedback.title}
      lead={feedback.lead}
      actions={
        <Link className="button button-primary" to={paths.addFeedback}>
          {feedback.add}
        </Link>
      }
      tabs={feedbackTabs(text, params)}
      list={list}
      empty={feedback.none}
      emptyHint={feedback.noneHint}
      pageSize={pageSize}
    >
      {(rows) => <FeedbackRows rows={rows} to={paths.feedbackDetail} />}
    </ListFrame>
  )
}
