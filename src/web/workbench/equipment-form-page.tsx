import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { dayOf } from '#shared/calendar.ts'
import {
  addEquipment,
  deleteEquipment,
  editEquipment,
  getOwnEquipment,
  retireEquipment,
  withdrawEquipment,
  type OwnMachine,
} from '#shared/equipment/own.ts'
import { documentKinds, type DocumentKind } from '#shared/equipment/rules.ts'
import { equipmentProblems, neededDocuments } from '#shared/equipment/upload.ts'
import { ApiError, call } from '../app/api.ts'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { SubmitForm } from '../ui/form-fields.tsx'
import { minute } from '../app/format.ts'
import { paths } from '#shared/paths.ts'
import { queries } from '../app/queries.ts'
import { useCategories } from '../category/category-tree.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Empty, Head, Skeleton, Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useForm } from '../app/use-form.ts'
import { MachineCalendar } from './machine-calendar.tsx'
import { blankMachine, fromMachine, toMachineInput, type MachineForm } from './machine-form.ts'
import { MachinePaper, MachinePhotos } from './machine-papers.tsx'
import { MachinePrices } from './machine-prices.tsx'
import { BasicFields, IdentityFields, MoreFields, PlaceFields, SpecFields } from './machine-fields.tsx'
import { Link } from '../ui/link.tsx'

/** Writes a machine down, or changes one (`id`). */
export default function EquipmentFormPage() {
  const text = useText()
  const [params] = useSearchParams()
  const id = params.get('id')
  const categories = useCategories()
  const found = useQuery({
    queryKey: [getOwnEquipment.url, id],
    queryFn: () => call(getOwnEquipment, { params: { id: id ?? '0' } }),
    enabled: id !== null,
  })
  if (categories.size === 0 || (id !== null && found.isPending)) return <Skeleton rows={5} />
  if (found.isError) return <Empty title={text.refusal.not_found} action={<Link to={paths.ownMachines}>{text.equipment.own.title}</Link>} />
  return <Editor key={id ?? 'new'} machine={found.data ?? null} />
}

