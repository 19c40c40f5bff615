import type { Category } from '#shared/category/contract.ts'
import { emissionStages, type RentUnit } from '#shared/equipment/rules.ts'
import { EquipmentInput, equipmentProblems } from '#shared/equipment/upload.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { en } from '#shared/text/en.ts'
import { cellSigns } from '#shared/text/zh-cn/equipment.ts'
import { zhCn } from '#shared/text/zh-cn.ts'

export type Cells = Record<string, string>
export type CellProblem = { column: string; rule: string; proposal: string | null }
export type Checked = { input: EquipmentInput | null; problems: CellProblem[] }

/** What rows are checked against. */
export type Reference = {
  categories: readonly Category[]
  places: ReadonlyMap<string, number>
  cities: ReadonlyMap<number, ReadonlyMap<string, number>>
  brands: readonly string[]
  /** "brand|number" of the company's machines. */
  known: ReadonlySet<string>
  today: string
}

export const priceColumns = { priceM: 'M', priceD: 'D', priceS: 'S', priceH: 'H' } as const satisfies Record<string, RentUnit>

/** The columns of a group's template: what every machine has, then the parameters of its categories. */
export function columnsFor(categories: readonly Category[], text: Text): { key: string; label: string; choices: string[] | null }[] {
  const words = text.equipment.imports
  const zh = text.locale === 'zh-CN'
  const choices: Record<string, string[]> = {
    category: categories.map((category) => (zh ? category.name : category.nameEn)),
    ownership: Object.values(text.equipment.upload.ownerships),
    emissionStage: Object.values(text.equipment.emission),
    withOperator: [words.yes, words.no],
    fuelBy: Object.values(text.equipment.fuelBy),
    taxRate: ['13', '9', '6', '3', '1', '0'],
  }
  const fixed = Object.keys(zhCn.equipment.imports.columns).map((key) => ({
    key,
    label: words.columns[key] ?? key,
    choices: choices[key] ?? null,
  }))
  const params = new Map<string, string>()
  for (const category of categories)
    for (const param of category.params) {
      const label = zh ? param.label : param.labelEn
      if (!params.has(param.key)) params.set(param.key, param.unit ? `${label} (${param.unit})` : label)
    }
  return [...fixed, ...[...params].map(([key, label]) => ({ key: `spec.${key}`, label, choices: null }))]
}

/** A number as people write it: 1,2 is 1.2 (with either comma); 21t is 21; 2.6 with the sign of ten thousand is 26000; 12,500 is 12500. Null: it is none. */
export function readNumber(text: string): { value: number; exact: boolean } | null {
  const plain = text
    .trim()
    .replaceAll(cellSigns.comma, ',')
    .replace(new RegExp(`[${cellSigns.yuan}\\s]`, 'g'), '')
  if (/^-?\d+(\.\d+)?$/.test(plain)) return { value: Number(plain), exact: true }
  const grouped = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain)
  const [, digits, unit] = /^(-?\d+(?:[.,]\d+)*)([^\d]*)$/.exec(plain) ?? []
  if (!digits) return null
  const value = Number(grouped ? digits.replaceAll(',', '') : digits.replace(',', '.'))
  if (!Number.isFinite(value)) return null
  return { value: unit?.startsWith(cellSigns.tenThousand) ? Math.round(value * 1_000_000) / 100 : value, exact: false }
}

const { year: yearSign, month: monthSign, day: daySign } = cellSigns
const writtenDay = new RegExp(String.raw`^(\d{4})[-/.${yearSign}]?(\d{1,2})[-/.${monthSign}]?(\d{1,2})${daySign}?$`)

/** 2022/3/5, 2022.3.5, 20220305 and the same with the signs of year, month and day are days too. */
export function readDay(text: string): string | null {
  const [, year, month, date] = writtenDay.exec(text.trim()) ?? []
  if (!year || !month || !date) return null
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  const at = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === day ? day : null
}

const fold = (text: string) => text.trim().toLowerCase().replace(/\s+/g, '')

/** The key of a choice by its words in either language, or by itself. */
function choiceOf<K extends string>(keys: readonly K[], words: (text: Text, key: K) => string, written: string): K | null {
  const wanted = fold(written)
  return keys.find((key) => [key, words(zhCn, key), words(en, key)].some((one) => fold(one) === wanted)) ?? null
}

