import type { Text } from '../text/zh-cn.ts'
import type { CostOffer } from './landed-cost.ts'

/** The terms of an offered line that stand beside its tax rate, as one text: the invoice, the minimum term and the pledge to renew documents. */
export const termsOfLine = (
  text: Text,
  { invoiceKind, minRentDays, promisesRenewal }: Pick<CostOffer, 'invoiceKind' | 'minRentDays'> & { promisesRenewal: boolean },
): string =>
  [
    text.demand.invoices[invoiceKind],
    ...(minRentDays > 0 ? [text.quote.terms.minDays(minRentDays)] : []),
    ...(promisesRenewal ? [text.quote.terms.renewal] : []),
  ].join(' · ')
