import { useSearchParams } from 'react-router'
import { deleteDraft, deleteDrafts, listDrafts } from '#shared/demand/contract.ts'
import { call } from '../app/api.ts'
import { FilterForm, TextFilter } from '../app/filter-form.tsx'
import { minute } from '../app/format.ts'
import { useList } from '../app/list-frame.tsx'
import { invalidate } from '../app/queries.ts'
import { paths } from '#shared/paths.ts'
import { useRememberedFilters } from '../app/remember.ts'
import { useText } from '../app/text.tsx'
import { useConfirm } from '../app/use-confirm.tsx'
import { filtersOf } from '../app/visit.ts'
import { WorkList } from '../app/work-list.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 10

export default function DraftListPage() {
  const text = useText()
  const { own } = text.demand
  const words = text.list.draft
  const [params] = useSearchParams()
  useRememberedFilters('draft')
  const list = useList(listDrafts, pageSize)
  const { confirm, dialog } = useConfirm(listDrafts)
  const remove = ({ id, title }: { id: number; title: string }) =>
    confirm({
      title: text.site.common.delete,
      question: own.deleteDraft,
      subject: title || own.draftUntitled,
      run: () => call(deleteDraft, { params: { id } }),
      done: () => text.account.message.deleted,
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
        menu={(draft) => [{ label: text.site.common.delete, danger: true, run: () => remove(draft) }]}
        batch={[{ label: words.deleteSelected, danger: true, ask: words.deleteAsk, run: removeAll }]}
        empty={own.draftEmpty}
        emptyHint={own.draftEmptyHint}
        pageSize={pageSize}
      />
      {dialog}
    </>
  )
}
