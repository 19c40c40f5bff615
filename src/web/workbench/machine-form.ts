import type { OwnMachine } from '#shared/equipment/own.ts'
import type { DocumentKind, EmissionStage, RentUnit } from '#shared/equipment/rules.ts'

export type PriceForm = {
  rentUnit: RentUnit
  price: string
  negotiable: boolean
  withOperator: boolean
  fuelBy: 'lessor' | 'lessee' | 'none'
  taxRate: number
  shiftMode: 'single' | 'double'
  minRentDays: string
  validTo: string
}
export type PaperForm = { number: string; issuedBy: string; validTo: string; fileId: string | null; mime: string }

/** The machine's form as it is typed. */
export type MachineForm = {
  fatherCategoryId: number | null
  categoryId: number | null
  name: string
  brand: string
  model: string
  specs: Record<string, string>
  factoryNo: string
  outFactoryDate: string
  manufacturer: string
  workHours: string
  ownership: 'own' | 'lease' | 'agent' | 'sublet'
  originalValue: string
  emissionStage: EmissionStage
  envCode: string
  plateNo: string
  vin: string
  deviceCode: string
  registrationNo: string
  registrationOffice: string
  filingNo: string
  filingOffice: string
  provinceId: number | null
  cityId: number | null
  districtId: number | null
  yardAddress: string
  description: string
  transportNote: string
  rentCycles: ('short' | 'month' | 'year')[]
  isLot: boolean
  totalQty: string
  prices: PriceForm[]
  papers: Partial<Record<DocumentKind, PaperForm>>
  imageIds: string[]
}

export const blankPrice = (rentUnit: RentUnit = 'M'): PriceForm => ({
  rentUnit,
  price: '',
  negotiable: false,
  withOperator: false,
  fuelBy: 'lessee',
  taxRate: 13,
  shiftMode: 'single',
  minRentDays: '',
  validTo: '',
})

export const blankMachine = (): MachineForm => ({
  fatherCategoryId: null,
  categoryId: null,
  name: '',
  brand: '',
  model: '',
  specs: {},
  factoryNo: '',
  outFactoryDate: '',
  manufacturer: '',
  workHours: '',
  ownership: 'own',
  originalValue: '',
  emissionStage: 'none',
  envCode: '',
  plateNo: '',
  vin: '',
  deviceCode: '',
  registrationNo: '',
  registrationOffice: '',
  filingNo: '',
  filingOffice: '',
  provinceId: null,
  cityId: null,
  districtId: null,
  yardAddress: '',
  description: '',
  transportNote: '',
  rentCycles: ['month'],
  isLot: false,
  totalQty: '1',
  prices: [blankPrice()],
  papers: {},
  imageIds: [],
})

export function fromMachine(machine: OwnMachine): MachineForm {
  return {
    ...blankMachine(),
    fatherCategoryId: machine.fatherCategoryId,
    categoryId: machine.categoryId,
    name: machine.name,
    brand: machine.brand,
    model: machine.model,
    specs: Object.fromEntries(Object.entries(machine.specs).map(([key, value]) => [key, String(value)])),
    factoryNo: machine.factoryNo ?? '',
    outFactoryDate: machine.outFactoryDate,
    manufacturer: machine.manufacturer,
    workHours: machine.workHours === null ? '' : String(machine.workHours),
    ownership: machine.ownership as 'own',
    originalValue: machine.originalValue ?? '',
    emissionStage: machine.emissionStage,
    envCode: machine.envCode ?? '',
    plateNo: machine.plateNo ?? '',
    vin: machine.vin ?? '',
    deviceCode: machine.deviceCode,
    registrationNo: machine.registrationNo,
    registrationOffice: machine.registrationOffice,
    filingNo: machine.filingNo,
    filingOffice: machine.filingOffice,
    provinceId: machine.provinceId,
    cityId: machine.cityId,
    districtId: machine.districtId,
    yardAddress: machine.yardAddress,
    description: machine.description,
    transportNote: machine.transportNote,
    rentCycles: machine.rentCycles,
    isLot: machine.isLot,
    totalQty: String(machine.totalQty),
    prices: machine.prices.map((price) => ({
      ...price,
      price: price.price ?? '',
      negotiable: price.price === null,
      minRentDays: price.minRentDays ? String(price.minRentDays) : '',
      validTo: price.validTo ?? '',
    })),
    papers: Object.fromEntries(
      machine.papers.map(({ kind, validTo, mime, ...paper }) => [kind, { ...paper, validTo: validTo ?? '', mime: mime ?? '' }]),
    ),
    imageIds: machine.images,
  }
}

const orNull = (text: string) => text.trim() || null
const numberOrNull = (text: string) => (text.trim() === '' ? null : Number(text))

/** What is sent; the contract's schema checks it. `typeOf` tells the numbers among the parameters. */
export function toMachineInput(form: MachineForm, typeOf: (key: string) => 'number' | 'text' | undefined, categoryName: string) {
  return {
    ...form,
    fatherCategoryId: form.fatherCategoryId ?? undefined,
    categoryId: form.categoryId ?? undefined,
    name: form.name.trim() || `${form.brand} ${form.model} ${categoryName}`.trim().slice(0, 60),
    specs: Object.fromEntries(
      Object.entries(form.specs).flatMap(([key, value]) => {
        const type = typeOf(key)
        if (!type || value.trim() === '') return []
        return [[key, type === 'number' ? Number(value) : value.trim()]]
      }),
    ),
    factoryNo: orNull(form.factoryNo),
    outFactoryDate: form.outFactoryDate || undefined,
    workHours: numberOrNull(form.workHours),
    originalValue: orNull(form.originalValue),
    envCode: orNull(form.envCode),
    plateNo: orNull(form.plateNo),
    vin: orNull(form.vin),
    provinceId: form.provinceId ?? undefined,
    cityId: form.cityId ?? undefined,
    totalQty: form.isLot ? Number(form.totalQty || 0) : 1,
    prices: form.prices.map(({ negotiable, price, minRentDays, validTo, ...rest }) => ({
      ...rest,
      price: negotiable ? null : price || undefined,
      minRentDays: Number(minRentDays || 0),
      validTo: orNull(validTo),
    })),
    papers: Object.entries(form.papers).map(([kind, { mime: _, validTo, ...paper }]) => ({ ...paper, kind, validTo: orNull(validTo) })),
  }
}
