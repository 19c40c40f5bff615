import { expect, test } from 'vitest'
import { addDays, addMonths } from '../calendar.ts'
import { en } from '../text/en.ts'
import { zhCn } from '../text/zh-cn.ts'
import { isStale, monthPriceFen, needsAssessment, shelfStatus, usefulDocuments } from './rules.ts'
import { ageInYears } from './upload.ts'

const [flatTop, luffing, hoist, ropeHoist, excavator] = [201, 202, 208, 209, 101]

test('the note on month prices names the factor of each unit', () => {
  const hour = `8 × ${(monthPriceFen('H', 1) ?? 0) / 8}`
  const factors = [monthPriceFen('D', 1), monthPriceFen('S', 1), monthPriceFen('S', 1, true)].map((factor) => `× ${factor}`)
  for (const { equipment } of [zhCn, en])
    for (const factor of [...factors, hour]) expect(equipment.normalisedNote.replaceAll('×', ' × ').replaceAll('  ', ' ')).toContain(factor)
})

test('a safety assessment is due by age: of a tower crane by its moment in t·m, of a hoist after eight years, and after five where it hangs on a rope', () => {
  const due = (categoryId: number, mainValue: number | null, ...ages: number[]) =>
    ages.map((age) => needsAssessment(categoryId, mainValue, age))
  for (const crane of [flatTop, luffing]) {
    expect([due(crane, 62, 10, 10.1), due(crane, null, 10, 10.1)]).toEqual([
      [false, true],
      [false, true],
    ])
    expect([due(crane, 63, 15, 15.1), due(crane, 124, 15, 15.1)]).toEqual([
      [false, true],
      [false, true],
    ])
    expect(due(crane, 125, 20, 20.1)).toEqual([false, true])
  }
  expect(due(hoist, 125, 8, 8.1)).toEqual([false, true])
  expect(due(ropeHoist, 1000, 5, 5.1)).toEqual([false, true])
  expect(due(excavator, 10, 30)).toEqual([false])
})

test('only machines that are assessed by age can have such a paper', () => {
  const flags = { specialEquipment: false, buildingLifting: false, nonRoad: false, roadVehicle: false, erection: false }
  const may = [flatTop, luffing, hoist, ropeHoist, excavator].map((categoryId) => usefulDocuments(categoryId, flags).includes('assessment'))
  expect(may).toEqual([true, true, true, true, false])
})

test('an age is a whole number of years on its day of each year, however many leap days lie between', () => {
  for (const made of ['2016-03-01', '2017-01-15', '2020-02-29', '2019-12-31'])
    for (let years = 0; years <= 30; years++) {
      const day = addMonths(made, 12 * years)
      expect([ageInYears(made, day), ageInYears(made, addDays(day, 1)) > years, ageInYears(made, addDays(day, -1)) < years]).toEqual([
        years,
        true,
        true,
      ])
    }
})

test('a machine on the shelf is stale once nobody has confirmed it for seven days', () => {
  const { on, off } = shelfStatus
  const at = (now: string, shelf: string) => isStale({ shelfStatus: shelf, confirmedAt: '2026-11-23 10:00:00' }, new Date(`${now}+08:00`))
  expect([at('2026-11-30T10:00:00', on), at('2026-11-30T10:00:01', on), at('2026-12-30T10:00:00', off)]).toEqual([false, true, false])
})
