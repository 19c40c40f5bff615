import { useSearchParams } from 'react-router'
import { listAllFeedback } from '#shared/feedback/contract.ts'
import { FeedbackRows, feedbackTabs } from '../feedback/feedback-rows.tsx'
import { ListFrame, useList } from '../app/list-frame.tsx'
import { paths } from '#shared/paths.ts'
import { useText } from '../app/text.tsx'
import { TodoChip } from '../app/todo-chip.tsx'

const pageSize = 10

export default function AdminFeedbackListPage() {
  const text = useText()
  const { feedback } = text.personal
  const [params] = useSearchParams()
  const list = useList(listAllFeedback, pageSize)
  return (
    <ListFrame
      title={feedback.all}
      tabs={feedbackTabs(text, params)}
      filters={<TodoChip kind="feedback" />}
      list={list}
      empty={text.site.common.empty}
      pageSize={pageSize}
    >
      {(rows) => <FeedbackRows rows={rows} to={paths.adminFeedbackDetail} named />}
    </ListFrame>
  )
}
