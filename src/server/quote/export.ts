import { amountText } from '#shared/amount-text.ts'
import type { Download } from '#shared/endpoint.ts'
import { isOpened, type DemandStatus } from '#shared/demand/rules.ts'
import type { DemandItem } from '#shared/demand/contract.ts'
import { aboveLowest, isStanding, outcomeOf } from '#shared/quote/lowest.ts'
import { machinesText } from '#shared/machines-text.ts'
import type { CostAssumptions } from '#shared/quote/landed-cost.ts'
import { feesFen } from '#shared/quote/prices.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { nameIn } from '#shared/text/name-in.ts'
import type { Read } from '../db/connect.ts'
import { Refusal } from '../http/refusal.ts'
import { formats, writeWorkbook, yuanCell } from '../workbook/list-workbook.ts'
import { compareQuotes } from './compare.ts'

type Column = keyof Text['quote']['export']['columns']

const wide: readonly string[] = ['company', 'machines', 'deviation'] satisfies Column[]
const amounts: readonly string[] = [
  'unitPrice',
  'entry',
  'exit',
  'erection',
  'inspection',
  'other',
  'rent',
  'own',
  'gross',
  'net',
  'lowest',
] satisfies Column[]

/** Writes all quotes of one demand into a workbook. Refuses `quotes_sealed` before the opening. */
export async function quotesWorkbook(
  db: Read,
  demand: { id: number; demandCode: string | null; status: DemandStatus; openTime: string | null; items: DemandItem[] },
  { text, now }: { text: Text; now: Date },
): Promise<Download> {
  if (!isOpened(demand)) throw new Refusal('quotes_sealed')
  const { assumptions, quotes, award } = await compareQuotes(db, demand.id, now)
  const { columns, sheet, file } = text.quote.export
  const items = new Map(demand.items.map((item) => [item.id, item]))
  const yesNo = (value: boolean) => (value ? text.site.common.yes : text.site.common.no)
  const offers = quotes.flatMap((quote) =>
    quote.lines.map((line) => ({
      id: line.id,
      demandItemId: line.demandItemId,
      qty: line.qty,
      netFen: line.netFen,
      isStanding: isStanding(quote, line),
    })),
  )
  const offersByLine = Map.groupBy(offers, ({ demandItemId }) => demandItemId)
  const lowest = ({ id, demandItemId }: { id: number; demandItemId: number }) => {
    const ofLine = offersByLine.get(demandItemId) ?? []
    const own = ofLine.find((offer) => offer.id === id)
    const above = own ? aboveLowest(own, ofLine) : null
    return above === null ? '–' : above.fen === 0 ? text.quote.compare.cheapest : yuanCell(above.fen)
  }
  const { status, compare } = text.quote
  const rows = quotes.flatMap((quote) =>
    quote.lines.map((line) => {
      const outcome = outcomeOf(quote, line, award)
      const item = items.get(line.demandItemId)
      return [
        quote.quoteCode,
        quote.companyName,
        item?.lineNo ?? 0,
        nameIn(text, item?.categoryName, item?.categoryNameEn) ?? '',
        machinesText(text, line.machines),
        line.qty,
        yuanCell(line.unitPriceFen),
        text.equipment.unit[line.rentUnit],
        yesNo(line.includesOperator),
        yesNo(line.includesFuel),
        yuanCell(line.entryFeeFen),
        yuanCell(line.exitFeeFen),
        yuanCell(line.erectionFeeFen),
        yuanCell(line.inspectionFeeFen),
        yuanCell(line.otherFeeFen),
        `${line.taxRate}%`,
        text.demand.invoices[line.invoiceKind],
        line.minRentDays || '',
        line.promisesRenewal ? text.site.common.yes : '',
        line.earliestEntry,
        yuanCell(line.rentFen),
        // The lessee's own driver and fuel.
        yuanCell(line.grossFen - line.rentFen - feesFen(line) * line.qty),
        yuanCell(line.grossFen),
        yuanCell(line.netFen),
        lowest(line),
        line.deviation,
        outcome === null ? status[quote.status] : outcome.won > 0 ? compare.lineWon(outcome.won) : compare.lineLost,
        quote.submitTime,
      ]
    }),
  )
  return writeWorkbook(file(demand.demandCode ?? String(demand.id)), [
    {
      sheet,
      columns: Object.entries(columns).map(([key, label]) => ({
        label,
        width: wide.includes(key) ? 30 : 13,
        ...(amounts.includes(key) && { format: formats.money }),
      })),
      rows,
    },
    basisSheet(text, assumptions),
  ])
}

/** What the landed costs are worked out with. */
const basisSheet = ({ quote }: Text, { dieselFenPerLitre, operatorMonthFen }: CostAssumptions) => ({
  sheet: quote.cost.title,
  columns: [{ label: quote.cost.title, width: 30 }],
  rows: [[quote.sheet.basis(amountText(dieselFenPerLitre), amountText(operatorMonthFen))]],
})
