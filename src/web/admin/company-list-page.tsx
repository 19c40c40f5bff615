import { useSearchParams } from 'react-router'
import { exportCompanies, grades, listCompanies } from '#shared/company/manage.ts'
import { FilterForm, SelectFilter, TextFilter } from '../app/filter-form.tsx'
import { day, number, placeName } from '../app/format.ts'
import { useList } from '../app/list-frame.tsx'
import { paths } from '#shared/paths.ts'
import { certificationStatus, isCertified } from '#shared/certification/rules.ts'
import { companyStatus } from '#shared/company/rules.ts'
import { useRememberedFilters } from '../app/remember.ts'
import { useText } from '../app/text.tsx'
import { queryOf } from '../app/visit.ts'
import { exportList, WorkList } from '../app/work-list.tsx'
import { Tag, type Tone } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 20

export default function CompanyListPage() {
  const text = useText()
  const words = text.admin.companies
  const [params] = useSearchParams()
  useRememberedFilters('companies')
  const list = useList(listCompanies, pageSize)
  const value = (name: string) => params.get(name) ?? undefined
  return (
    <WorkList
      name="companies"
      title={text.admin.menu.companies}
      lead={words.lead}
      filters={
        <FilterForm>
          <TextFilter name="keyword" label={words.name} value={value('keyword')} placeholder={words.keywordHint} className="wide" />
          <SelectFilter
            name="kind"
            label={words.kind}
            value={value('kind')}
            all={text.site.common.all}
            options={Object.entries(words.kinds)}
          />
          <SelectFilter
            name="grade"
            label={words.grade}
            value={value('grade')}
            all={text.site.common.all}
            options={grades.map((one) => [one, one])}
          />
          <SelectFilter
            name="status"
            label={text.site.common.status}
            value={value('status')}
            all={text.site.common.all}
            options={Object.entries(words.status)}
          />
        </FilterForm>
      }
      list={list}
      keyOf={({ id }) => id}
      nameOf={({ enterpriseName }) => enterpriseName}
      exported={() => exportList(exportCompanies, queryOf(params, exportCompanies))}
      empty={words.empty}
      pageSize={pageSize}
      columns={[
        {
          id: 'name',
          label: words.name,
          sort: 'enterpriseName',
          whole: true,
          cell: (company) => (
            <>
              <Link to={paths.company(company.id)}>{company.enterpriseName}</Link>
              <p className="small faint num">{company.creditCode}</p>
            </>
          ),
        },
        {
          id: 'kind',
          label: words.kind,
          cell: (company) => (
            <span className="row gap-4">
              {company.isLessor && <KindTag kind="lessor" audit={company.lessorAudit} tone="good" />}
              {company.isLessee && <KindTag kind="lessee" audit={company.lesseeAudit} tone="blue" />}
            </span>
          ),
        },
        { id: 'grade', className: 'num', label: words.grade, cell: ({ grade }) => grade ?? text.site.common.none },
        { id: 'region', className: 'whole-words', label: words.region, cell: (company) => placeName(text, company) },
        { id: 'people', label: words.people, num: true, cell: ({ people }) => number(people) },
        { id: 'machines', label: words.machines, num: true, cell: ({ machines }) => number(machines) },
        {
          id: 'status',
          className: 'num',
          label: text.site.common.status,
          cell: ({ status }) => <Tag tone={status === companyStatus.active ? 'good' : 'bad'}>{words.status[status]}</Tag>,
        },
        {
          id: 'created',
          label: words.created,
          sort: 'createTime',
          cell: ({ createTime }) => <span className="num">{day(createTime)}</span>,
        },
      ]}
    />
  )
}

/** What a company is, and how far its certification has come unless it is certified. */
function KindTag({ kind, audit, tone }: { kind: 'lessor' | 'lessee'; audit: string | null; tone: Tone }) {
  const words = useText().admin.companies
  if (audit !== null && isCertified(audit)) return <Tag tone={tone}>{words.kinds[kind]}</Tag>
  return (
    <Tag>
      {words.kinds[kind]} · {words.audit[audit ?? certificationStatus.unsubmitted]}
    </Tag>
  )
}
