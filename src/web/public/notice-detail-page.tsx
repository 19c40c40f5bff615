import { Link, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { getArticle } from '#shared/article/contract.ts'
import { call, type Caller } from '../api.ts'
import { minute } from '../format.ts'
import { paths } from '../paths.ts'
import { useSiteName } from '../site.ts'
import { useText } from '../text.tsx'
import { Head } from '../ui/parts.tsx'
import { callAsVisitor, queryOf } from '../visit.ts'

const load = async (caller: Caller, request: Request) => ({
  article: await caller(getArticle, { params: { id: queryOf(request).id ?? '0' } }),
})

export const loader = ({ context, request }: LoaderFunctionArgs) => load(callAsVisitor(context), request)
export const clientLoader = ({ request }: { request: Request }) => load(call, request)

export default function NoticeDetailPage() {
  const { article } = useLoaderData<typeof loader>()
  const text = useText()
  const site = useSiteName()
  const { notice } = text.site
  return (
    <div className="wrap page stack">
      <Head title={article.title} description={article.summary} site={site} />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.notices(article.tab)}>{notice.tabs[article.tab]}</Link>
      </nav>
      <article className="panel article">
        <h1>{article.title}</h1>
        <p className="small faint num" style={{ margin: '8px 0 20px' }}>
          {minute(article.publishTime)} · {notice.source} {article.source} · {notice.views(article.viewCount)}
        </p>
        {article.content.split('\n\n').map((paragraph, index) => (
          <p key={index}>{paragraph}</p>
        ))}
      </article>
      <p className="row between small">
        {article.previous ? (
          <Link to={paths.notice(article.previous.id)}>
            {notice.previous}: {article.previous.title}
          </Link>
        ) : (
          <span />
        )}
        {article.next && (
          <Link to={paths.notice(article.next.id)}>
            {notice.next}: {article.next.title}
          </Link>
        )}
      </p>
    </div>
  )
}
