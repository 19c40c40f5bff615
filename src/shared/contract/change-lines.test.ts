import { expect, test } from 'vitest'
import { linesShown, valuesBefore } from './change-lines.ts'
import { changedQuantities, completedTerms, type ChangeLine } from './change-terms.ts'
import type { ChangeTerms } from './changes.ts'
import { defaultClauses } from './clauses.ts'
import { positionStatus } from './rules.ts'

const clauses = defaultClauses({ buildingLifting: false, rentUnits: ['M'], payment: { ratio: 70, days: 30 } })
const line: ChangeLine & { lineNo: number; name: string } = {
  id: 7,
  lineNo: 2,
  name: '装载机 LW500',
  status: positionStatus.waiting,
  qty: 1,
  unitPriceFen: 3_000_000,
  rentUnit: 'S',
  includesOperator: true,
  includesFuel: false,
  entryFeeFen: 0,
  exitFeeFen: 0,
  erectionFeeFen: 0,
  inspectionFeeFen: 0,
  otherFeeFen: 0,
  taxRate: 13,
  invoiceKind: 'special',
  minRentDays: 0,
  planStart: '2026-12-01',
  planEnd: '2027-03-01',
  shiftMode: 'single',
  estQuantity: 90,
}

/** As the form shows it before it is sent, and as it is read once it is stored. */
function shown(asked: ChangeTerms) {
  const terms = completedTerms(asked, { lines: [line], clauses })
  return linesShown([line], { terms, before: valuesBefore([line], terms), quantities: changedQuantities([line], terms, '2026-12-10') })
}

test('an amendment shows each position that it changes with what is and what will be', () => {
  const named = { lineNo: 2, name: '装载机 LW500', quantity: null, price: null }
  expect(shown({ kind: 'price', lines: [{ lineId: 7, value: 2_500_050 }] })).toEqual([{ ...named, before: '30000.00', after: '25000.50' }])
  expect(shown({ kind: 'quantity', lineIds: [7] })).toEqual([{ ...named, before: positionStatus.waiting, after: positionStatus.cancelled }])
  // The price without tax stays, so the one with tax follows its rate.
  expect(shown({ kind: 'tax', lines: [{ lineId: 7, value: 9 }] })).toEqual([
    { ...named, before: '13', after: '9', price: { before: 3_000_000, after: 2_893_805 } },
  ])
  expect(shown({ kind: 'extend', lines: [{ lineId: 7, value: '2027-03-31' }] })).toEqual([
    { ...named, before: '2027-03-01', after: '2027-03-31', quantity: { before: 90, after: 120 } },
  ])
  expect(shown({ kind: 'terminate', lastDay: '2027-01-01' })).toEqual([])
})
