import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { addDays, dayOf } from '#shared/calendar.ts'
import {
  editBlacklist,
  getBlacklist,
  listBlacklist,
  listMachinesOf,
  listScopes,
  proposeBlacklist,
  type BlacklistDetail,
} from '#shared/blacklist/contract.ts'
import { blacklistLevels, proposedReasons, subjectKinds } from '#shared/blacklist/rules.ts'
import { DateField } from '../app/date-field.tsx'
import { call } from '../app/api.ts'
import { FormBar } from '../app/form-bar.tsx'
import { machineName } from '../app/format.ts'
import { SelectField, SubmitForm, TextareaField, TextField } from '../ui/form-fields.tsx'
import { paths } from '#shared/paths.ts'
import { nameIn } from '#shared/text/name-in.ts'
import { isConflict, isOutdated } from '../app/outdated.ts'
import { invalidate } from '../app/queries.ts'
import { roleIn, useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { Unloaded, UnloadedOptions } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { nameOfNew, useValuesDraft } from '../app/use-local-draft.ts'
import { Empty, Field, Head } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useForm, type Errors } from '../app/use-form.ts'
import { useNextPage } from '../app/use-next-page.ts'
import { FileList, type ListedFile } from '../file/file-list.tsx'
import { CompanyPicker } from '../category/pickers.tsx'
import { Link } from '../ui/link.tsx'

/** Proposes an entry, or edits an own proposal before its hearing (`id`). */
export default function BlacklistFormPage() {
  const [params] = useSearchParams()
  const id = params.get('id')
  const found = useQuery({
    queryKey: [getBlacklist.url, id, 'edit'],
    queryFn: () => call(getBlacklist, { params: { id: id ?? '0' } }),
    enabled: id !== null,
    gcTime: 0,
    // A later fetch must not replace what the person is typing.
    staleTime: Infinity,
  })
  const scopes = useQuery({ queryKey: [listScopes.url], queryFn: () => call(listScopes, {}) })
  if (!scopes.data || (id !== null && !found.data)) return <Unloaded queries={id === null ? [scopes] : [scopes, found]} rows={5} />
  if (found.data && !found.data.may.edit) return <LockedEntry entry={found.data} />
  return <BlacklistEditor key={id ?? 'new'} entry={found.data ?? null} scopes={scopes.data} />
}

/** An entry that is no proposal any more, or that somebody else proposed. */
function LockedEntry({ entry }: { entry: BlacklistDetail }) {
  const text = useText()
  const words = text.blacklist
  return (
    <div className="stack">
      <EditorHead title={words.edit} overtaken={false} />
      <Empty
        title={words.locked}
        hint={`${nameIn(text, entry.subjectName, entry.subjectNameEn)} · ${words.status[entry.status]}`}
        action={
          <Link className="button button-primary" to={paths.blacklistEntry(entry.id)}>
            {words.open}
          </Link>
        }
      />
    </div>
  )
}

/** A reason from before that is proposed no more stands as another one, in an entry as in a draft. */
const proposedReason = (code: string) => proposedReasons.find((reason) => reason === code) ?? 'other'

const initialOf = (entry: BlacklistDetail | null, scopeDeptId: string) => ({
  subjectKind: entry?.subjectKind ?? ('company' as const),
  equipmentId: entry?.equipmentId ? String(entry.equipmentId) : '',
  personName: entry?.personName ?? '',
  level: String(entry?.level ?? 2),
  scopeDeptId,
  reasonCode: proposedReason(entry?.reasonCode ?? 'quit'),
  facts: entry?.facts ?? '',
  fromDay: entry?.fromDay ?? dayOf(new Date()),
  toDay: entry?.toDay ?? addDays(dayOf(new Date()), 365),
})

type BlacklistValues = ReturnType<typeof initialOf>

type Scope = { deptId: number; deptName: string }

/** The values of a draft. A scope that is offered no more gives way: it would be sent although the field shows another one. */
const restoredOf = (
  { company: _, evidence: _files, ...typed }: BlacklistValues & { company: unknown; evidence: unknown },
  scopes: readonly Scope[],
  scopeDeptId: string,
): BlacklistValues => ({
  ...typed,
  reasonCode: proposedReason(typed.reasonCode),
  scopeDeptId: scopes.some(({ deptId }) => String(deptId) === typed.scopeDeptId) ? typed.scopeDeptId : scopeDeptId,
})

