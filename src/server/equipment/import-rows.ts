import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Category } from '#shared/category/contract.ts'
import type { Param } from '#shared/category/input.ts'
import { emissionStages, fuelPayers, ownerships, type RentUnit, taxRates } from '#shared/equipment/rules.ts'
import { EquipmentInput, equipmentProblems, MachineFields, missingBasics } from '#shared/equipment/upload.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { en } from '#shared/text/en.ts'
import { cellSigns, companyEnd } from '#shared/text/zh-cn/equipment.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { nameIn } from '#shared/text/name-in.ts'

export type Cells = Record<string, string>
type CellProblem = { column: string; rule: string; proposal: string | null }
export type Checked = { input: EquipmentInput | null; problems: CellProblem[] }

/** The data that rows are checked against. */
export type Reference = {
  categories: readonly Category[]
  /** The categories by their names, which are folded once for all rows. */
  named: readonly NamedCategory[]
  columnOfSpec: (param: Pick<Param, 'key' | 'unit'>) => string
  provinces: readonly NamedPlace[]
  /** The cities by the code of their province. */
  cities: ReadonlyMap<number, readonly NamedPlace[]>
  brands: ReadonlySet<string>
  /** The company's machines by `numberOf`. */
  numbers: ReadonlySet<string>
  today: string
}

const priceColumns = { priceM: 'M', priceD: 'D', priceS: 'S', priceH: 'H' } as const satisfies Record<string, RentUnit>

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
    taxRate: taxRates.map(String),
  }
  const fixed = Object.keys(zhCn.equipment.imports.columns).map((key) => ({
    key,
    label: words.columns[key] ?? key,
    choices: choices[key] ?? null,
  }))
  const columnOfSpec = specColumns(categories)
  const specs = new Map<string, string>()
  for (const category of categories)
    for (const param of category.params) {
      const label = zh ? param.label : param.labelEn
      const key = columnOfSpec(param)
      if (!specs.has(key)) specs.set(key, param.unit ? `${label} (${param.unit})` : label)
    }
  return [...fixed, ...[...specs].map(([key, label]) => ({ key, label, choices: null }))]
}

/** Which column has a parameter: that of its key, with its unit where categories of the group measure the key in several. */
export function specColumns(categories: readonly Category[]): Reference['columnOfSpec'] {
  const units = new Map<string, string>()
  const several = new Set<string>()
  for (const { key, unit } of categories.flatMap(({ params }) => params)) {
    if ((units.get(key) ?? unit) !== unit) several.add(key)
    units.set(key, unit)
  }
  return ({ key, unit }) => (several.has(key) ? `spec.${key}.${unit}` : `spec.${key}`)
}

/**
 * Reads a number as people write it: 1,2 is 1.2 (with either comma); 21t is 21; 2.6 with the sign of ten thousand is 26000; 12,500 is 12500.
 * Null where the text is no number; `exact` unless the value is a guess.
 */
export function readNumber(text: string): { value: number; exact: boolean } | null {
  const plain = text
    .trim()
    .replaceAll(cellSigns.comma, ',')
    .replace(new RegExp(`[${cellSigns.yuan}\\s]`, 'g'), '')
  if (/^-?\d+(\.\d+)?$/.test(plain)) return { value: Number(plain), exact: true }
  const [, digits, unit] = /^(-?\d+(?:[.,]\d+)*)([^\d]*)$/.exec(plain) ?? []
  if (!digits) return null
  const grouped = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits)
  const value = Number(grouped ? digits.replaceAll(',', '') : digits.replace(',', '.'))
  if (!Number.isFinite(value)) return null
  return { value: unit?.startsWith(cellSigns.tenThousand) ? Math.round(value * 1_000_000) / 100 : value, exact: false }
}

const { year: yearSign, month: monthSign, day: daySign } = cellSigns
const separatedDay = new RegExp(String.raw`^(\d{4})[-/.${yearSign}](\d{1,2})[-/.${monthSign}](\d{1,2})${daySign}?$`)

/**
 * Reads a day as people write it: 2022/3/5, 2022.3.5, 20220305, and the same with the signs of year, month and day. A year with a month alone, such as
 * 2022.11, is no day.
 */
export function readDay(text: string): string | null {
  const [, year, month, date] = /^(\d{4})(\d{2})(\d{2})$/.exec(text.trim()) ?? separatedDay.exec(text.trim()) ?? []
  if (!year || !month || !date) return null
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  const at = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === day ? day : null
}

