import type { z } from 'zod'
import type { listOwnFeedback } from '#shared/feedback/contract.ts'
import { feedbackStatuses } from '#shared/feedback/rules.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { minute } from '../app/format.ts'
import { useText } from '../app/text.tsx'
import { Link } from '../ui/link.tsx'
import { Tag } from '../ui/parts.tsx'
import type { Tab } from '../ui/tabs.tsx'
import { feedbackTone } from './feedback-parts.tsx'

/** One tab for all feedback and one for each status. A search goes on in each. */
export function feedbackTabs(text: Text, params: URLSearchParams): Tab[] {
  const chosen = feedbackStatuses.find((status) => status === params.get('status')) ?? ''
  const keyword = params.get('keyword')
  return (['', ...feedbackStatuses] as const).map((status) => ({
    to: `?${new URLSearchParams({ ...(status && { status }), ...(keyword && { keyword }) })}`,
    label: status ? text.personal.feedback.status[status] : text.site.common.all,
    current: status === chosen,
  }))
}

/** The rows of a list of feedback. `to` gives the page of one, and `named` says who wrote it. */
export function FeedbackRows({
  rows,
  to,
  named = false,
}: {
  rows: readonly z.infer<(typeof listOwnFeedback)['answer']>[]
  to: (id: number) => string
  named?: boolean
}) {
  const { feedback } = useText().personal
  return (
    <ul className="articles panel">
      {rows.map((one) => (
        <li key={one.id}>
          <div className="row between">
            <h2 className="card-title">
              <Link to={to(one.id)}>{one.title}</Link>
            </h2>
            <Tag tone={feedbackTone[one.status]}>{feedback.status[one.status]}</Tag>
          </div>
          <p className="small soft">
            {named && `${one.author} · `}
            {feedback.types[one.type]} · {one.feedbackCode} · <span className="num">{feedback.updated(minute(one.updateTime))}</span>
          </p>
        </li>
      ))}
    </ul>
  )
}
