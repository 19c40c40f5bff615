import type { DemandCard } from '#shared/demand/contract.ts'

// Reduces the rows of an answer to the fields of a card. A page rendered on the server carries its rows twice, as HTML and as data, so whole
// answers would lengthen each page.

type DemandLine = Pick<DemandCard['items'][number], 'id' | 'categoryName' | 'categoryNameEn' | 'qty'>
export type DemandRow = Pick<
  DemandCard,
  | 'id'
  | 'title'
  | 'status'
  | 'urgent'
  | 'regionName'
  | 'regionNameEn'
  | 'projectName'
  | 'demandCode'
  | 'quoteDeadline'
  | 'planStart'
  | 'planEnd'
> & { items: readonly DemandLine[] }
export const demandRow = (demand: DemandCard): DemandRow => {
  const { id, title, status, urgent, regionName, regionNameEn, projectName, demandCode, quoteDeadline, planStart, planEnd } = demand
  const items = demand.items.map((line) => ({
    id: line.id,
    categoryName: line.categoryName,
    categoryNameEn: line.categoryNameEn,
    qty: line.qty,
  }))
  return { id, title, status, urgent, regionName, regionNameEn, projectName, demandCode, quoteDeadline, planStart, planEnd, items }
}
