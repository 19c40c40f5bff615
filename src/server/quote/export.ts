import writeXlsxFile, { type Cell, type SheetData } from 'write-excel-file/node'
import type { Download } from '#shared/endpoint.ts'
import { isOpened, type DemandStatus } from '#shared/demand/rules.ts'
import type { DemandItem } from '#shared/demand/contract.ts'
import { aboveLowest, isStanding } from '#shared/quote/lowest.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { Read } from '../db/connect.ts'
import { Refusal } from '../http/refusal.ts'
import { compareQuotes } from './compare.ts'

/** Writes all quotes of one demand into a workbook. Refuses `quotes_sealed` before the opening. */
export async function quotesWorkbook(
  db: Read,
  demand: { id: number; demandCode: string | null; status: DemandStatus; openTime: string | null; items: DemandItem[] },
  { text, now }: { text: Text; now: Date },
): Promise<Download> {
  if (!isOpened(demand)) throw new Refusal('quotes_sealed')
  const { quotes } = await compareQuotes(db, demand.id, now)
  const { columns, sheet, file } = text.quote.export
  const items = new Map(demand.items.map((item) => [item.id, item]))
  const yesNo = (value: boolean) => (value ? text.site.common.yes : text.site.common.no)
  // A text that starts like a formula must stay a text in the spreadsheet program; typed string cells do.
  const label = (value: string): Cell => ({ type: String, value })
  const money = (fen: number): Cell => ({ type: Number, value: fen / 100, format: '#,##0.00' })
  const count = (value: number): Cell => ({ type: Number, value })
  const header = Object.values(columns).map((value): Cell => ({ type: String, value, fontWeight: 'bold', backgroundColor: '#e8eef9' }))
  const offers = quotes.flatMap((quote) =>
    quote.lines.map((line) => ({
      id: line.id,
      demandItemId: line.demandItemId,
      qty: line.qty,
      netFen: line.netCost,
      isStanding: isStanding(quote, line),
    })),
  )
  const lowest = ({ id, demandItemId }: { id: number; demandItemId: number }): Cell => {
    const ofLine = offers.filter((offer) => offer.demandItemId === demandItemId)
    const own = ofLine.find((offer) => offer.id === id)
    const above = own ? aboveLowest(own, ofLine) : null
    return above === null ? label('–') : above.fen === 0 ? label(text.quote.compare.cheapest) : money(above.fen)
  }
  const rows = quotes.flatMap((quote) =>
    quote.lines.map((line) => {
      const item = items.get(line.demandItemId)
      return [
        label(quote.quoteCode),
        label(quote.companyName),
        count(item?.lineNo ?? 0),
        label((text.locale === 'zh-CN' ? item?.categoryName : item?.categoryNameEn) ?? ''),
        label(line.machines.map(({ name, qty }) => (qty > 1 ? `${name} ×${qty}` : name)).join('; ')),
        count(line.qty),
        money(line.unitPrice),
        label(text.equipment.unit[line.rentUnit]),
        label(yesNo(line.includesOperator)),
        label(yesNo(line.includesFuel)),
        money(line.entryFee),
        money(line.exitFee),
        money(line.erectionFee),
        money(line.inspectionFee),
        money(line.otherFee),
        label(`${line.taxRate}%`),
        label(text.demand.invoices[line.invoiceKind] ?? ''),
        label(line.earliestEntry),
        money(line.grossCost),
        money(line.netCost),
        lowest(line),
        label(line.deviation),
        label(text.quote.status[quote.status]),
        label(quote.submitTime),
      ]
    }),
  )
  const data: SheetData = [header, ...rows]
  const content = await writeXlsxFile(data, {
    sheet,
    stickyRowsCount: 1,
    columns: Object.keys(columns).map((key) => ({ width: ['company', 'machines', 'deviation'].includes(key) ? 30 : 13 })),
  }).toBuffer()
  return {
    name: file(demand.demandCode ?? String(demand.id)),
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    content,
  }
}
