import type { Blob } from 'node:buffer'
import type Stream from 'node:stream'
import writeXlsxFile, { type Cell, type Feature } from 'write-excel-file/node'
import { insertElementMarkupAccordingToOrderOfSiblings } from 'write-excel-file/utility'
import { importLimits } from '#shared/equipment/import.ts'
import type { Cells } from './import-rows.ts'

export const mark = 'zhujitong-equipment'
export const errorColumn = '_errors'
/** The keys of the columns stand in a hidden first row, so that the words above the cells may be in either language. */
export const headRows = 2

export type Column = { key: string; label: string; choices: string[] | null }
export type Filled = { cells: Cells; errors: { column: string; message: string }[] }
export type Given = {
  group: number
  columns: readonly Column[]
  rows: readonly Filled[] | null
  words: { errors: string; sheet: string }
}

/** Writes the sheet to fill in, or the rows with their errors, and behind it the hidden sheet of choices. */
export function writeImportSheets({ group, columns, rows, words }: Given): Promise<Buffer> {
  const all = rows ? [...columns, { key: errorColumn, label: words.errors, choices: null }] : columns
  return writeXlsxFile(
    [
      {
        sheet: words.sheet,
        stickyRowsCount: headRows,
        stickyColumnsCount: 1,
        columns: all.map(({ key }) => ({ width: key === errorColumn ? 60 : ['category', 'name', 'yardAddress'].includes(key) ? 24 : 14 })),
        data: [
          all.map(({ key }, at): Cell => ({ type: String, value: at === 0 ? `${mark}:${group}:${key}` : key })),
          all.map(({ label }): Cell => ({ type: String, value: label, fontWeight: 'bold', backgroundColor: '#e8eef9' })),
          ...(rows ?? []).map(({ cells, errors }) => {
            const bad = new Set(errors.map(({ column }) => column))
            return all.map(({ key }): Cell => {
              const value =
                key === errorColumn
                  ? errors
                      .map(({ column, message }) => `${columns.find((one) => one.key === column)?.label ?? column}: ${message}`)
                      .join('; ')
                  : (cells[key] ?? '')
              // Text stays text: 0012 keeps its zeros.
              return { type: String, value, format: '@', ...(bad.has(key) && { backgroundColor: '#ffc7ce' }) }
            })
          }),
        ],
      },
      { sheet: 'lists', data: listsOf(columns) },
    ],
    { features: [dropDowns(columns)] },
  ).toBuffer()
}

const withChoices = (columns: readonly Column[]) => columns.flatMap(({ key, choices }, at) => (choices ? [{ key, choices, at }] : []))

/** The choices side by side, in the order of their columns. */
function listsOf(columns: readonly Column[]): Cell[][] {
  const lists = withChoices(columns)
  const length = Math.max(1, ...lists.map(({ choices }) => choices.length))
  return Array.from({ length }, (_, row) => lists.map(({ choices }): Cell => ({ type: String, value: choices[row] ?? '' })))
}

/** A, B … Z, AA. */
function letters(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : letters(Math.floor(index / 26) - 1) + letters(index % 26)
}

// ECMA-376 part 1, 18.3.1.99: what may stand before and after the validations in a sheet.
const sheetOrder = [
  'sheetPr',
  'dimension',
  'sheetViews',
  'sheetFormatPr',
  'cols',
  'sheetData',
  'autoFilter',
  'mergeCells',
  'conditionalFormatting',
  'dataValidations',
  'hyperlinks',
  'printOptions',
  'pageMargins',
  'pageSetup',
  'headerFooter',
  'drawing',
]

/** Adds the drop-downs, which forbid no other value, and hides the row of keys and the sheet of choices. */
function dropDowns(columns: readonly Column[]): Feature<Stream | Buffer | Blob> {
  const last = headRows + importLimits.rows
  const rules = withChoices(columns).map(
    ({ choices, at }, list) =>
      `<dataValidation type="list" allowBlank="1" showErrorMessage="0" sqref="${letters(at)}${headRows + 1}:${letters(at)}${last}">` +
      `<formula1>lists!$${letters(list)}$1:$${letters(list)}$${choices.length}</formula1></dataValidation>`,
  )
  return {
    files: {
      transform: {
        'xl/worksheets/sheet{id}.xml': {
          transform: (xml, _, { sheetIndex }) =>
            sheetIndex > 0
              ? xml
              : insertElementMarkupAccordingToOrderOfSiblings(
                  xml,
                  `<dataValidations count="${rules.length}">${rules.join('')}</dataValidations>`,
                  sheetOrder,
                  'worksheet',
                ),
          transformElementAttributes: (tag, attributes, index, _, { sheetIndex }) =>
            tag === 'row' && index === 0 && sheetIndex === 0 ? { ...attributes, hidden: 1 } : attributes,
        },
        'xl/workbook.xml': {
          transformElementAttributes: (tag, attributes, index) =>
            tag === 'sheet' && index === 1 ? { ...attributes, state: 'hidden' } : attributes,
        },
      },
    },
  }
}
