import { useState } from 'react'
import { addSavedSearch } from '#shared/favourite/contract.ts'
import { SavedSearchInput } from '#shared/favourite/input.ts'
import { call } from '../app/api.ts'
import { TextField } from '../ui/form-fields.tsx'
import { useText } from '../app/text.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { toast } from '../ui/toast.tsx'
import { useForm } from '../app/use-form.ts'

type Props = { list: 'equipment' | 'demand'; query: string; suggestion: string; onClose(): void }

/** A file of its own, fetched when it opens: the public lists need no schemas otherwise. */
export function SaveSearchDialog({ list, query, suggestion, onClose }: Props) {
  const text = useText()
  const { favourite } = text.personal
  const [values, setValues] = useState({ name: suggestion.slice(0, 40), alert: true })
  const [busy, setBusy] = useState(false)
  const form = useForm(SavedSearchInput)
  const save = async () => {
    const body = form.check({ list, query, ...values })
    if (!body) return
    setBusy(true)
    try {
      await call(addSavedSearch, { body })
      toast('success', favourite.saved)
      onClose()
    } catch (error) {
      form.refused(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={favourite.save}
      closeLabel={text.site.action.close}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {text.site.common.back}
          </button>
          <button type="button" className="button button-primary" disabled={busy} onClick={() => void save()}>
            {text.site.common.save}
          </button>
        </>
      }
    >
      <TextField
        label={favourite.name}
        error={form.errors.name}
        required
        maxLength={40}
        value={values.name}
        onChange={(name) => setValues((before) => ({ ...before, name }))}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={values.alert}
          onChange={(event) => setValues((before) => ({ ...before, alert: event.target.checked }))}
        />
        {favourite.saveHint}
      </label>
    </Dialog>
  )
}
