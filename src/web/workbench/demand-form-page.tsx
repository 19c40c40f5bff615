import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { listOwnDepts } from '#shared/company/contract.ts'
import { getDraft, getOwnDemand, publishDemand } from '#shared/demand/contract.ts'
import { call } from '../api.ts'
import { named } from '../format.ts'
import { paths } from '../paths.ts'
import { queries } from '../queries.ts'
import { useCategories } from '../reference.ts'
import { useSiteName } from '../site.ts'
import { useText } from '../text.tsx'
import { Empty, Head, Skeleton } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useThrottle } from '../ui/throttle.ts'
import { useForm } from '../use-form.ts'
import { BasicsSection, DutiesSection, MoreSection } from './demand-form-sections.tsx'
import { blankForm, blankItem, fromDemand, fromDraft, toInput, type DemandForm, type ItemForm } from './draft.ts'
import { ItemEditor } from './item-editor.tsx'
import { useDraft } from './use-draft.ts'

/** Publish, publish from a draft (`id`, `draft`), copy an older demand (`copy`), or start from a machine (`categoryId`, `invite`). */
export default function DemandFormPage() {
  const text = useText()
  const [params] = useSearchParams()
  // Read once: the address changes when the draft is first saved, the form does not.
  const [start] = useState(() => ({
    draft: params.get('id') ?? params.get('draft'),
    copy: params.get('copy'),
    categoryId: Number(params.get('categoryId')) || null,
  }))
  const depts = useQuery({ queryKey: [listOwnDepts.url], queryFn: () => call(listOwnDepts, {}) })
  const draft = useQuery({
    queryKey: [getDraft.url, start.draft],
    queryFn: () => call(getDraft, { params: { id: start.draft ?? '0' } }),
    enabled: start.draft !== null,
    gcTime: 0,
    staleTime: Infinity,
  })
  const source = useQuery({
    queryKey: [getOwnDemand.url, start.copy, 'copy'],
    queryFn: () => call(getOwnDemand, { params: { id: start.copy ?? '0' } }),
    enabled: start.copy !== null,
  })
  const categories = useCategories()

  if (depts.isPending || categories.size === 0 || (start.draft !== null && draft.isPending) || (start.copy !== null && source.isPending))
    return <Skeleton rows={5} />
  if (draft.isError || source.isError) return <Empty title={text.refusal.not_found} />
  const list = depts.data ?? []
  if (list.length === 0) return <Empty title={text.demand.form.noProject} />
  const category = start.categoryId === null ? undefined : categories.get(start.categoryId)
  const initial = draft.data
    ? fromDraft(draft.data.form)
    : source.data
      ? fromDemand(source.data)
      : {
          ...blankForm(),
          ...(category && {
            items: [
              blankItem({ categoryId: category.id, fatherCategoryId: category.parentId, rentUnit: (category.priceUnits[0] ?? 'M') as 'M' }),
            ],
          }),
        }
  return (
    <Editor
      initial={initial.deptId === null ? ofProject(initial, list[0] as Project) : initial}
      kept={draft.data ? { id: draft.data.id, version: draft.data.version } : null}
      projects={list}
    />
  )
}

export type Project = {
  deptId: number
  projectName: string
  projectType: string
  provinceId: number | null
  cityId: number | null
  districtId: number | null
  address: string
  lowEmissionZone: boolean
  leader: string
  phone: string
}

/** A project brings its site, its zone and its contact along. */
function ofProject(form: DemandForm, project: Project): DemandForm {
  return {
    ...form,
    deptId: project.deptId,
    provinceId: project.provinceId,
    cityId: project.cityId,
    districtId: project.districtId,
    address: project.address,
    lowEmissionZone: project.lowEmissionZone,
    contactName: form.contactName || project.leader,
    contactPhone: form.contactPhone || project.phone,
  }
}

