import { useSearchParams } from 'react-router'
import { certificationSorts, exportCertifications, listCertifications } from '#shared/certification/contract.ts'
import { certificationKinds, certificationStatus, certificationStatuses, mayMove } from '#shared/certification/rules.ts'
import { certificationTone } from './certification-tone.ts'
import { SelectField } from '../ui/form-fields.tsx'
import { minute } from '../app/format.ts'
import { useList } from '../app/list-frame.tsx'
import { withParam } from '../app/list-settings.ts'
import { useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { TodoChip } from '../app/todo-chip.tsx'
import { Waited } from '../app/waited.tsx'
import { queryOf } from '../app/visit.ts'
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
  const [params, setParams] = useSearchParams()
  const query = {
    status: certificationStatuses.find((one) => one === params.get('status')) ?? ('' as const),
    kind: certificationKinds.find((one) => one === params.get('kind')) ?? ('' as const),
    keyword: params.get('keyword') ?? '',
    todo: params.get('todo') === '1' ? ('1' as const) : undefined,
    sort: certificationSorts.flatMap((name) => [name, `-${name}` as const]).find((one) => one === params.get('sort')),
  }
  // A message announces a new application: `messageChanges` in the key then refetches the list.
  const list = useList(listCertifications, pageSize, query, [messageChanges])
  const set = (name: string, value: string) => setParams(withParam(params, name, value))
  return (
    <WorkList
      name="certificationReview"
      title={review.title}
      lead={review.lead}
      filters={
        <>
          <TodoChip kind="review" />
          <form
            className="panel toolbar"
            role="search"
            onSubmit={(event) => {
              event.preventDefault()
              set('keyword', String(new FormData(event.currentTarget).get('keyword') ?? '').trim())
            }}
          >
            <SelectField
              label={text.site.common.status}
              value={query.status}
              onChange={(value) => set('status', value)}
              blank={text.site.common.all}
              options={certificationStatuses
                .filter((one) => one !== certificationStatus.unsubmitted && one !== certificationStatus.changing)
                .map((one) => [one, certification.status[one]])}
            />
            {!onlyProjects && (
              <SelectField
                label={review.kind}
                value={query.kind}
                onChange={(value) => set('kind', value)}
                blank={text.site.common.all}
                options={certificationKinds.map((one) => [one, certification.kinds[one]])}
              />
            )}
            <div className="field">
              <label htmlFor="review-keyword">{review.name}</label>
              <input
                id="review-keyword"
                key={query.keyword}
                className="input"
                type="search"
                name="keyword"
                defaultValue={query.keyword}
                maxLength={40}
              />
            </div>
            <button type="submit" className="button button-primary button-small">
              {text.site.common.search}
            </button>
          </form>
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
          cell: ({ status }) => <Tag tone={certificationTone[status]}>{certification.status[status]}</Tag>,
        },
      ]}
    />
  )
}