/** The category by name, common name, English name; else a guess by what the words have in common. */
function categoryOf(
  categories: readonly Category[],
  written: string,
  model: string,
): { category: Category | null; guess: Category | null } {
  const wanted = fold(written)
  const exact = categories.find((one) => [one.name, one.nameEn].some((name) => fold(name) === wanted))
  if (exact) return { category: exact, guess: null }
  const names = (one: Category) => [one.name, one.nameEn, ...one.alias].map(fold)
  const near =
    categories.find((one) => names(one).some((name) => name === wanted)) ??
    categories.find((one) => wanted.length > 1 && names(one).some((name) => name.includes(wanted) || wanted.includes(name))) ??
    categories.find((one) => model !== '' && names(one).some((name) => fold(model).includes(name)))
  return { category: null, guess: near ?? null }
}

function placeOf(places: ReadonlyMap<string, number>, written: string): { code: number | null; guess: string | null } {
  const exact = places.get(written.trim())
  if (exact !== undefined) return { code: exact, guess: null }
  const guess = [...places.keys()].find((name) => written.trim().length > 1 && (name.startsWith(written.trim()) || written.includes(name)))
  return { code: null, guess: guess ?? null }
}

/** One row: the machine it describes, or what is wrong in which cell, with what would be right where that can be told. */
export function checkRow(cells: Cells, reference: Reference, text: Text): Checked {
  const problems: CellProblem[] = []
  const bad = (column: string, rule: string, proposal: string | null = null) => void problems.push({ column, rule, proposal })
  const cell = (column: string) => (cells[column] ?? '').trim()
  const zh = text.locale === 'zh-CN'

  const found = categoryOf(reference.categories, cell('category'), `${cell('model')} ${cell('name')}`)
  const category = found.category
  if (!category)
    bad('category', cell('category') ? 'import_category' : 'required', found.guess && (zh ? found.guess.name : found.guess.nameEn))
  const params = (category ?? found.guess)?.params ?? []

  const number = (column: string): number | null => {
    if (cell(column) === '') return null
    const read = readNumber(cell(column))
    if (read?.exact) return read.value
    bad(column, 'import_number', read ? String(read.value) : null)
    return null
  }
  const choice = <K extends string>(column: string, keys: readonly K[], words: (one: Text, key: K) => string, otherwise: K): K => {
    if (cell(column) === '') return otherwise
    const key = choiceOf(keys, words, cell(column))
    if (key) return key
    bad(column, 'import_choice')
    return otherwise
  }

  const brand = cell('brand')
  if (brand && !reference.brands.includes(brand)) {
    const near = reference.brands.find((known) => known.length > 1 && brand.includes(known))
    if (near) bad('brand', 'import_brand', near)
  }
  const day = readDay(cell('outFactoryDate'))
  if (cell('outFactoryDate') !== '' && !day) bad('outFactoryDate', 'import_date')

  const province = placeOf(reference.places, cell('province'))
  if (province.code === null) bad('province', cell('province') ? 'import_place' : 'required', province.guess)
  const city = province.code === null ? null : placeOf(reference.cities.get(province.code) ?? new Map(), cell('city'))
  if (city?.code === null) bad('city', cell('city') ? 'import_place' : 'required', city.guess)

  const withOperator = cell('withOperator')
    ? choice('withOperator', ['yes', 'no'] as const, (one, key) => one.equipment.imports[key], 'no') === 'yes'
    : false
  const rate = number('taxRate')
  const fuelBy = choice('fuelBy', ['lessor', 'lessee', 'none'] as const, (one, key) => one.equipment.fuelBy[key], 'lessee')
  const prices = Object.entries(priceColumns).flatMap(([column, rentUnit]) => {
    const price = number(column)
    return price === null ? [] : [{ rentUnit, price, withOperator, fuelBy, taxRate: rate ?? (withOperator ? 9 : 13) }]
  })
  if (prices.length === 0 && !problems.some(({ column }) => column.startsWith('price'))) bad('priceM', 'import_price')

  const qty = number('totalQty') ?? 1
  const specs: Record<string, string | number> = {}
  for (const { key, type } of params) {
    const column = `spec.${key}`
    if (cell(column) === '') continue
    if (type === 'text') specs[key] = cell(column)
    else {
      const value = number(column)
      if (value !== null) specs[key] = value
    }
  }
  const orNull = (column: string) => cell(column) || null
  const parsed = EquipmentInput.safeParse({
    fatherCategoryId: category?.parentId ?? 1,
    categoryId: category?.id ?? 1,
    name: cell('name') || `${brand} ${cell('model')} ${category ? (category.alias[0] ?? category.name) : ''}`.trim().slice(0, 60),
    brand,
    model: cell('model'),
    specs,
    factoryNo: orNull('factoryNo'),
    outFactoryDate: day ?? undefined,
    manufacturer: cell('manufacturer'),
    workHours: number('workHours'),
    ownership: choice(
      'ownership',
      ['own', 'lease', 'agent', 'sublet'] as const,
      (one, key) => one.equipment.upload.ownerships[key] ?? key,
      'own',
    ),
    emissionStage: choice('emissionStage', emissionStages, (one, key) => one.equipment.emission[key], 'none'),
    envCode: orNull('envCode'),
    plateNo: orNull('plateNo'),
    vin: orNull('vin'),
    provinceId: province.code ?? 1,
    cityId: city?.code ?? 1,
    yardAddress: cell('yardAddress'),
    description: cell('description'),
    isLot: qty > 1,
    totalQty: qty,
    prices: prices.length > 0 ? prices : [{ rentUnit: 'M', price: null }],
  })
  const told = new Set(problems.map(({ column }) => column))
  const tell = (path: readonly PropertyKey[], rule: string) => {
    const column = columnOf(
      path.map(String),
      prices.map(({ rentUnit }) => rentUnit),
    )
    if (told.has(column)) return
    told.add(column)
    bad(column, rule)
  }
  if (!parsed.success) for (const issue of parsed.error.issues) tell(issue.path, ruleOf(issue, cells))
  else if (category) {
    for (const { path, rule } of equipmentProblems(parsed.data, category, false, reference.today)) tell(path, rule)
    const { factoryNo } = parsed.data
    if (factoryNo && reference.known.has(`${brand}|${factoryNo}`)) bad('factoryNo', 'import_known')
  }
  return { input: parsed.success && problems.length === 0 ? parsed.data : null, problems }
}

