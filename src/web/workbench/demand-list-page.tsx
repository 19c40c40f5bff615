import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { listOwnDepts } from '#shared/company/contract.ts'
import { daysSince } from '#shared/calendar.ts'
import { countOwnDemands, exportOwnDemands, listOwnDemands, type OwnDemandRow } from '#shared/demand/contract.ts'
import { demandStatus, demandStatuses } from '#shared/demand/rules.ts'
import { demandTodos } from '#shared/demand/todo.ts'
import { call } from '../app/api.ts'
import { FilterChip } from '../app/filter-chip.tsx'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { useFollow } from '../app/follow.ts'
import { minute, money, named } from '../app/format.ts'
import { useList } from '../app/list-frame.tsx'
import { filtersBesides, withParam } from '../app/list-settings.ts'
import { paths } from '#shared/paths.ts'
import { comma } from '#shared/text/punctuation.ts'
import { Countdown, DemandTag } from '../demand/demand-card.tsx'
import { useRememberedFilters } from '../app/remember.ts'
import { mayIn, useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { TodoChip } from '../app/todo-chip.tsx'
import { filtersOf, queryOf } from '../app/visit.ts'
import { countInStatus } from './demand/count-in-status.ts'
import { exportList, WorkList } from '../app/work-list.tsx'
import type { WorkColumn } from '../app/work-table.tsx'
import type { Tab } from '../ui/tabs.tsx'
import { Link } from '../ui/link.tsx'

// It knows the tree of the units, which the first page of the workbench rarely needs.
const DeptChip = lazy(async () => ({ default: (await import('./dept-chip.tsx')).DeptChip }))

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
  const besides = filtersBesides('status', params)
  const counts = useQuery({
    queryKey: [countOwnDemands.url, besides],
    queryFn: () => call(countOwnDemands, { query: besides }),
    placeholderData: (before) => before,
  })
  const mayEdit = mayIn(session, 'demand:edit')
  const depts = useQuery({ queryKey: [listOwnDepts.url], queryFn: () => call(listOwnDepts, {}), enabled: mayEdit })
  const units = (depts.data ?? []).map(({ deptId, projectName }) => [deptId, projectName] as const)
  // The list of units links to all demands below one, which is no choice here.
  const unit = depts.isLoading || units.some(([id]) => String(id) === query.deptId) ? undefined : query.deptId
  const columns = useDemandColumns()
  const tabs: Tab[] = [
    { to: withParam(params, 'status', ''), label: text.site.common.all, current: !query.status },
    ...demandStatuses
      .filter((status) => status !== demandStatus.draft && (counts.data?.[status] || query.status === status))
      .map((status) => ({
        to: withParam(params, 'status', status),
        label: text.demand.status[status],
        count: countInStatus(counts.data?.[status] ?? 0, query.projectName),
        current: query.status === status,
      })),
  ]
  const todo = demandTodos.find((one) => one === query.todo)
  return (
    <WorkList
      name="ownDemand"
      title={own.list}
      actions={
        mayEdit && (
          <Link className="button button-primary" to={paths.addDemand()}>
            {own.publish}
          </Link>
        )
      }
      tabs={tabs}
      filters={
        <>
          <TodoChip kind={todo} />
          {query.open && <FilterChip name="open" label={text.organization.demandCount} />}
          {query.opened && <FilterChip name="opened" label={own.opened} />}
          {unit && (
            <Suspense>
              <DeptChip id={unit} />
            </Suspense>
          )}
          <FilterForm>
            {todo && <input type="hidden" name="todo" value={todo} />}
            {query.open && <input type="hidden" name="open" value={query.open} />}
            {query.opened && <input type="hidden" name="opened" value={query.opened} />}
            {query.status && <input type="hidden" name="status" value={query.status} />}
            {unit && <input type="hidden" name="deptId" value={unit} />}
            <TextFilter name="projectName" label={own.projectName} value={query.projectName} className="wide" />
            <TextFilter name="demandCode" label={text.demand.code} value={query.demandCode} />
            {units.length > 1 && !unit && (
              <SelectFilter name="deptId" label={own.dept} value={query.deptId} all={text.site.common.unlimited} options={units} />
            )}
          </FilterForm>
        </>
      }
      list={list}
      columns={columns}
      keyOf={({ id }) => id}
      nameOf={({ title }) => title}
      exported={() => exportList(exportOwnDemands, queryOf(params, exportOwnDemands))}
      empty={own.empty}
      emptyHint={own.emptyHint}
      emptyAction={
        mayEdit && (
          <Link className="button button-primary" to={paths.addDemand()}>
            {own.publish}
          </Link>
        )
      }
      pageSize={pageSize}
    />
  )
}

/** The sum of an amount over the rows that have one, in the words of a cell. */
const sumOf = (rows: readonly OwnDemandRow[], name: 'net' | 'saved') =>
  rows.some((row) => row[name] !== null) ? money(rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0)) : ''

function useDemandColumns(): WorkColumn<OwnDemandRow>[] {
  const text = useText()
  const words = text.list.demand
  return [
    {
      id: 'title',
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
      id: 'status',
      label: text.site.common.status,
      cell: ({ status, net }) => <DemandTag status={status} hasWinner={net !== null} />,
    },
    {
      id: 'lines',
      label: text.demand.lines,
      whole: true,
      className: 'small',
      cell: ({ items }) => items.map((item) => `${named(text, item)} ×${item.qty}`).join(comma(text)),
    },
    { id: 'quoteCount', label: text.demand.quoteCount, sort: 'quoteCount', num: true, cell: ({ quoteCount }) => quoteCount },
    {
      id: 'deadline',
      label: text.demand.deadline,
      sort: 'quoteDeadline',
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
    {
      id: 'waiting',
      label: words.waiting,
      num: true,
      cell: ({ waitingSince }) => waitingSince && words.waitingFor(daysSince(waitingSince, new Date())),
    },
    { id: 'net', label: words.net, sort: 'net', num: true, cell: ({ net }) => money(net), sum: (rows) => sumOf(rows, 'net') },
    {
      id: 'saved',
      label: words.saved,
      num: true,
      cell: ({ saved }) =>
        saved !== null && (
          <span>
            {money(Math.abs(Number(saved)))}
            <span className="block small faint broken">{Number(saved) < 0 ? words.aboveMean : words.belowMean}</span>
          </span>
        ),
      sum: (rows) => sumOf(rows, 'saved'),
    },
    {
      id: 'publishTime',
      label: text.demand.publishedAt,
      sort: 'publishTime',
      className: 'num',
      extra: true,
      cell: ({ publishTime }) => minute(publishTime),
    },
  ]
}
