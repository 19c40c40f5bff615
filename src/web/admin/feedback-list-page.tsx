import { useSearchParams } from 'react-router'
import { listAllFeedback } from '#shared/feedback/contract.ts'
import { feedbackStatuses } from '#shared/feedback/rules.ts'
import { feedbackTone } from '../feedback/feedback-parts.tsx'
import { minute } from '../app/format.ts'
import { ListFrame, useList } from '../app/list-frame.tsx'
import { paths } from '#shared/paths.ts'
import { useText } from '../app/text.tsx'
import { TodoChip } from '../app/todo-chip.tsx'
import { Tag } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 10

export default function AdminFeedbackListPage() {
  const text = useText()
  const { feedback } = text.personal
  const [params] = useSearchParams()
  const status = feedbackStatuses.find((one) => one === params.get('status')) ?? ('' as const)
  const list = useList(listAllFeedback, pageSize)
  return (
    <ListFrame
      title={feedback.all}
      filters={
        <>
          <nav className="tabs" aria-label={text.site.common.status}>
            {(['', ...feedbackStatuses] as const).map((one) => (
              <Link key={one} to={one ? `?status=${one}` : '?'} aria-current={one === status ? 'page' : undefined}>
                {one ? feedback.status[one] : text.site.common.all}
              </Link>
            ))}
          </nav>
          <TodoChip kind="feedback" />
        </>
      }
      list={list}
      empty={text.site.common.empty}
      pageSize={pageSize}
    >
      {(rows) => (
        <ul className="articles panel">
          {rows.map((one) => (
            <li key={one.id}>
              <div className="row between">
                <h2 className="card-title">
                  <Link to={paths.adminFeedbackDetail(one.id)}>{one.title}</Link>
                </h2>
                <Tag tone={feedbackTone[one.status]}>{feedback.status[one.status]}</Tag>
              </div>
              <p className="small soft">
                {one.author} · {feedback.types[one.type]} · {one.feedbackCode} · <span className="num">{minute(one.updateTime)}</span>
              </p>
            </li>
          ))}
        </ul>
      )}
    </ListFrame>
  )
}
