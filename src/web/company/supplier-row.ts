import type { SupplierCard } from '#shared/company/contract.ts'

// What a card shows of an answer. A page rendered on the server carries its rows twice, as HTML and as data: whole answers would break its bar
// of 40 KB (decision 23).

export type SupplierRow = Pick<SupplierCard, 'id' | 'enterpriseName' | 'regionName' | 'grade' | 'equipmentCount'>
export const supplierRow = ({ id, enterpriseName, regionName, grade, equipmentCount }: SupplierCard): SupplierRow => ({
  id,
  enterpriseName,
  regionName,
  grade,
  equipmentCount,
})
