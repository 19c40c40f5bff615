import { lazy, Suspense, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '#shared/paths.ts'
import { listViews } from '../app/visit.ts'
import { useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'

const SaveSearchDialog = lazy(async () => ({ default: (await import('./save-search-dialog.tsx')).SaveSearchDialog }))

/** Saves the filters of this list under a name, with a message when new rows match. */
export function SaveSearch({ list, suggestion }: { list: 'equipment' | 'demand'; suggestion: string }) {
  const text = useText()
  const { token } = useSession()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  if ([...new URLSearchParams(search).keys()].every((key) => listViews.includes(key))) return null
  return (
    <>
      <button type="button" className="link" onClick={() => (token ? setOpen(true) : void navigate(paths.login(pathname + search)))}>
        {text.personal.favourite.save}
      </button>
      {open && (
        <Suspense>
          <SaveSearchDialog list={list} query={search.replace(/^\?/, '')} suggestion={suggestion} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