/** Where a problem of the machine's field shows in the workbook. */
function columnOf(path: readonly string[], units: readonly RentUnit[]): string {
  const [head = '', second = ''] = path
  if (head === 'specs') return `spec.${second}`
  if (head === 'prices') return path[2] === 'taxRate' ? 'taxRate' : `price${units[Number(second)] ?? 'M'}`
  if (head === 'categoryId' || head === 'fatherCategoryId') return 'category'
  if (head === 'provinceId') return 'province'
  if (head === 'cityId') return 'city'
  if (head === 'isLot') return 'totalQty'
  return head
}

function ruleOf(issue: { code: string; message: string; path: readonly PropertyKey[] }, cells: Cells): string {
  const column = String(issue.path[0] ?? '')
  if (!(cells[column] ?? '').trim() && issue.path.length === 1) return 'required'
  return issue.message in zhCn.rule.codes ? issue.message : 'import_choice'
}

/** Every row, with numbers that stand twice in the workbook. */
export function checkRows(rows: readonly { rowNo: number; cells: Cells }[], reference: Reference, text: Text): Map<number, Checked> {
  const seen = new Map<string, number>()
  for (const { cells } of rows) {
    const key = `${(cells.brand ?? '').trim()}|${(cells.factoryNo ?? '').trim()}`
    if (!key.endsWith('|')) seen.set(key, (seen.get(key) ?? 0) + 1)
  }
  return new Map(
    rows.map(({ rowNo, cells }) => {
      const checked = checkRow(cells, reference, text)
      const key = `${(cells.brand ?? '').trim()}|${(cells.factoryNo ?? '').trim()}`
      if ((seen.get(key) ?? 0) > 1)
        return [rowNo, { input: null, problems: [...checked.problems, { column: 'factoryNo', rule: 'import_twice', proposal: null }] }]
      return [rowNo, checked]
    }),
  )
}
