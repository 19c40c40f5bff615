import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { deleteDraft, deleteDrafts, listDrafts } from '#shared/demand/contract.ts'
import { call } from '../app/api.ts'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { FilterForm, TextFilter } from '../app/filter-form.tsx'
import { minute } from '../app/format.ts'
import { useList } from '../app/list-frame.tsx'
import { isOutdated } from '../app/outdated.ts'
import { invalidate } from '../app/queries.ts'
import { paths } from '#shared/paths.ts'
import { useRememberedFilters } from '../app/remember.ts'
import { useText } from '../app/text.tsx'
import { filtersOf } from '../app/visit.ts'
import { WorkList } from '../app/work-list.tsx'
import { toast } from '../ui/toast.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 10

export default function DraftListPage() {
  const text = useText()
  const { own } = text.demand
  const words = text.list.draft
  const [params] = useSearchParams()
  const [deleting, setDeleting] = useState<number | null>(null)
  useRememberedFilters('draft')
  const list = useList(listDrafts, pageSize)
  /** While a call runs, its dialog may be closed and another one opened, which stays. */
  const close = (id: number) => setDeleting((now) => (now === id ? null : now))
  const remove = useMutation({
    mutationFn: (id: number) => call(deleteDraft, { params: { id } }),
    onSuccess: (_, id) => {
      close(id)
      toast('success', text.account.message.deleted)
      return invalidate(listDrafts)
    },
    onError: (error, id) => {
      if (!isOutdated(error)) return undefined
      close(id)
      return invalidate(listDrafts)
    },
  })
  const removeAll = async (ids: number[]) => {
    const result = await call(deleteDrafts, { body: { ids } })
    await invalidate(listDrafts)
    return result
  }
  return (
    <>
      <WorkList
        name="draft"
        title={own.drafts}
        actions={
          <Link className="button button-primary" to={paths.addDemand()}>
            {own.publish}
          </Link>
        }
        filters={
          <FilterForm>
            <TextFilter name="projectName" label={own.projectName} value={filtersOf(params).projectName} className="wide" />
          </FilterForm>
        }
        list={list}
        keyOf={({ id }) => id}
        nameOf={({ title }) => title || own.draftUntitled}
        columns={[
          {
            id: 'title',
            label: text.demand.form.titleField,
            whole: true,
            cell: (draft) => <Link to={paths.draft(draft.id)}>{draft.title || own.draftUntitled}</Link>,
          },
          { id: 'project', label: own.projectName, cell: ({ projectName }) => projectName },
          { id: 'lines', label: text.demand.lines, num: true, cell: ({ itemCount }) => own.draftLines(itemCount) },
          {
            id: 'saved',
            label: text.site.common.saved,
            sort: 'updateTime',
            className: 'num',
            cell: ({ updateTime }) => minute(updateTime),
          },
        ]}
        verb={(draft) => (
          <Link className="button button-small" to={paths.draft(draft.id)}>
            {own.continue}
            <span className="visually-hidden"> {draft.title}</span>
          </Link>
        )}
        menu={(draft) => [{ label: text.site.common.delete, danger: true, run: () => setDeleting(draft.id) }]}
        batch={[{ label: words.deleteSelected, danger: true, ask: words.deleteAsk, run: removeAll }]}
        empty={own.draftEmpty}
        emptyHint={own.draftEmptyHint}
        pageSize={pageSize}
      />
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
