import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { deleteDraft, listDrafts } from '#shared/demand/contract.ts'
import { call } from '../app/api.ts'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { FilterForm, TextFilter } from '../app/filter-form.tsx'
import { minute } from '../app/format.ts'
import { ListFrame, useList } from '../app/list-frame.tsx'
import { invalidate } from '../app/queries.ts'
import { paths } from '#shared/paths.ts'
import { useRememberedFilters } from '../app/remember.ts'
import { useText } from '../app/text.tsx'
import { filtersOf } from '../app/visit.ts'
import { toast } from '../ui/toast.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 10

export default function DraftListPage() {
  const text = useText()
  const { own } = text.demand
  const [params] = useSearchParams()
  const [deleting, setDeleting] = useState<number | null>(null)
  useRememberedFilters('draft')
  const query = filtersOf(params)
  const list = useList(listDrafts, pageSize)
  const remove = useMutation({
    mutationFn: (id: number) => call(deleteDraft, { params: { id } }),
    onSuccess: () => {
      setDeleting(null)
      toast('success', text.account.message.deleted)
      return invalidate(listDrafts)
    },
  })
  return (
    <>
      <ListFrame
        title={own.drafts}
        actions={
          <Link className="button button-primary" to={paths.addDemand()}>
            {own.publish}
          </Link>
        }
        filters={
          <FilterForm>
            <TextFilter name="projectName" label={own.projectName} value={query.projectName} className="wide" />
          </FilterForm>
        }
        list={list}
        empty={own.draftEmpty}
        emptyHint={own.draftEmptyHint}
        pageSize={pageSize}
      >
        {(drafts) => (
          <ul className="stack">
            {drafts.map((draft) => (
              <li key={draft.id} className="panel row between">
                <div>
                  <Link to={paths.draft(draft.id)}>{draft.title || own.draftUntitled}</Link>
                  <p className="small soft">
                    {draft.projectName} · {own.draftLines(draft.itemCount)} · <span className="num">{minute(draft.updateTime)}</span>
                  </p>
                </div>
                <p className="row">
                  <Link className="button button-small" to={paths.draft(draft.id)}>
                    {own.continue}
                  </Link>
                  <button type="button" className="button button-small button-danger" onClick={() => setDeleting(draft.id)}>
                    {text.site.common.delete}
                  </button>
                </p>
              </li>
            ))}
          </ul>
        )}
      </ListFrame>
      <ConfirmDialog
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={text.site.common.delete}
        action={text.site.common.delete}
        busy={remove.isPending}
        onConfirm={() => deleting && remove.mutate(deleting)}
      >
        <p>{own.deleteDraft}</p>
      </ConfirmDialog>
    </>
  )
}