function Editor({ machine }: { machine: OwnMachine | null }) {
  const text = useText()
  const words = text.equipment.upload
  const site = useSiteName()
  const navigate = useNavigate()
  const categories = useCategories()
  const [values, setValues] = useState<MachineForm>(() => (machine ? fromMachine(machine) : blankMachine()))
  const [version, setVersion] = useState(machine?.version ?? 0)
  const [overtaken, setOvertaken] = useState(false)
  const [asking, setAsking] = useState<'delete' | 'retire' | null>(null)
  const form = useForm(machine ? editEquipment.body : addEquipment.body)
  const category = values.categoryId === null ? undefined : categories.get(values.categoryId)
  const status = machine?.auditStatus ?? '0'
  const disabled = status === '1' || machine?.rentStatus === '4'
  const set = (change: Partial<MachineForm>) => {
    setValues((before) => ({ ...before, ...change }))
    for (const key of Object.keys(change)) form.clear(key)
  }
  const input = () =>
    toMachineInput(values, (key) => category?.params.find((one) => one.key === key)?.type, category?.alias[0] ?? category?.name ?? '')

  const save = useMutation({
    mutationFn: async (submit: boolean) => {
      const body = { ...input(), submit, ...(machine && { id: machine.id, version }) }
      if (!form.check(body)) return null
      const parsed = addEquipment.body.parse(body)
      const problems = equipmentProblems(parsed, category, submit || status === '2', dayOf(new Date()))
      if (problems.length > 0) {
        form.setErrors(Object.fromEntries(problems.map(({ path, rule }) => [path.join('.'), text.rule.codes[rule] ?? text.rule.format])))
        toast('warning', text.refusal.invalid)
        return null
      }
      return machine
        ? call(editEquipment, { body: body as never })
        : { ...(await call(addEquipment, { body: body as never })), waiting: false }
    },
    onSuccess: async (done, submit) => {
      if (!done) return
      setVersion((before) => before + 1)
      setOvertaken(false)
      toast('success', done.waiting ? words.waiting : status === '2' ? words.saved : submit ? words.submitted : words.drafted)
      await queries.invalidateQueries()
      if (!machine) await navigate(paths.editMachine(done.id), { replace: true })
    },
    onError: (error) => {
      form.refused(error)
      setOvertaken(error instanceof ApiError && error.code === 409)
    },
  })
  const act = useMutation({
    mutationFn: async (what: 'delete' | 'retire' | 'withdraw') => {
      const params = { id: machine?.id ?? 0 }
      await call(what === 'delete' ? deleteEquipment : what === 'retire' ? retireEquipment : withdrawEquipment, { params })
    },
    onSuccess: async (_, what) => {
      toast('success', what === 'delete' ? words.deleted : what === 'retire' ? words.retired : words.withdrawn)
      setAsking(null)
      await queries.invalidateQueries()
      if (what === 'delete') await navigate(paths.ownMachines)
      else setVersion((before) => before + 1)
    },
    onError: () => setAsking(null),
  })
  const needed: DocumentKind[] = category
    ? neededDocuments(
        { categoryId: category.id, specs: values.specs, outFactoryDate: values.outFactoryDate, prices: values.prices },
        category,
        dayOf(new Date()),
      )
    : []
  const shownPapers = [...new Set<DocumentKind>([...needed, ...(Object.keys(values.papers) as DocumentKind[])])]
  const otherPapers = documentKinds.filter((kind) => !shownPapers.includes(kind))
  const title = machine ? words.editTitle : words.title
  const count = Object.keys(form.errors).length
  const parts = { values, errors: form.errors, set, category }
  return (
    <div className="stack">
      <Head title={title} site={site} index={false} />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.ownMachines}>{text.equipment.own.title}</Link>
        {machine && (
          <>
            {' '}
            / <span className="num">{machine.equipmentCode}</span>
          </>
        )}
      </nav>
      <header className="row between">
        <h1>{title}</h1>
        {machine && (
          <p className="row">
            <Tag tone={status === '2' ? 'good' : status === '3' ? 'bad' : 'warn'}>{text.equipment.audit[status]}</Tag>
            <Tag>{text.equipment.shelf[machine.shelfStatus]}</Tag>
            {machine.change?.status === '1' && <Tag tone="warn">{words.changing}</Tag>}
          </p>
        )}
      </header>
      {status === '3' && machine && <p className="notice notice-warn">{words.rejectedFor(machine.auditReason)}</p>}
      {status === '1' && (
        <p className="notice row between">
          {words.inReview}
          <button type="button" className="button button-small" disabled={act.isPending} onClick={() => act.mutate('withdraw')}>
            {words.withdraw}
          </button>
        </p>
      )}
      {status === '2' && <p className="small soft">{words.keyHint}</p>}
      {machine?.change && machine.change.status !== '4' && machine.change.status !== '2' && (
        <section className={`notice ${machine.change.status === '3' ? 'notice-warn' : ''}`}>
          <p className="row between">
            <strong>{machine.change.status === '3' ? words.rejectedFor(machine.change.reason) : words.changing}</strong>
            {machine.change.status === '1' && (
              <button type="button" className="button button-small" onClick={() => act.mutate('withdraw')}>
                {words.withdraw}
              </button>
            )}
          </p>
          <ul className="small">
            {machine.change.fields.map(({ field, before, after }) => (
              <li key={field}>
                {field}: <s>{before}</s> → {after}
              </li>
            ))}
          </ul>
        </section>
      )}
      {overtaken && (
        <div className="notice notice-warn" role="alert">
          {text.refusal.changed}{' '}
          <a href={machine ? paths.editMachine(machine.id) : paths.ownMachines} target="_blank" rel="noreferrer">
            {text.demand.own.changedOpen}
          </a>
        </div>
      )}
      <SubmitForm onSubmit={() => save.mutate(true)}>
        <fieldset className="stack bare" disabled={disabled}>
          <section className="panel stack">
            <h2>{words.sections.basics}</h2>
            <BasicFields {...parts} />
          </section>
          {category && (
            <>
              <section className="panel stack">
                <h2>{words.sections.specs}</h2>
                <SpecFields {...parts} />
              </section>
              <section className="panel stack">
                <h2>{words.sections.identity}</h2>
                <IdentityFields {...parts} />
              </section>
            </>
          )}
          <section className="panel stack">
            <h2>{words.sections.place}</h2>
            <PlaceFields {...parts} />
          </section>
          <section className="panel stack">
            <h2>{words.sections.prices}</h2>
            <MachinePrices prices={values.prices} errors={form.errors} onChange={(prices) => set({ prices })} />
          </section>
          <section className="panel stack">
            <h2>{words.sections.photos}</h2>
            <MachinePhotos
              ids={values.imageIds}
              error={form.errors.imageIds}
              disabled={disabled}
              onChange={(next) => {
                setValues((before) => ({ ...before, imageIds: next(before.imageIds) }))
                form.clear('imageIds')
              }}
            />
          </section>
          {category && (
            <section className="panel stack">
              <h2>{words.sections.papers}</h2>
              <p className="small soft">{words.papersHint}</p>
              {form.errors.papers && <p className="field-error">{form.errors.papers}</p>}
              <div className="papers">
                {[...shownPapers, ...otherPapers].map((kind) => (
                  <MachinePaper
                    key={kind}
                    kind={kind}
                    paper={values.papers[kind]}
                    required={needed.includes(kind)}
                    disabled={disabled}
                    error={form.errors[`papers.${kind}`]}
                    onChange={(paper) => {
                      const { [kind]: _, ...rest } = values.papers
                      set({ papers: paper ? { ...rest, [kind]: paper } : rest })
                      form.clear(`papers.${kind}`)
                    }}
                  />
                ))}
              </div>
            </section>
          )}
          <section className="panel stack">
            <h2>{words.sections.more}</h2>
            <MoreFields {...parts} />
          </section>
        </fieldset>
        {!disabled && (
          <div className="action-bar">
            <span className="small" role="status">
              {count > 0 && <span className="field-error">{text.demand.form.fix(count)}</span>}
            </span>
            <span className="row">
              {machine && (status === '0' || status === '3') && (
                <button type="button" className="button button-danger" onClick={() => setAsking('delete')}>
                  {words.delete}
                </button>
              )}
              {machine && status === '2' && (
                <button type="button" className="button button-danger" onClick={() => setAsking('retire')}>
                  {words.retire}
                </button>
              )}
              {status !== '2' && (
                <button type="button" className="button" disabled={save.isPending} onClick={() => save.mutate(false)}>
                  {words.draft}
                </button>
              )}
              <button type="submit" className="button button-primary" disabled={save.isPending}>
                {status === '2' ? words.save : words.submit}
              </button>
            </span>
          </div>
        )}
      </SubmitForm>
      {machine && machine.rentStatus !== '4' && <MachineCalendar machine={machine} />}
      {machine && (
        <section className="panel">
          <h2>{words.sections.history}</h2>
          <ol className="timeline">
            {machine.events.map((event) => (
              <li key={event.id}>
                <strong>{words.move[event.move] ?? event.move}</strong> <span className="small faint num">{minute(event.at)}</span>
                {event.note && event.move !== 'change' && <p className="small soft">{event.note}</p>}
              </li>
            ))}
          </ol>
        </section>
      )}
      <ConfirmDialog
        open={asking !== null}
        onClose={() => setAsking(null)}
        title={asking === 'delete' ? words.delete : words.retire}
        action={asking === 'delete' ? words.delete : words.retire}
        busy={act.isPending}
        onConfirm={() => asking && act.mutate(asking)}
      >
        <p>{asking === 'delete' ? words.deleteAsk : words.retireAsk}</p>
      </ConfirmDialog>
    </div>
  )
}