const fold = (text: string) => text.trim().toLowerCase().replace(/\s+/g, '')

/** No category, place or brand has a longer name. */
const longestName = 60
/** As much of a cell as names are looked for in, and one sign more, so that a longer cell is no name: many names are compared with each. */
const startOf = (cell: string) => cell.slice(0, longestName + 1)

/** The keys of a choice by themselves and by their words in either language. */
function choicesOf<K extends string>(keys: readonly K[], words: (text: Text, key: K) => string): ReadonlyMap<string, K> {
  return new Map(keys.toReversed().flatMap((key) => [key, words(zhCn, key), words(en, key)].map((word) => [fold(word), key] as const)))
}

const choices = {
  ownership: choicesOf(ownerships, (one, key) => one.equipment.upload.ownerships[key]),
  emissionStage: choicesOf(emissionStages, (one, key) => one.equipment.emission[key]),
  withOperator: choicesOf(['yes', 'no'] as const, (one, key) => one.equipment.imports[key]),
  fuelBy: choicesOf(fuelPayers, (one, key) => one.equipment.fuelBy[key]),
}

/** A category with its folded names: `exact` name it, `all` are also the common names, by which it is guessed. */
type NamedCategory = { category: Category; exact: readonly string[]; all: readonly string[] }

export function namedCategories(categories: readonly Category[]): NamedCategory[] {
  return categories.map((category) => {
    const exact = [category.name, category.nameEn].map(fold)
    return { category, exact, all: [...exact, ...category.alias.map(fold)] }
  })
}

/** The category by name, common name, English name; else a guess by what the words have in common. */
function categoryOf(named: readonly NamedCategory[], value: string, model: string): { category: Category | null; guess: Category | null } {
  const wanted = fold(startOf(value))
  const found = named.find(({ exact }) => exact.includes(wanted))
  if (found) return { category: found.category, guess: null }
  const words = fold(model)
  const near =
    named.find(({ all }) => all.includes(wanted)) ??
    named.find(({ all }) => wanted.length > 1 && all.some((name) => name.includes(wanted) || wanted.includes(name))) ??
    named.find(({ all }) => all.some((name) => words.includes(name)))
  return { category: null, guess: near?.category ?? null }
}

/** A place with its folded names in both languages. */
type NamedPlace = { code: number; name: string; nameEn: string; names: readonly string[] }

export const namedPlace = <P extends Omit<NamedPlace, 'names'>>(place: P) => ({
  ...place,
  names: [place.name, place.nameEn].map(fold).filter(Boolean),
})

/** The place by its name in either language; else a guess, in the language of the reader. */
function placeOf(places: readonly NamedPlace[], cell: string, text: Text): { code: number | null; guess: string | null } {
  const value = fold(startOf(cell))
  const exact = places.find(({ names }) => names.includes(value))
  if (exact) return { code: exact.code, guess: null }
  const near = places.find(({ names }) => value.length > 1 && names.some((name) => name.startsWith(value) || value.includes(name)))
  return { code: null, guess: near ? nameIn(text, near.name, near.nameEn) : null }
}

/** Reads the cells of one row and collects the problems of each column. An empty cell is no problem here. */
function readerOf(cells: Cells) {
  const problems: CellProblem[] = []
  const cell = (column: string) => (cells[column] ?? '').trim()
  const addProblem = (column: string, rule: string, proposal: string | null = null) => void problems.push({ column, rule, proposal })
  return {
    problems,
    cell,
    addProblem,
    number(column: string): number | null {
      if (cell(column) === '') return null
      const read = readNumber(cell(column))
      if (read?.exact) return read.value
      addProblem(column, 'import_number', read ? String(read.value) : null)
      return null
    },
    choice<K extends string>(column: string, keys: ReadonlyMap<string, K>, otherwise: K): K {
      if (cell(column) === '') return otherwise
      const key = keys.get(fold(startOf(cell(column))))
      if (key) return key
      addProblem(column, 'import_choice')
      return otherwise
    },
  }
}
type Reader = ReturnType<typeof readerOf>

