import { useState } from 'react'
import { getSettings, listSettingHistory, saveSetting } from '#shared/setting/contract.ts'
import { newestFirst, type LprEntry } from '#shared/setting/lpr.ts'
import { call } from '../app/api.ts'
import { DateField } from '../app/date-field.tsx'
import { DraftNote } from '../app/form-bar.tsx'
import { isConflict } from '../app/outdated.ts'
import { invalidate } from '../app/queries.ts'
import { useText } from '../app/text.tsx'
import { useForm } from '../app/use-form.ts'
import { useValuesDraft } from '../app/use-local-draft.ts'
import { SubmitForm, TextField } from '../ui/form-fields.tsx'
import { toast } from '../ui/toast.tsx'

export const percentOf = (bp: number): string => (bp / 100).toFixed(2)

type Row = { fromDay: string; percent: string }

/**
 * The one-year loan prime rates by the day from which each holds, the latest first. `onOvertaken` runs when somebody else has changed them since the
 * form began.
 */
export function LprEditor({ entries, onOvertaken }: { entries: LprEntry[]; onOvertaken: () => Promise<void> }) {
  const text = useText()
  const words = text.admin.settings
  const form = useForm(saveSetting.body)
  const [rows, setRows] = useState<Row[]>(() => newestFirst(entries).map(({ fromDay, bp }) => ({ fromDay, percent: percentOf(bp) })))
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  /** The rates that the form is about; a later answer does not change what is typed. */
  const [before, setBefore] = useState(entries)
  const draft = useValuesDraft(
    'setting-lpr',
    { rows, reason },
    (stored) => {
      setRows(stored.rows)
      setReason(stored.reason)
    },
    { quiet: true },
  )
  const change = (next: Row[]) => {
    setRows(next)
    form.clear('value')
  }
  const save = async () => {
    const value = { entries: rows.map(({ fromDay, percent }) => ({ fromDay, bp: Math.round(Number(percent) * 100) })) }
    const body = form.check({ key: 'lpr', value, before: { entries: before }, reason })
    if (!body) return
    setBusy(true)
    try {
      await call(saveSetting, { body })
      setBefore(value.entries)
      toast('success', words.saved)
      setReason((now) => (now === reason ? '' : now))
      draft.done({ rows, reason: '' })
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
      <h2>{words.names.lpr}</h2>
      <p className="small soft">{words.lpr.lead}</p>
      {rows.map((row, index) => {
        const set = (part: Partial<Row>) => change(rows.map((one, at) => (at === index ? { ...one, ...part } : one)))
        return (
          <div key={index} className="form-grid">
            <DateField
              label={words.lpr.fromDay}
              required
              value={row.fromDay}
              onChange={(fromDay) => set({ fromDay })}
              error={form.errors[`value.entries.${index}.fromDay`]}
            />
            <TextField
              label={words.lpr.percent}
              required
              inputMode="decimal"
              value={row.percent}
              onChange={(percent) => set({ percent })}
              error={form.errors[`value.entries.${index}.bp`]}
              beside={
                rows.length > 1 && (
                  <button
                    type="button"
                    className="button button-small"
                    aria-label={words.lpr.drop(row.fromDay)}
                    onClick={() => change(rows.filter((_, at) => at !== index))}
                  >
                    {text.site.common.delete}
                  </button>
                )
              }
            />
          </div>
        )
      })}
      <p>
        <button type="button" className="button button-small" onClick={() => change([{ fromDay: '', percent: '' }, ...rows])}>
          {words.lpr.add}
        </button>
      </p>
      <div className="form-grid">
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
