import type { ReactNode } from 'react'
import type { SupplierCard } from '#shared/company/contract.ts'
import { paths } from '#shared/paths.ts'
import { comma, named, number, placeName } from '../app/format.ts'
import { useText } from '../app/text.tsx'
import { gradeTone } from '../equipment/machine-card.tsx'
import { Link } from '../ui/link.tsx'
import { Tag } from '../ui/parts.tsx'

export function LessorCardView({ company, extra }: { company: SupplierCard; extra?: ReactNode }) {
  const text = useText()
  const { supplier } = text.equipment
  return (
    <article className="card">
      <div className="card-body">
        <h2 className="card-title">
          <Link to={paths.supplier(company.id)}>{company.enterpriseName}</Link>
        </h2>
        <p className="row gap-6">
          <Tag tone="blue">{supplier.verified}</Tag>
          {company.grade && <Tag tone={gradeTone(company.grade)}>{text.equipment.grade(company.grade)}</Tag>}
        </p>
        <p className="small soft">{placeName(text, company)}</p>
        <p className="small">
          {supplier.main}: {company.mainCategories.map((category) => named(text, category)).join(comma(text)) || text.site.common.none}
        </p>
        <p className="small soft num">
          {supplier.machines} {number(company.equipmentCount)} · {supplier.deals} {number(company.dealCount)}
        </p>
        {extra && <div className="card-extra">{extra}</div>}
      </div>
    </article>
  )
}
