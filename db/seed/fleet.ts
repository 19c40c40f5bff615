import { normalisedPriceFen, requiredDocuments, type RentUnit } from '#shared/equipment/rules.ts'
import { addDays, dayOf } from '#shared/calendar.ts'
import type { Category } from '#shared/category/contract.ts'
import { findCategories } from '#server/category/queries.ts'
import type { Services } from '#server/services.ts'
import { machineClasses, type MachineClass } from './machines.ts'
import type { LessorSeed } from './people.ts'
import type { Dice } from './random.ts'

const regionFactor: Record<number, number> = {
  32: 1.05,
  37: 1.05,
  34: 1.05,
  44: 1.05,
  45: 1.05,
  42: 0.97,
  43: 0.97,
  41: 0.97,
  51: 0.95,
  52: 0.95,
  53: 0.95,
  61: 0.93,
}

/** Month rent: class median × region × age (4 % a year after the second, not under 0.7) × noise; rounded to 50 yuan. */
export function rentOf(machine: { rent: number; provinceId: number; ageYears: number }, dice: Dice): number {
  const age = Math.max(0.7, 1 - 0.04 * Math.max(0, machine.ageYears - 2))
  const region = regionFactor[Math.floor(machine.provinceId / 10_000)] ?? 1
  return Math.max(50, Math.round((machine.rent * region * age * dice.normal(1, 0.06)) / 50) * 50)
}

const machinesInAll = 420

export async function seedFleet(services: Services, lessors: readonly LessorSeed[], dice: Dice, now: Date): Promise<void> {
  const categories = new Map((await findCategories(services.db)).map((category) => [category.id, category]))
  const owners = lessors.filter(({ certified }) => certified)
  const plan: { machineClass: MachineClass; lessor: LessorSeed }[] = []
  // Every lessor of the dense provinces has machines of the dense classes; the other classes are rare.
  for (const machineClass of machineClasses) {
    const holders = machineClass.dense ? owners.filter(({ city }) => city.dense) : dice.some(owners, 3)
    for (const lessor of holders) plan.push({ machineClass, lessor })
  }
  while (plan.length < machinesInAll) plan.push({ machineClass: dice.pick(machineClasses), lessor: dice.pick(owners) })
  let lots = 0
  for (const [index, { machineClass, lessor }] of dice.some(plan, machinesInAll).entries()) {
    const category = categories.get(machineClass.category)
    if (!category) continue
    const isLot = machineClass.lot !== undefined && lots < 30
    if (isLot) lots++
    await insertMachine(services, { machineClass, lessor, category, isLot, index }, dice, now)
  }
}

async function insertMachine(
  { db, codes }: Services,
  {
    machineClass,
    lessor,
    category,
    isLot,
    index,
  }: { machineClass: MachineClass; lessor: LessorSeed; category: Category; isLot: boolean; index: number },
  dice: Dice,
  now: Date,
): Promise<void> {
  const today = dayOf(now)
  const [brand, model] = dice.pick(machineClass.models)
  const main = category.params.find((param) => param.main)
  const ageYears = dice.between(0, 9)
  const built = addDays(today, -ageYears * 365 - dice.between(20, 340))
  const rent = rentOf({ rent: machineClass.rent, provinceId: lessor.city.provinceId, ageYears }, dice)
  const units = category.priceUnits as RentUnit[]
  const withOperator = ![200, 300, 1000, 1100, 1200].includes(category.parentId) || category.id === 203 || category.id === 204
  const priceOf = (unit: RentUnit): number | null => {
    switch (unit) {
      case 'M':
        return rent * 100
      case 'D':
        return Math.round((rent * 1.25) / 30) * 100
      case 'S':
        return Math.round((rent * 1.2) / 26 / 10) * 1000
      case 'H':
        return Math.round((rent * 1.2) / 26 / 8) * 100
      default:
        return null
    }
  }
  const prices = units.slice(0, 3).map((unit) => ({ rentUnit: unit, priceFen: priceOf(unit) || null }))
  const name = `${brand === '其他' ? '' : `${brand} `}${model} ${category.alias[0] ?? category.name}`.slice(0, 60)
  const nonRoad = category.flags.nonRoad || category.flags.roadVehicle
  const created = new Date(now.getTime() - dice.between(2, 400) * 86_400_000)
  // One in fourteen is not on the shelf: a draft, in review, or taken off.
  const off = index % 14 === 13
  const { id } = await db
    .insertInto('equipment')
    .values({
      equipmentCode: await codes.next('SB', created),
      companyId: lessor.companyId,
      fatherCategoryId: category.parentId,
      categoryId: category.id,
      name,
      brand,
      model,
      specs: JSON.stringify({ ...(main && { [main.key]: machineClass.value }), ...machineClass.specs }),
      mainValue: machineClass.value,
      factoryNo: `SL-${String(index + 1).padStart(5, '0')}`,
      outFactoryDate: built,
      manufacturer: brand === '其他' ? '' : brand,
      workHours: isLot ? null : Math.round(ageYears * dice.between(900, 1700) + dice.between(60, 600)),
      ownership: index % 11 === 0 ? 'lease' : 'own',
      emissionStage: nonRoad
        ? built >= '2022-12-01'
          ? '4'
          : built >= '2016-04-01'
            ? '3'
            : '2'
        : category.parentId === 300
          ? 'electric'
          : 'none',
      provinceId: lessor.city.provinceId,
      cityId: lessor.city.cityId,
      districtId: lessor.city.districtId,
      yardAddress: `${lessor.city.name}市设备停放场`,
      description: dice.pick([
        '车况良好，随车工具齐全，可提供保养记录。',
        '刚完成大保养，可随时进场。',
        '长期服务市政与房建项目，司机经验十年以上。',
        '整机原漆，发动机与液压件未大修。',
      ]),
      isLot,
      totalQty: isLot ? (machineClass.lot ?? 1) : 1,
      auditStatus: off && index % 28 === 13 ? '1' : '2',
      ...(off && index % 28 === 13 && { submitTime: new Date(now.getTime() - (2 + (index % 44)) * 3_600_000) }),
      shelfStatus: off ? '0' : '1',
      monthPriceFen: normalisedPriceFen(prices),
      confirmedAt: new Date(now.getTime() - dice.between(0, 9) * 86_400_000),
      searchText: [name, brand, model, category.name, ...category.alias].join(' '),
      createTime: created,
      updateTime: created,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (prices.length > 0)
    await db
      .insertInto('equipmentPrice')
      .values(
        prices.map((price) => ({
          ...price,
          equipmentId: id,
          withOperator,
          fuelBy: nonRoad ? 'lessee' : 'none',
          taxRate: withOperator ? 9 : 13,
        })),
      )
      .execute()
  const kinds = requiredDocuments(category.flags)
  await db
    .insertInto('equipmentDocument')
    .values(
      kinds.map((kind, at) => {
        // Inspection and insurance run out; one in nine does so within a usual hire.
        const dated = ['inspection', 'insurance', 'erection'].includes(kind)
        const days = (index + at) % 9 === 0 ? dice.between(25, 110) : dice.between(200, 900)
        return {
          equipmentId: id,
          kind,
          number: `示例-${String(index * 10 + at).padStart(5, '0')}`,
          issuedBy: '示例机构',
          validTo: dated ? addDays(today, days) : null,
        }
      }),
    )
    .execute()
}
