import { useQuery } from '@tanstack/react-query'
import { getCompany } from '#shared/company/manage.ts'
import { call } from '../app/api.ts'
import { FilterChip } from '../app/filter-chip.tsx'
import { mayIn, useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'

/** Names the company that the list is narrowed to, or says only that it is. */
export function CompanyChip({ id }: { id: string }) {
  const text = useText()
  const mayName = mayIn(useSession(), 'company:manage')
  const found = useQuery({
    queryKey: [getCompany.url, id],
    queryFn: () => call(getCompany, { params: { id } }, true),
    enabled: mayName,
  })
  return <FilterChip name="companyId" label={text.admin.only(found.data?.enterpriseName ?? text.admin.oneCompany)} />
}
