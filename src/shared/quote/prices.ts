import type { feeNames } from './rules.ts'

type PriceName = 'unitPrice' | (typeof feeNames)[number]
/** The price of a unit and the fees of an offered or agreed line, by their names on the wire. */
export type Prices<Amount> = Record<PriceName, Amount>

/** A line whose amounts are in fen, with the names by which they are stored and calculated with. */
export const pricedLine = <Line extends Prices<number>>({
  unitPrice,
  entryFee,
  exitFee,
  erectionFee,
  inspectionFee,
  otherFee,
  ...rest
}: Line) => ({
  ...rest,
  unitPriceFen: unitPrice,
  entryFeeFen: entryFee,
  exitFeeFen: exitFee,
  erectionFeeFen: erectionFee,
  inspectionFeeFen: inspectionFee,
  otherFeeFen: otherFee,
})

type PricesFen = ReturnType<typeof pricedLine<Prices<number>>>

/** The opposite: a stored line whose amounts, still in fen, have the names of the wire. */
export const wirePrices = <Line extends PricesFen>({
  unitPriceFen,
  entryFeeFen,
  exitFeeFen,
  erectionFeeFen,
  inspectionFeeFen,
  otherFeeFen,
  ...rest
}: Line) => ({
  ...rest,
  unitPrice: unitPriceFen,
  entryFee: entryFeeFen,
  exitFee: exitFeeFen,
  erectionFee: erectionFeeFen,
  inspectionFee: inspectionFeeFen,
  otherFee: otherFeeFen,
})

/** The fees of one machine together. */
export const feesFen = (line: Omit<PricesFen, 'unitPriceFen'>): number =>
  line.entryFeeFen + line.exitFeeFen + line.erectionFeeFen + line.inspectionFeeFen + line.otherFeeFen

/** A line with each of its amounts changed, such as from yuan to fen. */
export const withPrices = <From, To, Line extends object>(line: Line & Prices<From>, change: (amount: From) => To) => ({
  ...line,
  unitPrice: change(line.unitPrice),
  entryFee: change(line.entryFee),
  exitFee: change(line.exitFee),
  erectionFee: change(line.erectionFee),
  inspectionFee: change(line.inspectionFee),
  otherFee: change(line.otherFee),
})