/** Checks one row: the machine that it describes, or its problems, each with a proposal where the right value can be guessed. */
function checkRow(cells: Cells, reference: Reference, text: Text): Checked {
  const reader = readerOf(cells)
  const { cell, problems } = reader
  const { category, params } = readCategory(reader, reference.named, text)
  const brand = readBrand(reader, reference.brands)
  const outFactoryDate = readBuilt(reader)
  const place = readPlace(reader, reference, text)
  const prices = readPrices(reader)
  const fields = readPlain(reader)
  const qty = Number(fields.totalQty ?? 1)
  const specs = readSpecs(reader, params, reference.columnOfSpec)
  const parsed = EquipmentInput.safeParse({
    ...fields,
    // Without a category the row is refused already; any id lets the other cells be checked.
    fatherCategoryId: category?.parentId ?? 1,
    categoryId: category?.id ?? 1,
    name: cell('name') || `${brand} ${cell('model')} ${category ? (category.alias[0] ?? category.name) : ''}`.trim().slice(0, 60),
    brand,
    specs,
    outFactoryDate,
    ownership: reader.choice('ownership', choices.ownership, 'own'),
    emissionStage: reader.choice('emissionStage', choices.emissionStage, 'none'),
    ...place,
    isLot: qty > 1,
    totalQty: qty,
    prices: prices.length > 0 ? prices : [{ rentUnit: 'M', price: null }],
  })
  const units = prices.map(({ rentUnit }) => rentUnit)
  const columnOf = (path: readonly PropertyKey[]) => {
    const param = path[0] === 'specs' && params.find(({ key }) => key === path[1])
    return param ? reference.columnOfSpec(param) : columnOfField(path.map(String), units)
  }
  if (!parsed.success)
    addOnce(
      reader,
      parsed.error.issues.map((issue) => ({ column: columnOf(issue.path), rule: ruleOf(issue, cells) })),
    )
  else if (category) {
    const found = [...equipmentProblems(parsed.data, category, false, reference.today), ...missingBasics(parsed.data, category)]
    addOnce(
      reader,
      found.map(({ path, rule }) => ({ column: columnOf(path), rule })),
    )
    const { factoryNo } = parsed.data
    if (factoryNo && reference.numbers.has(numberOf(parsed.data))) reader.addProblem('factoryNo', 'import_known')
  }
  return { input: parsed.success && problems.length === 0 ? parsed.data : null, problems }
}

/** The columns that are fields of a machine under the same name. */
const plainColumns = Object.entries(MachineFields.shape)
  .filter(([key]) => key in zhCn.equipment.imports.columns)
  .map(([key, field]) => ({ key, isNumber: field.safeParse(1).success }))

/** Reads each field as the text or number that its schema takes. An empty cell leaves the field out, so that it has its default. */
function readPlain(reader: Reader): Record<string, string | number | undefined> {
  return Object.fromEntries(
    plainColumns.map(({ key, isNumber }) => [key, (isNumber ? reader.number(key) : reader.cell(key) || null) ?? undefined]),
  )
}

/** What tells the machines of a company apart: a brand has each factory number once. */
export const numberOf = ({ brand, factoryNo }: { brand: string; factoryNo: string | null }): string => `${brand}|${factoryNo ?? ''}`

/** The brand as the machine would have it, without signs that nobody sees. What is no brand stays as it was typed. */
const brandOf = (typed: string): string => MachineFields.shape.brand.safeParse(typed).data ?? typed.trim()

/** The category of the row, with the parameters by which its cells are read: those of the guess where the name is not exact. */
function readCategory({ cell, addProblem }: Reader, named: readonly NamedCategory[], text: Text) {
  const { category, guess } = categoryOf(named, cell('category'), `${startOf(cell('model'))} ${startOf(cell('name'))}`)
  if (!category) addProblem('category', cell('category') ? 'import_category' : 'required', guess && nameIn(text, guess.name, guess.nameEn))
  return { category, params: (category ?? guess)?.params ?? [] }
}

/** A brand that is not on the shelf is another spelling of one that is where only the end of a company's name follows; otherwise it is a brand of its own. */
function readBrand({ cell, addProblem }: Reader, brands: ReadonlySet<string>): string {
  const brand = brandOf(cell('brand'))
  if (brand && !brands.has(brand)) {
    const start = startOf(brand)
    const near = [...brands].find((one) => one.length > 1 && start.startsWith(one) && companyEnd.test(fold(start.slice(one.length))))
    if (near) addProblem('brand', 'import_brand', near)
  }
  return brand
}

function readBuilt({ cell, addProblem }: Reader): string | undefined {
  const day = readDay(cell('outFactoryDate'))
  if (cell('outFactoryDate') !== '' && !day) addProblem('outFactoryDate', 'import_date')
  return day ?? undefined
}

