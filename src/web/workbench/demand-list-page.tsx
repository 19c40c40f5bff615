import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { listOwnDepts } from '#shared/company/contract.ts'
import { countOwnDemands, listOwnDemands } from '#shared/demand/contract.ts'
import { demandStatus, demandStatuses } from '#shared/demand/rules.ts'
import { demandTodos, type DemandTodo } from '#shared/demand/todo.ts'
import { call } from '../app/api.ts'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { useFollow } from '../app/follow.ts'
import { minute, named } from '../app/format.ts'
import { ListFrame, useList } from '../app/list-frame.tsx'
import { paths } from '#shared/paths.ts'
import { Countdown, demandTone } from '../demand/demand-card.tsx'
import { useRememberedFilters } from '../app/remember.ts'
import { mayIn, useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { filtersOf } from '../app/visit.ts'
import { Tag } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 10

export default function OwnDemandListPage() {
  const text = useText()
  const { own } = text.demand
  const session = useSession()
  const [params] = useSearchParams()
  useRememberedFilters('ownDemand')
  const query = filtersOf(params)
  const list = useList(listOwnDemands, pageSize)
  useFollow('demand', listOwnDemands, countOwnDemands)
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
  const todo = demandTodos.find((one) => one === query.todo)
  return (
    <ListFrame
      title={own.list}
      actions={
        mayEdit && (
          <Link className="button button-primary" to={paths.addDemand()}>
            {own.publish}
          </Link>
        )
      }
      filters={
        <>
          <nav className="tabs" aria-label={text.site.common.status}>
            <Link to={withStatus('')} aria-current={query.status ? undefined : 'page'}>
              {text.site.common.all}
            </Link>
            {demandStatuses
              .filter((status) => status !== demandStatus.draft && (counts.data?.[status] || query.status === status))
              .map((status) => (
                <Link key={status} to={withStatus(status)} aria-current={query.status === status ? 'page' : undefined}>
                  {text.demand.status[status]} <span className="num faint">{counts.data?.[status] ?? 0}</span>
                </Link>
              ))}
          </nav>
          <TodoChip todo={todo} />
          <FilterForm>
            {todo && <input type="hidden" name="todo" value={todo} />}
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
        </>
      }
      list={list}
      keyOf={({ id }) => id}
      empty={own.empty}
      emptyHint={own.emptyHint}
      pageSize={pageSize}
      columns={[
        {
          label: text.demand.form.titleField,
          whole: true,
          cell: (demand) => (
            <>
              <Link to={paths.ownDemand(demand.id)}>{demand.title}</Link>
              <p className="small faint">
                <span className="num">{demand.demandCode}</span> · {demand.projectName}
              </p>
            </>
          ),
        },
        {
          label: text.site.common.status,
          cell: ({ status }) => <Tag tone={demandTone[status]}>{text.demand.status[status]}</Tag>,
        },
        {
          label: text.demand.lines,
          whole: true,
          className: 'small',
          cell: ({ items }) => items.map((item) => `${named(text, item)} ×${item.qty}`).join(text.locale === 'zh-CN' ? '、' : ', '),
        },
        { label: text.demand.quoteCount, num: true, cell: ({ quoteCount }) => quoteCount },
        {
          label: text.demand.deadline,
          className: 'num',
          cell: ({ quoteDeadline, status }) => (
            <span>
              {minute(quoteDeadline)}
              {status === demandStatus.quoting && (
                <span className="small demand-left block">
                  <Countdown until={quoteDeadline} />
                </span>
              )}
            </span>
          ),
        },
      ]}
    />
  )
}

/** Says that the list holds only what waits for one thing, and takes that back. */
function TodoChip({ todo }: { todo: DemandTodo | undefined }) {
  const text = useText()
  const [params] = useSearchParams()
  if (!todo) return null
  const next = new URLSearchParams(params)
  next.delete('todo')
  const name = text.statistics.panel.kinds[todo][2]
  return (
    <p>
      <Link className="button button-small" to={`?${next}`} aria-label={`${text.site.common.reset}: ${name}`}>
        {name} ×
      </Link>
    </p>
  )
}
