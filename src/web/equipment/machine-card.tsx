import type { ReactNode } from 'react'
import type { EquipmentCard } from '#shared/equipment/contract.ts'
import { paths } from '#shared/paths.ts'
import { rentStatus, shelfStatus } from '#shared/equipment/rules.ts'
import { labelOf, machineName, money, placeName } from '../app/format.ts'
import { useText } from '../app/text.tsx'
import { Link } from '../ui/link.tsx'
import { Tag } from '../ui/parts.tsx'
import { MachineCover } from './machine-drawing.tsx'
import type { MachineRow, MachineSize } from './machine-row.ts'

type Covered = Pick<EquipmentCard, 'cover' | 'name' | 'brand' | 'brandEn' | 'model' | 'categoryNameEn' | 'fatherCategoryId' | 'categoryId'>

/**
 * The first photo, or a drawing with `size`, the main parameter, on its dimension line. `isFirst`: it is in view once the page opens, so the photo
 * is fetched before all others.
 */
export function Cover({ machine, size, isFirst = false }: { machine: Covered; size?: string | undefined; isFirst?: boolean | undefined }) {
  const text = useText()
  if (machine.cover)
    return (
      <div className="cover">
        <img
          src={machine.cover}
          alt={machineName(text, machine)}
          loading={isFirst ? 'eager' : 'lazy'}
          fetchPriority={isFirst ? 'high' : undefined}
          width="480"
          height="312"
        />
      </div>
    )
  return (
    <MachineCover
      group={machine.fatherCategoryId}
      category={machine.categoryId}
      size={size || machine.model}
      note={`${machineName(text, machine)} (${text.equipment.noPhoto})`}
    />
  )
}

/** The price by the month, with the unit that the machine is offered by in grey where that is another one. */
export function PriceLine({ machine }: { machine: Pick<EquipmentCard, 'prices' | 'monthPrice'> }) {
  const { equipment } = useText()
  const price = machine.prices.find((one) => one.price !== null)
  if (!price) return <span className="price">{equipment.negotiable}</span>
  const own = `${money(price.price)} ${equipment.unit[price.rentUnit]}`
  if (!machine.monthPrice || price.rentUnit === 'M')
    return (
      <span className="price num">
        {`${money(price.price)} `}
        <small>{equipment.unit[price.rentUnit]}</small>
      </span>
    )
  return (
    <span className="price num">
      {`${money(machine.monthPrice)} `}
      <small>{`${equipment.unit.M} (${equipment.computedFrom(own)})`}</small>
    </span>
  )
}

/** "25 t · main boom 42 m". */
export function SizeLine({ sizes }: { sizes: readonly MachineSize[] }) {
  const text = useText()
  const [main, further] = sizes
  if (!main) return null
  return (
    <p className="machine-size num">
      {/* A number without a unit, such as the lifting points of a scaffold, means nothing without its name. */}
      {/^[\d.,]+$/.test(main.value) && `${labelOf(text, main)} `}
      <strong>{main.value}</strong>
      {further && (
        <>
          {` · ${labelOf(text, further)} `}
          <span className="num">{further.value}</span>
        </>
      )}
    </p>
  )
}

/** Facts with points between them. A line ends after a point, never within a short fact or in front of a point. */
const factLine = (facts: readonly string[]): string =>
  facts.map((fact) => (fact.length < 9 ? fact.replaceAll(' ', '\u00a0') : fact)).join('\u00a0· ')

export function MachineCard({
  machine,
  to,
  heading: Heading = 'h2',
  extra,
  isFirst,
}: {
  machine: MachineRow
  to?: string
  heading?: 'h2' | 'h3'
  extra?: ReactNode
  isFirst?: boolean
}) {
  const text = useText()
  const { equipment } = text
  const price = machine.prices[0]
  const isFree = machine.rentStatus === rentStatus.available
  return (
    <article className={`card ${isFree ? 'is-free' : 'is-taken'}`}>
      <Cover machine={machine} size={machine.sizes[0]?.value} isFirst={isFirst} />
      <div className="card-body">
        <Heading className="card-title">
          <Link to={to ?? paths.machine(machine.id)}>{machineName(text, machine)}</Link>
        </Heading>
        <SizeLine sizes={machine.sizes} />
        <p className="small soft card-lessor">
          <span>{machine.companyName}</span>
          {machine.companyGrade && <Tag tone={gradeTone(machine.companyGrade)}>{equipment.grade(machine.companyGrade)}</Tag>}
        </p>
        <p className="small soft card-facts">
          <span className="card-status">{equipment.rentStatus[machine.rentStatus]}</span>
          {factLine([
            '',
            placeName(text, machine),
            ...(machine.distanceKm === null ? [] : [equipment.distance(machine.distanceKm)]),
            equipment.year(machine.outFactoryDate.slice(0, 4)),
            ...(machine.isLot ? [equipment.lot(machine.totalQty)] : []),
          ])}
        </p>
        <PriceLine machine={machine} />
        <p className="small faint card-facts">
          {price &&
            factLine([
              price.withOperator ? equipment.withOperator : equipment.bare,
              equipment.fuelBy[price.fuelBy],
              equipment.tax(price.taxRate),
            ])}
        </p>
        {extra && <div className="card-extra">{extra}</div>}
      </div>
    </article>
  )
}

/** Only the best grade is green, so that grades can be told apart in a list. */
export const gradeTone = (grade: string) => (grade === 'A' ? 'good' : grade === 'B' ? 'blue' : 'plain')

export const shelfTone = (shelf: string) => (shelf === shelfStatus.on ? 'good' : 'plain')
