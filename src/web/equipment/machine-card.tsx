import type { ReactNode } from 'react'
import { paths } from '#shared/paths.ts'
import { rentStatus } from '#shared/equipment/rules.ts'
import { money } from '../app/format.ts'
import { useText } from '../app/text.tsx'
import { Link } from '../ui/link.tsx'
import { Tag } from '../ui/parts.tsx'
import { MachineCover } from './machine-drawing.tsx'
import type { MachineRow } from './machine-row.ts'

export function Cover({ machine }: { machine: MachineRow }) {
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

export function PriceLine({ machine }: { machine: MachineRow }) {
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
  machine: MachineRow
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
        <Tag tone={machine.rentStatus === rentStatus.available ? 'good' : 'amber'}>{text.equipment.rentStatus[machine.rentStatus]}</Tag>
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
