import { useState } from 'react'
import { useLoaderData, useLocation, type LoaderFunctionArgs } from 'react-router'
import { dayOf } from '#shared/calendar.ts'
import { freeFrom } from '#shared/equipment/calendar.ts'
import { getCategoryTree } from '#shared/category/contract.ts'
import { getPublicEquipment } from '#shared/equipment/contract.ts'
import { call, type Caller } from '../app/api.ts'
import { labelOf, machineName, money, named, number, placeName } from '../app/format.ts'
import { paths } from '#shared/paths.ts'
import { dueOf, rentStatus, type RentUnit } from '#shared/equipment/rules.ts'
import { sizeOf } from '#shared/equipment/size.ts'
import { MachineCalendar } from '../equipment/machine-calendar.tsx'
import { categoriesOf, machineRow } from '../equipment/machine-row.ts'
import { useOrigin, useSiteName } from '../app/site.ts'
import { mayIn, roleIn, useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { Head, Structured, Tag } from '../ui/parts.tsx'
import { callAsVisitor, filtersOf } from '../app/visit.ts'
import { Cover, gradeTone, MachineCard, PriceLine, SizeLine } from '../equipment/machine-card.tsx'
import { CompareToggle } from '../equipment/compare-basket.tsx'
import { MarketPosition } from '../equipment/market-position.tsx'
import { FavouriteButton } from '../favourite/favourites.tsx'
import { Link } from '../ui/link.tsx'
import { PrintSheet } from './print-sheet.tsx'

async function load(caller: Caller, request: Request) {
  const id = filtersOf(request).id ?? '0'
  const [{ similar, ...machine }, tree] = await Promise.all([caller(getPublicEquipment, { params: { id } }), caller(getCategoryTree, {})])
  const categories = categoriesOf(tree)
  return {
    machine: { ...machine, ...machineRow(machine, categories), prices: machine.prices },
    similar: similar.map((one) => machineRow(one, categories)),
    params: categories.get(machine.categoryId)?.params ?? [],
    today: dayOf(new Date()),
  }
}

export const loader = ({ context, request }: LoaderFunctionArgs) => load(callAsVisitor(context), request)
export const clientLoader = ({ request }: { request: Request }) => load(call, request)

export default function EquipmentDetailPage() {
  const { machine, similar, params, today } = useLoaderData<typeof loader>()
  const text = useText()
  const site = useSiteName()
  const session = useSession()
  const isOfLessor = useLocation().pathname.startsWith(paths.lessors)
  const { equipment } = text
  const name = machineName(text, machine)
  const origin = useOrigin()
  const path = paths.machine(machine.id)
  const address = `${origin}${path}`
  return (
    <div className="wrap page stack">
      <Head
        title={name}
        description={`${name} · ${named(text, machine)} · ${placeName(text, machine)}`}
        site={site}
        type="product"
        image={machine.images[0] ?? `/share/machine/${machine.id}.png`}
        path={path}
      />
      <Structured data={productOf(machine, params, { origin, address })} />
      <nav className="small no-print" aria-label={text.site.common.breadcrumb}>
        {isOfLessor ? (
          <>
            <Link to={paths.lessors}>{equipment.lessors.title}</Link> /{' '}
            <Link to={paths.lessor(machine.companyId)}>{machine.companyName}</Link>
          </>
        ) : (
          <>
            <Link to={paths.equipment()}>{equipment.title}</Link> /{' '}
            <Link to={paths.machinesOf(machine.fatherCategoryId, machine.categoryId)}>{named(text, machine)}</Link>
          </>
        )}
      </nav>
      <div className="detail">
        <aside className="panel stack detail-side" aria-label={name}>
          <div>
            <h1>{name}</h1>
            <SizeLine sizes={machine.sizes} />
            <p className="row mt-8">
              <Tag tone={machine.rentStatus === rentStatus.available ? 'good' : 'amber'}>{equipment.rentStatus[machine.rentStatus]}</Tag>
              {machine.isLot && <Tag>{equipment.lot(machine.totalQty)}</Tag>}
              <span className="small soft">{equipment.confirmed(machine.confirmedAt.slice(0, 10))}</span>
            </p>
          </div>
          <PriceLine machine={machine} />
          <MachineFacts machine={machine} today={today} />
          {(roleIn(session) === null || mayIn(session, 'demand:edit')) && (
            <Link
              className="button button-primary no-print"
              to={paths.addDemand(`?categoryId=${machine.categoryId}&invite=${machine.companyId}`)}
            >
              {equipment.invite}
            </Link>
          )}
          <p className="row">
            <FavouriteButton bizType="equipment" bizId={machine.id} name={name} />
            <CompareToggle id={machine.id} name={name} />
            <PrintSheet label={name} address={address} />
          </p>
          {mayIn(session, 'equipment:review') && (
            <Link className="button no-print" to={paths.equipmentReview(machine.id)}>
              {equipment.toReview}
            </Link>
          )}
          <Lessor machine={machine} />
        </aside>
        <div className="stack">
          <Photos key={machine.id} machine={machine} />
          <PriceTable machine={machine} />
          <MarketPosition key={machine.id} machineId={machine.id} />
          <section className="panel">
            <h2>{equipment.specs}</h2>
            <dl className="facts">
              {params.map((param) => (
                <div key={param.key}>
                  <dt>{labelOf(text, param)}</dt>
                  <dd className="num">{sizeOf(param, machine.specs) || text.site.common.none}</dd>
                </div>
              ))}
            </dl>
            {machine.description && <p className="soft mt-16">{machine.description}</p>}
          </section>
          <ValidDocuments documents={machine.documents} today={today} />
          {!machine.isLot && (
            <section className="panel">
              <h2>
                {equipment.calendar} <span className="small soft">{equipment.calendarNote}</span>
              </h2>
              <MachineCalendar today={today} taken={machine.taken} />
            </section>
          )}
        </div>
      </div>

      {similar.length > 0 && <SimilarMachines machines={similar} />}
    </div>
  )
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>
type Detail = Loaded['machine']

/** UN/CEFACT codes of the units of rent, which schema.org takes; a shift and a call-out have none. */
const unitCodes: Partial<Record<RentUnit, string>> = { M: 'MON', D: 'DAY', H: 'HUR', V: 'MTQ', L: 'MTR' }

/** The machine for search engines: each price with the unit it is for, and the parameters. */
function productOf(machine: Detail, params: Loaded['params'], { origin, address }: { origin: string; address: string }) {
  const isFree = machine.rentStatus === rentStatus.available
  const offers = machine.prices.flatMap(({ rentUnit, price }) =>
    price === null
      ? []
      : [
          {
            '@type': 'Offer',
            businessFunction: 'http://purl.org/goodrelations/v1#LeaseOut',
            priceCurrency: 'CNY',
            price,
            priceSpecification: {
              '@type': 'UnitPriceSpecification',
              priceCurrency: 'CNY',
              price,
              ...(unitCodes[rentUnit] ? { unitCode: unitCodes[rentUnit] } : { unitText: rentUnit === 'S' ? 'shift' : 'time' }),
            },
            availability: isFree ? 'https://schema.org/InStock' : 'https://schema.org/LimitedAvailability',
            areaServed: machine.regionName,
            seller: { '@type': 'Organization', name: machine.companyName, url: origin + paths.lessor(machine.companyId) },
          },
        ],
  )
  return {
    '@type': 'Product',
    name: machine.name,
    sku: machine.equipmentCode,
    category: machine.categoryName,
    brand: { '@type': 'Brand', name: machine.brand },
    model: machine.model,
    url: address,
    additionalProperty: params.flatMap((param) => {
      const value = machine.specs[param.key]
      return value === undefined ? [] : { '@type': 'PropertyValue', name: param.label, value, unitText: param.unit }
    }),
    ...(machine.images.length > 0 && { image: machine.images.map((image) => origin + image) }),
    ...(offers.length > 0 && { offers }),
  }
}

/** One photo large above the others; a drawing if there are no photos. */
function Photos({ machine }: { machine: Detail }) {
  const text = useText()
  const { equipment } = text
  const [at, setAt] = useState(0)
  const shown = machine.images[at] ?? machine.images[0]
  return (
    <div className="panel photos">
      {shown ? (
        <img src={shown} alt={machineName(text, machine)} width="960" height="624" />
      ) : (
        <Cover machine={machine} size={machine.sizes[0]?.value} />
      )}
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

function PriceTable({ machine }: { machine: Detail }) {
  const text = useText()
  const { equipment } = text
  return (
    <section className="panel">
      <h2>{equipment.prices}</h2>
      <div className="scroll-x" tabIndex={0}>
        <table className="table cards-on-phone">
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
                <td className="whole">{equipment.unit[price.rentUnit]}</td>
                <td className="right num" data-label={equipment.prices}>
                  {price.price === null ? equipment.negotiable : money(price.price)}
                  {price.price !== null && price.validTo && <span className="small soft"> {equipment.paperValid(price.validTo)}</span>}
                </td>
                <td data-label={text.demand.duties.operatorBy}>{price.withOperator ? equipment.withOperator : equipment.bare}</td>
                <td data-label={text.demand.duties.fuelBy}>{equipment.fuelBy[price.fuelBy]}</td>
                <td className="right num" data-label={text.quote.form.taxRate}>
                  {price.taxRate}%
                </td>
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

/** The documents of a machine, each marked by how soon it ends. */
function ValidDocuments({ documents, today }: { documents: Detail['documents']; today: string }) {
  const { equipment } = useText()
  return (
    <section className="panel">
      <h2>{equipment.papers}</h2>
      <ul className="stack gap-8">
        {documents.map((paper) => (
          <li key={paper.kind} className="row between">
            {equipment.document[paper.kind]}
            <Tag tone={toneOf(paper.validTo, today)}>
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

function toneOf(validTo: string | null, today: string): 'good' | 'warn' | 'bad' {
  const due = validTo === null ? null : dueOf(validTo, today)
  return due === null ? 'good' : due === 0 ? 'bad' : 'warn'
}

function Lessor({ machine }: { machine: Detail }) {
  const { equipment } = useText()
  return (
    <section className="detail-lessor">
      <h2>{equipment.lessor}</h2>
      <p className="row mt-8">
        <Link to={paths.lessor(machine.companyId)}>{machine.companyName}</Link>
        <Tag tone="blue">{equipment.lessors.verified}</Tag>
        {machine.companyGrade && <Tag tone={gradeTone(machine.companyGrade)}>{equipment.grade(machine.companyGrade)}</Tag>}
      </p>
      <p className="row no-print">
        <FavouriteButton bizType="supplier" bizId={machine.companyId} name={machine.companyName} />
        <Link className="small" to={paths.lessor(machine.companyId)}>
          {equipment.lessors.all}
        </Link>
      </p>
    </section>
  )
}

function MachineFacts({ machine, today }: { machine: Detail; today: string }) {
  const text = useText()
  const { equipment, search } = text
  const free = freeFrom(today, machine.taken)
  return (
    <dl className="facts">
      {!machine.isLot && (
        <div>
          <dt>{equipment.calendar}</dt>
          <dd className="num">{free === today ? search.calendar.freeNow : search.calendar.freeFrom(free)}</dd>
        </div>
      )}
      <div>
        <dt>{equipment.location}</dt>
        <dd>{placeName(text, machine)}</dd>
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
    </dl>
  )
}

function SimilarMachines({ machines }: { machines: Loaded['similar'] }) {
  const { equipment } = useText()
  return (
    <section className="no-print">
      <h2 className="mt-16 mb-16">{equipment.similar}</h2>
      <div className="cards">
        {machines.map((one) => (
          <MachineCard key={one.id} heading="h3" machine={one} />
        ))}
      </div>
    </section>
  )
}
