import { useQuery } from '@tanstack/react-query'
import { useLocation, useSearchParams } from 'react-router'
import { listOwnDepts } from '#shared/company/contract.ts'
import { countOwnDemands, listOwnDemands } from '#shared/demand/contract.ts'
import { demandStatuses } from '#shared/demand/rules.ts'
import { call } from '../app/api.ts'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { minute, named } from '../app/format.ts'
import { ListPages } from '../app/list-pages.tsx'
import { paths } from '#shared/paths.ts'
import { Countdown, demandTone } from '../demand/demand-card.tsx'
import { useRememberedFilters } from '../app/remember.ts'
import { useSiteName } from '../app/site.ts'
import { mayIn, useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { Empty, Head, Skeleton, Tag } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 10

export default function OwnDemandListPage() {
  const text = useText()
  const { own } = text.demand
  const site = useSiteName()
  const session = useSession()
  const { search } = useLocation()
  const [params] = useSearchParams()
  useRememberedFilters('ownDemand')
  const query = Object.fromEntries(params) as Record<string, string>
  const list = useQuery({
    queryKey: [listOwnDemands.url, search],
    queryFn: () => call(listOwnDemands, { query: { ...query, pageSize } as never }),
    placeholderData: (before) => before,
  })
  const counts = useQuery({ queryKey: [countOwnDemands.url], queryFn: () => call(countOwnDemands, {}) })
  const mayEdit = mayIn(session, 'demand:edit')
  const depts = useQuery({ queryKey: [listOwnDepts.url], queryFn: () => call(listOwnDepts, {}), enabled: mayEdit })
  const withStatus = (status: string) => {
    const next = new URLSearchParams(params)
    next.delete('pageNum')
    if (status) next.set('status', status)
    else next.delete('status')
    return `?${next}`
  }
  return (
    <div>
      <Head title={own.list} site={site} index={false} />
      <div className="row between" style={{ marginBottom: 12 }}>
        <h1>{own.list}</h1>
        {mayEdit && (
          <Link className="button button-primary" to={paths.addDemand()}>
            {own.publish}
          </Link>
        )}
      </div>
      <nav className="tabs" aria-label={text.site.common.status}>
        <Link to={withStatus('')} aria-current={query.status ? undefined : 'page'}>
          {text.site.common.all}
        </Link>
        {demandStatuses
          .filter((status) => status !== '0' && (counts.data?.[status] || query.status === status))
          .map((status) => (
            <Link key={status} to={withStatus(status)} aria-current={query.status === status ? 'page' : undefined}>
              {text.demand.status[status]} <span className="num faint">{counts.data?.[status] ?? 0}</span>
            </Link>
          ))}
      </nav>
      <FilterForm>
        {query.status && <input type="hidden" name="status" value={query.status} />}
        <TextFilter name="projectName" label={own.projectName} value={query.projectName} className="wide" />
        <TextFilter name="demandCode" label={text.demand.code} value={query.demandCode} />
        {(depts.data?.length ?? 0) > 1 && (
          <SelectFilter
            name="deptId"
            label={own.dept}
            value={query.deptId}
            all={text.site.common.unlimited}
            options={(depts.data ?? []).map((dept) => [dept.deptId, dept.projectName])}
          />
        )}
      </FilterForm>
      {list.isPending ? (
        <Skeleton />
      ) : list.isError ? (
        <Empty
          title={text.site.common.failed}
          hint={text.site.common.failedHint}
          action={
            <button type="button" className="button" onClick={() => void list.refetch()}>
              {text.site.common.retry}
            </button>
          }
        />
      ) : list.data.rows.length === 0 ? (
        <div className="panel">
          <Empty title={own.empty} hint={own.emptyHint} />
        </div>
      ) : (
        <div className="scroll-x" tabIndex={0}>
          <table className="table cards-on-phone">
            <thead>
              <tr>
                <th>{text.demand.form.titleField}</th>
                <th>{text.site.common.status}</th>
                <th>{text.demand.lines}</th>
                <th className="right">{text.demand.quoteCount}</th>
                <th>{text.demand.deadline}</th>
              </tr>
            </thead>
            <tbody>
              {list.data.rows.map((demand) => (
                <tr key={demand.id}>
                  <td className="whole">
                    <Link to={paths.ownDemand(demand.id)}>{demand.title}</Link>
                    <p className="small faint">
                      <span className="num">{demand.demandCode}</span> · {demand.projectName}
                    </p>
                  </td>
                  <td data-label={text.site.common.status}>
                    <Tag tone={demandTone[demand.status] ?? 'plain'}>{text.demand.status[demand.status]}</Tag>
                  </td>
                  <td className="whole small">
                    {demand.items.map((item) => `${named(text, item)} ×${item.qty}`).join(text.locale === 'zh-CN' ? '、' : ', ')}
                  </td>
                  <td data-label={text.demand.quoteCount} className="right num">
                    {demand.quoteCount}
                  </td>
                  <td data-label={text.demand.deadline} className="num">
                    <span>
                      {minute(demand.quoteDeadline)}
                      {demand.status === '3' && (
                        <span className="small demand-left" style={{ display: 'block' }}>
                          <Countdown until={demand.quoteDeadline} />
                        </span>
                      )}
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <ListPages total={list.data?.total ?? 0} pageSize={pageSize} />
    </div>
  )
}
