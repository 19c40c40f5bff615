import { useLocation } from 'react-router'
import { paths } from '#shared/paths.ts'
import { rentStatus } from '#shared/equipment/rules.ts'
import { sizeOf } from '#shared/equipment/size.ts'
import { labelOf, machineName, money, number, placeName } from '../app/format.ts'
import { useText } from '../app/text.tsx'
import { gradeTone } from '../equipment/machine-card.tsx'
import type { MachineLine, MachineRow } from '../equipment/machine-row.ts'
import { CompareToggle } from '../equipment/compare-basket.tsx'
import { FavouriteButton } from '../favourite/favourites.tsx'
import { Link } from '../ui/link.tsx'
import { Tag } from '../ui/parts.tsx'
import { withFilters } from './active-filters.tsx'
import type { Param } from './reference.ts'

export function MachineTools({ machine }: { machine: MachineRow }) {
  const name = machineName(useText(), machine)
  return (
    <>
      <CompareToggle id={machine.id} name={name} />
      <FavouriteButton bizType="equipment" bizId={machine.id} name={name} />
    </>
  )
}

/** A column head that sorts; a second click sorts the other way. `up` and `down` are the orders of the list. */
function SortHead({ label, up, down, sort, num }: { label: string; up?: string; down: string; sort: string | undefined; num?: boolean }) {
  const { search } = useText()
  const address = useLocation().search
  const direction = sort === down ? 'descending' : up && sort === up ? 'ascending' : undefined
  const next = direction === 'descending' ? (up ?? null) : direction === 'ascending' ? null : down
  return (
    <th className={num ? 'right' : undefined} aria-sort={direction}>
      <Link className="sort-head" to={withFilters(address, { sort: next })} preventScrollReset rel="nofollow" title={search.sortBy(label)}>
        {label}
        <span aria-hidden="true">{direction === 'descending' ? '↓' : direction === 'ascending' ? '↑' : '↕'}</span>
      </Link>
    </th>
  )
}

/** The price in the unit that the machine is offered by, where that is not the month. */
function OwnPrice({ machine }: { machine: MachineLine }) {
  const { equipment } = useText()
  const own = machine.prices.find(({ price }) => price !== null)
  if (!own) return <p className="small soft">{equipment.negotiable}</p>
  return own.rentUnit === 'M' ? null : <p className="small soft">{`${money(own.price)} ${equipment.unit[own.rentUnit]}`}</p>
}

/** The library as a table, with the parameters of the chosen category as its columns, or else each machine's own main parameter. */
export function MachineTable({
  machines,
  params,
  sort,
}: {
  machines: readonly MachineLine[]
  params: readonly Param[]
  sort: string | undefined
}) {
  const text = useText()
  const { equipment, search } = text
  const { none } = text.site.common
  const ofCategory = params.length > 0
  return (
    <div className="panel scroll-x" tabIndex={0}>
      <table className="table cards-on-phone machine-table">
        <thead>
          <tr>
            <th>{equipment.name}</th>
            {ofCategory ? (
              params.map((param) =>
                param.main ? (
                  <SortHead key={param.key} label={labelOf(text, param)} up="sizeUp" down="sizeDown" sort={sort} num />
                ) : (
                  <th key={param.key} className="right">
                    {labelOf(text, param)}
                  </th>
                ),
              )
            ) : (
              <th className="right">{search.size}</th>
            )}
            {ofCategory ? <SortHead label={equipment.made} down="youngest" sort={sort} /> : <th>{equipment.made}</th>}
            <th className="right">{equipment.workHours}</th>
            <th>{equipment.lessor}</th>
            <th>{equipment.location}</th>
            <SortHead label={equipment.price} up="priceUp" down="priceDown" sort={sort} num />
            <th>
              <span className="visually-hidden">{equipment.compare.title}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {machines.map((machine) => (
            <tr key={machine.id}>
              <td className="whole">
                <Link to={paths.machine(machine.id)}>{machineName(text, machine)}</Link>{' '}
                <Tag tone={machine.rentStatus === rentStatus.available ? 'good' : 'amber'}>{equipment.rentStatus[machine.rentStatus]}</Tag>
                {machine.isLot && <p className="small soft">{equipment.lot(machine.totalQty)}</p>}
              </td>
              {ofCategory ? (
                params.map((param) => (
                  <td key={param.key} data-label={labelOf(text, param)} className="right num">
                    {sizeOf(param, machine.specs) || none}
                  </td>
                ))
              ) : (
                <td data-label={search.size} className="right num">
                  {machine.sizes[0]?.value ?? none}
                </td>
              )}
              <td data-label={equipment.made} className="num">
                {machine.outFactoryDate.slice(0, 7)}
              </td>
              <td data-label={equipment.workHours} className="right num">
                {machine.workHours === null ? none : equipment.hours(number(machine.workHours))}
              </td>
              <td data-label={equipment.lessor}>
                {machine.companyName}{' '}
                {machine.companyGrade && <Tag tone={gradeTone(machine.companyGrade)}>{equipment.grade(machine.companyGrade)}</Tag>}
              </td>
              <td data-label={equipment.location} className="whole-words">
                {placeName(text, machine)}
                {machine.distanceKm !== null && <p className="small soft num">{equipment.distance(machine.distanceKm)}</p>}
              </td>
              <td data-label={equipment.price} className="right num">
                {machine.monthPrice ? money(machine.monthPrice) : none}
                <OwnPrice machine={machine} />
              </td>
              <td className="whole">
                <span className="row nowrap gap-8">
                  <MachineTools machine={machine} />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
