import type { SupplierCard } from '#shared/company/contract.ts'
import type { DemandCard } from '#shared/demand/contract.ts'
import type { EquipmentCard } from '#shared/equipment/contract.ts'

// Of what the server answers, what a card shows: a page that is rendered on the server carries its rows twice, as text and as data.

export type MachineRow = Pick<
  EquipmentCard,
  | 'id'
  | 'name'
  | 'model'
  | 'fatherCategoryId'
  | 'categoryId'
  | 'cover'
  | 'rentStatus'
  | 'regionName'
  | 'outFactoryDate'
  | 'isLot'
  | 'totalQty'
  | 'distanceKm'
  | 'prices'
>
export const machineRow = (machine: EquipmentCard): MachineRow => {
  const { id, name, model, fatherCategoryId, categoryId, cover, rentStatus, regionName, outFactoryDate, isLot, totalQty, distanceKm } =
    machine
  // Its first terms, and the first that has a price.
  const priced = machine.prices.find(({ price }) => price !== null)
  const prices = machine.prices.filter((one, at) => at === 0 || one === priced)
  return {
    id,
    name,
    model,
    fatherCategoryId,
    categoryId,
    cover,
    rentStatus,
    regionName,
    outFactoryDate,
    isLot,
    totalQty,
    distanceKm,
    prices,
  }
}

/** A machine in the table of a category. */
export type MachineLine = MachineRow & Pick<EquipmentCard, 'companyName' | 'monthPrice' | 'specs'>
export const machineLine = (machine: EquipmentCard): MachineLine => {
  const { companyName, monthPrice, specs } = machine
  return { ...machineRow(machine), companyName, monthPrice, specs }
}

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

export type SupplierRow = Pick<SupplierCard, 'id' | 'enterpriseName' | 'regionName' | 'grade' | 'equipmentCount'>
export const supplierRow = ({ id, enterpriseName, regionName, grade, equipmentCount }: SupplierCard): SupplierRow => ({
  id,
  enterpriseName,
  regionName,
  grade,
  equipmentCount,
})
