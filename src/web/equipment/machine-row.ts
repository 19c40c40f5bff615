import type { Category } from '#shared/category/contract.ts'
import type { EquipmentCard } from '#shared/equipment/contract.ts'
import { sizeOf } from '#shared/equipment/size.ts'

// Reduces the rows of an answer to the fields of a card. A page rendered on the server carries its rows twice, as HTML and as data, so whole
// answers would lengthen each page (decision 58).

/** The categories by id, with their parameters. */
export type Categories = ReadonlyMap<number, Pick<Category, 'params'>>

/** The categories of the tree, for the rows of a page. */
export const categoriesOf = (tree: readonly { children: readonly Category[] }[]): Categories =>
  new Map(tree.flatMap(({ children }) => children).map((category) => [category.id, category]))

/** A parameter of a machine with its unit. The first of a row is the main one, which is shown without its label. */
export type MachineSize = { label: string; labelEn: string; value: string }

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
  | 'regionNameEn'
  | 'brand'
  | 'brandEn'
  | 'categoryNameEn'
  | 'outFactoryDate'
  | 'isLot'
  | 'totalQty'
  | 'distanceKm'
  | 'prices'
  | 'monthPrice'
  | 'companyName'
  | 'companyGrade'
> & { sizes: readonly MachineSize[] }

export const machineRow = (machine: EquipmentCard, categories: Categories): MachineRow => {
  const { id, name, model, fatherCategoryId, categoryId, cover, rentStatus, outFactoryDate, isLot, totalQty } = machine
  const { brand, brandEn, categoryNameEn, regionName, regionNameEn } = machine
  const { distanceKm, monthPrice, companyName, companyGrade } = machine
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
    regionNameEn,
    brand,
    brandEn,
    categoryNameEn,
    outFactoryDate,
    isLot,
    totalQty,
    distanceKm,
    prices,
    monthPrice,
    companyName,
    companyGrade,
    sizes: sizesOf(machine, categories),
  }
}

/** The main parameter and the first further number that the machine has. */
function sizesOf({ categoryId, specs }: EquipmentCard, categories: Categories): MachineSize[] {
  const params = categories.get(categoryId)?.params ?? []
  const main = params.filter((param) => param.main)
  const further = params.filter((param) => !param.main && param.type === 'number')
  const sized = (some: typeof params) =>
    some.flatMap((param) => {
      const value = sizeOf(param, specs)
      return value ? { label: param.label, labelEn: param.labelEn, value } : []
    })
  const first = sized(main)
  return first.length === 0 ? [] : [...first, ...sized(further).slice(0, 1)]
}

/** A machine in the table of a category. */
export type MachineLine = MachineRow & Pick<EquipmentCard, 'specs' | 'workHours' | 'emissionStage'>
export const machineLine = (machine: EquipmentCard, categories: Categories): MachineLine => {
  const { specs, workHours, emissionStage } = machine
  return { ...machineRow(machine, categories), specs, workHours, emissionStage }
}
