import type { SupplierCard } from '#shared/company/contract.ts'

// Of what the server answers, what a card shows: a page that is rendered on the server carries its rows twice, as text and as data.

export type SupplierRow = Pick<SupplierCard, 'id' | 'enterpriseName' | 'regionName' | 'grade' | 'equipmentCount'>
export const supplierRow = ({ id, enterpriseName, regionName, grade, equipmentCount }: SupplierCard): SupplierRow => ({
  id,
  enterpriseName,
  regionName,
  grade,
  equipmentCount,
})
