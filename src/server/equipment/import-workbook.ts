import type { Blob } from 'node:buffer'
import type Stream from 'node:stream'
import { Unzip, UnzipInflate } from 'fflate'
import readSheets from 'read-excel-file/node'
import writeXlsxFile, { type Cell, type Feature } from 'write-excel-file/node'
import { insertElementMarkupAccordingToOrderOfSiblings } from 'write-excel-file/utility'
import type { Download } from '#shared/endpoint.ts'
import { importLimits } from '#shared/equipment/import.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { Refusal } from '../http/refusal.ts'
import type { Cells } from './import-rows.ts'

const mark = 'zhujitong-equipment'
const errorColumn = '_errors'
/** The keys of the columns stand in a hidden first row, so that the words above the cells may be in either language. */
const headRows = 2
const unpackedLimit = 25 * 1024 * 1024

type Column = { key: string; label: string; choices: string[] | null }
type Filled = { cells: Cells; errors: { column: string; message: string }[] }

/** Writes the template of a group; with rows, the same workbook with a column that names the errors of each. */
export async function writeImportWorkbook(
  group: { id: number; name: string },
  { columns, rows, text }: { columns: readonly Column[]; rows: readonly Filled[] | null; text: Text },
): Promise<Download> {
  const words = text.equipment.imports
  const all = rows ? [...columns, { key: errorColumn, label: words.errors, choices: null }] : columns
  const content = await writeXlsxFile(
    [
      {
        sheet: words.sheet,
        stickyRowsCount: headRows,
        stickyColumnsCount: 1,
        columns: all.map(({ key }) => ({ width: key === errorColumn ? 60 : ['category', 'name', 'yardAddress'].includes(key) ? 24 : 14 })),
        data: [
          all.map(({ key }, at): Cell => ({ type: String, value: at === 0 ? `${mark}:${group.id}:${key}` : key })),
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
  return {
    name: `${words.title}-${group.name}.xlsx`,
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    content,
  }
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

const slice = 16 * 1024

/** Unpacks piece by piece and counts the bytes, because the sizes in the headers may lie; stops at the limit. */
function unpacksWithin(content: Buffer, limit: number): boolean {
  let unpacked = 0
  const unzip = new Unzip((file) => {
    file.ondata = (error, chunk) => {
      if (error) throw error
      unpacked += chunk.length
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  try {
    for (let from = 0; from < content.length; from += slice) {
      unzip.push(content.subarray(from, from + slice), from + slice >= content.length)
      if (unpacked > limit) return false
    }
  } catch {
    throw new Refusal('import_template')
  }
  return true
}

/** Reads the filled-in rows of a template. Its size is checked before it is unpacked whole. */
export async function readImportWorkbook(content: Buffer): Promise<{ group: number; rows: { rowNo: number; cells: Cells }[] }> {
  if (content.length > importLimits.bytes) throw new Refusal('too_large')
  if (!unpacksWithin(content, unpackedLimit)) throw new Refusal('too_large')
  const [sheet] = await readSheets(content).catch(() => {
    throw new Refusal('import_template')
  })
  const keys = (sheet?.data[0] ?? []).map(textOf)
  const [name, group, first] = (keys[0] ?? '').split(':')
  if (name !== mark || !group || !first) throw new Refusal('import_template')
  keys[0] = first
  const rows = (sheet?.data ?? []).slice(headRows).flatMap((row, at) => {
    const cells = Object.fromEntries(
      keys.flatMap((key, index) => {
        const value = textOf(row[index]).slice(0, 2000)
        return key === '' || key === errorColumn || value === '' ? [] : [[key, value]]
      }),
    )
    return Object.keys(cells).length > 0 ? [{ rowNo: headRows + 1 + at, cells }] : []
  })
  if (rows.length === 0) throw new Refusal('import_empty')
  if (rows.length > importLimits.rows) throw new Refusal('import_rows')
  return { group: Number(group), rows }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  return String(value as string | number | boolean).trim()
}
