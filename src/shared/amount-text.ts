/** An amount in fen as texts, prints and evidence have it, in yuan with its thousands apart. */
export const amountText = (fen: number): string =>
  (fen / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
