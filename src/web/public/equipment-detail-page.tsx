import { useState } from 'react'
import { useLoaderData, useLocation, type LoaderFunctionArgs } from 'react-router'
import { addDays, overlaps } from '#shared/calendar.ts'
import { getCategoryTree } from '#shared/category/contract.ts'
import { getPublicEquipment } from '#shared/equipment/contract.ts'
import { call, type Caller } from '../app/api.ts'
import { money, number } from '../app/format.ts'
import { paths } from '#shared/paths.ts'
import { rentStatus } from '#shared/equipment/rules.ts'
import { machineRow } from '../equipment/machine-row.ts'
import { useOrigin, useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Head, Structured, Tag } from '../ui/parts.tsx'
import { callAsVisitor, filtersOf } from '../app/visit.ts'
import { Cover, MachineCard, PriceLine } from '../equipment/machine-card.tsx'
import { CompareToggle } from '../equipment/compare-basket.tsx'
import { MarketPosition } from '../equipment/market-position.tsx'
import { FavouriteButton } from '../favourite/favourites.tsx'
import { Link } from '../ui/link.tsx'

async function load(caller: Caller, request: Request) {
  const [machine, tree] = await Promise.all([
    caller(getPublicEquipment, { params: { id: filtersOf(request).id ?? '0' } }),
    caller(getCategoryTree, {}),
  ])
  const category = tree.flatMap((group) => group.children).find(({ id }) => id === machine.categoryId)
  return {
    machine: { ...machine, similar: machine.similar.map(machineRow) },
    params: category?.params ?? [],
    today: new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10),
  }
}

export const loader = ({ context, request }: LoaderFunctionArgs) => load(callAsVisitor(context), request)
export const clientLoader = ({ request }: { request: Request }) => load(call, request)

export default function EquipmentDetailPage() {
  const { machine, params, today } = useLoaderData<typeof loader>()
  const text = useText()
  const site = useSiteName()
  const ofSupplier = useLocation().pathname.startsWith('/supplier')
  const { equipment } = text
  const origin = useOrigin()
  const offers = machine.prices.flatMap((price) =>
    price.price === null
      ? []
      : [
          {
            '@type': 'Offer',
            priceCurrency: 'CNY',
            price: price.price,
            availability: 'https://schema.org/InStock',
            seller: { '@type': 'Organization', name: machine.companyName },
          },
        ],
  )
  return (
    <div className="wrap page stack">
      <Head title={machine.name} description={`${machine.name}, ${machine.categoryName}, ${machine.regionName}`} site={site} />
      <Structured
        data={{
          '@type': 'Product',
          name: machine.name,
          sku: machine.equipmentCode,
          category: machine.categoryName,
          brand: { '@type': 'Brand', name: machine.brand },
          model: machine.model,
          url: `${origin}${paths.machine(machine.id)}`,
          ...(machine.images.length > 0 && { image: machine.images.map((image) => origin + image) }),
          ...(offers.length > 0 && { offers }),
        }}
      />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        {ofSupplier ? (
          <>
            <Link to={paths.suppliers}>{equipment.supplier.title}</Link> /{' '}
            <Link to={paths.supplier(machine.companyId)}>{machine.companyName}</Link>
          </>
        ) : (
          <>
            <Link to={paths.equipment()}>{equipment.title}</Link> /{' '}
            <Link to={paths.machinesOf(machine.fatherCategoryId, machine.categoryId)}>
              {text.locale === 'zh-CN' ? machine.categoryName : machine.categoryNameEn}
            </Link>
          </>
        )}
      </nav>
      <div className="grid-2">
        <Photos machine={machine} />
        <div className="panel stack">
          <div>
            <h1>{machine.name}</h1>
            <p className="row mt-8">
              <Tag tone={machine.rentStatus === rentStatus.available ? 'good' : 'amber'}>{equipment.rentStatus[machine.rentStatus]}</Tag>
              <Tag tone="blue">{equipment.supplier.verified}</Tag>
              {machine.isLot && <Tag>{equipment.lot(machine.totalQty)}</Tag>}
            </p>
          </div>
          <PriceLine machine={machine} />
          <MachineFacts machine={machine} />
          <Link className="button button-primary" to={paths.addDemand(`?categoryId=${machine.categoryId}&invite=${machine.companyId}`)}>
            {equipment.invite}
          </Link>
          <p className="row">
            <FavouriteButton bizType="equipment" bizId={machine.id} name={machine.name} />
            <CompareToggle id={machine.id} name={machine.name} />
          </p>
        </div>
      </div>

      <PriceTable machine={machine} />

      <MarketPosition key={machine.id} machineId={machine.id} />

      <div className="grid-2">
        <section className="panel">
          <h2>{equipment.specs}</h2>
          <dl className="facts">
            {params.map((param) => (
              <div key={param.key}>
                <dt>{text.locale === 'zh-CN' ? param.label : param.labelEn}</dt>
                <dd className="num">
                  {machine.specs[param.key] === undefined ? text.site.common.none : `${machine.specs[param.key]} ${param.unit}`}
                </dd>
              </div>
            ))}
          </dl>
          {machine.description && (
            <p className="soft" style={{ marginTop: 14 }}>
              {machine.description}
            </p>
          )}
        </section>
        <ValidDocuments documents={machine.documents} today={today} />
      </div>

      {!machine.isLot && (
        <section className="panel">
          <h2>
            {equipment.calendar} <span className="small soft">{equipment.calendarNote}</span>
          </h2>
          <Calendar from={today} booked={machine.taken} />
        </section>
      )}

      <Lessor machine={machine} />

      {machine.similar.length > 0 && <SimilarMachines machines={machine.similar} />}
    </div>
  )
}

