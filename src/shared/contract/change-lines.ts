import { yuanOf } from '../amount-text.ts'
import { presentValue, priceUnder, type ChangeLine } from './change-terms.ts'
import type { ChangeTerms, StoredChange } from './changes.ts'
import { positionStatus } from './rules.ts'

/** The values of the positions that the terms change, as they are; each with its price where that follows the tax rate. */
export function valuesBefore(lines: readonly ChangeLine[], terms: ChangeTerms): StoredChange['before'] {
  if (!('lines' in terms)) return []
  return terms.lines.flatMap(({ lineId }) => {
    const line = lines.find(({ id }) => id === lineId)
    if (!line) return []
    const value = presentValue(terms.kind, line)
    return [{ lineId, value, ...(priceUnder(terms, lineId) !== undefined && { unitPriceFen: line.unitPriceFen }) }]
  })
}

type Named = { id: number; lineNo: number; name: string }

/** The positions that an amendment changes, as both sides read them before and after it is sent; `price` is in fen. */
export function linesShown(
  lines: readonly Named[],
  { terms, before, quantities = [] }: Pick<StoredChange, 'terms' | 'before' | 'quantities'>,
) {
  const of = (lineId: number, from: string, to: string) => {
    const line = lines.find(({ id }) => id === lineId)
    const quantity = quantities.find((one) => one.lineId === lineId)
    const price = { before: before.find((one) => one.lineId === lineId)?.unitPriceFen, after: priceUnder(terms, lineId) }
    return {
      lineNo: line?.lineNo ?? 0,
      name: line?.name ?? '',
      before: from,
      after: to,
      quantity: quantity ? { before: quantity.before, after: quantity.after } : null,
      price: price.before === undefined || price.after === undefined ? null : { before: price.before, after: price.after },
    }
  }
  if (terms.kind === 'quantity') return terms.lineIds.map((lineId) => of(lineId, positionStatus.waiting, positionStatus.cancelled))
  if (!('lines' in terms)) return []
  const shown = (value: string | number) => (terms.kind === 'price' ? yuanOf(Number(value)) : String(value))
  return terms.lines.map(({ lineId, value }) => of(lineId, shown(before.find((one) => one.lineId === lineId)?.value ?? ''), shown(value)))
}
