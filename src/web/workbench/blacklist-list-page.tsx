import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { listBlacklist } from '#shared/blacklist/contract.ts'
import { blacklistStatuses } from '#shared/blacklist/rules.ts'
import { call } from '../app/api.ts'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { ListPages } from '../app/list-pages.tsx'
import { paths } from '#shared/paths.ts'
import { useRememberedFilters } from '../app/remember.ts'
import { useSiteName } from '../app/site.ts'
import { mayIn, roleIn, useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { Empty, Head, Skeleton, Tag, type Tone } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 10

export const blacklistTone: Record<string, Tone> = {
  '0': 'plain',
  '1': 'warn',
  '2': 'bad',
  '3': 'amber',
  '4': 'good',
  '5': 'plain',
  '6': 'plain',
}

export default function BlacklistPage() {
  const text = useText()
  const words = text.blacklist
  const site = useSiteName()
  const session = useSession()
  const own = roleIn(session) === 'leaser'
  const [params] = useSearchParams()
  useRememberedFilters('blacklist')
  const query = Object.fromEntries(params) as Record<string, string>
  const list = useQuery({
    queryKey: [listBlacklist.url, query],
    queryFn: () => call(listBlacklist, { query: { ...query, pageSize } as never }),
    placeholderData: (before) => before,
  })
  const title = own ? words.titleOwn : words.title
  return (
    <div>
      <Head title={title} site={site} index={false} />
      <header className="page-head row between">
        <div>
          <h1>{title}</h1>
          <p>{own ? words.leadOwn : words.lead}</p>
        </div>
        {mayIn(session, 'blacklist:propose') && (
          <Link className="button button-primary" to={paths.addBlacklist()}>
            {words.add}
          </Link>
        )}
      </header>
      <FilterForm>
        <TextFilter name="keyword" label={words.company} value={query.keyword} className="wide" />
        <SelectFilter
          name="status"
          label={text.site.common.status}
          value={query.status}
          all={text.site.common.unlimited}
          options={blacklistStatuses.map((status) => [status, words.status[status] ?? ''])}
        />
      </FilterForm>
      {list.isPending ? (
        <Skeleton />
      ) : list.data?.rows.length ? (
        <div className="scroll-x" tabIndex={0}>
          <table className="table cards-on-phone">
            <thead>
              <tr>
                <th>{words.subject}</th>
                <th>{words.level}</th>
                <th>{words.reason}</th>
                <th>{words.scope}</th>
                <th>{words.period}</th>
                <th>{text.site.common.status}</th>
              </tr>
            </thead>
            <tbody>
              {list.data.rows.map((entry) => (
                <tr key={entry.id}>
                  <td className="whole">
                    <Link to={paths.blacklistEntry(entry.id)}>{entry.subjectName}</Link>
                    <p className="small faint">
                      <span className="num">{entry.blacklistCode}</span>
                      {entry.subjectKind !== 'company' && ` · ${words.kinds[entry.subjectKind]} · ${entry.companyName}`}
                    </p>
                  </td>
                  <td data-label={words.level}>{words.levels[entry.level]}</td>
                  <td data-label={words.reason}>{words.reasons[entry.reasonCode]}</td>
                  <td data-label={words.scope}>{entry.scopeName || words.platform}</td>
                  <td data-label={words.period} className="num">
                    {entry.fromDay} – {entry.toDay}
                  </td>
                  <td data-label={text.site.common.status}>
                    <Tag tone={blacklistTone[entry.status] ?? 'plain'}>{words.status[entry.status]}</Tag>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <div className="panel">
          <Empty title={own ? words.emptyOwn : words.empty} />
        </div>
      )}
      <ListPages total={list.data?.total ?? 0} pageSize={pageSize} />
    </div>
  )
}
