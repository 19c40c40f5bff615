import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import {
  addArticle,
  ArticleInput,
  editArticle,
  getManagedArticle,
  listManagedArticles,
  previewArticle,
  publishArticle,
  type ArticleState,
} from '#shared/article/manage.ts'
import { articleTab, articleTabs } from '#shared/article/rules.ts'
import { toMoment } from '#shared/calendar.ts'
import { DateField } from '../app/date-field.tsx'
import { ApiError, call } from '../app/api.ts'
import { isConflict } from '../app/outdated.ts'
import { LeaveGuard } from '../app/leave-guard.tsx'
import { CheckField, SelectField, SubmitForm, TextareaField, TextField } from '../ui/form-fields.tsx'
import { minute } from '../app/format.ts'
import { paths } from '#shared/paths.ts'
import { invalidate } from '../app/queries.ts'
import { useSiteName } from '../app/site.ts'
import { FormProblems } from '../app/form-problems.tsx'
import { Unloaded } from '../app/list-frame.tsx'
import { DraftState } from '../app/form-bar.tsx'
import { useText } from '../app/text.tsx'
import { useValuesDraft } from '../app/use-local-draft.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Head, Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useFields, useFirstField, type Errors } from '../app/use-form.ts'
import { useNextPage } from '../app/use-next-page.ts'
import { articleTone } from './article-list-page.tsx'
import { ArticlePreview } from './article-preview.tsx'
import { RichText } from './rich-text.tsx'
import { Link } from '../ui/link.tsx'

const fetchArticle = (id: string) => call(getManagedArticle, { params: { id } })
type StoredArticle = Awaited<ReturnType<typeof fetchArticle>>

export default function ArticleEditPage() {
  const text = useText()
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const id = params.get('id')
  // A new article gets its address with its first save. The editor stays, with the cursor and what was typed meanwhile.
  const [added, setAdded] = useState<number | null>(null)
  useEffect(() => {
    if (added !== null) void navigate(paths.editArticle(added), { replace: true })
  }, [added, navigate])
  const isNew = id === null || id === String(added)
  const found = useQuery({
    queryKey: [getManagedArticle.url, id, 'edit'],
    queryFn: () => fetchArticle(id ?? '0'),
    enabled: !isNew,
    // A later fetch must not replace what the operator is typing.
    staleTime: Infinity,
    gcTime: 0,
  })
  if (!isNew && !found.data)
    return <Unloaded queries={[found]} rows={6} back={<Link to={paths.articles()}>{text.admin.menu.articles}</Link>} />
  return <ArticleEditor key={isNew ? 'new' : id} article={isNew ? null : (found.data ?? null)} onAdded={setAdded} />
}

const initialOf = (article: StoredArticle | null) => ({
  tab: article?.tab ?? articleTab.industry,
  title: article?.title ?? '',
  summary: article?.summary ?? '',
  content: article?.content ?? '',
  source: article?.source ?? '',
  author: article?.author ?? '',
  top: article?.top ?? false,
})

type ArticleValues = ReturnType<typeof initialOf>

