import { useSearchParams } from 'react-router'
import type { Answered } from '#shared/endpoint.ts'
import {
  confirmTrusted,
  exportReviews,
  getReview,
  listReviews,
  passEquipmentBatch,
  restoreEquipment,
  reviewScopes,
} from '#shared/equipment/manage.ts'
import { getOverview } from '#shared/system/contract.ts'
import { call } from '../app/api.ts'
import { gradeTone } from '../equipment/machine-card.tsx'
import { useConfirm } from '../app/use-confirm.tsx'
import { FilterForm, TextFilter } from '../app/filter-form.tsx'
import { machineName, minute, named } from '../app/format.ts'
import { useList } from '../app/list-frame.tsx'
import { withParam } from '../app/list-settings.ts'
import { paths } from '#shared/paths.ts'
import { invalidate } from '../app/queries.ts'
import { Waited } from '../app/waited.tsx'
import { useText } from '../app/text.tsx'
import { queryOf } from '../app/visit.ts'
import { exportList, WorkList } from '../app/work-list.tsx'
import type { WorkColumn } from '../app/work-table.tsx'
import { Tag } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 20

type ReviewRow = Answered<typeof listReviews>['rows'][number]
type Scope = (typeof reviewScopes)[number]

/** Machines and changes that wait for review, machines of trusted companies, all on the shelf, and machines that were taken down. */
export default function EquipmentReviewListPage() {
  const text = useText()
  const words = text.equipment.review
  const { equipment } = text.admin
  const [params] = useSearchParams()
  const scope = reviewScopes.find((one) => one === params.get('scope')) ?? 'waiting'
  const list = useList(listReviews, pageSize)
  const { confirm, dialog } = useConfirm(listReviews, getReview, getOverview)
  const columns = useReviewColumns(scope)
  const passAll = async (ids: number[]) => {
    const machines = (list.data?.rows ?? []).filter(({ id }) => ids.includes(id)).map(({ id, version }) => ({ id, version }))
    const { passed, left } = await call(passEquipmentBatch, { body: { machines } })
    await invalidate(listReviews, getReview, getOverview)
    return { done: passed, left }
  }
  const settle = (machine: ReviewRow) =>
    confirm({
      title: scope === 'off' ? equipment.restore : equipment.confirm,
      question: machineName(text, machine),
      harmless: true,
      run: () => call(scope === 'off' ? restoreEquipment : confirmTrusted, { params: { id: machine.id } }),
      done: () => (scope === 'off' ? equipment.restored : equipment.confirmed),
    })
  return (
    <>
      <WorkList
        name="equipmentReview"
        title={words.title}
        lead={scope === 'trusted' ? equipment.trustedHint : undefined}
        tabs={reviewScopes.map((one) => ({
          to: withParam(params, 'scope', one === 'waiting' ? '' : one),
          label: equipment.scopes[one],
          current: one === scope,
        }))}
        filters={
          <FilterForm views={['scope']}>
            {scope !== 'waiting' && <input type="hidden" name="scope" value={scope} />}
            <TextFilter name="keyword" label={equipment.keyword} value={params.get('keyword') ?? undefined} />
          </FilterForm>
        }
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={(machine) => `${machineName(text, machine)} ${machine.equipmentCode}`}
        {...(scope === 'waiting'
          ? { batch: [{ label: equipment.passSelected, ask: equipment.passAsk, run: passAll }] }
          : scope !== 'on' && {
              verb: (machine: ReviewRow) => (
                <button type="button" className="button button-small" onClick={() => settle(machine)}>
                  {scope === 'off' ? equipment.restore : equipment.confirm}
                  <span className="visually-hidden"> {machineName(text, machine)}</span>
                </button>
              ),
            })}
        exported={() => exportList(exportReviews, queryOf(params, exportReviews))}
        empty={words.empty}
        pageSize={pageSize}
      />
      {dialog}
    </>
  )
}

function useReviewColumns(scope: Scope): WorkColumn<ReviewRow>[] {
  const text = useText()
  const words = text.equipment.review
  const columns: WorkColumn<ReviewRow>[] = [
    {
      id: 'name',
      label: text.equipment.upload.fields.name,
      whole: true,
      cell: (machine) => (
        <>
          <Link to={paths.equipmentReview(machine.id)}>{machineName(text, machine)}</Link>
          <span className="small faint block">
            {named(text, machine)} · <span className="num">{machine.equipmentCode}</span>
          </span>
        </>
      ),
    },
    {
      id: 'lessor',
      label: text.equipment.lessor,
      cell: (machine) => (
        <>
          {machine.companyName}{' '}
          {machine.companyGrade && <Tag tone={gradeTone(machine.companyGrade)}>{text.equipment.grade(machine.companyGrade)}</Tag>}
        </>
      ),
    },
    {
      id: 'status',
      label: text.site.common.status,
      cell: (machine) => (
        <span className="row gap-4">
          {(scope === 'waiting' || (scope === 'on' && machine.isChange)) && (
            <Tag tone={machine.isChange ? 'amber' : 'blue'}>{machine.isChange ? words.isChange : words.isNew}</Tag>
          )}
          {scope === 'off' && <span className="small">{machine.offReason}</span>}
          {machine.duplicates > 0 && <Tag tone="bad">{words.duplicates(machine.duplicates)}</Tag>}
        </span>
      ),
    },
  ]
  // A machine that stands on the shelf waits for nothing.
  if (scope !== 'on')
    columns.push({
      id: 'waiting',
      label: words.waiting,
      sort: 'submitTime',
      cell: (machine) => (
        <span className="row gap-8">
          <span className="num">{minute(machine.submitTime)}</span> {scope === 'waiting' && <Waited since={machine.submitTime} />}
        </span>
      ),
    })
  return columns
}
