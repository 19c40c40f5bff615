import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { countContracts } from '#shared/contract/contract.ts'
import type { countAllContracts } from '#shared/contract/manage.ts'
import { contractStatuses } from '#shared/contract/rules.ts'
import { call } from '../app/api.ts'
import { withParam } from '../app/list-settings.ts'
import { useText } from '../app/text.tsx'
import { filtersOf } from '../app/visit.ts'
import type { Tab } from '../ui/tabs.tsx'

/** The tabs of a list of contracts: each state that the other filters leave, with its number, and all of them together. */
export function useContractTabs(counted: typeof countContracts | typeof countAllContracts): Tab[] {
  const text = useText()
  const [params] = useSearchParams()
  const { status: current, pageNum: _, pageSize: __, sort: ___, ...query } = filtersOf(params)
  const counts = useQuery({
    queryKey: [counted.url, query],
    queryFn: () => call(counted, { query }),
    placeholderData: (before) => before,
  })
  const total = counts.data && Object.values(counts.data).reduce((sum, n) => sum + n, 0)
  return [
    { to: withParam(params, 'status', ''), label: text.site.common.all, count: total, current: !current },
    ...contractStatuses
      .filter((status) => counts.data?.[status] || current === status)
      .map((status) => ({
        to: withParam(params, 'status', status),
        label: text.contract.status[status],
        count: counts.data?.[status] ?? 0,
        current: current === status,
      })),
  ]
}
