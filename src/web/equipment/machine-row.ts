import type { EquipmentCard } from '#shared/equipment/contract.ts'

// Reduces the rows of an answer to the fields of a card. A page rendered on the server carries its rows twice, as HTML and as data, so whole
// answers would exceed the 40 KB of decision 23.

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
  // The card shows the first terms and the first price; the others stay on the server.
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