type Detail = ReturnType<typeof useLoaderData<typeof loader>>['machine']

/** One photo large above the others; a drawing if there are no photos. */
function Photos({ machine }: { machine: Detail }) {
  const { equipment } = useText()
  const [at, setAt] = useState(0)
  const shown = machine.images[at] ?? machine.images[0]
  return (
    <div className="panel photos">
      {shown ? <img src={shown} alt={machine.name} width="960" height="624" /> : <Cover machine={machine} />}
      {machine.images.length > 1 && (
        <ul className="row" aria-label={equipment.photos}>
          {machine.images.map((image, index) => (
            <li key={image}>
              <button type="button" aria-label={equipment.photo(index + 1)} aria-pressed={image === shown} onClick={() => setAt(index)}>
                <img src={`${image}?thumb=1`} alt="" width="96" height="72" loading="lazy" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Six months of days, each free or booked. */
function Calendar({ from, booked }: { from: string; booked: readonly { from: string; to: string }[] }) {
  const text = useText()
  const first = Number(from.slice(0, 4)) * 12 + Number(from.slice(5, 7)) - 1
  const months = Array.from(
    { length: 6 },
    (_, index) => `${Math.floor((first + index) / 12)}-${String(((first + index) % 12) + 1).padStart(2, '0')}`,
  )
  return (
    <div className="calendar">
      {months.map((month) => (
        <table key={month}>
          <caption className="num">{month}</caption>
          <tbody>
            {weeksOf(month).map((week) => (
              <tr key={week.find(Boolean)}>
                {week.map((date, index) => {
                  if (!date) return <td key={`empty-${index}`} />
                  const isBooked = booked.some((one) => overlaps(one, { from: date, to: addDays(date, 1) }))
                  return (
                    <td
                      key={date}
                      className={isBooked ? 'taken' : ''}
                      title={isBooked ? text.equipment.calendarTaken : text.equipment.calendarFree}
                    >
                      {Number(date.slice(8))}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  )
}

function weeksOf(month: string): (string | null)[][] {
  const start = new Date(`${month}-01T00:00:00Z`)
  const days = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).getUTCDate()
  const lead = (start.getUTCDay() + 6) % 7
  const cells = [
    ...Array.from({ length: lead }, () => null),
    ...Array.from({ length: days }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`),
  ]
  return Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, weekday) => cells[week * 7 + weekday] ?? null),
  )
}

function PriceTable({ machine }: { machine: Detail }) {
  const text = useText()
  const { equipment } = text
  return (
    <section className="panel">
      <h2>{equipment.prices}</h2>
      <div className="scroll-x" tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              <th>{text.demand.unit}</th>
              <th className="right">{equipment.prices}</th>
              <th>{text.demand.duties.operatorBy}</th>
              <th>{text.demand.duties.fuelBy}</th>
              <th className="right">{text.quote.form.taxRate}</th>
            </tr>
          </thead>
          <tbody>
            {machine.prices.map((price) => (
              <tr key={price.rentUnit}>
                <td>{equipment.unit[price.rentUnit]}</td>
                <td className="right num">{price.price === null ? equipment.negotiable : money(price.price)}</td>
                <td>{price.withOperator ? equipment.withOperator : equipment.bare}</td>
                <td>{equipment.fuelBy[price.fuelBy]}</td>
                <td className="right num">{price.taxRate}%</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {machine.monthPrice && (
        <p className="small soft mt-8">
          {equipment.normalised(money(machine.monthPrice))} · {equipment.normalisedNote}
        </p>
      )}
    </section>
  )
}

/** The documents of a machine. One that expires within 60 days is marked. */
function ValidDocuments({ documents, today }: { documents: Detail['documents']; today: string }) {
  const { equipment } = useText()
  return (
    <section className="panel">
      <h2>{equipment.papers}</h2>
      <ul className="stack" style={{ gap: 8 }}>
        {documents.map((paper) => (
          <li key={paper.kind} className="row between">
            {equipment.document[paper.kind]}
            <Tag tone={paper.validTo === null || paper.validTo >= addDays(today, 60) ? 'good' : paper.validTo >= today ? 'warn' : 'bad'}>
              {paper.validTo === null
                ? equipment.paperForever
                : paper.validTo >= today
                  ? equipment.paperValid(paper.validTo)
                  : equipment.paperExpired(paper.validTo)}
            </Tag>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Lessor({ machine }: { machine: Detail }) {
  const { equipment } = useText()
  return (
    <section className="panel row between">
      <div>
        <h2>{equipment.lessor}</h2>
        <p className="row" style={{ marginTop: 6 }}>
          <Link to={paths.supplier(machine.companyId)}>{machine.companyName}</Link>
          <Tag tone="blue">{equipment.supplier.verified}</Tag>
          {machine.companyGrade && <Tag tone="good">{equipment.grade(machine.companyGrade)}</Tag>}
        </p>
      </div>
      <span className="row">
        <FavouriteButton bizType="supplier" bizId={machine.companyId} name={machine.companyName} />
        <Link className="button button-small" to={paths.supplier(machine.companyId)}>
          {equipment.supplier.all}
        </Link>
      </span>
    </section>
  )
}

function MachineFacts({ machine }: { machine: Detail }) {
  const { equipment } = useText()
  return (
    <dl className="facts">
      <div>
        <dt>{equipment.location}</dt>
        <dd>{machine.regionName}</dd>
      </div>
      <div>
        <dt>{equipment.made}</dt>
        <dd className="num">{machine.outFactoryDate}</dd>
      </div>
      {machine.workHours !== null && (
        <div>
          <dt>{equipment.workHours}</dt>
          <dd className="num">{equipment.hours(number(machine.workHours))}</dd>
        </div>
      )}
      <div>
        <dt>{equipment.emissionLabel}</dt>
        <dd>{equipment.emission[machine.emissionStage]}</dd>
      </div>
      <div>
        <dt>{equipment.code}</dt>
        <dd className="num">{machine.equipmentCode}</dd>
      </div>
      <div>
        <dt>{equipment.lessor}</dt>
        <dd>
          <Link to={paths.supplier(machine.companyId)}>{machine.companyName}</Link>
        </dd>
      </div>
    </dl>
  )
}

function SimilarMachines({ machines }: { machines: Detail['similar'] }) {
  const { equipment } = useText()
  return (
    <section>
      <h2 style={{ margin: '16px 0' }}>{equipment.similar}</h2>
      <div className="cards">
        {machines.map((one) => (
          <MachineCard key={one.id} heading="h3" machine={one} />
        ))}
      </div>
    </section>
  )
}
