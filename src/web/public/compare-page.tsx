import { useEffect, useState } from 'react'
import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { getCategoryTree } from '#shared/category/contract.ts'
import { compareEquipment, type EquipmentCard } from '#shared/equipment/contract.ts'
import { mainSizeOf } from '#shared/equipment/size.ts'
import { call, type Caller } from '../app/api.ts'
import { Cover, gradeTone } from '../equipment/machine-card.tsx'
import { removeFromBasket } from '../equipment/compare-basket.tsx'
import { labelOf, machineName, money, named, number, placeName } from '../app/format.ts'
import { paths } from '#shared/paths.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Empty, Head, Tag } from '../ui/parts.tsx'
import { callAsVisitor, filtersOf } from '../app/visit.ts'
import { comparedParams, goneOf, type ParamsOf } from './compare-params.ts'
import { Link } from '../ui/link.tsx'

async function load(caller: Caller, request: Request) {
  const ids = (filtersOf(request).ids ?? '').replace(/[^\d,]/g, '').replace(/^,+|,+$/g, '')
  if (!ids) return { machines: [], paramsOf: {} as ParamsOf, gone: [] }
  const [machines, tree] = await Promise.all([caller(compareEquipment, { query: { ids } }), caller(getCategoryTree, {})])
  const categories = new Set(machines.map(({ categoryId }) => categoryId))
  const compared = tree.flatMap(({ children }) => children).filter(({ id }) => categories.has(id))
  const paramsOf: ParamsOf = Object.fromEntries(compared.map(({ id, params }) => [id, params]))
  return { machines, paramsOf, gone: goneOf(ids, machines) }
}

export const loader = ({ context, request }: LoaderFunctionArgs) => load(callAsVisitor(context), request)
export const clientLoader = ({ request }: { request: Request }) => load(call, request)

/** A line of the comparison. `best`: the word for its best value and where it stands, if one machine alone has it. */
type Line = { label: string; values: string[]; best?: { word: string; at: number } | undefined }

/** The machine with the highest rank; none if two share it or fewer than two have a rank. */
function bestOf(word: string, ranks: readonly (number | null)[]): Line['best'] {
  const known = ranks.flatMap((rank, at) => (rank === null || Number.isNaN(rank) ? [] : { rank, at }))
  const [first, second] = known.toSorted((a, b) => b.rank - a.rank)
  return first && second && first.rank > second.rank ? { word, at: first.at } : undefined
}

/** Up to four machines in columns, with the best value of each line marked. */
export default function ComparePage() {
  const { machines, paramsOf, gone } = useLoaderData<typeof loader>()
  const text = useText()
  const { equipment } = text
  const { compare } = equipment
  const site = useSiteName()
  const [differing, setDiffering] = useState(false)
  useEffect(() => {
    if (gone.length > 0) removeFromBasket(gone)
  }, [gone])
  const lines = useLines(machines, paramsOf)
  const differs = ({ values }: Line) => new Set(values).size > 1
  const shown = differing ? lines.filter(differs) : lines
  return (
    <div className="wrap page">
      <Head title={compare.title} description={compare.lead} site={site} index={false} />
      <header className="page-head">
        <h1>{compare.title}</h1>
        <p>{compare.lead}</p>
        {gone.length > 0 && <p>{compare.gone(gone.length)}</p>}
      </header>
      {machines.length === 0 ? (
        <div className="panel">
          <Empty
            title={compare.none}
            hint={compare.noneHint}
            action={
              <Link className="button" to={paths.equipment()}>
                {equipment.title}
              </Link>
            }
          />
        </div>
      ) : (
        <>
          <label className="check">
            <input type="checkbox" checked={differing} onChange={(event) => setDiffering(event.target.checked)} />
            {compare.differing}
          </label>
          <div className="panel scroll-x" tabIndex={0}>
            <table className="table compare">
              <thead>
                <tr>
                  <th>
                    <span className="visually-hidden">{equipment.specs}</span>
                  </th>
                  {machines.map((machine) => (
                    <th key={machine.id} scope="col">
                      <Cover machine={machine} size={mainSizeOf(paramsOf[machine.categoryId] ?? [], machine.specs)} />
                      <Link className="compare-name" to={paths.machine(machine.id)}>
                        {machineName(text, machine)}
                      </Link>
                      <p className="small soft">
                        <Link to={paths.lessor(machine.companyId)}>{machine.companyName}</Link>{' '}
                        {machine.companyGrade && <Tag tone={gradeTone(machine.companyGrade)}>{equipment.grade(machine.companyGrade)}</Tag>}
                      </p>
                      <Link
                        className="small"
                        to={paths.compare(machines.map(({ id }) => id).filter((id) => id !== machine.id))}
                        onClick={() => removeFromBasket([machine.id])}
                      >
                        {compare.remove}
                        <span className="visually-hidden"> {machineName(text, machine)}</span>
                      </Link>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {shown.map((line) => (
                  <tr key={line.label}>
                    <th scope="row">{line.label}</th>
                    {line.values.map((value, index) => (
                      <td key={machines[index]?.id} className="num">
                        {value} {line.best?.at === index && <Tag tone="good">{line.best.word}</Tag>}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </div>
  )
}

/** The lines of the comparison. Lower is better for a rent and for hours, higher for what a machine can do and for its age. */
function useLines(machines: readonly EquipmentCard[], paramsOf: ParamsOf): Line[] {
  const text = useText()
  const { equipment } = text
  const { none } = text.site.common
  const of = (label: string, value: (machine: EquipmentCard) => string, best?: Line['best']): Line => ({
    label,
    values: machines.map(value),
    best,
  })
  const { search } = text
  const units = [...new Set(machines.flatMap(({ prices }) => prices.map(({ rentUnit }) => rentUnit)))]
  return [
    of(text.site.common.category, (machine) => named(text, machine)),
    of(text.site.common.status, (machine) => equipment.rentStatus[machine.rentStatus] ?? ''),
    of(
      equipment.price,
      (machine) => (machine.monthPrice ? money(machine.monthPrice) : none),
      bestOf(
        search.cheapest,
        machines.map(({ monthPrice }) => (monthPrice === null ? null : -Number(monthPrice))),
      ),
    ),
    ...units.map((unit) =>
      of(equipment.unit[unit], (machine) => {
        const price = machine.prices.find(({ rentUnit }) => rentUnit === unit)
        if (!price) return none
        return [
          price.price === null ? equipment.negotiable : money(price.price),
          price.withOperator ? equipment.withOperator : equipment.bare,
          equipment.fuelBy[price.fuelBy],
          equipment.tax(price.taxRate),
        ].join(' · ')
      }),
    ),
    ...comparedParams(machines, paramsOf).map(({ param, values, ranks }) => ({
      label: labelOf(text, param),
      values: values.map((value) => value || none),
      best: bestOf(search.largest, ranks),
    })),
    of(
      equipment.made,
      (machine) => machine.outFactoryDate,
      bestOf(
        search.newest,
        machines.map(({ outFactoryDate }) => Date.parse(outFactoryDate)),
      ),
    ),
    of(
      equipment.workHours,
      (machine) => (machine.workHours === null ? none : equipment.hours(number(machine.workHours))),
      bestOf(
        search.fewest,
        machines.map(({ workHours }) => (workHours === null ? null : -workHours)),
      ),
    ),
    of(equipment.emissionLabel, (machine) => equipment.emission[machine.emissionStage]),
    of(equipment.location, (machine) => placeName(text, machine)),
  ]
}
