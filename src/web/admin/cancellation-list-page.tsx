import { useSearchParams } from 'react-router'
import { finishCancellation, listCancellations, refuseCancellation } from '#shared/account/cancellation.ts'
import { cancellationStatus, cancellationStatuses } from '#shared/account/rules.ts'
import { getOverview } from '#shared/system/contract.ts'
import { comma } from '#shared/text/punctuation.ts'
import { call } from '../app/api.ts'
import { useConfirm } from '../app/use-confirm.tsx'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { colon } from '../app/colon.ts'
import { minute } from '../app/format.ts'
import { useList } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { WorkList } from '../app/work-list.tsx'
import { Tag } from '../ui/parts.tsx'

const pageSize = 20
const toneOf = {
  [cancellationStatus.cooling]: 'blue',
  [cancellationStatus.withdrawn]: 'plain',
  [cancellationStatus.stopped]: 'amber',
  [cancellationStatus.erased]: 'plain',
  [cancellationStatus.refused]: 'plain',
} as const

export default function CancellationListPage() {
  const text = useText()
  const words = text.admin.cancellations
  const [params] = useSearchParams()
  const list = useList(listCancellations, pageSize)
  const { confirm, dialog } = useConfirm(listCancellations, getOverview)
  return (
    <>
      <WorkList
        name="cancellations"
        title={text.admin.menu.cancellations}
        lead={words.lead}
        filters={
          <FilterForm>
            <TextFilter name="keyword" label={text.admin.accounts.user} value={params.get('keyword') ?? undefined} />
            <SelectFilter
              name="status"
              label={text.site.common.status}
              value={params.get('status') ?? undefined}
              all={text.site.common.all}
              options={cancellationStatuses.map((one) => [one, words.status[one]])}
            />
          </FilterForm>
        }
        list={list}
        keyOf={({ id }) => id}
        nameOf={({ name, userName }) => name || userName}
        empty={words.empty}
        pageSize={pageSize}
        columns={[
          {
            id: 'user',
            label: text.admin.accounts.user,
            whole: true,
            cell: (one) => (
              <>
                <strong>{one.name || one.userName}</strong>
                <p className="small faint num">
                  {one.userName} {one.phonenumber}
                </p>
              </>
            ),
          },
          { id: 'why', label: words.why, cell: ({ reason }) => reason },
          {
            id: 'requested',
            label: words.requested,
            sort: 'requestedAt',
            cell: ({ requestedAt }) => <span className="num">{minute(requestedAt)}</span>,
          },
          { id: 'due', label: words.due, cell: ({ dueAt }) => <span className="num">{minute(dueAt)}</span> },
          {
            id: 'status',
            label: text.site.common.status,
            cell: (one) => (
              <>
                <Tag tone={toneOf[one.status]}>{words.status[one.status]}</Tag>
                {one.status === cancellationStatus.stopped && (
                  <p className="small soft">
                    {one.points.length === 0
                      ? words.clear
                      : `${words.blockedBy}${colon(text)}${one.points.map(({ kind, count }) => words.points[kind](count)).join(comma(text))}`}
                  </p>
                )}
                {one.note && <p className="small soft">{one.note}</p>}
              </>
            ),
          },
          {
            id: 'actions',
            label: text.site.common.actions,
            cell: (one) =>
              one.status === cancellationStatus.stopped && (
                <span className="row gap-8">
                  <button
                    type="button"
                    className="button button-small"
                    disabled={one.points.length > 0}
                    onClick={() =>
                      confirm({
                        title: words.finish,
                        question: words.finishAsk,
                        subject: one.name || one.userName,
                        run: () => call(finishCancellation, { params: { id: one.id }, body: {} }),
                        done: () => words.finished,
                      })
                    }
                  >
                    {words.finish}
                    <span className="visually-hidden"> {one.userName}</span>
                  </button>
                  <button
                    type="button"
                    className="button button-small"
                    onClick={() =>
                      confirm({
                        title: words.refuse,
                        question: words.refuseAsk,
                        subject: one.name || one.userName,
                        note: { label: text.admin.reason, draft: `cancellation-${one.id}` },
                        run: (note) => call(refuseCancellation, { params: { id: one.id }, body: { note } }),
                        done: () => words.refused,
                      })
                    }
                  >
                    {words.refuse}
                    <span className="visually-hidden"> {one.userName}</span>
                  </button>
                </span>
              ),
          },
        ]}
      />
      {dialog}
    </>
  )
}
