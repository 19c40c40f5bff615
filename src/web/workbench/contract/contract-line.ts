import type { ChangeLine } from '#shared/contract/change-terms.ts'
import type { Position } from '#shared/contract/contract.ts'

const fenOf = (yuan: string) => Math.round(Number(yuan) * 100)

/** A position of the wire as the rules of amendments read it. */
export const lineOfPosition = (position: Position): ChangeLine => ({
  ...position,
  rates: position.rates.map(({ unitPrice, ...rate }) => ({ ...rate, unitPriceFen: fenOf(unitPrice) })),
  unitPriceFen: fenOf(position.unitPrice),
  entryFeeFen: fenOf(position.entryFee),
  exitFeeFen: fenOf(position.exitFee),
  erectionFeeFen: fenOf(position.erectionFee),
  inspectionFeeFen: fenOf(position.inspectionFee),
  otherFeeFen: fenOf(position.otherFee),
})
