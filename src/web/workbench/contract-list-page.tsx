import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { listOwnDepts } from '#shared/company/contract.ts'
import { countContracts, endsWithinDays, exportContracts, listContracts, type ContractRow } from '#shared/contract/contract.ts'
import { contractStatusOf, scanStatusOf } from '#shared/contract/status-text.ts'
import { paths } from '#shared/paths.ts'
import { call } from '../app/api.ts'
import { useContractTabs } from '../contract/contract-tabs.ts'
import { contractTone } from '../contract/contract-tone.ts'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { useFollow } from '../app/follow.ts'
import { minute, money } from '../app/format.ts'
import { useList } from '../app/list-frame.tsx'
import { Period } from '../app/period.tsx'
import { useRememberedFilters } from '../app/remember.ts'
import { contractRoleIn, mayIn, useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { filtersOf, queryOf } from '../app/visit.ts'
import { exportList, WorkList } from '../app/work-list.tsx'
import type { WorkColumn } from '../app/work-table.tsx'
import { Countdown } from '../demand/demand-card.tsx'
import { Link } from '../ui/link.tsx'
import { Tag } from '../ui/parts.tsx'
import { PartyFilter } from './contract/contract-party-filter.tsx'

const pageSize = 10

export default function ContractListPage() {
  const text = useText()
  const words = text.contract.pages
  const session = useSession()
  const [params] = useSearchParams()
  useRememberedFilters('contract')
  const query = filtersOf(params)
  const list = useList(listContracts, pageSize)
  useFollow('contract', listContracts, countContracts)
  // An extension of the time for the contracts is news of their demand.
  useFollow('demand', listContracts)
  const depts = useQuery({
    queryKey: [listOwnDepts.url],
    queryFn: () => call(listOwnDepts, {}),
    enabled: mayIn(session, 'demand:edit'),
  })
  const columns = useContractColumns({ showsDept: (depts.data?.length ?? 0) > 1 })
  const isLessor = contractRoleIn(session) === 'leaser'
  const tabs = useContractTabs(countContracts, isLessor ? 'lessor' : 'lessee')
  // A lessor's contracts come from the other side.
  const add = mayIn(session, 'contract:make') && !isLessor && (
    <Link className="button button-primary" to={paths.addContract()}>
      {words.direct.add}
    </Link>
  )
  return (
    <WorkList
      name="contract"
      title={text.contract.title}
      actions={add}
      tabs={tabs}
      filters={
        <FilterForm>
          {query.status && <input type="hidden" name="status" value={query.status} />}
          <TextFilter name="keyword" label={words.keyword} value={query.keyword} className="wide" />
          <PartyFilter label={text.contract.side[isLessor ? 'lessee' : 'lessor']} value={query.companyId} />
          {(depts.data?.length ?? 0) > 1 && (
            <SelectFilter
              name="deptId"
              label={text.demand.own.dept}
              value={query.deptId}
              all={text.site.common.unlimited}
              options={(depts.data ?? []).map((dept) => [dept.deptId, dept.projectName])}
            />
          )}
          <SelectFilter
            name="endsWithin"
            label={words.endsWithin}
            value={query.endsWithin}
            all={text.site.common.unlimited}
            options={[['over', words.over], ...endsWithinDays.map((days): [string, string] => [days, words.within(days)])]}
          />
        </FilterForm>
      }
      list={list}
      columns={columns}
      keyOf={({ id }) => id}
      nameOf={({ title }) => title}
      exported={() => exportList(exportContracts, queryOf(params, exportContracts))}
      empty={words.empty}
      emptyHint={words.emptyHint}
      emptyAction={add}
      pageSize={pageSize}
    />
  )
}

/** `showsDept`: the reader sees the contracts of several units, so each row names its own. */
function useContractColumns({ showsDept }: { showsDept: boolean }): WorkColumn<ContractRow>[] {
  const text = useText()
  const words = text.contract
  const isLessor = contractRoleIn(useSession()) === 'leaser'
  return [
    {
      id: 'title',
      label: words.name,
      whole: true,
      cell: ({ id, title, contractCode, lessee }) => (
        <>
          <Link to={paths.contract(id)}>{title}</Link>
          <p className="small faint">
            <span className="num">{contractCode}</span>
            {showsDept && ` · ${lessee.deptName}`}
          </p>
        </>
      ),
    },
    {
      id: 'status',
      label: text.site.common.status,
      sort: 'status',
      cell: ({ status, lapseBlame }) => (
        <span>
          <Tag tone={contractTone[status]}>{contractStatusOf(text, { status, side: isLessor ? 'lessor' : 'lessee' })}</Tag>
          {lapseBlame && <span className="small faint block">{words.pages.lapsed(words.blame[lapseBlame])}</span>}
        </span>
      ),
    },
    {
      id: 'otherSide',
      className: 'long-name',
      label: words.pages.otherSide,
      cell: ({ lessee, lessor }) => (
        <span>
          {isLessor ? lessee.companyName : lessor.companyName}
          {isLessor && <span className="small faint block">{lessee.deptName}</span>}
        </span>
      ),
    },
    { id: 'positions', label: words.positions, num: true, cell: ({ positions }) => positions },
    {
      id: 'amount',
      label: words.amountYuan,
      sort: 'amount',
      num: true,
      cell: ({ amount }) => money(amount, true),
      sum: (rows) =>
        money(
          rows.reduce((sum, { amount }) => sum + Number(amount), 0),
          true,
        ),
    },
    {
      id: 'dates',
      label: words.pages.dates,
      sort: 'planEnd',
      cell: ({ planStart, planEnd }) => <Period from={planStart} to={planEnd} />,
    },
    {
      id: 'lapses',
      label: words.pages.lapses,
      className: 'num',
      cell: ({ lapsesAt }) =>
        lapsesAt && (
          <span title={words.pages.lapsesAt(minute(lapsesAt))}>
            <span className="demand-left">
              <Countdown until={lapsesAt} />
            </span>
            <span className="block small faint">{minute(lapsesAt)}</span>
          </span>
        ),
    },
    {
      id: 'updated',
      label: words.pages.updated,
      sort: 'updateTime',
      className: 'num',
      extra: true,
      cell: ({ updateTime }) => minute(updateTime),
    },
    { id: 'scan', label: words.pages.scans, extra: true, cell: (row) => scanStatusOf(text, row) },
  ]
}
