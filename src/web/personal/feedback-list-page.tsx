import { useSearchParams } from 'react-router'
import { listOwnFeedback } from '#shared/feedback/contract.ts'
import { feedbackStatuses } from '#shared/feedback/rules.ts'
import { feedbackTone } from '../feedback/feedback-parts.tsx'
import { minute } from '../app/format.ts'
import { ListFrame, useList } from '../app/list-frame.tsx'
import { paths } from '#shared/paths.ts'
import { useText } from '../app/text.tsx'
import { Tag } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 10

export default function FeedbackListPage() {
  const text = useText()
  const { feedback } = text.personal
  const [params] = useSearchParams()
  const status = feedbackStatuses.find((one) => one === params.get('status')) ?? ''
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
      filters={
        <nav className="tabs" aria-label={text.site.common.status}>
          {(['', ...feedbackStatuses] as const).map((one) => (
            <Link key={one} to={one ? `?status=${one}` : '?'} aria-current={one === status ? 'page' : undefined}>
              {one ? feedback.status[one] : text.site.common.all}
            </Link>
          ))}
        </nav>
      }
      list={list}
      empty={feedback.none}
      emptyHint={feedback.noneHint}
      pageSize={pageSize}
    >
      {(rows) => (
        <ul className="articles panel">
          {rows.map((one) => (
            <li key={one.id}>
              <div className="row between">
                <h2 className="card-title">
                  <Link to={paths.feedbackDetail(one.id)}>{one.title}</Link>
                </h2>
                <Tag tone={feedbackTone[one.status]}>{feedback.status[one.status]}</Tag>
              </div>
              <p className="small soft">
                {feedback.types[one.type]} · {one.feedbackCode} · {minute(one.updateTime)}
              </p>
            </li>
          ))}
        </ul>
      )}
    </ListFrame>
  )
}
