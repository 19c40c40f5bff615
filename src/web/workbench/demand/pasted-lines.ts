import type { CategoryGroup } from '#shared/category/contract.ts'
import type { RentUnit } from '#shared/equipment/rules.ts'
import { mainSizeIn, sizeAt } from '#shared/search/size.ts'
import { chineseRentUnits, counters } from '#shared/text/zh-cn/search-words.ts'
import { mainParam } from '#shared/main-param.ts'
import { readDay } from '../../app/typed-date.ts'
import { readingsOf } from '../../ui/choice-search.ts'
import { unitsOf, type ItemForm } from './draft.ts'

type PastedLine = Partial<ItemForm> & Pick<ItemForm, 'categoryId' | 'fatherCategoryId' | 'specs'>
export type Pasted = { lines: PastedLine[]; unread: string[] }

/** A day as tables write it, with its year or its month marked. A size such as 7.5 is none. */
const dayCell = /^(?:\d{8}|\d{2,4}[-/.\u5e74]\d{1,2}[-/.\u6708]\d{1,2}\u65e5?|\d{1,2}(?:[-/]|\u6708)\d{1,2}\u65e5?)$/
/** A number of machines, with the word that counts them. */
const qtyCell = new RegExp(String.raw`^(\d{1,3})\s*(?:${counters.join('|')})?$`)
/** Units of rent with the currency before them or without it: CNY/month, month. */
const rentUnitWords: readonly (readonly [word: string, unit: RentUnit])[] = [
  ...chineseRentUnits,
  ['month', 'M'],
  ['day', 'D'],
  ['shift', 'S'],
  ['hour', 'H'],
  ['m3', 'V'],
]

/**
 * Reads rows of a table as lines of a demand: a category with its size, a quantity, the first and the last day, the unit of the rent. Cells are parted
 * by tabs, or else by commas and by blanks but those inside an English name, and stand in any order. `unread` has the rows without a category, or
 * with a unit by which it is not rented; a head of the table is neither.
 */
export function readPastedLines(pasted: string, tree: readonly CategoryGroup[], today: string): Pasted {
  const [first = '', ...others] = pasted.split(/\r?\n/).filter((row) => row.trim() !== '')
  const isHead = !/\d/.test(first) && others.some((row) => /\d/.test(row)) && !cellsOf(first).some((cell) => categoryNamedBy(cell, tree))
  const read = [...(isHead ? [] : [first]), ...others].map((row) => ({ row: row.trim(), line: readRow(row, tree, today) }))
  return {
    lines: read.flatMap(({ line }) => line ?? []),
    unread: read.filter(({ row, line }) => line === null && row !== '').map(({ row }) => row),
  }
}

const cellsOf = (row: string): string[] =>
  row
    .normalize('NFKC')
    .split(row.includes('\t') ? '\t' : /[,;\u3001]+|(?<![a-z])\s+|\s+(?![a-z])/i)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')

function readRow(row: string, tree: readonly CategoryGroup[], today: string): PastedLine | null {
  const cells = cellsOf(row)
  const [start, end] = daysOf(cells, today)
  const words = cells.filter((cell) => !dayCell.test(cell) && !qtyCell.test(cell))
  const found = categoryIn(words, tree)
  if (!found) return null
  const main = mainParam(found.params)
  const [usualUnit = 'M', ...otherUnits] = unitsOf(found)
  const rentUnit = words.flatMap((cell) => rentUnitOf(cell, main?.unit) ?? [])[0] ?? usualUnit
  if (rentUnit !== usualUnit && !otherUnits.includes(rentUnit)) return null
  const size = words.flatMap((cell) => mainSizeIn(cell, found) ?? [])[0]
  const qty = qtyOf(cells, main === undefined || size !== undefined)
  return {
    categoryId: found.id,
    fatherCategoryId: found.parentId,
    rentUnit,
    specs: main && size !== undefined ? { [main.key]: { rule: 'ge', value: String(size) } } : {},
    ...(qty !== undefined && Number(qty) > 0 && { qty }),
    ...(start !== undefined && { planStart: start }),
    ...(end !== undefined && { planEnd: end }),
  }
}

/**
 * A number with the word that counts it. Of bare ones never the number of the row: where the size stands in another cell the first, because days or
 * months may follow it, else the last, because the size comes before the quantity.
 */
