import { expect, test } from 'vitest'
import { addEquipment } from '#shared/equipment/own.ts'
import { readForm } from '../app/form-values.ts'
import { nameOfMachineDocument, newMachine, newDocument, newPrice, machineInputOf } from './machine-form.ts'

const typed = {
  ...newMachine(),
  fatherCategoryId: 1,
  categoryId: 101,
  brand: '柳工',
  model: '856H',
  outFactoryDate: '2022-03-05',
  provinceId: 510000,
  cityId: 510100,
}
const issues = (form: typeof typed) =>
  addEquipment.body.safeParse(readForm(addEquipment.body, machineInputOf(form, undefined))).error?.issues.map(({ path }) => path.join('.'))

test('a machine without a name is called by its brand and model; empty fields are null', () => {
  const form = { ...typed, prices: [{ ...newPrice('D'), price: '1200', minRentDays: '', taxRate: '9' as const }] }
  expect(addEquipment.body.parse(readForm(addEquipment.body, machineInputOf(form, undefined)))).toMatchObject({
    name: '柳工 856H',
    factoryNo: null,
    workHours: null,
    totalQty: 1,
    rentCycles: ['month'],
    prices: [{ rentUnit: 'D', price: 120_000, taxRate: 9, minRentDays: 0, validTo: null }],
  })
})

test('a price is typed or to be agreed, and a lot has a number', () => {
  expect(issues(typed)).toEqual(['prices.0.price'])
  expect(issues({ ...typed, prices: [{ ...newPrice('M'), negotiable: true }] })).toBeUndefined()
  expect(issues({ ...typed, isLot: true, totalQty: '', prices: [{ ...newPrice('M'), negotiable: true }] })).toEqual(['totalQty'])
})

test('an error of a sent paper stands at its kind', () => {
  const form = { ...typed, papers: { emission: newDocument(), ownership: newDocument() } }
  const sent = machineInputOf(form, undefined).papers.map(({ kind }) => kind)
  expect(sent.map((_, index) => nameOfMachineDocument(`papers.${index}.number`, form))).toEqual(sent.map((kind) => `papers.${kind}`))
  expect(nameOfMachineDocument('papers.ownership', form)).toBe('papers.ownership')
})
