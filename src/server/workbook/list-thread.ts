import writeXlsxFile, { type Cell } from 'write-excel-file/node'
import { answerInThread } from './thread.ts'

export type ListCell = string | number | null
/** A number with a format of its own instead of its column's. */
type FormattedCell = { value: number; format: string }
/** A sheet whose columns have labels begins with them; `note` is its last row. */
export type GivenSheet = {
  sheet: string
  columns: { label?: string; width: number; format?: string }[]
  rows: (ListCell | FormattedCell)[][]
  note?: string
}

/** The limit of the format is 32,767 characters. */
const longestCell = 32_000

/** The thread that writes one exported workbook. A text that starts like a formula stays a text, because its cell has the type of one. */
async function write(sheets: readonly GivenSheet[]): Promise<Uint8Array> {
  return writeXlsxFile(sheets.map(sheetOf)).toBuffer()
}

function sheetOf({ sheet, columns, rows, note }: GivenSheet) {
  const isHeaded = columns.some(({ label }) => label !== undefined)
  const header = columns.map(({ label = '' }): Cell => ({ type: String, value: label, fontWeight: 'bold', backgroundColor: '#e8eef9' }))
  const body = rows.map((row) => row.map((value, at) => cellOf(value, columns[at]?.format)))
  const last: Cell[][] = note ? [[{ type: String, value: note, fontWeight: 'bold' }]] : []
  return {
    sheet,
    data: [...(isHeaded ? [header] : []), ...body, ...last],
    columns: columns.map(({ width }) => ({ width })),
    ...(isHeaded && { stickyRowsCount: 1 }),
  }
}

function cellOf(value: ListCell | FormattedCell, format: string | undefined): Cell {
  if (value === null || value === '') return null
  if (typeof value === 'string') return { type: String, value: value.slice(0, longestCell) }
  if (typeof value === 'object') return { type: Number, ...value }
  return { type: Number, value, ...(format && { format }) }
}

answerInThread(write)