function qtyOf(cells: readonly string[], isSizeElsewhere: boolean): string | undefined {
  const numbers = cells.filter((cell) => qtyCell.test(cell))
  const bare = numbers.length > 1 && numbers[0] === cells[0] ? numbers.slice(1) : numbers
  const found = numbers.find((cell) => !/^\d+$/.test(cell)) ?? (isSizeElsewhere ? bare[0] : bare.at(-1))
  return found && qtyCell.exec(found)?.[1]
}

/** The first and the last day. A last day without a year is the next one from the first on; an equal one is left to the form, which refuses it. */
function daysOf(cells: readonly string[], today: string): [start?: string, end?: string] {
  const [first, last] = cells.filter((cell) => dayCell.test(cell) && readDay(cell, today) !== null)
  const start = first === undefined ? null : readDay(first, today)
  if (start === null) return []
  if (last === undefined) return [start]
  const sameYear = readDay(last, start)
  const end = sameYear !== null && sameYear >= start ? sameYear : readDay(last, String(Number(start.slice(0, 4)) + 1))
  return end === null ? [start] : [start, end]
}

/** The unit of rent that a cell names. The unit of the size is none, although mixers are also rented by the m³. */
function rentUnitOf(cell: string, unitOfSize = ''): RentUnit | undefined {
  const typed = cell.toLowerCase()
  if (typed === unitOfSize.normalize('NFKC').toLowerCase()) return undefined
  return rentUnitWords.find(([word]) => typed === word || typed.endsWith(`/${word}`))?.[1]
}

/**
 * The category whose name or alias ends a cell. Else the name of one may end or begin with the first cell; the others may say anything about the line,
 * such as its fuel. Of several the first that is measured in the unit of the size is taken.
 */
function categoryIn(cells: readonly string[], tree: readonly CategoryGroup[]): Category | undefined {
  const named = cells.flatMap((cell) => categoryNamedBy(cell, tree) ?? [])[0]
  if (named) return named
  const readings = readingsIn(cells.find((cell) => !isSize(cell)) ?? '')
  const categories = tree.flatMap(({ children }) => children)
  // The end of a name is the kind of machine, in Chinese often two letters; a beginning that short may be a fuel or a way of working.
  for (const [holds, least] of [
    [endsWithWord, 2],
    [beginsWithWord, 3],
  ] as const) {
    const parts = readings.filter(({ length }) => length >= least)
    const hits = categories.filter(({ name, nameEn }) => parts.some((part) => [name, nameEn].some((word) => holds(plain(word), part))))
    const hit = hits.find((category) => cells.some((cell) => mainSizeIn(cell, category) !== undefined)) ?? hits[0]
    if (hit) return hit
  }
  return undefined
}

/** The category with the longest name or alias at the end of the cell. */
function categoryNamedBy(cell: string, tree: readonly CategoryGroup[]): Category | undefined {
  const readings = readingsIn(cell)
  const named = tree.flatMap(({ children }) =>
    children.map((category) => ({
      category,
      length: Math.max(0, ...wordsOf(category).map((word) => (readings.some((text) => endsWithWord(text, word)) ? word.length : 0))),
    })),
  )
  return named.filter(({ length }) => length > 0).toSorted((a, b) => b.length - a.length)[0]?.category
}

type Category = CategoryGroup['children'][number]
const wordsOf = ({ name, nameEn, alias }: Category): string[] => [name, nameEn, ...alias].map(plain).filter((word) => word !== '')

/** A name in lower case without its brackets. */
const plain = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\(.*?\)/g, '')
    .trim()
const readingsIn = (cell: string): string[] => readingsOf(plain(cell)).map((text) => text.trim())
const isSize = (cell: string): boolean => sizeAt(cell.toLowerCase(), 0)?.length === cell.length

// A run of Latin letters is one word: neither "x" nor "tor" is a part of "excavator".
const isInsideWord = (before = '', after = ''): boolean => /^[a-z]{2}$/.test(before + after)
const endsWithWord = (text: string, word: string): boolean => text.endsWith(word) && !isInsideWord(text.at(-word.length - 1), word[0])
const beginsWithWord = (text: string, word: string): boolean => text.startsWith(word) && !isInsideWord(word.at(-1), text[word.length])