function ArticleEditor({ article, onAdded }: { article: StoredArticle | null; onAdded: (id: number) => void }) {
  const text = useText()
  const words = text.admin.articles
  const site = useSiteName()
  const goOn = useNextPage()
  const title = article ? words.edit : words.add
  const [stored, setStored] = useState<{ id: number; version: number } | null>(article && { id: article.id, version: article.version })
  const [state, setState] = useState<ArticleState>(article?.state ?? 'draft')
  const [time, setTime] = useState(article?.state === 'scheduled' ? article.publishTime : '')
  const [overtaken, setOvertaken] = useState(false)
  const [preview, setPreview] = useState<string | null>(null)
  const [initial] = useState(() => initialOf(article))
  const form = useFields(ArticleInput, initial)
  useFirstField(article === null)
  const { values, set, errors } = form
  const [saved, setSaved] = useState(JSON.stringify(initial))
  // The editor reads its text once, so a restored one opens another editor.
  const [opened, setOpened] = useState({ content: initial.content, turn: 0 })
  const draft = useValuesDraft(`article-${article?.id ?? 'new'}`, values, (restored) => {
    form.setValues(restored)
    setOpened(({ turn }) => ({ content: restored.content, turn: turn + 1 }))
  })
  const changed = JSON.stringify(values) !== saved
  /** Returns the saved article, or null when it was refused. */
  const save = async (): Promise<typeof stored> => {
    let current: typeof stored = null
    await form.submit(async (body) => {
      try {
        const answer = stored ? await call(editArticle, { body: { ...body, ...stored } }) : await call(addArticle, { body })
        setStored(answer)
        setSaved(JSON.stringify(values))
        // What is typed during the first save is no draft of another new article.
        draft.saved(values, { name: `article-${answer.id}` })
        current = answer
        if (!stored) onAdded(answer.id)
        await invalidate(listManagedArticles)
      } catch (problem) {
        if (isConflict(problem)) setOvertaken(true)
        throw problem
      }
    })
    return current
  }
  const changeTime = (typed: string) => {
    setTime(typed)
    form.clear('publishTime')
  }
  const publish = async (publishTime: string | null) => {
    const current = await save()
    if (!current) return
    try {
      await call(publishArticle, { params: { id: current.id }, body: { version: current.version, publishTime } })
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem
      if (isConflict(problem)) setOvertaken(true)
      form.refused(problem)
      return
    }
    const later = publishTime !== null && publishTime > toMoment(new Date())
    setState(later ? 'scheduled' : 'published')
    toast('success', later ? words.scheduled(minute(publishTime)) : words.published)
    await invalidate(listManagedArticles)
    await goOn(paths.articles())
  }
  return (
    <div className="stack">
      <Head title={title} site={site} index={false} />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.articles()}>{text.admin.menu.articles}</Link>
      </nav>
      <div className="row between">
        <h1>{title}</h1>
        <Tag tone={articleTone[state]}>{words.states[state]}</Tag>
      </div>
      {overtaken && <p className="notice notice-warn">{words.overtaken}</p>}
      <SubmitForm className="stack" onSubmit={() => void save().then((current) => current && toast('success', words.saved))}>
        <ArticleFields values={values} errors={errors} set={set} />
        <RichText key={opened.turn} label={words.content} value={opened.content} onChange={set('content')} error={errors.content} />
        <section className="panel stack">
          <FormProblems />
          <div className="row">
            <button type="submit" className="button" aria-disabled={form.busy || !changed}>
              {words.save}
            </button>
            <button
              type="button"
              className="button"
              onClick={() =>
                void call(previewArticle, { body: { content: values.content } }).then(
                  ({ content }) => setPreview(content),
                  () => undefined,
                )
              }
            >
              {words.preview}
            </button>
            <button type="button" className="button button-primary" aria-disabled={form.busy} onClick={() => void publish(null)}>
              {words.publishNow}
            </button>
          </div>
          <Schedule time={time} onTime={changeTime} error={errors.publishTime} busy={form.busy} onSchedule={() => void publish(time)} />
          {changed && <p className="small soft">{words.unsaved}</p>}
          <DraftState draft={draft} />
        </section>
      </SubmitForm>
      <PreviewDialog html={preview} title={values.title || words.preview} onClose={() => setPreview(null)} />
      <UnsavedGuard changed={changed} own={stored && paths.editArticle(stored.id)} />
    </div>
  )
}

type ScheduleProps = { time: string; onTime: (time: string) => void; error: string | undefined; busy: boolean; onSchedule: () => void }

function Schedule({ time, onTime, error, busy, onSchedule }: ScheduleProps) {
  const { articles: words } = useText().admin
  return (
    <div className="toolbar">
      <DateField
        className="field-moment"
        moment
        label={words.publishTime}
        hint={words.scheduleHint}
        value={time}
        onChange={onTime}
        error={error}
      />
      <button type="button" className="button" aria-disabled={busy || time === '' || time <= toMoment(new Date())} onClick={onSchedule}>
        {words.schedule}
      </button>
    </div>
  )
}

function ArticleFields({
  values,
  errors,
  set,
}: {
  values: ArticleValues
  errors: Errors
  set: <K extends keyof ArticleValues>(name: K) => (value: ArticleValues[K]) => void
}) {
  const words = useText().admin.articles
  return (
    <section className="panel stack">
      <div className="form-grid">
        <SelectField
          label={words.tab}
          value={values.tab}
          onChange={set('tab')}
          options={articleTabs.map((tab) => [tab, words.tabs[tab]])}
        />
        <TextField
          className="span-all"
          label={words.titleField}
          required
          value={values.title}
          onChange={set('title')}
          error={errors.title}
          maxLength={80}
        />
        <TextareaField
          label={words.summary}
          hint={words.summaryHint}
          value={values.summary}
          onChange={set('summary')}
          error={errors.summary}
          maxLength={200}
        />
        <TextField label={words.source} value={values.source} onChange={set('source')} error={errors.source} maxLength={40} />
        <TextField label={words.author} value={values.author} onChange={set('author')} error={errors.author} maxLength={20} />
      </div>
      <CheckField label={words.top} value={values.top} onChange={set('top')} />
    </section>
  )
}

function PreviewDialog({ html, title, onClose }: { html: string | null; title: string; onClose: () => void }) {
  const { action } = useText().site
  return (
    <Dialog open={html !== null} onClose={onClose} title={title} wide closeLabel={action.close}>
      {/* The server has passed this HTML through its allow list. */}
      <ArticlePreview html={html ?? ''} />
    </Dialog>
  )
}

/** Asks before unsaved text is left. `own` is the address that the article got with its first save. */
function UnsavedGuard({ changed, own }: { changed: boolean; own: string | null }) {
  const words = useText().admin.articles
  return (
    <LeaveGuard when={changed && ((to) => to !== own)} title={words.unsaved} action={words.leave}>
      {words.leaveAsk}
    </LeaveGuard>
  )
}
