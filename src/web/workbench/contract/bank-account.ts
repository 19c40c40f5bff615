/** The number of a bank account in groups of four, as banks print it; a masked one stays as it is. */
export const bankDigits = (account: string): string => (/^\d+$/.test(account) ? account.replaceAll(/\d{4}(?=\d)/g, '$& ') : account)
