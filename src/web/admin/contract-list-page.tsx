import { useSearchParams } from 'react-router'
import { countAllContracts, exportAllContracts, listAllContracts } from '#shared/contract/manage.ts'
import { contractSources } from '#shared/contract/rules.ts'
import { paths } from '#shared/paths.ts'
import { useContractTabs } from '../contract/contract-tabs.ts'
import { contractTone } from '../contract/contract-tone.ts'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { day, minute } from '../app/format.ts'
import { useList } from '../app/list-frame.tsx'
import { Period } from '../app/period.tsx'
import { useRememberedFilters } from '../app/remember.ts'
import { useText } from '../app/text.tsx'
import { queryOf } from '../app/visit.ts'
import { exportList, WorkList } from '../app/work-list.tsx'
import { Link } from '../ui/link.tsx'
import { Tag } from '../ui/parts.tsx'
import { CompanyChip } from './company-chip.tsx'

const pageSize = 20

/** Every contract for the platform, without prices; opening one asks for a reason. */
export default function ContractListPage() {
  const text = useText()
  const words = text.contract
  const { list: own } = words.record
  const [params] = useSearchParams()
  useRememberedFilters('contract', 'companyId')
  const list = useList(listAllContracts, pageSize)
  const tabs = useContractTabs(countAllContracts, null)
  const value = (name: string) => params.get(name) ?? undefined
  const [companyId, status] = [value('companyId'), value('status')]
  return (
    <WorkList
      name="contract"
      title={own.title}
      lead={own.lead}
      tabs={tabs}
      filters={
        <>
          {companyId && <CompanyChip id={companyId} />}
          <FilterForm>
            {companyId && <input type="hidden" name="companyId" value={companyId} />}
            {status && <input type="hidden" name="status" value={status} />}
            <TextFilter name="keyword" label={words.pages.keyword} value={value('keyword')} className="wide" />
            <SelectFilter
              name="source"
              label={own.source}
              value={value('source')}
              all={text.site.common.all}
              options={contractSources.map((source) => [source, words.source[source]])}
            />
          </FilterForm>
        </>
      }
      list={list}
      keyOf={({ id }) => id}
      nameOf={({ title }) => title}
      exported={() => exportList(exportAllContracts, queryOf(params, exportAllContracts))}
      empty={own.empty}
      pageSize={pageSize}
      columns={[
        {
          id: 'title',
          label: words.name,
          whole: true,
          cell: ({ id, title, contractCode }) => (
            <>
              <Link to={paths.contract(id)}>{title}</Link>
              <p className="small faint num">{contractCode}</p>
            </>
          ),
        },
        {
          id: 'status',
          label: text.site.common.status,
          cell: ({ status }) => <Tag tone={contractTone[status]}>{words.status[status]}</Tag>,
        },
        {
          id: 'lessee',
          className: 'long-name',
          label: own.lessee,
          cell: ({ lesseeName, deptName }) => (
            <span>
              {lesseeName}
              <span className="small faint block">{deptName}</span>
            </span>
          ),
        },
        { id: 'lessor', className: 'long-name', label: own.lessor, cell: ({ lessorName }) => lessorName },
        {
          id: 'dates',
          label: words.pages.dates,
          sort: 'planEnd',
          cell: ({ planStart, planEnd }) => <Period from={planStart} to={planEnd} />,
        },
        { id: 'created', label: own.created, cell: ({ createTime }) => <span className="num">{day(createTime)}</span> },
        {
          id: 'updated',
          label: words.pages.updated,
          sort: 'updateTime',
          className: 'num',
          cell: ({ updateTime }) => minute(updateTime),
        },
      ]}
    />
  )
}
