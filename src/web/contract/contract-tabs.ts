import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { countContracts } from '#shared/contract/contract.ts'
import type { countAllContracts } from '#shared/contract/manage.ts'
import { contractStatuses, type ContractSide } from '#shared/contract/rules.ts'
import { contractStatusOf } from '#shared/contract/status-text.ts'
import { call } from '../app/api.ts'
import { filtersBesides, withParam } from '../app/list-settings.ts'
import { useText } from '../app/text.tsx'
import type { Tab } from '../ui/tabs.tsx'

/** The tabs of a list of contracts for a side: each state that the other filters leave, with its number, and all of them together. */
export function useContractTabs(counted: typeof countContracts | typeof countAllContracts, side: ContractSide | null): Tab[] {
  const text = useText()
  const [params] = useSearchParams()
  const current = params.get('status')
  const query = filtersBesides('status', params)
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
        label: contractStatusOf(text, { status, side }),
        count: counts.data?.[status] ?? 0,
        current: current === status,
      })),
  ]
}
