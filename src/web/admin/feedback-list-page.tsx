import { useSearchParams } from 'react-router'
import { listAllFeedback } from '#shared/feedback/contract.ts'
import { FeedbackRows, feedbackTabs } from '../feedback/feedback-rows.tsx'
import { FilterForm, TextFilter } from '../app/filter-form.tsx'
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
  const [keyword, status, todo] = ['keyword', 'status', 'todo'].map((name) => params.get(name) ?? undefined)
  return (
    <ListFrame
      title={feedback.all}
      tabs={feedbackTabs(text, params)}
      filters={
        <>
          <TodoChip kind="feedback" />
          <FilterForm views={['status', 'todo']}>
            {status && <input type="hidden" name="status" value={status} />}
            {todo && <input type="hidden" name="todo" value={todo} />}
            <TextFilter name="keyword" label={feedback.keyword} value={keyword} />
          </FilterForm>
        </>
      }
      list={list}
      empty={text.site.common.empty}
      pageSize={pageSize}
    >
      {(rows) => <FeedbackRows rows={rows} to={paths.adminFeedbackDetail} named />}
    </ListFrame>
  )
}
