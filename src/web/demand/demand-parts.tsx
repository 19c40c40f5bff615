import type { Category } from '#shared/category/contract.ts'
import type { DemandItem, PublicDemand } from '#shared/demand/contract.ts'
import { daysBetween } from '#shared/calendar.ts'
import { duties, projectTypes } from '#shared/demand/rules.ts'
import { grouped, isOneNumber } from '#shared/equipment/size.ts'
import { downloadFile } from '#shared/file/contract.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { unitFor } from '#shared/text/name-in.ts'
import { download } from '../app/api.ts'
import { labelOf, named, number, placeName } from '../app/format.ts'
import { useCategories } from '../category/category-tree.ts'
import { useText } from '../app/text.tsx'
import { FactRows } from '../ui/facts.tsx'
import { Tag } from '../ui/parts.tsx'
import { repeatMs } from '../ui/throttle.ts'

/** The parameters of categories, as far as they are known. */
export type KnownParams = Readonly<Record<number, Category['params']>>

/** Words the requirements of a line: parameters, age, emission, brand and quantity of work. `known`: for the page that the server renders. */
export function useRequirements(known: KnownParams = {}): (item: DemandItem) => string[] {
  const text = useText()
  const categories = useCategories()
  return (item) => {
    const params = known[item.categoryId] ?? categories.get(item.categoryId)?.params
    return [
      ...item.specRequirements.map(({ key, rule, value }) => {
        const param = params?.find((one) => one.key === key)
        const label = param ? labelOf(text, param) : key
        const shown = isOneNumber(param, rule) ? grouped(value) : value
        return `${label} ${text.demand.spec[rule]} ${shown}${param?.unit ? ` ${param.unit}` : ''}`
      }),
      ...(item.maxAgeYears === null ? [] : [text.demand.maxAge(item.maxAgeYears)]),
      ...(item.minEmission === null
        ? []
        : [
            item.minEmission === 'electric'
              ? text.equipment.emission.electric
              : text.demand.minEmission(text.equipment.emission[item.minEmission]),
          ]),
      ...(item.brandPreference ? [text.demand.brandPreference(item.brandPreference)] : []),
      ...(item.estQuantity === null
        ? []
        : [text.demand.estQuantity(number(item.estQuantity, 2), unitFor(text, item.estQuantity, item.rentUnit))]),
    ]
  }
}

export function ItemsTable({ items, params }: { items: readonly DemandItem[]; params?: KnownParams }) {
  const text = useText()
  const requirements = useRequirements(params)
  return (
    <div className="scroll-x" tabIndex={0}>
      <table className="table cards-on-phone">
        <thead>
          <tr>
            <th>#</th>
            <th>{text.site.common.category}</th>
            <th>{text.demand.form.specs}</th>
            <th className="right">{text.demand.qty}</th>
            <th>{text.demand.duration}</th>
            <th>{text.demand.unit}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id}>
              <td className="line-no num">{item.lineNo}</td>
              <td className="whole">
                <strong>{named(text, item)}</strong>
                {item.remark && <p className="small soft">{item.remark}</p>}
              </td>
              <td className="whole">
                <span className="row gap-6">
                  {requirements(item).map((words) => (
                    <Tag key={words}>{words}</Tag>
                  ))}
                </span>
              </td>
              <td data-label={text.demand.qty} className="right num">
                {item.qty}
              </td>
              <td data-label={text.demand.duration}>
                <span>
                  <span className="unbroken">{item.planStart}</span> – <span className="unbroken">{text.list.endDay(item.planEnd)}</span>{' '}
                  <span className="soft unbroken">{text.site.common.day(daysBetween(item.planStart, item.planEnd))}</span>
                </span>
              </td>
              <td data-label={text.demand.unit}>
                {text.equipment.unit[item.rentUnit]} · {text.demand.shift[item.shiftMode]}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What every reader sees of a demand, each with its label. A fact that is blank, as an optional field may be, is left out. */
export function FactsSection({ demand }: { demand: PublicDemand }) {
  const text = useText()
  const { payment } = demand
  const facts: [string, string][] = [
    [text.demand.place, [placeName(text, demand), demand.address].filter(Boolean).join(' ')],
    [
      text.demand.project,
      `${demand.projectName} · ${isAmong(demand.projectType, projectTypes) ? text.demand.projectType[demand.projectType] : ''}`,
    ],
    [text.demand.methodLabel, text.demand.method[demand.method]],
    [text.demand.minQuotes, String(demand.minQuotes)],
    ...duties.map((duty): [string, string] => [text.demand.duties[duty], text.demand.side[demand[duty]]]),
    [text.demand.payment, text.demand.paymentText(text.demand.cycles[payment.cycle], payment.ratio, payment.days)],
    [text.demand.form.invoice, text.demand.invoices[payment.invoice]],
  ]
  return (
    <dl className="facts">
      <FactRows facts={facts} />
    </dl>
  )
}

export function Attachments({ files }: { files: PublicDemand['attachments'] }) {
  const text = useText()
  if (files.length === 0) return null
  return (
    <section className="panel">
      <h2>{text.demand.attachments}</h2>
      <ul>
        {files.map((file) => (
          <li key={file.fileId}>
            <button
              type="button"
              className="link"
              data-repeat-ms={repeatMs}
              onClick={() => void download(downloadFile, { params: { id: file.fileId }, query: {} }).catch(() => undefined)}
            >
              {file.name}
            </button>
            <span className="small faint num"> {number(file.size / 1024)} KB</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
