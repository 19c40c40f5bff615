import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { listOwnFeedback } from '#shared/feedback/contract.ts'
import { feedbackStatuses } from '#shared/feedback/rules.ts'
import { call } from '../app/api.ts'
import { feedbackTone } from '../feedback/feedback-parts.tsx'
import { minute } from '../app/format.ts'
import { ListPages } from '../app/list-pages.tsx'
import { paths } from '#shared/paths.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Empty, Head, Skeleton, Tag } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 10

export default function FeedbackListPage() {
  const text = useText()
  const { feedback } = text.personal
  const site = useSiteName()
  const [params] = useSearchParams()
  const pageNum = Number(params.get('pageNum')) || 1
  const status = feedbackStatuses.find((one) => one === params.get('status')) ?? ''
  const list = useQuery({
    queryKey: [listOwnFeedback.url, pageNum, status],
    queryFn: () => call(listOwnFeedback, { query: { pageNum, pageSize, status } }),
    placeholderData: (before) => before,
  })
  return (
    <div className="stack">
      <Head title={feedback.title} site={site} index={false} />
      <div className="row between">
        <div>
          <h1>{feedback.title}</h1>
          <p className="soft">{feedback.lead}</p>
        </div>
        <Link className="button button-primary" to={paths.addFeedback}>
          {feedback.add}
        </Link>
      </div>
      <nav className="tabs" aria-label={text.site.common.status}>
        {(['', ...feedbackStatuses] as const).map((one) => (
          <Link key={one} to={one ? `?status=${one}` : '?'} aria-current={one === status ? 'page' : undefined}>
            {one ? feedback.status[one] : text.site.common.all}
          </Link>
        ))}
      </nav>
      {list.isPending ? (
        <Skeleton />
      ) : list.data?.rows.length ? (
        <ul className="articles panel">
          {list.data.rows.map((one) => (
            <li key={one.id}>
              <div className="row between">
                <h2 className="card-title">
                  <Link to={paths.feedbackDetail(one.id)}>{one.title}</Link>
                </h2>
                <Tag tone={feedbackTone[one.status] ?? 'plain'}>{feedback.status[one.status]}</Tag>
              </div>
              <p className="small soft">
                {feedback.types[one.type]} · {one.feedbackCode} · {minute(one.updateTime)}
              </p>
            </li>
          ))}
        </ul>
      ) : (
        <div className="panel">
          <Empty title={feedback.none} hint={feedback.noneHint} />
        </div>
      )}
      <ListPages total={list.data?.total ?? 0} pageSize={pageSize} />
    </div>
  )
}
