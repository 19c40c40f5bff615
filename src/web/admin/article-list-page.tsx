import { useSearchParams } from 'react-router'
import {
  articleStates,
  deleteArticle,
  exportArticles,
  listManagedArticles,
  publishArticle,
  takeArticleOff,
  type ArticleState,
} from '#shared/article/manage.ts'
import type { Answered } from '#shared/endpoint.ts'
import { call } from '../app/api.ts'
import { useConfirm, type Confirmation } from '../app/use-confirm.tsx'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { minute, number } from '../app/format.ts'
import { useList } from '../app/list-frame.tsx'
import { paths } from '#shared/paths.ts'
import { useRememberedFilters } from '../app/remember.ts'
import { useText } from '../app/text.tsx'
import { queryOf } from '../app/visit.ts'
import { exportList, WorkList } from '../app/work-list.tsx'
import { Tag, type Tone } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 20
export const articleTone: Record<ArticleState, Tone> = { draft: 'plain', scheduled: 'amber', published: 'good', offline: 'plain' }

type ArticleRow = Answered<typeof listManagedArticles>['rows'][number]

export default function ArticleListPage() {
  const text = useText()
  const words = text.admin.articles
  const [params] = useSearchParams()
  useRememberedFilters('articles')
  const list = useList(listManagedArticles, pageSize)
  const { confirm, dialog } = useConfirm(listManagedArticles)
  return (
    <>
      <WorkList
        name="articles"
        title={text.admin.menu.articles}
        lead={words.lead}
        actions={
          <Link className="button button-primary" to={paths.editArticle()}>
            {words.add}
          </Link>
        }
        filters={
          <FilterForm>
            <TextFilter name="keyword" label={words.titleField} value={params.get('keyword') ?? undefined} className="wide" />
            <SelectFilter
              name="tab"
              label={words.tab}
              value={params.get('tab') ?? undefined}
              all={text.site.common.all}
              options={Object.entries(words.tabs)}
            />
            <SelectFilter
              name="state"
              label={words.state}
              value={params.get('state') ?? undefined}
              all={text.site.common.all}
              options={articleStates.map((one) => [one, words.states[one]])}
            />
          </FilterForm>
        }
        list={list}
        keyOf={({ id }) => id}
        nameOf={({ title }) => title}
        exported={() => exportList(exportArticles, queryOf(params, exportArticles))}
        empty={words.empty}
        pageSize={pageSize}
        columns={[
          {
            id: 'titleField',
            label: words.titleField,
            whole: true,
            cell: (article) => (
              <>
                <Link to={paths.editArticle(article.id)}>{article.title}</Link> {article.top && <Tag tone="amber">{words.top}</Tag>}
                {article.author && <p className="small faint">{article.author}</p>}
              </>
            ),
          },
          { id: 'tab', label: words.tab, cell: ({ tab }) => words.tabs[tab] },
          { id: 'state', label: words.state, cell: ({ state }) => <Tag tone={articleTone[state]}>{words.states[state]}</Tag> },
          {
            id: 'publishTime',
            label: words.publishTime,
            sort: 'publishTime',
            cell: ({ state, publishTime }) => (
              <span className="num">{state === 'draft' ? text.site.common.none : minute(publishTime)}</span>
            ),
          },
          { id: 'views', label: words.views, num: true, cell: ({ viewCount }) => number(viewCount) },
          {
            id: 'actions',
            label: text.site.common.actions,
            cell: (article) => <ArticleActions article={article} confirm={confirm} />,
          },
        ]}
      />
      {dialog}
    </>
  )
}

function ArticleActions({ article, confirm }: { article: ArticleRow; confirm: (confirmation: Confirmation) => void }) {
  const text = useText()
  const words = text.admin.articles
  return (
    <span className="row small gap-10">
      {article.state === 'published' || article.state === 'scheduled' ? (
        <>
          {article.state === 'published' && (
            <a href={paths.article(article.id)} target="_blank" rel="noreferrer">
              {text.site.common.view}
              <span className="visually-hidden"> {article.title}</span>
            </a>
          )}
          <button
            type="button"
            className="link"
            onClick={() =>
              confirm({
                title: words.offline,
                question: words.offlineAsk,
                subject: article.title,
                run: () => call(takeArticleOff, { params: { id: article.id } }),
                done: () => words.offlined,
              })
            }
          >
            {words.offline}
            <span className="visually-hidden"> {article.title}</span>
          </button>
        </>
      ) : (
        <>
          <button
            type="button"
            className="link"
            onClick={() =>
              confirm({
                title: words.publishNow,
                question: article.title,
                harmless: true,
                run: () => call(publishArticle, { params: { id: article.id }, body: { version: article.version } }),
                done: () => words.published,
              })
            }
          >
            {words.publishNow}
            <span className="visually-hidden"> {article.title}</span>
          </button>
          <button
            type="button"
            className="link"
            onClick={() =>
              confirm({
                title: words.delete,
                question: words.deleteAsk,
                subject: article.title,
                run: () => call(deleteArticle, { params: { id: article.id } }),
                done: () => words.deleted,
              })
            }
          >
            {words.delete}
            <span className="visually-hidden"> {article.title}</span>
          </button>
        </>
      )}
    </span>
  )
}