function BlacklistEditor({ entry, scopes }: { entry: BlacklistDetail | null; scopes: readonly Scope[] }) {
  const text = useText()
  const words = text.blacklist
  const goOn = useNextPage()
  // An entry of the platform has no scope: it holds everywhere.
  const platform = roleIn(useSession()) === 'operator'
  const [busy, setBusy] = useState(false)
  const [overtaken, setOvertaken] = useState(false)
  // The version that the form was filled from: a later one is somebody else's.
  const [version] = useState(entry?.version ?? 0)
  const [company, setCompany] = useState(entry ? [{ value: entry.companyId, label: entry.companyName }] : [])
  // Files as the picker gives them, so that a draft of the same ones is seen to be the same.
  const [evidence, setEvidence] = useState<ListedFile[]>(
    entry?.files.flatMap(({ part, fileId, name, mime }) => (part === 'evidence' ? { fileId, name, mime } : [])) ?? [],
  )
  const [values, setValues] = useState(() => initialOf(entry, platform ? '' : String(entry?.scopeDeptId ?? scopes[0]?.deptId ?? '')))
  const form = useForm(entry ? editBlacklist.body : proposeBlacklist.body)
  const [name] = useState(() => `blacklist-${entry?.id ?? nameOfNew()}`)
  const draft = useValuesDraft(name, { ...values, company, evidence }, (stored) => {
    setValues(restoredOf(stored, scopes, values.scopeDeptId))
    setCompany(stored.company)
    setEvidence(stored.evidence)
  })
  const set = (change: Partial<typeof values>) => {
    setValues((before) => ({ ...before, ...change }))
    for (const key of Object.keys(change)) form.clear(key)
  }
  const companyId = company[0]?.value
  const submit = async () => {
    const body = form.check({
      ...values,
      companyId,
      scopeDeptId: platform ? null : values.scopeDeptId,
      level: Number(values.level),
      equipmentId: values.subjectKind === 'machine' ? Number(values.equipmentId) || null : null,
      evidenceIds: evidence.map(({ fileId }) => fileId),
      ...(entry && { id: entry.id, version }),
    })
    if (!body) return
    setBusy(true)
    try {
      if (entry) await call(editBlacklist, { body: { ...body, id: entry.id, version } })
      const id = entry?.id ?? (await call(proposeBlacklist, { body })).id
      draft.saved({ ...values, company, evidence }, { name: `blacklist-${id}`, address: paths.addBlacklist(`?id=${id}`) })
      toast('success', words.saved)
      await invalidate(getBlacklist, listBlacklist)
      await goOn(paths.blacklistEntry(id))
    } catch (error) {
      form.refused(error)
      setOvertaken(isConflict(error))
      // The entry may have gone into its hearing, and then there is nothing to edit.
      if (entry && isOutdated(error)) void invalidate(getBlacklist)
    } finally {
      setBusy(false)
    }
  }
  const { errors } = form
  return (
    <div className="stack">
      <EditorHead title={entry ? words.edit : words.add} overtaken={overtaken} />
      <SubmitForm className="panel form-grid" onSubmit={() => void submit()}>
        <Field label={words.company} error={errors.companyId} required className="span-all">
          {(control) => (
            <CompanyPicker
              id={control.id}
              value={company}
              onChange={(next) => {
                setCompany(next.slice(-1))
                set({ equipmentId: '' })
                form.clear('companyId')
              }}
            />
          )}
        </Field>
        <SubjectFields companyId={companyId} values={values} errors={errors} onChange={set} />
        <SelectField
          label={words.scope}
          hint={words.scopeHint}
          value={values.scopeDeptId}
          onChange={(scopeDeptId) => set({ scopeDeptId })}
          disabled={platform}
          {...(platform && { blank: words.platform })}
          options={platform ? [] : scopes.map((dept) => [String(dept.deptId), dept.deptName])}
          error={errors.scopeDeptId}
        />
        <MeasureFields values={values} errors={errors} onChange={set} />
        <TextareaField
          label={words.facts}
          hint={`${words.factsHint} (${values.facts.length})`}
          required
          maxLength={4000}
          value={values.facts}
          onChange={(facts) => set({ facts })}
          error={errors.facts}
        />
        <FileList
          label={words.evidence}
          hint={words.evidenceHint}
          required
          files={evidence}
          error={errors.evidenceIds}
          onChange={(files) => {
            setEvidence(files)
            form.clear('evidenceIds')
          }}
        />
        <div className="span-all">
          <FormBar draft={draft} errors={Object.keys(errors).length}>
            <Link className="button" to={paths.blacklist()}>
              {text.site.common.back}
            </Link>
            <button type="submit" className="button button-primary" aria-disabled={busy}>
              {words.save}
            </button>
          </FormBar>
        </div>
      </SubmitForm>
    </div>
  )
}

