import writeXlsxFile, { type Cell } from 'write-excel-file/node'
import { answerInThread } from './thread.ts'

export type ListCell = string | number | null
export type Given = { sheet: string; columns: { label: string; width: number; format?: string }[]; rows: ListCell[][]; note: string }

/** The limit of the format is 32,767 characters. */
const longestCell = 32_000

/** The thread that writes one exported list. A text that starts like a formula stays a text, because its cell has the type of one. */
async function write({ sheet, columns, rows, note }: Given): Promise<Uint8Array> {
  const header = columns.map(({ label }): Cell => ({ type: String, value: label, fontWeight: 'bold', backgroundColor: '#e8eef9' }))
  const body = rows.map((row) =>
    row.map((value, at): Cell => {
      if (value === null || value === '') return null
      if (typeof value === 'string') return { type: String, value: value.slice(0, longestCell) }
      const format = columns[at]?.format
      return { type: Number, value, ...(format && { format }) }
    }),
  )
  const last: Cell[][] = note ? [[{ type: String, value: note, fontWeight: 'bold' }]] : []
  return writeXlsxFile([header, ...body, ...last], {
    sheet,
    stickyRowsCount: 1,
    columns: columns.map(({ width }) => ({ width })),
  }).toBuffer()
}

answerInThread(write)
