import type { DemandCard } from '#shared/demand/contract.ts'

// What a card shows of an answer. A page rendered on the server carries its rows twice, as HTML and as data: whole answers would break its bar
// of 40 KB (decision 23).

type DemandLine = Pick<DemandCard['items'][number], 'id' | 'categoryName' | 'categoryNameEn' | 'qty'>
export type DemandRow = Pick<
  DemandCard,
  | 'id'
  | 'title'
  | 'status'
  | 'urgent'
  | 'regionName'
  | 'projectName'
  | 'demandCode'
  | 'quoteDeadline'
  | 'quoteCount'
  | 'planStart'
  | 'planEnd'
> & { items: readonly DemandLine[] }
export const demandRow = (demand: DemandCard): DemandRow => {
  const { id, title, status, urgent, regionName, projectName, demandCode, quoteDeadline, quoteCount, planStart, planEnd } = demand
  const items = demand.items.map((line) => ({
    id: line.id,
    categoryName: line.categoryName,
    categoryNameEn: line.categoryNameEn,
    qty: line.qty,
  }))
  return { id, title, status, urgent, regionName, projectName, demandCode, quoteDeadline, quoteCount, planStart, planEnd, items }
}
