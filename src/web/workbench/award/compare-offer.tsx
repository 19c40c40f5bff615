import { quoteStatus } from '#shared/quote/rules.ts'
import type { Miss } from '#shared/quote/contract.ts'
import { comma, semicolon } from '#shared/text/punctuation.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { colon } from '../../app/colon.ts'
import { machineName, placeName } from '../../app/format.ts'
import { useText } from '../../app/text.tsx'
import { Tag } from '../../ui/parts.tsx'
import { missDetail } from '../quote/miss-detail.ts'
import type { Cell, ComparedLine } from './compared.ts'

const deviationOf = (text: Text, miss: Miss) => `${text.quote.form.miss[miss.kind]}${colon(text)}${missDetail(text, miss)}`

/** Names the duties that an offer leaves to another side than its demand does. */
export const otherDutiesIn = (text: Text, { otherDuties }: Pick<Cell, 'otherDuties'>): string =>
  text.quote.compare.deviates(otherDuties.map((duty) => text.demand.duties[duty]).join(comma(text)))

/** What is remarkable about an offer, what has changed since it was made, and what became of this line of it. */
export function OfferTags({
  cell,
  isCheapest,
  isEarliest,
  outcome,
}: {
  cell: Cell
  isCheapest: boolean
  isEarliest: boolean
  outcome: { won: number } | null
}) {
  const text = useText()
  const words = text.quote.compare
  const { quote, line } = cell
  return (
    <p className="row gap-4 mt-4">
      {outcome && <Tag tone={outcome.won > 0 ? 'good' : 'plain'}>{outcome.won > 0 ? words.lineWon(outcome.won) : words.lineLost}</Tag>}
      {isCheapest && <Tag tone="blue">{words.cheapest}</Tag>}
      {isEarliest && <Tag tone="blue">{words.earliest}</Tag>}
      {quote.companyGrade && <Tag>{text.equipment.grade(quote.companyGrade)}</Tag>}
      {line.overCeiling && <Tag tone="bad">{words.overCeiling}</Tag>}
      {cell.otherDuties.length > 0 && <Tag tone="warn">{otherDutiesIn(text, cell)}</Tag>}
      {line.outlier && <Tag tone="warn">{words.outlier[line.outlier]}</Tag>}
      {quote.listed > 0 && !quote.blocked && <Tag tone="warn">{words.listed[quote.listed]}</Tag>}
      {quote.blocked && <Tag tone="bad">{words.blocked}</Tag>}
      {quote.bars
        .filter((bar) => bar !== 'blacklisted')
        .map((bar) => (
          <Tag key={bar} tone="bad">
            {words.bars[bar]}
          </Tag>
        ))}
      {quote.related.map((other) => (
        <Tag key={other.companyName} tone="warn">
          {words.related(
            other.isOwner ? words.relatedOwner : other.companyName,
            other.by.map((kind) => words.relation[kind]).join(comma(text)),
          )}
        </Tag>
      ))}
      {line.machines.some(({ taken }) => taken) && <Tag tone="warn">{words.taken}</Tag>}
      {outcome === null && quote.status !== quoteStatus.reviewing && <Tag>{text.quote.status[quote.status]}</Tag>}
    </p>
  )
}

/** The machines of an offer, each with what did not meet the line when it was offered, and with what keeps it from being awarded now. */
export function OfferedMachines({ line, wanted }: { line: ComparedLine; wanted: number }) {
  const text = useText()
  const words = text.quote.compare
  const isChanged = line.machines.some(({ problem }) => problem !== null)
  return (
    <>
      {words.offered(line.qty, wanted)}
      {isChanged && <p className="field-error">{words.stillOffered(line.availableQty)}</p>}
      {line.machines.map((machine) => {
        const changes = machine.problem === 'machine_unknown' ? (['gone'] as const) : machine.misses.map(({ kind }) => kind)
        return (
          <p key={machine.equipmentId} className="soft">
            {machineName(text, machine)} {machine.qty > 1 && `×${machine.qty}`} · {machine.outFactoryDate.slice(0, 4)} ·{' '}
            {placeName(text, machine)}
            {machine.distanceKm !== null && ` · ${machine.distanceKm === 0 ? words.sameCity : words.distance(machine.distanceKm)}`}
            {machine.papersTo && <span className="field-error block">{words.papersTo(machine.papersTo)}</span>}
            <Deviations machine={machine} />
            {changes.length > 0 && (
              <span className="field-error block">
                {words.changed(changes.map((kind) => text.quote.form.miss[kind]).join(comma(text)))}
              </span>
            )}
          </p>
        )
      })}
    </>
  )
}

/** What of an offered machine did not meet its line when it was offered. */
export function Deviations({ machine: { deviations } }: { machine: Pick<ComparedLine['machines'][number], 'deviations'> }) {
  const text = useText()
  if (deviations.length === 0) return null
  return (
    <span className="block">{text.quote.compare.deviates(deviations.map((miss) => deviationOf(text, miss)).join(semicolon(text)))}</span>
  )
}
