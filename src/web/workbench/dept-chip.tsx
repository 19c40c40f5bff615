import { useQuery } from '@tanstack/react-query'
import { listDepts } from '#shared/dept/contract.ts'
import { call } from '../app/api.ts'
import { FilterChip } from '../app/filter-chip.tsx'
import { mayIn, useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'

/** Names the department that a list is narrowed to, or says only that it is. */
export function DeptChip({ id }: { id: string }) {
  const { organization } = useText()
  const mayName = mayIn(useSession(), 'dept:view')
  const depts = useQuery({ queryKey: [listDepts.url], queryFn: () => call(listDepts, {}), enabled: mayName })
  const dept = depts.data?.find(({ deptId }) => String(deptId) === id)
  return <FilterChip name="deptId" label={organization.onlyDept(dept?.deptName ?? organization.dept)} />
}
