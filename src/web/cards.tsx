import { useEffect, useState, type ReactNode } from 'react'
import type { SupplierCard } from '#shared/company/contract.ts'
import { day, left, money, named, number } from './format.ts'
import { paths } from './paths.ts'
import type * as rows from './rows.ts'
import { useText } from './text.tsx'
import { MachineCover } from './ui/machine.tsx'
import { Tag, type Tone } from './ui/parts.tsx'
import { Link } from './ui/link.tsx'

export const demandTone: Record<string, Tone> = {
  '0': 'plain',
  '1': 'amber',
  '2': 'bad',
  '3': 'blue',
  '4': 'amber',
  '5': 'good',
  '6': 'good',
  '7': 'plain',
  '8': 'plain',
  '9': 'good',
}

/** Counts down in the browser; the server writes the deadline. */
export function Countdown({ until }: { until: string | null }) {
  const text = useText()
  const [now, setNow] = useState<number | null>(null)
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  if (now === null) return <span className="num">{until?.slice(5, 16)}</span>
  return <span className="num">{left(text, until, now) ?? text.demand.closed}</span>
}

/** `heading` keeps the outline of the page whole: h2 on a list, h3 under a section. */
export function DemandRow({
  demand,
  to,
  heading: Heading = 'h2',
  extra,
}: {
  demand: rows.DemandRow
  to?: string
  heading?: 'h2' | 'h3'
  extra?: ReactNode
}) {
  const text = useText()
  return (
    <article className="demand">
      <div>
        <Heading className="card-title">
          <Link to={to ?? paths.demand(demand.id)}>{demand.title}</Link>
          <Tag tone={demandTone[demand.status] ?? 'plain'}>{text.demand.status[demand.status]}</Tag>
          {demand.urgent && <Tag tone="bad">{text.demand.urgent}</Tag>}
        </Heading>
        <div className="demand-lines">
          {demand.items.map((item) => (
            <Tag key={item.id}>{`${named(text, item)} ×${item.qty}`}</Tag>
          ))}
        </div>
        <p className="small soft">
          {`${demand.regionName} · ${demand.projectName} · `}
          <span className="num">{demand.demandCode}</span>
        </p>
      </div>
      <div className="demand-side small">
        {demand.status === '3' ? (
          <span className="demand-left">
            <Countdown until={demand.quoteDeadline} />
          </span>
        ) : (
          <span className="soft num">{`${text.demand.deadline} ${day(demand.quoteDeadline)}`}</span>
        )}
        <span className="soft">{text.demand.quotes(demand.quoteCount)}</span>
        <span className="soft num">{`${demand.planStart} – ${demand.planEnd}`}</span>
        {extra}
      </div>
    </article>
  )
}

export function Cover({ machine }: { machine: rows.MachineRow }) {
  const text = useText()
  if (machine.cover)
    return (
      <div className="cover">
        <img src={machine.cover} alt={machine.name} loading="lazy" width="480" height="312" />
      </div>
    )
  return (
    <MachineCover
      group={machine.fatherCategoryId}
      category={machine.categoryId}
      size={machine.model}
      note={`${machine.name} (${text.equipment.noPhoto})`}
    />
  )
}

export function PriceLine({ machine }: { machine: rows.MachineRow }) {
  const text = useText()
  const price = machine.prices.find((one) => one.price !== null)
  if (!price) return <span className="price">{text.equipment.negotiable}</span>
  return (
    <span className="price num">
      {`${money(price.price)} `}
      <small>{text.equipment.unit[price.rentUnit]}</small>
    </span>
  )
}

export function MachineCard({
  machine,
  to,
  heading: Heading = 'h2',
  extra,
}: {
  machine: rows.MachineRow
  to?: string
  heading?: 'h2' | 'h3'
  extra?: ReactNode
}) {
  const text = useText()
  const price = machine.prices[0]
  return (
    <article className="card">
      <Cover machine={machine} />
      <span className="card-state">
        <Tag tone={machine.rentStatus === '0' ? 'good' : 'amber'}>{text.equipment.rentStatus[machine.rentStatus]}</Tag>
      </span>
      <div className="card-body">
        <Heading className="card-title">
          <Link to={to ?? paths.machine(machine.id)}>{machine.name}</Link>
        </Heading>
        <p className="small soft">
          {[
            machine.regionName,
            text.equipment.year(machine.outFactoryDate.slice(0, 4)),
            ...(machine.isLot ? [text.equipment.lot(machine.totalQty)] : []),
            ...(machine.distanceKm === null ? [] : [text.equipment.distance(machine.distanceKm)]),
          ].join(' · ')}
        </p>
        <PriceLine machine={machine} />
        <p className="small faint">
          {price &&
            [
              price.withOperator ? text.equipment.withOperator : text.equipment.bare,
              text.equipment.fuelBy[price.fuelBy],
              text.equipment.tax(price.taxRate),
            ].join(' · ')}
        </p>
        {extra && <div className="card-extra">{extra}</div>}
      </div>
    </article>
  )
}

export function SupplierCardView({ company, extra }: { company: SupplierCard; extra?: ReactNode }) {
  const text = useText()
  const { supplier } = text.equipment
  return (
    <article className="card">
      <div className="card-body">
        <h2 className="card-title">
          <Link to={paths.supplier(company.id)}>{company.enterpriseName}</Link>
        </h2>
        <p className="row" style={{ gap: 6 }}>
          <Tag tone="blue">{supplier.verified}</Tag>
          {company.grade && <Tag tone="good">{text.equipment.grade(company.grade)}</Tag>}
        </p>
        <p className="small soft">{company.regionName}</p>
        <p className="small">
          {supplier.main}:{' '}
          {company.mainCategories.map((category) => named(text, category)).join(text.locale === 'zh-CN' ? '、' : ', ') ||
            text.site.common.none}
        </p>
        <p className="small soft num">
          {supplier.machines} {number(company.equipmentCount)} · {supplier.deals} {number(company.dealCount)}
        </p>
        {extra && <div className="card-extra">{extra}</div>}
      </div>
    </article>
  )
}
