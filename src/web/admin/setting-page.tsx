import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { grades } from '#shared/company/manage.ts'
import { getSettings, listSettingHistory, saveSetting, type Setting, type SettingKey } from '#shared/setting/contract.ts'
import { LprEntry } from '#shared/setting/lpr.ts'
import { call } from '../app/api.ts'
import { DraftNote } from '../app/form-bar.tsx'
import { CheckField, SubmitForm, TextField } from '../ui/form-fields.tsx'
import { colon } from '../app/colon.ts'
import { isConflict } from '../app/outdated.ts'
import { invalidate } from '../app/queries.ts'
import { useSiteName } from '../app/site.ts'
import { Loaded, Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { Timeline } from '../app/timeline.tsx'
import { useValuesDraft } from '../app/use-local-draft.ts'
import { Head } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useForm } from '../app/use-form.ts'
import { LprEditor, percentOf } from './lpr-editor.tsx'

/** The rates by day have an editor of their own. */
type PlainKey = Exclude<SettingKey, 'lpr'>
const keys: readonly PlainKey[] = ['security', 'review', 'limits', 'cost']
/** Whether the setting is stored in hundredths of what is shown: fen of a yuan, basis points of a percent. */
const isHundredth = (field: string) => field.includes('Fen') || field.endsWith('Bp')

export default function SettingPage() {
  const text = useText()
  const words = text.admin.settings
  const site = useSiteName()
  const found = useQuery({ queryKey: [getSettings.url], queryFn: () => call(getSettings, {}), gcTime: 0 })
  const history = useQuery({ queryKey: [listSettingHistory.url], queryFn: () => call(listSettingHistory, {}) })
  /** How often the form of a setting has begun again, because somebody else had changed the setting. What was typed is offered to the new form. */
  const [turns, setTurns] = useState<Partial<Record<SettingKey, number>>>({})
  const reopen = async (key: SettingKey) => {
    await invalidate(getSettings, listSettingHistory)
    setTurns((before) => ({ ...before, [key]: (before[key] ?? 0) + 1 }))
  }
  const itemText = (item: unknown) => {
    const entry = LprEntry.safeParse(item)
    return entry.success ? words.lpr.entry(entry.data.fromDay, percentOf(entry.data.bp)) : String(item)
  }
  const valueText = (field: string, value: unknown) =>
    Array.isArray(value)
      ? value.map((item) => itemText(item)).join(', ') || text.site.common.none
      : isHundredth(field)
        ? (Number(value) / 100).toFixed(2)
        : String(value)
  return (
    <div className="stack">
      <Head title={text.admin.menu.settings} site={site} index={false} />
      <div>
        <h1>{text.admin.menu.settings}</h1>
        <p className="soft">{words.lead}</p>
      </div>
      <Loaded query={found} rows={6}>
        {(settings) => (
          <>
            {keys.map((key) => (
              <SettingEditor key={`${key} ${turns[key] ?? 0}`} name={key} value={settings[key]} onOvertaken={() => reopen(key)} />
            ))}
            <LprEditor key={`lpr ${turns.lpr ?? 0}`} entries={settings.lpr.entries} onOvertaken={() => reopen('lpr')} />
          </>
        )}
      </Loaded>
      <section className="panel">
        <h2>{words.history}</h2>
        {!history.data && <Unloaded queries={[history]} rows={2} />}
        {history.data?.length === 0 && <p className="soft">{words.noHistory}</p>}
        <Timeline
          steps={(history.data ?? []).map((change) => ({
            key: change.seq,
            title: words.names[change.key] ?? change.key,
            at: change.at,
            details: (
              <>
                <p className="small">
                  {change.who}
                  {colon(text)}
                  {change.reason}
                </p>
                {Object.keys(change.after ?? {})
                  .filter((field) => JSON.stringify(change.before?.[field]) !== JSON.stringify(change.after?.[field]))
                  .map((field) => (
                    <p key={field} className="small soft">
                      {words.fields[field] ?? field}
                      {colon(text)}
                      {words.change(valueText(field, change.before?.[field]), valueText(field, change.after?.[field]))}
                    </p>
                  ))}
              </>
            ),
          }))}
        />
      </section>
    </div>
  )
}

/** `onOvertaken` runs when somebody else has changed the setting since the form began. */
function SettingEditor({ name, value, onOvertaken }: { name: PlainKey; value: Setting<PlainKey>; onOvertaken: () => Promise<void> }) {
  const text = useText()
  const words = text.admin.settings
  const form = useForm(saveSetting.body)
  const [values, setValues] = useState<Record<string, string | string[]>>(() =>
    Object.fromEntries(
      Object.entries(value).map(([field, one]) => [
        field,
        Array.isArray(one) ? one : isHundredth(field) ? (Number(one) / 100).toFixed(2) : String(one),
      ]),
    ),
  )
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  /** The value that the form is about; a later answer does not change what is typed. */
  const [before, setBefore] = useState<Setting<SettingKey>>(value)
  const draft = useValuesDraft(
    `setting-${name}`,
    { values, reason },
    (stored) => {
      setValues(stored.values)
      setReason(stored.reason)
    },
    { quiet: true },
  )
  const save = async () => {
    const body = form.check({
      key: name,
      reason,
      before,
      value: Object.fromEntries(
        Object.entries(values).map(([field, one]) => [
          field,
          Array.isArray(one) ? one : isHundredth(field) ? Math.round(Number(one) * 100) : one.trim() === '' ? null : Number(one),
        ]),
      ),
    })
    if (!body) return
    setBusy(true)
    try {
      await call(saveSetting, { body })
      setBefore(body.value)
      toast('success', words.saved)
      setReason((now) => (now === reason ? '' : now))
      draft.done({ values, reason: '' })
      await invalidate(getSettings, listSettingHistory)
    } catch (problem) {
      form.refused(problem)
      if (isConflict(problem)) await onOvertaken()
    } finally {
      setBusy(false)
    }
  }
  return (
    <SubmitForm className="panel stack" onSubmit={() => void save()}>
      <h2>{words.names[name]}</h2>
      <div className="form-grid">
        {Object.entries(values).map(([field, one]) =>
          Array.isArray(one) ? (
            <fieldset key={field} className="field">
              <legend>{words.fields[field]}</legend>
              <div className="duties">
                {grades.map((grade) => (
                  <CheckField
                    key={grade}
                    label={grade}
                    value={one.includes(grade)}
                    onChange={(on) =>
                      setValues({ ...values, [field]: on ? [...one, grade].toSorted() : one.filter((other) => other !== grade) })
                    }
                  />
                ))}
              </div>
            </fieldset>
          ) : (
            <TextField
              key={field}
              label={words.fields[field] ?? field}
              inputMode="decimal"
              value={one}
              onChange={(next) => {
                setValues({ ...values, [field]: next })
                form.clear(`value.${field}`)
              }}
              error={form.errors[`value.${field}`]}
            />
          ),
        )}
        <TextField
          label={text.admin.reason}
          hint={text.admin.reasonHint}
          required
          value={reason}
          onChange={(next) => {
            setReason(next)
            form.clear('reason')
          }}
          error={form.errors.reason}
          maxLength={500}
        />
      </div>
      <DraftNote draft={draft} />
      <p>
        <button type="submit" className="button" aria-disabled={busy}>
          {words.save}
        </button>
      </p>
    </SubmitForm>
  )
}
