import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { listOwnDepts } from '#shared/company/contract.ts'
import { getDraft, getOwnDemand, publishDemand, type OwnDemand } from '#shared/demand/contract.ts'
import { PublishInput } from '#shared/demand/input.ts'
import { amendDemand } from '#shared/demand/moves.ts'
import { compareQuotes } from '#shared/quote/contract.ts'
import { call, type ApiError } from '../app/api.ts'
import { TextareaField } from '../ui/form-fields.tsx'
import { named } from '../app/format.ts'
import { paths } from '#shared/paths.ts'
import { queries } from '../app/queries.ts'
import { useCategories } from '../category/category-tree.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Empty, Head, Skeleton } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useThrottle } from '../ui/throttle.ts'
import { useForm } from '../app/use-form.ts'
import { BasicsSection, DutiesSection, MoreSection } from './demand-form-sections.tsx'
import { blankForm, blankItem, fromDemand, fromDraft, toInput, type DemandForm, type ItemForm, type Project } from './draft.ts'
import { InternalChecks } from './internal-check.tsx'
import { ItemEditor } from './item-editor.tsx'
import { useCeilings } from './use-ceilings.ts'
import { useDraft } from './use-draft.ts'

const takings = ['copy', 'rest', 'revise', 'amend'] as const

/**
 * Publish, publish from a draft (`id`, `draft`), copy an older demand (`copy`), ask again for what it did not award
 * (`rest`), mend a rejected one (`revise`), change one that is being quoted (`amend`), or start from a machine
 * (`categoryId`, `invite`).
 */
