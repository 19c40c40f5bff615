import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { addSavedSearch } from '#shared/favourite/contract.ts'
import { call } from './api.ts'
import { TextField } from './form-fields.tsx'
import { paths } from './paths.ts'
import { useSession } from './session.ts'
import { useText } from './text.tsx'
import { Dialog } from './ui/dialog.tsx'
import { toast } from './ui/toast.tsx'
import { useForm } from './use-form.ts'

/** Keeps the filters of this list under a name, with a notice when something new fits. */
export function SaveSearch({ list, suggestion }: { list: 'equipment' | 'demand'; suggestion: string }) {
  const text = useText()
  const { favourite } = text.personal
  const { token } = useSession()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const [values, setValues] = useState({ name: '', alert: true })
  const [busy, setBusy] = useState(false)
  const form = useForm(addSavedSearch.body)
  const query = search.replace(/^\?/, '')
  if ([...new URLSearchParams(search).keys()].every((key) => ['pageNum', 'sort', 'view'].includes(key))) return null
  const save = async () => {
    const body = form.check({ list, query, ...values })
    if (!body) return
    setBusy(true)
    try {
      await call(addSavedSearch, { body })
      toast('success', favourite.saved)
      setOpen(false)
    } catch (error) {
      form.refused(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <button
        type="button"
        className="link"
        onClick={() => {
          if (!token) return void navigate(paths.login(pathname + search))
          setValues({ name: suggestion.slice(0, 40), alert: true })
          setOpen(true)
        }}
      >
        {favourite.save}
      </button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={favourite.save}
        closeLabel={text.site.action.close}
        actions={
          <>
            <button type="button" className="button" onClick={() => setOpen(false)}>
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
    </>
  )
}