function readPlace({ cell, addProblem }: Reader, { provinces, cities }: Reference, text: Text): { provinceId: number; cityId: number } {
  const province = placeOf(provinces, cell('province'), text)
  if (province.code === null) addProblem('province', cell('province') ? 'import_place' : 'required', province.guess)
  const city = province.code === null ? null : placeOf(cities.get(province.code) ?? [], cell('city'), text)
  if (city?.code === null) addProblem('city', cell('city') ? 'import_place' : 'required', city.guess)
  return { provinceId: province.code ?? 1, cityId: city?.code ?? 1 }
}

/** The words for a price that is to be agreed. */
const negotiable = [zhCn, en].map((text) => fold(text.equipment.negotiable))
/** Whether a cell is one of the folded words. Cells with a figure, as most are, are not folded. */
const isWordOf = (words: readonly string[], cell: string) => /^\D+$/.test(cell) && words.includes(fold(startOf(cell)))

function readPrices(reader: Reader) {
  const withOperator = reader.choice('withOperator', choices.withOperator, 'no') === 'yes'
  const taxRate = reader.number('taxRate') ?? (withOperator ? 9 : 13)
  const fuelBy = reader.choice('fuelBy', choices.fuelBy, 'lessee')
  const prices = Object.entries(priceColumns).flatMap(([column, rentUnit]) => {
    const isNegotiable = isWordOf(negotiable, reader.cell(column))
    const price = isNegotiable ? null : reader.number(column)
    return price === null && !isNegotiable ? [] : [{ rentUnit, price, withOperator, fuelBy, taxRate }]
  })
  if (prices.length === 0 && !reader.problems.some(({ column }) => column.startsWith('price'))) reader.addProblem('priceM', 'import_price')
  return prices
}

function readSpecs(reader: Reader, params: readonly Param[], columnOfSpec: Reference['columnOfSpec']): Record<string, string | number> {
  return Object.fromEntries(
    params.flatMap((param) => {
      const { key, type } = param
      const column = columnOfSpec(param)
      // A template of before the categories of the group had several units does not say which one a number has.
      const former = reader.cell(`spec.${key}`)
      if (column !== `spec.${key}` && reader.cell(column) === '' && former !== '') {
        reader.addProblem(column, 'import_number', former)
        return []
      }
      const value = type === 'text' ? reader.cell(column) || null : reader.number(column)
      return value === null ? [] : [[key, value]]
    }),
  )
}

/** Adds at most one problem to a column that has none yet. */
function addOnce({ problems, addProblem }: Reader, found: readonly { column: string; rule: string }[]): void {
  const columns = new Set(problems.map(({ column }) => column))
  for (const { column, rule } of found) {
    if (columns.has(column)) continue
    columns.add(column)
    addProblem(column, rule)
  }
}

/** The column of the workbook that shows a problem of the machine's field. */
function columnOfField(path: readonly string[], units: readonly RentUnit[]): string {
  const [head = '', second = ''] = path
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

/** How long rows are checked before other requests get their turn. */
const turnMs = 8

/** Checks every row, and that no factory number stands twice in the workbook. */
export async function checkRows(
  rows: readonly { rowNo: number; cells: Cells }[],
  reference: Reference,
  text: Text,
): Promise<Map<number, Checked>> {
  const numbered = rows.map(({ rowNo, cells }) => {
    const factoryNo = (cells.factoryNo ?? '').trim()
    return { rowNo, cells, number: factoryNo && numberOf({ brand: brandOf(cells.brand ?? ''), factoryNo }) }
  })
  const seen = new Map<string, number>()
  for (const { number } of numbered) if (number) seen.set(number, (seen.get(number) ?? 0) + 1)
  const checkedRows = new Map<number, Checked>()
  let turnEnds = performance.now() + turnMs
  for (const { rowNo, cells, number } of numbered) {
    if (performance.now() > turnEnds) {
      await nextTurn()
      turnEnds = performance.now() + turnMs
    }
    const checked = checkRow(cells, reference, text)
    const isTwice = (seen.get(number) ?? 0) > 1
    checkedRows.set(
      rowNo,
      isTwice ? { input: null, problems: [...checked.problems, { column: 'factoryNo', rule: 'import_twice', proposal: null }] } : checked,
    )
  }
  return checkedRows
}