export default function DemandFormPage() {
  const text = useText()
  const [params] = useSearchParams()
  // Read once: the address changes when the draft is first saved, the form does not.
  const [start] = useState(() => {
    const taking = takings.find((one) => params.get(one))
    return {
      draft: params.get('id') ?? params.get('draft'),
      taking,
      source: taking ? params.get(taking) : null,
      categoryId: Number(params.get('categoryId')) || null,
    }
  })
  const depts = useQuery({ queryKey: [listOwnDepts.url], queryFn: () => call(listOwnDepts, {}) })
  const draft = useQuery({
    queryKey: [getDraft.url, start.draft],
    queryFn: () => call(getDraft, { params: { id: start.draft ?? '0' } }),
    enabled: start.draft !== null,
    gcTime: 0,
    staleTime: Infinity,
  })
  const source = useQuery({
    queryKey: [getOwnDemand.url, start.source, start.taking],
    queryFn: async () => {
      const demand = await call(getOwnDemand, { params: { id: start.source ?? '0' } })
      if (start.taking !== 'rest') return { demand, awarded: new Map<number, number>() }
      const { award } = await call(compareQuotes, { params: { demandId: demand.id } })
      const awarded = new Map<number, number>()
      for (const { demandItemId, qty } of award?.lines ?? []) awarded.set(demandItemId, (awarded.get(demandItemId) ?? 0) + qty)
      return { demand, awarded }
    },
    enabled: start.source !== null,
    gcTime: 0,
    // What is being changed here is not replaced under the person's hands.
    staleTime: Infinity,
  })
  const categories = useCategories()

  if (depts.isPending || categories.size === 0 || (start.draft !== null && draft.isPending) || (start.source !== null && source.isPending))
    return <Skeleton rows={5} />
  if (draft.isError || source.isError) return <Empty title={text.refusal.not_found} />
  const list = depts.data ?? []
  if (list.length === 0) return <Empty title={text.demand.form.noProject} />
  const category = start.categoryId === null ? undefined : categories.get(start.categoryId)
  const initial = draft.data
    ? fromDraft(draft.data.form)
    : source.data && start.taking
      ? fromDemand(source.data.demand, start.taking, source.data.awarded)
      : {
          ...blankForm(),
          ...(category && {
            items: [
              blankItem({ categoryId: category.id, fatherCategoryId: category.parentId, rentUnit: (category.priceUnits[0] ?? 'M') as 'M' }),
            ],
          }),
        }
  const { demand } = source.data ?? {}
  return (
    <Editor
      initial={initial.deptId === null ? ofProject(initial, list[0] as Project) : initial}
      kept={draft.data ? { id: draft.data.id, version: draft.data.version } : null}
      changing={demand && (start.taking === 'amend' || start.taking === 'revise') ? { demand, taking: start.taking } : null}
      projects={list}
    />
  )
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
  changing,
  projects,
}: {
  initial: DemandForm
  kept: { id: number; version: number } | null
  /** A demand that is there already: sent as a change, not kept as a draft. */
  changing: { demand: OwnDemand; taking: 'amend' | 'revise' } | null
  projects: readonly Project[]
}) {
  const text = useText()
  const words = text.demand.form
  const { own } = text.demand
  const site = useSiteName()
  const navigate = useNavigate()
  const categories = useCategories()
  const [values, setValues] = useState(initial)
  const [dirty, setDirty] = useState(false)
  const [busy, setBusy] = useState(false)
  const [changeReason, setChangeReason] = useState('')
  const [overtaken, setOvertaken] = useState(false)
  const amending = changing?.taking === 'amend' ? changing.demand : null
  const form = useForm(amending ? amendDemand.body : PublishInput)
  const isNew = kept === null
  const onSaved = useCallback(
    ({ id }: { id: number }) => {
      // A reload brings the draft back; the page itself stays as it is.
      if (isNew) window.history.replaceState(window.history.state, '', paths.addDemand(`?draft=${id}`))
      void queries.invalidateQueries({ queryKey: ['/business/leasingDemand/draftList'] })
    },
    [isNew],
  )
  const draft = useDraft(values, kept, dirty && changing === null, onSaved)

  const { clear } = form
  const change = useCallback(
    (next: Partial<DemandForm>) => {
      setDirty(true)
      setValues((before) => ({ ...before, ...next }))
      for (const key of Object.keys(next)) if (key !== 'items') clear(key)
    },
    [clear],
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

  const send = async (): Promise<number> => {
    if (amending) {
      const { quoteDeadline } = await call(amendDemand, { body: bodyOf() as never })
      toast('success', own.amended(quoteDeadline.slice(0, 16)))
      return amending.id
    }
    const { id, demandCode, status } = await call(publishDemand, { body: bodyOf() as never })
    toast('success', status === '1' ? words.submitted(demandCode) : words.published(demandCode))
    return id
  }
  const bodyOf = () => {
    const input = toInput(values)
    if (amending) return { ...input, id: amending.id, version: amending.version, changeReason }
    const draftId = changing ? changing.demand.id : draft.draftId()
    return { ...input, ...(draftId && { draftId }) }
  }
  const publish = useThrottle(() => {
    if (!form.check(bodyOf())) return
    setBusy(true)
    setOvertaken(false)
    draft.stop()
    send()
      .then(async (id) => {
        void queries.invalidateQueries()
        await navigate(paths.ownDemand(id))
      })
      .catch((error: unknown) => {
        form.refused(error)
        if ((error as ApiError).code === 409) setOvertaken(true)
      })
      .finally(() => setBusy(false))
  })
  const ceilings = useCeilings(values, categories)
  const count = Object.keys(form.errors).length
  const title = amending ? words.amendTitle : words.title
  return (
    <form
      noValidate
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        publish()
      }}
    >
      <Head title={title} site={site} index={false} />
      <header className="row between">
        <h1>{title}</h1>
        <p className="small soft" role="status">
          {draft.state.kind === 'saving' && words.saving}
          {draft.state.kind === 'saved' && words.savedAt(draft.state.at)}
          {draft.state.kind === 'failed' && words.saveFailed}
          {draft.state.kind === 'idle' && changing === null && words.draft}
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
      {overtaken && changing && (
        <div className="notice notice-warn row between" role="alert">
          {own.changed}
          <a className="button button-small" href={paths.ownDemand(changing.demand.id)} target="_blank" rel="noreferrer">
            {own.changedOpen}
          </a>
        </div>
      )}
      {amending && (
        <section className="panel stack">
          <p className="soft">{own.amendHint}</p>
          <TextareaField
            label={own.amendReason}
            required
            maxLength={500}
            value={changeReason}
            onChange={(value) => {
              setChangeReason(value)
              form.clear('changeReason')
            }}
            error={form.errors.changeReason}
          />
        </section>
      )}
      <BasicsSection
        fixed={amending !== null}
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
            listed={ceilings[index] ?? null}
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
      {!amending && <InternalChecks values={values} errors={form.errors} change={change} />}
      <DutiesSection values={values} errors={form.errors} change={change} />
      <MoreSection fixed={amending !== null} values={values} errors={form.errors} change={change} />
      <div className="action-bar">
        <span className="small" role="status">
          {count > 0 && <span className="field-error">{words.fix(count)}</span>}
        </span>
        <button type="submit" className="button button-primary" disabled={busy}>
          {busy ? words.submitting : amending ? words.amendSubmit : words.submit}
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
