import { addedOf } from '#shared/contract/change-terms.ts'
import type { ChangeTerms, StoredChange } from '#shared/contract/changes.ts'
import type { Read } from '../db/connect.ts'
import { ceilingsOf } from './direct.ts'

type Where = { contractId: number; deptId: number; provinceId: number }

/** The numbers of the positions whose price under an amendment is above the ceiling of the lessee's organisation. They are the lessee's own. */
export async function findAboveCeiling(db: Read, { contractId, deptId, provinceId }: Where, change: StoredChange): Promise<number[]> {
  const { terms } = change
  const prices = newPrices(terms)
  const added = addedOf(terms)
  if (prices.size === 0 && added.length === 0) return []
  const changed = await db
    .selectFrom('contractLine as l')
    .innerJoin('equipment as e', 'e.id', 'l.equipmentId')
    .where('l.contractId', '=', contractId)
    .where('l.id', 'in', [0, ...prices.keys()])
    .select([
      'l.id',
      'l.lineNo',
      'l.categoryId',
      'e.mainValue',
      'l.rentUnit',
      'l.shiftMode',
      'l.includesOperator',
      'l.includesFuel',
      'l.planStart',
      'l.planEnd',
    ])
    .execute()
  const machines = await db
    .selectFrom('equipment')
    .where('id', 'in', [0, ...added.map(({ equipmentId }) => equipmentId)])
    .select(['id', 'categoryId', 'mainValue'])
    .execute()
  const lines = [
    ...changed.map((line) => ({ ...line, priceFen: prices.get(line.id) ?? 0 })),
    ...added.map((position, index) => {
      const machine = machines.find(({ id }) => id === position.equipmentId)
      const { categoryId = 0, mainValue = null } = machine ?? {}
      return { ...position, lineNo: change.added?.[index]?.lineNo ?? 0, categoryId, mainValue, priceFen: position.unitPrice }
    }),
  ]
  const ceilings = await ceilingsOf(db, { deptId, provinceId }, lines)
  return lines.flatMap(({ lineNo, priceFen }, index) => (priceFen > (ceilings[index] ?? Infinity) ? [lineNo] : []))
}

/** The prices that positions have under the terms, also those that change with a tax rate. */
function newPrices(terms: ChangeTerms): Map<number, number> {
  if (terms.kind === 'price') return new Map(terms.lines.map(({ lineId, value }) => [lineId, value]))
  if (terms.kind !== 'tax') return new Map()
  return new Map(terms.lines.flatMap(({ lineId, unitPriceFen }) => (unitPriceFen === undefined ? [] : [[lineId, unitPriceFen]])))
}
