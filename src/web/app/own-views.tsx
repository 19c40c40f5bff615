import { useMutation, useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { deleteView, listViews, saveView, type SavedView, type WorkList } from '#shared/saved-view/contract.ts'
import { call } from './api.ts'
import { isOutdated } from './outdated.ts'
import { invalidate } from './queries.ts'
import type { Views } from './saved-views.tsx'
import { Unloaded } from './list-frame.tsx'
import { useText } from './text.tsx'
import { useFields } from './use-form.ts'
import { focusBeside } from '../ui/focus-beside.ts'
import { SubmitForm, TextField } from '../ui/form-fields.tsx'
import { repeatMs } from '../ui/throttle.ts'
import { toast } from '../ui/toast.tsx'

/** The saved views of a list and the form that saves another. */
export function OwnViews({ name, hidden, onHide, onDone }: Views & { onDone: () => void }) {
  const { list, personal } = useText()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const views = useQuery({ queryKey: [listViews.url, name], queryFn: () => call(listViews, { query: { list: name } }) })
  const remove = useMutation({
    mutationFn: (view: SavedView) => call(deleteView, { params: { id: view.id } }),
    onSuccess: (_, { name: viewName, query, hidden: hiddenColumns }) => {
      const undo = () =>
        call(saveView, { body: { list: name, name: viewName, query, hidden: hiddenColumns } }).then(() => invalidate(listViews))
      // The call has shown its refusal.
      toast('success', list.viewDeleted, { label: personal.favourite.undo, run: () => void undo().catch(() => undefined) })
      return invalidate(listViews)
    },
    onError: (error) => (isOutdated(error) ? invalidate(listViews) : undefined),
  })
  return (
    <div className="stack gap-8">
      {!views.data && <Unloaded queries={[views]} rows={2} />}
      {views.data?.length === 0 && <p className="soft small">{list.viewsNone}</p>}
      <ul className="work-views">
        {views.data?.map((view) => (
          <li key={view.id} className="row between">
            <button
              type="button"
              className="link"
              onClick={() => {
                onDone()
                onHide(view.hidden)
                void navigate(`${pathname}${view.query ? `?${view.query}` : ''}`)
              }}
            >
              {view.name}
            </button>
            <button
              type="button"
              className="icon-button"
              data-repeat-ms={repeatMs}
              aria-label={list.viewDelete(view.name)}
              onClick={({ currentTarget }) => {
                focusBeside(currentTarget)
                remove.mutate(view)
              }}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <SaveView name={name} hidden={hidden} onSaved={onDone} />
    </div>
  )
}

function SaveView({ name, hidden, onSaved }: { name: WorkList; hidden: ReadonlySet<string>; onSaved: () => void }) {
  const { list } = useText()
  const { search } = useLocation()
  const form = useFields(saveView.body, { name: '' })
  const save = () =>
    form.submit(
      async (body) => {
        await call(saveView, { body })
        form.set('name')('')
        toast('success', list.viewSaved)
        onSaved()
        await invalidate(listViews)
      },
      { list: name, query: search.slice(1), hidden: [...hidden] },
    )
  return (
    <SubmitForm className="stack gap-8" onSubmit={() => void save()}>
      <TextField
        label={list.viewName}
        hint={list.viewSaveHint}
        maxLength={40}
        value={form.values.name}
        onChange={form.set('name')}
        error={form.errors.name}
      />
      <button type="submit" className="button button-small" aria-disabled={form.busy}>
        {list.viewSave}
      </button>
    </SubmitForm>
  )
}
