import type { ReactNode } from 'react'
import type { LessorCard } from '#shared/company/contract.ts'
import { paths } from '#shared/paths.ts'
import { comma } from '#shared/text/punctuation.ts'
import { named, number, placeName } from '../app/format.ts'
import { useText } from '../app/text.tsx'
import { gradeTone } from '../equipment/machine-card.tsx'
import { Link } from '../ui/link.tsx'
import { Tag } from '../ui/parts.tsx'

export function LessorCardView({ company, extra }: { company: LessorCard; extra?: ReactNode }) {
  const text = useText()
  const { lessors } = text.equipment
  return (
    <article className="card">
      <div className="card-body">
        <h2 className="card-title">
          <Link to={paths.lessor(company.id)}>{company.enterpriseName}</Link>
        </h2>
        <p className="row gap-6">
          <Tag tone="blue">{lessors.verified}</Tag>
          {company.grade && <Tag tone={gradeTone(company.grade)}>{text.equipment.grade(company.grade)}</Tag>}
        </p>
        <p className="small soft">{placeName(text, company)}</p>
        <p className="small">
          {lessors.main}
          {company.mainCategories.map((category) => named(text, category)).join(comma(text)) || text.site.common.none}
        </p>
        <p className="small soft num">
          {lessors.machines} {number(company.equipmentCount)} · {lessors.deals} {number(company.dealCount)}
        </p>
        {extra && <div className="card-extra">{extra}</div>}
      </div>
    </article>
  )
}
