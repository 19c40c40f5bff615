import type { z } from 'zod'
import { addSavedSearch } from '#shared/favourite/contract.ts'
import { SavedSearchInput } from '#shared/favourite/input.ts'
import { call } from '../app/api.ts'
import { TextField } from '../ui/form-fields.tsx'
import { useText } from '../app/text.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { toast } from '../ui/toast.tsx'
import { useFields } from '../app/use-form.ts'

type Props = { list: 'equipment' | 'demand'; query: string; suggestion: string; onClose(): void }

/** A file of its own, fetched when it opens: the public lists need no schemas otherwise. */
export function SaveSearchDialog({ list, query, suggestion, onClose }: Props) {
  const text = useText()
  const { favourite } = text.personal
  const form = useFields(SavedSearchInput, { name: suggestion.slice(0, 40), alert: true })
  const save = async (body: z.input<typeof SavedSearchInput>) => {
    await call(addSavedSearch, { body })
    toast('success', favourite.saved)
    onClose()
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
          <button
            type="button"
            className="button button-primary"
            aria-disabled={form.busy}
            onClick={() => void form.submit(save, { list, query })}
          >
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
        value={form.values.name}
        onChange={form.set('name')}
      />
      <label className="check">
        <input type="checkbox" checked={form.values.alert} onChange={(event) => form.set('alert')(event.target.checked)} />
        {favourite.saveHint}
      </label>
    </Dialog>
  )
}
