import { yuan, YuanOut } from '../fields.ts'

/** The price of a unit and the fees of a line, as a call takes them. */
export const priceFields = {
  unitPrice: yuan({ min: 1 }),
  entryFee: yuan().default(0),
  exitFee: yuan().default(0),
  erectionFee: yuan().default(0),
  inspectionFee: yuan().default(0),
  otherFee: yuan().default(0),
}

/** The same as a call answers them. */
export const pricesOut = {
  unitPrice: YuanOut,
  entryFee: YuanOut,
  exitFee: YuanOut,
  erectionFee: YuanOut,
  inspectionFee: YuanOut,
  otherFee: YuanOut,
}
