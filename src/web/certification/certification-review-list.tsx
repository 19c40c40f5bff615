import { useSearchParams } from 'react-router'
import { exportCertifications, listCertifications } from '#shared/certification/contract.ts'
import { certificationKinds, certificationStatus, certificationStatuses, mayMove } from '#shared/certification/rules.ts'
import { certificationTone } from './certification-tone.ts'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { minute } from '../app/format.ts'
import { useList } from '../app/list-frame.tsx'
import { useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { TodoChip } from '../app/todo-chip.tsx'
import { Waited } from '../app/waited.tsx'
import { filtersOf, queryOf } from '../app/visit.ts'
import { exportList, WorkList } from '../app/work-list.tsx'
import { Tag } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 10

/** Certifications, the longest waiting first. `onlyProjects` is for an organisation, which reviews its project departments only. */
export function ReviewList({ to, onlyProjects = false }: { to: (id: number) => string; onlyProjects?: boolean }) {
  const text = useText()
  const { certification } = text
  const { review } = certification
  const { messageChanges } = useSession()
  const [params] = useSearchParams()
  const query = filtersOf(params)
  // A message announces a new application: `messageChanges` in the key then refetches the list.
  const list = useList(listCertifications, pageSize, {}, [messageChanges])
  return (
    <WorkList
      name="certificationReview"
      title={review.title}
      lead={review.lead}
      filters={
        <>
          <TodoChip kind="review" />
          <FilterForm views={['todo']}>
            {query.todo && <input type="hidden" name="todo" value={query.todo} />}
            <SelectFilter
              name="status"
              label={text.site.common.status}
              value={query.status}
              all={text.site.common.all}
              options={certificationStatuses
                .filter((one) => one !== certificationStatus.unsubmitted && one !== certificationStatus.changing)
                .map((one) => [one, certification.status[one]])}
            />
            {!onlyProjects && (
              <SelectFilter
                name="kind"
                label={review.kind}
                value={query.kind}
                all={text.site.common.all}
                options={certificationKinds.map((one) => [one, certification.kinds[one]])}
              />
            )}
            <TextFilter name="keyword" label={review.name} value={query.keyword} />
          </FilterForm>
        </>
      }
      list={list}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      exported={() => exportList(exportCertifications, queryOf(params, exportCertifications))}
      empty={review.none}
      pageSize={pageSize}
      columns={[
        { id: 'name', label: review.name, whole: true, cell: (row) => <Link to={to(row.id)}>{row.name}</Link> },
        { id: 'kind', className: 'whole-words', label: review.kind, cell: ({ kind }) => certification.kinds[kind] },
        { id: 'applicant', label: review.applicant, className: 'num', cell: ({ applicant, phonenumber }) => `${applicant} ${phonenumber}` },
        {
          id: 'submittedAt',
          label: review.submittedAt,
          sort: 'submittedAt',
          cell: ({ submittedAt, status }) => (
            <span className="row gap-8">
              <span className="num">{minute(submittedAt)}</span>
              {submittedAt && mayMove('pass', status, 'reviewer') && <Waited since={submittedAt} />}
            </span>
          ),
        },
        {
          id: 'status',
          label: text.site.common.status,
          cell: ({ status, reviewedBy }) =>
            reviewedBy === null || onlyProjects ? (
              <Tag tone={certificationTone[status]}>{certification.status[status]}</Tag>
            ) : (
              <>
                <Tag>{review.byCompany}</Tag>
                <p className="small soft">{reviewedBy}</p>
              </>
            ),
        },
      ]}
    />
  )
}
