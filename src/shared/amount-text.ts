/** Converts an amount in yuan, as the wire and people write it, to fen. */
export const fenOf = (yuan: string | number): number => Math.round(Number(yuan) * 100)

/** Converts an amount in fen to yuan with two places, as the wire writes it. */
export const yuanOf = (fen: number): string => (fen / 100).toFixed(2)

/** An amount in fen as texts, prints and evidence have it, in yuan with its thousands apart. */
export const amountText = (fen: number): string =>
  (fen / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
