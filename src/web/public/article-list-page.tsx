import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { listArticles } from '#shared/article/contract.ts'
import { articleTab, articleTabs } from '#shared/article/rules.ts'
import { call, type Caller } from '../app/api.ts'
import { day } from '../app/format.ts'
import { ListPages } from '../app/list-pages.tsx'
import { paths } from '#shared/paths.ts'
import { useRememberedFilters } from '../app/remember.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Empty, Head } from '../ui/parts.tsx'
import { callAsVisitor, filtersOf, queryOf, refusePageBeyondEnd } from '../app/visit.ts'
import { Link } from '../ui/link.tsx'
import { Tabs } from '../ui/tabs.tsx'

const pageSize = 5

async function load(caller: Caller, request: Request) {
  const { tab } = filtersOf(request)
  const list = await caller(listArticles, { query: { ...queryOf(request, listArticles), pageSize } })
  refusePageBeyondEnd(request, { ...list, pageSize })
  return { list, tab: articleTabs.find((one) => one === tab) ?? articleTab.industry }
}

export const loader = ({ context, request }: LoaderFunctionArgs) => load(callAsVisitor(context), request)
export const clientLoader = ({ request }: { request: Request }) => load(call, request)

export default function ArticleListPage() {
  const { list, tab } = useLoaderData<typeof loader>()
  const text = useText()
  const site = useSiteName()
  useRememberedFilters('notice')
  const { articles } = text.site
  return (
    <div className="wrap page">
      <Head title={articles.title} description={[articles.title, ...Object.values(articles.tabs)].join(' · ')} site={site} />
      <header className="page-head">
        <h1>{articles.title}</h1>
      </header>
      <Tabs
        label={articles.title}
        tabs={articleTabs.map((one) => ({ to: paths.articleTab(one), label: articles.tabs[one], current: one === tab }))}
      />
      {list.rows.length === 0 ? (
        <Empty title={text.site.common.empty} />
      ) : (
        <ul className="articles panel">
          {list.rows.map((article) => (
            <li key={article.id}>
              <div className="row between">
                <h2 className="card-title">
                  <Link to={paths.article(article.id)}>{article.title}</Link>
                </h2>
                <span className="small faint num">{day(article.publishTime)}</span>
              </div>
              <p className="small soft">{article.summary}</p>
            </li>
          ))}
        </ul>
      )}
      <ListPages total={list.total} pageSize={pageSize} />
    </div>
  )
}
