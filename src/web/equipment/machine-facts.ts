import type { OwnMachine } from '#shared/equipment/own.ts'
import { sizeOf } from '#shared/equipment/size.ts'
import { labelOf, money, named, number, placeName } from '../app/format.ts'
import { useText } from '../app/text.tsx'
import { useCategories } from '../category/category-tree.ts'
import type { Fact } from '../ui/facts.tsx'

/** Texts that have a line of their own. Every other text of a machine is shown under its label. */
const composedFacts = ['name', 'brand', 'model', 'outFactoryDate', 'ownership', 'originalValue', 'emissionStage', 'yardAddress']

/** The fields of a machine that its lessor and the reviewer both read; the original value is the lessor's alone. Empty ones have no value. */
export function useMachineFacts(machine: OwnMachine): Fact[] {
  const text = useText()
  const { fields, ownerships, cycles } = text.equipment.upload
  const params = useCategories().get(machine.categoryId)?.params ?? []
  const plain = (Object.keys(fields) as (keyof typeof fields)[]).flatMap((name): Fact[] => {
    const value = machine[name]
    return typeof value === 'string' && !composedFacts.includes(name) ? [[fields[name], value]] : []
  })
  return [
    [fields.categoryId, named(text, machine)],
    [fields.brand, named(text, { name: machine.brand, nameEn: machine.brandEn })],
    [fields.model, machine.model],
    ...params.map((param): Fact => [labelOf(text, param), sizeOf(param, machine.specs)]),
    [fields.outFactoryDate, machine.outFactoryDate],
    [fields.workHours, machine.workHours === null ? null : number(machine.workHours)],
    [fields.ownership, ownerships[machine.ownership]],
    [fields.emissionStage, text.equipment.emission[machine.emissionStage]],
    [fields.totalQty, machine.isLot ? number(machine.totalQty) : null],
    [fields.yardAddress, `${placeName(text, machine)} ${machine.yardAddress}`.trim()],
    [fields.rentCycles, machine.rentCycles.map((cycle) => cycles[cycle]).join(' · ')],
    ...plain,
  ]
}

/** Each price of a machine with its tax, who pays the fuel, whether a driver is in it, and its last day. */
export function usePriceFacts(machine: OwnMachine): Fact[] {
  const text = useText()
  return machine.prices.map((price): Fact => [
    text.equipment.unit[price.rentUnit],
    [
      price.price === null ? text.equipment.negotiable : money(price.price),
      `${text.quote.form.taxRate} ${price.taxRate}%`,
      text.equipment.fuelBy[price.fuelBy],
      price.withOperator && text.equipment.withOperator,
      price.validTo && text.equipment.paperValid(price.validTo),
    ]
      .filter(Boolean)
      .join(' · '),
  ])
}
