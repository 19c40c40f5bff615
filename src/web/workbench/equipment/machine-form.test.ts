import { expect, test } from 'vitest'
import type { Category } from '#shared/category/contract.ts'
import { addEquipment } from '#shared/equipment/own.ts'
import { changeStatus, equipmentAudit, rentStatus } from '#shared/equipment/rules.ts'
import { readForm } from '../../app/form-values.ts'
import { formProblems, mayGoOnShelf, nameOfMachineField, newMachine, newDocument, newPrice, machineInputOf } from './machine-form.ts'

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

test('a price is typed or to be agreed, and a lot has a number; a draft needs no price', () => {
  expect(issues({ ...typed, submit: true })).toEqual(['prices.0.price'])
  expect(issues(typed)).toBeUndefined()
  expect(issues({ ...typed, prices: [{ ...newPrice('M'), negotiable: true }] })).toBeUndefined()
  expect(issues({ ...typed, isLot: true, totalQty: '', prices: [{ ...newPrice('M'), negotiable: true }] })).toEqual(['totalQty'])
})

test('an error of a sent paper stands at its kind', () => {
  const form = { ...typed, papers: { emission: newDocument(), ownership: newDocument() } }
  const sent = machineInputOf(form, undefined).papers.map(({ kind }) => kind)
  expect(sent.map((_, index) => nameOfMachineField(`papers.${index}.number`, form))).toEqual(sent.map((kind) => `papers.${kind}`))
  expect(nameOfMachineField('papers.ownership', form)).toBe('papers.ownership')
})

test('an error of a sent price stands at its row, also after rows that a draft leaves out', () => {
  const rows = [newPrice('M'), { ...newPrice('D'), price: '800' }, newPrice('S'), { ...newPrice('H'), negotiable: true }]
  const form = { ...typed, prices: rows }
  expect(machineInputOf(form, undefined).prices.map(({ rentUnit }) => rentUnit)).toEqual(['D', 'H'])
  const names = ['prices.0.price', 'prices.1.validTo', 'prices']
  expect(names.map((name) => nameOfMachineField(name, form))).toEqual(['prices.1.price', 'prices.3.validTo', 'prices'])
  expect(nameOfMachineField('prices.0.price', { ...form, submit: true })).toBe('prices.0.price')
})

const today = '2026-11-23'
const loader: Category = {
  id: 101,
  parentId: 1,
  name: '装载机',
  nameEn: 'Loader',
  alias: [],
  params: [{ key: 'load', label: '载重', labelEn: 'Load', unit: 't', type: 'number', main: true }],
  priceUnits: ['M'],
  flags: { specialEquipment: false, buildingLifting: false, nonRoad: true, roadVehicle: false, erection: false },
  core: true,
  litresPerShift: 12,
}

test('a document that has ended is an error, unless a requested change waits, whose documents the server checks', () => {
  const form = { ...typed, specs: { load: '5' }, papers: { insurance: { ...newDocument(), validTo: '2026-11-01' } } }
  const change = { id: 1, status: changeStatus.waiting, submitTime: '', reason: '', fields: [], papers: [], categoryWaits: false }
  const problems = (machine: Parameters<typeof formProblems>[2]) =>
    formProblems(form, loader, machine, today).map(({ path }) => path.join('.'))
  const auditStatus = equipmentAudit.passed
  expect(problems({ auditStatus, change: null })).toContain('papers.insurance')
  expect(problems({ auditStatus, change: { ...change, status: changeStatus.rejected } })).toContain('papers.insurance')
  expect(problems({ auditStatus, change })).not.toContain('papers.insurance')
  expect(problems({ auditStatus, change })).toContain('imageIds')
})

test('of a passed machine that has come of age, the server asks for the assessment', () => {
  const crane: Category = { ...loader, id: 201 }
  const form = { ...typed, categoryId: 201, specs: { load: '80' }, outFactoryDate: '2010-03-05', submit: true }
  const fields = (auditStatus: typeof equipmentAudit.passed | typeof equipmentAudit.draft) =>
    formProblems(form, crane, { auditStatus, change: null }, today).map(({ path }) => path.join('.'))
  expect(fields(equipmentAudit.draft)).toContain('papers.assessment')
  expect(fields(equipmentAudit.passed)).not.toContain('papers.assessment')
  expect(fields(equipmentAudit.passed)).toContain('papers.ownership')
})

test('one pass finds what the schema refuses and what the category asks for', () => {
  const half = { ...typed, brand: '', outFactoryDate: '', submit: true }
  const fields = formProblems(half, loader, null, today).map(({ path }) => path.join('.'))
  expect(fields).toEqual(expect.arrayContaining(['specs.load', 'outFactoryDate', 'emissionStage', 'imageIds', 'papers.ownership']))
  expect(issues(half)).toContain('brand')
  expect(issues({ ...half, model: '' })).not.toContain('name')
  // Without a category, what every machine needs is named in the same pass.
  const bare = { ...half, categoryId: null, prices: [] }
  expect(formProblems(bare, undefined, null, today).map(({ path }) => path.join('.'))).toEqual([
    'categoryId',
    'outFactoryDate',
    'prices',
    'imageIds',
  ])
  expect(formProblems({ ...bare, submit: false }, undefined, null, today)).toHaveLength(1)
})

test('a new machine stands in the yard of the company', () => {
  expect(newMachine({ provinceId: 510_000, cityId: 510_100, districtId: null, yardAddress: '龙泉驿区 1 号' })).toMatchObject({
    provinceId: 510_000,
    cityId: 510_100,
    yardAddress: '龙泉驿区 1 号',
  })
})

test('a machine that is off the shelf goes on once it has passed, and never again once it is retired', () => {
  const machine = { auditStatus: '2', rentStatus: '0', shelfStatus: '0' } as const
  expect(mayGoOnShelf(machine)).toBe(true)
  for (const changes of [{ auditStatus: '1' }, { rentStatus: rentStatus.retired }, { shelfStatus: '2' }] as const)
    expect([changes, mayGoOnShelf({ ...machine, ...changes })]).toEqual([changes, false])
})
