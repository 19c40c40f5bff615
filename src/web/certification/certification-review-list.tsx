import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { listCertifications } from '#shared/certification/contract.ts'
import { certificationKinds, certificationStatuses } from '#shared/certification/rules.ts'
import { call } from '../app/api.ts'
import { certificationTone } from './certification-tone.ts'
import { SelectField } from '../ui/form-fields.tsx'
import { minute } from '../app/format.ts'
import { ListPages } from '../app/list-pages.tsx'
import { useSiteName } from '../app/site.ts'
import { useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { Empty, Head, Skeleton, Tag } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 10

/** What waits first, the longest waiting on top. `onlyProjects`: an organisation judges its project departments only. */
export function ReviewList({ to, onlyProjects = false }: { to: (id: number) => string; onlyProjects?: boolean }) {
  const text = useText()
  const { certification } = text
  const { review } = certification
  const site = useSiteName()
  const { unread } = useSession()
  const [params, setParams] = useSearchParams()
  const query = {
    pageNum: Number(params.get('pageNum')) || 1,
    pageSize,
    status: certificationStatuses.find((one) => one === params.get('status')) ?? ('' as const),
    kind: certificationKinds.find((one) => one === params.get('kind')) ?? ('' as const),
    keyword: params.get('keyword') ?? '',
  }
  // A new application is told by a message; the list follows.
  const list = useQuery({
    queryKey: [listCertifications.url, query, unread],
    queryFn: () => call(listCertifications, { query }),
    placeholderData: (before) => before,
  })
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(params)
    next.delete('pageNum')
    if (value) next.set(name, value)
    else next.delete(name)
    setParams(next)
  }
  return (
    <div className="stack">
      <Head title={review.title} site={site} index={false} />
      <div>
        <h1>{review.title}</h1>
        <p className="soft">{review.lead}</p>
      </div>
      <form
        className="toolbar dense"
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
          options={certificationStatuses.filter((one) => one !== '0' && one !== '5').map((one) => [one, certification.status[one]])}
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
        <button type="submit" className="button button-small">
          {text.site.common.search}
        </button>
      </form>
      {list.isPending ? (
        <Skeleton />
      ) : list.data?.rows.length ? (
        <div className="panel scroll-x" tabIndex={0}>
          <table className="table cards-on-phone">
            <thead>
              <tr>
                <th>{review.name}</th>
                <th>{review.kind}</th>
                <th>{review.applicant}</th>
                <th>{review.submittedAt}</th>
                <th>{text.site.common.status}</th>
              </tr>
            </thead>
            <tbody>
              {list.data.rows.map((row) => (
                <tr key={row.id}>
                  <td className="whole">
                    <Link to={to(row.id)}>{row.name}</Link>
                  </td>
                  <td data-label={review.kind}>{certification.kinds[row.kind]}</td>
                  <td data-label={review.applicant} className="num">
                    {row.applicant} {row.phonenumber}
                  </td>
                  <td data-label={review.submittedAt} className="num">
                    {minute(row.submittedAt)}
                  </td>
                  <td data-label={text.site.common.status}>
                    <Tag tone={certificationTone[row.status] ?? 'plain'}>{certification.status[row.status]}</Tag>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <div className="panel">
          <Empty title={review.none} />
        </div>
      )}
      <ListPages total={list.data?.total ?? 0} pageSize={pageSize} />
    </div>
  )
}
