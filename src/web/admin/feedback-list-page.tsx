import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { listAllFeedback } from '#shared/feedback/contract.ts'
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

export default function AdminFeedbackListPage() {
  const text = useText()
  const { feedback } = text.personal
  const site = useSiteName()
  const [params] = useSearchParams()
  const status = feedbackStatuses.find((one) => one === params.get('status')) ?? ('' as const)
  const query = { pageNum: Number(params.get('pageNum')) || 1, pageSize, status, keyword: params.get('keyword') ?? '' }
  const list = useQuery({
    queryKey: [listAllFeedback.url, query],
    queryFn: () => call(listAllFeedback, { query }),
    placeholderData: (before) => before,
  })
  return (
    <div className="stack">
      <Head title={feedback.all} site={site} index={false} />
      <h1>{feedback.all}</h1>
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
                  <Link to={paths.adminFeedbackDetail(one.id)}>{one.title}</Link>
                </h2>
                <Tag tone={feedbackTone[one.status] ?? 'plain'}>{feedback.status[one.status]}</Tag>
              </div>
              <p className="small soft">
                {one.author} · {feedback.types[one.type]} · {one.feedbackCode} · {minute(one.updateTime)}
              </p>
            </li>
          ))}
        </ul>
      ) : (
        <div className="panel">
          <Empty title={text.site.common.empty} />
        </div>
      )}
      <ListPages total={list.data?.total ?? 0} pageSize={pageSize} />
    </div>
  )
}
