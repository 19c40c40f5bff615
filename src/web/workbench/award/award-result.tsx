import { Fragment, type ReactNode } from 'react'
import { fenOf } from '#shared/amount-text.ts'
import type { AwardContracts } from '#shared/award/award-contracts.ts'
import { laterEntry } from '#shared/award/rules.ts'
import { fromMoment, hourMs } from '#shared/calendar.ts'
import type { OwnDemand } from '#shared/demand/contract.ts'
import { paths } from '#shared/paths.ts'
import type { BookedMachine } from '#shared/quote/contract.ts'
import { giveUpHours } from '#shared/quote/rules.ts'
import { comma } from '#shared/text/punctuation.ts'
import { machineName, minute, money, moneyOfFen, named } from '../../app/format.ts'
import { useText } from '../../app/text.tsx'
import { Link } from '../../ui/link.tsx'
import { isUnsent } from '../contract/demand-contracts.tsx'
import { grossOfPicks, netOfPick, type Cell, type Compared } from './compared.ts'

type AwardedLine = {
  demandItemId: number
  quoteLineId: number
  qty: number
  reason: string
  /** As stored with an award; a proposal has none yet. */
  net?: string
  /** The booked machines; a proposal has none yet. */
  machines?: readonly BookedMachine[]
}

type OverBudgetProps = {
  demand: Pick<OwnDemand, 'budgetLimit'>
  quotes: Parameters<typeof grossOfPicks>[1]
  picks: Parameters<typeof grossOfPicks>[0]
}

/** Says by how much a choice exceeds the budget of its demand. */
export function OverBudget({ demand: { budgetLimit }, quotes, picks }: OverBudgetProps) {
  const words = useText().quote.compare
  const grossFen = grossOfPicks(picks, quotes)
  if (budgetLimit === null || grossFen <= fenOf(budgetLimit)) return null
  return <p className="small field-error">{words.overBudget(moneyOfFen(grossFen), moneyOfFen(grossFen - fenOf(budgetLimit)))}</p>
}

type DecisionProps = {
  demand: OwnDemand
  /** The offers at the planned duration. */
  cells: readonly Cell[]
  award: NonNullable<Compared['award']>
  /** Whether the viewer makes and sends contracts; to others the next step is no business of theirs. */
  mayMake: boolean
}

/** The award as it stands, with the next steps while a winner waits for their contract. Its winners may all have given up or lapsed since. */
export function Decision({ demand, cells, award, mayMake }: DecisionProps) {
  const words = useText().quote.compare
  if (award.lines.length === 0) return <p className="notice notice-warn">{words.awardGone}</p>
  return (
    <AwardResult demand={demand} cells={cells} title={words.awardTitle} {...award}>
      <NextSteps unsent={demand.contracts?.lessors.filter(isUnsent) ?? []} awardedAt={award.at} mayMake={mayMake} />
    </AwardResult>
  )
}

type NextStepsProps = { unsent: AwardContracts['lessors']; awardedAt: string; mayMake: boolean }

function NextSteps({ unsent, awardedAt, mayMake }: NextStepsProps) {
  const text = useText()
  const words = text.quote.compare
  const drafts = unsent.flatMap(({ contract }) => contract ?? [])
  const mayGiveUp =
    unsent.some(({ acceptedAt }) => acceptedAt === null) && Date.now() <= fromMoment(awardedAt).getTime() + giveUpHours * hourMs
  return (
    <>
      {mayMake && drafts.length < unsent.length && <p className="small">{words.awardNext}</p>}
      {mayMake && drafts.length > 0 && (
        <p className="small">
          {words.awardSend}{' '}
          {drafts.map(({ id, contractCode }, index) => (
            <Fragment key={id}>
              {index > 0 && comma(text)}
              <Link to={paths.contract(id)}>{contractCode}</Link>
            </Fragment>
          ))}
        </p>
      )}
      {mayGiveUp && <p className="small">{words.mayGiveUp(giveUpHours)}</p>}
    </>
  )
}

/** An award, or one that is proposed, as a table: line, lessor, machines, price, sums, entry and contact. */
export function AwardResult({
  demand,
  cells,
  title,
  who,
  at,
  net,
  lines,
  children,
}: {
  demand: OwnDemand
  /** The offers at the planned duration. */
  cells: readonly Cell[]
  title: string
  who: string
  at: string
  net: string
  lines: readonly AwardedLine[]
  children?: ReactNode
}) {
  const text = useText()
  const words = text.quote.compare
  const rows = lines.flatMap((line) => {
    const cell = cells.find((one) => one.line.id === line.quoteLineId)
    const item = demand.items.find(({ id }) => id === line.demandItemId)
    return cell && item ? [{ line, cell, item, share: line.qty / cell.line.qty, later: laterEntry(item, cell.line) }] : []
  })
  return (
    <div className="notice award-result stack">
      <p className="row between">
        <strong>{title}</strong>
        <span className="small">
          {who} · <span className="num">{minute(at)}</span> · {text.quote.cost.landedNet}{' '}
          <strong className="num">{money(net, true)}</strong>
        </span>
      </p>
      <div className="scroll-x" tabIndex={0}>
        <table className="table compare-table">
          <thead>
            <tr>
              <th>{text.demand.lines}</th>
              <th>{words.lessor}</th>
              <th>{words.machine}</th>
              <th className="right">{words.rate}</th>
              <th className="right">{text.quote.cost.rent}</th>
              <th className="right">{text.quote.cost.landedNet}</th>
              <th>{text.quote.won.entry}</th>
              <th>{words.contact}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ line, cell, item, share, later }) => (
              <tr key={line.quoteLineId}>
                <td className="whole">
                  <strong>
                    {item.lineNo}. {named(text, item)} ×{line.qty}
                  </strong>
                </td>
                <td className="whole">
                  {cell.quote.companyName}
                  {line.reason && <p className="small soft">{line.reason}</p>}
                </td>
                <td className="whole small">
                  {(line.machines ?? cell.line.machines.map((machine) => ({ ...machine, equipmentCode: '' }))).map((machine) => (
                    <p key={`${machine.equipmentCode}${machine.name}`}>
                      {machineName(text, machine)} <span className="num faint">{machine.equipmentCode}</span>
                      {machine.qty > 1 && ` ×${machine.qty}`}
                    </p>
                  ))}
                </td>
                <td data-label={words.rate} className="right num">
                  {money(cell.line.unitPrice, true)} {text.equipment.unit[cell.line.rentUnit]}
                </td>
                <td data-label={text.quote.cost.rent} className="right num">
                  {moneyOfFen(Math.round(cell.cost.rentFen * share))}
                </td>
                <td data-label={text.quote.cost.landedNet} className="right num">
                  {moneyOfFen(netOfPick(line, cell))}
                </td>
                <td data-label={text.quote.won.entry} className="num">
                  {item.planStart}
                  {later && <p className="small soft">{text.quote.won.laterEntry(later)}</p>}
                </td>
                <td data-label={words.contact}>
                  {/* Blank for the platform's people, whose looks at contacts are counted. */}
                  {cell.quote.contactPhone === '' ? (
                    text.site.common.none
                  ) : (
                    <span>
                      {cell.quote.contactName}{' '}
                      <a className="num" href={`tel:${cell.quote.contactPhone}`}>
                        {cell.quote.contactPhone}
                      </a>
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {children}
    </div>
  )
}
