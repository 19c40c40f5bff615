import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { getCompany, gradeCompany, grades, listCompanies, lockCompany, unlockCompany } from '#shared/company/manage.ts'
import type { Answered } from '#shared/endpoint.ts'
import { call } from '../app/api.ts'
import { useConfirm } from '../app/use-confirm.tsx'
import { SelectField } from '../ui/form-fields.tsx'
import { colon } from '../app/colon.ts'
import { day, number, placeName } from '../app/format.ts'
import { paths } from '#shared/paths.ts'
import { companyStatus } from '#shared/company/rules.ts'
import { mayIn, useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { FactRows } from '../ui/facts.tsx'
import { Head, Tag } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'
import { LockedContracts } from './locked-contracts.tsx'
import { RelatedCompanies } from './related-companies.tsx'

type CompanyDetail = Answered<typeof getCompany>

export default function CompanyDetailPage() {
  const [params] = useSearchParams()
  const id = params.get('id') ?? '0'
  // Another company begins without the dialog that is open over this one.
  return <CompanyDetailOf key={id} id={id} />
}

function CompanyDetailOf({ id }: { id: string }) {
  const text = useText()
  const words = text.admin.companies
  const site = useSiteName()
  const { confirm, dialog } = useConfirm(getCompany, listCompanies)
  const found = useQuery({ queryKey: [getCompany.url, id], queryFn: () => call(getCompany, { params: { id } }) })
  const company = found.data
  if (!company) return <Unloaded queries={[found]} rows={5} back={<Link to={paths.companies()}>{text.admin.menu.companies}</Link>} />
  const note = { label: text.admin.reason, hint: text.admin.reasonHint }
  const figures: [string, number][] = [
    [words.people, company.people],
    [words.machines, company.machines],
    [words.onShelf, company.onShelf],
    [words.demands, company.demands],
    [words.quotes, company.quotes],
    [words.won, company.won],
    [words.restrictions, company.restrictions],
  ]
  const locked = company.status === companyStatus.locked
  return (
    <div className="stack">
      <Head title={company.enterpriseName} site={site} index={false} />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.companies()}>{text.admin.menu.companies}</Link> / <span className="num">{company.creditCode}</span>
      </nav>
      <header className="panel row between">
        <div>
          <h1>{company.enterpriseName}</h1>
          <p className="row mt-8">
            <Tag tone={locked ? 'bad' : 'good'}>{words.status[company.status]}</Tag>
            <Tag>{company.grade ?? words.noGrade}</Tag>
          </p>
          {locked && (
            <p className="soft">
              {words.lockReason}
              {colon(text)}
              {company.lockReason}
            </p>
          )}
        </div>
        <button
          type="button"
          className={locked ? 'button' : 'button button-danger'}
          onClick={() =>
            confirm({
              title: locked ? words.unlock : words.lock,
              question: locked ? words.unlockAsk : words.lockAsk,
              subject: company.enterpriseName,
              harmless: locked,
              details: locked ? null : <LockedContracts company={company} />,
              note: { ...note, draft: `company-${locked ? 'unlock' : 'lock'}-${id}` },
              run: (reason) =>
                locked
                  ? call(unlockCompany, { params: { id }, body: { reason } })
                  : call(lockCompany, { params: { id }, body: { reason, contracts: company.contractCount } }),
              done: () => (locked ? words.unlocked : words.locked),
            })
          }
        >
          {locked ? words.unlock : words.lock}
        </button>
      </header>
      <dl className="figure-grid">
        {figures.map(([label, value]) => (
          <div key={label} className="panel">
            <dt className="small soft">{label}</dt>
            <dd className="figure num">{number(value)}</dd>
          </div>
        ))}
      </dl>
      <CompanyFacts company={company} />
      {company.isLessor && <Grade company={company} />}
      <RelatedCompanies id={id} />
      {dialog}
    </div>
  )
}

/** The facts of a company, with links to its people, machines and audit entries. */
function CompanyFacts({ company }: { company: CompanyDetail }) {
  const text = useText()
  const words = text.admin.companies
  const session = useSession()
  const facts: [string, string | number | null][] = [
    [words.code, company.creditCode],
    [words.region, placeName(text, company)],
    [words.address, company.address],
    [words.legalPerson, company.legalPerson],
    [words.contact, `${company.contactName} ${company.contactPhone}`.trim()],
    [words.kinds.lessor, company.isLessor ? (words.audit[company.lessorAudit] ?? '') : null],
    [words.kinds.lessee, company.isLessee ? (words.audit[company.lesseeAudit] ?? '') : null],
    [words.validTo, company.lessorValidTo],
    [words.created, day(company.createTime)],
  ]
  return (
    <section className="panel">
      <dl className="facts">
        <FactRows facts={facts} isNumeric />
      </dl>
      <p className="row mt-16">
        {mayIn(session, 'account:manage') && (
          <Link className="button button-small" to={paths.accounts(`?companyId=${company.id}`)}>
            {words.seePeople}
          </Link>
        )}
        {mayIn(session, 'contract:look') && (
          <Link className="button button-small" to={paths.allContracts(`?companyId=${company.id}`)}>
            {words.seeContracts}
          </Link>
        )}
        {company.isPublic && (
          <Link className="button button-small" to={paths.lessor(company.id)}>
            {words.seeMachines}
          </Link>
        )}
        {mayIn(session, 'audit:view') && (
          <Link className="button button-small" to={paths.audit(`?bizType=company&bizId=${company.id}`)}>
            {words.seeLog}
          </Link>
        )}
      </p>
    </section>
  )
}

/** Sets the grade of a lessor, with a reason. */
function Grade({ company }: { company: CompanyDetail }) {
  const text = useText()
  const words = text.admin.companies
  const { confirm, dialog } = useConfirm(getCompany, listCompanies)
  const [grade, setGrade] = useState<string | null>(null)
  const chosen = grade ?? company.grade ?? ''
  const note = { label: text.admin.reason, hint: text.admin.reasonHint }
  return (
    <section className="panel">
      <h2>{words.grade}</h2>
      <div className="toolbar">
        <SelectField
          label={words.grade}
          hint={words.gradeHint}
          value={chosen}
          onChange={setGrade}
          blank={words.noGrade}
          options={grades.map((one) => [one, one])}
        />
        <button
          type="button"
          className="button"
          disabled={chosen === (company.grade ?? '')}
          onClick={() =>
            confirm({
              title: words.setGrade,
              question: `${company.grade ?? words.noGrade} → ${chosen || words.noGrade}`,
              subject: company.enterpriseName,
              harmless: true,
              note: { ...note, draft: `company-grade-${company.id}` },
              run: (reason) =>
                call(gradeCompany, {
                  params: { id: company.id },
                  body: { grade: grades.find((one) => one === chosen) ?? null, before: company.grade, reason },
                }),
              done: () => words.graded,
            })
          }
        >
          {words.setGrade}
        </button>
      </div>
      {dialog}
    </section>
  )
}
