import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { getArticle } from '#shared/article/contract.ts'
import { call, type Caller } from '../app/api.ts'
import { colon } from '../app/colon.ts'
import { minute } from '../app/format.ts'
import { paths } from '#shared/paths.ts'
import { useOrigin, useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Head, Structured } from '../ui/parts.tsx'
import { callAsVisitor, filtersOf } from '../app/visit.ts'
import { Link } from '../ui/link.tsx'

const load = async (caller: Caller, request: Request) => ({
  article: await caller(getArticle, { params: { id: filtersOf(request).id ?? '0' } }),
})

export const loader = ({ context, request }: LoaderFunctionArgs) => load(callAsVisitor(context), request)
export const clientLoader = ({ request }: { request: Request }) => load(call, request)

export default function ArticleDetailPage() {
  const { article } = useLoaderData<typeof loader>()
  const text = useText()
  const site = useSiteName()
  const { articles } = text.site
  const origin = useOrigin()
  return (
    <div className="wrap page stack">
      <Head title={article.title} description={article.summary} site={site} type="article" />
      <Structured
        data={{
          '@type': 'NewsArticle',
          headline: article.title,
          description: article.summary,
          datePublished: `${article.publishTime.replace(' ', 'T')}+08:00`,
          author: { '@type': 'Organization', name: article.author || article.source || site },
          publisher: { '@type': 'Organization', name: site },
          mainEntityOfPage: `${origin}${paths.article(article.id)}`,
        }}
      />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.articleTab(article.tab)}>{articles.tabs[article.tab]}</Link>
      </nav>
      <article className="panel article">
        <h1>{article.title}</h1>
        <p className="small faint mt-8 mb-16">
          <span className="num">{minute(article.publishTime)}</span> · {articles.source} {article.source} ·{' '}
          <span className="num">{articles.views(article.viewCount)}</span>
        </p>
        {/* The server has reduced this HTML to its allow list of tags (cleanHtml). */}
        <div className="rich" dangerouslySetInnerHTML={{ __html: article.content }} />
      </article>
      <p className="row between small">
        {article.previous ? (
          <Link to={paths.article(article.previous.id)}>
            {articles.previous}
            {colon(text)}
            {article.previous.title}
          </Link>
        ) : (
          <span />
        )}
        {article.next && (
          <Link to={paths.article(article.next.id)}>
            {articles.next}
            {colon(text)}
            {article.next.title}
          </Link>
        )}
      </p>
    </div>
  )
}