function EditorHead({ title, overtaken }: { title: string; overtaken: boolean }) {
  const text = useText()
  return (
    <>
      <Head title={title} site={useSiteName()} index={false} />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.blacklist()}>{text.blacklist.title}</Link>
      </nav>
      <h1>{title}</h1>
      {overtaken && (
        <p className="notice notice-warn" role="alert">
          {text.refusal.changed}
        </p>
      )}
    </>
  )
}

/** The level, the reason and the period of the entry. */
function MeasureFields({
  values,
  errors,
  onChange,
}: {
  values: BlacklistValues
  errors: Errors
  onChange: (change: Partial<BlacklistValues>) => void
}) {
  const words = useText().blacklist
  return (
    <>
      <SelectField
        label={words.level}
        hint={words.effects[values.subjectKind]?.[Number(values.level)]}
        value={values.level}
        onChange={(level) => onChange({ level })}
        options={blacklistLevels.map((level) => [String(level), words.levels[level]])}
        error={errors.level}
      />
      <SelectField
        label={words.reason}
        value={values.reasonCode}
        onChange={(reasonCode) => onChange({ reasonCode })}
        options={proposedReasons.map((reason) => [reason, words.reasons[reason]])}
        error={errors.reasonCode}
      />
      <DateField label={words.from} required value={values.fromDay} onChange={(fromDay) => onChange({ fromDay })} error={errors.fromDay} />
      <DateField
        label={words.to}
        required
        hint={words.periodHint}
        value={values.toDay}
        since={values.fromDay}
        presets="period"
        onChange={(toDay) => onChange({ toDay })}
        error={errors.toDay}
      />
    </>
  )
}

/** Picks the subject of the entry: the company itself, one of its machines or a person. */
function SubjectFields({
  companyId,
  values,
  errors,
  onChange,
}: {
  companyId: number | undefined
  values: BlacklistValues
  errors: Errors
  onChange: (change: Partial<BlacklistValues>) => void
}) {
  const text = useText()
  const words = text.blacklist
  const machines = useQuery({
    queryKey: [listMachinesOf.url, companyId],
    queryFn: () => call(listMachinesOf, { params: { companyId: companyId ?? 0 } }),
    enabled: values.subjectKind === 'machine' && companyId !== undefined,
  })
  return (
    <>
      <SelectField
        label={words.kind}
        value={values.subjectKind}
        onChange={(subjectKind) => onChange({ subjectKind })}
        options={subjectKinds.map((kind) => [kind, words.kinds[kind]])}
      />
      {values.subjectKind === 'machine' && (
        <SelectField
          label={words.machine}
          required
          blank={text.site.common.choose}
          value={values.equipmentId}
          onChange={(equipmentId) => onChange({ equipmentId })}
          options={(machines.data ?? []).map((machine) => [String(machine.id), `${machineName(text, machine)} ${machine.equipmentCode}`])}
          error={errors.equipmentId}
        />
      )}
      <UnloadedOptions queries={[machines]} />
      {values.subjectKind === 'person' && (
        <TextField
          label={words.person}
          required
          maxLength={20}
          value={values.personName}
          onChange={(personName) => onChange({ personName })}
          error={errors.personName}
        />
      )}
    </>
  )
}