function Editor({
  initial,
  kept,
  projects,
}: {
  initial: DemandForm
  kept: { id: number; version: number } | null
  projects: readonly Project[]
}) {
  const text = useText()
  const words = text.demand.form
  const site = useSiteName()
  const navigate = useNavigate()
  const categories = useCategories()
  const [values, setValues] = useState(initial)
  const [dirty, setDirty] = useState(false)
  const [busy, setBusy] = useState(false)
  const form = useForm(publishDemand.body)
  const onSaved = useCallback(
    ({ id }: { id: number }) => {
      // A reload brings the draft back; the page itself stays as it is.
      if (kept === null) window.history.replaceState(window.history.state, '', paths.addDemand(`?draft=${id}`))
      void queries.invalidateQueries({ queryKey: ['/business/leasingDemand/draftList'] })
    },
    [kept],
  )
  const draft = useDraft(values, kept, dirty, onSaved)

  const change = useCallback(
    (next: Partial<DemandForm>) => {
      setDirty(true)
      setValues((before) => ({ ...before, ...next }))
      for (const key of Object.keys(next)) if (key !== 'items') form.clear(key)
    },
    [form.clear],
  )
  const changeItem = (index: number, next: Partial<ItemForm>) => {
    setDirty(true)
    setValues((before) => ({ ...before, items: before.items.map((item, at) => (at === index ? { ...item, ...next } : item)) }))
    for (const key of Object.keys(next)) form.clear(`items.${index}.${key === 'specs' ? 'specRequirements' : key}`)
  }
  const setItems = (items: ItemForm[]) => {
    setDirty(true)
    setValues((before) => ({ ...before, items }))
    form.setErrors({})
  }
  const remove = (index: number) => {
    const { items } = values
    setItems(items.filter((_, at) => at !== index))
    toast('info', words.removedLine, { label: words.undo, run: () => setItems(items) })
  }
  const suggestTitle = () => {
    const project = projects.find(({ deptId }) => deptId === values.deptId)?.projectName ?? ''
    const lines = values.items.flatMap((item) => {
      const category = item.categoryId === null ? undefined : categories.get(item.categoryId)
      return category
        ? [
            text.locale === 'zh-CN'
              ? `${category.alias[0] ?? category.name}${item.qty}${text.site.common.units.machine}`
              : `${named(text, category)} ×${item.qty}`,
          ]
        : []
    })
    change({ title: `${project} ${lines.join(text.locale === 'zh-CN' ? '、' : ', ')}`.trim().slice(0, 60) })
  }

  const publish = useThrottle(() => {
    const draftId = draft.draftId()
    const body = form.check({ ...toInput(values), ...(draftId && { draftId }) })
    if (!body) return
    setBusy(true)
    draft.stop()
    call(publishDemand, { body: { ...toInput(values), ...(draftId && { draftId }) } as never })
      .then(async ({ id, demandCode }) => {
        toast('success', words.published(demandCode))
        void queries.invalidateQueries()
        await navigate(paths.ownDemand(id))
      })
      .catch(form.refused)
      .finally(() => setBusy(false))
  })
  const count = Object.keys(form.errors).length
  return (
    <form
      noValidate
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        publish()
      }}
    >
      <Head title={words.title} site={site} index={false} />
      <header className="row between">
        <h1>{words.title}</h1>
        <p className="small soft" role="status">
          {draft.state.kind === 'saving' && words.saving}
          {draft.state.kind === 'saved' && words.savedAt(draft.state.at)}
          {draft.state.kind === 'failed' && words.saveFailed}
          {draft.state.kind === 'idle' && words.draft}
        </p>
      </header>
      {draft.state.kind === 'conflict' && (
        <div className="notice notice-warn row between" role="alert">
          {words.conflict}
          <button type="button" className="button button-small" onClick={() => void draft.save(true)}>
            {words.saveCopy}
          </button>
        </div>
      )}
      <BasicsSection
        values={values}
        errors={form.errors}
        projects={projects}
        change={change}
        onProject={(project) => change(ofProject(values, project))}
        onSuggest={suggestTitle}
      />
      <section className="panel stack">
        <h2>{words.sections.lines}</h2>
        {values.items.map((item, index) => (
          <ItemEditor
            key={item.key}
            item={item}
            index={index}
            errors={within(form.errors, `items.${index}.`)}
            onChange={(next) => changeItem(index, next)}
            onCopy={() => setItems([...values.items.slice(0, index + 1), blankItem(item), ...values.items.slice(index + 1)])}
            onRemove={values.items.length > 1 ? () => remove(index) : null}
          />
        ))}
        <p>
          <button
            type="button"
            className="button"
            disabled={values.items.length >= 20}
            onClick={() =>
              setItems([
                ...values.items,
                blankItem({ planStart: values.items.at(-1)?.planStart ?? '', planEnd: values.items.at(-1)?.planEnd ?? '' }),
              ])
            }
          >
            + {words.addLine}
          </button>
        </p>
      </section>
      <DutiesSection values={values} errors={form.errors} change={change} />
      <MoreSection values={values} errors={form.errors} change={change} />
      <div className="action-bar">
        <span className="small" role="status">
          {count > 0 && <span className="field-error">{words.fix(count)}</span>}
        </span>
        <button type="submit" className="button button-primary" disabled={busy}>
          {busy ? words.submitting : words.submit}
        </button>
      </div>
    </form>
  )
}

function within(errors: Record<string, string>, prefix: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).flatMap(([key, message]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), message]] : [])),
  )
}
