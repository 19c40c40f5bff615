import type { CategoryGroup } from '#shared/category/contract.ts'
import { mainSizeIn } from '#shared/search/size.ts'
import { counters } from '#shared/text/zh-cn/search-words.ts'
import { mainParam } from '#shared/main-param.ts'
import { readDay } from '../../app/typed-date.ts'
import { choicesFor } from '../../ui/choice-search.ts'
import { unitsOf, type ItemForm } from './draft.ts'

type PastedLine = Partial<ItemForm> & Pick<ItemForm, 'categoryId' | 'fatherCategoryId' | 'specs'>
export type Pasted = { lines: PastedLine[]; unread: string[] }

/** A day as tables write it, with its year or its month marked. A size such as 7.5 is none. */
const dayCell = /^(?:\d{8}|\d{2,4}[-/.\u5e74]\d{1,2}[-/.\u6708]\d{1,2}\u65e5?|\d{1,2}(?:[-/]|\u6708)\d{1,2}\u65e5?)$/
/** A number of machines, with the word that counts them. */
const qtyCell = new RegExp(String.raw`^(\d{1,3})\s*(?:${counters.join('|')})?$`)

/**
 * Reads rows of a table as lines of a demand: a category with its size, a quantity, the first and the last day. Cells are parted by tabs, or else by
 * blanks and commas, and stand in any order. `unread` has the rows without a category; a head of the table is neither.
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
    .split(row.includes('\t') ? '\t' : /[\s,;\u3001]+/)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')

function readRow(row: string, tree: readonly CategoryGroup[], today: string): PastedLine | null {
  const cells = cellsOf(row)
  const [start, end] = daysOf(cells, today)
  const words = cells.filter((cell) => !dayCell.test(cell) && !qtyCell.test(cell))
  const found = words.flatMap((cell) => categoryIn(cell, tree) ?? [])[0]
  if (!found) return null
  const [rentUnit = 'M'] = unitsOf(found)
  const main = mainParam(found.params)
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

/** The category whose name or alias ends the cell, the longest first, else the first that the cell finds. */
function categoryIn(cell: string, tree: readonly CategoryGroup[]) {
  const categories = tree.flatMap(({ children }) => children)
  const byName = categoryNamedBy(cell, tree)
  if (byName) return byName
  const [hit] = choicesFor(
    categories.map((category) => ({ value: category.id, label: category.name, words: wordsOf(category).join(' ') })),
    cell,
  )
  return categories.find(({ id }) => id === hit?.value)
}

function categoryNamedBy(cell: string, tree: readonly CategoryGroup[]) {
  const typed = cell.toLowerCase()
  const named = tree.flatMap(({ children }) =>
    children.map((category) => ({
      category,
      length: Math.max(0, ...wordsOf(category).map((word) => (typed.endsWith(word) ? word.length : 0))),
    })),
  )
  return named.filter(({ length }) => length > 0).toSorted((a, b) => b.length - a.length)[0]?.category
}

type Category = CategoryGroup['children'][number]
const wordsOf = ({ name, nameEn, alias }: Category): string[] =>
  [name, nameEn, ...alias].map((word) => word.toLowerCase()).filter((word) => word !== '')
